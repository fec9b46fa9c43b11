"""Match details from the command line: described, listed and searched."""

from pathlib import Path

import pytest

from tests.cli.runs import contents, disputed, fine, inside, read_records, refusal

pytestmark = pytest.mark.random


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = disputed(tmp_path)
    fine(store, "close", "table-17", "--reason", "signed")
    given = ("--event", "Spring Cup", "--round", "3", "--table", "12", "--start", "10:00", "--limit", "50 min")
    names = ("--p1", "Aoyama", "--p2", "Ren")
    fine(store, "new", "blackpoker@8.1-lite", *names, "--match", "cup", *given, "--date", "2026-11-22", "--seed", "7")
    fine(store, "new", "grimoire@1", "--match", "g", "--site", "大阪", "--seed", "7")
    return store


def listed(store: Path, *options: str) -> list[str]:
    found = [one["match"] for one in fine(store, "matches", "--json", *options).data]
    assert len(fine(store, "matches", *options).out.splitlines()) == len(found) + 1
    return found


def test_the_list_names_the_newest_first_and_is_looked_through(store: Path) -> None:
    assert listed(store) == ["g", "cup", "table-17"]
    assert listed(store, "--limit", "2") == ["g", "cup"]
    assert "1 older matches are not listed" in fine(store, "matches", "--limit", "2").err
    assert listed(store, "--open") == ["g", "cup"]
    assert listed(store, "--player", "ao") == ["cup", "table-17"]
    assert listed(store, "--player", "ao", "--game", "blackpoker", "--open") == ["cup"]
    assert listed(store, "--event", "spring") == ["cup"]
    assert listed(store, "--game", "grimoire") == ["g"] and listed(store, "--player", "nobody") == []


def test_the_list_says_how_matches_stand(store: Path) -> None:
    unsure = inside(store, "do", "cup", "p1: concede")
    assert unsure.code == 2 and "This ends the match: Aoyama" in unsure.message and "--confirm" in unsure.message
    fine(store, "do", "cup", "p1: concede", "--confirm")
    one, cup, done = fine(store, "matches", "--json").data
    assert (one["result"], done["closed"], done["turn"]) == (None, True, 4) and done["result"] is not None
    assert cup["result"] == [["p2"], "concede"] and cup["last"] > cup["at"] > 0
    head, _, row, *_ = fine(store, "matches").out.splitlines()
    assert "result" in head and "last entry (UTC)" in head
    assert (
        "Ren won: conceded" in row
        and "Spring Cup  2026-11-22  round 3  table 12  start 10:00  time limit 50 min" in row
    )


def test_a_match_that_cannot_be_read_is_listed_all_the_same(store: Path) -> None:
    import sqlite3

    with sqlite3.connect(store) as other:
        other.execute("UPDATE stored_events SET state=x'c1' WHERE originator_id='cup' AND originator_version=3")
    row = next(one for one in fine(store, "matches").out.splitlines() if one.startswith("cup"))
    assert row.split()[6:9] == ["damaged", "from", "#3"] and listed(store) == ["g", "cup", "table-17"]


def test_what_is_described_stands_above_the_table_and_the_log_and_in_the_export(store: Path, tmp_path: Path) -> None:
    said = fine(store, "describe", "cup", "--result", "p2 wins 2-1", "--table", "4", "--round", "").out
    assert said.startswith("4 details entered by judge: Spring Cup  2026-11-22  table 4  start 10:00")
    head = "Spring Cup  2026-11-22  table 4  start 10:00  time limit 50 min  announced: p2 wins 2-1"
    for command in ("show", "log"):
        assert fine(store, command, "cup").out.splitlines()[0] == head
    shown = fine(store, "show", "cup", "--json").data
    assert (shown["announced"], shown["occasion"]["table"]) == ("p2 wins 2-1", "4")
    assert "会場 大阪" in fine(store, "show", "g", "--lang", "ja").out
    assert fine(store, "note", "cup", "too slow", "--at", "2").out == "5 note by judge on entry 2: too slow\n"
    for form in ("spn", "jsonl"):
        file = tmp_path / f"cup.{form}"
        text = fine(store, "export", "cup", "--as", "judge", *(("--format", "jsonl") if form == "jsonl" else ())).out
        file.write_text(text, encoding="utf-8")
        other = tmp_path / f"{form}.sqlite"
        fine(other, "import", file)
        assert fine(other, "show", "cup", "--json").data["occasion"] == shown["occasion"]
        assert read_records(other)["cup"][3:] == read_records(store)["cup"][3:]


BAD = {
    "nothing to set": (("describe", "cup"), "nothing to set"),
    "two lines": (("describe", "cup", "--event", "a\nb"), "event contains a line break"),
    "a long one": (("describe", "cup", "--result", "x" * 201), "announced has 201 characters; at most 200"),
    "a new match of two lines": (("new", "blackpoker@8.1-lite", "--site", "a\x07"), "site contains"),
    "a note of spaces": (("note", "cup", "  "), "text: a note cannot be empty"),
    "a note on what is not there": (("note", "cup", "x", "--at", "99"), "no entry 99"),
    "no such game": (("matches", "--game", "no-such-game"), "no game 'no-such-game'"),
    "no limit": (("matches", "--limit", "0"), "--limit"),
}


def test_bad_input_is_one_clear_line(store: Path) -> None:
    held = contents(store)
    assert [command for command, words in BAD.values() if words not in refusal(store, *command)] == []
    assert contents(store) == held
