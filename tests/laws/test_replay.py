"""Replay: recorded facts alone reproduce every table, however they are folded, written and read."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.judging.audit import Audit, audit
from domain.law.clause import CitedFact
from domain.law.driver import decide
from domain.law.entries import Opened, Played, Restored, Rewound, entry_facts, fold_entries, tables
from domain.law.outcome import Accepted
from domain.table.evolve import evolve, fold
from domain.table.facts import FACTS, AnyFact
from domain.table.physics import Physics
from domain.table.table import Table, blank
from recorder import codec
from tests.laws.samples import MATCHES, moments, sample

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ENCODE = msgspec.msgpack.Encoder().encode
REWINDS, AUDITED = 25, 5


def there_and_back(value: Any, type_: Any) -> None:
    packed, text = ENCODE(value), msgspec.json.encode(value)
    for again in (msgspec.msgpack.decode(packed, type=type_), msgspec.json.decode(text, type=type_)):
        assert again == value
        assert ENCODE(again) == packed


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_the_fold_is_the_live_table_after_every_entry_and_old_tables_stay(key: str, seed: int) -> None:
    one = sample(key, seed)
    physics = Physics(one.first_entry.schema)
    live = fold(blank(one.first_entry.seats), [fact for _, fact in one.first_entry.told])
    kept: list[tuple[Table, bytes]] = [(live, ENCODE(live))]
    for at in moments(key, seed):
        assert at.before == live
        outcome = decide(one.law, live, at.actor, at.action)
        assert isinstance(outcome, Accepted)
        assert outcome.told == at.entry.told, "deciding again tells something else"
        live = outcome.table
        assert ENCODE(live) == ENCODE(at.after)
        assert list(physics.overfull(live)) == []
        kept.append((live, ENCODE(live)))
    assert all(ENCODE(table) == before for table, before in kept), "an earlier table was changed"


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_folding_at_once_entry_by_entry_and_fact_by_fact_is_one(key: str, seed: int) -> None:
    one = sample(key, seed)
    physics = Physics(one.first_entry.schema)
    single = blank(one.first_entry.seats)
    facts: list[AnyFact] = []
    for _, entry, _, after in tables(one.entries):
        for _, fact in entry_facts(entry):
            assert physics.explain_impossible(single, fact) is None, f"{fact} cannot happen"
            before = ENCODE(single)
            following = evolve(single, fact)
            assert ENCODE(single) == before, f"{fact} changed the table it was told of"
            single = following
            facts.append(fact)
        assert ENCODE(single) == ENCODE(after)
    at_once = fold(blank(one.first_entry.seats), facts)
    assert ENCODE(at_once) == ENCODE(single) == ENCODE(fold_entries(one.entries))


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_entries_facts_and_tables_are_read_back_as_they_were_written(key: str, seed: int) -> None:
    one = sample(key, seed)
    for _, entry, _, after in tables(one.entries):
        packed = codec.encode(entry)
        assert codec.decode(packed) == entry
        assert codec.encode(codec.decode(packed)) == packed
        line = codec.to_json_line(packed)
        assert codec.decode(codec.from_json_line(line)) == entry
        assert codec.to_json_line(codec.from_json_line(line)) == line
        for telling in entry_facts(entry):
            there_and_back(telling, CitedFact)
        there_and_back(after, Table)


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_a_rewind_to_any_entry_gives_the_table_of_that_entry(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    after = {number: table for number, _, _, table in tables(one.entries)}
    for place, to in enumerate(random.sample(sorted(after), min(REWINDS, len(after)))):
        rewound = [*one.entries, Rewound(to=to, reason="misheard", by="judge")]
        assert fold_entries(rewound) == after[to] == fold_entries(one.entries, to)
        assert list(tables(rewound))[-1][3] == after[to]
        further = [*rewound, *one.entries[to : to + 3]]
        assert fold_entries(further) == fold_entries(one.entries, min(to + 3, len(one.entries)))
        if place < AUDITED:
            assert audit(one.game, further).findings == ()
            if to < len(one.entries):
                restored = [*further, Restored(to=len(one.entries), reason="heard rightly", by="judge")]
                assert fold_entries(restored) == after[len(one.entries)] == list(tables(restored))[-1][3]
                assert audit(one.game, restored).findings == ()


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_an_audit_of_a_simulated_match_finds_nothing(key: str, seed: int) -> None:
    one = sample(key, seed)
    played = [entry for entry in one.entries if isinstance(entry, Played)]
    facts = sum(len(entry_facts(entry)) for entry in one.entries)
    assert audit(one.game, one.entries) == Audit((), len(one.entries), len(played), facts)
    read_back = [codec.decode(codec.encode(entry)) for entry in one.entries]
    assert audit(one.game, read_back).findings == ()


def test_the_samples_hold_enough_kinds_of_facts() -> None:
    met = {type(fact) for key, seed in MATCHES for entry in sample(key, seed).entries for _, fact in entry_facts(entry)}
    assert met <= set(FACTS) and len(met) >= 12
    assert all(isinstance(sample(key, seed).entries[0], Opened) for key, seed in MATCHES)
