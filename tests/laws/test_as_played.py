"""As played: whatever somebody did, the law neither stumbles nor loses the thread, and an audit finds exactly that."""

from functools import cache
from random import Random

import msgspec
import pytest
from msgspec import Struct

from domain.law.clause import Clause, Refusal
from domain.law.driver import Accepted, decide, decide_as_played, trail
from domain.law.entries import Entry, Played, fold_entries
from domain.law.offers import Below
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.physics import Physics
from domain.table.table import CHANCE, LANES, Table, frame, lane
from projections.audit import audit
from recorder import codec
from recorder.simulate import pick
from tests.laws.samples import MATCHES, Sample, moments, sample
from tests.laws.wild import wild

WILD = 10
"""Actions out of nothing tried in each state."""
ODDS = 0.45
"""How often something out of nothing is tried while a match goes on."""
ENTRIES_MAX = 250


class Loose(Struct, frozen=True):
    """A match in which people now and then did what they liked."""

    sample: Sample
    entries: tuple[Entry, ...]
    flagged: dict[int, tuple[Clause, ...]]
    by_hand: int


@cache
def loose(key: str, seed: int) -> Loose:
    """A match played loosely, from its opening to its end or until it is long enough."""
    one, random = sample(key, seed), Random(f"loose {key} {seed}")
    below: Below = random.randrange
    game, rules = one.game, one.rules
    entries: list[Entry] = [one.opened]
    table = fold_entries(entries)
    flagged: dict[int, tuple[Clause, ...]] = {}
    by_hand = 0
    while game.awaited(table) and len(entries) < ENTRIES_MAX:
        actor, action = wild(game, table, random)
        outcome = decide_as_played(game, rules, table, actor, action) if random.random() < ODDS else None
        ends = isinstance(outcome, Accepted) and outcome.table.result is not None
        if outcome is None or isinstance(outcome, Refusal) or (ends and random.random() < 0.95):
            by_hand += isinstance(outcome, Refusal)
            actor = random.choice(game.awaited(table))
            drawn = game.chance(rules, table, below) if actor == CHANCE else pick(game, rules, table, actor, below)
            assert drawn is not None
            action, outcome = drawn, decide(game, rules, table, actor, drawn)
        assert isinstance(outcome, Accepted)
        told, violations = outcome.told, outcome.violations
        entries.append(Played(actor=actor, action=codec.raw_action(action), told=told, violations=violations))
        if violations:
            flagged[len(entries)] = violations
        table = outcome.table
    return Loose(one, tuple(entries), flagged, by_hand)


def stands(one: Sample, physics: Physics, before: Table, outcome: Accepted) -> None:
    """The facts can happen one after the other, and what they leave is a table on which play can go on."""
    draft = Draft(before)
    for _, fact in outcome.told:
        wrong = physics.wrong(draft, fact)
        assert wrong is None, f"{fact}: {wrong}"
        EVOLVE[type(fact)](draft, fact)
    table = draft.freeze()
    assert table == outcome.table
    for place, cards in table.places.items():
        assert all(table.pieces[card].place == place for card in cards)
    assert sum(map(len, table.places.values())) == len(table.pieces)
    for name in LANES:
        served = [one for asked in lane(table, name) if name == "asked" for one in asked.frames[:1]]
        assert all(frame(table, wanted) is not None for wanted in served), "a question serves a frame that is gone"
    awaited = one.game.awaited(table)
    assert bool(awaited) == (table.result is None), "nobody can go on" if not awaited else "play goes on after the end"
    below = Random(0).randrange
    for actor in awaited:
        if actor == CHANCE:
            drawn = one.game.chance(one.rules, table, below)
            assert drawn is not None
            assert isinstance(decide(one.game, one.rules, table, CHANCE, drawn), Accepted)
        else:
            assert pick(one.game, one.rules, table, actor, below) is not None


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_anything_is_either_carried_out_and_flagged_or_left_to_be_entered_by_hand(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"wild {seed}")
    physics = Physics(one.opened.schema)
    kinds = {clause: entry.kind for clause, entry in one.game.rulebook.clauses.items()}
    carried_out = 0
    for at in moments(key, seed):
        before = msgspec.msgpack.encode(at.before)
        for _ in range(WILD):
            actor, action = wild(one.game, at.before, random)
            steps = trail(one.game, one.rules, at.before, actor, action)
            outcome = decide_as_played(one.game, one.rules, at.before, actor, action)
            broken = tuple(dict.fromkeys(step.clause for step in steps if not step.holds))
            if isinstance(outcome, Refusal):
                assert outcome.by_hand, "as played nothing is refused but what must be entered by hand"
                assert outcome.clause in broken and outcome.trail[-1].clause == outcome.clause
                continue
            assert outcome.violations == broken
            assert not any(kinds[clause] == "physical" for clause in broken)
            if broken:
                carried_out += 1
            else:
                assert outcome == decide(one.game, one.rules, at.before, actor, action)
            stands(one, physics, at.before, outcome)
        assert msgspec.msgpack.encode(at.before) == before
    assert carried_out > len(moments(key, seed)) / 2, "too tame: hardly anything illegal was carried out"


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_an_audit_finds_every_entry_as_played_and_nothing_else(key: str, seed: int) -> None:
    match = loose(key, seed)
    findings = audit(match.sample.game, match.entries).findings
    assert [finding.entry for finding in findings] == list(match.flagged)
    for finding in findings:
        assert finding.flagged and not finding.missing and not finding.extra
        assert tuple(dict.fromkeys(step.clause for step in finding.broken)) == match.flagged[finding.entry]
        assert finding.clause == match.flagged[finding.entry][0]
        assert finding.kind in ("not_allowed", "chance")


def test_loose_matches_break_many_clauses() -> None:
    broken = {clause for key, seed in MATCHES for some in loose(key, seed).flagged.values() for clause in some}
    assert len(broken) > 15
    assert sum(loose(key, seed).by_hand for key, seed in MATCHES) > len(MATCHES)
