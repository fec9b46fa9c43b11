"""Damaged matches: every command names the match and the entry, and none crashes."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.runs import DISPUTED, disputed, fine, inside, refusal

pytestmark = pytest.mark.random

MATCH = "table-17"
Row = dict[str, Any]


def state(change: Callable[[Row], None]) -> Callable[[bytes], bytes]:
    def changed(before: bytes) -> bytes:
        plain = msgspec.msgpack.decode(before)
        change(plain)
        return msgspec.msgpack.encode(plain)

    return changed


def impossible(entry: Row) -> None:
    entry["told"] = [["", ["turn", [9_999], True]]]


def huge(entry: Row) -> None:
    entry["told"] = [["", ["move", [2**63], "p1.hand", 2**62]]]


def no_action(entry: Row) -> None:
    entry["action"] = {"do": "fly", "to": [1, 2]}


def no_seat(entry: Row) -> None:
    entry["actor"] = "p9"


def no_areas(entry: Row) -> None:
    entry["schema"]["areas"] = []


def no_size(entry: Row) -> None:
    entry["schema"]["areas"] = entry["schema"]["areas"][:1] * 2
    entry["schema"]["stances"] = []


def no_seats(entry: Row) -> None:
    entry["seats"] = []


def other_rules(entry: Row) -> None:
    entry["rules"] = {"nothing": 1}


OPENING, LATER = 1, 12
NAMED = {"a schema of nonsense": "entry 3: ", "rules of nothing": "ruleset of blackpoker: "}
"""Errors that name the first inconsistent entry, not the damaged one."""
DAMAGES: dict[str, tuple[int, Callable[[bytes], Any]]] = {
    "bytes that are no entry": (LATER, lambda before: b"\xc1\xc1"),
    "cut bytes": (LATER, lambda before: before[: len(before) // 2]),
    "bytes that are no text": (LATER, lambda before: before.replace(b"p1", b"\xff\xfe").replace(b"p2", b"\xff\xfe")),
    "a text for bytes": (LATER, lambda before: "entry"),
    "a number for bytes": (LATER, lambda before: 12),
    "nothing for bytes": (LATER, lambda before: b""),
    "an impossible fact": (LATER, state(impossible)),
    "huge numbers": (LATER, state(huge)),
    "no action": (LATER, state(no_action)),
    "no seat": (LATER, state(no_seat)),
    "a schema without places": (OPENING, state(no_areas)),
    "a schema of nonsense": (OPENING, state(no_size)),
    "no seats at all": (OPENING, state(no_seats)),
    "rules of nothing": (OPENING, state(other_rules)),
    "an opening that is none": (OPENING, lambda before: b"\x80"),
}
COLUMNS: dict[str, tuple[int, str]] = {
    "a text for a number": (LATER, "originator_version='twelve'"),
    "a fraction for a number": (LATER, "originator_version=12.5"),
    "a number that is missing": (LATER, "originator_version=900"),
    "another match's entry": (LATER, "originator_id='elsewhere'"),
}

READING = (
    ("show", MATCH), ("log", MATCH), ("stack", MATCH), ("legal", MATCH), ("audit", MATCH), ("why", MATCH, "12"),
    ("why-not", MATCH, "p1: pass"), ("knows", MATCH), ("when", MATCH, "p1.deck"), ("diff", MATCH, "3", "20"),
    ("rejudge", MATCH, "--rules", "blackpoker@8.2-lite"),
    ("shrink", MATCH, "--out", "shrunk", "--rules", "blackpoker@8.2-lite"), ("export", MATCH, "--as", "judge"),
    ("export", MATCH, "--as", "judge", "--format", "jsonl"), ("export", MATCH),
    ("rewind", MATCH, "--to", "5", "--dry-run"),
)  # fmt: skip
WRITING = (
    ("branch", MATCH, "--at", "20"), ("do", MATCH, "p1: pass"), ("note", MATCH, "hm"), ("close", MATCH),
    ("rewind", MATCH, "--to", "5", "--reason", "x"), ("correct", MATCH, "mark p1 attacks 0", "--reason", "x"),
    ("play", MATCH),
)  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("sound"))


def damaged(sound: Path, folder: Path, name: str) -> Path:
    where = Path(shutil.copy(sound, folder / "damaged.sqlite"))
    with closing(sqlite3.connect(where)) as connection, connection:
        if name in COLUMNS:
            number, columns = COLUMNS[name]
            connection.execute(f"UPDATE stored_events SET {columns} WHERE originator_version=?", (number,))
        else:
            number, change = DAMAGES[name]
            row = "FROM stored_events WHERE originator_version=?"
            (before,) = connection.execute(f"SELECT state {row}", (number,)).fetchone()
            connection.execute("UPDATE stored_events SET state=? WHERE originator_version=?", (change(before), number))
    return where


@pytest.mark.parametrize("name", [*DAMAGES, *COLUMNS])
def test_every_command_names_the_damaged_match_and_entry(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    where = damaged(sound, tmp_path, name)
    named = NAMED.get(name, f"entry {(DAMAGES | COLUMNS)[name][0]}")
    before = where.read_bytes()
    for command in (*READING, *WRITING):
        ran = inside(where, *command)
        assert ran.code == 2, (command, ran)
        assert f"match {MATCH}" in ran.message and named in ran.message, (command, ran)
        assert not ran.out, (command, ran)
    assert where.read_bytes() == before, "nothing was recorded"


MANY = (
    ("corpus", "pack", "out.corpus"), ("compare", "blackpoker", "--reading", "throwing.damage_suit=club,spade"),
    ("coverage", "blackpoker", "--json", "--corpus"), ("regress", "--rules", "blackpoker@8.2-lite"),
)  # fmt: skip


@pytest.mark.parametrize(
    "name", ["bytes that are no entry", "an impossible fact", "no action", "a fraction for a number"]
)
def test_commands_over_many_matches_name_the_damaged_one(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    where = damaged(sound, tmp_path, name)
    for command in MANY:
        ran = inside(where, *command, where)
        assert ran.code in ((0, 1) if command[0] == "coverage" else (1, 2)), (command, ran)
        assert MATCH in ran.out + ran.err and f"entry {LATER}" in ran.out + ran.err, (command, ran)
    assert not (tmp_path / "out.corpus").exists(), "damage is not packed"


def test_a_damaged_match_keeps_no_other_from_being_read(sound: Path, tmp_path: Path) -> None:
    where = damaged(sound, tmp_path, "an impossible fact")
    match = fine(where, "new", "blackpoker@8.1-lite").out.strip()
    assert MATCH in fine(where, "matches").out
    assert fine(where, "audit", match).code == 0


def test_an_import_over_a_damaged_match_says_so(sound: Path, tmp_path: Path) -> None:
    where = damaged(sound, tmp_path, "bytes that are no entry")
    ran = inside(where, "import", DISPUTED)
    assert (ran.code, f"match {MATCH}" in ran.message, "entry 12" in ran.message) == (2, True, True), ran


def test_an_export_with_branches_names_a_damaged_branch(sound: Path, tmp_path: Path) -> None:
    where = Path(shutil.copy(sound, tmp_path))
    branch = fine(where, "branch", MATCH, "--at", "20").out.strip()
    with closing(sqlite3.connect(where)) as connection, connection:
        row = "stored_events WHERE originator_id=? AND originator_version=?"
        (before,) = connection.execute(f"SELECT state FROM {row}", (branch, LATER)).fetchone()
        changed = state(impossible)(before)
        connection.execute(f"UPDATE {row.replace(' WHERE', ' SET state=? WHERE')}", (changed, branch, LATER))
    ran = inside(where, "export", MATCH, "--as", "judge", "--with-branches")
    assert (ran.code, f"match {branch}" in ran.message, "entry 12" in ran.message, ran.out) == (2, True, True, ""), ran


def change(where: Path, statement: str) -> None:
    with closing(sqlite3.connect(where)) as connection, connection:
        connection.execute(statement)


def test_a_list_of_matches_names_a_damaged_one(sound: Path, tmp_path: Path) -> None:
    for number, columns in enumerate(
        (
            "originator_version='one' WHERE originator_version=1",
            "state='text' WHERE originator_version=1",
            "originator_id='elsewhere' WHERE originator_version=1",
            "originator_version='last' WHERE originator_version=54",
        )
    ):
        where = Path(shutil.copy(sound, tmp_path / f"{number}.sqlite"))
        change(where, f"UPDATE stored_events SET {columns}")
        ran = fine(where, "matches")
        assert f"match {MATCH}" in ran.message and "entry" in ran.message, columns
        assert MATCH in ran.out and "damaged from #" in ran.out, columns
        (row,) = fine(where, "matches", "--json").data
        assert row["match"] == MATCH and row["damaged"] == (54 if "last" in columns else 1)


def test_a_damaged_seed_is_named_and_not_played_on_with(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    match = fine(where, "new", "blackpoker@8.1-lite").out.strip()
    for seed in ("'0123456789abcdef'", "7", "x'00'"):
        change(where, f"UPDATE secrets SET seed={seed}")
        assert f"match {match}" in refusal(where, "close", match), seed


def test_a_damaged_command_is_named(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    match = fine(where, "new", "blackpoker@8.1-lite").out.strip()
    fine(where, "note", match, "hm", "--command-id", "c1")
    for columns in ("first='x'", "first=99, last=99", "first=0, last=0", "first=2, last=1"):
        change(where, f"UPDATE commands SET {columns}")
        said = refusal(where, "note", match, "hm", "--command-id", "c1")
        assert f"match {match}" in said and "'c1'" in said, columns


@pytest.mark.parametrize("name", ["bytes that are no entry", "an impossible fact", "a number that is missing"])
def test_what_stands_before_the_damage_can_be_looked_at(sound: Path, tmp_path: Path, name: str) -> None:
    where, last = damaged(sound, tmp_path, name), str(LATER - 1)
    whole = Path(shutil.copy(sound, tmp_path / "whole.sqlite"))
    assert f"entries 1 to {last} can be read" in refusal(where, "show", MATCH)
    for command in (
        ("show", MATCH, "--at", last), ("log", MATCH, "--to", last), ("log", MATCH, "--from", "3", "--to", last),
        ("legal", MATCH, "--at", last), ("why", MATCH, "5"), ("export", MATCH, "--to", last),
        ("export", MATCH, "--to", last, "--as", "judge", "--format", "jsonl"), ("stack", MATCH, "--at", "4"),
    ):  # fmt: skip
        assert (ran := fine(where, *command)).out == fine(whole, *command).out and ran.out, command
    assert str(LATER) in refusal(where, "show", MATCH, "--at", str(LATER))
