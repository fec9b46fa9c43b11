"""The `compare` command: matches that tell two readings apart, shortest first."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.judging.rejudging import comparing
from domain.law.entries import Entry, Opened
from domain.law.game import Game
from recorder import codec
from tests.cli.runs import inside
from tests.corpus.small_files import real

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ROOT = Path(__file__).parents[2]
MATCHES = str(ROOT / "fixtures" / "blackpoker" / "matches")


def test_the_matches_that_separate_two_readings_come_shortest_first() -> None:
    ran = inside("unused", "compare", "blackpoker", MATCHES, "--reading", "throwing.damage_suit=club,spade", "--json")
    assert ran.code == 1
    found = ran.data
    assert (found["option"], found["values"]) == ("throwing.damage_suit", ["club", "spade"])
    names = [Path(one["match"]).stem for one in found["separating"]]
    assert any(one.startswith("disputed") for one in names) and 0 < len(names) < found["matches"]
    order = [(one["entry"], one["entries"]) for one in found["separating"]]
    assert order == sorted(order)
    swapped = inside(
        "unused", "compare", "blackpoker", MATCHES, "--reading", "throwing.damage_suit=spade,club", "--json"
    )
    assert [one["entry"] for one in swapped.data["separating"]] == [one["entry"] for one in found["separating"]]
    assert [one["verdicts"][::-1] for one in swapped.data["separating"]] == [
        one["verdicts"] for one in found["separating"]
    ]


def test_people_read_it_in_their_language() -> None:
    reading = ("--reading", "equip.arrival=keep,reset")
    for lang, words in (("en", "matches with different results"), ("ja", "結果が分かれる対戦")):
        ran = inside("unused", "--lang", lang, "compare", "blackpoker", MATCHES, *reading)
        assert words in ran.out and ran.code in (0, 1)


@pytest.mark.parametrize("change", ["judge.compare=size,printed", "throwing.damage_suit=spade,club"])
def test_it_counts_the_classes_that_regress_counts_for_the_same_change(change: str) -> None:
    corpus = str(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus")
    option, _, values = change.partition("=")
    compared = inside("unused", "compare", "blackpoker", corpus, "--reading", change, "--json").data
    setting = ("--set", f"{option}={values.partition(',')[2]}")
    regressed = inside("unused", "regress", corpus, *setting, "--jobs", "1", "--json").data
    assert compared["classes"] == {kind: n for kind, n in regressed["by_class"].items() if n}
    assert sum(one["outcome_changes"] for one in compared["separating"]) == len(regressed["flips"])
    text = inside("unused", "compare", "blackpoker", corpus, "--reading", change).out
    assert f"with a different winner: {len(regressed['flips'])}" in text
    assert f"identical: {compared['classes']['identical']}" in text


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    for reading in (
        "throwing.damage_suit",
        "throwing.damage_suit=club",
        "throwing.damage_suit=club,club",
        "x=a,b",
        "throwing.damage_suit=club,heart",
    ):
        ran = inside("unused", "compare", "blackpoker", MATCHES, "--reading", reading)
        assert (ran.code, bool(ran.message), ran.out) == (2, True, "")


READING = ("--reading", "throwing.damage_suit=club,spade")


def test_what_cannot_be_read_is_named_and_the_rest_is_compared(tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    both = inside("unused", "compare", "blackpoker", str(broken), MATCHES, *READING, "--json")
    assert both.code == 1 and "broken.spn" in both.data["bad"][0] and both.data["matches"] > 10
    japanese = inside("unused", "--lang", "ja", "compare", "blackpoker", str(broken), MATCHES, *READING)
    assert "broken.spn" in japanese.err and not japanese.err.isascii()


def test_where_nothing_can_be_compared_it_is_bad_input_and_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    (tmp_path / "none").mkdir()
    grimoire = str(ROOT / "fixtures" / "grimoire" / "matches")
    for paths in ([str(broken)], [str(tmp_path / "gone")], [str(tmp_path / "none")], [grimoire]):
        ran = inside("unused", "compare", "blackpoker", *paths, *READING)
        assert (ran.code, bool(ran.message), ran.out) == (2, True, ""), paths


def test_a_reading_that_does_not_fit_a_match_leaves_the_others_compared() -> None:
    corpus = str(ROOT / "fixtures" / "grimoire" / "corpus" / "small.corpus")
    ran = inside("unused", "compare", "grimoire", corpus, "--reading", "teams=none,p1+p3/p2+p4", "--json")
    assert ran.code in (0, 1) and ran.data["matches"] > 0
    assert ran.data["bad"] and all("p3" in one or "p4" in one for one in ran.data["bad"])
    assert ran.data["matches"] + len(ran.data["bad"]) == 24
    wrong = inside("unused", "compare", "grimoire", corpus, "--reading", "teams=none,p1+p9")
    assert (wrong.code, wrong.out) == (2, "") and "p9" in wrong.message


def test_one_match_that_cannot_be_decided_again_keeps_no_other_from_being_compared(tmp_path: Path) -> None:
    opened = real("blackpoker", 1)[0]
    assert isinstance(opened, Opened)
    file = tmp_path / "undealt.jsonl"
    file.write_bytes(codec.to_json_line(codec.encode(msgspec.structs.replace(opened, told=()))) + b"\n")
    ran = inside("unused", "compare", "blackpoker", str(file), MATCHES, *READING, "--json")
    assert ran.code == 1 and ran.data["matches"] > 10
    assert len(ran.data["bad"]) == 1 and "does not match its deck" in ran.data["bad"][0]
    japanese = inside("unused", "--lang", "ja", "compare", "blackpoker", str(file), MATCHES, *READING)
    assert "デッキ" in japanese.err


def test_a_law_that_fails_on_one_match_leaves_the_others_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[int] = []

    def failing(game: Game, entries: Sequence[Entry], one: Any, other: Any, spares: Any) -> comparing.Separation | None:
        failed.append(len(entries))
        return {}["p9"] if len(failed) == 1 else separate(game, entries, one, other, spares)

    separate = comparing.separate
    monkeypatch.setattr(comparing, "separate", failing)
    ran = inside("unused", "compare", "blackpoker", MATCHES, *READING, "--jobs", "1", "--json")
    assert ran.code == 1 and ran.data["matches"] == len(failed) - 1 > 10
    assert len(ran.data["bad"]) == 1 and "KeyError" in ran.data["bad"][0]


ODD = b"odd-\xff.spn"


@pytest.mark.parametrize(
    "command",
    [("compare", "blackpoker", *READING, "--json"), ("coverage", "blackpoker", "--json", "--corpus")],
    ids=["compare", "coverage"],
)
def test_a_file_whose_name_is_no_utf8_is_named_all_the_same(command: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    try:
        (folder / os.fsdecode(ODD)).write_text("nothing", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    (folder / "normal.spn").write_bytes(Path(MATCHES, "normal.spn").read_bytes())
    ran = inside("unused", *command, str(folder))
    assert ran.code in (0, 1), ran
    assert len(ran.data["bad"]) == 1 and r"odd-\udcff.spn" in ran.data["bad"][0]
    assert r"odd-\udcff.spn" in ran.err
