"""Display data of a game, beyond the words of its rulebook. No rule reads it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from domain.law.slots import Action
from domain.table.schema import family
from domain.table.table import Place, Seat, Table, seat_of, square, zone
from domain.words import Lang


class SquareNames(Struct, frozen=True):
    """Names of the squares or slots of an area. `called` returns `c4` for the `3,4` of `map:3,4`, and `meant` the
    reverse. Both return '' for an unknown square or name. `per_seat`: a full name includes the seat, as in `p1.f2`."""

    called: Callable[[str], str]
    meant: Callable[[str], str]
    per_seat: bool = False


class SquareWord(NamedTuple):
    """A word of the rulebook about a square, such as a home area, and its seat if it has one."""

    word: str
    seat: Seat | None = None


class Display(Struct, frozen=True, kw_only=True):
    card: Callable[[str, Lang], tuple[str, ...]] = lambda face, lang: ()
    """Return a printed card line by line: name, values, text; () for no card."""
    text: Callable[[str, tuple[int, ...], Lang], str] = lambda face, path, lang: ""
    """Return the text at a path of a card, as effects and frames refer to it; '' if unknown."""
    hint: Callable[[Table, Action, Lang], str] = lambda table, action, lang: ""
    """Return the effect of an action in the words of its cards, to help choose between similar actions. Slots of the
    action may still be empty."""
    order: tuple[str, ...] = ()
    """Marks in reading order; others follow."""
    always: tuple[str, ...] = ()
    """Marks of seats that are shown at 0 too."""
    flags: tuple[str, ...] = ()
    """Marks that are only on or off, so that their 1 is omitted. `used.*` stands for the whole family."""
    passing: tuple[str, ...] = ()
    """Areas that hold cards briefly. They are shown only while they hold cards."""
    counters: tuple[str, ...] = ()
    """Marks or families for internal bookkeeping of the law. Their changes are not shown."""
    answers: Mapping[str, str] = {}
    """Verb that answers a kind of question, where the two names differ."""
    steps: Mapping[str, str] = {}
    """Verb that a step of the clock waits for if no question is open."""
    keys: Mapping[str, str] = {}
    """Keyboard key of a verb, for recording by keyboard."""
    squares: Mapping[str, SquareNames] = {}
    """Names of squares by area, in typed and displayed text; records use the places' own names. Where areas share
    names, a bare name means the first, and names of the others include the area."""
    known_of: Callable[[Any], Mapping[Place, tuple[SquareWord, ...]]] = lambda rules: {}
    """Return the words about squares that follow from the rules alone."""
    short: Callable[[str, Lang], str] = lambda face, lang: face
    """Return a card's name, short enough for a square of a map."""
    figures: Callable[[Mapping[str, int], Mapping[str, int | str]], str] = lambda marks, readings: ""
    """Return the figures below a card on a map, from its marks and readings, as short as possible."""
    covering: tuple[str, ...] = ()
    """Layers whose cards cover the whole map. Their owners follow from the row, and cards shown on the map are not
    listed again."""

    def place_name(self, place: Place) -> str:
        """Return a place's name for people: `c4`, `p1.f2`, `ground:c4`; '' if it has none but its own."""
        name, squares = zone(place), self.squares.get(zone(place))
        text = squares.called(square(place)) if squares is not None else ""
        if squares is None or not text or squares.per_seat == (seat_of(place) is None):
            return ""
        areas = (area for area, others in self.squares.items() if others.per_seat == squares.per_seat)
        first = next(area for area in areas if self.squares[area].meant(text))
        seat = f"{seat_of(place)}." if squares.per_seat else ""
        return f"{seat}{text}" if first == name else f"{seat}{name}:{text}"

    def find_places(self, text: str) -> Iterator[Place]:
        """Yield the places with this name, whether or not a table has them. The first is the preferred one."""
        seat, dot, rest = text.rpartition(".")
        wanted, _, name = rest.rpartition(":")
        for area, squares in self.squares.items():
            if wanted in ("", area) and squares.per_seat == bool(dot) and (at := squares.meant(name)):
                yield Place(f"{seat}{dot}{area}:{at}")

    def is_flag(self, mark: str) -> bool:
        return mark in self.flags or family(mark) in self.flags

    def is_counter(self, mark: str) -> bool:
        return mark in self.counters or family(mark) in self.counters


NO_DISPLAY: Final = Display()
