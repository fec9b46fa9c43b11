"""Damaged columns: for any value in any column of a match, the store reports that match and serves the others."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.law.entries import Opened
from recorder.backup import backup
from recorder.copying import copy_store
from recorder.evidence.checking import check_matches
from recorder.evidence.notes import Signer
from recorder.evidence.sealing import seal
from recorder.match_list import DamagedMatch
from recorder.match_loader import LoadedMatch, damage_of, load_match
from recorder.matches import RecordResult, close, note
from recorder.quarantine import Quarantined, quarantine
from recorder.sealing import read_sealing
from recorder.side_tables import SIDE_TABLES, TYPES
from recorder.store import Store
from tests.damaged import MIDDLE
from tests.places import rows
from tests.rotation import rotate
from tests.shelves import SHELVES

BAD, SOUND, CLOSED, LAST = "m-1", "m-2", "m-3", 20
ODD = {
    "text that is not UTF-8": "CAST(x'6d2d31ff' AS TEXT)",
    "bytes": "x'ff00'",
    "nothing": "NULL",
    "a number": "7",
    "a fraction": "-1.5",
    "text": "'xyz'",
}
ENTRY_COLUMNS = ("originator_id", "originator_version", "topic", "state")
SITES = tuple(
    (table, column, number)
    for table, columns in {"stored_events": ENTRY_COLUMNS, **SIDE_TABLES}.items()
    for column in columns
    for number in ((1, MIDDLE, LAST + 1) if table == "stored_events" else (0,))
    if table not in ("leaves", "checkpoints") and column != "number"
)
"""Every column of a match's rows; for entries the first, a later and the last. Columns of the log are not included."""
CASES = tuple((*site, odd) for site in SITES for odd in ODD)
UNSEEN = {str: ("a number", "a fraction", "text"), int: ("a number",), bytes: ("bytes",)}
"""Values in other tables that such a column accepts as valid, so that the damage is undetectable."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_sound(tmp_path_factory.mktemp("sound") / "a.sqlite")


def lay_sound(where: Path) -> Path:
    with Store.open(where) as store:
        for match in (BAD, SOUND, CLOSED):
            first, *entries = SHELVES["blackpoker"].entries("disputed")[:LAST]
            assert isinstance(first, Opened)
            store.append(match, 0, [replace(first, match=match), *entries], f"open {match}", bytes(16), b"asked")
            assert isinstance(note(store, match, "x", "y"), RecordResult)
        assert isinstance(close(store, CLOSED, "x", "late", abandon=True), RecordResult)
        seal(store, Signer.make("cup", bytes(32)))
    return where


def damage(where: Path, table: str, column: str, number: int, odd: str) -> bool:
    """Put a value into a column of the match; return False if the column rejects it."""
    key = "originator_id" if table == "stored_events" else "match"
    beside = f" AND originator_version={number}" if number else ""
    try:
        rows(where, f"UPDATE {table} SET {column}={ODD[odd]} WHERE {key}='{BAD}'{beside}")
    except Exception as error:
        assert "constraint failed" in str(error), error
        return False
    return True


@pytest.mark.parametrize(("table", "column", "number", "odd"), rotate(CASES, 24))
def test_a_damaged_column_harms_no_other_match(
    sound: Path, sqlite_file: Path, tmp_path: Path, table: str, column: str, number: int, odd: str
) -> None:
    where = Path(shutil.copy(sound, sqlite_file))
    if not damage(where, table, column, number, odd):
        return
    ids = {BAD, "m-1\\xff", "\\xff\\x00", "\\xff\x00", "(null)", "7", "-1.5", "xyz"}
    unseen = table in TYPES and odd in UNSEEN[TYPES[table][SIDE_TABLES[table].index(column)]]
    with Store.open(where) as store:
        for listed in (store.matches(), store.newest(9)):
            assert {SOUND, CLOSED} <= {one.match for one in listed if not isinstance(one, DamagedMatch)} and len(
                listed
            ) == 3
            assert {one.match for one in listed} - {SOUND, CLOSED} < ids
        page, seen = store.matches(limit=1), list[str]()
        while page and len(seen) < 9:
            seen += [page[0].match]
            page = store.matches(after=page[0].match, limit=1)
        assert len(seen) == 3, "the list ends"
        for match in (SOUND, CLOSED):
            assert isinstance(load_match(store, match), LoadedMatch) and damage_of(store, match) is None
        copied, kept = copy_store(store, tmp_path / "c.sqlite"), backup(store, tmp_path / "b.sqlite")
        named = {looked.match for looked in check_matches(store, read_sealing(store), lambda match: {}) if looked.wrong}
        assert set(copied.damaged) == set(kept.damaged) == named <= ids
        assert bool(named) is not unseen
        every = f"SELECT CAST({column} AS BLOB), typeof({column}) FROM {table} ORDER BY 1, 2"
        assert rows(tmp_path / "c.sqlite", every) == rows(tmp_path / "b.sqlite", every) == rows(where, every)
        assert {*seal(store, Signer.make("cup", bytes(32))).left_out} <= ids
        for match in named:
            if damage_of(store, match) is not None:
                assert isinstance(quarantine(store, match, tmp_path / f"{len(match)}{match[:1]}", 1), Quarantined)
        assert {one.match for one in store.matches()} >= {SOUND, CLOSED}
        assert isinstance(note(store, SOUND, "x", "z"), RecordResult)
