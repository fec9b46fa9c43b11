"""Invariants of tables at each decision, some of them also between two facts."""

from collections import Counter
from typing import Final

from domain.games.dea import schema as S, table_queries as R, text as T
from domain.games.dea.invariants.printed import kind, standing
from domain.games.dea.offers import offers
from domain.games.dea.rules import Rules
from domain.law.invariants import is_at_play
from domain.law.slots import verb
from domain.parts.places import place_in
from domain.table.table import Frame, Place, Seat, Table, is_same_object, seat_of, square, zone

OWN: Final = (S.UNPLACED, S.DECK, S.HAND, S.SLEEVE, S.WORN)
LYING: Final = (S.DECK, S.HAND, S.SLEEVE, S.WORN)
"""Zones of a gimmick with its owner."""
OTHERS_NEVER: Final = frozenset(("move", "attack", "play_equipment", "end_main"))
"""Verbs of the turn player only."""
ALWAYS: Final = frozenset(("concede",))


def has_no_result(t: Table) -> bool:
    return t.result is None


def items(t: Table) -> tuple[Frame, ...]:
    """Return the items on the stack and the one that resolves."""
    return (*t.stack, *(item for item in t.running if item.kind != "automatic"))


# -- cards ------------------------------------------------------------------------------------------------------------


def every_card_lies_once(rules: Rules, t: Table) -> bool:
    """True if every card is in exactly one place, and every place is one of the game's."""
    placed_cards = [card for row in t.places.values() for card in row]
    return (
        len(set(placed_cards)) == len(placed_cards)
        and set(placed_cards) == set(t.pieces)
        and all(is_place(rules, place) for place in t.places)
    )


def is_place(rules: Rules, place: Place) -> bool:
    seat, area, number = seat_of(place), zone(place), square(place)
    if seat is None:
        return place == S.STACK or place in R.cells(rules.size)
    slots = [str(slot) for slot in range(1, rules.foreshadows_per_plot + 1)]
    return seat in R.SEATS and (number in slots if area == S.FORESHADOW else area in OWN and not number)


def every_card_lies_where_its_kind_does(rules: Rules, t: Table) -> bool:
    """True if gimmicks are with their owner or on the stack, characters on the map, foreshadows in slots."""
    for card_id, piece in t.pieces.items():
        area, is_own = zone(piece.place), seat_of(piece.place) == piece.owner
        match kind(rules, t, card_id):
            case "event" | "equipment":
                is_right_place = area == S.STACK or (is_own and area in LYING)
            case "character":
                is_right_place = area == S.MAP or (is_own and area == S.UNPLACED)
            case "foreshadow":
                is_right_place = is_own and area in (S.UNPLACED, S.FORESHADOW)
            case "token":
                is_right_place = area == S.MAP
        if not is_right_place:
            return False
    return True


def an_owner_has_the_gimmicks_of_a_plot(rules: Rules, t: Table) -> bool:
    """True if each writer owns the gimmicks of a plot, in any zone."""
    owned = Counter(piece.owner for card_id, piece in t.pieces.items() if kind(rules, t, card_id) in T.GIMMICKS)
    return all(owned[seat] == rules.gimmicks_per_plot for seat in t.seats)


def what_lies_on_the_stack_is_being_used(rules: Rules, t: Table) -> bool:
    """True if the stack zone has exactly the cards in use."""
    used = {R.source_of(item).card for item in items(t) if item.kind in T.GIMMICKS}
    return not has_no_result(t) or set(t.places.get(R.STACK_PLACE, ())) == used


def each_slot_holds_a_foreshadow(rules: Rules, t: Table) -> bool:
    """True if each slot has one foreshadow after set-up."""
    if not t.clock.turn:
        return True
    return all(
        len(t.places.get(R.slot(seat, number), ())) == 1
        for seat in t.seats
        for number in range(1, rules.foreshadows_per_plot + 1)
    )


def the_characters_of_a_plot_stand_on_the_map(rules: Rules, t: Table) -> bool:
    """True if each writer's characters are on the map after set-up. The rules may allow fewer."""
    if not t.clock.turn:
        return True
    counts = Counter(t.pieces[character].owner for character in standing(t) if kind(rules, t, character) == "character")
    least = 0 if rules.knockback_edge == "removed" else rules.characters_per_plot
    return all(least <= counts[seat] <= rules.characters_per_plot for seat in t.seats)


# -- the map ----------------------------------------------------------------------------------------------------------


def a_cell_holds_one_character(rules: Rules, t: Table) -> bool:
    """True if only an attacker shares a cell, with its blocker, and its origin stays empty."""
    battle = R.battle_of(t)
    for place, occupants in t.places.items():
        if zone(place) != S.MAP or len(occupants) < 2:
            continue
        is_battlefield = (
            battle is not None and place == R.battlefield(battle) and R.attacker_of(battle).card in occupants
        )
        if not is_battlefield or len(occupants) > 2:
            return False
    return battle is None or not has_no_result(t) or not t.places.get(R.origin_of(battle))


def the_other_writer_has_not_moved(rules: Rules, t: Table) -> bool:
    """True if only the turn player's characters have moved or attacked."""
    if t.clock.active is None:
        return True
    others = [piece for piece in t.pieces.values() if piece.owner != t.clock.active]
    return not any({S.MOVES_USED, S.ATTACKS_USED} & set(piece.marks) for piece in others)


