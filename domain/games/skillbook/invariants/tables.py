"""Invariants of the table at every decision, and some of them also between two facts."""

from collections import Counter
from typing import Final

from domain.games.skillbook import board as B, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import card
from domain.games.skillbook.invariants.printed import (
    can_recompute,
    defence,
    is_flying,
    kind,
    monsters,
    terrain_under,
    units,
)  # fmt: skip
from domain.games.skillbook.rules import Rules
from domain.law.invariants import is_at_play
from domain.parts.places import place_in
from domain.table.table import CHANCE, Place, Seat, Table, seat_of, square, zone

OWN_AREAS: Final = (S.BOOK, S.GRAVEYARD, S.HAND, S.TABLE, S.REMOVED, S.DRAWN, S.LAYOUT, S.HERO)
SKILL_AREAS: Final = (S.BOOK, S.GRAVEYARD, S.HAND, S.TABLE, S.REMOVED, S.DRAWN)
"""Areas of a player that can hold a skill."""
BEFORE_PLACING: Final = ("place_card", "order_graveyard", "order_triggers", "choose_targets")
"""Questions that can come before the placing of a drawn card."""
QUIET: Final = ((S.MAIN, S.IDLE), (S.CHARGE, S.CHOICE), (S.DRAW, S.DRAW))
"""Phases and steps without a declared item."""


def is_running(t: Table) -> bool:
    return t.result is None


def is_between_rounds(t: Table) -> bool:
    """True if a graveyard is being ordered before the next round of checks."""
    return any(asked.kind == "order_graveyard" for asked in t.asked)


# -- cards ------------------------------------------------------------------------------------------------------------


def every_card_lies_once(rules: Rules, t: Table) -> bool:
    """No card is lost or doubled, and every place belongs to the game."""
    placed = [card_id for row in t.places.values() for card_id in row]
    return (
        len(set(placed)) == len(placed)
        and set(placed) == set(t.pieces)
        and all(is_place(rules, place) for place in t.places)
    )


def is_place(rules: Rules, place: Place) -> bool:
    seat, area = seat_of(place), zone(place)
    if seat is not None:
        return seat in B.SEATS and area in OWN_AREAS and not square(place)
    if area in (S.GROUND, S.UNIT):
        return Place(f"{S.GROUND}:{square(place)}") in B.ground_places(rules.size)
    return place in (S.STACK, S.BOUND)


def every_card_lies_where_its_kind_does(rules: Rules, t: Table) -> bool:
    """Skills are with their owner (curses also with the opponent), terrains on squares, heroes and tokens are units."""
    for card_id, piece in t.pieces.items():
        area, is_own = zone(piece.place), seat_of(piece.place) == piece.owner
        match kind(rules, t, card_id):
            case "hero":
                is_right = area == S.UNIT or (is_own and area == S.HERO)
            case "token":
                is_right = area == S.UNIT
            case "basic" | "special" | "start":
                is_right = area == S.GROUND or (is_own and area == S.LAYOUT)
            case skill:
                places = {"monster": S.UNIT, "bind": S.BOUND}
                is_right = area in (S.STACK, places.get(skill, S.STACK))
                is_right = is_right or (area in SKILL_AREAS and (is_own or (skill == "curse" and area == S.TABLE)))
        if not is_right:
            return False
    return True


def each_square_has_a_terrain(rules: Rules, t: Table) -> bool:
    """From the first turn on, each square has a terrain. Terrains in a player's area are that player's."""
    if not t.clock.turn:
        return True
    for place in B.ground_places(rules.size):
        cards, at_square = t.places.get(place, ()), B.square_at(place)
        if len(cards) != 1 or at_square is None:
            return False
        owners = [seat for seat in B.SEATS if at_square in B.own_squares(rules.size, rules.own_rows, seat)]
        if owners and t.pieces[cards[0]].owner != owners[0]:
            return False
    return True


def what_lies_on_the_stack_is_being_used(rules: Rules, t: Table) -> bool:
    """A card on the stack is in use. The card of a waiting skill is on the stack."""
    used = {R.source_of(item).card for item in (*t.stack, *t.running) if item.kind == "skill"}
    waiting = {R.source_of(item).card for item in t.stack if item.kind == "skill"}
    on_stack = set(t.places.get(R.STACK_PLACE, ()))
    return not is_running(t) or (on_stack <= used and waiting <= on_stack)


# -- room -------------------------------------------------------------------------------------------------------------


def tables_and_hands_keep_their_room(rules: Rules, t: Table) -> bool:
    """Tables and hands never exceed their limits."""
    return all(
        len(t.places.get(place_in(seat, S.TABLE), ())) <= rules.table_slots
        and len(t.places.get(place_in(seat, S.HAND), ())) <= rules.hand_max
        for seat in t.seats
    )


