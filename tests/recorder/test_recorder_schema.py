"""Untrusted files: triggers and other active objects are refused by name on every opening."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from archive.corpus.sources import UnreadableLocation, sources
from recorder.backup import backup
from recorder.copying import copy_store
from recorder.finding.index_follower import SUFFIX as INDEX, SearchIndex
from recorder.finding.rows import Rows
from recorder.keyring import SUFFIX as KEYS, Holder, Keyring
from recorder.store import Store, StoreError
from recorder.store_location import ENCRYPTED
from tests.cli.runs import inside
from tests.places import rows
from tests.recorder.test_recorder_store import OPENED, make_note

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)"
EVENTS = "stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB"
META = "key TEXT PRIMARY KEY, value TEXT NOT NULL"
ACTING: dict[str, tuple[str, str]] = {
    "a trigger that drops an entry": (
        "trigger swallow",
        "CREATE TRIGGER swallow BEFORE INSERT ON stored_events BEGIN SELECT RAISE(IGNORE); END",
    ),
    "a trigger that alters an entry": (
        "trigger alter_it",
        "CREATE TRIGGER alter_it AFTER INSERT ON stored_events"
        " BEGIN UPDATE stored_events SET state=x'80' WHERE rowid=NEW.rowid; END",
    ),
    "a trigger without end": (
        "trigger endless",
        "CREATE TRIGGER endless AFTER INSERT ON stored_events BEGIN INSERT INTO commands"
        " SELECT NEW.originator_id, a.state, b.state, 1 FROM stored_events a, stored_events b, stored_events c; END",
    ),
    "a view without end for the list of matches": (
        "view matches",
        f"DROP TABLE matches; CREATE VIEW matches AS {ENDLESS} SELECT i AS number, 'm' || i AS match FROM n",
    ),
    "a view without end for the format": (
        "view meta",
        f"DROP TABLE meta; CREATE VIEW meta AS {ENDLESS} SELECT 'key' || i AS key, '1' AS value FROM n",
    ),
    "a view that nothing reads": ("view spare", "CREATE VIEW spare AS SELECT 1"),
    "a virtual table": (
        "table matches",
        "DROP TABLE matches; CREATE VIRTUAL TABLE matches USING fts5(number, match)",
    ),
    "a generated column": (
        "table meta",
        f"DROP TABLE meta; CREATE TABLE meta ({META}, more TEXT AS (upper(value))) WITHOUT ROWID",
    ),
    "a generated column in an unknown table": ("table later", "CREATE TABLE later (a, b AS (hex(a)))"),
    "a check with a function": (
        "table stored_events",
        f"DROP TABLE stored_events; CREATE TABLE {EVENTS} CHECK (length(state) < 9),"
        " PRIMARY KEY (originator_id, originator_version))",
    ),
    "a default with a function": (
        "table names",
        "DROP TABLE names; CREATE TABLE names (match TEXT, seat TEXT, name BLOB NOT NULL, salt BLOB NOT NULL"
        " DEFAULT (randomblob(9)), PRIMARY KEY (match, seat)) WITHOUT ROWID",
    ),
    "a conflict that is ignored": (
        "table stored_events",
        f"DROP TABLE stored_events; CREATE TABLE {EVENTS},"
        " PRIMARY KEY (originator_id, originator_version) ON CONFLICT IGNORE)",
    ),
    "no primary key": ("table stored_events", f"DROP TABLE stored_events; CREATE TABLE {EVENTS})"),
    "another table's name in capitals": (
        "table META",
        f"DROP TABLE meta; CREATE TABLE META ({META}, more TEXT); INSERT INTO META VALUES ('format', '1', '')",
    ),
    "a unique index": ("index one_state", "CREATE UNIQUE INDEX one_state ON stored_events (topic)"),
    "an index of a function": ("index states", "CREATE INDEX states ON stored_events (hex(state))"),
    "a name that is no text": (
        r"trigger \xff",
        "CREATE TRIGGER swallow BEFORE INSERT ON stored_events BEGIN SELECT RAISE(IGNORE); END;"
        " PRAGMA writable_schema=ON; UPDATE sqlite_master"
        " SET name=CAST(x'ff' AS TEXT), sql=replace(sql, 'swallow', CAST(x'22ff22' AS TEXT)) WHERE name='swallow'",
    ),
}


def change_schema(file: Path, change: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(change)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("sound") / "a.sqlite"
    with Store.open(where) as store:
        store.append("m", 0, [OPENED, make_note("a")], "c1")
    return where


def open_and_close(where: Path, read_only: bool = False, unfinished: bool = False) -> None:
    Store.open(where, read_only=read_only, unfinished=unfinished).close()


def copy_into(where: Path) -> None:
    with Store.open(":memory:") as empty:
        copy_store(empty, where)


def copy_of(where: Path) -> None:
    with Store.open(where, read_only=True) as store:
        copy_store(store, where.with_name("copy.sqlite"))


def back_up(where: Path) -> None:
    with Store.open(where, read_only=True) as store:
        backup(store, where.with_name("backup.sqlite"))


OPENINGS: dict[str, Callable[[Path], None]] = {
    "to read": lambda where: open_and_close(where, read_only=True),
    "to write": open_and_close,
    "as half a copy": lambda where: open_and_close(where, unfinished=True),
    "to copy it": copy_of,
    "to copy into it": copy_into,
    "to back it up": back_up,
}


@pytest.mark.parametrize("name", ACTING)
def test_a_store_in_which_something_acts_is_refused_at_every_opening(sound: Path, sqlite_file: Path, name: str) -> None:
    named, change = ACTING[name]
    where = Path(shutil.copy(sound, sqlite_file))
    change_schema(where, change)
    before = where.read_bytes()
    for opening in OPENINGS.values():
        with pytest.raises(StoreError) as caught:
            opening(where)
        assert caught.value.trouble == "foreign"
        assert named in str(caught.value) and str(where) in str(caught.value), caught.value
        assert caught.value.text.say("ja") != caught.value.text.say("en")
    (source,) = sources([where])
    assert isinstance(source.place, UnreadableLocation) and named in str(source.place.why)
    for command in (("matches",), ("note", "m", "hm"), ("show", "m")):
        ran = inside(where, *command)
        assert (ran.code, ran.out, named in ran.message) == (2, "", True), ran
    assert where.read_bytes() == before and not where.with_name("copy.sqlite").exists()


def test_a_view_in_an_empty_file_keeps_it_from_becoming_a_store(sqlite_file: Path) -> None:
    change_schema(sqlite_file, f"CREATE VIEW commands AS {ENDLESS} SELECT i FROM n")
    with pytest.raises(StoreError, match="view commands"):
        Store.open(sqlite_file)


def test_plain_tables_and_indexes_of_a_newer_program_are_no_trouble(sound: Path, sqlite_file: Path) -> None:
    where = Path(shutil.copy(sound, sqlite_file))
    change_schema(
        where,
        "CREATE TABLE later (match TEXT, n INTEGER NOT NULL, PRIMARY KEY (match, n)) WITHOUT ROWID;"
        " CREATE INDEX by_topic ON stored_events (topic); ANALYZE",
    )
    with Store.open(where) as store:
        assert store.append("m", 2, [make_note("b")]) == 3
        assert backup(store, where.with_name("b.sqlite")).entries == 3
    with Store.open(where.with_name("b.sqlite"), read_only=True) as store:
        assert store.read("m")[-1] == make_note("b")


def test_of_a_newer_format_the_format_is_told_and_not_its_tables(sound: Path, sqlite_file: Path) -> None:
    for form, trouble in ((9, "newer"), (ENCRYPTED, "foreign")):
        where = Path(shutil.copy(sound, sqlite_file))
        change_schema(
            where, f"UPDATE meta SET value='{form}' WHERE key='format'; ALTER TABLE matches ADD COLUMN box BLOB"
        )
        with pytest.raises(StoreError) as caught:
            Store.open(where)
        assert caught.value.trouble == trouble and "table" not in str(caught.value)


def test_keys_in_which_something_acts_are_refused(sqlite_file: Path) -> None:
    where = Path(f"{sqlite_file}{KEYS}")
    with Keyring.open(where) as keys:
        keys.invite(Holder(role="judge", name="Ito"), 5)
    swallow = "BEFORE DELETE ON keys BEGIN SELECT RAISE(IGNORE); END"
    for named, change in (
        ("trigger stays", f"CREATE TRIGGER stays {swallow}"),
        ("view keys", f"DROP TRIGGER stays; DROP TABLE keys; CREATE VIEW keys AS {ENDLESS} SELECT i AS hash FROM n"),
        ("table keys", "DROP VIEW keys; CREATE TABLE keys (hash BLOB, invitation, ends, holder)"),
    ):
        change_schema(where, change)
        with pytest.raises(StoreError, match=named):
            Keyring.open_for_store(str(sqlite_file))


@pytest.mark.parametrize(
    "change",
    [
        f"CREATE VIEW spare AS {ENDLESS} SELECT i FROM n",
        "CREATE TRIGGER swallow BEFORE INSERT ON found BEGIN SELECT RAISE(IGNORE); END",
        f"DROP TABLE about; CREATE VIEW about AS {ENDLESS} SELECT 'form' AS key, i AS value FROM n",
        "UPDATE about SET value=CAST(x'ff' AS TEXT) WHERE key='law'",
    ],
)
def test_an_index_in_which_something_acts_is_made_anew(sqlite_file: Path, change: str) -> None:
    index = Path(f"{sqlite_file}{INDEX}")
    with Store.open(sqlite_file) as store:
        store.append("m", 0, [OPENED])
        for harm in (change, ""):
            with SearchIndex(store, lambda match, entries: Rows(game="toy", version="1"), "law") as finder:
                assert finder.catch_up() and finder.select("SELECT match FROM found") == [("m",)]
            change_schema(index, harm)
    assert rows(index, "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')") == []
    assert rows(index, "SELECT value FROM about WHERE key='law'") == [("law",)]
