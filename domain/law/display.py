"""How a game is shown to people beyond the words of its rulebook. Nothing here decides anything."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from domain.law.slots import Action
from domain.table.schema import family
from domain.table.table import Table
from domain.words import Lang


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
    keys: Mapping[str, str] = {}
    """The key of a verb where recording by keys should not choose one itself."""

    def is_flag(self, mark: str) -> bool:
        """Does a mark only say that something is so?"""
        return mark in self.flags or family(mark) in self.flags

    def is_counter(self, mark: str) -> bool:
        """Does the law keep a mark for itself?"""
        return mark in self.counters or family(mark) in self.counters
