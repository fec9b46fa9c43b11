"""Each of the dossier's 28 invariants detects a table, a fact, an action or a match that violates it."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec.structs import replace

from domain.games.blackpoker import GAME, actions as A, clauses as C, schema as S
from domain.games.blackpoker.cards import number
from domain.games.blackpoker.invariants.matches import NEXT_GENERATION
from domain.games.blackpoker.invariants.tables import is_at_decision, row, units
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.table_queries import P1, P2, SEATS, opponent
from domain.law.clause import Clause
from domain.law.invariants import Match, PlayedAction
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Effect, EffectId, Frame, FrameId, Lane, Obj, Place, Result, Table
from tests.laws.samples import moments, sample
from tests.rows import for_each
from tests.rules.fault_injection import (
    Doctor,
    Prepare,
    another_card,
    as_it_is,
    clock,
    fewer_cards,
    insert_fact,
    pieces,
    seen_by,
    ticking,
    ways,
    whole,
)

KEY = GAME.key
RULES = GAME.versions["8.1-lite"]


@cache
def find_table() -> tuple[Rules, Table]:
    for seed in range(0, 60, 2):
        for found in moments(KEY, seed):
            t = found.before
            staged = any(one.cards for one in t.stack)
            if (
                is_at_decision(t)
                and staged
                and units(t, P1)
                and row(t, P1, S.BULWARKS)
                and len(row(t, P1, S.GRAVE)) > 2
            ):
                return sample(KEY, seed).rules, t
    raise AssertionError("no match comes to such a moment")


def soldier(t: Table) -> CardId:
    return next(iter(units(t, P1)))


def added(t: Table, kind: str, lane: Lane) -> Frame:
    return Frame(id=FrameId(t.framed + 1), lane=lane, kind=kind, by=P1)


def shrunk(t: Table) -> Table:
    obj = Obj(soldier(t), t.pieces[soldier(t)].thing)
    fog = Effect(id=EffectId(1), kind="down", by=P2, source=obj, on=(obj,), since=t.clock.turn, numbers=(-99,))
    return t.with_changes(effects=(fog,))


def twice(t: Table) -> Table:
    return t.with_changes(places={**t.places, Place("p1.hand"): (*row(t, P1, S.HAND), soldier(t))})


DOCTORED: dict[str, Callable[[Table], Table]] = {
    "every_card_lies_once": twice,
    "no_card_lies_with_the_other": lambda t: pieces(t, soldier(t), controller=P2),
    "one_holds_the_chance": lambda t: ticking(t, awaited=()),
    "only_who_is_awaited_has_anything_to_do": lambda t: ticking(t, awaited=SEATS),
    "main_requests_lie_lowest": lambda t: t.with_changes(stack=(*t.stack, added(t, "summon_soldier", "stack"))),
    "one_basic_action_at_most": lambda t: t.with_changes(
        stack=(added(t, "attack", "stack"), added(t, "block", "stack"))
    ),
    "requests_have_their_keys": lambda t: t.with_changes(stack=()),
    "passes_are_recorded_once": lambda t: ticking(t, passed=(P1, P1)),
    "the_field_is_in_order": lambda t: pieces(t, soldier(t), up=False),
    "every_soldier_has_a_size": shrunk,
    "fogs_count_their_number": shrunk,
    "nothing_immediate_waits": lambda t: t.with_changes(waiting=(added(t, "charge", "waiting"),)),
    "graves_are_seen_on_top": lambda t: pieces(t, row(t, P1, S.GRAVE)[-1], up=False),
}


def grown(t: Table) -> Table:
    heart = next(card for card, piece in t.pieces.items() if (piece.face or "").startswith("H"))
    source, more = Obj(heart, t.pieces[heart].thing), number(t.pieces[heart].face) + 1
    return t.with_changes(effects=(replace(shrunk(t).effects[0], kind="up", source=source, numbers=(more,)),))


MORE: list[tuple[str, Callable[[Table], Table]]] = [
    ("every_card_lies_once", lambda t: pieces(t, soldier(t), place=Place("p1.hand"))),
    ("every_card_lies_once", lambda t: t.with_changes(places={**t.places, Place("p1.hand"): row(t, P1, S.HAND)[1:]})),
    ("no_card_lies_with_the_other", lambda t: pieces(t, soldier(t), place=Place("p2.soldiers"))),
    ("one_holds_the_chance", lambda t: ticking(t, active=None)),
    ("one_basic_action_at_most", lambda t: t.with_changes(stack=(*t.stack, added(t, "draw", "stack")))),
    ("passes_are_recorded_once", lambda t: ticking(t, passed=SEATS)),
    ("the_field_is_in_order", lambda t: pieces(t, row(t, P1, S.BULWARKS)[0], up=True)),
    ("the_field_is_in_order", lambda t: pieces(t, soldier(t), face="JK")),
    ("fogs_count_their_number", grown),
    ("nothing_immediate_waits", lambda t: t.with_changes(running=(added(t, "search", "running"),))),
]


@for_each("name, doctor", MORE)
def test_an_invariant_of_tables_can_break_otherwise(name: str, doctor: Callable[[Table], Table]) -> None:
    rules, table = find_table()
    assert not ways(GAME, RULES, "table")[name](rules, doctor(table))


@for_each("name", ways(GAME, RULES, "table"))
def test_an_invariant_of_tables_can_break(name: str) -> None:
    rules, table = find_table()
    holds = ways(GAME, RULES, "table")[name]
    assert holds(rules, table) and not holds(rules, DOCTORED[name](table))


def over(t: Table) -> Table:
    return t.with_changes(result=Result((P1,), "life"))


def ticks(t: Table) -> tuple[Clause, F.AnyFact]:
    return C.DRAW_FIRST, clock(t)


UNLIKELY: dict[str, tuple[Prepare, Doctor]] = {
    "every_card_lies_once": (twice, ticks),
    "no_card_lies_with_the_other": (DOCTORED["no_card_lies_with_the_other"], ticks),
    "main_requests_lie_lowest": (DOCTORED["main_requests_lie_lowest"], ticks),
    "life_only_shrinks": (as_it_is, lambda t: (C.DRAW_FIRST, F.Moved(row(t, P1, S.GRAVE)[:1], Place("p1.life")))),
    "life_is_spent_by_known_events": (
        as_it_is,
        lambda t: (C.CONCESSION, F.Moved(row(t, P1, S.LIFE)[:1], Place("p1.hand"))),
    ),
    "turns_alternate": (as_it_is, lambda t: (C.DRAW_FIRST, clock(t, turn=t.clock.turn + 1))),
    "the_loser_has_no_life": (as_it_is, lambda t: (C.LIFE_EMPTY, F.Finished(Result((P1,), "life")))),
    "nothing_is_begun_after_the_end": (over, lambda t: (C.DRAW_FIRST, F.Pushed(added(t, "draw", "stack")))),
    "what_is_out_of_reach_never_happens": (as_it_is, lambda t: (C.DRAW_FIRST, F.Popped(t.stack[0].id, "discarded"))),
}


@for_each("name", ways(GAME, RULES, "fact"))
def test_an_invariant_of_facts_can_break(name: str) -> None:
    rules, table = find_table()
    prepare, doctor = UNLIKELY[name]
    table = prepare(table)
    assert not ways(GAME, RULES, "fact")[name](rules, table, *doctor(table))


def deeds() -> Iterator[tuple[Rules, PlayedAction]]:
    for seed in range(0, 60, 2):
        for found in moments(KEY, seed):
            deed = PlayedAction(found.actor, found.action, found.entry.told, found.before, found.after)
            yield sample(KEY, seed).rules, deed


def find_deed(fits: Callable[[PlayedAction], object]) -> tuple[Rules, PlayedAction]:
    return next((rules, deed) for rules, deed in deeds() if fits(deed))


def keyed(deed: PlayedAction) -> bool:
    return (
        isinstance(deed.action, A.Request)
        and not isinstance(deed.action, (A.End, A.Attack))
        and is_at_decision(deed.after)
    )


def second_pass(deed: PlayedAction) -> bool:
    return (
        isinstance(deed.action, A.Pass) and opponent(deed.actor) in deed.before.clock.passed and bool(deed.before.stack)
    )


def down_survived(deed: PlayedAction) -> bool:
    gone = {fact.id for _, fact in deed.told if isinstance(fact, F.Popped) and fact.how == "resolved"}
    downs = [one for one in deed.before.stack if one.kind == "down" and one.id in gone]
    return any(len(row(deed.after, one.by, S.FOG)) > len(row(deed.before, one.by, S.FOG)) for one in downs)


def sideways(deed: PlayedAction, *cards: CardId) -> PlayedAction:
    return replace(deed, before=pieces(deed.before, *cards, stance=1))


def without_fogs(deed: PlayedAction) -> PlayedAction:
    kept = {place: cards for place, cards in deed.after.places.items() if not place.endswith(".fog")}
    return replace(deed, after=deed.after.with_changes(places=kept))


DEEDS: dict[str, tuple[Callable[[PlayedAction], object], Callable[[PlayedAction], PlayedAction]]] = {
    "a_request_clears_the_passes": (keyed, lambda deed: replace(deed, after=ticking(deed.after, passed=(P1,)))),
    "two_passes_in_a_row_resolve": (second_pass, lambda deed: replace(deed, after=deed.before)),
    "down_kills_or_leaves_a_fog": (down_survived, without_fogs),
    "attackers_were_fit": (
        lambda deed: isinstance(deed.action, A.DesignateAttackers) and deed.action.units,
        lambda deed: sideways(deed, *deed.action.units),  # type: ignore[attr-defined]
    ),
    "blockers_were_fit": (
        lambda deed: isinstance(deed.action, A.DesignateBlockers) and deed.action.blocks,
        lambda deed: sideways(deed, *(blocker for blocker, _ in deed.action.blocks)),  # type: ignore[attr-defined]
    ),
    "requests_use_something_up": (keyed, lambda deed: replace(deed, after=deed.before)),
}


@for_each("name", ways(GAME, RULES, "deed"))
def test_an_invariant_of_actions_can_break(name: str) -> None:
    fits, doctor = DEEDS[name]
    rules, deed = find_deed(fits)
    holds = ways(GAME, RULES, "deed")[name]
    assert holds(rules, deed) and not holds(rules, doctor(deed))


@for_each(
    "spoilt",
    [
        lambda deed: replace(deed, action=A.DesignateBlockers(deed.action.blocks * 2)),
        lambda deed: replace(deed, actor=opponent(deed.actor)),
    ],
)
def test_blockers_are_ones_own_and_block_once(spoilt: Callable[[PlayedAction], PlayedAction]) -> None:
    rules, deed = find_deed(DEEDS["blockers_were_fit"][0])
    assert not ways(GAME, RULES, "deed")["blockers_were_fit"](rules, spoilt(deed))


def starts(kind: str) -> Callable[[F.AnyFact, Table], bool]:
    return lambda fact, t: isinstance(fact, F.Pushed) and fact.frame.kind == kind


def ticking_over(fact: F.AnyFact, t: Table) -> bool:
    return (
        isinstance(fact, F.Clocked)
        and t.clock.phase == S.PLAY
        and all(len(row(t, seat, S.GRAVE)) > 3 for seat in SEATS)
    )


def upside_down(t: Table) -> tuple[Clause, F.AnyFact]:
    return C.DRAW_FIRST, F.Arranged(Place("p1.grave"), row(t, P1, S.GRAVE)[::-1], shuffled=False)


def called(t: Table) -> tuple[Clause, F.AnyFact]:
    return C.DRAW_FIRST, F.Pushed(added(t, NEXT_GENERATION, "waiting"))


def in_combat(t: Table) -> tuple[Clause, F.AnyFact]:
    return C.DRAW_FIRST, F.Pushed(added(t, S.COMBAT, "running"))


def seen_in_hand(t: Table) -> tuple[Clause, F.AnyFact]:
    return C.DRAW_FIRST, F.Shown(row(t, P1, S.HAND)[:1], (EVERYONE,), lasting=True)


def shown_to_all(t: Table, area: str) -> Table:
    return pieces(t, *row(t, P1, area)[:1], seen=(EVERYONE,))


def repeat(match: Match, kind: type) -> Match:
    again = next(deed for deed in match.deeds if isinstance(deed.action, kind))
    return replace(match, deeds=[*match.deeds, again])


MATCHES: dict[str, tuple[Callable[[Match], Match], ...]] = {
    "cards_stay_those_registered": (another_card, fewer_cards),
    "sizes_are_printed_numbers_and_fogs": (
        lambda match: replace(match, tables=[t.with_changes(effects=()) for t in match.tables]),
    ),
    "combat_stands_between_attack_and_damage_judge": (lambda match: insert_fact(match, starts("end"), in_combat),),
    "one_next_generation_for_each_card_that_fell": (lambda match: insert_fact(match, starts(NEXT_GENERATION), called),),
    "no_next_generation_after_cards_from_elsewhere": (
        lambda match: insert_fact(match, ticking_over, called),
        lambda match: insert_fact(match, starts(NEXT_GENERATION), lambda t: (C.DRAW_FIRST, F.Clocked(t.clock))),
    ),
    "requests_keep_to_their_limits": (
        lambda match: repeat(match, A.Attack),
        lambda match: repeat(match, A.SetBulwark),
    ),
    "nothing_comes_back": (
        lambda match: insert_fact(
            match, ticking_over, lambda t: (C.DRAW_FIRST, F.Moved(row(t, P1, S.GRAVE)[:1], Place("p1.hand")))
        ),
    ),
    "turns_are_few": (
        lambda match: repeat(match, A.End),
        lambda match: replace(match, tables=[*match.tables[:-1], ticking(match.tables[-1], turn=99)]),
    ),
    "a_view_holds_what_its_viewer_may_see": (
        lambda match: seen_by(match, S.LIFE, "all"),
        lambda match: seen_by(match, S.LIFE, "count"),
        lambda match: seen_by(match, S.HAND, "all"),
        lambda match: seen_by(match, S.BULWARKS, "all"),
        lambda match: seen_by(match, S.GRAVE, "all"),
        lambda match: replace(match, tables=[shown_to_all(t, S.LIFE) for t in match.tables]),
    ),
    "hands_are_known_by_their_faces": (
        lambda match: replace(match, tables=[shown_to_all(t, S.HAND) for t in match.tables]),
        lambda match: insert_fact(match, ticking_over, seen_in_hand),
    ),
    "graves_end_with_the_last_batch": (lambda match: insert_fact(match, ticking_over, upside_down),),
}


@cache
def rich() -> tuple[Rules, Match]:
    for seed in range(0, 60, 2):
        match = whole(sample(KEY, seed))
        kinds = {fact.frame.kind for _, fact, _ in match.facts() if isinstance(fact, F.Pushed)}
        tried = {type(deed.action) for deed in match.deeds}
        fogs = any(t.effects for t in match.tables)
        late = any(ticking_over(fact, t) for _, fact, t in match.facts())
        if fogs and late and {NEXT_GENERATION, "end"} <= kinds and {A.Attack, A.SetBulwark, A.End} <= tried:
            return sample(KEY, seed).rules, match
    raise AssertionError("no match holds all of it")


@for_each("name", ways(GAME, RULES, "match"))
def test_an_invariant_of_matches_can_break(name: str) -> None:
    rules, match = rich()
    holds = ways(GAME, RULES, "match")[name]
    assert holds(rules, match)
    for doctor in MATCHES[name]:
        assert not holds(rules, doctor(match))
