"""Queries on the table in the terms of Grimoire."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from domain.games.grimoire import clauses as C, schema as S
from domain.games.grimoire.cards import PRINTED_ON
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.text import Card
from domain.law.asking import face_of
from domain.law.clause import implements
from domain.parts.frames import number_at, objs_from, word_at
from domain.parts.pieces import controller as controller, mark, seat_mark as seat_mark, stance as stance
from domain.parts.places import Places, row_of
from domain.table.table import NO_OBJ as NO_OBJ, CardId, Effect, Frame, Obj, Place, Seat, Table, ValueColumns

FIELD_PLACE: Final = Place(S.FIELD)
VOID_PLACE: Final = Place(S.VOID)
_PERSONAL_SUFFIX: Final = f".{S.PERSONAL}"

PERSONALS: Final = Places(S.PERSONAL)


# -- players ----------------------------------------------------------------------------------------------------------


def seats(t: Table) -> tuple[Seat, ...]:
    return tuple(t.seats)


def is_out(t: Table, seat: Seat) -> bool:
    return bool(seat_mark(t, seat, S.OUT))


def living(t: Table) -> tuple[Seat, ...]:
    """Return the players still in the match, in turn order."""
    marks = t.seats
    return tuple([seat for seat in turn_order(t) if S.OUT not in marks[seat]])


@implements(C.SEATS_IN_ORDER)
def turn_order(t: Table) -> tuple[Seat, ...]:
    """Return all players from the first player on, or in the order of seats before there is one."""
    return _rotate(tuple(t.seats), t.clock.first)


@implements(C.SEVERAL_IN_TURN_ORDER)
def from_turn_player(t: Table) -> tuple[Seat, ...]:
    """Return all players from the turn player on, including those who are out."""
    return _rotate(tuple(t.seats), t.clock.active or t.clock.first)


@cache
def _rotate(seats: tuple[Seat, ...], first: Seat | None) -> tuple[Seat, ...]:
    start = seats.index(first) if first is not None else 0
    return seats[start:] + seats[:start]


def next_living(t: Table, seat: Seat) -> Seat:
    """Return the next living player in turn order, or the same seat if there is no other."""
    for player in _rotate(tuple(t.seats), seat)[1:]:
        if not is_out(t, player):
            return player
    return seat


@implements(C.FRIENDS_SHARE)
def side(rules: Rules, seat: Seat) -> str:
    """Return the player's team, or the seat if the player has none."""
    return rules.teams_by_seat.get(seat, seat)


def are_opponents(rules: Rules, you: Seat, other: Seat) -> bool:
    return you != other and side(rules, you) != side(rules, other)


def are_friends(rules: Rules, you: Seat, other: Seat) -> bool:
    return you != other and side(rules, you) == side(rules, other)


# -- places -----------------------------------------------------------------------------------------------------------


def spells(t: Table) -> tuple[CardId, ...]:
    return t.places.get(FIELD_PLACE, ())


def character(t: Table, seat: Seat) -> CardId | None:
    cards = t.places.get(PERSONALS[seat])
    return cards[0] if cards else None


def characters(t: Table) -> tuple[CardId, ...]:
    places = t.places
    cards: tuple[CardId, ...] = ()
    for seat in t.seats:
        cards += places.get(PERSONALS[seat], ())
    return cards


def objects(t: Table) -> tuple[CardId, ...]:
    """Return everything in play: the spells on the field, then the characters in seat order."""
    places = t.places
    cards = places.get(FIELD_PLACE, ())
    for seat in t.seats:
        cards += places.get(PERSONALS[seat], ())
    return cards


hand: Final = row_of(S.HAND)
grimoire: Final = row_of(S.GRIMOIRE)
bookmark: Final = row_of(S.BOOKMARK)
"""Cards in a zone of a seat. A grimoire starts with its top card."""
junkyard: Final = row_of(S.JUNKYARD)
revealed: Final = row_of(S.REVEAL)
"""Cards in the junkyard, the newest last, and cards revealed to find the first player."""


# -- objects ----------------------------------------------------------------------------------------------------------


def printed(rules: Rules, t: Table, card: CardId) -> Card:
    """Return the printed card, or a blank one if the log does not know its face."""
    piece = t.pieces.get(card)
    return PRINTED_ON[rules.cards][None if piece is None else piece.face or face_of(t, card)]


