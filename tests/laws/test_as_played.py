"""As played: the rules record any action without an error, and an audit finds exactly the violations."""

from random import Random

import msgspec
import pytest

from domain.judging.audit import audit
from domain.law.clause import Refusal
from domain.law.driver import consult_clauses, decide, decide_as_played
from domain.law.outcome import Accepted
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.physics import Physics
from domain.table.table import CHANCE, LANES, Table, frame, lane
from recorder.simulate import pick
from tests.laws.loosely import loose
from tests.laws.samples import FURTHER, MATCHES, Sample, moments, sample
from tests.laws.wild import wild

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

WILD = 10


def stands(one: Sample, physics: Physics, before: Table, outcome: Accepted) -> None:
    draft = Draft(before)
    for _, fact in outcome.told:
        wrong = physics.explain_impossible(draft, fact)
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
            assert isinstance(decide(one.law, table, CHANCE, drawn), Accepted)
        else:
            assert pick(one.law, table, actor, below) is not None


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_anything_is_either_carried_out_and_flagged_or_left_to_be_entered_by_hand(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"wild {seed}")
    physics = Physics(one.first_entry.schema)
    kinds = {clause: entry.kind for clause, entry in one.game.rulebook.clauses.items()}
    carried_out = 0
    for at in moments(key, seed):
        before = msgspec.msgpack.encode(at.before)
        for _ in range(WILD):
            actor, action = wild(one.game, at.before, random)
            steps = consult_clauses(one.law, at.before, actor, action)
            outcome = decide_as_played(one.law, at.before, actor, action)
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
                assert outcome == decide(one.law, at.before, actor, action)
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
    broken: set[str] = set()
    by_hand = 0
    for count, (key, seed) in enumerate((*MATCHES, *FURTHER)):
        if count >= len(MATCHES) and len(broken) > 15 and by_hand > count:
            break
        match = loose(key, seed)
        broken |= {clause for some in match.flagged.values() for clause in some}
        by_hand += match.by_hand
    assert len(broken) > 15 and by_hand > count
