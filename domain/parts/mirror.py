"""Mirror images of a table for two seats, for invariants: both seats must have the same options."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.law.offers import Template
from domain.law.slots import slots
from domain.table.table import Effect, Frame, Place, Result, Seat, Table, ValueColumns, seat_of

Meaning = tuple[str, frozenset[tuple[str, object]]]
"""The verb of a template, and the candidates of each slot."""


class Mirror(Struct, frozen=True):
    """The symmetry of a game's two sides. `square` mirrors a place of a grid (None for other places).
    `words` maps words to their mirror words. `numbers` returns the mirrored numbers of a frame or effect."""

    seats: tuple[Seat, ...]
    square: Callable[[Place], Place | None]
    words: Mapping[str, str] = {}
    numbers: Callable[[ValueColumns], tuple[int, ...]] = attrgetter("numbers")

    def other(self, seat: Seat) -> Seat:
        """Return the seat on the other side. Any other value, such as chance, is returned unchanged."""
        return self.seats[1 - self.seats.index(seat)] if seat in self.seats else seat

    def mirror_place(self, place: Place) -> Place:
        mirrored = self.square(place)
        if mirrored is not None:
            return mirrored
        seat = seat_of(place)
        return Place(f"{self.other(seat)}{place.removeprefix(seat)}") if seat is not None else place

    def mirrored(self, t: Table) -> Table:
        clock, result = t.clock, t.result
        return t.with_changes(
            pieces={
                card: replace(
                    piece,
                    owner=self.other(piece.owner),
                    controller=self.other(piece.controller),
                    place=self.mirror_place(piece.place),
                    seen=tuple(map(self.other, piece.seen)),
                )
                for card, piece in t.pieces.items()
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
            effects=tuple(map(self._flip, t.effects)),
            **{lane: tuple(map(self._flip, getattr(t, lane))) for lane in ("stack", "running", "waiting", "asked")},
        )

    def _flip(self, columns: Any) -> Any:
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
        """Return the meanings of templates, mirrored if `turned`."""
        return frozenset(self._meaning(template, turned) for template in templates)

    def _meaning(self, template: Template, turned: bool) -> Meaning:
        kinds = {named.name: named.slot.kind for named in slots(template.action)}

        def convert_value(slot: str, value: object) -> object:
            return self._mirror_value(kinds[slot], value) if turned else value

        fixed = ((slot, convert_value(slot, value)) for slot, value in template.fixed)
        choices = (
            (
                choice.slot,
                (frozenset(convert_value(choice.slot, each) for each in choice.candidates), choice.least, choice.most),
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
        """True if each seat is offered the mirror image of what the other is offered on the mirrored table."""
        other = self.mirrored(t)
        return all(
            self.meanings(offers(t, seat), turned=True) == self.meanings(offers(other, self.other(seat)), turned=False)
            for seat in t.seats
        )
