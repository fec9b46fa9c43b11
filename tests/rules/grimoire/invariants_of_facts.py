"""The dossier's invariants that every single fact keeps, each by its number: `t` is the table before it happens."""

from collections.abc import Callable

from domain.games.grimoire import clauses as C
from domain.games.grimoire import invariants as INV
from domain.games.grimoire.reading import at, bookmark, character, damage, hand, has, is_out, living
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    BASE,
    DAMAGE,
    DRAW_FAILED,
    EXTENDED,
    FIELD,
    INITIALIZE,
    MAIN,
    OD,
    OUT,
    PLAYED,
    SPENDED,
    VOID,
)
from domain.law.clause import Clause
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact, Arranged, Began, Clocked, Created, Finished, Marked, Moved, Pushed, Stanced
from domain.table.table import AnyTable
from tests.laws.samples import Sample

Invariant = Callable[[Sample, AnyTable, Clause, AnyFact], None]
FACT_TYPES: tuple[type, ...] = tuple(EVOLVE)
GUARDED = (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN, C.BEAT)
EXTENDING_CARDS = ("S09", "S28", "S49")
"""The cards that extend a spell in a main phase."""


def carried_out(t: AnyTable) -> str:
    """The face of the effect that is being processed; empty if none is."""
    return t.running[-1].face if t.running and t.running[-1].kind == "effect" else ""


