"""Queries on a BlackPoker table, named in the terms of the rules."""

from collections.abc import Callable, Iterator
from typing import Final

from domain.games.blackpoker import clauses as C, schema as S
from domain.games.blackpoker.cards import RANK_OF_ACES, number, rank, suit
from domain.games.blackpoker.rules import Rules
from domain.law.asking import face_of
from domain.law.clause import implements
from domain.law.game import CardReading
from domain.law.noting import ValueLayer, note, note_permission, sum_layers
from domain.parts.frames import word_at
from domain.parts.pieces import mark, opponent as opponent, seat_mark as seat_mark, stance
from domain.parts.places import place_in, row_of
from domain.table.table import CardId, Frame, Obj, Piece, Place, Seat, Table, is_same_object, seat_of, zone

P1: Final = Seat("p1")
P2: Final = Seat("p2")
SEATS: Final = (P1, P2)
STAGE_PLACE: Final = Place(S.STAGE)


def turn_player(t: Table) -> Seat:
    """Return the turn player; before the first turn the first player, once known."""
    return t.clock.active or t.clock.first or P1


@implements(C.TURN_PLAYER_ANSWERS_FIRST)
def seats_in_turn_order(t: Table) -> tuple[Seat, Seat]:
    """Return the turn player, then the opponent: the order of simultaneous events."""
    first = turn_player(t)
    return first, opponent(first)


life: Final = row_of(S.LIFE)
hand: Final = row_of(S.HAND)
"""Cards of a seat: its life, top first, and its hand."""
fogs: Final = row_of(S.FOG)
grave: Final = row_of(S.GRAVE)
bulwarks: Final = row_of(S.BULWARKS)
"""Cards of a seat: its fog, oldest first; its grave, top last; its bulwarks, from the life side."""
_soldiers: Final = row_of(S.SOLDIERS)


def soldiers(t: Table, seat: Seat) -> tuple[CardId, ...]:
    return tuple(card for card in _soldiers(t, seat) if not t.pieces[card].host)


def characters(t: Table, seat: Seat) -> tuple[CardId, ...]:
    return soldiers(t, seat) + bulwarks(t, seat)


def seat_of_piece(piece: Piece) -> Seat:
    """Return the seat whose zone holds a piece, else its owner."""
    return seat_of(piece.place) or piece.owner


@implements(C.UNIT_AS_ONE)
def unit(t: Table, card: CardId) -> CardId:
    """Return the lowest card of a unit, which identifies it."""
    piece = t.pieces.get(card)
    return piece.host or card if piece is not None else card


def _in_zone(*zones: str) -> Callable[[Table, CardId], bool]:
    def is_in_zone(t: Table, card: CardId) -> bool:
        piece = t.pieces.get(card)
        return piece is not None and zone(piece.place) in zones

    return is_in_zone


is_soldier: Final = _in_zone(S.SOLDIERS)
is_bulwark: Final = _in_zone(S.BULWARKS)
on_field: Final = _in_zone(S.SOLDIERS, S.BULWARKS)
"""True if the card is a soldier, a bulwark, or either."""


@implements(C.UNIT_AS_ONE)
def cards_of(t: Table, card: CardId) -> tuple[CardId, ...]:
    """Return all cards of a unit, lowest first."""
    row = t.places.get(t.pieces[card].place, ())
    return (card, *(other for other in row if t.pieces[other].host == card))


def numbers(t: Table, card: CardId) -> tuple[int, ...]:
    return tuple(number(face_of(t, other)) for other in cards_of(t, card))


def is_consecutive(t: Table, key: CardId, card: CardId) -> bool:
    """True if a card's number is next to one of a unit's numbers. K and A are adjacent."""
    key_number, highest = number(face_of(t, key)), number("SK")
    return any(abs(key_number - other) in (1, highest - 1) for other in numbers(t, card))


def fog_place(rules: Rules, seat: Seat) -> Place | None:
    """Return the zone for the key card of a seat's Up or Down, or None if the rules have no fog."""
    return place_in(seat, S.FOG) if rules.fog_enabled else None


def size(rules: Rules, t: Table, card: CardId) -> int:
    """Return a soldier's size: its cards' numbers plus every active fog."""
    return sum_layers(size_layers(rules, t, card))


@implements(C.CARD_NUMBERS, C.ARMED_SOLDIER)
def printed_layers(t: Table, card: CardId) -> Iterator[ValueLayer]:
    for other, printed in zip(cards_of(t, card), numbers(t, card), strict=True):
        yield ValueLayer(C.CARD_NUMBERS if other == card else C.ARMED_SOLDIER, printed, other)


