"""A seeker returns the same tables as folding from the start."""

from random import Random

import msgspec
import pytest

from benchmarks.seeks import STEPS_GOAL, long_match
from domain.law.entries import entry_facts, fold_entries, tables
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import Physics
from projections.table_index import FACTS, TableIndex
from projections.viewing import NotInMatch
from tests.laws.leak_checks import insert_corrections
from tests.laws.samples import MATCHES, sample
from tests.rows import for_each

ENCODE = msgspec.msgpack.encode


@pytest.mark.random
@pytest.mark.parametrize(("key", "seed"), MATCHES[:4])
def test_a_seek_gives_the_table_of_its_entry_across_rewinds(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    entries = insert_corrections(one, random)
    seeker = TableIndex(entries)
    for number in random.sample(range(1, len(entries) + 1), 40):
        assert ENCODE(seeker(number)) == ENCODE(fold_entries(entries, number))
        assert ENCODE(seeker(number)) == ENCODE(fold_entries(entries, number)), "once more, on the tables kept"


def test_a_seek_takes_few_steps_and_few_tables_are_kept() -> None:
    entries = long_match(1_000, 4)
    seeker = TableIndex(entries)
    steps = [seeker.count_facts(number) for number in range(1, len(entries) + 1)]
    assert max(steps) <= FACTS and sum(steps) / len(steps) <= STEPS_GOAL
    assert seeker.table_count < len(entries) / 4


def test_the_long_match_of_the_benchmark_can_happen() -> None:
    entries = long_match(600, 3)
    assert len(entries) == 600
    physics = Physics(sample(*MATCHES[0]).first_entry.schema)
    for _, entry, before, _ in tables(entries):
        draft = Draft(before)
        for _, fact in entry_facts(entry):
            assert physics.explain_impossible(draft, fact) is None, fact
            apply(draft, fact)


@for_each("number", [0, -1, 10_000])
def test_an_entry_that_is_not_there_is_told(number: int) -> None:
    with pytest.raises(NotInMatch, match="there is no entry"):
        TableIndex(sample(*MATCHES[0]).entries)(number)
