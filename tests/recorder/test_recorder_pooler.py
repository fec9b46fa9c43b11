"""A store in a database accessed through a transaction pooler."""

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psycopg
import pytest

from recorder.library import listening
from recorder.store import Store
from tests import postgres
from tests.recorder.test_recorder_listening import until
from tests.recorder.test_recorder_postgres import OPENED, make_note
from tools.cluster import free_port, is_reached

POOLER = """\
[databases]
* = host=127.0.0.1 port={server} user=judge
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
auth_file = {users}
pool_mode = transaction
default_pool_size = {connections}
"""
CONNECTIONS = 2
PROGRAMS, ENTRIES = 4, 20
KEPT = "SELECT COUNT(*) FROM pg_prepared_statements"
SETTINGS = ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")


@pytest.fixture
def pooled(cluster: postgres.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    program = shutil.which("pgbouncer")
    if program is None:
        why = "there is no PgBouncer on this machine (apt-get install pgbouncer)"
        (pytest.fail if os.environ.get(postgres.REQUIRED) == "required" else pytest.skip)(why)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    cluster.run("DROP DATABASE IF EXISTS pooled WITH (FORCE)")
    cluster.run("CREATE DATABASE pooled")
    port = free_port()
    settings, users = cluster.folder / "pooler.ini", cluster.folder / "users"
    users.write_text('"judge" ""\n', encoding="utf-8")
    text = POOLER.format(server=cluster.port, port=port, users=users, connections=CONNECTIONS)
    settings.write_text(text, encoding="utf-8")
    running = cluster.begin(program, str(settings))
    try:
        until(lambda: is_reached(port))
        yield f"postgresql://judge@127.0.0.1:{port}/pooled"
    finally:
        running.kill()
        running.wait()


def program(address: str, number: int) -> list[str]:
    match = f"m{number}"
    with Store.open(address) as store:
        store.append(match, 0, [OPENED])
        for version in range(1, ENTRIES):
            assert store.append(match, version, [make_note(f"{number}.{version}")]) == version + 1
            assert len(store.read(match)) == version + 1 and match in store.list_ids_with_prefix("m", PROGRAMS)
        return [str(getattr(entry, "text", "")) for entry in store.read(match)]


def test_programs_that_share_connections_read_and_write_their_own(pooled: str) -> None:
    Store.open(pooled).close()
    with ThreadPoolExecutor(PROGRAMS) as programs:
        told = list(programs.map(program, [pooled] * PROGRAMS, range(PROGRAMS)))
    assert told == [["", *(f"{number}.{version}" for version in range(1, ENTRIES))] for number in range(PROGRAMS)]
    with Store.open(pooled) as store:
        assert store.entries() == PROGRAMS * ENTRIES


def test_nothing_is_left_on_a_shared_connection(pooled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "SELF_TEST_TIMEOUT_S", 0.2)
    program(pooled, 0)
    with Store.open(pooled) as store:
        ears = store.log.entries.listen(Event().set)
        time.sleep(0.3)
        ears.close()
    with psycopg.connect(pooled, autocommit=True, prepare_threshold=None) as any_of_them:
        left = [
            any_of_them.execute(f"SELECT setting FROM pg_settings WHERE name = '{name}'").fetchone()
            for name in SETTINGS
        ]
        assert left == [("0",)] * len(SETTINGS) and any_of_them.execute(KEPT).fetchone() == (0,)