def a_field_is_live_once_a_writer(rules: Rules, t: Table) -> bool:
    """True if a writer has at most one live field, from an open foreshadow in the writer's slot."""
    fields = [effect for effect in t.effects if effect.kind == S.FIELD]
    if any(count > rules.fields_per_player for count in Counter(field.by for field in fields).values()):
        return False
    sources = [(field.by, t.pieces.get(field.source.card)) for field in fields if is_same_object(t, field.source)]
    are_open = (piece is not None and piece.up and zone(piece.place) == S.FORESHADOW for _, piece in sources)
    are_own = (piece is not None and piece.owner == seat for seat, piece in sources)
    return len(sources) == len(fields) and all(are_open) and all(are_own)


def equipment_is_worn_once_and_by_its_owner(rules: Rules, t: Table) -> bool:
    """True if each equipment is on a character of its owner on the map, one per character."""
    hosts: list[int] = []
    for piece in t.pieces.values():
        if zone(piece.place) == S.WORN:
            host = t.pieces.get(piece.host)
            if host is None or zone(host.place) != S.MAP or host.owner != piece.owner:
                return False
            hosts.append(piece.host)
        elif piece.host:
            return False
    return all(count <= rules.equipment_per_character for count in Counter(hosts).values())


# -- life and points --------------------------------------------------------------------------------------------------


def life_keeps_its_ceiling(rules: Rules, t: Table) -> bool:
    """True if life is at most its maximum. It has no lower bound."""
    return all(R.seat_mark(t, seat, S.LIFE) <= R.seat_mark(t, seat, S.MAX_LIFE) for seat in t.seats)


def nobody_has_won_unseen(rules: Rules, t: Table) -> bool:
    """True if no writer meets a victory condition, unless the check is due later or chance decides."""
    if not is_at_play(t) or any(asked.kind == "tie_break" for asked in t.asked):
        return True
    is_check_later = (rules.victory_check == "end_of_item" and t.running) or (
        rules.victory_check == "end_of_stack" and t.clock.phase == S.MAIN and t.clock.step in (S.WINDOW, S.RESOLVING)
    )
    return bool(is_check_later) or all(
        R.seat_mark(t, seat, S.LIFE) > 0 and 0 <= R.seat_mark(t, seat, S.EP) < rules.ep_to_win for seat in t.seats
    )


# -- the stack --------------------------------------------------------------------------------------------------------


def the_stack_is_of_a_window(rules: Rules, t: Table) -> bool:
    """True if the stack is empty outside windows, and its only attack is the lowest item.

    Effects that last for a battle need that attack.
    """
    if not has_no_result(t):
        return True
    step = (t.clock.phase, t.clock.step)
    if t.stack and step not in ((S.MAIN, S.WINDOW), (S.MAIN, S.RESOLVING)):
        return False
    if any(item.kind != "automatic" for item in t.running) and step != (S.MAIN, S.RESOLVING):
        return False
    attacks = [item for item in (*t.running, *t.stack) if item.kind == "attack"]
    is_attack_lowest = not any(item.kind == "attack" for item in t.stack[1:])
    has_battle_effects = any(effect.until == S.BATTLE for effect in t.effects)
    return is_attack_lowest and len(attacks) <= 1 and (bool(attacks) or not has_battle_effects)


def a_window_waits_for_one(rules: Rules, t: Table) -> bool:
    """True if a window awaits one writer after at most one pass, the end window the other writer."""
    clock = t.clock
    if not has_no_result(t):
        return True
    if (clock.phase, clock.step) == (S.MAIN, S.WINDOW):
        return len(clock.awaited) == 1 and len(clock.passed) <= 1 and clock.passed != clock.awaited
    if (clock.phase, clock.step) == (S.MAIN, S.END_WINDOW):
        return clock.active is not None and clock.awaited == (R.opponent(clock.active),) and not clock.passed
    return not clock.passed


# -- permitted actions ------------------------------------------------------------------------------------------------


def verbs(rules: Rules, t: Table, seat: Seat) -> frozenset[str]:
    return frozenset(verb(template.action) for template in offers(rules, t, seat))


def the_open_main_phase_is_the_turn_players(rules: Rules, t: Table) -> bool:
    """True if the turn player can end the open main phase, and only they may move, attack or equip."""
    active = t.clock.active
    if not has_no_result(t) or active is None or t.clock.phase != S.MAIN:
        return True
    if OTHERS_NEVER & verbs(rules, t, R.opponent(active)):
        return False
    return not R.in_open_main(t) or "end_main" in verbs(rules, t, active)


def outside_windows_only_answers_are_given(rules: Rules, t: Table) -> bool:
    """True if outside windows only the asked writer may act, with an answer."""
    if not has_no_result(t) or not (t.clock.phase in (S.UP, S.DOWN) or R.resolving(t)):
        return True
    if not t.asked:
        return False
    asked = t.asked[0]
    return all(verbs(rules, t, seat) - ALWAYS == ({asked.kind} if asked.by == seat else set()) for seat in t.seats)


def with_the_result_a_match_is_over(rules: Rules, t: Table) -> bool:
    """True if after the result only a winner may act, with one title."""
    if t.result is None:
        return True
    titles = {"give_title"} if not t.marks.get(S.TITLED) else set()
    return all(verbs(rules, t, seat) <= (titles if seat in t.result.winners else set()) for seat in t.seats)


def unplaced_cards_are_of_set_up(rules: Rules, t: Table) -> bool:
    """True if after set-up no card is unplaced and every character is face up."""
    if not t.clock.turn:
        return True
    return not any(t.places.get(place_in(seat, S.UNPLACED)) for seat in t.seats) and all(
        t.pieces[character].up for character in standing(t)
    )
