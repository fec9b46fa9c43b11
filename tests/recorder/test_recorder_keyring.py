"""The keyring of a store: locking, and invitations after a failure."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep

import pytest

from recorder.keyring import Holder, Keyring
from recorder.store import StoreError

HOLDER = Holder(role="head", name="Kato")
LATER = 1_000


@contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def test_while_somebody_waits_for_a_locked_file_all_others_are_let_in(tmp_path: Path) -> None:
    path = tmp_path / "a.keys"
    with Keyring.open(path) as keys, connect(path) as other, ThreadPoolExecutor(1) as pool:
        token = keys.issue(HOLDER, LATER)
        other.execute("BEGIN IMMEDIATE")
        waiting = pool.submit(keys.invite, HOLDER, LATER)
        while not keys._writing.locked():
            sleep(0.01)
        known = keys.key(token, 1)
        assert known is not None and known.holder == HOLDER and not waiting.done()
        other.execute("ROLLBACK")
        assert keys.exchange(waiting.result(), 1, LATER)


def test_many_who_find_the_file_locked_are_all_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.keys"
    monkeypatch.setattr("recorder.keyring.LOCK_SECONDS", 0.1)
    with Keyring.open(path) as keys, connect(path) as other, ThreadPoolExecutor(8) as pool:
        other.execute("BEGIN IMMEDIATE")
        waiting = [pool.submit(keys.issue, HOLDER, LATER) for _ in range(8)]
        assert [getattr(future.exception(), "trouble", None) for future in waiting] == ["locked"] * 8
        other.execute("ROLLBACK")
        assert keys.key(keys.issue(HOLDER, LATER), 1)


def test_an_invitation_that_could_not_be_exchanged_stays_good(tmp_path: Path) -> None:
    path = tmp_path / "a.keys"
    with Keyring.open(path) as keys, connect(path) as other:
        invitation = keys.invite(HOLDER, LATER)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON keys BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(StoreError):
            keys.exchange(invitation, 1, LATER)
        other.execute("DROP TRIGGER full")
        token = keys.exchange(invitation, 1, LATER)
        assert token is not None and keys.key(token, 1) and keys.exchange(invitation, 1, LATER) is None
