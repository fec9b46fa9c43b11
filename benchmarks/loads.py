"""Loading stored matches and folding their facts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.harness import BenchmarkRow, Effort, Work, measure_pair
from benchmarks.material import Matches, matches
from domain.law.entries import entry_facts, fold_entries
from recorder import codec
from recorder.store import Store

LIBRARY_BUDGET = 15.0
MATCHES_STORED = 5
"""Matches in the store: enough facts for steady rates, few enough for the library to load in one window."""


class FactCounter(Aggregate):
    """The smallest aggregate of the library: it only counts its facts."""

    def __init__(self) -> None:
        self.facts = 0

    @event("Told")
    def tell(self, clause: str, fact: list[object]) -> None:
        self.facts += 1


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow]:
    ours = matches(1 if quick else MATCHES_STORED)
    env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "library.sqlite")}
    with (
        Store.open(folder / "loads.sqlite") as store,
        closing(Application[UUID](env=env)) as library,
    ):
        names = [f"m{at}" for at, _ in enumerate(ours.records)]
        for name, record in zip(names, ours.records, strict=True):
            assert store.append(name, 0, record) == len(record)
        states = [state for name in names for state in store.read_bytes(name)]

        def loaded() -> int:
            for name in names:
                fold_entries(store.read(name))
            return ours.facts

        def decoded() -> int:
            for state in states:
                codec.DECODE(state)
            return ours.facts

        def folded() -> int:
            for record in ours.records:
                fold_entries(record)
            return ours.facts

        by_library = _library(ours, library)
        for name, work, peer, theirs, budget in (
            ("load and fold, per fact", loaded, "eventsourcing, default JSON aggregate", by_library, LIBRARY_BUDGET),
            ("load and fold, per fact", loaded, "floor: msgspec decode of the same bytes", decoded, None),
            ("fold only, per fact", folded, "floor: msgspec decode of the same bytes", decoded, None),
        ):
            found = measure_pair(work, theirs, effort)
            yield BenchmarkRow(
                group="load", name=name, unit="facts/s", ours=found.ours, peer=peer, ratio=found, budget=budget
            )
        same = measure_pair(decoded, decoded, effort)
        yield BenchmarkRow(
            group="load",
            name="control: msgspec decode",
            unit="facts/s",
            ours=same.ours,
            peer="itself",
            ratio=same,
            control=True,
        )


def _library(ours: Matches, app: Application[UUID]) -> Work:
    ids = []
    for record in ours.records:
        seen = FactCounter()
        for entry in record:
            for clause, fact in entry_facts(entry):
                seen.tell(clause, msgspec.json.decode(msgspec.json.encode(fact)))
        app.save(seen)
        ids.append(seen.id)

    def work() -> int:
        facts = sum(app.repository.get(one).facts for one in ids)
        assert facts == ours.facts
        return facts

    return work
