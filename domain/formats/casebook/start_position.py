"""Build the table that a case starts from. Names of pieces, frames and effects are checked against the schema only."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.formats.casebook.checks import impossible
from domain.formats.casebook.layers import is_layer, squares
from domain.formats.casebook.load import GivenColumns, GivenEffect, GivenFrame, StartPosition
from domain.formats.casebook.pieces import Spec, parse_piece
from domain.formats.errors import FormatError, explain_unknown, locate_errors, quote_input
from domain.formats.names import Labels, resolve_card
from domain.formats.places import PlaceNames
from domain.law.actions import NO_PLACE
from domain.law.display import NO_DISPLAY, Display
from domain.law.game import Deck
from domain.table import facts as F, table as T
from domain.table.physics import ACTORS, Physics
from domain.table.schema import Area, Schema
from domain.words import Text, listed

_WAS = re.compile(r"(\S+)\s+was\s+([0-9]{1,18})")
_GONE = re.compile(r"gone\s+([0-9]{1,18})")
_TODO = re.compile(r"(\S+)\s+([0-9]{1,9}(?:\.[0-9]{1,9})*)")

Id = TypeVar("Id", T.CardId, T.FrameId)

Fillers = Callable[[T.Seat, Sequence[str]], Sequence[str] | None]
"""Return the faces left in a seat's deck for fillers, plain ones first; None if the deck is unknown."""


def from_deck(deck: Callable[[T.Seat], Deck], plain: Callable[[str], bool]) -> Fillers:
    """Return fillers from the rest of each seat's deck: plain faces first, then in the order of the deck."""

    def list_fillers(seat: T.Seat, taken: Sequence[str]) -> Sequence[str] | None:
        rest = list(deck(seat).faces)
        if not rest:
            return None
        for face in taken:
            if face in rest:
                rest.remove(face)
        return sorted(rest, key=lambda face: not plain(face))

    return list_fillers


class Position(Struct, frozen=True):
    table: T.Table
    labels: Labels


def build(
    schema: Schema,
    seats: tuple[T.Seat, ...],
    given: StartPosition,
    fillers: Fillers | None = None,
    display: Display = NO_DISPLAY,
) -> Position:
    """Build the table of a position for these seats and those that it names. If a deck is unknown, fillers are unknown
    cards. Raises FormatError with the impossible part."""
    for name in given.seats:
        if not name.isidentifier():
            raise FormatError(explain_unknown("seat", name, seats)).within("seats")
    seats = tuple(dict.fromkeys((*seats, *(T.Seat(seat) for seat in given.seats))))
    builder = _Builder(Physics(schema), PlaceNames(display, schema), seats)
    builder.pieces(given, fillers)
    builder.frames_and_effects(given)
    return builder.finish(given)


class _Rest(Struct):
    """The rest of a deck for fillers, the number of its named cards, and the fillers served so far."""

    faces: list[str]
    named: int
    taken: list[str]