@implements(C.SIZE, C.FOG_UP, C.FOG_DOWN, C.FOGS_ADD_UP, C.FOG_OUTLIVES_TARGET)
def size_layers(rules: Rules, t: Table, card: CardId) -> Iterator[ValueLayer]:
    """Yield a soldier's size, layer by layer.

    A fog stops counting when its card leaves the zone, although the effect lasts longer.
    """
    yield from printed_layers(t, card)
    thing = t.pieces[card].thing
    active_fogs = [
        effect
        for effect in t.effects
        if any(target.card == card and target.thing == thing for target in effect.on)
        and (is_same_object(t, effect.source) or fog_place(rules, effect.by) is None)
    ]
    if len(active_fogs) > 1:
        note(t, C.FOGS_ADD_UP, card)
    for effect in active_fogs:
        change = sum(effect.numbers)
        yield ValueLayer(C.FOG_DOWN if change < 0 else C.FOG_UP, change, effect.source)


def strength_layers(rules: Rules, t: Table, card: CardId) -> Iterator[ValueLayer]:
    return printed_layers(t, card) if rules.judge_compare == "printed" else size_layers(rules, t, card)


def strength(rules: Rules, t: Table, card: CardId) -> int:
    return sum_layers(strength_layers(rules, t, card))


def is_charged(t: Table, card: CardId) -> bool:
    return stance(t, card) == S.CHARGED


def has_arrived_this_turn(rules: Rules, t: Table, card: CardId) -> bool:
    arrival_turn = mark(t, card, S.ENTERED)
    if not arrival_turn:
        return t.clock.turn == 1 and not rules.preset_soldier_can_attack_turn1
    return arrival_turn == t.clock.turn


@implements(C.ACE, C.ARMED_SOLDIER)
def has_haste(rules: Rules, t: Table, card: CardId) -> bool:
    """True if the unit may attack in the turn it arrived."""
    cards = cards_of(t, card)
    deciding_cards = cards[-1:] if rules.armed_haste_from == "last_card" else cards
    has_ace = any(_is_ace(face_of(t, other)) for other in deciding_cards)
    if has_ace:
        note_permission(t, C.ARMED_SOLDIER if len(cards) > 1 else C.ACE, card)
    return has_ace


def _is_ace(face: str | None) -> bool:
    return face is not None and rank(face) == RANK_OF_ACES


def unit_suit(t: Table, card: CardId) -> str:
    face = face_of(t, card)
    return suit(face) if face else ""


def combat(t: Table) -> Frame | None:
    """Return the combat frame, which lasts from Attack to Damage judge."""
    return next((frame for frame in t.running if frame.kind == S.COMBAT), None)


def attackers(t: Table) -> tuple[Obj, ...]:
    """Return the attackers still on the field, in the order of designation."""
    frame = combat(t)
    return tuple(obj for obj in frame.objs if is_same_object(t, obj)) if frame is not None else ()


def in_play(t: Table) -> bool:
    return t.clock.phase == S.PLAY


# -- columns of frames ------------------------------------------------------------------------------------------------


def _number(request: Frame) -> int:
    return request.numbers[0] if request.numbers else 0


judged_attacker_count: Final = _number
required_count: Final = _number
"""Number of attackers that the damage judge has handled; number of cards that a question requires."""


def key_of(request: Frame) -> CardId:
    return request.cards[0]


def last_card_of(asked: Frame) -> CardId:
    """Return the last card of a question, which lies on top."""
    return asked.cards[-1]


def request_kind_of(process: Frame) -> str:
    """Return the kind of the request that resolved before these checks."""
    return process.words[0]


stance_named: Final = word_at(0)
"""Stance that a request names, '' if none."""


# -- display ----------------------------------------------------------------------------------------------------------


@implements(C.RECOGNISED, C.COMMON_SOLDIER, C.HERO, C.ACE, C.ARMED_SOLDIER, C.BULWARK)
def component(t: Table, card: CardId) -> str:
    if is_bulwark(t, card):
        return "bulwark"
    if len(cards_of(t, card)) > 1:
        return "armed_soldier"
    face = t.pieces[card].face
    if face is None:
        return "soldier"
    return {"A": "ace", "J": "hero", "Q": "hero", "K": "hero"}.get(rank(face), "common_soldier")


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    for seat in SEATS:
        for card in soldiers(t, seat):
            yield CardReading(card, "component", component(t, card))
            yield CardReading(card, "size", size(rules, t, card))
            labels = ("attacker", "blocker", *(("haste",) if has_haste(rules, t, card) else ()))
            yield CardReading(card, "labels", " ".join(labels))
        for card in bulwarks(t, seat):
            yield CardReading(card, "component", "bulwark")
            yield CardReading(card, "labels", "blocker")