def invariant_04_a_player_loses_once_and_by_a_beat(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Nobody comes back."""
    assert INV.who_loses_is_beaten(one.rules, t, clause, fact)


def invariant_05_numbers_never_become_negative(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Not even for the time of a fact."""
    assert not isinstance(fact, Marked) or fact.to >= 0, fact


def invariant_06_only_a_card_gives_od(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Once the match has begun; so without that card od only falls from its first number."""
    assert INV.only_a_card_gives_od(one.rules, t, clause, fact), "od rose by itself"


def invariant_08_no_phase_but_main_begins_with_a_stack(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """When the main phase is left nothing waits."""
    if isinstance(fact, Clocked) and fact.clock.phase != MAIN:
        assert not t.stack, f"{fact.clock.phase} begins with a stack"


def invariant_14_chroma_never_falls(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Set-up, trances and one card raise it; nothing of the sample set takes it."""
    assert INV.chroma_never_falls(one.rules, t, clause, fact)


def invariant_15_turns_grow_by_one_and_go_round(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """The first is 1; with two players odd turns are the first player's."""
    if not isinstance(fact, Clocked) or fact.clock.turn == t.clock.turn:
        return
    old, new = t.clock, fact.clock
    assert new.turn == old.turn + 1 and new.phase == INITIALIZE and new.active in living(t)
    assert new.first is not None and new.first == old.first
    if len(t.seats) == 2:
        assert (new.turn % 2 == 1) == (new.active == new.first)
    chairs = list(t.seats)
    if old.active is not None:
        here = chairs.index(old.active)
        following = [chairs[(here + step) % len(chairs)] for step in range(1, len(chairs) + 1)]
        assert new.active == next(seat for seat in following if not is_out(t, seat)), "a player was passed over"


def invariant_16_opening_hands(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """As many cards as set, and one more from a bookmark that is not empty."""
    if isinstance(fact, Clocked) and fact.clock.turn == 1 and t.clock.turn == 0:
        rules: Rules = one.rules
        for seat in living(t):
            aside = len(one.opened.sides.get(seat, ()))
            picked = min(rules.opening_bookmark_picks, aside)
            assert len(hand(t, seat)) == rules.opening_hand + picked, f"{seat} begins with {len(hand(t, seat))} cards"
            assert len(bookmark(t, seat)) == aside - picked


def invariant_17_damage_goes_away_only_by_known_events(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """From a character by healing, by an od guard or, if so set, in initialize; from a spell by healing or there."""
    rules: Rules = one.rules
    if isinstance(fact, Marked) and fact.name == DAMAGE and isinstance(fact.on, tuple):
        for healed in fact.on:
            if fact.to < damage(t, healed):
                assert t.pieces[healed].controller in t.seats
                spell = t.pieces[healed].place == FIELD
                inside = clause == C.INITIALIZE and t.pieces[healed].controller == t.clock.active
                guarded = not spell and rules.od_guard == "automatic" and clause in GUARDED
                by_rule = inside and (spell or rules.initialize_heals_character)
                assert clause == C.DAMAGE_GOES_AWAY or by_rule or guarded, f"{clause} takes damage away"
    assert INV.no_spell_keeps_damage(rules, t, clause, fact), "a spell keeps damage over its controller's initialize"


def invariant_18_nothing_of_a_turn_outlives_it(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Neither effects of that turn nor what was sent away for it nor marks of use."""
    assert INV.nothing_of_a_turn_outlives_it(one.rules, t, clause, fact)


def invariant_19_ids_only_grow(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Of effects and frames; what enters an area is new (its number is given by the table itself)."""
    if isinstance(fact, Began):
        assert fact.effect.id == t.begun + 1 and fact.effect.since == t.minted
    if isinstance(fact, Pushed):
        assert fact.frame.id == t.framed + 1
    if isinstance(fact, Moved) and t.clock.turn:
        here = [piece for card in fact.cards if (piece := t.pieces[card]).place == fact.to]
        assert not here or fact.to.endswith(".grimoire"), "a card moves to where it is"


def invariant_20_one_side_wins_and_nothing_follows(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """No other side has a living player; a draw is possible only where players lose together or a judge says so."""
    assert t.result is None, "something happens after the end"
    if not isinstance(fact, Finished):
        return
    rules: Rules = one.rules
    sides = {rules.teams_by_seat.get(seat, seat) for seat in living(t)}
    match fact.result.reason:
        case "last_side":
            (side,) = sides
            assert fact.result.winners == tuple(s for s in t.seats if rules.teams_by_seat.get(s, s) == side)
        case "draw":
            assert not sides and not fact.result.winners and rules.simultaneous_loss == "draw"
        case reason:
            assert clause == C.TIME_DECISION, f"{reason} ended it"


def invariant_21_cards_are_put_in_order_by_chance_alone(
    one: Sample, t: AnyTable, clause: Clause, fact: AnyFact
) -> None:
    """And only while chance is asked for it."""
    if isinstance(fact, Arranged):
        assert fact.shuffled and fact.place.endswith(".grimoire") and clause in (C.DECK_SEPARATED, C.GRIMOIRE)
        assert t.asked and t.asked[0].kind == "shuffle_grimoire" and fact.place == at(t.asked[0].seats[0], "grimoire")


def invariant_24_a_pass_of_states_removes_something(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """A spell, a player, or with a guard od: what a state brings about never leaves the table as it was."""
    if clause == C.LETHAL_SPELL:
        assert isinstance(fact, Moved) and all(t.pieces[card].place == FIELD for card in fact.cards)
    elif clause in (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN):
        assert isinstance(fact, Marked)
        if fact.name == OUT:
            return
        assert one.rules.od_guard == "automatic" and fact.name in (OD, DAMAGE, DRAW_FAILED)
        if fact.name == OD:
            assert isinstance(fact.on, str) and fact.to == has(t, fact.on, OD) - 1


def invariant_25_few_cards_extend_in_a_main_phase(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """Everything else that is extended there has just entered."""
    if isinstance(fact, Stanced) and t.clock.phase == MAIN:
        if fact.to == EXTENDED:
            assert carried_out(t) in EXTENDING_CARDS and all(t.pieces[card].stance == SPENDED for card in fact.cards)
        if fact.to == PLAYED:
            assert all(t.pieces[card].stance == EXTENDED for card in fact.cards), "what was used is played"


def invariant_28_the_base_controller_is_given_on_entering(
    one: Sample, t: AnyTable, clause: Clause, fact: AnyFact
) -> None:
    """And never changes."""
    if isinstance(fact, Marked) and fact.name == BASE:
        assert isinstance(fact.on, tuple) and fact.to
        for card in fact.on:
            piece = t.pieces[card]
            assert piece.place == FIELD and piece.thing == t.minted and BASE not in piece.marks
            assert list(t.seats)[fact.to - 1] == piece.controller != piece.owner


def invariant_03_a_character_never_moves_but_out(one: Sample, t: AnyTable, clause: Clause, fact: AnyFact) -> None:
    """It comes into being in its personal zone and leaves that with its player only."""
    if isinstance(fact, Moved):
        for seat in t.seats:
            assert character(t, seat) not in fact.cards or (fact.to == "removed" and is_out(t, seat))
    assert not isinstance(fact, Created) or t.clock.turn == 0
    if isinstance(fact, Began) and fact.effect.kind == VOID:
        assert all(t.pieces[sent.card].place == VOID for sent in fact.effect.on)


FACTS: dict[Invariant, tuple[type, ...]] = {
    invariant_03_a_character_never_moves_but_out: (Moved, Created, Began),
    invariant_04_a_player_loses_once_and_by_a_beat: (Marked,),
    invariant_05_numbers_never_become_negative: (Marked,),
    invariant_06_only_a_card_gives_od: (Marked,),
    invariant_08_no_phase_but_main_begins_with_a_stack: (Clocked,),
    invariant_14_chroma_never_falls: (Marked,),
    invariant_15_turns_grow_by_one_and_go_round: (Clocked,),
    invariant_16_opening_hands: (Clocked,),
    invariant_17_damage_goes_away_only_by_known_events: (Marked, Clocked),
    invariant_18_nothing_of_a_turn_outlives_it: (Clocked,),
    invariant_19_ids_only_grow: (Began, Pushed, Moved),
    invariant_20_one_side_wins_and_nothing_follows: FACT_TYPES,
    invariant_21_cards_are_put_in_order_by_chance_alone: (Arranged,),
    invariant_24_a_pass_of_states_removes_something: FACT_TYPES,
    invariant_25_few_cards_extend_in_a_main_phase: (Stanced,),
    invariant_28_the_base_controller_is_given_on_entering: (Marked,),
}
"""Each with the facts it is about."""
BY_TYPE = {one: tuple(function for function, about in FACTS.items() if one in about) for one in FACT_TYPES}
