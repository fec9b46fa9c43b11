"""How a game is shown to people beyond the words of its rulebook. Nothing here decides anything."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from domain.law.slots import Action
from domain.table.schema import family
from domain.table.table import Place, Seat, Table, square, whose, zone
from domain.words import Lang


class Squares(Struct, frozen=True):
    """What people call the squares of a grid, or slots, and which one they mean: `c4` is the `3,4` of `map:3,4`.

    Either is empty for what is no square, or no name of one. Whether a table has the square is for its schema to say.
    Those of an area that each seat has are named with the seat: `p1.f2`.
    """

    called: Callable[[str], str]
    meant: Callable[[str], str]
    per_seat: bool = False


class SquareWord(NamedTuple):
    """Something known of a square: a word of the rulebook, and whose it is if it is somebody's: the home area of p1."""

    word: str
    seat: Seat | None = None


class Display(Struct, frozen=True, kw_only=True):
    """What a game tells those who draw it."""

    card: Callable[[str, Lang], tuple[str, ...]] = lambda face, lang: ()
    """A card as it is printed, line by line: its name, its values, its text. Nothing for what is no card."""
    text: Callable[[str, tuple[int, ...], Lang], str] = lambda face, path, lang: ""
    """What stands at a place of a card's text, as effects and frames name it; nothing where that is not known."""
    hint: Callable[[Table, Action, Lang], str] = lambda table, action, lang: ""
    """What the cards say an action would do, for one who chooses between several of a kind; it may not be whole yet."""
    order: tuple[str, ...] = ()
    """Marks in the order in which people read them; others come behind."""
    always: tuple[str, ...] = ()
    """Marks of seats that are shown at 0 too."""
    flags: tuple[str, ...] = ()
    """Marks that only say that something is so: their 1 is not told. A family `used.*` stands for all of it."""
    passing: tuple[str, ...] = ()
    """Areas that hold cards for a moment only: they are shown while something lies there."""
    counters: tuple[str, ...] = ()
    """Marks that the law keeps for itself, families too: their steps are flow, not news, and make no verdict."""
    answers: Mapping[str, str] = {}
    """The verb that answers a question, where it is not called as the question is."""
    steps: Mapping[str, str] = {}
    """The verb that a step of the clock waits for, where no question asks for it."""
    keys: Mapping[str, str] = {}
    """The key of a verb where recording by keys should not choose one itself."""
    squares: Mapping[str, Squares] = {}
    """What squares are called where people type or read them, by the name of their area; records know places by their
    own names. Where areas have the same names, the first of them is meant, and the others say which they are."""
    known_of: Callable[[Any], Mapping[Place, tuple[SquareWord, ...]]] = lambda rules: {}
    """What is to be known of squares under these rules, whatever lies on them."""
    short: Callable[[str, Lang], str] = lambda face, lang: face
    """A card in so few letters as a square of a map has room for."""
    figures: Callable[[Mapping[str, int], Mapping[str, int | str]], str] = lambda marks, readings: ""
    """What a square of a map says below a card, from its marks and readings, in as few letters."""
    covering: tuple[str, ...] = ()
    """Layers whose cards cover their map: whose they are is known of the rows, and what a map shows is not listed."""

    def called(self, place: Place) -> str:
        """What people call a place: `c4`, `p1.f2`, `ground:c4`; empty if it has no other name than its own."""
        name, squares = zone(place), self.squares.get(zone(place))
        text = squares.called(square(place)) if squares is not None else ""
        if squares is None or not text or squares.per_seat == (whose(place) is None):
            return ""
        alike = (area for area, others in self.squares.items() if others.per_seat == squares.per_seat)
        first = next(area for area in alike if self.squares[area].meant(text))
        seat = f"{whose(place)}." if squares.per_seat else ""
        return f"{seat}{text}" if first == name else f"{seat}{name}:{text}"

    def find_places(self, text: str) -> Iterator[Place]:
        """The places that people call so, whether or not a table has them; the first is meant where one is wanted."""
        seat, dot, rest = text.rpartition(".")
        wanted, _, name = rest.rpartition(":")
        for area, squares in self.squares.items():
            if wanted in ("", area) and squares.per_seat == bool(dot) and (at := squares.meant(name)):
                yield Place(f"{seat}{dot}{area}:{at}")

    def is_flag(self, mark: str) -> bool:
        """Does a mark only say that something is so?"""
        return mark in self.flags or family(mark) in self.flags

    def is_counter(self, mark: str) -> bool:
        """Does the law keep a mark for itself?"""
        return mark in self.counters or family(mark) in self.counters


NO_DISPLAY: Final = Display()
"""A game that says nothing of how it is shown."""
