"""Appends: one entry acknowledged and on disk, against a bare commit of the same bytes in the same folder."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import BenchmarkRow, Effort, Work, measure_pair
from benchmarks.material import Matches, matches
from recorder import codec
from recorder.store import Store

APPEND_BUDGET = 0.85
"""Least ratio. An append also stores a hash and the link to the previous entry."""
COMMIT = "sqlite3 INSERT + commit()"
MEMORY = Path("/dev/shm")


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow]:
    """Yield appends with and without a command id. The control is two raw files."""
    ours = matches(1)
    if quick:
        ours = shorten(ours)
    with ExitStack() as opened:
        store = opened.enter_context(Store.open(folder / "appends.sqlite"))
        files = [opened.enter_context(closing(open_plain_log(folder / f"raw-{at}.sqlite"))) for at in range(3)]
        raw, other, bare = _raw(ours, files[0]), _raw(ours, files[1]), _raw(ours, files[2], autocommit=True)
        alone = whole_matches(ours, store, "a", lambda match, number: None)
        named = whole_matches(ours, store, "c", lambda match, number: f"{match}/{number}")
        for name, work, peer, theirs, budget in (
            ("append, acknowledged and on disk", alone, COMMIT, raw, APPEND_BUDGET),
            ("the same, with its command id", named, COMMIT, raw, None),
            ("append, acknowledged and on disk", alone, "sqlite3 INSERT alone (autocommit)", bare, None),
        ):
            found = measure_pair(work, theirs, effort)
            yield BenchmarkRow(
                group="append", name=name, unit="entries/s", ours=found.ours, peer=peer, ratio=found, budget=budget
            )
        same = measure_pair(raw, other, effort)
        yield BenchmarkRow(
            group="append",
            name=f"control: {COMMIT}",
            unit="commits/s",
            ours=same.ours,
            peer="the same into a second file",
            ratio=same,
            control=True,
        )
    if os.access(MEMORY, os.W_OK):
        yield from _measure_overhead(ours, effort)


def _measure_overhead(ours: Matches, effort: Effort) -> Iterator[BenchmarkRow]:
    """Yield the cost of an append without the disk, measured where a sync is free.

    On a busy disk the sync dominates, and every ratio above approaches 1.
    """
    with ExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory(dir=MEMORY, prefix="bench-")))
        store = opened.enter_context(Store.open(folder / "appends.sqlite"))
        file = opened.enter_context(closing(open_plain_log(folder / "raw.sqlite")))
        alone = whole_matches(ours, store, "a", lambda match, number: None)
        found = measure_pair(alone, _raw(ours, file), effort)
    name = f"append, in memory ({MEMORY})"
    yield BenchmarkRow(group="append", name=name, unit="entries/s", ours=found.ours, peer=COMMIT, ratio=found)
    added = 1e6 / found.ours - 1e6 / found.theirs
    yield BenchmarkRow(group="append", name="what an append adds to a commit", unit="us", ours=added)


def shorten(ours: Matches) -> Matches:
    return Matches(ours.law, (ours.records[0][:5],), 5, 0, 0, 0, 0)


def whole_matches(ours: Matches, store: Store, letter: str, command: Callable[[str, int], str | None]) -> Work:
    """Return work that appends a whole match, entry by entry, under a new name each time."""
    names = (f"{letter}{number}" for number in count())

    def work() -> int:
        for record in ours.records:
            match = next(names)
            for number, entry in enumerate(record):
                done = store.append(match, number, (entry,), command(match, number))
                assert done == number + 1, done
        return ours.entries

    return work


def open_plain_log(path: Path) -> sqlite3.Connection:
    """Return a plain SQLite log: one table with the same key, WAL, synchronous FULL."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE log (match TEXT, number INTEGER, state BLOB, PRIMARY KEY (match, number))")
    return connection


def _raw(ours: Matches, connection: sqlite3.Connection, autocommit: bool = False) -> Work:
    connection.isolation_level = None if autocommit else "DEFERRED"

    def insert_row(match: str, number: int, state: bytes) -> None:
        connection.execute("INSERT INTO log VALUES (?,?,?)", (match, number, state))
        if not autocommit:
            connection.commit()

    return row_by_row(ours, insert_row)


def row_by_row(ours: Matches, put: Callable[[str, int, bytes], None]) -> Work:
    """Return work that passes each encoded entry to `put`, with a new match name and the entry's number."""
    states = [[codec.encode(entry) for entry in record] for record in ours.records]
    names = (f"r{number}" for number in count())

    def work() -> int:
        for record in states:
            match = next(names)
            for number, state in enumerate(record, start=1):
                put(match, number, state)
        return ours.entries

    return work
