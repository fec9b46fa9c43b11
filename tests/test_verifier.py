"""Audits of corrupted records: one error at one entry, and the audit must name only that entry."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.judging.audit import Audit, audit, compared
from domain.law.clause import CitedFact, CitedFacts, Clause
from domain.law.driver import decide
from domain.law.entries import Entry, Opened, Played, Rewound, entry_facts
from domain.law.outcome import Accepted
from domain.law.slots import slots
from domain.table import facts as F
from domain.table.table import CHANCE, EVERYONE, CardId, Clock, FrameId, Obj, Seat
from recorder import codec
from tests.games import PLAYED
from tests.laws.presumed import lacks, presume
from tests.laws.samples import Moment, Sample, moments, sample
from tests.laws.wild import wild_of
from tests.rotation import in_turn, rotate
from tests.rows import for_each

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ALL_SEEDS = tuple(range(8))
SEEDS = rotate(ALL_SEEDS, 1)
IN_TURN = in_turn(ALL_SEEDS, 1)
"""All seeds, starting with those of this run, for tests that continue until they have enough."""
DRAWS = 12
TRIES = 4
USABLE = 0.8
"""Minimum share of draws that must corrupt something."""

Spoilt = Played | None
Spoil = Callable[[Sample, Moment, Random], Spoilt]


def audit_with(one: Sample, number: int, entry: Entry) -> Audit:
    return audit(one.game, [*one.entries[: number - 1], codec.decode(codec.encode(entry)), *one.entries[number:]])


def compared_facts(at: Moment) -> list[int]:
    seen = {id(telling[1]) for telling in compared(at.before, at.entry.told)}
    return [place for place, (_, fact) in enumerate(at.entry.told) if id(fact) in seen]


def with_told(at: Moment, place: int, *instead: CitedFact) -> Played:
    facts = at.entry.told
    return replace(at.entry, told=(*facts[:place], *instead, *facts[place + 1 :]))


def fact_left_out(one: Sample, at: Moment, random: Random) -> Played:
    return with_told(at, random.choice(compared_facts(at)))


def fact_told_twice(one: Sample, at: Moment, random: Random) -> Spoilt:
    place = random.choice(compared_facts(at))
    return with_told(at, place, at.entry.told[place], at.entry.told[place])


def fact_invented(one: Sample, at: Moment, random: Random) -> Spoilt:
    card = random.choice(tuple(at.before.pieces))
    seat = random.choice(one.first_entry.seats)
    turn = F.Turned((card,), not at.before.pieces[card].up)
    move = F.Moved((card,), random.choice(tuple(at.before.places)))
    fact = random.choice((turn, move, F.Shown((card,), (seat,), lasting=True)))
    place = random.randint(0, len(at.entry.told))
    facts = at.entry.told
    clause = random.choice(tuple(one.game.rulebook.clauses))
    return replace(at.entry, told=(*facts[:place], (clause, fact), *facts[place:]))


def fact_changed(one: Sample, at: Moment, random: Random) -> Spoilt:
    place = random.choice(compared_facts(at))
    clause, fact = at.entry.told[place]
    for _ in range(TRIES):
        changed = other_fact(one, at, fact, random)
        if changed is not None and changed != fact:
            return with_told(at, place, (clause, changed))
    return None


def other_fact(one: Sample, at: Moment, fact: F.AnyFact, random: Random) -> F.AnyFact | None:
    options = tuple(_other_facts(one, at, fact, random))
    return random.choice(options) if options else None


def _other_facts(one: Sample, at: Moment, fact: F.AnyFact, random: Random) -> Iterator[F.AnyFact]:
    card = random.choice(tuple(at.before.pieces))
    seat = random.choice(one.first_entry.seats)
    match fact:
        case F.Moved(cards, to, _, up):
            yield replace(fact, to=random.choice(tuple(at.before.places)))
            yield replace(fact, up=not up)
            yield replace(fact, cards=(card,))
            yield replace(fact, cards=cards[:-1] if len(cards) > 1 else (*cards, CardId(999_999)))
            yield replace(fact, at=0) if at.before.places.get(to) else replace(fact, up=not up)
        case F.Arranged(_, cards, shuffled):
            yield replace(fact, cards=tuple(random.sample(cards, len(cards))))
            yield replace(fact, cards=cards[1:], shuffled=not shuffled)
        case F.Stanced(cards, to):
            yield replace(fact, to=1 - to if to < 2 else 0)
            yield replace(fact, to=77)
            yield replace(fact, cards=(*cards, card))
        case F.Turned(_, up):
            yield replace(fact, up=not up)
        case F.Marked(on, _, to):
            yield replace(fact, to=to + 1)
            yield replace(fact, on=seat if isinstance(on, str) else (card,))
        case F.Shown(cards, to):
            yield replace(fact, to=(EVERYONE,) if to != (EVERYONE,) else (seat,))
            yield replace(fact, cards=(*cards, card))
        case F.Tied(_, to):
            yield replace(fact, to=card if card != to else CardId(0))
        case F.Controlled():
            yield replace(fact, by=seat)
        case F.Created(_, _, faces):
            yield replace(fact, faces=tuple(reversed(faces)))
        case F.Removed(cards):
            yield replace(fact, cards=(*cards, card))
        case F.Finished(result):
            yield F.Finished(
                replace(result, winners=tuple(s for s in one.first_entry.seats if s not in result.winners))
            )
            yield F.Finished(replace(result, reason="weather"))
        case F.Rolled():
            yield replace(fact, seat=Seat("p9"))
        case F.Began(effect):
            yield F.Began(replace(effect, numbers=tuple(n + 1 for n in effect.numbers)))
            yield F.Began(replace(effect, on=(Obj(card, at.before.pieces[card].thing),)))
        case F.Adjusted(_, numbers):
            yield replace(fact, numbers=(*numbers, 1))
        case F.Ended(effects):
            yield replace(fact, effects=effects[:-1])
        case F.Pushed(frame):
            yield F.Pushed(replace(frame, kind=random.choice(one.first_entry.schema.kinds).name))
            yield F.Pushed(replace(frame, by=Seat("p9")))
            yield F.Pushed(replace(frame, cards=(*frame.cards, card)))
        case F.Altered():
            yield replace(fact, id=FrameId(fact.id + 1))
        case F.Popped(_, how):
            yield replace(fact, how=how + "?")
        case F.Clocked(clock):
            yield F.Clocked(replace(clock, turn=clock.turn + 1))
            yield F.Clocked(replace(clock, awaited=tuple(s for s in one.first_entry.seats if s not in clock.awaited)))
        case _:
            return


def clause_changed(one: Sample, at: Moment, random: Random) -> Spoilt:
    place = random.choice(compared_facts(at))
    clause, fact = at.entry.told[place]
    others = [each for each in (*one.game.rulebook.clauses, Clause("")) if each != clause]
    return with_told(at, place, (random.choice(others), fact))


def action_changed(one: Sample, at: Moment, random: Random) -> Spoilt:
    told_now = tuple(compared(at.before, at.entry.told))
    for _ in range(TRIES):
        wanted = type(at.action) if random.random() < 0.6 else random.choice(one.game.action_types)
        action = wild_of(one.game, at.before, at.actor, wanted, random)
        outcome = decide(one.law, at.before, at.actor, action)
        if not isinstance(outcome, Accepted) or tuple(compared(at.before, outcome.told)) != told_now:
            return replace(at.entry, action=codec.raw_action(action))
    return None


def actor_changed(one: Sample, at: Moment, random: Random) -> Spoilt:
    others = (*(seat for seat in one.first_entry.seats if seat != at.actor), Seat("p9"))
    return replace(at.entry, actor=random.choice(others))


def action_unreadable(one: Sample, at: Moment, random: Random) -> Spoilt:
    nonsense: tuple[Any, ...] = ({"do": "sleep"}, {"nothing": 1}, 7, {"do": at.actor, "cards": "all"})
    return replace(at.entry, action=msgspec.Raw(msgspec.msgpack.encode(random.choice(nonsense))))


def order_slot(at: Moment) -> str | None:
    return next((each.name for each in slots(type(at.action)) if each.slot.kind == "order"), None)


def shuffle_impossible(one: Sample, at: Moment, random: Random) -> Spoilt:
    name = order_slot(at)
    if name is None:
        return None
    order = getattr(at.action, name)
    wrong = random.choice((order[1:], (*order, order[0]), (order[1], *order[1:]), (CardId(999_999), *order[1:])))
    return replace(at.entry, action=codec.raw_action(replace(at.action, **{name: wrong})))


def shuffle_other_in_action(one: Sample, at: Moment, random: Random) -> Spoilt:
    name = order_slot(at)
    if name is None:
        return None
    order = getattr(at.action, name)
    other = tuple(random.sample(order, len(order)))
    return None if other == order else replace(at.entry, action=codec.raw_action(replace(at.action, **{name: other})))


WAYS: tuple[Spoil, ...] = (
    fact_left_out,
    fact_told_twice,
    fact_invented,
    fact_changed,
    clause_changed,
    action_changed,
    actor_changed,
    action_unreadable,
)
CHANCE_WAYS: tuple[Spoil, ...] = (shuffle_impossible, shuffle_other_in_action)


@cache
def telling(key: str, seed: int) -> tuple[Moment, ...]:
    return tuple(at for at in moments(key, seed) if compared_facts(at))


@cache
def outcomes_of_chance(key: str, seed: int) -> tuple[Moment, ...]:
    return tuple(at for at in moments(key, seed) if at.actor == CHANCE and order_slot(at) is not None)


def check_spoiled(
    key: str, spoil: Spoil, draws: int, source: Callable[[str, int], tuple[Moment, ...]]
) -> Counter[bool]:
    """Corrupt each match many times. The audit of each usable draw must name exactly that entry."""
    used: Counter[bool] = Counter()
    for seed in IN_TURN:
        if seed not in SEEDS and used[True] >= USABLE * used.total():
            break
        one, random = sample(key, seed), Random(f"{spoil.__name__} {seed}")
        for _ in range(draws):
            at = random.choice(source(key, seed))
            entry = spoil(one, at, random)
            used[entry is not None] += 1
            if entry is None:
                continue
            found = audit_with(one, at.number, entry)
            named = [finding.entry for finding in found.findings]
            assert named == [at.number], (
                f"seed {seed}, entry {at.number} of {len(one.entries)} spoilt: {found.findings}"
            )
            assert found.findings[0].clause in one.game.rulebook.clauses
    return used


@for_each("key", sorted(PLAYED))
def test_a_sample_is_read_from_a_store_as_it_is(key: str) -> None:
    for seed in SEEDS:
        entries = sample(key, seed).entries
        assert tuple(codec.decode(codec.encode(entry)) for entry in entries) == entries


@pytest.mark.parametrize("key", sorted(PLAYED))
@for_each("spoil", WAYS)
def test_one_spoilt_entry_is_named_and_no_other(key: str, spoil: Spoil) -> None:
    used = check_spoiled(key, spoil, DRAWS, telling)
    assert used[True] >= USABLE * used.total(), f"only {used[True]} of {used.total()} draws were usable"


@pytest.mark.parametrize("key", sorted(PLAYED))
@for_each("spoil", CHANCE_WAYS)
def test_a_false_outcome_of_chance_is_named_and_nothing_else(key: str, spoil: Spoil) -> None:
    presume(key, "chance")
    used = check_spoiled(key, spoil, DRAWS // 2, outcomes_of_chance)
    assert used[True] >= USABLE * used.total()


@for_each("key", sorted(PLAYED))
def test_a_spoilt_opening_is_named_and_no_other(key: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"opening {seed}")
        at = random.randrange(len(one.first_entry.told))
        clause, fact = one.first_entry.told[at]
        bad: list[CitedFacts] = [
            (*one.first_entry.told[:at], (clause, F.Rolled("dice", 6)), *one.first_entry.told[at:])
        ]
        if isinstance(fact, F.Created) and fact.faces != fact.faces[::-1]:
            bad.append(
                (
                    *one.first_entry.told[:at],
                    (clause, replace(fact, faces=fact.faces[::-1])),
                    *one.first_entry.told[at + 1 :],
                )
            )
        for facts in bad:
            findings = audit_with(one, 1, replace(one.first_entry, told=facts)).findings
            assert [finding.entry for finding in findings] == [1]
        hashed = audit_with(one, 1, replace(one.first_entry, rules_hash="0" * 16)).findings
        assert [(finding.entry, finding.kind) for finding in hashed] == [(1, "unreadable")]


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_bookkeeping_that_is_not_compared_never_makes_findings_elsewhere(key: str) -> None:
    quiet: Counter[bool] = Counter()
    for seed in IN_TURN:
        if seed not in SEEDS and quiet[True] > quiet[False] and quiet.total() > DRAWS:
            break
        one, random = sample(key, seed), Random(f"flow {seed}")
        for _ in range(DRAWS):
            at = random.choice(moments(key, seed))
            compared_ones = [*compared_facts(at), *_last_clock(at)]
            places = [place for place in range(len(at.entry.told)) if place not in compared_ones]
            if not places:
                continue
            place = random.choice(places)
            clause, fact = at.entry.told[place]
            changed = other_fact(one, at, fact, random)
            instead: CitedFacts = () if changed is None or random.random() < 0.4 else ((clause, changed),)
            found = audit_with(one, at.number, with_told(at, place, *instead))
            assert {finding.entry for finding in found.findings} <= {at.number}
            quiet[not found.findings] += 1
    assert quiet[True] > quiet[False] and quiet.total() > DRAWS


def _last_clock(at: Moment) -> list[int]:
    return [place for place, (_, fact) in enumerate(at.entry.told) if isinstance(fact, F.Clocked)][-1:]


OTHER_CLOCKS: dict[str, Callable[[Sample, Clock], Clock]] = {
    "turn": lambda one, clock: replace(clock, turn=clock.turn + 1),
    "active": lambda one, clock: replace(clock, active=_another(one, clock.active)),
    "first": lambda one, clock: replace(clock, first=_another(one, clock.first)),
    "phase": lambda one, clock: replace(
        clock, phase=next(phase for phase in one.first_entry.schema.phases if phase != clock.phase)
    ),
    "awaited": lambda one, clock: replace(
        clock, awaited=tuple(seat for seat in one.first_entry.seats if seat not in clock.awaited)
    ),
    "passed": lambda one, clock: replace(
        clock, passed=tuple(seat for seat in one.first_entry.seats if seat not in clock.passed)
    ),
}


def _another(one: Sample, seat: Seat | None) -> Seat:
    return next(other for other in one.first_entry.seats if other != seat)


@pytest.mark.parametrize("key", sorted(PLAYED))
@for_each("part", OTHER_CLOCKS)
def test_a_clock_that_stands_otherwise_behind_an_entry_is_named(key: str, part: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"clock {part} {seed}")
        timed = [at for at in moments(key, seed) if _last_clock(at)]
        for at in random.sample(timed, DRAWS // 3):
            (place,) = _last_clock(at)
            clause, fact = at.entry.told[place]
            assert isinstance(fact, F.Clocked)
            forged = F.Clocked(OTHER_CLOCKS[part](one, fact.clock))
            (found,) = audit_with(one, at.number, with_told(at, place, (clause, forged))).findings
            assert found.entry == at.number
            # Physics knows the steps of each phase, and may already refuse the clock by them.
            assert found.kind == "consequences" or (found.kind, part) == ("impossible", "phase")
            told = (found.missing, found.extra)
            assert told == (((clause, fact),), ((clause, forged),)) or (found.kind, told) == ("impossible", ((), ()))
            assert (found.detail is not None) == (part == "first" or found.kind == "impossible")


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_a_clock_that_nobody_has_set_is_named(key: str) -> None:
    """The turn is copied where the rules read no clock, and constant where the rules advance it."""
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"no clock {seed}")
        still = [at for at in moments(key, seed) if not _last_clock(at)]
        for at in random.sample(still, min(DRAWS // 3, len(still))):
            forged = F.Clocked(replace(at.after.clock, turn=at.after.clock.turn + 1))
            found = audit_with(one, at.number, replace(at.entry, told=(*at.entry.told, (one.game.by_hand, forged))))
            assert [(each.entry, each.missing) for each in found.findings] == [(at.number, ())]
        moved = [at for at in moments(key, seed) if at.before.clock.turn != at.after.clock.turn]
        for at in random.sample(moved, min(2, len(moved))):
            timeless = tuple(telling for telling in at.entry.told if not isinstance(telling[1], F.Clocked))
            found = audit_with(one, at.number, replace(at.entry, told=timeless))
            assert at.number in [each.entry for each in found.findings]


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_the_way_of_the_clock_within_an_entry_and_the_step_of_the_law_are_not_compared(key: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"way {seed}")
        timed = [at for at in moments(key, seed) if _last_clock(at)]
        for at in random.sample(timed, DRAWS // 3):
            (place,) = _last_clock(at)
            clause, fact = at.entry.told[place]
            assert isinstance(fact, F.Clocked)
            between = (clause, F.Clocked(replace(fact.clock, turn=fact.clock.turn + 7, awaited=())))
            stepped = (clause, F.Clocked(replace(fact.clock, step=fact.clock.step + "?")))
            assert not audit_with(one, at.number, with_told(at, place, between, (clause, fact))).findings
            found = audit_with(one, at.number, with_told(at, place, stepped)).findings
            assert [each.kind for each in found] in ([], ["impossible"])


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_an_error_before_a_rewind_is_found_once(key: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"rewind {seed}")
        for _ in range(DRAWS // 2):
            at = random.choice(telling(key, seed)[:-3])
            entry = fact_left_out(one, at, random)
            to = random.randint(at.number - 1, len(one.entries) - 1)
            # Chance results are copied, not drawn again: there is no croupier to compare with.
            read = codec.decode(codec.encode(entry))
            entries: list[Entry] = [*one.entries[: at.number - 1], read, *one.entries[at.number :]]
            entries[0] = replace(one.first_entry, commitment="")
            entries += [Rewound(to=to, reason="misheard", by="judge"), *one.entries[to:]]
            found = audit(one.game, entries)
            assert [finding.entry for finding in found.findings] == [at.number]


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_two_errors_are_two_findings(key: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"two {seed}")
        for _ in range(DRAWS):
            chosen = sorted(random.sample(telling(key, seed), 2), key=lambda at: at.number)
            entries: list[Entry] = list(one.entries)
            for at, spoil in zip(chosen, random.sample((fact_left_out, fact_changed, clause_changed), 2), strict=True):
                entry = spoil(one, at, random)
                entries[at.number - 1] = entry if entry is not None else fact_left_out(one, at, random)
            assert [f.entry for f in audit(one.game, entries).findings] == [at.number for at in chosen]


def test_the_samples_have_something_to_spoil() -> None:
    for key in PLAYED:
        for seed in SEEDS:
            assert isinstance(sample(key, seed).entries[0], Opened)
            assert any(entry_facts(entry) for entry in sample(key, seed).entries[1:])
            assert outcomes_of_chance(key, seed) or "chance" in lacks(key)


@for_each("key", sorted(PLAYED))
def test_a_lawful_entry_that_is_flagged_as_played_is_named(key: str) -> None:
    for seed in SEEDS:
        one, random = sample(key, seed), Random(f"flag {seed}")
        at = random.choice(telling(key, seed))
        clause = random.choice(tuple(one.game.rulebook.clauses))
        (found,) = audit_with(one, at.number, replace(at.entry, violations=(clause,))).findings
        assert (found.entry, found.kind, found.clause) == (at.number, "flag", clause)


def test_who_takes_part_in_a_combat_is_compared() -> None:
    seen = 0
    for seed in IN_TURN:
        if seed not in SEEDS and seen:
            break
        one = sample("blackpoker", seed)
        for at in moments("blackpoker", seed):
            places = [
                place
                for place, (_, fact) in enumerate(at.entry.told)
                if isinstance(fact, F.Altered) and fact.columns is not None and fact.columns.pairs
            ]
            for place in places:
                clause, fact = at.entry.told[place]
                assert isinstance(fact, F.Altered) and fact.columns is not None
                unblocked = replace(fact, columns=replace(fact.columns, pairs=()))
                found = audit_with(one, at.number, with_told(at, place, (clause, unblocked)))
                assert [finding.entry for finding in found.findings] == [at.number]
                seen += 1
    assert seen


def test_what_a_spell_is_played_at_is_compared() -> None:
    """Only a frame holds the target until the spell resolves, possibly several entries later."""
    for seed in rotate(ALL_SEEDS[:4], 1):
        one = sample("grimoire", seed)
        plays = [
            (at, place, clause, fact.frame)
            for at in moments("grimoire", seed)
            for place, (clause, fact) in enumerate(at.entry.told)
            if isinstance(fact, F.Pushed) and fact.frame.kind == "play"
        ]
        for at, place, clause, frame in Random(seed).sample(plays, 5):
            spell, _ = frame.objs
            found = audit_with(
                one, at.number, with_told(at, place, (clause, F.Pushed(replace(frame, objs=(spell, spell)))))
            )
            assert [finding.entry for finding in found.findings] == [at.number]
