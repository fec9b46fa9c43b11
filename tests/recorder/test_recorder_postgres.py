"""A store in PostgreSQL: known failures, and messages when the database cannot be used.

The tests that use `where` run the general contract on both databases.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from archive.corpus.sources import list_newest, load
from domain.law.entries import Noted
from domain.law.law import Law
from domain.law.record import Record
from recorder import store_location
from recorder.finding.index_follower import SearchIndex
from recorder.library import postgres
from recorder.library.statements import MESSAGE
from recorder.matches import advance, open_match
from recorder.store import Conflict, Repeated, Store, StoreError
from recorder.store_location import ENCRYPTED, name_of
from tests.postgres import GUARDED, PASSWORD, Cluster, schema_of, start_cluster
from tests.recorder.test_recorder_processes import run
from tests.recorder.test_recorder_store import OPENED, make_note
from tests.toy import GAMES, TOY
from tools import cluster as servers

ROOT = Path(__file__).parents[2]


@pytest.fixture
def address(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return cluster.new()


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with Store.open(address, lock_seconds=1) as opened:
        yield opened


def places(cluster: Cluster, address: str) -> list[int]:
    rows = cluster.run("SELECT notification_id FROM stored_events ORDER BY 1", schema_of(address))
    return [number for (number,) in rows]


def cut_off(cluster: Cluster) -> None:
    cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='shinpan'")


# Known failures


def test_a_refused_write_leaves_a_gap_that_nobody_stumbles_over(store: Store, cluster: Cluster, address: str) -> None:
    store.append("m", 0, [OPENED])
    begun, _ = store.list_changes()
    assert isinstance(store.append("m", 0, [OPENED]), Conflict)
    assert isinstance(store.append_matches({"m": _make_batch("m")}), Conflict)
    store.append("n", 0, [OPENED])
    assert places(cluster, address) == [1, 4]
    assert store.list_changes(begun) == (4, {"n": 1})
    assert [found.id for found in store.log.recorder.select_notifications(1, 10)] == [1, 4]
    assert store.log.recorder.select_notifications(1, 10, stop=3, inclusive_of_start=False) == []
    assert [listed.match for listed in store.matches()] == ["m", "n"], "matches are numbered without gaps"
    assert cluster.run("SELECT number FROM matches ORDER BY 1", schema_of(address)) == [(1,), (2,)]


def _make_batch(match: str) -> object:
    from recorder.rows import WriteBatch, row

    return WriteBatch([row(match, 1, OPENED)])


def test_refused_writes_do_not_spoil_those_behind_them(store: Store, address: str) -> None:
    """Statements queued after a refused one are neither executed nor remembered by the server."""
    with Store.open(address) as other:
        store.append("m", 0, [OPENED])
        for version in range(1, 40, 2):
            assert other.append("m", version, [make_note("a")], f"a{version}") == version + 1
            assert isinstance(store.append("m", version, [make_note("b")], f"b{version}"), Conflict)
            assert store.append("m", version + 1, [make_note("b")], f"b{version}") == version + 2


@pytest.mark.parametrize("more", ["", "%20-cstandard_conforming_strings%3Doff"])
def test_what_is_written_is_never_read_as_a_statement(address: str, more: str) -> None:
    rude = ("a'b", "\\", "\\'", "'; DROP TABLE meta; --", "%s ? %% $1", "x; COMMIT", "あ\n\t", '"', "E'\\x41'")
    with Store.open(address + more) as store:
        store.append("m", 0, [OPENED], secret=bytes(range(16)))
        for version, text in enumerate(rude, start=1):
            assert store.append("m", version, [make_note(text)], text, asked=b"\\'\x00;") == version + 1
        written = [entry.text for entry in store.read("m", after=1) if isinstance(entry, Noted)]
        assert written == list(rude) and store.secret("m") == bytes(range(16))
        assert [store.command("m", text) for text in rude] == [
            Repeated(number, number, b"\\'\x00;") for number in range(2, len(rude) + 2)
        ]


def test_a_write_that_is_more_than_one_message_is_one_write(store: Store, address: str) -> None:
    long = [make_note("x" * (MESSAGE // 2)), make_note("y" * MESSAGE), make_note("z")]
    assert store.append("m", 0, [OPENED, *long], "all") == 4
    assert store.read("m", after=1) == tuple(long)
    with Store.open(address) as other:
        assert other.append("m", 4, [make_note("first")]) == 5
    assert isinstance(store.append("m", 4, [*long, make_note("late")], "again"), Conflict)
    assert (store.version("m"), store.command("m", "again")) == (5, None)


def test_an_append_wakes_who_listens_and_tells_them_nothing(store: Store, cluster: Cluster, address: str) -> None:
    with psycopg.connect(cluster.address(), autocommit=True) as listening:
        listening.execute("LISTEN stored_events")
        store.append("m", 0, [OPENED])
        assert [told.payload for told in listening.notifies(timeout=60, stop_after=1)] == [""]
        store.append("m", 7, [make_note("a conflict")])
        assert list(listening.notifies(timeout=0.2)) == []


def test_the_functions_that_write_without_a_lock_are_not_made(store: Store, cluster: Cluster, address: str) -> None:
    made = "SELECT proname FROM pg_proc WHERE pronamespace=(SELECT oid FROM pg_namespace WHERE nspname='{}')"
    assert cluster.run(made.format(schema_of(address))) == []
    assert store.log.recorder.datastore.enable_db_functions is False  # type: ignore[attr-defined]


def test_ids_are_in_the_order_of_their_bytes_whatever_the_database_says(cluster: Cluster) -> None:
    cluster.run("CREATE DATABASE spoken TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'")
    with Store.open(cluster.address(database="spoken")) as store:
        for match in ("match-B", "match-a", "match-b", "matchz", "Match"):
            store.append(match, 0, [OPENED])
        assert store.list_ids_with_prefix("match-", 9) == ["match-B", "match-a", "match-b"]


# Broken connections and stopped servers


def test_what_breaks_between_two_appends_is_not_noticed(store: Store, cluster: Cluster) -> None:
    store.append("m", 0, [OPENED])
    cut_off(cluster)
    time.sleep(1.1)
    assert store.append("m", 1, [make_note("a")]) == 2
    cut_off(cluster)
    assert store.version("m") == 2, "a reader asks once more at once"


def test_what_breaks_in_an_append_is_told_and_recorded_once(
    store: Store, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "SILENCE_SECONDS", 60.0)  # the slow request must not probe first
    store.append("m", 0, [OPENED])
    cut_off(cluster)
    with pytest.raises(StoreError, match="may have been recorded") as caught:
        store.append("m", 1, [make_note("a")], "c")
    assert caught.value.trouble == "unreachable"
    assert store.append("m", 1, [make_note("a")], "c") == 2
    assert store.append("m", 1, [make_note("a")], "c") == Repeated(2, 2)


def test_what_was_committed_before_the_answer_came_is_known_as_a_repetition(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client library would retry, and report that another program was first."""
    store.append("m", 0, [OPENED])

    def lost(*_: object) -> list[int]:
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patch, pytest.raises(StoreError) as caught:
        patch.setattr(store.log.entries, "_keep_heads", lost)
        store.append("m", 1, [make_note("a")], "c")
    assert caught.value.trouble == "unreachable"
    assert store.append("m", 1, [make_note("a")], "c") == Repeated(2, 2)
    assert store.read("m") == (OPENED, make_note("a"))