def on_field(t: Table, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and piece.place == FIELD_PLACE


def is_character(t: Table, card: CardId) -> bool:
    piece = t.pieces.get(card)
    return piece is not None and piece.place.endswith(_PERSONAL_SUFFIX)


def in_play(t: Table, card: CardId) -> bool:
    """True if the card is an object: a spell on the field or a character."""
    piece = t.pieces.get(card)
    return piece is not None and (piece.place == FIELD_PLACE or piece.place.endswith(_PERSONAL_SUFFIX))


def kind(t: Table, card: CardId) -> str:
    """Return the kind of an object: "spell", "character", or "" if the card is not in play."""
    piece = t.pieces.get(card)
    if piece is None:
        return ""
    return "spell" if piece.place == FIELD_PLACE else "character" if piece.place.endswith(_PERSONAL_SUFFIX) else ""


def is_played(t: Table, card: CardId) -> bool:
    return on_field(t, card) and stance(t, card) == S.PLAYED


def damage(t: Table, card: CardId) -> int:
    return mark(t, card, S.DAMAGE)


def base_controller(t: Table, card: CardId) -> Seat:
    """Return who controls a spell if no effect decides: the player who cast it or got it from the void."""
    piece = t.pieces[card]
    number = piece.marks.get(S.BASE_CONTROLLER, 0)
    return seats(t)[number - 1] if number else piece.owner


def play_of(t: Table, card: CardId) -> Frame | None:
    for frame in t.stack:
        spell = source_of(frame)
        if spell.card == card and spell.thing == t.pieces[card].thing:
            return frame
    return None


def chroma(t: Table, seat: Seat, colour: str) -> int:
    return seat_mark(t, seat, f"chroma.{colour}")


@implements(C.SEVERAL_IN_TURN_ORDER)
def sort_by_turn(t: Table, cards: Iterable[CardId]) -> list[CardId]:
    """Sort cards for simultaneous facts: by controller in turn order, then by timestamp."""
    order = from_turn_player(t)
    return sorted(cards, key=lambda card: (order.index(t.pieces[card].controller), t.pieces[card].thing))


# -- columns of frames ------------------------------------------------------------------------------------------------


def options_of(asked: Frame) -> tuple[CardId, ...]:
    return asked.cards or tuple(option.card for option in asked.objs)


def _obj(place: int) -> Callable[[Frame], Obj]:
    return lambda frame: frame.objs[place]


source_of: Final = _obj(0)
own_card_of: Final = _obj(1)
target_of: Final = _obj(2)
that_of: Final = _obj(3)
"""Objects of an effect: its source, that card after it left, the target of the play, the other object of the event. The
source of a play on the stack is its spell."""
aim_of: Final = _obj(1)
"""Target of a spell on the stack."""
_CHOSEN: Final = 4


chosen_of: Final = objs_from(_CHOSEN)


def _number(place: int) -> Callable[[Frame], int]:
    return lambda frame: frame.numbers[place]


group_of: Final = _number(0)
place_in_line: Final = _number(1)
remembered_by: Final = _number(2)
"""Numbers of an effect: its group, its place in the queue (0: not queued), the void effect that it ends."""


def event_of(effect: Frame) -> str:
    return effect.words[0]


colour_of: Final = word_at(1)
"""The colour chosen, or ""."""


def controller_of_effect(lasting: Effect) -> Seat:
    """Return the seat that gains control. For a card in the void, return its last controller."""
    return lasting.seats[0]


def at_place(effect: Frame, place: int) -> ValueColumns:
    numbers = (group_of(effect), place, *effect.numbers[2:])
    return ValueColumns(objs=effect.objs, seats=effect.seats, numbers=numbers, words=effect.words)


def with_choice(effect: Frame, chosen: tuple[Obj, ...], seats: tuple[Seat, ...], colour: str) -> ValueColumns:
    objs = (*effect.objs[:_CHOSEN], *chosen)
    words = (event_of(effect), colour) if colour else (event_of(effect),)
    return ValueColumns(objs=objs, seats=seats, numbers=effect.numbers, words=words)


pick_count: Final = number_at(0)
