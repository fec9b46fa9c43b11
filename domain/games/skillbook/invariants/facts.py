"""Invariants of single facts. `t` is the table before the fact."""

from typing import Final

from domain.games.skillbook import clauses as C, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import card
from domain.games.skillbook.invariants.printed import did_this_turn, is_unit, kind, monsters, terrain_under
from domain.games.skillbook.rules import Rules
from domain.law.clause import Clause
from domain.table import facts as F
from domain.table.table import Place, Seat, Table, frame, seat_of, square, zone

SKILL_PROCESSES: Final = ("skill", "ability", "trigger")
"""Processes that carry out card text."""


def has_instruction(rules: Rules, t: Table, instruction_type: type[T.Do]) -> bool:
    """True if the text in progress has such an instruction."""
    faces = [process.face for process in t.running if process.kind in SKILL_PROCESSES]
    return any(
        isinstance(do, instruction_type)
        for face in faces
        for ability in card(rules.cards, face).abilities
        if not isinstance(ability, T.Continuous)
        for do in ability.do
    )


# -- cards ------------------------------------------------------------------------------------------------------------


def only_tokens_come_and_go(rules: Rules, t: Table, clause: Clause, fact: F.Created | F.Removed) -> bool:
    """After set-up only tokens are created and removed: onto an empty square, and from the board."""
    if isinstance(fact, F.Removed):
        return all(kind(rules, t, token) == "token" and is_unit(t, token) for token in fact.cards)
    if not t.clock.turn:
        return True
    are_tokens = all(card(rules.cards, face).type == "token" for face in fact.faces)
    return are_tokens and zone(fact.place) == S.UNIT and not t.places.get(fact.place) and fact.owner in t.seats


def a_hero_stays_on_the_board(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """A hero on the board stays there."""
    heroes = [card_id for card_id in fact.cards if kind(rules, t, card_id) == "hero"]
    return not heroes or zone(fact.to) == S.UNIT


def a_terrain_stays_where_it_was_laid(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """A terrain is laid face down on an empty place, and then stays."""
    terrains = [card_id for card_id in fact.cards if kind(rules, t, card_id) in T.TERRAINS]
    if not terrains:
        return True
    is_laid = all(zone(t.pieces[card_id].place) == S.LAYOUT for card_id in terrains)
    return is_laid and zone(fact.to) == S.GROUND and not fact.up and not t.places.get(fact.to) and len(fact.cards) == 1


def a_terrain_is_covered_by_a_card_alone(rules: Rules, t: Table, clause: Clause, fact: F.Turned) -> bool:
    """Only a card covers a terrain. A unit on it, a card that explores, or set-up turns it up."""
    terrains = [terrain for terrain in fact.cards if zone(t.pieces[terrain].place) == S.GROUND]
    for terrain in terrains:
        units = t.places.get(Place(f"{S.UNIT}:{square(t.pieces[terrain].place)}"), ())
        if not fact.up and (units or not has_instruction(rules, t, T.Cover)):
            return False
        if fact.up and t.clock.turn and not units and not has_instruction(rules, t, T.Explore):
            return False
        if t.pieces[terrain].up == fact.up:
            return False
    return True


def a_book_grows_by_charging_or_by_a_card(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """A book grows only by charging or by a card that says so, with cards of its owner."""
    if zone(fact.to) != S.BOOK:
        return True
    if any(f"{t.pieces[card_id].owner}.{S.BOOK}" != fact.to for card_id in fact.cards):
        return False
    is_charging = t.clock.phase == S.END and t.marks.get(S.CHARGING) and seat_of(fact.to) == t.clock.active
    return bool(is_charging) or has_instruction(rules, t, T.BuryToBook)


# -- numbers ----------------------------------------------------------------------------------------------------------


def numbers_are_never_negative(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """Damage and losses of units are at least 0. Only heroes have losses other than damage."""
    if fact.name not in (S.DAMAGE, S.HP_LOST) or not isinstance(fact.on, tuple):
        return True
    are_heroes = all(kind(rules, t, unit) == "hero" for unit in fact.on)
    return fact.to >= 0 and all(is_unit(t, unit) for unit in fact.on) and (are_heroes or fact.name == S.DAMAGE)


def after_the_reset_nobody_is_hurt(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """After the reset only heroes have damage."""
    if (fact.clock.phase, fact.clock.step) != (S.END, S.JUDGE):
        return True
    return not any(t.pieces[unit].marks.get(S.DAMAGE) for unit in monsters(rules, t))


def who_has_fought_moves_no_more(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """A unit that has fought neither moves nor fights again that turn, except for teleports that count as moves."""
    if fact.name not in (S.MOVED, S.FOUGHT, S.EXPLORED) or not isinstance(fact.on, tuple):
        return True
    is_teleport = fact.name == S.MOVED and rules.teleport_arrival == "full_move" and clause == C.TELEPORT_ARRIVAL
    return fact.to == t.clock.turn and (is_teleport or not any(did_this_turn(t, unit, S.FOUGHT) for unit in fact.on))


def an_ability_is_used_up_once_a_turn(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """An ability limited to once a turn is marked at most once a turn."""
    if not fact.name.startswith(S.USED.format("")) or not isinstance(fact.on, tuple):
        return True
    return fact.to == t.clock.turn and not any(did_this_turn(t, source, fact.name) for source in fact.on)


def only_who_is_active_is_tapped(rules: Rules, t: Table, clause: Clause, fact: F.Stanced) -> bool:
    """Only an active unit is exhausted as a cost or to begin an action."""
    if clause not in (C.TAP_COST, C.SQUARES_PER_SP, C.EXPLORE_IN_PLACE, C.FIGHT_WITHOUT_MOVE):
        return True
    return fact.to == S.EXHAUSTED and all(t.pieces[unit].stance == S.ACTIVE for unit in fact.cards)


def a_choice_to_ignore_is_made_by_who_flies_on_what_lies_open(
    rules: Rules, t: Table, clause: Clause, fact: F.Marked
) -> bool:
    """Only a face-up terrain with a continuous ability can be ignored."""
    if fact.name != S.IGNORES or not fact.to or not isinstance(fact.on, tuple):
        return True
    terrains = [terrain_under(t, unit) for unit in fact.on]
    return all(
        terrain is not None
        and t.pieces[terrain].up
        and any(isinstance(ability, T.Continuous) for ability in card(rules.cards, t.pieces[terrain].face).abilities)
        for terrain in terrains
    )


# -- order ------------------------------------------------------------------------------------------------------------


def nothing_goes_on_over_a_stack(rules: Rules, t: Table, clause: Clause, fact: F.Altered) -> bool:
    """A move or battle advances only with an empty stack. A move may end earlier."""
    process = frame(t, fact.id)
    if process is None or process.kind not in ("move", "battle") or not fact.step or fact.step == process.step:
        return True
    return not t.stack or fact.step in ("ended", "halted")


def the_right_item_is_taken_up(rules: Rules, t: Table, clause: Clause, fact: F.Altered) -> bool:
    """The item that resolves is the last declared, or with "fifo" the first."""
    if fact.lane != "running" or not any(item.id == fact.id for item in t.stack):
        return True
    return fact.id == (t.stack[0] if rules.stack_order == "fifo" else t.stack[-1]).id


def turns_alternate(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """Turns alternate, beginning with the first player."""
    old, new = t.clock, fact.clock
    if new.turn == old.turn:
        return new.active == old.active and (new.first == old.first or old.first is None)
    next_seat: Seat | None = new.first if old.active is None else R.opponent(old.active)
    return new.turn == old.turn + 1 and new.active == next_seat and new.phase == S.TURN_START
