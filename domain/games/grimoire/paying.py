"""Costs of abilities. A cost is paid in full and in printed order, or the action is not possible."""

from typing import Final, assert_never

from domain.games.grimoire import clauses as C, schema as S, text as T
from domain.games.grimoire.effects.leaving import leave_field, note_unbroken
from domain.games.grimoire.effects.moves import discard
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import controller, hand, in_play, on_field, seat_mark
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.table.facts import Marked, Stanced
from domain.table.table import CardId, Seat, Table

RESOURCES: Final = {T.PayMana: S.MANA, T.PayCapacity: S.CAPACITY, T.PayOd: S.OD}


@implements(C.COST_IN_FULL)
def is_payable(
    t: Table, seat: Seat, source: CardId, costs: tuple[T.AnyCost, ...], named: tuple[CardId, ...] = ()
) -> bool:
    """True if all costs can be paid. `named` must hold exactly the cards that the payer chooses for them."""
    totals: dict[str, int] = {}
    junked, discarded = 0, 0
    junks_self = False
    for cost in costs:
        match cost:
            case T.PayMana(n) | T.PayCapacity(n) | T.PayOd(n):
                resource = RESOURCES[type(cost)]
                totals[resource] = totals.get(resource, 0) + n
                if seat_mark(t, seat, resource) < totals[resource]:
                    return False
            case T.SpendSelf():
                if not in_play(t, source) or t.pieces[source].stance != S.EXTENDED:
                    return False
            case T.JunkSelf():
                junks_self = True
                if not on_field(t, source) or controller(t, source) != seat:
                    return False
            case T.JunkOwn():
                junked += 1
            case T.PayDiscard(n):
                discarded += n
            case _:
                assert_never(cost)
    if not named:
        return not junked and not discarded
    hand_cards = hand(t, seat)
    spells = [card for card in named if on_field(t, card) and controller(t, card) == seat]
    from_hand = [card for card in named if card in hand_cards]
    return (
        len(set(named)) == len(named) == len(spells) + len(from_hand)
        and (len(spells), len(from_hand)) == (junked, discarded)
        and not (junks_self and source in spells)
    )


@implements(C.JUNK_NO_BREAK)
def pay(
    rules: Rules, t: LiveTable, seat: Seat, source: CardId, costs: tuple[T.AnyCost, ...], named: tuple[CardId, ...] = ()
) -> None:
    """Pay the costs. The triggers of each single cost form a group of their own."""
    remaining = list(named)
    for cost in costs:
        match cost:
            case T.PayMana(n) | T.PayCapacity(n) | T.PayOd(n):
                resource = RESOURCES[type(cost)]
                t.emit(C.ACTIVATION_COSTS, Marked(seat, resource, max(0, seat_mark(t, seat, resource) - n)))
            case T.SpendSelf():
                t.emit(C.ACTIVATION_COSTS, Stanced((source,), S.SPENDED))
            case T.JunkSelf():
                note_unbroken(rules, t, (source,))
                leave_field(rules, t, (source,), S.JUNKYARD, C.JUNK_OWN)
            case T.JunkOwn():
                spell = next((card for card in remaining if on_field(t, card)), None)
                if spell is not None:
                    remaining.remove(spell)
                    note_unbroken(rules, t, (spell,))
                    leave_field(rules, t, (spell,), S.JUNKYARD, C.JUNK_OWN)
            case T.PayDiscard(n):
                discards = tuple(card for card in remaining if card in hand(t, seat))[:n]
                remaining = [card for card in remaining if card not in discards]
                discard(rules, t, discards, C.ACTIVATION_COSTS)
            case _:
                assert_never(cost)
