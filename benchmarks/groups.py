"""Group commits: one entry to each of many live matches, with a commit each or one commit for all."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

from benchmarks.appends import open_plain_log
from benchmarks.harness import BenchmarkRow, Effort, Work, measure_pair
from benchmarks.material import Matches, matches
from recorder import codec
from recorder.store import Store

LIVE = 32


def rows(effort: Effort, folder: Path) -> Iterator[BenchmarkRow]:
    """Yield the store against a commit each, and against one commit for all: the most a group commit could save."""
    ours = matches(1)
    with ExitStack() as opened:
        store = opened.enter_context(Store.open(folder / "groups.sqlite"))
        files = [opened.enter_context(closing(open_plain_log(folder / f"group-{at}.sqlite"))) for at in range(2)]
        alone = _append_in_turn(ours, store)
        for peer, size, file in (
            ("sqlite3, a commit each", 1, files[0]),
            ("sqlite3, one commit for all", LIVE, files[1]),
        ):
            found = measure_pair(alone, _insert_rows(ours, file, size), effort)
            name = f"append to {LIVE} live matches in turn"
            yield BenchmarkRow(group="groups", name=name, unit="entries/s", ours=found.ours, peer=peer, ratio=found)


def _append_in_turn(ours: Matches, store: Store) -> Work:
    record, rounds = ours.records[0], count()

    def work() -> int:
        number, over = divmod(next(rounds), len(record))
        for live in range(LIVE):
            done = store.append(f"{number}-{live}", over, (record[over],))
            assert done == over + 1, done
        return LIVE

    return work


def _insert_rows(ours: Matches, file: sqlite3.Connection, size: int) -> Work:
    states, rounds = [codec.encode(entry) for entry in ours.records[0]], count()

    def work() -> int:
        number, over = divmod(next(rounds), len(states))
        for live in range(LIVE):
            file.execute("INSERT INTO log VALUES (?,?,?)", (f"{number}-{live}", over + 1, states[over]))
            if (live + 1) % size == 0:
                file.commit()
        return LIVE

    return work
