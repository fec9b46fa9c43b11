"""The dossier's 30 invariants hold in random matches, and each detects a table or a fact that violates it."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.dea import GAME, actions as A, clauses as C, schema as S, table_queries as R
from domain.games.dea.cards import POOLS, card, load_cards
from domain.games.dea.invariants import matches, tables
from domain.games.dea.invariants.matches import is_usual
from domain.games.dea.invariants.printed import has_simple_statics, kind, moves_allowed, reach, stat_value
from domain.games.dea.rules import Rules
from domain.law.actions import Pass
from domain.law.clause import Clause
from domain.law.invariants import Match, PlayedAction, match_of
from domain.law.law import Law
from domain.law.offers import Template
from domain.table import facts as F
from domain.table.table import CardId, Effect, EffectId, Frame, FrameId, Obj, Place, Result, Seat, Table, zone
from recorder.simulate import simulate
from tests.breaking import first_broken
from tests.laws.samples import SEEDS, Moment, Sample, moments, sample
from tests.rows import for_each
from tests.rules.fault_injection import (
    Doctor,
    Prepare,
    active,
    another_card,
    as_it_is,
    clock,
    fewer_cards,
    insert_fact,
    lying,
    pieces,
    seated,
    seen_by,
    ticking,
    ways,
    whole,
    with_told,
    without,
)

KEY = GAME.key
P1, P2 = R.SEATS
RULES = GAME.versions["1"]
USUAL = range(0, 160, 8)
TURNED_PASSIVE = """[[cards]]
id = "Q97"
en = "Late Lamp"
ja = "遅い灯"
type = "equipment"
colour = "red"
rarity = "C"
pages = 1
abilities = [
    { kind = "static", on = "wearer", while = [{ is = "own_turn" }], mods = [{ mod = "stat", to = "atk", n = 1 }] },
]
"""


@pytest.mark.random
@for_each("seed", SEEDS)
def test_random_matches_keep_every_invariant(seed: int) -> None:
    match = sample(KEY, seed)
    assert first_broken(match.law, match.entries) is None


@cache
def moment(kind: str) -> tuple[Sample, Moment]:
    for seed in USUAL:
        for at in moments(KEY, seed):
            if at.before.clock.turn > 2 and SUCH[kind](at.before):
                return sample(KEY, seed), at
    raise AssertionError(f"no match has such a moment: {kind}")


def is_open(t: Table) -> bool:
    laid = [piece for piece in t.pieces.values() if zone(piece.place) == S.FORESHADOW]
    hands = all(R.hand(t, seat) for seat in R.SEATS)
    return R.in_open_main(t) and hands and len({piece.up for piece in laid}) == 2 and bool(worn(t))


def is_fought(t: Table) -> bool:
    return len(t.stack) > 1 and bool(R.hand(t, P1)) and t.stack[0].kind == "attack" and R.in_window(t)


SUCH: dict[str, Callable[[Table], bool]] = {"open": is_open, "battle": is_fought}


def table(kind: str = "open") -> Table:
    return moment(kind)[1].before


def worn(t: Table) -> list[CardId]:
    return [one for one, piece in t.pieces.items() if piece.host]


def character(t: Table, seat: Seat) -> CardId:
    return next(one for one in R.own_characters(RULES, t, seat) if kind(RULES, t, one) == "character")


def foreshadow(t: Table, up: bool) -> CardId:
    return next(one for one, piece in t.pieces.items() if zone(piece.place) == S.FORESHADOW and piece.up == up)


def first_in_hand(t: Table) -> CardId:
    return R.hand(t, P1)[0]


def item(t: Table, **changes: Any) -> Frame:
    objs = (Obj(first_in_hand(t), t.pieces[first_in_hand(t)].thing),)
    new = Frame(id=FrameId(t.framed + 1), lane="stack", kind="event", by=P1, objs=objs, numbers=(1, 0, 1))
    return replace(new, **changes)


def field(t: Table, source: CardId, number: int = 1) -> Effect:
    obj = Obj(source, t.pieces[source].thing)
    owner = t.pieces[source].owner
    return Effect(id=EffectId(number), kind=S.FIELD, by=owner, source=obj, until=S.LIVE, face="F03")


def doubled(t: Table) -> Table:
    one, other = (t.pieces[character(t, seat)].place for seat in R.SEATS)
    return t.with_changes(places={**t.places, one: t.places[one] + t.places[other]})


DOCTORED: dict[str, Callable[[Table], Table]] = {
    "every_card_lies_once": lambda t: lying(t, p1_sleeve=(*R.sleeve(t, P1), first_in_hand(t))),
    "every_card_lies_where_its_kind_does": lambda t: pieces(t, first_in_hand(t), owner=P2),
    "an_owner_has_the_gimmicks_of_a_plot": lambda t: without(t, first_in_hand(t)),
    "what_lies_on_the_stack_is_being_used": lambda t: lying(t, stack=(first_in_hand(t),)),
    "each_slot_holds_a_foreshadow": lambda t: t.with_changes(places={**t.places, R.slot(P1, 1): ()}),
    "the_characters_of_a_plot_stand_on_the_map": lambda t: without(t, character(t, P1)),
    "unplaced_cards_are_of_set_up": lambda t: pieces(t, character(t, P1), up=False),
    "a_cell_holds_one_character": doubled,
    "life_keeps_its_ceiling": lambda t: seated(t, P1, life=99),
    "nobody_has_won_unseen": lambda t: seated(t, P2, ep=6),
    "the_other_writer_has_not_moved": lambda t: pieces(
        t, character(t, R.opponent(active(t))), marks={S.ATTACKS_USED: 1}
    ),
    "a_field_is_live_once_a_writer": lambda t: t.with_changes(effects=(field(t, foreshadow(t, up=False)),)),
    "equipment_is_worn_once_and_by_its_owner": lambda t: pieces(t, worn(t)[0], host=CardId(0)),
    "the_stack_is_of_a_window": lambda t: t.with_changes(stack=(item(t),)),
    "a_window_waits_for_one": lambda t: ticking(t, passed=(P1,)),
    "outside_windows_only_answers_are_given": lambda t: ticking(t, phase=S.UP, step=S.EFFECTS),
}

MORE: list[tuple[str, Callable[[Table], Table]]] = [
    ("every_card_lies_once", lambda t: lying(t, p1_moon=())),
    ("every_card_lies_once", lambda t: t.with_changes(places={**t.places, Place("map:9,9"): ()})),
    ("every_card_lies_once", lambda t: without(t, first_in_hand(t))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, first_in_hand(t), place=Place("map:1,1"))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, character(t, P1), place=Place("p1.hand"))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, foreshadow(t, up=True), place=Place("p1.hand"))),
    ("unplaced_cards_are_of_set_up", lambda t: lying(t, p1_unplaced=(first_in_hand(t),))),
    ("nobody_has_won_unseen", lambda t: seated(t, P1, life=0)),
    ("a_field_is_live_once_a_writer", lambda t: t.with_changes(effects=(field(t, foreshadow(t, up=True)),) * 2)),
    ("equipment_is_worn_once_and_by_its_owner", lambda t: pieces(t, first_in_hand(t), host=character(t, P1))),
    ("equipment_is_worn_once_and_by_its_owner", lambda t: pieces(t, worn(t)[0], host=first_in_hand(t))),
    ("the_stack_is_of_a_window", lambda t: t.with_changes(running=(item(t, lane="running"),))),
    (
        "the_stack_is_of_a_window",
        lambda t: t.with_changes(effects=(replace(field(t, foreshadow(t, up=True)), until=S.BATTLE),)),
    ),
    ("a_window_waits_for_one", lambda t: ticking(t, step=S.WINDOW, awaited=R.SEATS)),
    ("a_window_waits_for_one", lambda t: ticking(t, step=S.END_WINDOW, awaited=(active(t),))),
]

OF_OFFERS = ("the_open_main_phase_is_the_turn_players", "with_the_result_a_match_is_over")


@for_each("name", [name for name in ways(GAME, RULES, "table") if name not in OF_OFFERS])
def test_an_invariant_of_tables_can_break(name: str) -> None:
    holds = ways(GAME, RULES, "table")[name]
    assert holds(RULES, table()) and not holds(RULES, DOCTORED[name](table()))


@for_each("name, doctor", MORE)
def test_an_invariant_of_tables_can_break_otherwise(name: str, doctor: Callable[[Table], Table]) -> None:
    assert not ways(GAME, RULES, "table")[name](RULES, doctor(table()))


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in OF_OFFERS for kind in (A.Move, Pass)])
def test_offers_that_nobody_should_have_break_an_invariant(
    name: str, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds, over = ways(GAME, RULES, "table")[name], table().with_changes(result=Result((P1,), "life"))
    there = over if name == "with_the_result_a_match_is_over" else table()
    assert holds(RULES, there)
    monkeypatch.setattr(tables, "offers", lambda rules, t, seat: iter((Template(kind),)))
    assert not holds(RULES, there)


def test_a_battle_has_its_own_room_and_nobody_where_the_attacker_came_from() -> None:
    holds, t = ways(GAME, RULES, "table")["a_cell_holds_one_character"], table("battle")
    battle = t.stack[0]
    assert holds(RULES, t)
    assert not holds(RULES, t.with_changes(places={**t.places, R.origin_of(battle): (first_in_hand(t),)}))
    assert not holds(RULES, t.with_changes(stack=()))
    third = (*t.places[R.battlefield(battle)], first_in_hand(t))
    assert not holds(RULES, t.with_changes(places={**t.places, R.battlefield(battle): third}))


def test_an_attack_lies_at_the_bottom() -> None:
    holds, t = ways(GAME, RULES, "table")["the_stack_is_of_a_window"], table("battle")
    assert holds(RULES, t)
    assert not holds(RULES, t.with_changes(stack=t.stack[::-1]))
    assert not holds(RULES, t.with_changes(running=t.stack[:1]))


@for_each("check", ["end_of_item", "end_of_stack"])
def test_where_victory_is_looked_at_later_nobody_has_won_for_a_while(check: str) -> None:
    holds, t = ways(GAME, RULES, "table")["nobody_has_won_unseen"], seated(table("battle"), P1, life=0)
    busy = ticking(t, step=S.RESOLVING).with_changes(running=(item(t, lane="running"),))
    assert not holds(RULES, busy) and holds(replace(RULES, victory_check=check), busy)
    assert not holds(replace(RULES, victory_check=check), seated(table(), P1, life=0))


def moving(*cards: CardId, to: str) -> F.Moved:
    return F.Moved(cards, Place(to))


def resolving(t: Table) -> Table:
    return ticking(t, step=S.RESOLVING, awaited=())


def struck(t: Table, seat: Seat, damage: int) -> tuple[Clause, F.AnyFact]:
    return C.BLOCKER_STRUCK, F.Marked(seat, S.LIFE, R.seat_mark(t, seat, S.LIFE) - damage)


def blocker(t: Table) -> Seat:
    return R.opponent(t.stack[0].by)


def fallen(t: Table) -> Table:
    return resolving(
        lying(pieces(t, first_in_hand(t), place=R.STACK_PLACE), stack=(first_in_hand(t),), p1_hand=R.hand(t, P1)[1:])
    )


UNLIKELY: dict[str, tuple[Prepare, Doctor]] = {
    "a_foreshadow_never_leaves_its_slot": (
        as_it_is,
        lambda t: (C.OPENED_STAYS, moving(foreshadow(t, up=True), to="p1.foreshadow:1")),
    ),
    "what_is_opened_stays_open": (
        as_it_is,
        lambda t: (C.OPENED_STAYS, F.Turned((foreshadow(t, up=True),), up=False)),
    ),
    "a_character_stays_on_the_map": (as_it_is, lambda t: (C.EFFECT_MOVES, moving(character(t, P1), to="p1.hand"))),
    "only_tokens_come_after_set_up": (
        as_it_is,
        lambda t: (C.TOKENS_ARE_CHARACTERS, F.Created(Place("map:3,3"), (CardId(99),), ("C01",), P1)),
    ),
    "only_tokens_leave_the_match": (as_it_is, lambda t: (C.TOKEN_REMOVED, F.Removed((character(t, P1),)))),
    "pages_keep_their_bounds": (as_it_is, lambda t: (C.PAGE_INCOME, F.Marked(P1, S.PAGES, 9))),
    "life_never_rises_above_its_ceiling": (as_it_is, lambda t: (C.LIFE_CEILING, F.Marked(P1, S.LIFE, 99))),
    "points_are_never_negative": (as_it_is, lambda t: (C.EP_BOUNDS, F.Marked(P1, S.EP, -1))),
    "a_line_is_scored_once_and_by_a_character": (
        lambda t: pieces(t, character(t, P1), place=Place("map:1,1"), marks={}),
        lambda t: (C.LINE_ONCE, F.Marked((character(t, P1),), S.LINE_SCORED, 1)),
    ),
    "records_are_cleared_together": (
        as_it_is,
        lambda t: (C.MOVES_A_TURN, F.Marked((character(t, P1),), S.MOVES_USED, 5)),
    ),
    "the_last_declared_is_taken_first": (
        lambda t: table("battle"),
        lambda t: (C.LAST_DECLARED_FIRST, F.Altered(t.stack[0].id, lane="running")),
    ),
    "what_is_through_was_taken_up": (
        lambda t: table("battle"),
        lambda t: (C.LAST_DECLARED_FIRST, F.Popped(t.stack[-1].id, "resolved")),
    ),
    "nothing_is_declared_while_the_stack_is_processed": (
        resolving,
        lambda t: (C.EVENT_IN_MAIN, F.Pushed(item(t))),
    ),
    "a_batch_is_processed_to_its_end": (resolving, lambda t: (C.OPPONENT_FIRST, clock(t, step=S.WINDOW))),
    "ids_only_grow": (
        as_it_is,
        lambda t: (C.DURATIONS, F.Began(field(t, foreshadow(t, up=True), t.begun + 2))),
    ),
    "a_knockback_follows_the_attack": (
        lambda t: table("battle"),
        lambda t: (C.KNOCKBACK, moving(R.blocker_of(t.stack[0]).card, to=R.origin_of(t.stack[0]))),
    ),
    "a_battle_hurts_only_the_blocker": (
        lambda t: table("battle"),
        lambda t: struck(t, t.stack[0].by, 1),
    ),
    "the_first_turn_begins_with_what_set_up_gave": (
        lambda t: ticking(seated(t, active(t), pages=8), turn=1, phase=S.UP, step=S.EFFECTS),
        lambda t: (C.MAIN_BEGINS, clock(t, phase=S.MAIN, step=S.OPEN)),
    ),
    "turns_alternate": (as_it_is, lambda t: (C.OPPONENTS_TURN, clock(t, turn=t.clock.turn + 1, phase=S.UP))),
    "nothing_follows_the_end": (
        lambda t: t.with_changes(result=Result((P1,), "life")),
        lambda t: (C.PAGE_INCOME, F.Marked(P1, S.PAGES, 1)),
    ),
    "what_is_negated_does_nothing": (
        lambda t: t.with_changes(running=(item(t, lane="running"),)),
        lambda t: (C.NEGATED, F.Marked(P1, S.PAGES, 1)),
    ),
    "the_card_of_what_failed_goes_to_the_sleeve": (fallen, lambda t: (C.BACK_TO_MAIN, clock(t, step=S.OPEN))),
}

MORE_UNLIKELY: list[tuple[str, Prepare, Doctor]] = [
    ("life_never_rises_above_its_ceiling", as_it_is, lambda t: (C.LIFE_CEILING, F.Marked(P1, S.MAX_LIFE, 9))),
    (
        "a_line_is_scored_once_and_by_a_character",
        as_it_is,
        lambda t: (C.LINE_ONCE, F.Marked((first_in_hand(t),), S.LINE_SCORED, 1)),
    ),
    (
        "records_are_cleared_together",
        as_it_is,
        lambda t: (C.MOVES_A_TURN, F.Marked((character(t, P1),), S.MOVES_USED, 0)),
    ),
    (
        "records_are_cleared_together",
        as_it_is,
        lambda t: (C.MOVES_A_TURN, F.Marked((character(t, R.opponent(active(t))),), S.MOVES_USED, 1)),
    ),
    (
        "a_batch_is_processed_to_its_end",
        lambda t: resolving(t).with_changes(stack=(item(t),)),
        lambda t: (C.BACK_TO_MAIN, clock(t, step=S.OPEN)),
    ),
    ("ids_only_grow", as_it_is, lambda t: (C.EVENT_IN_MAIN, F.Pushed(item(t, id=FrameId(1))))),
    ("a_battle_hurts_only_the_blocker", lambda t: table("battle"), lambda t: struck(t, blocker(t), 0)),
    ("a_battle_hurts_only_the_blocker", lambda t: table("battle"), lambda t: struck(t, blocker(t), 19)),
    ("a_battle_hurts_only_the_blocker", as_it_is, lambda t: struck(t, P1, 1)),
    ("turns_alternate", as_it_is, lambda t: (C.OPPONENTS_TURN, clock(t, active=R.opponent(active(t))))),
    (
        "nothing_follows_the_end",
        lambda t: t.with_changes(result=Result((P1,), "life"), marks={S.TITLED: 1}),
        lambda t: (C.TITLE, F.Marked(None, S.TITLED, 1)),
    ),
    (
        "what_is_negated_does_nothing",
        lambda t: t.with_changes(running=(item(t, lane="running"),)),
        lambda t: (C.NEGATED, F.Popped(item(t).id, "resolved")),
    ),
    (
        "the_card_of_what_failed_goes_to_the_sleeve",
        fallen,
        lambda t: (
            C.CARD_AFTER_RESOLUTION,
            moving(R.sleeve(t, P1)[0] if R.sleeve(t, P1) else foreshadow(t, up=True), to="p1.sleeve"),
        ),
    ),
]


@pytest.mark.parametrize("name", ways(GAME, RULES, "fact"))
def test_an_invariant_of_facts_can_break(name: str) -> None:
    if name in DOCTORED:
        pytest.skip("an invariant of tables that is looked at between facts too")
    prepare, doctor = UNLIKELY[name]
    there = prepare(table())
    assert not ways(GAME, RULES, "fact")[name](RULES, there, *doctor(there))


@for_each("name, prepare, doctor", MORE_UNLIKELY)
def test_an_invariant_of_facts_can_break_otherwise(name: str, prepare: Prepare, doctor: Doctor) -> None:
    there = prepare(table())
    assert not ways(GAME, RULES, "fact")[name](RULES, there, *doctor(there))


def test_what_a_reading_allows_breaks_nothing() -> None:
    facts, t = ways(GAME, RULES, "fact"), table()
    gone = (C.KNOCKBACK_BLOCKED, F.Removed((character(t, P1),)))
    assert not facts["only_tokens_leave_the_match"](RULES, t, *gone)
    assert facts["only_tokens_leave_the_match"](replace(RULES, knockback_edge="removed"), t, *gone)
    again = resolving(t).with_changes(stack=(item(t),))
    opens = (C.OPPONENT_FIRST, clock(again, step=S.WINDOW))
    assert facts["a_batch_is_processed_to_its_end"](replace(RULES, stack_resolution="reopen"), again, *opens)
    opened = t.with_changes(running=(item(t, lane="running", kind="foreshadow"),))
    late = (C.FORESHADOW_EP, F.Marked(P1, S.EP, 1))
    assert not facts["what_is_negated_does_nothing"](RULES, opened, *late)
    assert facts["what_is_negated_does_nothing"](replace(RULES, foreshadow_ep_timing="resolve"), opened, *late)
    fewer = without(t, character(t, P1))
    holds = ways(GAME, RULES, "table")["the_characters_of_a_plot_stand_on_the_map"]
    assert not holds(RULES, fewer) and holds(replace(RULES, knockback_edge="removed"), fewer)


def deeds(*kinds: type) -> Iterator[PlayedAction]:
    for seed in USUAL:
        for at in moments(KEY, seed):
            if isinstance(at.action, kinds):
                yield PlayedAction(at.actor, at.action, at.entry.told, at.before, at.after)


def marked(deed: PlayedAction, **marks: int) -> PlayedAction:
    return replace(deed, before=pieces(deed.before, deed.action.character, marks=marks))


def paid(deed: PlayedAction) -> bool:
    return card(RULES.cards, deed.before.pieces[deed.action.card].face).pages > 0


DEEDS: dict[str, tuple[Callable[[], PlayedAction], Callable[[PlayedAction], PlayedAction]]] = {
    "a_move_was_left": (lambda: next(deeds(A.Move)), lambda deed: marked(deed, moves_used=9)),
    "a_move_follows_its_type": (
        lambda: next(deeds(A.Move)),
        lambda deed: replace(deed, action=replace(deed.action, cell=deed.before.pieces[deed.action.character].place)),
    ),
    "what_is_paid_is_gone": (
        lambda: next(filter(paid, deeds(A.PlayEvent))),
        lambda deed: replace(deed, before=seated(deed.before, deed.actor, pages=8)),
    ),
    "chance_is_asked_for_what_it_decides": (
        lambda: next(deeds(A.Move)),
        lambda deed: with_told(deed, (C.CHANCE_RECORDED, F.Rolled("first_player"))),
    ),
    "a_match_ends_with_a_title_at_most": (
        lambda: next(deeds(A.Move)),
        lambda deed: replace(deed, before=deed.before.with_changes(result=Result((P1,), "life"))),
    ),
    "a_failed_item_changed_nothing": (
        lambda: next(deeds(A.Move)),
        lambda deed: with_told(
            deed, (C.NEGATED, F.Marked(P1, S.PAGES, 0)), (C.NEGATED, F.Popped(FrameId(1), "failed"))
        ),
    ),
}


@for_each("name", ways(GAME, RULES, "deed"))
def test_an_invariant_of_actions_can_break(name: str) -> None:
    find, doctor = DEEDS[name]
    deed, holds = find(), ways(GAME, RULES, "deed")[name]
    assert holds(RULES, deed) and not holds(RULES, doctor(deed))


def test_an_attack_takes_a_move_unless_the_rules_keep_them_apart() -> None:
    deed, holds = next(deeds(A.Attack)), ways(GAME, RULES, "deed")["a_move_was_left"]
    assert not holds(RULES, marked(deed, moves_used=9))
    assert holds(replace(RULES, attack_uses_move="no"), marked(deed, moves_used=9))
    assert not holds(replace(RULES, attack_uses_move="no"), marked(deed, attacks_used=1))


def test_an_attack_needs_an_enemy_and_a_move_an_empty_cell() -> None:
    holds = ways(GAME, RULES, "deed")["a_move_follows_its_type"]
    for deed in (next(deeds(A.Move)), next(deeds(A.Attack))):
        taken = deed.before.places.get(deed.action.cell, ())
        places = {**deed.before.places, deed.action.cell: () if taken else (character(deed.before, P1),)}
        assert holds(RULES, deed) and not holds(RULES, replace(deed, before=deed.before.with_changes(places=places)))


@pytest.mark.random
def test_numbers_are_what_the_law_shows() -> None:
    looked = 0
    for seed in range(8):
        rules = sample(KEY, seed).rules
        for at in moments(KEY, seed)[20::9]:
            for shown in GAME.readings(rules, at.before):
                if shown.name in ("atk", "def"):
                    assert stat_value(rules, at.before, shown.card, shown.name) == shown.value
                else:
                    left = moves_allowed(rules, at.before, shown.card) - R.mark(at.before, shown.card, S.MOVES_USED)
                    assert max(0, left) == shown.value and reach(rules, at.before, shown.card)
                looked += 1
    assert looked > 500


def test_only_cards_that_are_read_anew_are_held_against_it() -> None:
    assert has_simple_statics(RULES.cards) and is_usual(RULES)
    later = POOLS.lay_over(RULES.cards, load_cards(TURNED_PASSIVE, "later.toml", POOLS.cards_by_pool[RULES.cards]))
    assert not has_simple_statics(later) and not is_usual(replace(RULES, cards=later))
    assert is_usual(replace(RULES, map_preset="5x7")) and not is_usual(replace(RULES, attack_window="no"))
    holds = ways(GAME, RULES, "fact")["a_battle_hurts_only_the_blocker"]
    t = table("battle")
    assert holds(replace(RULES, cards=later), t, *struck(t, blocker(t), 19))


Made = Callable[[Rules, Match], tuple[Rules, Match]]


def of(doctor: Callable[[Match], Match]) -> Made:
    return lambda rules, match: (rules, doctor(match))


def move_last(match: Match) -> Match:
    last = match.tables[-1]
    one, other = (t for t in (foreshadow(last, up=True), foreshadow(last, up=False)))
    return replace(match, tables=[*match.tables[:-1], pieces(last, one, place=last.pieces[other].place)])


def closed(match: Match) -> Match:
    last = match.tables[-1]
    return replace(match, tables=[*match.tables[:-1], pieces(last, foreshadow(last, up=True), up=False)])


def scored_twice(match: Match) -> Match:
    def is_scored(fact: F.AnyFact, t: Table) -> bool:
        return isinstance(fact, F.Marked) and fact.name == S.LINE_SCORED

    there = next(fact for _, fact, t in match.facts() if is_scored(fact, t))
    return insert_fact(match, is_scored, lambda t: (C.LINE_ONCE, there))


def richer(match: Match) -> Match:
    place = next(at for at, deed in enumerate(match.deeds) if isinstance(deed.action, A.Move))
    deed = match.deeds[place]
    more = replace(deed, after=seated(deed.before, P1, life=R.seat_mark(deed.before, P1, S.LIFE) + 1))
    return replace(match, deeds=[*match.deeds[:place], more, *match.deeds[place + 1 :]])


MATCHES: dict[str, tuple[Made, ...]] = {
    "plots_stay_those_registered": (of(another_card), of(fewer_cards)),
    "foreshadows_keep_their_slots": (of(move_last), of(closed)),
    "lines_are_scored_by_few": (
        of(scored_twice),
        lambda rules, match: (replace(rules, characters_per_plot=0), match),
    ),
    "every_use_takes_something": (of(richer),),
    "turns_are_as_many_as_set": (lambda rules, match: (replace(rules, max_turns=1), match),),
    "a_view_holds_what_the_matrix_allows": (
        of(lambda match: seen_by(match, S.HAND, "all")),
        of(lambda match: seen_by(match, S.DECK, "all")),
        of(lambda match: seen_by(match, S.FORESHADOW, "all")),
        of(lambda match: seen_by(match, S.MAP, "count")),
        of(lambda match: seen_by(match, S.SLEEVE, "count")),
    ),
}


@cache
def looked_back() -> Match:
    for seed in USUAL:
        match = whole(sample(KEY, seed))
        laid = {p.up for p in match.tables[-1].pieces.values() if zone(p.place) == S.FORESHADOW}
        scored = any(isinstance(fact, F.Marked) and fact.name == S.LINE_SCORED for _, fact, _ in match.facts())
        if len(laid) == 2 and scored and len(match.opening.decks) == 2:
            return match
    raise AssertionError("no match ends so")


@for_each("name", [name for name in ways(GAME, RULES, "match") if name != "both_sides_are_alike"])
def test_an_invariant_of_matches_can_break(name: str) -> None:
    rules = sample(KEY, 0).rules
    holds = ways(GAME, RULES, "match")[name]
    assert holds(rules, looked_back())
    for doctor in MATCHES[name]:
        assert not holds(*doctor(rules, looked_back()))


def test_giving_up_takes_nothing() -> None:
    holds = ways(GAME, RULES, "match")["every_use_takes_something"]
    for seed in USUAL[:6]:
        assert holds(RULES, match_of(GAME.decoder(), simulate(Law(GAME, RULES), seed, concede=0.05)))


def test_sides_that_are_not_alike_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = matches.offers

    def unfair(rules: Rules, t: Table, seat: Seat) -> Iterator[Template]:
        return (one for one in offered(rules, t, seat) if seat == P1 or one.action is not A.Move)

    holds = ways(GAME, RULES, "match")["both_sides_are_alike"]
    match = sample(KEY, 2)
    assert holds(match.rules, whole(match))
    monkeypatch.setattr(matches, "offers", unfair)
    assert not holds(match.rules, whole(match))


def test_a_broken_match_says_where_and_by_which_invariant() -> None:
    match, at = moment("open")
    entries = list(match.entries)
    slip = (C.PAGE_INCOME, F.Marked(P1, S.PAGES, 9))
    entries[at.number - 1] = replace(at.entry, told=(slip, *at.entry.told))
    broken = first_broken(Law(GAME, match.rules), entries)
    assert broken is not None
    assert (broken[0], broken[1].number, broken[1].name) == (at.number, 5, "pages_keep_their_bounds")
