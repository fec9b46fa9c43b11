"""Strips of a table as values, taken from a redacted view. Equal values look equal.

A strip is the unit of drawing, comparing and sending: an area of a seat, a line of a grid, or a seat's own line. The
schema, the layout and the seats determine the strips, so they are the same throughout a match.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from string import ascii_uppercase

from msgspec import Struct
from msgspec.structs import replace

from domain.law.layout import SlotDisplay
from domain.table.redact import SeenCard, SeenEffect, SeenFrame, SeenPlace, SeenSeat, View
from domain.table.table import LANES, Clock, Place, Result, Seat, seat_of, zone
from service.drawing.setting import DrawingContext, find_holder, visible_cards

Letters = Mapping[int, str]
"""Letters of things, or of frames, by id."""


def circle_letter(letter: str) -> str:
    return chr(ord("Ⓐ") + ord(letter) - ord("A"))


def assign_letters(view: View) -> tuple[Letters, Letters]:
    """Return the letters of things and of open frames, oldest frame first. There are none after Z."""
    frames = sorted((frame for lane in LANES for frame in getattr(view, lane)), key=lambda frame: frame.id)
    seen = {card.thing for card in visible_cards(view)} if frames else set()
    things: dict[int, str] = {}
    open_frames: dict[int, str] = {}
    unused = iter(ascii_uppercase)
    for frame, group in chain.from_iterable(_group_things(frame, seen) for frame in frames):
        letter = next(unused, "")
        if not letter:
            break
        for thing in group:
            things[thing] = things.get(thing, "") + circle_letter(letter)
        open_frames[frame] = open_frames.get(frame, "") + circle_letter(letter)
    return things, open_frames


def _group_things(frame: SeenFrame, seen: set[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the things that a frame connects: each pair, then its other cards and targets."""
    paired: set[int] = set()
    for pair in frame.pairs:
        if things := tuple(card.thing for card in pair if card.thing in seen and card.thing):
            paired.update(things)
            yield frame.id, things
    others = dict.fromkeys(card.thing for card in (*frame.cards, *frame.objs) if card.thing and card.thing in seen)
    if rest := tuple(thing for thing in others if thing not in paired):
        yield frame.id, rest


Lettered = tuple[tuple[int, str], ...]


class AreaStrip(Struct, frozen=True):
    """An area of a seat, its part of a shared area, or a shared area. `spare`: hidden while empty."""

    slot: SlotDisplay
    places: tuple[SeenPlace, ...]
    viewer: Seat
    seat: Seat | None = None
    spare: bool = False
    letters: Lettered = ()


class GridSquare(Struct, frozen=True):
    """A square of a grid: its places from bottom to top, and the cards tied to them. `aimed` is the letter of a frame
    about the square itself; None if there is none."""

    column: int
    places: tuple[SeenPlace, ...]
    viewer: Seat
    tied: tuple[SeenCard, ...] = ()
    letters: Lettered = ()
    aimed: str | None = None


class LineStrip(Struct, frozen=True):
    grid: str
    row: int
    squares: tuple[GridSquare, ...]


class SeatStrip(Struct, frozen=True):
    """A seat with its marks: on turn, awaited, or out of the match."""

    seat: SeenSeat
    active: bool
    awaited: bool
    out: bool


class ClockStrip(Struct, frozen=True):
    clock: Clock
    marks: dict[str, int]


class LanesStrip(Struct, frozen=True):
    lanes: tuple[tuple[str, tuple[SeenFrame, ...]], ...]
    letters: Lettered


class EffectsStrip(Struct, frozen=True):
    effects: tuple[SeenEffect, ...]


class ResultStrip(Struct, frozen=True):
    result: Result | None


Strip = AreaStrip | LineStrip | SeatStrip | ClockStrip | LanesStrip | EffectsStrip | ResultStrip

CLOCK, LANES_KEY, EFFECTS, RESULT = "clock", "lanes", "effects", "result"


def seat_key(seat: Seat) -> str:
    return f"{seat}.res"


def own_key(seat: Seat, area: str) -> str:
    """Return the key of a seat's area, or of its part of a shared one."""
    return f"{seat}.{area}"


def line_key(grid: str, row: int) -> str:
    return f"{grid}.{row}"


def strips_of(view: View, setting: DrawingContext) -> dict[str, Strip]:
    return dict(_Strips(view, setting).all())


