"""Notifications by a database: they say when to look for new entries, and nothing more."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
import pytest

from recorder.library import listening
from recorder.library.listening import PostgresListening
from recorder.store import Store
from tests.postgres import Cluster
from tests.recorder.test_recorder_postgres import OPENED, make_note

PATIENCE = 60.0
CONNECTED = "SELECT pid FROM pg_stat_activity WHERE application_name='{}'"
LISTENING = f"{CONNECTED} AND query LIKE 'LISTEN%'"
END = LISTENING.replace("SELECT pid", "SELECT pg_terminate_backend(pid)")


@pytest.fixture(autouse=True)
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(listening, "FIRST_S", 0.05)


@pytest.fixture
def schema(cluster: Cluster) -> Iterator[str]:
    """A schema whose connections have its name. At the end, wait until none is left."""
    name = cluster.schema()
    yield name
    until(lambda: cluster.run(CONNECTED.format(name)) == [])


@pytest.fixture
def store(cluster: Cluster, schema: str) -> Iterator[Store]:
    with Store.open(cluster.address(schema, application_name=schema)) as opened:
        yield opened


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.01)


def listen(store: Store, heard: Event) -> PostgresListening:
    """Listen, and return when the subscription is confirmed."""
    ears = store.log.entries.listen(heard.set)
    assert isinstance(ears, PostgresListening)
    until(lambda: ears.sure)
    return ears


def test_an_append_of_whomever_is_heard(store: Store, cluster: Cluster, schema: str) -> None:
    heard = Event()
    with closing(listen(store, heard)), Store.open(cluster.address(schema)) as other:
        assert heard.wait(PATIENCE), "what was recorded before it heard may be new"
        for version, writer in enumerate((store, other, store, other)):
            heard.clear()
            assert writer.append("m", version, [make_note("x") if version else OPENED]) == version + 1
            assert heard.wait(PATIENCE)


def test_whoever_was_deaf_for_a_while_is_told_to_look(store: Store, cluster: Cluster, schema: str) -> None:
    heard = Event()
    with closing(listen(store, heard)) as ears:
        for _ in range(3):
            heard.clear()
            before = cluster.run(LISTENING.format(schema))
            assert cluster.run(END.format(schema)) == [(True,)]
            assert heard.wait(PATIENCE), "what was said meanwhile is not known"
            until(lambda: ears.sure)
            until(lambda: before[0] not in cluster.run(LISTENING.format(schema)))  # noqa: B023


def test_nobody_is_sure_of_a_connection_that_tells_nothing(
    store: Store, cluster: Cluster, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a pooler that gives each statement another connection. The listener retries with growing delays."""
    monkeypatch.setattr(listening, "SELF_TEST_TIMEOUT_S", 1.0)
    monkeypatch.setattr(listening, "LONGEST_S", 0.1)
    cluster.run(f"CREATE DATABASE {schema}")
    tried: list[float] = []

    def connect() -> "psycopg.Connection[object]":
        tried.append(time.monotonic())
        return psycopg.connect(cluster.address(database=schema, application_name=schema), autocommit=True)

    here = cluster.address(schema, application_name=schema)
    heard = Event()
    ears = PostgresListening(lambda: psycopg.connect(here, autocommit=True), connect, "stored_events", heard.set)
    with closing(ears):
        until(lambda: len(tried) > 2)
        assert not ears.sure
        store.append("m", 0, [OPENED])
        assert tried[1] - tried[0] >= 1.0


def test_one_that_falls_silent_is_noticed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "SELF_TEST_INTERVAL_S", 0.1)
    monkeypatch.setattr(listening, "SELF_TEST_TIMEOUT_S", PATIENCE)
    words, times = listening._read_channels, list[str]()

    def counted(connection: "psycopg.Connection[object]") -> list[str]:
        told = list(words(connection))
        times.extend(told)
        return told

    monkeypatch.setattr(listening, "_read_channels", counted)
    heard = Event()
    with closing(listen(store, heard)) as ears:
        times.clear()
        until(lambda: len(times) > 1)
        assert ears.sure, "it was heard again meanwhile"
        heard.clear()
        monkeypatch.setattr(listening, "SELF_TEST_TIMEOUT_S", 1.0)
        times.clear()
        until(lambda: len(times) > 1)  # by now the delay is at most that
        monkeypatch.setattr(listening, "_read_channels", lambda connection: ())
        until(lambda: not ears.sure)
        assert heard.wait(PATIENCE)


def test_a_server_that_is_away_is_waited_for_and_not_at_the_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "FIRST_S", 60.0)
    tries: list[int] = []

    def fail_to_connect() -> "psycopg.Connection[object]":
        tries.append(1)
        raise psycopg.OperationalError("nobody there")

    ears = PostgresListening(fail_to_connect, fail_to_connect, "stored_events", lambda: None)
    until(lambda: bool(tries))
    began = time.monotonic()
    ears.close()
    assert time.monotonic() - began < PATIENCE and not ears.sure and len(tries) == 1


def test_of_a_file_nobody_is_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.sqlite") as store:
        assert store.log.entries.listen(lambda: None) is None
