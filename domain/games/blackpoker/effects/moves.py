"""Building blocks of effects: burial, damage, draws, discards and the win check."""

from collections.abc import Sequence

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.cards import GENERATION
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import GRAVE
from domain.games.blackpoker.table_queries import (
    cards_of,
    hand,
    life,
    opponent,
    seat_of_piece,
    seats_in_turn_order,
    turn_player,
)
from domain.law.asking import face_of
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts.asking import ask, push
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CardId, Result, Seat

Burials = Sequence[tuple[CardId, Clause]]
"""Cards that one step moves to graves, each with its clause, in order of arrival."""
Batch = tuple[Seat, tuple[CardId, ...]]
"""Cards that reached one grave together, with the owner's seat."""


@implements(C.ONLY_FROM_FIELD)
def bury(rules: Rules, t: LiveTable, dead: Burials) -> None:
    """Move the cards of one step to their owners' graves. The owner of a batch picks its top."""
    if not dead:
        return
    batches = move_to_graves(t, dead)
    if collects_notes(t) and (generation_cards := [card for card, _ in dead if t.pieces[card].face in GENERATION]):
        note(t, C.ONLY_FROM_FIELD, *generation_cards)
    if batches:
        choose_tops(rules, t, batches)


@implements(C.OWNERS_ZONES)
def move_to_graves(t: LiveTable, dead: Burials) -> list[Batch]:
    """Move cards to graves without a choice of tops. Return the batches that need one."""
    batches: list[Batch] = []
    for seat in seats_in_turn_order(t):
        batch = [(card, clause) for card, clause in dead if t.pieces[card].owner == seat]
        if len(batch) == 1:
            t.emit(batch[0][1], F.Moved((batch[0][0],), place_in(seat, GRAVE), up=True))
        elif batch:
            cards = tuple([card for card, _ in batch])
            t.emit(_common_clause([clause for _, clause in batch]), F.Moved(cards, place_in(seat, GRAVE)))
            batches.append((seat, cards))
    return batches


@implements(C.TURN_PLAYER_ANSWERS_FIRST)
def choose_tops(rules: Rules, t: LiveTable, batches: Sequence[Batch]) -> None:
    """Ask the owners for the visible tops of their graves.

    Turn up the last card if the rules give no choice, or if the next win check ends the match.
    """
    asks_owner = rules.grave_top == "owner_choice" and all(life(t, seat) for seat in seats_in_turn_order(t))
    if asks_owner and len(batches) > 1:
        note(t, C.TURN_PLAYER_ANSWERS_FIRST, *(seat for seat, _ in batches))
    for seat, cards in batches:
        if asks_owner:
            ask(t, C.GRAVE_TOP, "choose_grave_top", seat, cards=cards)
        else:
            t.emit(C.GRAVE_TOP, F.Turned(cards[-1:], up=True))


def _common_clause(clauses: Sequence[Clause]) -> Clause:
    return clauses[0] if len(set(clauses)) == 1 else C.STEPS_TOGETHER


@implements(C.ONLY_FROM_FIELD, C.TRIGGER_CONTROLLER, C.UNIT_AS_ONE, C.FOG_OUTLIVES_TARGET)
def fall(rules: Rules, t: LiveTable, units: Burials, others: Burials = ()) -> None:
    """Move units from the field to the graves, and push a next generation for each card that calls one up.

    `others` are cards from other zones that go to the graves in the same step.
    """
    dead: list[tuple[CardId, Clause]] = []
    generation_seats: list[Seat] = []
    for card, clause in units:
        cards = cards_of(t, card)
        dead += [(other, clause) for other in cards]
        if len(cards) > 1:
            note(t, C.UNIT_AS_ONE, *cards)
        for effect in t.effects if collects_notes(t) else ():
            if any(on.card == card for on in effect.on):
                note(t, C.FOG_OUTLIVES_TARGET, effect.source, card)
    for card, _ in dead:
        if face_of(t, card) in GENERATION:
            generation_seats.append(seat_of_piece(t.pieces[card]))
    batches = move_to_graves(t, [*dead, *others])
    for seat in generation_seats:
        if seat != turn_player(t):
            note(t, C.TRIGGER_CONTROLLER, seat)
        push(t, C.NEXT_GENERATION, "waiting", "next_generation", seat)
    choose_tops(rules, t, batches)


