"""The moves that effects are made of: cards to a grave, damage, a unit's fall, a question asked."""

from collections.abc import Sequence

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.cards import GENERATION
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import GRAVE
from domain.games.blackpoker.table_queries import cards_of, hand, life, opponent, side, sides, turn_player
from domain.law.asking import face_of
from domain.law.clause import Clause, Count, carries
from domain.law.live import Live
from domain.law.noting import note, noting
from domain.parts.asking import ask, push
from domain.parts.places import at
from domain.table import facts as F
from domain.table.table import CardId, Result, Seat

Dead = Sequence[tuple[CardId, Clause]]
"""Cards that one step moves to graves, each with the clause that sends it there, in the order they arrive."""
Batch = tuple[Seat, tuple[CardId, ...]]
"""Cards that reached one grave together, and whose grave it is."""


@carries(C.ONLY_FROM_FIELD)
def bury(rules: Rules, t: Live, dead: Dead) -> None:
    """One step's cards go to their owners' graves together; where several reach one grave its owner picks the top."""
    if not dead:
        return
    batches = to_graves(t, dead)
    if noting(t) and (called := [card for card, _ in dead if t.pieces[card].face in GENERATION]):
        note(t, C.ONLY_FROM_FIELD, *called)
    if batches:
        choose_tops(rules, t, batches)


@carries(C.OWNERS_ZONES)
def to_graves(t: Live, dead: Dead) -> list[Batch]:
    """The moves alone; returns the batches of which a top is still to be picked."""
    batches: list[Batch] = []
    for seat in sides(t):
        mine = [(card, clause) for card, clause in dead if t.pieces[card].owner == seat]
        if len(mine) == 1:
            t.tell(mine[0][1], F.Moved((mine[0][0],), at(seat, GRAVE), up=True))
        elif mine:
            cards = tuple([card for card, _ in mine])
            t.tell(_common([clause for _, clause in mine]), F.Moved(cards, at(seat, GRAVE)))
            batches.append((seat, cards))
    return batches


@carries(C.TURN_PLAYER_ANSWERS_FIRST)
def choose_tops(rules: Rules, t: Live, batches: Sequence[Batch]) -> None:
    """Who is asked for the visible top of a grave, unless the next win check ends the match anyway."""
    asked = rules.grave_top == "owner_choice" and all(life(t, seat) for seat in sides(t))
    if asked and len(batches) > 1:
        note(t, C.TURN_PLAYER_ANSWERS_FIRST, *(seat for seat, _ in batches))
    for seat, cards in batches:
        if asked:
            ask(t, C.GRAVE_TOP, "choose_grave_top", seat, cards=cards)
        else:
            t.tell(C.GRAVE_TOP, F.Turned(cards[-1:], up=True))


def _common(clauses: Sequence[Clause]) -> Clause:
    return clauses[0] if len(set(clauses)) == 1 else C.STEPS_TOGETHER


@carries(C.ONLY_FROM_FIELD, C.TRIGGER_CONTROLLER, C.UNIT_AS_ONE, C.FOG_OUTLIVES_TARGET)
def fall(rules: Rules, t: Live, units: Dead, besides: Dead = ()) -> None:
    """Units leave the field for the graves; cards that call up a next generation do so, each once.

    `besides` are cards that go to the graves in the same step, but from elsewhere.
    """
    dead: list[tuple[CardId, Clause]] = []
    called: list[Seat] = []
    for card, clause in units:
        cards = cards_of(t, card)
        dead += [(other, clause) for other in cards]
        if len(cards) > 1:
            note(t, C.UNIT_AS_ONE, *cards)
        for effect in t.effects if noting(t) else ():
            if any(on.card == card for on in effect.on):
                note(t, C.FOG_OUTLIVES_TARGET, effect.source, card)
    for card, _ in dead:
        if face_of(t, card) in GENERATION:
            called.append(side(t.pieces[card]))
    batches = to_graves(t, [*dead, *besides])
    for seat in called:
        if seat != turn_player(t):
            note(t, C.TRIGGER_CONTROLLER, seat)
        push(t, C.NEXT_GENERATION, "waiting", "next_generation", seat)
    choose_tops(rules, t, batches)


