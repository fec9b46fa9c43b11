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


class Under(Generic[P, T]):
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

    seats = Under(lambda game: game.seats)
    schema = Under(lambda game: game.schema)
    deck_checks = Under(lambda game: game.deck_checks)
    set_up = Under(lambda game: game.set_up)
    offers = Under(lambda game: game.offers)
    checks = Under(lambda game: game.checks)
    carry_out = Under(lambda game: game.carry_out)
    settle = Under(lambda game: game.settle)
    resume = Under(lambda game: game.resume)
    chance = Under(lambda game: game.chance)
    invariants = Under(lambda game: game.invariants)
    endless = Under(lambda game: game.endless)
    readings = Under(lambda game: game.readings)
    cosmetic = Under(lambda game: game.cosmetic)

    def decks(self) -> dict[Seat, Deck]:
        return {seat: self.game.deck(self.rules, seat) for seat in self.seats()}

    def default_deck(self, seat: Seat) -> Deck:
        """Return the default deck of a seat. A record may name an unknown seat, which gets the first seat's."""
        seats = self.seats()
        return self.game.deck(self.rules, seat if seat in seats else seats[0])

    def awaited(self, table: Table) -> tuple[Seat, ...]:
        return self.game.awaited(table)