def test_another_store_under_the_same_address_is_not_written_to(store: Store, cluster: Cluster, address: str) -> None:
    store.append("m", 0, [OPENED])
    cluster.run(f"ALTER SCHEMA {schema_of(address)} RENAME TO was_{schema_of(address)}")
    cluster.run(f"CREATE SCHEMA {schema_of(address)}")
    Store.open(address).close()
    cut_off(cluster)
    time.sleep(1.1)
    with pytest.raises(StoreError, match="another store") as caught:
        store.append("m", 1, [make_note("a")])
    assert caught.value.trouble == "replaced"


def test_what_was_lost_with_the_server_is_looked_up_again(store: Store, cluster: Cluster, address: str) -> None:
    """A server may be restored to an earlier state, so cached positions of matches must be dropped."""
    store.append("m", 0, [OPENED, make_note("a")])
    cluster.run("DELETE FROM stored_events WHERE originator_version=2", schema_of(address))
    cut_off(cluster)
    time.sleep(1.1)
    assert store.append("m", 2, [make_note("b")]) == Conflict("m", 2, 1)
    assert store.append("m", 1, [make_note("b")]) == 2


# Messages


def trouble(where: str, read_only: bool = False) -> tuple[str, str]:
    with pytest.raises(StoreError) as caught:
        Store.open(where, read_only, lock_seconds=1)
    for lang in ("en", "ja"):
        text = caught.value.text.say(lang)  # type: ignore[arg-type]
        assert PASSWORD not in text and quote(PASSWORD, safe="") not in text and "hidden" not in text
    return caught.value.trouble, str(caught.value)


