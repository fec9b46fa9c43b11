"""What is told of a gap, as a question to a table: is it so there, and is nothing else different?"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from domain.judging.audit.bridging.alike import Alike
from domain.judging.audit.comparing import hands
from domain.law.clause import Told
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.physics import Physics
from domain.table.redact import Eyes
from domain.table.table import LANES, CardId, Piece, Place, Table

Parts = dict[Hashable, Any]
"""What is different of one card, part by part."""
_Lying = tuple[CardId, str | None, Parts]
"""Which card it is like, its face, and how it lies."""

_CLOCK: Final = ("turn", "active", "first", "phase", "awaited", "passed")
_GONE: Final[Parts] = {"place": None}


def start_of(physics: Physics, before: Table, told: Told) -> Table:
    """The table before a gap with what is told of it put in its place.

    A card's face that was learned there was the same before. Of a pile nobody knows which card it was; of a hand it
    does not matter. Where nobody can tell any more which card is which, nobody could have said before.
    """
    eyes, faces = Eyes(physics), dict[CardId, str | None]()
    for _, fact in told:
        match fact:
            case F.Learned(card, face):
                faces.setdefault(card, face)
            case F.Identified(cards, named):
                for card, name in zip(cards, named, strict=False):
                    faces.setdefault(card, name)
            case _:
                pass
    pieces = dict(before.pieces)
    for card, name in faces.items():
        piece = pieces.get(card)
        if piece is None or (name is not None and piece.face is not None):
            continue
        area = physics.area(piece.place)
        if name is None or (area is not None and area.order == "bag") or eyes.follows(before, card):
            pieces[card] = replace(piece, face=name)
    return before.but(pieces=pieces)


class Wanted:
    """What is different behind a gap, by what is told of it."""

    def __init__(self, physics: Physics, start: Table, told: Told) -> None:
        self.alike, self._physics = Alike(physics, start), physics
        self.start, self.after = start, fold(start, (fact for _, fact in told))
        self._cards = self._by_kind()
        self._seats = _changed_seats(start, self.after)
        self._marks = _changed_marks(start.marks, self.after.marks)
        self._clock = [name for name in _CLOCK if getattr(start.clock, name) != getattr(self.after.clock, name)]
        read = self.alike.lane
        self._lanes = {name: read(self.after, name) for name in LANES if read(self.after, name) != read(start, name)}
        arranged = dict.fromkeys(fact.place for _, fact in told if isinstance(fact, F.Arranged))
        self._rows = {place: self.alike.row(self.after, place) for place in arranged if self._told_apart(place)}
        self._effects = self.alike.effects(self.after)
        self._affects = self._effects != self.alike.effects(start)

    def _told_apart(self, place: Place) -> bool:
        """Does anybody know in which order the cards of a place lie?"""
        return any(self.after.pieces[card].face is not None for card in self.after.places.get(place, ()))

    def _by_kind(self) -> dict[CardId, list[tuple[CardId, Parts]]]:
        """What is different of which cards, under the card that each of them is like."""
        kinds: dict[CardId, list[tuple[CardId, Parts]]] = {}
        for card in sorted({*self.start.pieces, *self.after.pieces}):
            old, new = self.start.pieces.get(card), self.after.pieces.get(card)
            if old is new:
                continue
            was = {} if old is None else _parts(self.alike, old)
            now = _GONE if new is None else _parts(self.alike, new)
            absent = dict.fromkeys((part for part in was if part not in now and new is not None), 0)
            parts = {part: to for part, to in (now | absent).items() if was.get(part, 0) != to}
            if parts:
                kinds.setdefault(self.alike.like(card), []).append((card, parts))
        return kinds

    @property
    def nothing(self) -> bool:
        """Is nothing told to be different?"""
        several = (self._cards, self._seats, self._marks, self._clock, self._lanes, self._rows)
        return not any(several) and not self._affects and self.start.result == self.after.result

    def is_of_one(self, fact: F.AnyFact) -> bool:
        """Does a fact speak of cards only that somebody can tell from all others?"""
        return all(
            sum(1 for _ in self.alike.same_kind(self.alike.like(card))) == 1 for card in getattr(fact, "cards", ())
        )

    def reached(self, table: Table) -> bool:
        """Is all of it so on this table?"""
        clock, marks = table.clock, table.marks
        return (
            (self.after.result == self.start.result or table.result == self.after.result)
            and all(getattr(clock, name) == getattr(self.after.clock, name) for name in self._clock)
            and all(marks.get(name, 0) == to for name, to in self._marks.items())
            and all(table.seats[seat].get(name, 0) == to for seat, name, to in self._seats)
            and all(self.alike.lane(table, name) == frames for name, frames in self._lanes.items())
            and (not self._affects or self.alike.effects(table) == self._effects)
            and all(self.alike.row(table, place) == row for place, row in self._rows.items())
            and all(self._lie_so(table, kind, parts) for kind, parts in self._cards.items())
        )

    def _lie_so(self, table: Table, kind: CardId, wanted: Sequence[tuple[CardId, Parts]]) -> bool:
        """Are there as many cards of a kind, each of which is as one of these was seen?"""
        cards = tuple(self.alike.same_kind(kind)) or tuple(card for card in table.pieces if not self.alike.like(card))
        return _each_has_its_own(
            [[card for card in cards if self._fits(table, card, meant, parts)] for meant, parts in wanted]
        )

    def _fits(self, table: Table, card: CardId, meant: CardId, parts: Parts) -> bool:
        piece = table.pieces.get(card)
        if piece is None:
            return parts is _GONE or parts == _GONE
        there = _parts(self.alike, piece)
        meant_face = self.after.pieces[meant].face if meant in self.after.pieces else None
        return _may_be(piece.face, meant_face) and all(there.get(part, 0) == to for part, to in parts.items())

    def equals(self, table: Table) -> bool:
        """Is nothing else different, as far as the record knows?"""
        after, alike = self.after, self.alike
        return (
            hands(table.clock) == hands(after.clock)
            and _marks_of(table.marks) == _marks_of(after.marks)
            and all(_marks_of(table.seats[seat]) == _marks_of(after.seats[seat]) for seat in after.seats)
            and table.result == after.result
            and all(alike.lane(table, name) == alike.lane(after, name) for name in LANES)
            and alike.effects(table) == self._effects
            and self._lies_the_same(table)
        )

    def _lies_the_same(self, table: Table) -> bool:
        """Do the same kinds of cards lie in the same places, as far as their faces are known?"""
        ours, theirs = self._lying(table), self._lying(self.after)
        if ours.keys() != theirs.keys():
            return False
        return all(ours[place] == row or self._lie_alike(place, ours[place], row) for place, row in theirs.items())

    def _lie_alike(self, place: Place, ours: Sequence[_Lying], theirs: Sequence[_Lying]) -> bool:
        """Are the cards of a place the same, in a pile one behind the other?"""
        if len(ours) != len(theirs):
            return False
        area = self._physics.area(place)
        if area is not None and area.order == "pile":
            return all(_alike(*both) for both in zip(ours, theirs, strict=True))
        return _each_has_its_own([[n for n, other in enumerate(ours) if _alike(card, other)] for card in theirs])

    def _lying(self, table: Table) -> Mapping[Place, list[_Lying]]:
        return {
            place: [
                (self.alike.like(card), table.pieces[card].face, _parts(self.alike, table.pieces[card])) for card in row
            ]
            for place, row in table.places.items()
            if row
        }


def _alike(one: _Lying, other: _Lying) -> bool:
    return one[0] == other[0] and one[2] == other[2] and _may_be(one[1], other[1])


def _may_be(face: str | None, other: str | None) -> bool:
    return face is None or other is None or face == other


def _parts(alike: Alike, piece: Piece) -> Parts:
    parts: Parts = {
        "place": piece.place,
        "up": piece.up,
        "stance": piece.stance,
        "controller": piece.controller,
        "host": alike.like(piece.host) if piece.host else 0,
        "seen": frozenset(piece.seen),
    }
    return parts | {("mark", name): to for name, to in piece.marks.items() if to}


def _marks_of(marks: Mapping[str, int]) -> dict[str, int]:
    return {name: to for name, to in marks.items() if to}


def _changed_marks(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    return {name: after.get(name, 0) for name in {*before, *after} if before.get(name, 0) != after.get(name, 0)}


def _changed_seats(before: Table, after: Table) -> list[tuple[Any, str, int]]:
    return [
        (seat, name, to)
        for seat in after.seats
        for name, to in _changed_marks(before.seats[seat], after.seats[seat]).items()
    ]


def _each_has_its_own(fitting: Sequence[Sequence[int]]) -> bool:
    """Can each be given one of those that fit it, no two the same? (Kuhn's augmenting paths.)"""
    given: dict[int, int] = {}

    def give(one: int, tried: set[int]) -> bool:
        for other in fitting[one]:
            if other not in tried:
                tried.add(other)
                if other not in given or give(given[other], tried):
                    given[other] = one
                    return True
        return False

    return all(give(one, set()) for one in range(len(fitting)))