class _Strips:
    def __init__(self, view: View, setting: DrawingContext) -> None:
        self.view, self.setting = view, setting
        self.things, self.frames = assign_letters(view)
        self.shared_by_area: dict[str, list[SeenPlace]] = {}
        for place in view.shared:
            self.shared_by_area.setdefault(place.area, []).append(place)
        self.squares = {place.place: place for place in view.shared if place.area in setting.on_squares}
        self.tied = dict(self._find_corner_cards())
        self.aimed = dict(self._find_aimed())

    def all(self) -> Iterator[tuple[str, Strip]]:
        view = self.view
        yield CLOCK, ClockStrip(view.clock, view.marks)
        content = view.viewer, view.shared, [seat.places for seat in view.seats], self.things, self.aimed
        place_strips = self.setting.cached_strips(content, self._make_place_strips)
        for seat in view.seats:
            yield seat_key(seat.seat), self._make_seat(seat)
            yield from place_strips[seat.seat]
        yield from place_strips[None]
        lanes = tuple((lane, frames) for lane in LANES if (frames := getattr(view, lane)))
        yield LANES_KEY, LanesStrip(lanes, tuple(self.frames.items()))
        yield EFFECTS, EffectsStrip(view.effects)
        yield RESULT, ResultStrip(view.result)

    def _make_place_strips(self) -> dict[Seat | None, tuple[tuple[str, Strip], ...]]:
        """Return the strips of all places: each seat's, and the middle under None."""
        seat_slots = [slot for band in self.setting.seat_bands for slot in band]
        by_seat: dict[Seat | None, tuple[tuple[str, Strip], ...]] = {
            seat.seat: tuple((own_key(seat.seat, slot.area), self._make_seat_area(seat, slot)) for slot in seat_slots)
            for seat in self.view.seats
        }
        return {**by_seat, None: tuple(self._in_the_middle())}

    def _in_the_middle(self) -> Iterator[tuple[str, Strip]]:
        setting = self.setting
        for (grid, row), squares in setting.lines.items():
            yield line_key(grid, row), LineStrip(grid, row, tuple(self._make_square(*square) for square in squares))
        for band in setting.middle:
            for slot in band:
                yield slot.area, self._make_middle_area(slot)

    def _make_seat(self, seat: SeenSeat) -> SeatStrip:
        clock, out = self.view.clock, self.setting.schema.out
        is_out = bool(out and seat.marks.get(out))
        return SeatStrip(replace(seat, places=()), clock.active == seat.seat, seat.seat in clock.awaited, is_out)

    def _make_seat_area(self, seat: SeenSeat, slot: SlotDisplay) -> AreaStrip:
        spare = slot.area in self.setting.areas_shown_with_cards
        if slot.area in self.setting.areas_by_controller:
            shared = (self._take_part(place, seat.seat) for place in self.shared_by_area.get(slot.area, ()))
            return self._make_area(slot, tuple(shared), seat.seat, spare)
        places = tuple(place for place in seat.places if place.area == slot.area)
        if slot.area in self.setting.corners:
            places = tuple(map(self._without_tied, places))
        return self._make_area(slot, places, seat.seat, spare)

    def _take_part(self, place: SeenPlace, seat: Seat | None) -> SeenPlace:
        """Return the part of a place that a seat controls. None is the rest, including unseen cards."""
        seats = [seat.seat for seat in self.view.seats]
        if seat is None:
            cards = tuple(card for card in place.cards if find_holder(card, place.place) not in seats)
            held_by_seats = sum(1 + len(card.tied) for card in place.cards if find_holder(card, place.place) in seats)
            return replace(place, cards=cards, count=None if place.count is None else place.count - held_by_seats)
        cards = tuple(card for card in place.cards if find_holder(card, place.place) == seat)
        return replace(place, cards=cards, count=sum(1 + len(card.tied) for card in cards))

    def _make_middle_area(self, slot: SlotDisplay) -> AreaStrip:
        places = tuple(self.shared_by_area.get(slot.area, ()))
        if slot.area in self.setting.areas_by_controller:
            return self._make_area(slot, tuple(self._take_part(place, None) for place in places), None, True)
        if slot.area in self.setting.corners:
            places = tuple(map(self._without_tied, places))
        return self._make_area(slot, places, None, slot.area in self.setting.areas_shown_with_cards)

    def _make_area(self, slot: SlotDisplay, places: tuple[SeenPlace, ...], seat: Seat | None, spare: bool) -> AreaStrip:
        cards = [card for place in places for card in place.cards]
        return AreaStrip(slot, places, self.view.viewer, seat, spare, self._find_letters(cards))

    def _make_square(self, column: int, names: tuple[Place, ...]) -> GridSquare:
        places = tuple(self.squares[name] for name in names if name in self.squares)
        cards = [card for place in places for card in place.cards]
        tied = tuple(other for card in cards for other in self.tied.get(card.thing, ())) if self.tied else ()
        aimed = next((self.aimed[name] for name in names if name in self.aimed), None) if self.aimed else None
        return GridSquare(column, places, self.view.viewer, tied, self._find_letters([*cards, *tied]), aimed)

    def _find_letters(self, cards: list[SeenCard]) -> Lettered:
        if not self.things:
            return ()
        each = (other for card in cards for other in (card, *card.tied))
        return tuple((card.thing, self.things[card.thing]) for card in each if card.thing in self.things)

    def _find_aimed(self) -> Iterator[tuple[Place, str]]:
        """Yield the squares that an open frame is about, with its letter."""
        for frame in (frame for lane in LANES for frame in getattr(self.view, lane)):
            for place in frame.places:
                if zone(place) in self.setting.on_squares:
                    yield place, self.frames.get(frame.id, "")

    def _find_corner_cards(self) -> Mapping[int, list[SeenCard]]:
        """Return the cards drawn in the corner of their host, by the host's thing."""
        if not self.setting.corners:
            return {}
        hosts = {card.thing for place in self.squares.values() for card in place.cards if card.thing}
        tied: dict[int, list[SeenCard]] = {}
        for place in (*self.view.shared, *(place for seat in self.view.seats for place in seat.places)):
            if place.area in self.setting.corners:
                for card in place.cards:
                    if card.host in hosts:  # away from its own area the card must name its owner
                        tied.setdefault(card.host, []).append(replace(card, owner=card.owner or seat_of(place.place)))
        return tied

    def _without_tied(self, place: SeenPlace) -> SeenPlace:
        """Return a place without the cards that are drawn at their hosts."""
        cards = tuple(card for card in place.cards if card.host not in self.tied)
        removed = len(place.cards) - len(cards)
        return replace(place, cards=cards, count=None if place.count is None else place.count - removed)