@carries(C.DAMAGE, C.DAMAGE_BEYOND_LIFE, C.ONLY_PLAYERS_DAMAGED)
def damage(rules: Rules, t: Live, seat: Seat, points: int, clause: Clause) -> None:
    """A player takes damage: that many cards, or what is left, from the top of life to the grave."""
    taken = life(t, seat)[: max(0, points)]
    if points > 0:
        note(t, C.DAMAGE, seat, Count(points))
    if points > len(taken):
        note(t, C.DAMAGE_BEYOND_LIFE, seat, Count(points))
    bury(rules, t, [(card, clause) for card in taken])


@carries(C.OWNERS_ZONES, C.AS_FAR_AS_POSSIBLE)
def draw(t: Live, seat: Seat, cards: int, clause: Clause) -> None:
    """The top cards of a life go to the hand."""
    drawn = life(t, seat)[:cards]
    if len(drawn) < cards:
        note(t, C.AS_FAR_AS_POSSIBLE, seat, Count(cards))
    if drawn:
        t.tell(clause, F.Moved(drawn, at(seat, "hand")))


def forget_hand(t: Live, seat: Seat) -> None:
    """A card left the hand unseen: from now on nobody can tell which cards are still there."""
    seen = tuple(card for card in hand(t, seat) if t.pieces[card].seen)
    if seen:
        t.tell(C.HAND_COUNTED, F.Shown(seen, (), lasting=True))


def forget_alike(t: Live, seat: Seat, cards: Sequence[CardId]) -> None:
    """Cards are about to leave the hand openly: of equal faces the shown one counts as the one that leaves.

    Nobody at the table could tell them apart. Which of them it was must not be told by what is still known.
    """
    staying = [card for card in hand(t, seat) if t.pieces[card].seen and card not in cards]
    for card in cards if staying else ():
        piece = t.pieces[card]
        if piece.place != at(seat, "hand") or piece.seen:
            continue
        alike = next(
            (other for other in staying if piece.face is not None and t.pieces[other].face == piece.face), None
        )
        if alike is not None:
            staying.remove(alike)
            t.tell(C.HAND_COUNTED, F.Shown((alike,), (), lasting=True))


def discard(rules: Rules, t: Live, seat: Seat, cards: Sequence[CardId], clause: Clause) -> None:
    """Hand cards go to the grave. One is seen there; of several only the top, so the others leave the hand unseen."""
    if len(cards) == 1:
        forget_alike(t, seat, cards)
    bury(rules, t, [(card, clause) for card in cards])
    if len(cards) > 1:
        forget_hand(t, seat)


@carries(C.NO_DRAWN_MATCH)
def win_check(rules: Rules, t: Live) -> None:
    """Whoever has no life loses, the turn player being looked at first unless that is a draw."""
    first, other = sides(t)
    if rules.winner_both_zero == "draw" and not life(t, first) and not life(t, other):
        t.tell(C.TURN_PLAYER_CHECKED_FIRST, F.Finished(Result((), "life")))
    elif not life(t, first):
        clause = C.LIFE_EMPTY if life(t, other) else C.TURN_PLAYER_CHECKED_FIRST
        if not life(t, other):
            note(t, C.NO_DRAWN_MATCH, *sides(t))
        t.tell(clause, F.Finished(Result((other,), "life")))
    elif not life(t, other):
        t.tell(C.LIFE_EMPTY, F.Finished(Result((first,), "life")))


@carries(C.TRIGGER_CONTROLLER)
def trigger(t: Live, clause: Clause, kind: str, by_defender: bool = False) -> None:
    """A triggered request of the turn player (or of the defender) joins those that wait."""
    seat = turn_player(t)
    if by_defender:
        note(t, C.TRIGGER_CONTROLLER, opponent(seat))
    push(t, clause, "waiting", kind, opponent(seat) if by_defender else seat)