def test_a_server_that_is_not_there_or_lets_nobody_in_is_told_apart(cluster: Cluster) -> None:
    there = f"127.0.0.1:{cluster.port}"
    assert trouble("postgresql://judge:hidden@127.0.0.1:1/x")[0] == "unreachable"
    assert trouble("postgresql://judge:hidden@127.0.0.1:port/x")[0] == "unreachable"
    kind, text = trouble(f"postgresql://{GUARDED}:hidden@{there}/postgres")
    assert kind == "unreachable" and "check the user name and the password" in text
    assert "check the user name and the password" in trouble(f"postgresql://nobody_here@{there}/postgres")[1]
    assert "createdb" in trouble(f"postgresql://judge@{there}/no_such")[1]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://judge:hid@den/9@host/db",
        "postgresql://judge:hidden@@host/db",
        "postgresql://judge:hidden/x@host/db",
        "postgresql://judge:hidden@host/db?nonsense=1",
        "postgresql://judge:hidden@host/db?options=a@b",
        "postgresql://judge:%zzhidden@host/db",
    ],
)
def test_an_address_that_is_none_says_no_word_of_the_password(address: str) -> None:
    assert trouble(address)[0] == "path"


def test_a_password_is_in_no_name_and_opens_the_store_again(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    schema = cluster.schema()
    cluster.run(f"GRANT ALL ON SCHEMA {schema} TO {GUARDED}")
    bare = cluster.address(schema, GUARDED)
    for whole in (
        bare.replace(f"{GUARDED}@", f"{GUARDED}:{quote(PASSWORD, safe='')}@"),
        f"{bare}&password={quote(PASSWORD, safe='')}",
    ):
        with Store.open(whole) as store:
            store.append("m", store.version("m"), [OPENED] if not store.version("m") else [make_note("a")])
            assert store.name == bare and whole not in (store.name, store.local_prefix)
        assert [isinstance(load(source), Record) or source.name for source in list_newest(store.name)]
        with Store.open(store.name) as again:
            assert again.version("m") >= 1
        monkeypatch.delenv(store_location._key(bare))
    assert trouble(bare)[0] == "unreachable"
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    Store.open(bare).close()


def test_without_the_driver_it_is_said_how_to_get_it(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "recorder.library.postgres", raising=False)
    monkeypatch.delattr("recorder.library.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    kind, text = trouble(address)
    assert kind == "setting" and "shinpan[postgres]" in text


def test_what_is_no_store_is_refused_and_left_alone(cluster: Cluster) -> None:
    schema = cluster.schema()
    where = cluster.address(schema)
    assert trouble(where, read_only=True)[0] == "missing"
    cluster.run("CREATE TABLE stored_events (id int)", schema)
    kind, text = trouble(where)
    assert kind == "foreign" and schema in text
    assert "no schema" in trouble(cluster.address("nowhere"))[1]


def test_a_newer_format_is_refused(cluster: Cluster, address: str) -> None:
    Store.open(address).close()
    cluster.run(f"UPDATE meta SET value='{ENCRYPTED + 1}' WHERE key='format'", schema_of(address))
    kind, text = trouble(address)
    assert kind == "newer" and f"format {ENCRYPTED + 1}" in text
    cluster.run("DELETE FROM meta WHERE key='format'", schema_of(address))
    assert trouble(address)[0] == "corrupt"


def test_who_may_only_read_reads(cluster: Cluster, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with Store.open(address) as store:
        store.append("m", 0, [OPENED])
    schema = schema_of(address)
    cluster.run(f"GRANT USAGE ON SCHEMA {schema} TO {GUARDED}")
    cluster.run(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {GUARDED}")
    theirs = cluster.address(schema, GUARDED)
    with Store.open(theirs, read_only=True) as store:
        assert store.read("m") == (OPENED,)
        with pytest.raises(StoreError, match="for reading only"):
            store.append("m", 1, [make_note("x")])
    with Store.open(theirs) as store, pytest.raises(StoreError, match="lacks permission") as caught:
        store.append("m", 1, [make_note("x")])
    assert caught.value.trouble == "read_only"


def test_files_that_belong_to_the_store_lie_in_the_users_own_folder(store: Store, tmp_path: Path) -> None:
    assert Path(store.local_prefix).parent == tmp_path / "shinpan" / "stores"
    assert store.local_prefix.endswith(f"postgres-{store.identity()}")
    assert open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, match_id="m") == "m"
    advance(store, "m", games=GAMES)
    with SearchIndex(store, lambda match, entries: _rows(), "law") as finder:
        assert finder.catch_up() and finder.get_indexed_fraction() == 1.0
        assert finder.path == Path(f"{store.local_prefix}.find") and finder.path.exists()


def _rows() -> object:
    from recorder.finding.rows import Rows

    return Rows(game="toy", version="1")


# Several programs

WRITER = """
import sys
from domain.law.entries import Noted
from recorder.store import Conflict, Repeated, Store, StoreError
store, name, number = Store.open(sys.argv[1]), sys.argv[2], 0
while True:
    match = f"m{number % 3}"
    version = store.version(match)
    done = store.append(match, version, [Noted(by=name, text=f"{number}.{n}") for n in range(2)], f"{name}-{number}")
    if isinstance(done, Conflict):
        continue
    print(number, flush=True)
    number += 1
"""


def require_whole(store: Store, acknowledged: dict[str, int]) -> None:
    """Check that every acknowledged entry is stored once, in its program's order, without gaps in the numbers."""
    written: dict[str, list[str]] = {}
    for match in ("m0", "m1", "m2"):
        entries = store.read(match)
        for first, second in zip(entries[::2], entries[1::2], strict=True):
            assert isinstance(first, Noted) and isinstance(second, Noted)
            assert first.by == second.by and (first.text[:-1], second.text[-1]) == (second.text[:-1], "1")
            written.setdefault(first.by, []).append(first.text[:-2])
        mine = [entry.by + entry.text for entry in entries if isinstance(entry, Noted)]
        assert len(set(mine)) == len(mine), "recorded twice"
    for name, last in acknowledged.items():
        numbers = sorted(map(int, written[name]))
        assert numbers == list(range(len(numbers))) and len(numbers) - 1 in (last, last + 1)


@pytest.mark.process
def test_programs_over_one_database_lose_and_double_nothing_whichever_is_killed(address: str) -> None:
    names = [f"w{n}" for n in range(4)]
    Store.open(address).close()
    writers = {name: run(WRITER, address, name) for name in names}
    acknowledged = dict.fromkeys(names, -1)
    for n, (name, writer) in enumerate(writers.items()):
        assert writer.stdout
        for _ in range(15 + 10 * n):
            acknowledged[name] = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        for line in writer.stdout.read().split("\n")[:-1]:
            acknowledged[name] = int(line)
    with Store.open(address) as store:
        require_whole(store, acknowledged)


@pytest.mark.process
def test_a_server_begins_at_another_port_where_somebody_was_quicker(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two test processes may be given the same free port. One would then talk to the other's server."""
    ports = iter((cluster.port, servers.free_port()))
    monkeypatch.setattr(servers, "free_port", lambda: next(ports))
    with start_cluster() as other:
        assert other.port != cluster.port
        folder = other.run("SHOW data_directory")
        assert folder != cluster.run("SHOW data_directory") and folder == [(str(other.folder / "data"),)]


@pytest.mark.postgres
@pytest.mark.process
def test_what_was_acknowledged_is_there_after_the_server_was_killed() -> None:
    with start_cluster(settings=()) as server:
        address = server.address()
        writer = run(WRITER, address, "w")
        assert writer.stdout
        acknowledged = [int(writer.stdout.readline()) for _ in range(40)]
        server.stop()
        acknowledged += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        server.start()
        with Store.open(address) as store:
            require_whole(store, {"w": acknowledged[-1]})
            assert isinstance(store.append("m0", store.version("m0"), [make_note("on")]), int)
    assert name_of(address) == address
