"""The `dossier` command: a dispute as one file."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.rulesets import digest, load, values, with_settings
from recorder.store import Store
from tests.cli.runs import disputed, fine, inside

pytestmark = pytest.mark.random
MATCH = "table-17"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = disputed(tmp_path)
    fine(made, "dispute", MATCH, "--at", "47", "--claim", "p1=it was a club")
    fine(made, "rule", MATCH, "55", "--verdict", "wrong_outcome", "--clause", "BP-10.6", "--to", "46")
    return made


def test_a_file_is_written_for_officials_and_for_players(store: Path, tmp_path: Path) -> None:
    pages = {}
    for audience in ("players", "officials"):
        out = tmp_path / f"{audience}.html"
        said = fine(store, "casefile", MATCH, "55", "--for", audience, "--out", out)
        assert said.out == f"case file written to {out}\n"
        pages[audience] = out.read_text(encoding="utf-8")
        assert fine(store, "casefile", MATCH, "55", "--for", audience).out == pages[audience]
        value = fine(store, "casefile", MATCH, "55", "--for", audience, "--json").data
        assert (value["audience"], value["entry"], value["dispute"]["dispute"]) == (audience, 47, 55)
    assert "it was a club" in pages["officials"] and "it was a club" not in pages["players"]
    assert "Finding under today&#39;s rules" in pages["officials"]
    assert "The other reading" in pages["officials"] and "The other reading" not in pages["players"]


def test_earlier_rulings_of_the_store_stand_in_it(store: Path) -> None:
    second = fine(store, "dispute", MATCH, "--at", "47", "--clause", "BP-10.6").out.split()[0]
    value = fine(store, "casefile", MATCH, second, "--for", "players", "--json").data
    assert [(row["match"], row["dispute"]) for row in value["precedents"]] == [(MATCH, 55)]
    assert value["precedents"][0]["shared"]["clauses"] == ["BP-10.6"]


def test_an_earlier_ruling_whose_clause_reads_otherwise_now_says_so(store: Path) -> None:
    with Store.open(store) as opened:
        first, *entries = opened.read(MATCH)
        law = GAMES["blackpoker"]
        rules = with_settings(law, load(law, opened_of((first,)).rules), {"throwing.damage_suit": "spade"})
        earlier = replace(opened_of((first,)), rules=values(rules), rules_hash=digest(rules))
        opened.append("earlier", 0, [earlier, *entries])
    second = fine(store, "dispute", MATCH, "--at", "47", "--clause", "BP-10.6").out.split()[0]
    value = fine(store, "casefile", MATCH, second, "--for", "players", "--json").data
    (changed,) = [told for told in value["precedents"] if told["match"] == "earlier"]
    assert [text["clause"] for text in changed["texts"]] == ["BP-10.6"]
    assert [(option["key"], option["was"], option["now"]) for option in changed["options"]] == [
        ("throwing.damage_suit", "spade", "club")
    ]
    page = fine(store, "casefile", MATCH, second, "--for", "players").out
    assert "BP-10.6 at that time:" in page and "BP-10.6の当時の条文：" in page


def test_bad_input_is_named_and_nothing_is_written(store: Path, tmp_path: Path) -> None:
    _without_law(store, "lawless")
    out = tmp_path / "x.html"
    wrong: tuple[tuple[tuple[str | Path, ...], str], ...] = (
        ((MATCH, "47", "--for", "players", "--out", out), "entry 47 opens no dispute"),
        ((MATCH, "999", "--for", "players", "--out", out), "entry 999 opens no dispute"),
        (("nowhere", "55", "--for", "players", "--out", out), "nowhere"),
        (("lawless", "55", "--for", "players", "--out", out), "lawless"),
        ((MATCH, "55", "--out", out), "--for"),
        ((MATCH, "55", "--for", "p1", "--out", out), "p1"),
        ((MATCH, "55", "--for", "players", "--out", tmp_path), "Is a directory"),
        ((MATCH, "55", "--for", "players", "--out", tmp_path / "no" / "x.html"), "No such file"),
        ((MATCH, "55", "--for", "players", "--out", store), "--out"),
    )
    before = store.read_bytes()
    for arguments, words in wrong:
        ran = inside(store, "casefile", *arguments)
        assert ran.code == 2 and not ran.out and words in ran.message, ran
        assert not out.exists()
    assert store.read_bytes() == before


def _without_law(store: Path, name: str) -> None:
    with Store.open(store) as opened:
        entries = opened.read(MATCH)
        first = replace(opened_of(entries), game="unknown-game")
        opened.append(name, 0, [first, *entries[1:]])
