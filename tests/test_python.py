"""The Python API: its tutorial runs as printed, and errors are raised before anything is recorded."""

import doctest
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import shinpan
from domain.games import GAMES
from recorder.usecases import commands

ROOT = Path(__file__).parents[1]


def test_the_tutorial_says_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert tried > 20 and failed == 0


@pytest.fixture
def store() -> Any:
    with shinpan.open(":memory:") as opened:
        yield opened


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_is_played_shown_and_taken_over(store: shinpan.Store, tmp_path: Path, game: str) -> None:
    decks = dict(zip(("p1", "p2"), GAMES[game].named_decks(), strict=False)) if GAMES[game].own_decks else {}
    match = store.new(f"{game}@{[*GAMES[game].versions][-1]}", decks=decks, seed=1)
    for _ in range(5):
        match.do(next(line for line in match.legal() if not line.endswith("concede")))
    assert match.audit() == () and match.result is None and not match.closed
    assert match.board()._repr_html_().startswith("<pre>") and match.board("judge").to_dict()["viewer"] == "judge"
    for suffix in (".spn", ".jsonl"):
        file = tmp_path / f"m{suffix}"
        match.save(file)
        read = shinpan.read(file)
        assert read.to_dicts() == match.to_dicts() and len(read) == len(match)
        with pytest.raises(FileExistsError):
            match.save(file)
        with shinpan.open(":memory:") as other:
            assert other.add(read).entries() == match.entries()


def test_nothing_is_recorded_where_something_is_wrong(store: shinpan.Store) -> None:
    match = store.new("blackpoker@8.1-lite", seed=5, match="m")
    before = len(match)
    stale = store["m"]
    wrong: tuple[tuple[type[Exception], Any], ...] = (
        (TypeError, lambda: match.do(5)),  # type: ignore[arg-type]
        (TypeError, lambda: match.do("p2: pass", at=3)),  # type: ignore[arg-type]
        (TypeError, lambda: match.do("p2: pass", at="2026-11-28")),  # type: ignore[arg-type]
        (TypeError, lambda: match.do("p2: pass", loud=True)),  # type: ignore[call-arg]
        (ValueError, lambda: match.do("p1: concede")),
        (ValueError, lambda: match.save("match.txt")),
        (shinpan.NotRecorded, lambda: match.do("p2: fly")),
        (shinpan.NotRecorded, lambda: match.rewind(99, "x")),
        (shinpan.NotRecorded, lambda: match.execute(commands.Correct(facts=("nonsense",), reason="x"))),
        (shinpan.Refused, lambda: match.do("p2: attack")),
        (shinpan.Conflict, lambda: store.new("blackpoker@8.1-lite", match="m")),
        (KeyError, lambda: store["other"]),
        (ValueError, lambda: store.new("chess@1")),
        (ValueError, lambda: store.new("blackpoker@1")),
        (ValueError, lambda: store.new("blackpoker@8.1-lite", settings={"nothing": 1})),
        (ValueError, lambda: store.new("dea@1", decks={"p1": "[a]\nC01\n[b]\nC02"})),
        (ValueError, lambda: store.new("blackpoker@8.1-lite", seed=-1)),
        (TypeError, lambda: store.new("blackpoker@8.1-lite", seed="x")),  # type: ignore[arg-type]
        (TypeError, lambda: store.new("blackpoker@8.1-lite", names={"p1": 5})),  # type: ignore[dict-item]
        (TypeError, lambda: match.note(5)),  # type: ignore[arg-type]
        (TypeError, lambda: match.execute("note")),  # type: ignore[arg-type]
        (TypeError, lambda: store.add("m")),  # type: ignore[arg-type]
        (shinpan.NotRecorded, lambda: match.note("")),
        (shinpan.NotRecorded, lambda: match.branch(99)),
        (ValueError, lambda: match.board(lang="fr")),  # type: ignore[arg-type]
        (ValueError, lambda: match.board(as_="nobody")),
        (FileNotFoundError, lambda: shinpan.read("no.spn")),
        (ValueError, lambda: shinpan.read(__file__)),
    )
    for kind, call in wrong:
        with pytest.raises(kind):
            call()
    assert len(store["m"]) == before and list(store) == ["m"]
    match.do("p1: pass", at=datetime(2026, 11, 28, tzinfo=UTC))
    with pytest.raises(shinpan.Conflict) as caught:
        stale.do("p1: pass")
    assert (caught.value.value.expected, caught.value.value.actual) == (before, len(match))
    assert match.to_dicts()[-1]["at"] == datetime(2026, 11, 28, tzinfo=UTC)


def test_an_impossible_fact_is_named_with_the_reason(store: shinpan.Store) -> None:
    match = store.new("blackpoker@8.1-lite", seed=5)
    before = len(match)
    with pytest.raises(shinpan.NotRecorded) as caught:
        match.execute(commands.Correct(facts=("- turn u55 up", "- move u55 p1.attic"), reason="x"))
    why = "fact 2 (move) is physically impossible: there is no place 'p1.attic'; nothing was recorded"
    assert str(caught.value) == why
    assert caught.value.value.number == 2 and len(match) == before


def test_a_record_that_cannot_be_added_is_named_by_its_entry(store: shinpan.Store, tmp_path: Path) -> None:
    file = tmp_path / "table 17.spn"
    text = (ROOT / "fixtures" / "blackpoker" / "matches" / "normal.spn").read_text(encoding="utf-8")
    file.write_text("".join(line for line in text.splitlines(True) if not line.startswith("[Match ")), encoding="utf-8")
    with pytest.raises(shinpan.NotRecorded) as caught:
        store.add(shinpan.read(file))
    assert str(caught.value).startswith("entry 1: 'table 17' cannot be a match id: use up to 64 letters")
    assert str(caught.value).endswith("; nothing was recorded")
    assert caught.value.value.entry == 1 and not list(store)


def test_a_rule_change_that_judges_nothing_does_not_look_like_one_without_effect(tmp_path: Path) -> None:
    record = ROOT / "fixtures" / "blackpoker" / "matches" / "normal.spn"
    (tmp_path / "broken.spn").write_text("nothing", encoding="utf-8")
    for kind, paths, rules in (
        (ValueError, [record], "blackpoker@9.9"),
        (ValueError, [record], "chess@1"),
        (FileNotFoundError, [record, tmp_path / "none.spn"], "blackpoker@8.2-lite"),
        (ValueError, [tmp_path / "broken.spn"], "blackpoker@8.2-lite"),
        (ValueError, [], "blackpoker@8.2-lite"),
    ):
        with pytest.raises(kind):
            shinpan.rejudge(paths, rules)
    with pytest.raises(ValueError):
        shinpan.rejudge([record], "blackpoker@8.2-lite", settings={"nothing": 1})
    assert shinpan.rejudge(str(record), "blackpoker@8.2-lite").matches == 1
