"""The store: its guarantees for writing and reading, and its errors."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from domain.evidence import chain
from domain.law.entries import Closed, Noted, Opened
from domain.table.table import Seat
from recorder import codec, sealing
from recorder.library.sqlite import Pool
from recorder.sealing import Leaf
from recorder.store import FORBIDDEN, Conflict, Repeated, Store, StoreError
from recorder.store_location import ENCRYPTED, FORMAT, SHOWN
from tests.places import rows
from tests.toy import Rules, schema

ROOT = Path(__file__).parents[2]
OPENED = Opened(
    game="toy", version="1", rules={}, rules_hash="", schema=schema(Rules()), seats=(Seat("p1"),), names={}, at=7
)


def make_note(text: str) -> Noted:
    return Noted(by="judge", text=text)


@pytest.fixture(params=["file", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    place = {"file": lambda: tmp_path / "a.shinpan", "memory": lambda: ":memory:"}.get(
        request.param, lambda: request.getfixturevalue("cluster").new()
    )
    with Store.open(place()) as opened:
        yield opened


def test_what_is_appended_is_read_in_order(store: Store) -> None:
    assert store.append("m", 0, [OPENED, make_note("a")]) == 2
    assert store.append("m", 2, [make_note("b")]) == 3
    assert store.read("m") == (OPENED, make_note("a"), make_note("b"))
    assert store.read("m", upto=2) == (OPENED, make_note("a"))
    assert store.read("m", after=1, upto=2) == (make_note("a"),)
    assert store.read("m", after=3) == store.read("other") == ()
    assert [chain.unlink(state) for state in store.read_bytes("m")] == [codec.encode(one) for one in store.read("m")]
    assert (store.version("m"), store.version("other")) == (3, 0)


def test_which_matches_have_grown_is_told_whoever_wrote(store: Store) -> None:
    store.append("m", 0, [OPENED])
    begun, nothing = store.list_changes()
    assert nothing == {} and store.list_changes(begun) == (begun, {})
    store.append("n", 0, [OPENED])
    store.append("m", 1, [make_note("a"), make_note("b")])
    newest, grown = store.list_changes(begun)
    assert grown == {"m": 3, "n": 1} and store.list_changes(newest) == (newest, {})


@pytest.mark.parametrize("entries", [1, 2])
def test_a_match_that_cannot_be_opened_leaves_nothing_of_itself(tmp_path: Path, entries: int) -> None:
    """The entry and its row in the list are one write, even for a single entry."""
    path = tmp_path / "s.sqlite"
    with Store.open(path) as store:
        store.append("other", 0, [OPENED])
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.execute("INSERT INTO matches (match) VALUES ('m')")
        assert isinstance(store.append("m", 0, [OPENED, make_note("a")][:entries]), Conflict)
        assert store.version("m") == 0 and store.version("other") == 1


@pytest.mark.parametrize("expected", [0, 1, 3, 9])
def test_a_write_on_another_version_is_a_conflict(store: Store, expected: int) -> None:
    store.append("m", 0, [OPENED, make_note("a")])
    assert store.append("m", expected, [make_note("late"), make_note("later")]) == Conflict("m", expected, 2)
    assert store.read("m") == (OPENED, make_note("a"))


def test_a_new_match_begins_at_its_first_entry(store: Store) -> None:
    assert store.append("m", 1, [make_note("x")]) == Conflict("m", 1, 0)
    assert store.matches() == []


def test_a_repeated_command_records_nothing(store: Store) -> None:
    store.append("m", 0, [OPENED])
    assert store.append("m", 1, [make_note("a"), make_note("b")], "c1") == 3
    for version in (0, 1, 3):
        assert store.append("m", version, [make_note("again")], "c1") == Repeated(2, 3)
    assert store.version("m") == 3
    assert store.append("other", 0, [OPENED], "c1") == 1, "command ids are those of one match"


def test_entries_command_and_secret_are_recorded_together_or_not_at_all(store: Store) -> None:
    store.append("m", 0, [OPENED], secret=b"s" * 16)
    assert store.append("m", 0, [OPENED, make_note("a")], "c1", secret=b"t" * 16) == Conflict("m", 0, 1)
    assert store.command("m", "c1") is None
    assert (store.secret("m"), store.secret("other")) == (b"s" * 16, None)
    assert store.append("m", 1, [make_note("x")], "c2", secret=b"t" * 16) == Conflict("m", 1, 1)
    assert (store.version("m"), store.command("m", "c2")) == (1, None)


def test_matches_are_listed_as_they_came(store: Store) -> None:
    for match in ("zz", "aa", "mm"):
        store.append(match, 0, [OPENED])
    store.append("aa", 1, [make_note("x"), Closed(by="judge")])
    listed = store.matches()
    assert [(one.match, one.entries, one.closed) for one in listed] == [
        ("zz", 1, False), ("aa", 3, True), ("mm", 1, False),
    ]  # fmt: skip
    assert (listed[0].game, listed[0].version, listed[0].seats, listed[0].at) == ("toy", "1", ("p1",), 7)
    assert [one.match for one in store.matches(after="zz", limit=1)] == ["aa"]
    assert [one.match for one in store.newest(2)] == ["aa", "mm"] and store.newest(9) == listed
    assert [one.match for one in store.newest(2, before="mm")] == ["zz", "aa"] and store.newest(2, before="zz") == []
    assert store.count() == 3


def test_the_bulk_reader_reads_what_the_library_reads(store: Store) -> None:
    store.append("m", 0, [OPENED, *(make_note(str(n)) for n in range(20))])
    assert tuple(one.entry for one in store._log.events.get("m")) == store.read("m")  # type: ignore[attr-defined]


def test_a_match_is_there_after_a_restart(tmp_path: Path) -> None:
    where = tmp_path / "new" / "folder" / "odd name?#%.shinpan"
    with Store.open(where) as store:
        store.append("m", 0, [OPENED], "c1", b"s" * 16)
    with Store.open(f"sqlite://{where}") as store:
        assert store.read("m") == (OPENED,)
        assert store.append("m", 1, [make_note("x")], "c1") == Repeated(1, 1)
        assert store.secret("m") == b"s" * 16


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    store.append("m", 0, [OPENED])
    store.close()
    store.close()
    for use in (lambda: store.read("m"), lambda: store.append("m", 1, [make_note("x")])):
        with pytest.raises(StoreError, match="was closed"):
            use()


def test_threads_of_one_program_share_a_store(store: Store) -> None:
    def many(match: str) -> int:
        store.append(match, 0, [OPENED])
        for version in range(1, 30):
            assert store.append(match, version, [make_note(match)]) == version + 1
            assert store.version(match) == version + 1
        return len(store.read(match))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(many, "abcd")) == [30] * 4


def test_acknowledged_writes_are_synced_and_readers_do_not_wait(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        connection = store._log.recorder.datastore.pool.connect()  # type: ignore[attr-defined]
        for pragma, value in (("synchronous", 2), ("journal_mode", "wal")):
            assert connection.execute(f"PRAGMA {pragma}").fetchone()[0] == value
        connection.close()


def test_ids_are_texts_and_the_library_heeds_no_environment(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in (
        ("PERSISTENCE_MODULE", "eventsourcing.popo"), ("ORIGINATOR_ID_TYPE", "uuid"), ("SQLITE_DBNAME", "elsewhere.db"),
        ("POSTGRES_DBNAME", "elsewhere"), ("POSTGRES_SCHEMA", "elsewhere"), ("SHINPAN_ORIGINATOR_ID_TYPE", "uuid"),
        ("SHINPAN_MAPPER_TOPIC", "nowhere:None"), ("CREATE_TABLE", "y"),
    ):  # fmt: skip
        monkeypatch.setenv(key, value)
    with Store.open(where) as store:
        store.append("not-a-uuid", 0, [OPENED])
        assert [one.originator_id for one in store.log.events.get("not-a-uuid")] == ["not-a-uuid"]  # type: ignore[arg-type]


def test_the_setting_that_loses_entries_is_forbidden(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FORBIDDEN, "y")
    with pytest.raises(StoreError, match=FORBIDDEN):
        Store.open(where)
    monkeypatch.setenv(FORBIDDEN, "n")
    Store.open(where).close()


def trouble(where: Path | str, read_only: bool = False) -> tuple[str, str]:
    with pytest.raises(StoreError) as caught:
        Store.open(where, read_only)
    return caught.value.trouble, str(caught.value)


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    assert trouble(tmp_path)[0] == "path"
    text = tmp_path / "notes.txt"
    text.write_text("a text of a few words")
    assert trouble(text)[0] == "corrupt"
    assert text.read_text() == "a text of a few words"
    (tmp_path / "file").write_text("x")
    assert trouble(tmp_path / "file" / "below.db")[0] == "path"
    assert trouble("mysql://host/db") == (
        "path", "mysql://...: a store is an SQLite file, given as a path or sqlite:///path, or a database at "
        "postgresql://...",
    )  # fmt: skip
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE stored_events (id)")
    assert trouble(other)[0] == "foreign"
    assert trouble(tmp_path / "no.db", read_only=True)[0] == "missing"
    assert not (tmp_path / "no.db").exists()
    (tmp_path / "empty.db").touch()
    assert trouble(tmp_path / "empty.db", read_only=True)[0] == "foreign"
    Store.open(tmp_path / "empty.db").close()


@pytest.mark.parametrize("read_only", [True, False])
def test_an_encrypted_store_is_refused_by_name(tmp_path: Path, read_only: bool) -> None:
    Store.open(tmp_path / "a.db").close()
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE meta SET value=? WHERE key='format'", (str(ENCRYPTED),))
    kind, message = trouble(tmp_path / "a.db", read_only=read_only)
    assert kind == "foreign" and "encryption by Shinpan 0.2.0" in message


def test_a_newer_format_is_refused(where: str) -> None:
    Store.open(where).close()
    rows(where, "UPDATE meta SET value=? WHERE key='format'", str(SHOWN + 1))
    kind, message = trouble(where)
    assert kind == "newer" and f"format {SHOWN + 1}" in message
    rows(where, "DELETE FROM meta WHERE key='format'")
    assert trouble(where)[0] in ("corrupt", "foreign")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    where = tmp_path / "a.db"
    with Store.open(where) as store:
        store.append("m", 0, [OPENED, *(make_note("x" * 500) for _ in range(200))])
    content = where.read_bytes()
    where.write_bytes(content[:4096] + b"\xee" * (len(content) - 4096))
    assert trouble(where)[0] == "corrupt"
    where.write_bytes(content[: len(content) // 2] + b"\xee" * (len(content) - len(content) // 2))
    with Store.open(where) as store, pytest.raises(StoreError, match="damaged") as caught:
        store.read("m")
    assert caught.value.trouble == "corrupt"


def test_an_entry_that_cannot_be_read_is_named(where: str) -> None:
    with Store.open(where) as store:
        store.append("m", 0, [OPENED, make_note("a"), make_note("b")])
        rows(where, "UPDATE stored_events SET state=? WHERE originator_version=2", b"\xc1")
        with pytest.raises(StoreError, match="match m, entry 2: not an entry"):
            store.read("m")
        rows(where, "DELETE FROM stored_events WHERE originator_version=2")
        with pytest.raises(StoreError, match="has no entry 2"):
            store.read("m")


def test_nobody_writes_while_another_has_not_committed(where: str) -> None:
    """An entry with a lower number must not be committed after a follower has passed it."""
    with Store.open(where, lock_seconds=1) as store, Store.open(where, lock_seconds=1) as other:
        store.append("m", 0, [OPENED])
        with other.transaction() as c:
            c.execute("SELECT 1", ())
            with pytest.raises(StoreError, match="another program") as caught:
                store.append("m", 1, [make_note("x")])
            assert caught.value.trouble == "locked"
            assert store.read("m") == (OPENED,), "readers do not wait"
        assert store.append("m", 1, [make_note("x")]) == 2


def test_a_store_opened_for_reading_is_not_written(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.append("m", 0, [OPENED])
    before = (tmp_path / "a.db").read_bytes()
    with Store.open(tmp_path / "a.db", read_only=True) as store:
        assert store.read("m") == (OPENED,)
        with pytest.raises(StoreError, match="for reading only"):
            store.append("m", 1, [make_note("x")])
    assert (tmp_path / "a.db").read_bytes() == before


def test_a_full_disk_says_so_and_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = Pool.connect

    def small(pool: Pool) -> sqlite3.Connection:
        connection = connect(pool)
        connection.execute("PRAGMA max_page_count=40")
        return connection

    monkeypatch.setattr(Pool, "connect", small)
    with Store.open(tmp_path / "a.db") as store:
        store.append("m", 0, [OPENED])
        with pytest.raises(StoreError, match="disk is full") as caught:
            store.append("m", 1, [make_note("x" * 5_000) for _ in range(100)], "c1")
        assert caught.value.trouble == "full"
        assert (store.version("m"), store.command("m", "c1")) == (1, None)
        assert store.append("m", 1, [make_note("short")], "c1") == 2


UNPRIVILEGED = """
import os, sys
from recorder.store import Store, StoreError
from domain.law.entries import Noted
if os.getuid() == 0:
    os.setuid(65534)
