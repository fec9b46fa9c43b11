"""A game is a value: tables and pure functions, no base class. Everything else is the same for all games."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final, Generic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import Check, Clause
from domain.law.display import Display
from domain.law.entries import Opened
from domain.law.invariants import Invariant
from domain.law.layout import Layout
from domain.law.live import Live
from domain.law.offers import Below, Template
from domain.law.options import Option
from domain.law.pools import PoolId, Pools
from domain.law.rulebook import Rulebook
from domain.law.slots import A, Action
from domain.table.schema import Schema
from domain.table.table import CardId, Place, Seat, Table

UNKNOWN_FACE: Final = "?"
"""Stands in a deck for a card of which nobody has told what it is."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with a default: who works with any game need not name its rules

    R = TypeVar("R", bound=Struct, default=Any)
else:
    from typing import TypeVar

    R = TypeVar("R")


class Deck(Struct, frozen=True):
    """The faces of a seat's deck, in the order of its list, and those of the deck it brings along beside it."""

    main: tuple[str, ...]
    side: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """All of them, in the order in which their cards have their ids."""
        return self.main + self.side


Decks = Mapping[Seat, Deck]
"""The deck of each seat."""


def decks_of(opened: Opened) -> dict[Seat, Deck]:
    """The decks a record holds; of a seat whose deck it keeps to itself none."""
    return {seat: Deck(opened.decks.get(seat, ()), opened.sides.get(seat, ())) for seat in opened.seats}


class CardReading(Struct, frozen=True):
    """A derived value for people: what a card on the table amounts to just now."""

    card: CardId
    name: str
    value: int | str


class Game(Struct, Generic[R, A], frozen=True, kw_only=True, eq=False):
    """One game: its rulebook, its published rulesets and its law.

    `offers` yields all that a seat may do, and perhaps more; `checks` clauses in the order the dossier fixes, of which
    the first that does not hold is the refusal. `carry_out` (what an action consists of), `settle` (what follows by
    itself), `interrupt` (what an action as played consists of) and `resume` tell the live table facts, each with its
    clause, and each happens there as it is told. `chance` is None where chance is asked nothing.
    """

    key: str
    rulebook: Rulebook
    rules_type: type[R]
    options: tuple[Option, ...]
    versions: Mapping[str, R]
    action_types: tuple[type[Action], ...]
    seats: Callable[[R], tuple[Seat, ...]]
    """The chairs under these rules, in their order."""
    by_hand: Clause
    """The clause by which a judge may set right what play got wrong."""

    schema: Callable[[R], Schema]
    deck: Callable[[R, Seat], Deck]
    """The deck of a chair that brings none."""
    deck_checks: Callable[[R, Seat, Deck], Iterator[Check]]
    set_up: Callable[[R, Live, Decks, Mapping[Seat, tuple[CardId, ...]]], None]
    """Lays out the decks: each seat's cards are created in the order of its deck's `faces`, as their ids are."""
    awaited: Callable[[Table], tuple[Seat, ...]]
    offers: Callable[[R, Table, Seat], Iterator[Template]]
    checks: Callable[[R, Table, Seat, A], Iterator[Check]]
    carry_out: Callable[[R, Live, Seat, A], None]
    settle: Callable[[R, Live], None]
    resume: Callable[[R, Live, Seat, A], None]
    """Repairs the flow so that an action's turn comes. In a game that has `interrupt` only records from before ADR 54
    are read with it: it skips what is open."""
    chance: Callable[[R, Table, Below], Action | None]
    readings: Callable[[R, Table], Iterator[CardReading]]
    interrupt: Callable[[R, Live, Seat, A], None] | None = None
    """Carries out an action whose turn has not come; what is asked stays asked, and another seat's window stays open.
    None: `resume`, then `carry_out`, in a game that asks nothing."""
    cosmetic: Callable[[R, Table], Action | None] = lambda rules, table: None
    """The usual answer to the question now asked, if it only decides what is seen; None if it decides anything."""
    other_verbs: Mapping[str, type[Action]] = {}
    """Verbs that are written like actions but that nobody may take, each with the action that records the attempt."""
    plain: Callable[[R, str], bool] = lambda rules, face: True
    """Is this face one with which a casebook may fill a pile first, because its leaving calls up nothing?"""
    fits: Callable[[Place, str], bool] = lambda place, face: True
    """False where a card with this face cannot be in a place, because cards there have another back."""
    invariants: Callable[[R], tuple[Invariant, ...]] = lambda rules: ()
    """What holds at every moment under these rules, said without the law."""

    named_decks: Callable[[], Mapping[str, Deck]] = dict
    """Sample decks by name."""
    endless: Callable[[R], bool] = lambda rules: False
    """Can a match under these rules go on for ever if nobody wants to end it? Random play gives up sooner or later."""
    own_decks: bool = False
    """Do players bring decks of their own? Then the deck of a chair that brings none is only a sample."""
    faces: Callable[[], Collection[str]] = tuple
    """Every face a deck may be made of, so that a slip of the pen is found before the law is asked."""
    copies: Callable[[R, str], int | None] = lambda rules, face: None
    """How many of a face a deck may hold; None is as many as one likes."""

    display: Display = Display()
    """How it is shown to people beyond the words of its rulebook."""
    layout: Callable[[], Layout | None] = lambda: None
    """How its table is laid out; None: as its schema lies."""

    pools: Pools[Any] | None = None
    """Its card pools, if records have to say with which cards they are played."""
    wording: Callable[[PoolId], tuple[Rulebook, Display]] | None = None
    """Rulebook and display with the words of another pool's cards; the game's own have those of the newest."""

    regulations: tuple[str, ...] = ()
    in_regulation: Callable[[R, str], R] = lambda rules, regulation: rules
    """The rules under one of the regulations, in a game that is played under several."""
    regulations_of: Mapping[str, tuple[str, ...]] = {}
    """The regulations that belong to a version, for versions to which not all belong."""
    change_notes: Mapping[str, Mapping[str, object]] = {}
    """Editions of which only changes are known: settings to lay over a record's own rules for a comparison. Nothing can
    be opened under them."""

    corrected: Mapping[str, Mapping[str, object]] = {}
    """Values that a version had when it was first published, and that a later release corrected. Notation written
    before the correction names the version alone."""

    asks_open: bool = False
    """Does its law ask for the face of a card that lies open, too? Else what lies open must be known to decide on."""

    schemas: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    """Hashes of the schemas that were ever published for a ruleset, by its hash: old records hold them."""

    @property
    def latest(self) -> R:
        """The ruleset of the version that stands last."""
        return tuple(self.versions.values())[-1]

    def under(self, rules: R) -> "Game[R, A]":
        """The game in the words of the cards that these rules are played with."""
        if self.pools is None or self.wording is None:
            return self
        pool = self.pools.hash_of(getattr(rules, self.pools.field))
        book, display = self.wording(pool)
        if book is self.rulebook:
            return self
        return replace(self, rulebook=book, display=display, faces=lambda: self.pools.held[pool])

    def regulations_in(self, version: str) -> tuple[str, ...]:
        """The regulations under which a version is played."""
        return self.regulations_of.get(version, self.regulations)

    def decoder(self) -> "msgspec.msgpack.Decoder[Action]":
        """Reads recorded actions of this game."""
        return _decoder(self.action_types)


@cache
def _decoder(action_types: tuple[type[Action], ...]) -> "msgspec.msgpack.Decoder[Action]":
    """Kept, because building one costs as much as two audited actions, and every audit of a match asks for it."""
    return msgspec.msgpack.Decoder(reduce(or_, action_types))
