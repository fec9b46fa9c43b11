"""A game as a value: data and pure functions, without a base class."""

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
from domain.law.face_request import FaceSplit
from domain.law.invariants import Invariant
from domain.law.layout import Layout
from domain.law.live import LiveTable
from domain.law.offers import RandomBelow, Template
from domain.law.options import Option
from domain.law.pools import PoolId, Pools
from domain.law.rulebook import Rulebook
from domain.law.slots import A, Action
from domain.table.schema import Schema
from domain.table.table import CardId, Place, Seat, Table

UNKNOWN_FACE: Final = "?"
"""Placeholder in a deck for an unknown face."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # a default, so that code for any game need not name its rules

    R = TypeVar("R", bound=Struct, default=Any)
else:
    from typing import TypeVar

    R = TypeVar("R")


class Deck(Struct, frozen=True):
    """The faces of a seat's main deck and side deck, in the order of the list."""

    main: tuple[str, ...]
    side: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """All faces, in the order of their card ids."""
        return self.main + self.side


Decks = Mapping[Seat, Deck]


def decks_of(opened: Opened) -> dict[Seat, Deck]:
    """Return the decks of a record. The deck of a seat that keeps it secret is empty."""
    return {seat: Deck(opened.decks.get(seat, ()), opened.sides.get(seat, ())) for seat in opened.seats}


class CardReading(Struct, frozen=True):
    """A derived value of a card on the table, for people."""

    card: CardId
    name: str
    value: int | str


class Game(Struct, Generic[R, A], frozen=True, kw_only=True, eq=False):
    """A game: its rulebook, its published rulesets and its law.

    `offers` yields at least the actions that a seat may take. `checks` yields clauses in the order of the dossier. The
    first that fails is the refusal. `carry_out` performs an action, and `settle` performs automatic consequences.
    `interrupt` and `resume` are for actions as played. These four emit facts with their clauses on the live table, and
    each fact takes effect at once. `chance` returns None if no question to chance is open.
    """

    key: str
    rulebook: Rulebook
    rules_type: type[R]
    options: tuple[Option, ...]
    versions: Mapping[str, R]
    action_types: tuple[type[Action], ...]
    seats: Callable[[R], tuple[Seat, ...]]
    by_hand: Clause
    """Clause by which a judge may correct the play."""

    schema: Callable[[R], Schema]
    deck: Callable[[R, Seat], Deck]
    """Default deck of a seat."""
    deck_checks: Callable[[R, Seat, Deck], Iterator[Check]]
    set_up: Callable[[R, LiveTable, Decks, Mapping[Seat, tuple[CardId, ...]]], None]
    """Lay out the decks. Cards are created in the order of the deck's `faces`, which is that of their ids."""
    awaited: Callable[[Table], tuple[Seat, ...]]
    offers: Callable[[R, Table, Seat], Iterator[Template]]
    checks: Callable[[R, Table, Seat, A], Iterator[Check]]
    carry_out: Callable[[R, LiveTable, Seat, A], None]
    settle: Callable[[R, LiveTable], None]
    resume: Callable[[R, LiveTable, Seat, A], None]
    """Repair the flow so that an action's turn comes, by skipping what is open. In a game with `interrupt`, only
    records from before ADR 54 are read with it."""
    chance: Callable[[R, Table, RandomBelow], Action | None]
    readings: Callable[[R, Table], Iterator[CardReading]]
    interrupt: Callable[[R, LiveTable, Seat, A], None] | None = None
    """Carry out an action out of turn, leaving open questions and other seats' windows open. None: `resume`, then
    `carry_out`, in a game that asks no questions."""
    cosmetic: Callable[[R, Table], Action | None] = lambda rules, table: None
    """Usual answer to the open question, if it only affects what is seen; else None."""
    other_verbs: Mapping[str, type[Action]] = {}
    """Alternative verbs in notation that are never legal actions, each with the action type that records the attempt.
    """
    plain: Callable[[R, str], bool] = lambda rules, face: True
    """True for a face that triggers nothing when it leaves a pile, so that casebooks fill piles with it first."""
    fits: Callable[[Place, str], bool] = lambda place, face: True
    """False if a card with this face cannot be in a place, because its back or type differs from the cards there."""
    side_area: str = ""
    """Area in which the cards of a side deck begin; empty if the game has none."""
    invariants: Callable[[R], tuple[Invariant, ...]] = lambda rules: ()
    """Invariants under these rules. They must not call the law."""

    named_decks: Callable[[], Mapping[str, Deck]] = dict
    endless: Callable[[R], bool] = lambda rules: False
    """True if a match under these rules can go on for ever. Random play then concedes at some point."""
    own_decks: bool = False
    """True if players bring their own decks, so that the default deck is only a sample."""
    faces: Callable[[], Collection[str]] = tuple
    """Every face that a deck may contain, to report misspelt ones before the law is asked."""
    copies: Callable[[R, str], int | None] = lambda rules, face: None
    """Maximum copies of a face in a deck; None for no limit."""

    display: Display = Display()
    layout: Callable[[], Layout | None] = lambda: None
    """Layout of the table; None: derived from the schema."""

    pools: Pools[Any] | None = None
    """Card pools, if a record must say with which cards it is played."""
    wording: Callable[[PoolId], tuple[Rulebook, Display]] | None = None
    """Rulebook and display with the words of another pool's cards. The game's own have those of the newest pool."""

    regulations: tuple[str, ...] = ()
    in_regulation: Callable[[R, str], R] = lambda rules, regulation: rules
    regulations_of: Mapping[str, tuple[str, ...]] = {}
    """Regulations of a version, for versions that do not have all."""
    change_notes: Mapping[str, Mapping[str, object]] = {}
    """Change notes of unpublished editions: settings to lay over a record's rules for a comparison. No match can be
    opened under them."""

    corrected: Mapping[str, Mapping[str, object]] = {}
    """Values that a version had when first published and that a later release corrected. Notation from before the
    correction names only the version."""

    asks_open: bool = False
    """True if the law asks for unknown faces that lie open too. If False, they must be known before it decides."""

    face_splits: tuple[FaceSplit, ...] = ()
    """Decisions that read only part of a face. Their purposes differ from those of other requests."""

    schemas: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    """Hashes of all published schemas by the hash of their ruleset, for old records."""

    @property
    def latest(self) -> R:
        return tuple(self.versions.values())[-1]

    def under(self, rules: R) -> "Game[R, A]":
        """Return the game with the words of the cards that these rules are played with."""
        if self.pools is None or self.wording is None:
            return self
        pool = self.pools.hash_of(getattr(rules, self.pools.field))
        book, display = self.wording(pool)
        if book is self.rulebook:
            return self
        return replace(self, rulebook=book, display=display, faces=lambda: self.pools.cards_by_pool[pool])

    def regulations_in(self, version: str) -> tuple[str, ...]:
        return self.regulations_of.get(version, self.regulations)

    def face_split(self, purpose: str) -> FaceSplit | None:
        return next((split for split in self.face_splits if split.purpose == purpose), None)

    def decoder(self) -> "msgspec.msgpack.Decoder[Action]":
        return _decoder(self.action_types)


@cache
def _decoder(action_types: tuple[type[Action], ...]) -> "msgspec.msgpack.Decoder[Action]":
    """Cached: building a decoder costs as much as auditing two actions."""
    return msgspec.msgpack.Decoder(reduce(or_, action_types))
