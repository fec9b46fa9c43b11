"""A dispute as one file, by the command line."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.law.entries import opened_of
from recorder.store import Store
from tests.cli.runs import disputed, fine, inside

pytestmark = pytest.mark.deep
MATCH = "table-17"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The disputed match, with a dispute in entry 55 that was ruled on."""
    made = disputed(tmp_path)
    fine(made, "dispute", MATCH, "--at", "47", "--claim", "p1=it was a club")
    fine(made, "rule", MATCH, "55", "--verdict", "wrong_outcome", "--clause", "BP-10.6", "--to", "46")
    return made


def test_a_file_is_written_for_officials_and_for_players(store: Path, tmp_path: Path) -> None:
    pages = {}
    for audience in ("players", "officials"):
        out = tmp_path / f"{audience}.html"
        said = fine(store, "casefile", MATCH, "55", "--for", audience, "--out", out)
        assert said.out == f"case file in {out}\n"
        pages[audience] = out.read_text(encoding="utf-8")
        assert fine(store, "casefile", MATCH, "55", "--for", audience).out == pages[audience]
        value = fine(store, "casefile", MATCH, "55", "--for", audience, "--json").data
        assert (value["audience"], value["entry"], value["dispute"]["dispute"]) == (audience, 47, 55)
    assert "it was a club" in pages["officials"] and "it was a club" not in pages["players"]
    assert "What the rules themselves say today" in pages["officials"]
    assert "The other reading" in pages["officials"] and "The other reading" not in pages["players"]


def test_earlier_rulings_of_the_store_stand_in_it(store: Path) -> None:
    second = fine(store, "dispute", MATCH, "--at", "47", "--clause", "BP-10.6").out.split()[0]
    value = fine(store, "casefile", MATCH, second, "--for", "players", "--json").data
    assert [(row["match"], row["dispute"]) for row in value["precedents"]] == [(MATCH, 55)]
    assert value["precedents"][0]["shared"]["clauses"] == ["BP-10.6"]


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
    """A match of a game that is not known here."""
    with Store.open(store) as opened:
        entries = opened.read(MATCH)
        first = replace(opened_of(entries), game="unknown-game")
        opened.append(name, 0, [first, *entries[1:]])
