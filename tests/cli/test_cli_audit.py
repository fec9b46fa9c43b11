"""`audit` from the command line: what stands and what was undone, what was entered by hand, many records at once."""

from pathlib import Path

import pytest

from domain.games import GAMES
from domain.law.entries import Corrected, Played
from recorder import codec
from tests.cli.runs import clauses, disputed, fine, inside
from tests.recorded import SHELVES

PLANTED = [(10, "BP-7.15"), (30, "BP-4.2"), (47, "BP-10.6")]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return disputed(tmp_path)


def test_findings_on_a_line_that_was_left_are_marked_and_counted_apart(store: Path) -> None:
    fine(store, "rewind", "table-17", "--to", "29", "--reason", "misheard", "--by", "judge")
    ran = inside(store, "audit", "table-17", "--json")
    assert clauses(ran.data["findings"]) == PLANTED and ran.code == 1
    assert [one.get("undone", False) for one in ran.data["findings"]] == [False, True, True]
    assert ran.data["undone"] == 2
    text = inside(store, "audit", "table-17").out
    assert "findings: 1 (" in text and "on undone lines: 2\n" in text
    assert text.count("on an undone line") == 2
    standing = inside(store, "audit", "table-17", "--standing")
    assert "findings: 1 (" in standing.out and "undone" not in standing.out
    assert clauses(inside(store, "audit", "table-17", "--standing", "--json").data["findings"]) == PLANTED[:1]


def test_where_only_undone_findings_remain_nothing_is_wrong_any_more(store: Path) -> None:
    fine(store, "rewind", "table-17", "--to", "9", "--reason", "misheard", "--by", "judge")
    ran = inside(store, "audit", "table-17")
    assert ran.code == 0 and "findings: 0 (" in ran.out and "on undone lines: 3" in ran.out
    assert inside(store, "audit", "table-17", "--standing", "--json").data["findings"] == []


def test_corrections_are_listed_with_who_and_why(store: Path) -> None:
    plain = inside(store, "audit", "table-17").out
    assert "by hand" not in plain
    fine(store, "correct", "table-17", "- mark p1 attacks 1", "--reason", "miscounted", "--by", "Ito")
    text = inside(store, "audit", "table-17").out
    assert text == plain.replace("entries 54", "entries 55").replace("facts 211", "facts 212") + (
        "corrected by hand: 1\n  entry 55 Ito: miscounted (facts 1)\n"
    )
    (one,) = inside(store, "audit", "table-17", "--json").data["corrections"]
    assert one == {"entry": 55, "by": "Ito", "reason": "miscounted", "facts": 1}


@pytest.mark.parametrize("cited", [True, False], ids=["with its clauses", "without a clause"])
def test_an_illegal_action_relabelled_as_a_correction_stays_visible_as_one(cited: bool, tmp_path: Path) -> None:
    entries = list(SHELVES["blackpoker"].entries("disputed"))
    entry, by_hand = entries[29], GAMES["blackpoker"].by_hand
    assert isinstance(entry, Played) and entry.violations
    told = entry.told if cited else tuple((by_hand, fact) for _, fact in entry.told)
    entries[29] = Corrected(by="judge", reason="as announced", told=told)
    file = tmp_path / "relabelled.jsonl"
    file.write_bytes(b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in entries))
    ran = inside("unused", "audit", file, "--json")
    assert clauses(ran.data["findings"]) == [PLANTED[0], PLANTED[2]]
    (one,) = ran.data["corrections"]
    assert (one["entry"], one["by"], one["as_play"]) == (30, "judge", True)
    text = inside("unused", "audit", file).out
    assert "corrected by hand: 1\n  entry 30 judge: as announced" in text and "does what play does" in text
