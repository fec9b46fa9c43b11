"""A game under one ruleset: the input of everything that decides, judges or shows a match."""

from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from msgspec import Struct

from domain.law.game import Deck, Game, R
from domain.law.slots import A
from domain.table.table import Seat, Table

P = ParamSpec("P")
T = TypeVar("T")


class _BoundToRules(Generic[P, T]):
    """A descriptor that binds a function of the game to the rules of the law."""

    __slots__ = ("_select",)

    def __init__(self, select: Callable[[Game], Callable[Concatenate[Any, P], T]]) -> None:
        self._select = select

    def __get__(self, law: "Law", _: type["Law"]) -> Callable[P, T]:
        return partial(self._select(law.game), law.rules)


class Law(Struct, Generic[R, A], frozen=True):
    """The law of one match: a game's functions, bound to its rules."""

    game: Game[R, A]
    rules: R

    seats = _BoundToRules(lambda game: game.seats)
    schema = _BoundToRules(lambda game: game.schema)
    deck_checks = _BoundToRules(lambda game: game.deck_checks)
    set_up = _BoundToRules(lambda game: game.set_up)
    offers = _BoundToRules(lambda game: game.offers)
    checks = _BoundToRules(lambda game: game.checks)
    carry_out = _BoundToRules(lambda game: game.carry_out)
    settle = _BoundToRules(lambda game: game.settle)
    resume = _BoundToRules(lambda game: game.resume)
    chance = _BoundToRules(lambda game: game.chance)
    invariants = _BoundToRules(lambda game: game.invariants)
    endless = _BoundToRules(lambda game: game.endless)
    readings = _BoundToRules(lambda game: game.readings)
    cosmetic = _BoundToRules(lambda game: game.cosmetic)

    def decks(self) -> dict[Seat, Deck]:
        return {seat: self.game.deck(self.rules, seat) for seat in self.seats()}

    def default_deck(self, seat: Seat) -> Deck:
        """Return the default deck of a seat. A record may name an unknown seat, which gets the first seat's."""
        seats = self.seats()
        return self.game.deck(self.rules, seat if seat in seats else seats[0])

    def awaited(self, table: Table) -> tuple[Seat, ...]:
        return self.game.awaited(table)
