"""Seeks to any entry of a very long match: folding from the start, and with the saved tables of an index."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

from benchmarks.harness import BenchmarkRow, Effort, Work, measure_pair, rate
from benchmarks.material import matches
from domain.law.clause import BY_HAND
from domain.law.entries import Closed, Corrected, Entry, Opened, entry_facts, fold_entries, line
from domain.table import facts as F
from domain.table.table import LANES, Table, lane
from projections.table_index import TableIndex

ENTRIES = 5_000
STEPS_GOAL = 25
SEEKS_PER_ROUND = 200


def long_match(least: int, count: int) -> tuple[Entry, ...]:
    """Return a record of `least` entries without a rewind: one match after another on the same table."""
    entries: list[Entry] = []
    records = cycle(matches(count).records)
    while len(entries) < least:
        opened, *rest = (entry for entry in next(records) if not isinstance(entry, Closed))
        assert isinstance(opened, Opened)
        if entries:
            facts = (*((BY_HAND, fact) for fact in cleared(fold_entries(entries))), *opened.told)
            entries.append(Corrected(by="judge", reason="another match at this table", told=facts))
        else:
            entries.append(opened)
        entries += rest
    return tuple(entries[:least])


def cleared(table: Table) -> Iterator[F.AnyFact]:
    yield from (F.Popped(frame.id, "cleared") for name in LANES for frame in lane(table, name))
    if table.effects:
        yield F.Ended(tuple(effect.id for effect in table.effects))
    if table.pieces:
        yield F.Removed(tuple(table.pieces))


def rows(effort: Effort, quick: bool) -> Iterator[BenchmarkRow]:
    count = 300 if quick else ENTRIES
    entries = long_match(count, 1 if quick else 20)
    random = Random(count)
    numbers = [random.randrange(1, count + 1) for _ in range(4 if quick else SEEKS_PER_ROUND)]
    index = TableIndex(entries)
    few = numbers[: max(1, len(numbers) // 20)]
    found = measure_pair(_seek_in_index(index, numbers), _fold_from_start(entries, few), effort)
    yield BenchmarkRow(
        group="seek",
        name=f"seek in {count:,} entries, hot",
        unit="seeks/s",
        ours=found.ours,
        peer="fold from the start (cold)",
        ratio=found,
    )
    everywhere = range(1, count + 1)
    steps = [index.count_facts(number) for number in everywhere]
    before, facts = 0, 0
    for entry in entries:
        facts += len(entry_facts(entry))
        before += facts
    assert line(entries) == tuple(everywhere)
    mean = sum(steps) / count
    yield BenchmarkRow(group="seek", name=f"facts in a hot seek, mean (goal <= {STEPS_GOAL})", unit="facts", ours=mean)
    yield BenchmarkRow(group="seek", name="the same, most", unit="facts", ours=max(steps))
    yield BenchmarkRow(group="seek", name="facts in a cold seek, mean", unit="facts", ours=before / count)
    yield BenchmarkRow(group="seek", name="the same, most", unit="facts", ours=facts)
    yield BenchmarkRow(
        group="seek", name="table index built, per entry", unit="entries/s", ours=rate(_build_index(entries), effort)
    )
    yield BenchmarkRow(group="seek", name="tables it keeps", unit="tables", ours=index.table_count)


def _seek_in_index(index: TableIndex, numbers: list[int]) -> Work:
    def work() -> int:
        for number in numbers:
            index(number)
        return len(numbers)

    return work


def _fold_from_start(entries: tuple[Entry, ...], numbers: list[int]) -> Work:
    def work() -> int:
        for number in numbers:
            fold_entries(entries, number)
        return len(numbers)

    return work


def _build_index(entries: tuple[Entry, ...]) -> Work:
    def work() -> int:
        TableIndex(entries)
        return len(entries)

    return work
