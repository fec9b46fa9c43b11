"""The dossier's 28 invariants hold in random matches, and each detects a table or a fact that violates it."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.grimoire import GAME, actions as A, clauses as C, schema as S
from domain.games.grimoire.cards import POOLS, card, load_cards
from domain.games.grimoire.invariants.matches import FACTS_MAX, OWN_TURNS_MAX, protecting_faces, refilling_faces
from domain.games.grimoire.invariants.printed import find_faces
from domain.games.grimoire.invariants.tables import COLOURS
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import character, grimoire, hand, living, next_living, spells
from domain.law.clause import Clause
from domain.law.invariants import Match, PlayedAction
from domain.law.law import Law
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CardId, Effect, EffectId, Frame, FrameId, Obj, Place, Result, Seat, Table, blank
from tests.breaking import first_broken
from tests.laws.samples import SEEDS, Moment, Sample, moments_of
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
    seated,
    seen_by,
    ticking,
    ways,
    whole,
)
from tests.rules.grimoire.matches import match

P1, P2, P3 = Seat("p1"), Seat("p2"), Seat("p3")
RULES = GAME.versions["1"]
LATER = """[[cards]]
id = "S97"
en = "Late Gift"
ja = "遅い贈り物"
type = "spell"
user = "Anon"
power = 0
toughness = 1
[[cards.abilities]]
kind = "triggered"
event = "turn_end"
do = [{ do = "may", then = [{ do = "gain", res = "od", n = 1 }] }]
"""
EXTENDING, QUICK = {"S09", "S28", "S49"}, {"S38", "S59"}


@pytest.mark.random
@for_each("seed", SEEDS)
def test_random_matches_keep_every_invariant(seed: int) -> None:
    one = match(seed)
    assert first_broken(Law(GAME, one.rules), one.entries) is None


@cache
def find_moment() -> tuple[Sample, Moment]:
    for seed in range(0, 60, 2):
        one = match(seed)
        if len(one.first_entry.seats) != 3:
            continue
        for found in moments_of(one):
            t = found.before
            quiet = (t.clock.phase, t.clock.step) == (S.MAIN, S.PRIORITY) and not t.asked and not t.stack
            if quiet and len(living(t)) == 3 and len(spells(t)) > 1 and t.clock.turn > 3:
                return one, found
    raise AssertionError("no match of three has two spells on the field")


def holder(t: Table) -> Seat:
    return t.clock.awaited[0]


def waiting(t: Table) -> Frame:
    first, second = spells(t)[:2]
    objs = (Obj(first, t.pieces[first].thing), Obj(second, t.pieces[second].thing))
    return Frame(id=FrameId(t.framed + 1), lane="stack", kind="play", by=P1, objs=objs)


def effect(t: Table, **changes: Any) -> Effect:
    spell = spells(t)[0]
    obj = Obj(spell, t.pieces[spell].thing)
    return replace(Effect(id=EffectId(1), kind="buff", by=P1, source=obj, on=(obj,), since=t.minted), **changes)


def first(t: Table) -> CardId:
    return spells(t)[0]


def twice(t: Table) -> Table:
    return t.with_changes(places={**t.places, place_in(P1, S.HAND): (*hand(t, P1), first(t))})


DOCTORED: dict[str, Callable[[Table], Table]] = {
    "every_card_lies_once": twice,
    "an_owner_has_as_many_cards_as_a_deck": lambda t: t.with_changes(pieces=dict(list(t.pieces.items())[:100])),
    "characters_stay_in_personal_zones": lambda t: pieces(t, first(t), place=Place("p1.personal")),
    "the_lost_leave_nothing": lambda t: seated(t, next_living(t, holder(t)), out=1),
    "numbers_are_never_negative": lambda t: seated(t, P1, mana=-1),
    "what_is_played_waits": lambda t: t.with_changes(stack=(waiting(t),)),
    "the_stack_is_of_the_main_phase": lambda t: ticking(t, phase="end").with_changes(stack=(waiting(t),)),
    "nothing_dead_is_left": lambda t: pieces(t, first(t), marks={"damage": 99}),
    "priority_is_held_by_one": lambda t: ticking(t, passed=living(t)),
    "one_decides_and_the_others_can_only_concede": lambda t: ticking(t, awaited=()),
    "what_comes_back_is_in_the_void": lambda t: t.with_changes(effects=(effect(t, kind="void", until=S.THIS_TURN),)),
    "timestamps_are_unique": lambda t: pieces(t, first(t), thing=t.pieces[spells(t)[1]].thing),
    "no_turn_goes_on_for_ever": lambda t: t.with_changes(marks={"held": 1}),
    "the_newest_control_decides": lambda t: pieces(
        t, first(t), controller=next_living(t, t.pieces[first(t)].controller)
    ),
}


MORE: list[tuple[str, Callable[[Table], Table]]] = [
    ("every_card_lies_once", lambda t: t.with_changes(places={**t.places, Place("p1.moon"): ()})),
    ("every_card_lies_once", lambda t: t.with_changes(places={**t.places, place_in(P1, S.HAND): ()})),
    (
        "characters_stay_in_personal_zones",
        lambda t: pieces(t, character(t, P1) or first(t), place=place_in(P1, S.HAND)),
    ),
    ("the_lost_leave_nothing", lambda t: t.with_changes(places={**t.places, place_in(P1, S.PERSONAL): ()})),
    ("numbers_are_never_negative", lambda t: seated(t, P1, luck=1)),
    ("numbers_are_never_negative", lambda t: pieces(t, first(t), marks={"damage": -1})),
    ("what_is_played_waits", lambda t: pieces(t, first(t), stance=S.PLAYED)),
    ("nothing_dead_is_left", lambda t: seated(t, P1, draw_failed=1)),
    ("nothing_dead_is_left", lambda t: t.with_changes(waiting=(replace(waiting(t), lane="waiting"),))),
    ("priority_is_held_by_one", lambda t: ticking(t, awaited=())),
    ("one_decides_and_the_others_can_only_concede", lambda t: ticking(t, awaited=living(t)[:2])),
    ("timestamps_are_unique", lambda t: t.with_changes(minted=1)),
    ("timestamps_are_unique", lambda t: t.with_changes(effects=(effect(t), effect(t)))),
    ("no_turn_goes_on_for_ever", lambda t: t.with_changes(marks={"actions": 1_002})),
]


@for_each("name", ways(GAME, RULES, "table"))
def test_an_invariant_of_tables_can_break(name: str) -> None:
    one, found = find_moment()
    holds = ways(GAME, RULES, "table")[name]
    assert holds(one.rules, found.before) and not holds(one.rules, DOCTORED[name](found.before))


@for_each("name, doctor", MORE)
def test_an_invariant_of_tables_can_break_otherwise(name: str, doctor: Callable[[Table], Table]) -> None:
    one, found = find_moment()
    assert not ways(GAME, RULES, "table")[name](one.rules, doctor(found.before))


def damaged(t: Table) -> Table:
    return pieces(t, first(t), marks={"damage": 1})


def damaged_in_turn(t: Table) -> Table:
    return ticking(damaged(t), active=t.pieces[first(t)].controller)


def moving(*cards: CardId | None, to: str) -> F.Moved:
    return F.Moved(tuple(card for card in cards if card), Place(to))


UNLIKELY: dict[str, tuple[Prepare, Doctor]] = {
    "a_character_only_ever_moves_out": (as_it_is, lambda t: (C.VOID, moving(character(t, P1), to="void"))),
    "no_card_comes_after_set_up": (
        as_it_is,
        lambda t: (C.DECK_SEPARATED, F.Created(Place("p1.hand"), (CardId(7),), ("S01",), P1)),
    ),
    "who_loses_is_beaten": (as_it_is, lambda t: (C.CONCESSION, F.Marked(P1, "out", 0))),
    "no_number_falls_below_nothing": (as_it_is, lambda t: (C.OD_COST, F.Marked(P1, "od", -1))),
    "only_a_card_gives_od": (as_it_is, lambda t: (C.RESOURCES_BOUNDED, F.Marked(P1, "od", 9))),
    "no_other_phase_begins_with_a_stack": (
        lambda t: t.with_changes(stack=(waiting(t),)),
        lambda t: (C.END, clock(t, phase="end")),
    ),
    "chroma_never_falls": (
        lambda t: seated(t, P1, **{"chroma.R": 2}),
        lambda t: (C.TRANCE, F.Marked(P1, "chroma.R", 1)),
    ),
    "turns_go_round": (as_it_is, lambda t: (C.NEXT_TURN, clock(t, turn=t.clock.turn + 1, phase="initialize"))),
    "damage_goes_away_by_known_events": (damaged, lambda t: (C.STATUS_CHANGE, F.Marked((first(t),), "damage", 0))),
    "no_spell_keeps_damage": (damaged_in_turn, lambda t: (C.NEXT_TURN, clock(t, phase=S.START))),
    "nothing_of_a_turn_outlives_it": (
        lambda t: t.with_changes(effects=(effect(t, until=S.THIS_TURN),)),
        lambda t: (C.NEXT_TURN, clock(t, phase="initialize")),
    ),
    "what_is_sent_away_lies_in_the_void": (as_it_is, lambda t: (C.VOID, F.Began(effect(t, kind="void")))),
    "ids_only_grow": (as_it_is, lambda t: (C.BUFF, F.Began(effect(t, id=EffectId(t.begun + 2))))),
    "what_moves_goes_elsewhere": (as_it_is, lambda t: (C.CAST_ENTERS, moving(first(t), to=S.FIELD))),
    "nothing_follows_the_end": (
        lambda t: t.with_changes(result=Result((P1,), "last_side")),
        lambda t: (C.OD_COST, F.Marked(P1, "od", 1)),
    ),
    "one_side_wins": (as_it_is, lambda t: (C.BEATEN_ALL_OPPONENTS, F.Finished(Result((P1,), "draw")))),
    "cards_are_put_in_order_by_chance": (
        as_it_is,
        lambda t: (C.GRIMOIRE, F.Arranged(Place("p1.grimoire"), grimoire(t, P1))),
    ),
    "a_state_removes_something": (as_it_is, lambda t: (C.LETHAL_SPELL, F.Stanced((first(t),), S.SPENDED))),
    "few_cards_extend_in_a_main_phase": (as_it_is, lambda t: (C.STATUS_CHANGE, F.Stanced((first(t),), 0))),
    "what_is_used_is_not_played": (
        lambda t: pieces(t, first(t), stance=S.SPENDED),
        lambda t: (C.STATUS_CHANGE, F.Stanced((first(t),), S.PLAYED)),
    ),
    "the_base_controller_is_given_on_entering": (
        as_it_is,
        lambda t: (C.CAST_ENTERS, F.Marked((first(t),), "base", 1)),
    ),
}


MORE_UNLIKELY: list[tuple[str, Doctor]] = [
    ("who_loses_is_beaten", lambda t: (C.OD_COST, F.Marked(P1, "out", 1))),
    ("turns_go_round", lambda t: (C.NEXT_TURN, clock(t, turn=t.clock.turn + 2, phase="initialize"))),
    ("turns_go_round", lambda t: (C.NEXT_TURN, clock(t, turn=t.clock.turn + 1))),
    ("chroma_never_falls", lambda t: (C.STATUS_CHANGE, F.Marked(P1, "chroma.R", 9))),
    ("one_side_wins", lambda t: (C.BEATEN_ALL_OPPONENTS, F.Finished(Result((P1,), "last_side")))),
    ("one_side_wins", lambda t: (C.BEATEN_IN_TURN_ORDER, F.Finished(Result((), "draw")))),
    ("a_state_removes_something", lambda t: (C.LETHAL_CHARACTER, F.Marked(P1, "od", 0))),
    ("a_state_removes_something", lambda t: (C.FAILED_DRAW_BEATEN, F.Stanced((first(t),), S.SPENDED))),
    ("the_base_controller_is_given_on_entering", lambda t: (C.CAST_ENTERS, F.Marked((first(t),), "base", 9))),
]


@for_each("name, doctor", MORE_UNLIKELY)
def test_an_invariant_of_facts_can_break_otherwise(name: str, doctor: Doctor) -> None:
    one, found = find_moment()
    assert not ways(GAME, RULES, "fact")[name](one.rules, found.before, *doctor(found.before))


@for_each("name", ways(GAME, RULES, "fact"))
def test_an_invariant_of_facts_can_break(name: str) -> None:
    one, found = find_moment()
    prepare, doctor = UNLIKELY[name]
    table = prepare(found.before)
    assert not ways(GAME, RULES, "fact")[name](one.rules, table, *doctor(table))


def deeds(*kinds: type) -> Iterator[tuple[Rules, PlayedAction]]:
    for seed in range(0, 60, 2):
        one = match(seed)
        for found in moments_of(one):
            if isinstance(found.action, kinds):
                yield one.rules, PlayedAction(found.actor, found.action, found.entry.told, found.before, found.after)


@cache
def cast_for_mana() -> tuple[Rules, PlayedAction]:
    return next(
        (rules, deed)
        for rules, deed in deeds(A.Cast)
        if any(fact == F.Marked(deed.actor, "mana", 0) for _, fact in deed.told)
    )


@cache
def played() -> tuple[Rules, PlayedAction]:
    return next(deeds(A.Play))


def richer(deed: PlayedAction, more: int) -> PlayedAction:
    mana = max(0, deed.before.seats[deed.actor]["mana"] + more)
    return replace(deed, before=seated(deed.before, deed.actor, mana=mana))


def with_told(deed: PlayedAction, clause: Clause, fact: F.AnyFact) -> PlayedAction:
    return replace(deed, told=(*deed.told, (clause, fact)))


DEEDS: dict[str, tuple[Callable[[], tuple[Rules, PlayedAction]], Callable[[PlayedAction], PlayedAction]]] = {
    "only_the_turn_player_casts": (
        cast_for_mana,
        lambda deed: replace(deed, actor=next_living(deed.before, deed.actor)),
    ),
    "who_casts_can_pay": (cast_for_mana, lambda deed: richer(deed, -99)),
    "a_cast_takes_its_cost": (cast_for_mana, lambda deed: richer(deed, 1)),
    "casting_leaves_chroma_alone": (
        cast_for_mana,
        lambda deed: with_told(deed, C.TRANCE, F.Marked(deed.actor, "chroma.R", 9)),
    ),
    "chance_decides_two_things": (
        cast_for_mana,
        lambda deed: with_told(deed, C.GRIMOIRE, F.Rolled("first_player")),
    ),
    "an_action_leads_to_few_facts": (cast_for_mana, lambda deed: replace(deed, told=deed.told * FACTS_MAX)),
    "a_play_uses_an_extended_spell": (
        played,
        lambda deed: replace(deed, before=pieces(deed.before, deed.action.spell, stance=S.SPENDED)),  # type: ignore[attr-defined]
    ),
}


@for_each("name", ways(GAME, RULES, "deed"))
def test_an_invariant_of_actions_can_break(name: str) -> None:
    find, doctor = DEEDS[name]
    rules, deed = find()
    holds = ways(GAME, RULES, "deed")[name]
    assert holds(rules, deed) and not holds(rules, doctor(deed))


def test_who_casts_needs_chroma_too() -> None:
    rules, deed = next(
        (rules, deed)
        for rules, deed in deeds(A.Cast)
        if card("", deed.before.pieces[deed.action.card].face).chroma  # type: ignore[attr-defined]
    )
    holds = ways(GAME, RULES, "deed")["who_casts_can_pay"]
    colourless = {f"chroma.{colour}": 0 for colour in COLOURS}
    assert holds(rules, deed)
    assert not holds(rules, replace(deed, before=seated(deed.before, deed.actor, **colourless)))
    literal = replace(rules, cast_inequality="literal")
    assert not holds(literal, replace(deed, before=seated(deed.before, deed.actor, **dict.fromkeys(colourless, 9))))


def test_cards_that_an_invariant_lets_off_are_known_by_their_text() -> None:
    assert refilling_faces(RULES) == {"S54", "S65"} and protecting_faces(RULES) == {"S45"}
    assert find_faces(RULES, mod="cannot", verb="be_broken") == {"S57"} and find_faces(RULES, do="extend") == EXTENDING
    assert find_faces(RULES, do="gain", res="od") == {"S58"} and find_faces(RULES, do="gain", res="chroma") == {"S61"}
    later = load_cards(LATER, "later.toml", POOLS.cards_by_pool[RULES.cards])
    assert find_faces(replace(RULES, cards=POOLS.lay_over(RULES.cards, later)), do="gain", res="od") == {"S58", "S97"}
    assert {
        face for face, printed in POOLS.cards_by_pool[RULES.cards].items() if "quick_cast" in printed.keywords
    } == QUICK


@cache
def plain() -> tuple[Rules, Match]:
    for seed in range(0, 200, 2):
        one = match(seed)
        decks = (*one.first_entry.decks.values(), *one.first_entry.sides.values())
        special = {face for deck in decks for face in deck}.intersection(
            refilling_faces(one.rules) | protecting_faces(one.rules)
        )
        if not special and len(one.first_entry.seats) > 2:
            return one.rules, whole(one)
    raise AssertionError("every match of more than two has such cards")


def trances(match: Match) -> list[PlayedAction]:
    return [deed for deed in match.deeds if isinstance(deed.action, A.TranceChoice)]


def without_its_first_trance(match: Match) -> Match:
    return replace(match, deeds=[deed for deed in match.deeds if deed is not trances(match)[0]])


def endless(match: Match) -> Match:
    deed = trances(match)[0]
    places = {**deed.before.places, place_in(deed.actor, S.GRIMOIRE): ()}
    return replace(match, deeds=[replace(deed, before=deed.before.with_changes(places=places))] * (OWN_TURNS_MAX + 2))


def begins(fact: F.AnyFact, t: Table) -> bool:
    return isinstance(fact, F.Clocked) and fact.clock.turn == 1


MATCHES: dict[str, tuple[Callable[[Match], Match], ...]] = {
    "cards_stay_those_registered": (another_card, fewer_cards),
    "opening_hands_are_as_set": (
        lambda match: insert_fact(match, begins, lambda t: (C.GRIMOIRE, moving(hand(t, P1)[0], to="p1.grimoire"))),
    ),
    "a_view_holds_what_the_matrix_allows": (
        lambda match: seen_by(match, S.HAND, "all"),
        lambda match: seen_by(match, S.GRIMOIRE, "all"),
        lambda match: seen_by(match, S.REMOVED, "all"),
        lambda match: seen_by(match, S.JUNKYARD, "count"),
    ),
    "one_trance_goes_before_each_main_phase": (
        without_its_first_trance,
        lambda match: replace(match, deeds=[*match.deeds, trances(match)[0]]),
    ),
    "grimoires_run_out": (endless, lambda match: replace(match, deeds=[*match.deeds, trances(match)[0]])),
}


@for_each("name", ways(GAME, RULES, "match"))
def test_an_invariant_of_matches_can_break(name: str) -> None:
    rules, found = plain()
    holds = ways(GAME, RULES, "match")[name]
    assert holds(rules, found)
    for doctor in MATCHES[name]:
        assert not holds(rules, doctor(found))


def test_a_broken_match_says_where_and_by_which_invariant() -> None:
    one, found = find_moment()
    entries = list(one.entries)
    entry = entries[found.number - 1]
    entries[found.number - 1] = replace(entry, told=((C.RESOURCES_BOUNDED, F.Marked(P1, "od", 9)), *found.entry.told))
    broken = first_broken(Law(GAME, one.rules), entries)
    assert broken is not None
    assert (broken[0], broken[1].number, broken[1].name) == (found.number, 6, "only_a_card_gives_od")


def test_the_first_turn_is_the_next_players_if_the_first_player_gave_up_before_it() -> None:
    holds = ways(GAME, RULES, "fact")["turns_go_round"]
    t = blank((P1, P2, P3))
    t = ticking(t.with_changes(seats={P1: {}, P2: {"out": 1}, P3: {}}), first=P2, phase="set_up")
    begun = {seat: clock(t, turn=1, active=seat, phase="initialize") for seat in t.seats}
    assert {seat for seat, fact in begun.items() if holds(RULES, t, C.NEXT_TURN, fact)} == {P3}
    there = t.with_changes(seats={P1: {}, P2: {}, P3: {}})
    assert {seat for seat, fact in begun.items() if holds(RULES, there, C.NEXT_TURN, fact)} == {P2}