where = sys.argv[1]
with Store.open(where, read_only=True) as store:
    print(len(store.read("m")))
try:
    with Store.open(where) as store:
        store.append("m", 1, [Noted(by="x", text="x")])
except StoreError as error:
    print(error.trouble)
"""


@pytest.mark.process
def test_a_file_that_may_not_be_written_can_be_read() -> None:
    folder = Path(mkdtemp())
    try:
        with Store.open(folder / "a.db") as store:
            store.append("m", 0, [OPENED])
        (folder / "a.db").chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, str(folder / "a.db")],
            cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
        )  # fmt: skip
        assert (done.stdout.split(), done.stderr) == (["1", "read_only"], "")
    finally:
        folder.chmod(0o755)
        rmtree(folder)


def test_the_first_leaf_over_shown_rows_raises_the_form_of_the_store(where: str) -> None:
    leaves = (Leaf("a", 2, b"\1" * 32, shown=True), Leaf("b", 3, b"\2" * 32, shown=True))
    with Store.open(where) as store:
        assert sealing.seal(store, bytes(32), lambda leaves: "note").leaves == 1
        assert rows(where, "SELECT value FROM meta WHERE key='format'") == [(str(FORMAT),)]
        for _ in range(2):
            sealed = sealing.seal(store, bytes(32), lambda leaves: "note", leaves)
            assert sealed.leaves == 3 and sealing.read_sealing(store).leaves[1:] == leaves
        assert rows(where, "SELECT value FROM meta WHERE key='format'") == [(str(SHOWN),)]
    with Store.open(where) as store:
        assert sealing.read_sealing(store).leaves[1:] == leaves