def drawn_cards_wait_to_be_placed(rules: Rules, t: Table) -> bool:
    """Drawn cards wait only for questions of `BEFORE_PLACING`, unless the draw ended the match."""
    if not is_running(t) or not any(t.places.get(place_in(seat, S.DRAWN)) for seat in t.seats):
        return True
    return bool(t.asked) and t.asked[0].kind in BEFORE_PLACING


# -- units ------------------------------------------------------------------------------------------------------------


def a_square_holds_one_unit(rules: Rules, t: Table) -> bool:
    """A square holds at most one unit."""
    return all(len(units) <= 1 for place, units in t.places.items() if zone(place) == S.UNIT)


def each_player_has_a_hero_on_the_board(rules: Rules, t: Table) -> bool:
    """Each player has one hero on the board while the match runs."""
    heroes = Counter(t.pieces[unit].owner for unit in units(t) if kind(rules, t, unit) == "hero")
    return not is_at_play(t) or heroes == dict.fromkeys(t.seats, 1)


def nobody_has_lost_unseen(rules: Rules, t: Table) -> bool:
    """Both heroes live. If books are checked at all times, neither book is empty."""
    for unit in units(t):
        if kind(rules, t, unit) == "hero":
            hp_max = card(rules.cards, t.pieces[unit].face).df
            hp = hp_max - t.pieces[unit].marks.get(S.DAMAGE, 0) - t.pieces[unit].marks.get(S.HP_LOST, 0)
            if hp > hp_max or (is_at_play(t) and hp < 1):
                return False
    return not (is_at_play(t) and rules.book_out_check == "immediate") or all(
        t.places.get(place_in(seat, S.BOOK)) for seat in t.seats
    )


def no_damage_reaches_its_df(rules: Rules, t: Table) -> bool:
    """Damage on a unit stays below its DF."""
    if not is_at_play(t) or is_between_rounds(t) or not can_recompute(rules.cards):
        return True
    return all(t.pieces[unit].marks.get(S.DAMAGE, 0) < defence(rules, t, unit) for unit in monsters(rules, t))


def who_ignores_a_terrain_flies_over_it(rules: Rules, t: Table) -> bool:
    """A unit that ignores a terrain flies, and the terrain is face up."""
    if not is_running(t) or is_between_rounds(t) or not can_recompute(rules.cards):
        return True
    ignoring = [unit for unit in units(t) if t.pieces[unit].marks.get(S.IGNORES)]
    terrains = [terrain_under(t, unit) for unit in ignoring]
    return all(is_flying(rules, t, unit) for unit in ignoring) and all(
        terrain is not None and t.pieces[terrain].up for terrain in terrains
    )


def what_is_in_force_lies_where_it_works(rules: Rules, t: Table) -> bool:
    """Binds have a host, auras are on their owner's table and curses on the opponent's. Nothing else is in force."""
    for card_id, piece in t.pieces.items():
        area, skill = zone(piece.place), kind(rules, t, card_id)
        is_own = seat_of(piece.place) == piece.owner
        if area == S.BOUND and not is_between_rounds(t) and is_running(t):
            host = t.pieces.get(piece.host)
            if host is None or zone(host.place) not in (S.UNIT, S.GROUND):
                return False
        elif area != S.BOUND and piece.host:
            return False
        if piece.marks.get(S.IN_FORCE) and not (area == S.TABLE and skill == ("aura" if is_own else "curse")):
            return False
        if area == S.TABLE and not is_own and not piece.marks.get(S.IN_FORCE) and skill in T.SKILLS:
            return False
    return True


# -- decisions --------------------------------------------------------------------------------------------------------


def deciders(t: Table) -> tuple[Seat, ...]:
    return (t.asked[0].by,) if t.asked else t.clock.awaited


def exactly_one_is_to_decide(rules: Rules, t: Table) -> bool:
    """After the layout, exactly one seat or chance decides: a question, a window, or the turn player."""
    if not is_running(t):
        return True
    if not t.clock.turn and t.clock.step in (S.DECKS, S.LAYING):
        return bool(deciders(t))
    if len(deciders(t)) != 1:
        return False
    (decider,) = deciders(t)
    if t.asked or not t.clock.turn:
        return decider in (*t.seats, CHANCE)
    top = t.running[-1] if t.running else None
    if top is not None and top.kind == "window":
        return len(t.clock.passed) <= 1 and decider not in t.clock.passed
    if t.clock.passed or decider != t.clock.active:
        return False
    if top is not None:
        return top.kind == "move" and (t.clock.phase, t.clock.step) == (S.MOVE, S.STEP)
    return (t.clock.phase, t.clock.step) in QUIET


def the_stack_lies_under_a_window(rules: Rules, t: Table) -> bool:
    """A stack is below a window or a question. It is empty while nothing is in progress."""
    if not is_running(t) or not t.stack:
        return True
    top = t.running[-1] if t.running else None
    return (t.clock.phase, t.clock.step) not in QUIET and (bool(t.asked) or (top is not None and top.kind == "window"))
