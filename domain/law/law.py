"""A game under one ruleset: what everything is given that decides, judges or shows a match."""

from collections.abc import Iterator, Mapping
from typing import Generic

from msgspec import Struct

from domain.law.clause import Check
from domain.law.game import Deck, Decks, Game, R, Reading
from domain.law.invariants import Invariant
from domain.law.live import Live
from domain.law.offers import Below, Template
from domain.law.slots import A, Action
from domain.table.schema import Schema
from domain.table.table import CardId, Seat, Table


class Law(Struct, Generic[R, A], frozen=True):
    """The law of one match. What a game says under any rules, this one says under these."""

    game: Game[R, A]
    rules: R

    def seats(self) -> tuple[Seat, ...]:
        """The chairs, in their order."""
        return self.game.seats(self.rules)

    def schema(self) -> Schema:
        """How the table is laid out."""
        return self.game.schema(self.rules)

    def decks(self) -> dict[Seat, Deck]:
        """The default deck of every chair."""
        return {seat: self.game.deck(self.rules, seat) for seat in self.seats()}

    def default_deck(self, seat: Seat) -> Deck:
        """The default deck of a seat; of a name that is no chair here, as a record may give, the first's."""
        chairs = self.seats()
        return self.game.deck(self.rules, seat if seat in chairs else chairs[0])

    def deck_checks(self, seat: Seat, deck: Deck) -> Iterator[Check]:
        """Every clause about a deck."""
        return self.game.deck_checks(self.rules, seat, deck)

    def set_up(self, t: Live, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
        """Lay out the decks."""
        self.game.set_up(self.rules, t, decks, cards)

    def awaited(self, table: Table) -> tuple[Seat, ...]:
        """Who must act now."""
        return self.game.awaited(table)

    def offers(self, table: Table, seat: Seat) -> Iterator[Template]:
        """All that a seat may do, and perhaps more."""
        return self.game.offers(self.rules, table, seat)

    def checks(self, table: Table, actor: Seat, action: A) -> Iterator[Check]:
        """Every clause about an action, in the order of looking."""
        return self.game.checks(self.rules, table, actor, action)

    def carry_out(self, t: Live, actor: Seat, action: A) -> None:
        """What an action consists of."""
        self.game.carry_out(self.rules, t, actor, action)

    def settle(self, t: Live) -> None:
        """What follows by itself."""
        self.game.settle(self.rules, t)

    def resume(self, t: Live, actor: Seat, action: A) -> None:
        """Repair the flow, so that an action can be carried out as played."""
        self.game.resume(self.rules, t, actor, action)

    def chance(self, table: Table, below: Below) -> Action | None:
        """The outcome that chance is asked for; None if it is not asked."""
        return self.game.chance(self.rules, table, below)

    def invariants(self) -> tuple[Invariant, ...]:
        """What holds at every moment, said without the law."""
        return self.game.invariants(self.rules)

    def readings(self, table: Table) -> Iterator[Reading]:
        """What cards amount to just now."""
        return self.game.readings(self.rules, table)

    def cosmetic(self, table: Table) -> Action | None:
        """The usual answer to a question that only decides what is seen."""
        return self.game.cosmetic(self.rules, table)
