"""Invariants of single facts. `t` is the table before the fact."""

from typing import Final

from domain.games.grimoire import clauses as C, schema as S
from domain.games.grimoire.invariants.printed import find_faces
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import damage, is_out, living, seat_mark, spells
from domain.law.clause import Clause
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import Table

DEFEAT_CLAUSES: Final = (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN, C.BEAT, C.CONCESSION)
GUARDED_CLAUSES: Final = (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN, C.BEAT)
"""Causes of defeat that the od guard prevents."""


def face_in_progress(t: Table) -> str:
    """Return the face of the effect in progress, or ""."""
    return t.running[-1].face if t.running and t.running[-1].kind == "effect" else ""


# -- cards and players ------------------------------------------------------------------------------------------------


def a_character_only_ever_moves_out(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """A character moves only out of the game, with its player."""
    moving = [piece for card in fact.cards if (piece := t.pieces[card]).place.endswith("." + S.PERSONAL)]
    return all(fact.to == S.REMOVED and is_out(t, piece.owner) for piece in moving)


def no_card_comes_after_set_up(rules: Rules, t: Table, clause: Clause, fact: F.Created) -> bool:
    """Cards are created only before the first turn."""
    return t.clock.turn == 0


def who_loses_is_beaten(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """A player loses once, by a known clause, and never returns."""
    if fact.name != S.OUT:
        return True
    return isinstance(fact.on, str) and fact.to == 1 and not is_out(t, fact.on) and clause in DEFEAT_CLAUSES


# -- numbers ----------------------------------------------------------------------------------------------------------


def no_number_falls_below_nothing(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """A mark never becomes negative."""
    return fact.to >= 0


def only_a_card_gives_od(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """After set-up, od rises only by a card that says so."""
    if fact.name != S.OD or not isinstance(fact.on, str):
        return True
    if t.clock.turn == 0:
        return fact.to == rules.initial_od
    return fact.to <= seat_mark(t, fact.on, S.OD) or face_in_progress(t) in find_faces(rules, do="gain", res="od")


def chroma_never_falls(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """Chroma rises only by set-up, trances and cards that say so."""
    if not fact.name.startswith("chroma.") or not isinstance(fact.on, str):
        return True
    by_rule = clause in (C.INITIAL_CHROMA, C.MONO_CHROMA) if t.clock.turn == 0 else clause == C.TRANCE
    return fact.to > seat_mark(t, fact.on, fact.name) and (
        by_rule or face_in_progress(t) in find_faces(rules, do="gain", res="chroma")
    )


def damage_goes_away_by_known_events(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """Damage falls only by healing, in initialize (for characters if the rules say so), or by the od guard."""
    if fact.name != S.DAMAGE or not isinstance(fact.on, tuple):
        return True
    for hurt in fact.on:
        piece = t.pieces[hurt]
        if fact.to >= damage(t, hurt) or clause == C.DAMAGE_GOES_AWAY:
            continue
        is_spell = piece.place == S.FIELD
        is_initialize = clause == C.INITIALIZE and piece.controller == t.clock.active
        is_guarded = not is_spell and rules.od_guard == "automatic" and clause in GUARDED_CLAUSES
        if not is_guarded and not (is_initialize and (is_spell or rules.initialize_heals_character)):
            return False
    return True


# -- phases and turns -------------------------------------------------------------------------------------------------


def no_other_phase_begins_with_a_stack(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """Outside the main phase the stack is empty."""
    return fact.clock.phase == S.MAIN or not t.stack


def turns_go_round(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """Each turn belongs to the next living player in seat order. Of two players, the first has the odd turns."""
    if fact.clock.turn == t.clock.turn:
        return True
    old, new, seats = t.clock, fact.clock, list(t.seats)
    if new.turn != old.turn + 1 or new.phase != S.INITIALIZE or new.first is None or new.first != old.first:
        return False
    if new.active not in living(t) or (len(seats) == 2 and (new.turn % 2 == 1) != (new.active == new.first)):
        return False
    begin = seats.index(new.first) if old.active is None else seats.index(old.active) + 1
    following = [seats[(begin + step) % len(seats)] for step in range(len(seats))]
    return new.active == next(seat for seat in following if not is_out(t, seat))


def no_spell_keeps_damage(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """Spells have no damage after their controller's initialize."""
    if fact.clock.phase != S.START:
        return True
    return not any(damage(t, card) for card in spells(t) if t.pieces[card].controller == t.clock.active)


def nothing_of_a_turn_outlives_it(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """Effects that last for a turn, including voids, and marks of use end with it."""
    if fact.clock.phase != S.INITIALIZE:
        return True
    used = any(mark.startswith("used.") for piece in t.pieces.values() for mark in piece.marks)
    return not used and not any(effect.until == S.THIS_TURN for effect in t.effects)


# -- effects, moves and statuses --------------------------------------------------------------------------------------


def what_is_sent_away_lies_in_the_void(rules: Rules, t: Table, clause: Clause, fact: F.Began) -> bool:
    """A card is in the void when an effect begins to remember it."""
    if fact.effect.kind != S.VOID:
        return True
    return all(t.pieces[sent.card].place == S.VOID for sent in fact.effect.on)


def ids_only_grow(rules: Rules, t: Table, clause: Clause, fact: F.Began | F.Pushed) -> bool:
    """Numbers of effects and frames only grow."""
    if isinstance(fact, F.Began):
        return fact.effect.id == t.begun + 1 and fact.effect.since == t.minted
    return fact.frame.id == t.framed + 1


def what_moves_goes_elsewhere(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """A moved card changes its place and so becomes a new thing. Only moves to a grimoire may keep the place."""
    if not t.clock.turn or fact.to.endswith("." + S.GRIMOIRE):
        return True
    return all(t.pieces[card].place != fact.to for card in fact.cards)


def cards_are_put_in_order_by_chance(rules: Rules, t: Table, clause: Clause, fact: F.Arranged) -> bool:
    """A grimoire is shuffled only while chance is asked for it."""
    if not fact.shuffled or clause not in (C.DECK_SEPARATED, C.GRIMOIRE) or not t.asked:
        return False
    asked = t.asked[0]
    return asked.kind == "shuffle_grimoire" and (fact.place,) == tuple(
        place_in(seat, S.GRIMOIRE) for seat in asked.seats
    )


def a_state_removes_something(rules: Rules, t: Table, clause: Clause, fact: F.AnyFact) -> bool:
    """A state-based change removes a spell, a player or, by the od guard, od."""
    if clause == C.LETHAL_SPELL:
        return isinstance(fact, F.Moved) and all(t.pieces[card].place == S.FIELD for card in fact.cards)
    if clause not in (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN):
        return True
    if not isinstance(fact, F.Marked) or fact.name == S.OUT:
        return isinstance(fact, F.Marked)
    if rules.od_guard != "automatic" or fact.name not in (S.OD, S.DAMAGE, S.DRAW_FAILED):
        return False
    return fact.name != S.OD or (isinstance(fact.on, str) and fact.to == seat_mark(t, fact.on, S.OD) - 1)


def few_cards_extend_in_a_main_phase(rules: Rules, t: Table, clause: Clause, fact: F.Stanced) -> bool:
    """In the main phase only cards that say so extend a spell that has not just entered."""
    if fact.to != S.EXTENDED or t.clock.phase != S.MAIN:
        return True
    extending = find_faces(rules, do="extend")
    return face_in_progress(t) in extending and all(t.pieces[card].stance == S.SPENDED for card in fact.cards)


def what_is_used_is_not_played(rules: Rules, t: Table, clause: Clause, fact: F.Stanced) -> bool:
    """Only an extended spell becomes played."""
    if fact.to != S.PLAYED or t.clock.phase != S.MAIN:
        return True
    return all(t.pieces[card].stance == S.EXTENDED for card in fact.cards)


def the_base_controller_is_given_on_entering(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """The base controller is set when a spell enters and never changes."""
    if fact.name != S.BASE_CONTROLLER:
        return True
    if not isinstance(fact.on, tuple) or not 1 <= fact.to <= len(t.seats):
        return False
    for spell in fact.on:
        piece = t.pieces[spell]
        entering = piece.place == S.FIELD and piece.thing == t.minted and S.BASE_CONTROLLER not in piece.marks
        if not entering or piece.controller == piece.owner or list(t.seats)[fact.to - 1] != piece.controller:
            return False
    return True


# -- the end ----------------------------------------------------------------------------------------------------------


def one_side_wins(rules: Rules, t: Table, clause: Clause, fact: F.Finished) -> bool:
    """The winners are the last side alive. A draw needs a simultaneous loss or the judge."""
    if clause == C.TIME_DECISION:
        return True
    sides = {rules.teams_by_seat.get(seat, seat) for seat in living(t)}
    winners = tuple(seat for seat in t.seats if rules.teams_by_seat.get(seat, seat) in sides)
    if fact.result.reason == "last_side":
        return len(sides) == 1 and fact.result.winners == winners
    is_draw = rules.simultaneous_loss == "draw" and fact.result.reason == "draw"
    return is_draw and not sides and not fact.result.winners