class _Builder:
    def __init__(self, physics: Physics, named: PlaceNames, seats: tuple[T.Seat, ...]) -> None:
        self.physics = physics
        self.named = named
        self.seats = seats
        self.table = T.blank(seats)
        self.cards: dict[str, T.CardId] = {}
        self.frames: dict[str, T.FrameId] = {}
        self.highest_thing = 0

    def pieces(self, given: StartPosition, fillers: Fillers | None) -> None:
        """Add all pieces, numbered in order of appearance."""
        laid: dict[T.Place, list[Spec]] = {}
        for name, texts in given.places.items():
            if is_layer(name):
                continue
            place = self._resolve_place(name)
            if place in laid:
                raise FormatError(Text("format.twice", {"what": name})).within("places")
            laid[place] = self._row(name, texts)
        for square, texts in squares(self.physics.schema, given.places).items():
            laid.setdefault(self._resolve_place(square), self._row(square, texts))
        rows = list(laid.items())
        named = [(self._owner(place, spec), spec) for place, row in rows for spec in row if not spec.fill]
        left: dict[T.Seat, _Rest | None] = {}
        for place, row in rows:
            for spec in row:
                owner = self._owner(place, spec)
                if spec.fill and owner not in left:
                    taken = [other.face for seat, other in named if seat == owner and other.face is not None]
                    faces = None if fillers is None else fillers(owner, taken)
                    left[owner] = None if faces is None else _Rest(list(faces), len(taken), [])
        named_things = {spec.thing for _, row in rows for spec in row}
        things = (number for number in count(1) if number not in named_things)
        pieces: dict[T.CardId, T.Piece] = {}
        places: dict[T.Place, tuple[T.CardId, ...]] = {}
        ties: list[tuple[T.CardId, str]] = []
        for place, row in rows:
            base = T.CardId(0)
            declared = self.physics.area(place)
            assert declared is not None
            for spec in row:
                for face in self._faces(place, spec, left):
                    card = T.CardId(len(pieces) + 1)
                    pieces[card] = self._piece(place, declared, spec, face, things, base)
                    places[place] = (*places.get(place, ()), card)
                    if not spec.plus:
                        base = card
                    if spec.tied is not None:
                        ties.append((card, spec.tied))
                    self._label(spec.label, self.cards, card)
        for card, label in ties:
            if label not in self.cards:
                raise FormatError(explain_unknown("label", label, self.cards)).within(f"tied={label}")
            pieces[card] = replace(pieces[card], host=self.cards[label])
        self.highest_thing = max((piece.thing for piece in pieces.values()), default=0)
        if len({piece.thing for piece in pieces.values()}) != len(pieces):
            raise FormatError(Text("piece.one_thing"))
        self.table = self.table.with_changes(pieces=pieces, places=places)

    def _resolve_place(self, name: str) -> T.Place:
        with locate_errors("places"):
            place = next(iter(self.named.find(name)), T.Place(name))
        seat = self.physics.seat(place)
        if self.physics.area(place) is None or (seat is not None and seat not in self.seats):
            areas = [
                f"{self.seats[0]}.{area.name}" if area.per_seat else area.name for area in self.physics.schema.areas
            ]
            raise FormatError(explain_unknown("place", name, areas)).within("places")
        return place

    def _row(self, name: str, texts: tuple[str, ...]) -> list[Spec]:
        with locate_errors(f"places: {name}"):
            row = [parse_piece(text, self.physics, self.seats) for text in texts]
        if row and row[0].plus:
            raise FormatError(Text("piece.no_host", {"text": quote_input(row[0].text)})).within(f"places: {name}")
        return row

    def _owner(self, place: T.Place, spec: Spec) -> T.Seat:
        owner = spec.owner or self.physics.seat(place)
        if owner is None:
            raise FormatError(Text("piece.no_owner", {"text": quote_input(spec.text)})).within(f"places: {place}")
        return owner

    def _faces(self, place: T.Place, spec: Spec, left: dict[T.Seat, "_Rest | None"]) -> Iterator[str | None]:
        if not spec.fill:
            yield spec.face
            return
        owner = self._owner(place, spec)
        rest = left[owner]
        if rest is None:
            yield from (None for _ in range(spec.fill))
            return
        if len(rest.faces) < spec.fill:
            about = {"text": quote_input(spec.text), "seat": owner, "left": len(rest.faces), "named": rest.named}
            about |= {"taken": listed(rest.taken)}
            raise FormatError(Text("piece.deck", about)).within(f"places: {place}")
        rest.taken.append(f"{place} x{spec.fill}")
        yield from [rest.faces.pop(0) for _ in range(spec.fill)]

    def _piece(
        self, place: T.Place, declared: Area, spec: Spec, face: str | None, things: Iterator[int], base: T.CardId
    ) -> T.Piece:
        owner = self._owner(place, spec)
        for name, number in spec.marks.items():
            fault = self.physics.explain_impossible(self.table, F.Marked((), name, number))
            if fault is not None:
                raise FormatError(fault).within(f"places: {place}: {quote_input(spec.text)}")
        return T.Piece(
            face=face,
            owner=owner,
            controller=spec.by or owner,
            place=place,
            thing=spec.thing if spec.thing is not None else next(things),
            up=declared.up if spec.up is None else spec.up,
            stance=spec.stance or 0,
            host=base if spec.plus else T.CardId(0),
            seen=spec.seen or (),
            marks={name: number for name, number in spec.marks.items() if number},
        )

    def _label(self, label: str, names: dict[str, Id], number: Id) -> None:
        if label in self.cards or label in self.frames:
            raise FormatError(Text("casebook.label_twice", {"label": label}))
        if label:
            names[label] = number

    def frames_and_effects(self, given: StartPosition) -> None:
        """Add frames and effects, numbered oldest first. A frame may name a later one."""
        for number, written in enumerate(given.frame, start=1):
            self._label(written.label, self.frames, T.FrameId(number))
        for number, written in enumerate(given.frame, start=1):
            where = Text("casebook.frame", {"n": number, "kind": written.kind})
            with locate_errors(where):
                frame = self._frame(T.FrameId(number), written)
            self._check_possible(where, F.Pushed(frame))
            self.table = self.table.with_changes(**{frame.lane: (*getattr(self.table, frame.lane), frame)})
        for number, other in enumerate(given.effect, start=1):
            where = Text("casebook.effect", {"n": number, "kind": other.kind})
            with locate_errors(where):
                effect = self._effect(T.EffectId(number), other)
            self._check_possible(where, F.Began(effect))
            self.table = self.table.with_changes(effects=(*self.table.effects, effect))
        self.table = self.table.with_changes(framed=len(given.frame), begun=len(given.effect))

    def _check_possible(self, where: str | Text, fact: F.AnyFact) -> None:
        fault = self.physics.explain_impossible(self.table, fact)
        if fault is not None:
            raise FormatError(fault).within(where)

    def _frame(self, number: T.FrameId, written: GivenFrame) -> T.Frame:
        kind = self.physics.kinds.get(written.kind)
        if kind is None:
            raise FormatError(explain_unknown("frame_kind", written.kind, self.physics.kinds))
        lanes: Mapping[str, T.Lane] = {name: name for name in T.LANES}
        if written.lane and written.lane not in lanes:
            raise FormatError(explain_unknown("lane", written.lane, T.LANES))
        if written.step and written.step not in kind.steps:
            raise FormatError(explain_unknown("step", written.step, kind.steps))
        todo = tuple(self._todo(text) for text in written.todo)
        return T.Frame(
            id=number,
            lane=lanes[written.lane] if written.lane else kind.lanes[0],
            kind=written.kind,
            by=self._seat(written.by, ACTORS),
            step=written.step,
            face=written.face,
            todo=todo,
            **self._columns(written),
        )

    def _effect(self, number: T.EffectId, written: GivenEffect) -> T.Effect:
        return T.Effect(
            id=number,
            kind=written.kind,
            by=self._seat(written.by, ACTORS),
            source=self._obj(written.source, written.by) if written.source else T.Obj(T.CardId(0), 0),
            on=tuple(self._obj(text, written.by) for text in written.on),
            until=written.until,
            since=written.since,
            face=written.face,
            path=written.path,
            **self._columns(written),
        )

    def _columns(self, written: GivenColumns) -> dict[str, Any]:
        columns = T.ValueColumns(
            objs=tuple(self._obj(text, written.by) for text in written.objs),
            pairs=tuple(self._pair(text, written.by) for text in written.pairs),
            cards=tuple(self._card(text, written.by) for text in written.cards),
            frames=tuple(self._resolve_frame_label(text) for text in written.frames),
            seats=tuple(self._seat(text) for text in written.seats),
            places=tuple(self._place(text) for text in written.places),
            numbers=written.numbers,
            words=written.words,
        )
        return asdict(columns)

    def _seat(self, text: str, besides: tuple[T.Seat, ...] = ()) -> T.Seat:
        if text not in (*self.seats, *besides):
            raise FormatError(explain_unknown("seat", text, (*self.seats, *besides)))
        return T.Seat(text)

    def _place(self, text: str) -> T.Place:
        if not text:  # an empty text keeps the order of a column of places
            return NO_PLACE
        place = self.named.read(self.table, text)
        if self.physics.area(place) is None and T.area(place) not in self.physics.areas:
            raise FormatError(explain_unknown("place", text, self.physics.areas))
        return place

    def _resolve_frame_label(self, text: str) -> T.FrameId:
        if text not in self.frames:
            raise FormatError(explain_unknown("frame_label", text, self.frames))
        return self.frames[text]

    def _card(self, text: str, by: str) -> T.CardId:
        return resolve_card(self.table, text, T.Seat(by), labels=Labels(self.cards), places=self.named)

    def _obj(self, text: str, by: str) -> T.Obj:
        if match := _GONE.fullmatch(text):
            self.highest_thing = max(self.highest_thing, int(match[1]))
            return T.Obj(T.CardId(0), int(match[1]))
        if match := _WAS.fullmatch(text):
            self.highest_thing = max(self.highest_thing, int(match[2]))
            return T.Obj(self._card(match[1], by), int(match[2]))
        card = self._card(text, by)
        return T.Obj(card, self.table.pieces[card].thing)

    def _pair(self, text: str, by: str) -> tuple[T.Obj, T.Obj]:
        left, arrow, right = text.partition(">")
        if not arrow:
            raise FormatError(Text("format.pair", {"text": quote_input(text)}))
        return self._obj(left.strip(), by), self._obj(right.strip(), by)

    def _todo(self, text: str) -> T.Todo:
        match = _TODO.fullmatch(text)
        if match is None:
            raise FormatError(Text("casebook.todo", {"text": quote_input(text)}))
        return T.Todo(tuple(int(step) for step in match[2].split(".")), self._seat(match[1]))

    def finish(self, given: StartPosition) -> Position:
        """Add clock and marks, check the table and return it."""
        seats: dict[T.Seat, dict[str, int]] = {seat: {} for seat in self.seats}
        for seat, marks in given.seats.items():
            seats[T.Seat(seat)] = self._marks(T.Seat(seat), f"seats: {seat}", marks)
        clock = T.Clock(
            given.turn,
            None if given.active is None else self._read_clock_seat("active", given.active),
            None if given.first is None else self._read_clock_seat("first", given.first),
            given.phase,
            given.step,
            tuple(self._read_clock_seat("awaited", seat) for seat in given.awaited),
            tuple(self._read_clock_seat("passed", seat) for seat in given.passed),
        )
        if given.phase not in self.physics.schema.phases:
            raise FormatError(explain_unknown("phase", given.phase, self.physics.schema.phases))
        self._check_possible(Text("casebook.clock"), F.Clocked(clock))
        table = self.table.with_changes(
            seats=seats,
            marks=self._marks(None, "marks", given.marks),
            clock=clock,
            minted=self.highest_thing,
        )
        for problem in impossible(self.physics, table, self.named):
            raise FormatError(problem)
        return Position(table, Labels(self.cards, self.frames))

    def _read_clock_seat(self, key: str, text: str) -> T.Seat:
        with locate_errors(key):
            return self._seat(text)

    def _marks(self, on: T.Seat | None, where: str, marks: Mapping[str, int]) -> dict[str, int]:
        for name, number in marks.items():
            self._check_possible(where, F.Marked(on, name, number))
        return {name: number for name, number in marks.items() if number}
