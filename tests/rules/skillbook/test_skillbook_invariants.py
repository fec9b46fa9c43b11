"""The dossier's 17 invariants hold in random matches, and each detects a table or a fact that violates it."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.skillbook import GAME, actions as A, board as B, clauses as C, schema as S, table_queries as R
from domain.games.skillbook.cards import POOLS, card, load_cards
from domain.games.skillbook.invariants import matches
from domain.games.skillbook.invariants.printed import can_recompute, defence, is_flying, kind, terrain_under, units
from domain.games.skillbook.rules import Rules
from domain.law.invariants import Match, PlayedAction
from domain.law.law import Law
from domain.law.offers import Template
from domain.table import facts as F
from domain.table.table import CardId, Effect, EffectId, Frame, FrameId, Obj, Place, Result, Seat, Table, zone
from tests.breaking import first_broken
from tests.laws.samples import Moment, Sample, moments_of
from tests.rotation import rotate
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
    seen_by,
    ticking,
    ways,
    whole,
    with_told,
    without,
)
from tests.rules.skillbook.matches import match

P1, P2 = B.SEATS
RULES = GAME.versions["1"]
USUAL = range(0, 20, 2)
CONDITIONAL = """[[cards]]
id = "Q01"
en = "Brave Hare"
ja = "勇ましい兎"
type = "monster"
at = 1
df = 1
sp = 1
abilities = [{ kind = "continuous", on = "this", mods = [{ mod = "stat", to = "df", n = 1 }], if = "is_countering" }]
"""


@pytest.mark.random
@for_each("seed", rotate(range(8), 2))
def test_random_matches_keep_every_invariant(seed: int) -> None:
    one = match(seed)
    assert first_broken(one.law, one.entries) is None


@cache
def moments(seed: int) -> tuple[Moment, ...]:
    return moments_of(match(seed))


@cache
def moment(name: str) -> tuple[Sample, Moment]:
    for seed in USUAL:
        for at in moments(seed):
            if SUCH[name](at.before):
                return match(seed), at
    raise AssertionError(f"no match has such a moment: {name}")


def is_open(t: Table) -> bool:
    quiet = (t.clock.phase, t.clock.step) == (S.MAIN, S.IDLE) and bool(R.hand(t, P1)) and bool(R.book(t, P1))
    return quiet and len(units(t)) > 2 and bool(R.graveyard(t, P1)) and t.clock.turn > 2


SUCH: dict[str, Callable[[Table], bool]] = {
    "open": is_open,
    "answered": lambda t: bool(t.stack) and not t.asked and t.clock.turn > 0,
    "moving": lambda t: t.clock.phase == S.MOVE and not t.stack and len(t.running) == 1,
}


def table(name: str = "open") -> Table:
    return moment(name)[1].before


def first_in_hand(t: Table) -> CardId:
    return R.hand(t, P1)[0]


def hero(t: Table, seat: Seat = P1) -> CardId:
    return next(one for one in units(t) if kind(RULES, t, one) == "hero" and t.pieces[one].owner == seat)


def monster(t: Table) -> CardId:
    return next(one for one in units(t) if kind(RULES, t, one) == "monster")


def ground(t: Table, up: bool, empty: bool = True) -> CardId:
    taken = {terrain_under(t, one) for one in units(t)}
    there = (one for one, piece in t.pieces.items() if zone(piece.place) == S.GROUND and piece.up == up)
    return next(one for one in there if (one not in taken) == empty)


def item(t: Table, **changes: Any) -> Frame:
    new = Frame(
        id=FrameId(t.framed + 1),
        lane="stack",
        kind="skill",
        by=P1,
        objs=(Obj(first_in_hand(t), t.pieces[first_in_hand(t)].thing),),
    )
    return replace(new, **changes)


def window(t: Table) -> Frame:
    return Frame(id=FrameId(t.framed + 2), lane="running", kind="window", by=P1, words=("stack",), seats=(P1,))


def marked(t: Table, one: CardId, **marks: int) -> Table:
    return pieces(t, one, marks=marks)


def crowded(t: Table) -> Table:
    one, other = (t.pieces[hero(t, seat)].place for seat in B.SEATS)
    return t.with_changes(places={**t.places, one: t.places[one] + t.places[other]})


DOCTORED: list[tuple[str, Callable[[Table], Table]]] = [
    ("every_card_lies_once", lambda t: lying(t, p1_graveyard=(*R.graveyard(t, P1), first_in_hand(t)))),
    ("every_card_lies_once", lambda t: lying(t, p1_moon=())),
    ("every_card_lies_once", lambda t: t.with_changes(places={**t.places, Place("unit:9,9"): ()})),
    ("every_card_lies_once", lambda t: without(t, first_in_hand(t))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, first_in_hand(t), owner=P2)),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, hero(t), place=Place("p1.hand"))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, ground(t, up=True), place=Place("p1.book"))),
    ("every_card_lies_where_its_kind_does", lambda t: pieces(t, monster(t), place=Place("bound"))),
    ("each_square_has_a_terrain", lambda t: t.with_changes(places={**t.places, Place("ground:1,1"): ()})),
    ("each_square_has_a_terrain", lambda t: pieces(t, t.places[Place("ground:1,1")][0], owner=P2)),
    ("what_lies_on_the_stack_is_being_used", lambda t: lying(t, stack=(first_in_hand(t),))),
    ("what_lies_on_the_stack_is_being_used", lambda t: t.with_changes(stack=(item(t),))),
    ("tables_and_hands_keep_their_room", lambda t: lying(t, p1_hand=R.book(t, P1)[:2])),
    ("tables_and_hands_keep_their_room", lambda t: lying(t, p2_table=R.book(t, P2)[:5])),
    ("drawn_cards_wait_to_be_placed", lambda t: lying(t, p1_drawn=(first_in_hand(t),))),
    ("drawn_cards_wait_to_be_placed", lambda t: lying(add_question(t, "counter"), p1_drawn=(first_in_hand(t),))),
    ("a_square_holds_one_unit", crowded),
    ("each_player_has_a_hero_on_the_board", lambda t: without(t, hero(t))),
    ("each_player_has_a_hero_on_the_board", lambda t: pieces(t, hero(t), owner=P2)),
    ("nobody_has_lost_unseen", lambda t: marked(t, hero(t), damage=99)),
    ("nobody_has_lost_unseen", lambda t: marked(t, hero(t), damage=-1)),
    ("nobody_has_lost_unseen", lambda t: lying(t, p2_book=())),
    ("no_damage_reaches_its_df", lambda t: marked(t, monster(t), damage=9)),
    ("who_ignores_a_terrain_flies_over_it", lambda t: marked(t, landed(t), ignores_terrain=1)),
    ("what_is_in_force_lies_where_it_works", lambda t: pieces(t, monster(t), place=Place("bound"))),
    ("what_is_in_force_lies_where_it_works", lambda t: pieces(t, monster(t), host=hero(t))),
    ("what_is_in_force_lies_where_it_works", lambda t: marked(t, first_in_hand(t), activated=1)),
    ("what_is_in_force_lies_where_it_works", lambda t: pieces(t, first_in_hand(t), place=Place("p2.table"))),
    ("exactly_one_is_to_decide", lambda t: ticking(t, awaited=B.SEATS)),
    ("exactly_one_is_to_decide", lambda t: ticking(t, awaited=())),
    ("exactly_one_is_to_decide", lambda t: ticking(t, awaited=(R.opponent(active(t)),))),
    ("exactly_one_is_to_decide", lambda t: ticking(t, passed=(P1,))),
    ("exactly_one_is_to_decide", lambda t: ticking(t, phase=S.END, step=S.RESET)),
    ("exactly_one_is_to_decide", lambda t: t.with_changes(running=(item(t, lane="running"),))),
    ("exactly_one_is_to_decide", lambda t: ticking(t.with_changes(running=(window(t),)), passed=(active(t),))),
    ("the_stack_lies_under_a_window", lambda t: t.with_changes(stack=(item(t),))),
    ("the_stack_lies_under_a_window", lambda t: ticking(t.with_changes(stack=(item(t),)), step=S.ON_STACK)),
]


def landed(t: Table) -> CardId:
    return next(one for one in units(t) if not is_flying(RULES, t, one))


def add_question(t: Table, name: str) -> Table:
    return t.with_changes(asked=(Frame(id=FrameId(t.framed + 1), lane="asked", kind=name, by=P1),))


@for_each("name, doctor", DOCTORED)
def test_an_invariant_of_tables_can_break(name: str, doctor: Callable[[Table], Table]) -> None:
    holds = ways(GAME, RULES, "table")[name]
    assert holds(RULES, table()) and not holds(RULES, doctor(table()))


def test_every_invariant_of_tables_is_broken_somewhere() -> None:
    assert set(ways(GAME, RULES, "table")) == {name for name, _ in DOCTORED}


def test_a_stack_has_a_window_over_it_and_a_chance_comes_once() -> None:
    t = table("answered")
    facts = ways(GAME, RULES, "table")
    assert all(facts[name](RULES, t) for name in ("the_stack_lies_under_a_window", "exactly_one_is_to_decide"))
    assert not facts["the_stack_lies_under_a_window"](RULES, t.with_changes(running=()))
    assert not facts["exactly_one_is_to_decide"](RULES, ticking(t, passed=t.clock.awaited))


def test_what_is_between_two_rounds_of_checks_breaks_nothing() -> None:
    tables, t = ways(GAME, RULES, "table"), add_question(table(), "order_graveyard")
    assert tables["no_damage_reaches_its_df"](RULES, marked(t, monster(t), damage=9))
    assert tables["who_ignores_a_terrain_flies_over_it"](RULES, marked(t, landed(t), ignores_terrain=1))
    assert tables["drawn_cards_wait_to_be_placed"](RULES, lying(t, p1_drawn=(first_in_hand(t),)))


def test_where_books_are_looked_at_later_one_may_be_empty() -> None:
    holds, t = ways(GAME, RULES, "table")["nobody_has_lost_unseen"], lying(table(), p2_book=())
    for check in ("idle", "judgment", "on_need"):
        assert holds(replace(RULES, book_out_check=check), t)


def moving(*cards: CardId, to: str, up: bool = False) -> F.Moved:
    return F.Moved(cards, Place(to), up=up)


def over(t: Table) -> Table:
    return t.with_changes(result=Result((P1,), "hero"))


def fought(t: Table) -> Table:
    return marked(t, hero(t), fought=t.clock.turn)


UNLIKELY: list[tuple[str, Prepare, Doctor]] = [
    ("a_terrain_stays_where_it_was_laid", as_it_is, lambda t: (C.MAP_LAID_OUT, moving(ground(t, True), to="p1.hand"))),
    (
        "a_terrain_stays_where_it_was_laid",
        lambda t: pieces(t, ground(t, up=False), place=Place("p1.layout")),
        lambda t: (C.MAP_LAID_OUT, moving(layout(t), to="ground:1,1")),
    ),
    ("only_tokens_come_and_go", as_it_is, lambda t: (C.TOKENS_REMOVED, F.Removed((monster(t),)))),
    (
        "only_tokens_come_and_go",
        as_it_is,
        lambda t: (C.TOKENS_REMOVED, F.Created(Place("p1.hand"), (CardId(999),), ("Bone",), P1)),
    ),
    (
        "only_tokens_come_and_go",
        as_it_is,
        lambda t: (C.TOKENS_REMOVED, F.Created(t.pieces[hero(t)].place, (CardId(999),), ("Bone",), P1)),
    ),
    ("a_hero_stays_on_the_board", as_it_is, lambda t: (C.RECALL, moving(hero(t), to="p1.drawn"))),
    ("numbers_are_never_negative", as_it_is, lambda t: (C.DAMAGE_IS_AT, F.Marked((hero(t),), S.DAMAGE, -1))),
    ("numbers_are_never_negative", as_it_is, lambda t: (C.CHARGE, F.Marked((monster(t),), S.HP_LOST, 1))),
    ("numbers_are_never_negative", as_it_is, lambda t: (C.DAMAGE_IS_AT, F.Marked((first_in_hand(t),), S.DAMAGE, 1))),
    (
        "after_the_reset_nobody_is_hurt",
        lambda t: marked(t, monster(t), damage=1),
        lambda t: (C.JUDGMENT, clock(t, phase=S.END, step=S.JUDGE)),
    ),
    ("who_has_fought_moves_no_more", fought, lambda t: (C.MOVES_PER_TURN, F.Marked((hero(t),), S.MOVED, t.clock.turn))),
    (
        "who_has_fought_moves_no_more",
        fought,
        lambda t: (C.FIGHTS_PER_TURN, F.Marked((hero(t),), S.FOUGHT, t.clock.turn)),
    ),
    ("who_has_fought_moves_no_more", as_it_is, lambda t: (C.MOVES_PER_TURN, F.Marked((hero(t),), S.MOVED, 1))),
    (
        "nothing_goes_on_over_a_stack",
        lambda t: table("moving").with_changes(stack=(replace(item(table()), id=FrameId(1)),)),
        lambda t: (C.STEP_BY_STEP, F.Altered(t.running[0].id, step="stepped")),
    ),
    (
        "the_right_item_is_taken_up",
        lambda t: t.with_changes(stack=(item(t), item(t, id=FrameId(t.framed + 2)))),
        lambda t: (C.STACK, F.Altered(t.stack[0].id, lane="running")),
    ),
    (
        "a_terrain_is_covered_by_a_card_alone",
        as_it_is,
        lambda t: (C.FACE_DOWN_IDLE, F.Turned((ground(t, up=True),), up=False)),
    ),
    (
        "a_terrain_is_covered_by_a_card_alone",
        lambda t: t.with_changes(running=(item(t, lane="running", face="S39"),)),
        lambda t: (C.FACE_DOWN_IDLE, F.Turned((ground(t, up=True, empty=False),), up=False)),
    ),
    (
        "a_terrain_is_covered_by_a_card_alone",
        as_it_is,
        lambda t: (C.EXPLORED_FOR_GOOD, F.Turned((ground(t, up=False),), up=True)),
    ),
    (
        "a_terrain_is_covered_by_a_card_alone",
        as_it_is,
        lambda t: (C.EXPLORED_FOR_GOOD, F.Turned((ground(t, up=True, empty=False),), up=True)),
    ),
    (
        "a_choice_to_ignore_is_made_by_who_flies_on_what_lies_open",
        lambda t: pieces(t, *(one for one in (terrain_under(t, hero(t)),) if one), up=False),
        lambda t: (C.TERRAIN_IGNORED, F.Marked((hero(t),), S.IGNORES, 1)),
    ),
    ("ids_only_grow", as_it_is, lambda t: (C.STACK, F.Pushed(item(t, id=FrameId(1))))),
    ("ids_only_grow", as_it_is, lambda t: (C.STACK, F.Began(modifier(t, t.begun + 2)))),
    (
        "a_book_grows_by_charging_or_by_a_card",
        as_it_is,
        lambda t: (C.CHARGE, moving(R.graveyard(t, P1)[0], to="p1.book")),
    ),
    (
        "a_book_grows_by_charging_or_by_a_card",
        lambda t: ticking(t.with_changes(marks={S.CHARGING: 1}), phase=S.END, active=P1),
        lambda t: (C.CHARGE, moving(R.graveyard(t, P1)[0], to="p2.book")),
    ),
    (
        "an_ability_is_used_up_once_a_turn",
        lambda t: pieces(t, hero(t), marks={S.USED.format(0): t.clock.turn}),
        lambda t: (C.ONCE_PER_TURN, F.Marked((hero(t),), S.USED.format(0), t.clock.turn)),
    ),
    (
        "only_who_is_active_is_tapped",
        lambda t: pieces(t, hero(t), stance=S.RESTING),
        lambda t: (C.TAP_COST, F.Stanced((hero(t),), S.EXHAUSTED)),
    ),
    ("turns_alternate", as_it_is, lambda t: (C.TURNS_ALTERNATE, clock(t, turn=t.clock.turn + 1, phase=S.TURN_START))),
    ("turns_alternate", as_it_is, lambda t: (C.TURNS_ALTERNATE, clock(t, active=R.opponent(active(t))))),
    ("nothing_follows_the_end", over, lambda t: (C.CONCEDING, F.Finished(Result((P2,), "concede")))),
]


def layout(t: Table) -> CardId:
    return next(one for one, piece in t.pieces.items() if piece.place == "p1.layout")


def modifier(t: Table, number: int) -> Effect:
    return Effect(id=EffectId(number), kind=S.MOD, by=P1, source=Obj(first_in_hand(t), 1), until=S.EOT, numbers=(1,))


@for_each("name, prepare, doctor", UNLIKELY)
def test_an_invariant_of_facts_can_break(name: str, prepare: Prepare, doctor: Doctor) -> None:
    there = prepare(table())
    assert not ways(GAME, RULES, "fact")[name](RULES, there, *doctor(there))


def test_every_invariant_of_facts_is_broken_somewhere() -> None:
    between = {name for name, _ in DOCTORED}
    assert set(ways(GAME, RULES, "fact")) - between == {name for name, *_ in UNLIKELY}


def test_what_a_reading_allows_breaks_nothing() -> None:
    facts, t = ways(GAME, RULES, "fact"), fought(table())
    carried = (C.TELEPORT_ARRIVAL, F.Marked((hero(t),), S.MOVED, t.clock.turn))
    assert not facts["who_has_fought_moves_no_more"](RULES, t, *carried)
    assert facts["who_has_fought_moves_no_more"](replace(RULES, teleport_arrival="full_move"), t, *carried)
    both = t.with_changes(stack=(item(t), item(t, id=FrameId(t.framed + 2))))
    oldest = (C.STACK, F.Altered(both.stack[0].id, lane="running"))
    assert facts["the_right_item_is_taken_up"](replace(RULES, stack_order="fifo"), both, *oldest)


def deeds(*kinds: type) -> Iterator[PlayedAction]:
    for seed in USUAL:
        for at in moments(seed):
            if isinstance(at.action, kinds):
                yield PlayedAction(at.actor, at.action, at.entry.told, at.before, at.after)


def did_before(deed: PlayedAction, **marks: int) -> PlayedAction:
    return replace(deed, before=marked(deed.before, deed.action.unit, **marks))


def costly(deed: PlayedAction) -> bool:
    return any(isinstance(fact, F.Pushed) and R.cost_paid(fact.frame) > 0 for _, fact in deed.told)


DEEDS: list[tuple[str, Callable[[], PlayedAction], Callable[[PlayedAction], PlayedAction]]] = [
    (
        "a_unit_moves_and_fights_once",
        lambda: next(deeds(A.DeclareMove)),
        lambda deed: did_before(deed, moved=deed.before.clock.turn),
    ),
    (
        "a_unit_moves_and_fights_once",
        lambda: next(deeds(A.StartBattle)),
        lambda deed: did_before(deed, fought=deed.before.clock.turn),
    ),
    (
        "a_use_takes_its_card",
        lambda: next(filter(costly, deeds(A.UseSkill))),
        lambda deed: replace(deed, told=tuple(told for told in deed.told if not isinstance(told[1], F.Moved))),
    ),
    (
        "a_use_takes_its_card",
        lambda: next(filter(costly, deeds(A.UseSkill))),
        lambda deed: replace(deed, before=lying(deed.before, **{f"{deed.actor}_book": ()})),
    ),
    (
        "chance_is_asked_for_what_it_decides",
        lambda: next(deeds(A.DeclareMove)),
        lambda deed: with_told(deed, (C.CHANCE_RECORDED, F.Rolled("toss"))),
    ),
    (
        "chance_is_asked_for_what_it_decides",
        lambda: next(deeds(A.ShuffleBook)),
        lambda deed: replace(deed, before=deed.before.with_changes(asked=())),
    ),
    (
        "showing_a_graveyard_changes_nothing",
        lambda: next(deeds(A.ShowGraveyard)),
        lambda deed: with_told(deed, (C.CHARGE, F.Marked(None, S.CHARGING, 1))),
    ),
]


@for_each("name, find, doctor", DEEDS)
def test_an_invariant_of_actions_can_break(
    name: str, find: Callable[[], PlayedAction], doctor: Callable[[PlayedAction], PlayedAction]
) -> None:
    deed, holds = find(), ways(GAME, RULES, "deed")[name]
    assert holds(RULES, deed) and not holds(RULES, doctor(deed))


def test_every_invariant_of_actions_is_broken_somewhere() -> None:
    assert set(ways(GAME, RULES, "deed")) == {name for name, *_ in DEEDS}


@pytest.mark.random
def test_numbers_are_what_the_law_shows() -> None:
    looked = 0
    for seed in USUAL[:4]:
        for at in moments(seed)[20::5]:
            for shown in GAME.readings(match(seed).rules, at.before):
                if shown.name == "df":
                    assert defence(match(seed).rules, at.before, shown.card) == shown.value
                    looked += 1
    assert looked > 100


def test_only_cards_that_are_read_anew_are_held_against_it() -> None:
    assert can_recompute(RULES.cards)
    later = POOLS.lay_over(RULES.cards, load_cards(CONDITIONAL, "later.toml", POOLS.cards_by_pool[RULES.cards]))
    assert not can_recompute(later) and card(later, "Q01").df == 1
    t = marked(table(), monster(table()), damage=9)
    assert ways(GAME, RULES, "table")["no_damage_reaches_its_df"](replace(RULES, cards=later), t)


Made = Callable[[Rules, Match], tuple[Rules, Match]]


def of(doctor: Callable[[Match], Match]) -> Made:
    return lambda rules, match: (rules, doctor(match))


def fewer_skills(match: Match) -> Match:
    last = match.tables[-1]
    return replace(match, tables=[*match.tables[:-1], without(last, R.book(last, P1)[0])])


def another_result(match: Match) -> Match:
    return insert_fact(
        match, lambda fact, t: t.clock.turn == 2, lambda t: (C.CONCEDING, F.Finished(Result((P1,), "concede")))
    )


def drawn_twice(match: Match) -> Match:
    def is_draw(fact: F.AnyFact, t: Table) -> bool:
        return isinstance(fact, F.Moved) and zone(fact.to) == S.DRAWN and t.clock.phase == S.DRAW

    return insert_fact(
        match, is_draw, lambda t: (C.TURN_DRAW, moving(R.book(t, active(t))[1], to=f"{active(t)}.{S.DRAWN}"))
    )


MATCHES: dict[str, tuple[Made, ...]] = {
    "decks_stay_those_registered": (of(another_card), of(fewer_cards)),
    "the_skills_of_each_player_stay_as_many": (of(fewer_skills),),
    "a_match_has_one_result_at_most": (of(another_result),),
    "each_turn_takes_a_card_from_a_book": (
        of(drawn_twice),
        lambda rules, match: (replace(rules, first_turn_draw="no"), match),
    ),
    "a_view_holds_what_the_matrix_allows": (
        of(lambda match: seen_by(match, S.HAND, "all")),
        of(lambda match: seen_by(match, S.BOOK, "all")),
        of(lambda match: seen_by(match, S.GRAVEYARD, "all")),
        of(lambda match: seen_by(match, S.GROUND, "all")),
        of(lambda match: seen_by(match, S.UNIT, "count")),
    ),
}


@cache
def looked_back() -> Match:
    for seed in USUAL:
        held_anew = whole(match(seed))
        last = held_anew.tables[-1]
        if all(R.book(last, seat) and len(R.graveyard(last, seat)) > 1 for seat in B.SEATS):
            return held_anew
    raise AssertionError("no match ends so")


@for_each("name", [name for name in ways(GAME, RULES, "match") if name != "both_sides_are_alike"])
def test_an_invariant_of_matches_can_break(name: str) -> None:
    holds = ways(GAME, RULES, "match")[name]
    rules = replace(RULES, cards=match(0).rules.cards)
    assert holds(rules, looked_back())
    for doctor in MATCHES[name]:
        assert not holds(*doctor(rules, looked_back()))


def test_sides_that_are_not_alike_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = matches.offers

    def unfair(rules: Rules, t: Table, seat: Seat) -> Iterator[Template]:
        return (one for one in offered(rules, t, seat) if seat == P1 or one.action is not A.EndTurn)

    one, at = moment("open")
    assert matches.is_symmetric(one.rules, at.before)
    assert ways(GAME, RULES, "match")["both_sides_are_alike"](one.rules, looked_back())
    monkeypatch.setattr(matches, "offers", unfair)
    assert not matches.is_symmetric(one.rules, at.before)


def test_a_mirrored_table_mirrored_is_the_same() -> None:
    for name in SUCH:
        t = table(name)
        there = matches.sides(RULES).mirrored(t)
        assert there != t and matches.sides(RULES).mirrored(there) == t


def test_a_broken_match_says_where_and_by_which_invariant() -> None:
    one, at = moment("open")
    entries = list(one.entries)
    slip = (C.DAMAGE_IS_AT, F.Marked((hero(at.before),), S.DAMAGE, -1))
    entries[at.number - 1] = replace(at.entry, told=(slip, *at.entry.told))
    broken = first_broken(Law(GAME, one.rules), entries)
    assert broken is not None
    assert (broken[0], broken[1].number, broken[1].name) == (at.number, 5, "numbers_are_never_negative")
