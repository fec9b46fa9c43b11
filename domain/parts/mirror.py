"""A table as the other of two seats would have it. For invariants: what the one may do here the other may do there."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.law.offers import Template
from domain.law.slots import slots
from domain.table.table import Effect, Frame, Place, Result, Seat, Table, ValueColumns, whose

Meaning = tuple[str, frozenset[tuple[str, object]]]
"""What a template stands for: its verb, and for each slot what may stand there."""


class Mirror(Struct, frozen=True):
    """How the two sides of a game lie to each other. `square` says where a place of a grid lies on the other side, and
    None of a place that is on none; `words` are exchanged for each other, and `numbers` are those of a frame or an
    effect on the other side."""

    seats: tuple[Seat, ...]
    square: Callable[[Place], Place | None]
    words: Mapping[str, str] = {}
    numbers: Callable[[ValueColumns], tuple[int, ...]] = attrgetter("numbers")

    def other(self, seat: Seat) -> Seat:
        """The seat on the other side; who has none stays what they are."""
        return self.seats[1 - self.seats.index(seat)] if seat in self.seats else seat

    def mirror_place(self, place: Place) -> Place:
        """The place that is on the other side what this one is here."""
        turned = self.square(place)
        if turned is not None:
            return turned
        seat = whose(place)
        return Place(f"{self.other(seat)}{place.removeprefix(seat)}") if seat is not None else place

    def mirrored(self, t: Table) -> Table:
        """The same table as the other seat would have it."""
        clock, result = t.clock, t.result
        return t.but(
            pieces={
                one: replace(
                    piece,
                    owner=self.other(piece.owner),
                    controller=self.other(piece.controller),
                    place=self.mirror_place(piece.place),
                    seen=tuple(map(self.other, piece.seen)),
                )
                for one, piece in t.pieces.items()
            },
            places={self.mirror_place(place): row for place, row in t.places.items()},
            seats={seat: t.seats[self.other(seat)] for seat in t.seats},
            clock=replace(
                clock,
                active=None if clock.active is None else self.other(clock.active),
                first=None if clock.first is None else self.other(clock.first),
                awaited=tuple(map(self.other, clock.awaited)),
                passed=tuple(map(self.other, clock.passed)),
            ),
            result=None if result is None else Result(tuple(map(self.other, result.winners)), result.reason),
            effects=tuple(map(self._turned, t.effects)),
            **{lane: tuple(map(self._turned, getattr(t, lane))) for lane in ("stack", "running", "waiting", "asked")},
        )

    def _turned(self, columns: Any) -> Any:
        """A frame or an effect of the other side."""
        assert isinstance(columns, Frame | Effect) and isinstance(columns, ValueColumns)
        changes: dict[str, object] = {
            "by": self.other(columns.by),
            "seats": tuple(map(self.other, columns.seats)),
            "places": tuple(map(self.mirror_place, columns.places)),
            "words": tuple(self.words.get(word, word) for word in columns.words),
            "numbers": self.numbers(columns),
        }
        if isinstance(columns, Frame):
            changes["todo"] = tuple(replace(todo, seat=self.other(todo.seat)) for todo in columns.todo)
        return replace(columns, **changes)

    def meanings(self, templates: Iterable[Template], turned: bool) -> frozenset[Meaning]:
        """What is offered, as it is or as the other side would say it."""
        return frozenset(self._meaning(template, turned) for template in templates)

    def _meaning(self, template: Template, turned: bool) -> Meaning:
        kinds = {named.name: named.slot.kind for named in slots(template.action)}

        def convert_value(slot: str, value: object) -> object:
            return self._mirror_value(kinds[slot], value) if turned else value

        fixed = ((slot, convert_value(slot, value)) for slot, value in template.fixed)
        choices = (
            (
                choice.slot,
                (frozenset(convert_value(choice.slot, one) for one in choice.candidates), choice.least, choice.most),
            )
            for choice in template.choices
        )
        return template.verb, frozenset((*fixed, *choices))

    def _mirror_value(self, kind: str, value: Any) -> object:
        match kind:
            case "place":
                return self.mirror_place(value)
            case "places":
                return tuple(map(self.mirror_place, value))
            case "seat":
                return self.other(value)
            case "word":
                return self.words.get(value, value)
            case _:
                return value

    def is_symmetric(self, t: Table, offers: Callable[[Table, Seat], Iterable[Template]]) -> bool:
        """Is each seat offered on this table what the other one is offered on the table of the other side?"""
        there = self.mirrored(t)
        return all(
            self.meanings(offers(t, seat), turned=True) == self.meanings(offers(there, self.other(seat)), turned=False)
            for seat in t.seats
        )