@implements(C.DAMAGE, C.DAMAGE_BEYOND_LIFE, C.ONLY_PLAYERS_DAMAGED)
def damage(rules: Rules, t: LiveTable, seat: Seat, points: int, clause: Clause) -> None:
    """Deal damage: move up to `points` cards from the top of a life to the grave."""
    cards = life(t, seat)[: max(0, points)]
    if points > 0:
        note(t, C.DAMAGE, seat, Count(points))
    if points > len(cards):
        note(t, C.DAMAGE_BEYOND_LIFE, seat, Count(points))
    bury(rules, t, [(card, clause) for card in cards])


@implements(C.OWNERS_ZONES, C.AS_FAR_AS_POSSIBLE)
def draw(t: LiveTable, seat: Seat, count: int, clause: Clause) -> None:
    top = life(t, seat)[:count]
    if len(top) < count:
        note(t, C.AS_FAR_AS_POSSIBLE, seat, Count(count))
    if top:
        t.emit(clause, F.Moved(top, place_in(seat, "hand")))


def hide_known_hand(t: LiveTable, seat: Seat) -> None:
    """Hide the known cards of a hand after a card left it unseen."""
    known_cards = tuple(card for card in hand(t, seat) if t.pieces[card].seen)
    if known_cards:
        t.emit(C.HAND_COUNTED, F.Shown(known_cards, (), lasting=True))


def hide_equal_card(t: LiveTable, seat: Seat, cards: Sequence[CardId]) -> None:
    """Hide the known copy of a card that is about to leave the hand openly.

    Players cannot tell equal faces apart, so the record must not show which copy left.
    """
    staying = [card for card in hand(t, seat) if t.pieces[card].seen and card not in cards]
    for card in cards if staying else ():
        piece = t.pieces[card]
        if piece.place != place_in(seat, "hand") or piece.seen:
            continue
        copy = next((other for other in staying if piece.face is not None and t.pieces[other].face == piece.face), None)
        if copy is not None:
            staying.remove(copy)
            t.emit(C.HAND_COUNTED, F.Shown((copy,), (), lasting=True))


def discard(rules: Rules, t: LiveTable, seat: Seat, cards: Sequence[CardId], clause: Clause) -> None:
    """Move hand cards to the grave. Several cards leave the hand unseen, because only the top one is visible."""
    if len(cards) == 1:
        hide_equal_card(t, seat, cards)
    bury(rules, t, [(card, clause) for card in cards])
    if len(cards) > 1:
        hide_known_hand(t, seat)


@implements(C.NO_DRAWN_MATCH)
def check_win(rules: Rules, t: LiveTable) -> None:
    """Finish the match if a player has no life. The turn player is checked first, unless the rules allow a draw."""
    first, other = seats_in_turn_order(t)
    if rules.winner_both_zero == "draw" and not life(t, first) and not life(t, other):
        t.emit(C.TURN_PLAYER_CHECKED_FIRST, F.Finished(Result((), "life")))
    elif not life(t, first):
        clause = C.LIFE_EMPTY if life(t, other) else C.TURN_PLAYER_CHECKED_FIRST
        if not life(t, other):
            note(t, C.NO_DRAWN_MATCH, *seats_in_turn_order(t))
        t.emit(clause, F.Finished(Result((other,), "life")))
    elif not life(t, other):
        t.emit(C.LIFE_EMPTY, F.Finished(Result((first,), "life")))


@implements(C.TRIGGER_CONTROLLER)
def push_triggered_request(t: LiveTable, clause: Clause, kind: str, by_defender: bool = False) -> None:
    seat = turn_player(t)
    if by_defender:
        note(t, C.TRIGGER_CONTROLLER, opponent(seat))
    push(t, clause, "waiting", kind, opponent(seat) if by_defender else seat)
