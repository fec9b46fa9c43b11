"""What holds at every moment of every match of a game: with the casebook the law's second source.

An invariant never asks how an action is decided. It looks at a table, at a fact before it happens, at an action and the
tables around it, or back at a whole match, and says whether what it knows of the game holds there. What is offered,
shown and read off is looked at, too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.law.clause import Clause, Told
from domain.law.entries import Entry, Opened, Played, Rewound, entry_facts, line, opened_of, tables
from domain.law.slots import A, Action, verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact, Arranged, Began, Fact, Pushed, Rolled
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, SeenPlace, TableViewer
from domain.table.table import CHANCE, Seat, Table, blank

F = TypeVar("F", bound=Fact)


class Deed(Struct, Generic[A], frozen=True):
    """An action that was taken, what it led to, and the tables before and after it."""

    actor: Seat
    action: A
    told: Told
    before: Table
    after: Table


class Match(Struct, frozen=True):
    """A whole match: its entries, the table after each of them, and its actions in their order.

    What was undone by a rewind is no part of it.
    """

    entries: Sequence[Entry]
    tables: Sequence[Table]
    deeds: Sequence[Deed]

    @property
    def opening(self) -> Opened:
        """Its first entry."""
        return opened_of(self.entries)

    def facts(self) -> Iterator[tuple[Clause, AnyFact, Table]]:
        """Every fact with its clause, and the live table before it happens."""
        before = blank(self.opening.seats)
        for entry, after in zip(self.entries, self.tables, strict=True):
            draft = Draft(before)
            for clause, fact in entry_facts(entry):
                yield clause, fact, draft
                EVOLVE[type(fact)](draft, fact)
            before = after

    def sample_views(self, most: int) -> Iterator[tuple[Table, Seat, SeenPlace]]:
        """Every place as every viewer sees it, of some tables spread over the match: about as many as `most`."""
        physics, step = Physics(self.opening.schema), max(1, len(self.tables) // most)
        for t in self.tables[step - 1 :: step]:
            for viewer in (*t.seats, SPECTATOR):
                yield from ((t, viewer, place) for place in TableViewer(physics, viewer).places(t))


def match_of(decoder: "msgspec.msgpack.Decoder[Action]", entries: Sequence[Entry]) -> Match:
    """A record as a match that can be looked back at; the decoder is its game's."""
    kept = [entry for number in line(entries) if not isinstance(entry := entries[number - 1], Rewound)]
    steps = list(tables(kept))
    deeds = [
        Deed(entry.actor, decoder.decode(entry.action), entry.told, before, after)
        for _, entry, before, after in steps
        if isinstance(entry, Played)
    ]
    return Match(kept, [after for *_, after in steps], deeds)


def is_left_to_chance(deed: Deed, outcomes: Mapping[str, type[Fact]]) -> bool:
    """Is nothing shuffled or drawn by lot but by chance, by what it is asked, and told by the fact of that outcome?

    `outcomes` has the fact by the verb of each.
    """
    facts = [fact for _, fact in deed.told]
    drawn = any((isinstance(fact, Arranged) and fact.shuffled) or isinstance(fact, Rolled) for fact in facts)
    name = verb(deed.action)
    if deed.actor != CHANCE:
        return not drawn and name not in outcomes
    asked = deed.before.asked[0] if deed.before.asked else None
    answered = asked is not None and (asked.by, asked.kind) == (CHANCE, name)
    return answered and name in outcomes and any(isinstance(fact, outcomes[name]) for fact in facts)


OfTable = Callable[[Any, Table], bool]
"""Rules and a table as somebody finds it who is to decide."""
OfFact = Callable[[Any, Table, Clause, F], bool]
"""Rules, the table before the fact, its clause, the fact."""
OfDeed = Callable[[Any, Deed[A]], bool]
OfMatch = Callable[[Any, Match], bool]
"""Rules and a match that went as far as it went."""


class Invariant(Struct, frozen=True, eq=False):
    """One invariant of a game's dossier by its number, and how it is looked at.

    One of facts may name the types of fact it is `about`; none means all. Where the laws of every game say it already,
    it names those `laws`. One of tables that counts `whole` decks says nothing of a position that shows a part.
    """

    number: int
    name: str
    table: OfTable | None = None
    fact: OfFact[Any] | None = None
    deed: OfDeed[Any] | None = None
    match: OfMatch | None = None
    about: tuple[type[Fact], ...] = ()
    laws: tuple[str, ...] = ()
    whole: bool = False


def of_table(number: int, holds: OfTable, within: bool = False, whole: bool = False) -> Invariant:
    """An invariant of tables, named as its function is; `within` an entry too, between its facts."""

    def between(rules: object, t: Table, clause: Clause, fact: AnyFact) -> bool:
        return holds(rules, t)

    return Invariant(number, _name(holds), table=holds, fact=between if within else None, whole=whole)


def of_fact(number: int, holds: OfFact[F], *about: type[Fact]) -> Invariant:
    """An invariant of facts: of these types, or of all."""
    return Invariant(number, _name(holds), fact=holds, about=about)


def of_deed(number: int, holds: OfDeed[A], *about: type[Action]) -> Invariant:
    """An invariant of actions: of these types, or of all."""

    def concerned(rules: object, deed: Deed) -> bool:
        return not isinstance(deed.action, about) or holds(rules, deed)

    return Invariant(number, _name(holds), deed=concerned if about else holds)


def of_match(number: int, holds: OfMatch) -> Invariant:
    """An invariant of whole matches."""
    return Invariant(number, _name(holds), match=holds)


def of_every_game(number: int, name: str, *laws: str) -> Invariant:
    """An invariant that is a law of every game, or several."""
    return Invariant(number, name, laws=laws)


def _name(holds: Callable[..., bool]) -> str:
    name: str = holds.__name__
    return name


def nothing_follows_the_end(rules: object, t: Table, clause: Clause, fact: AnyFact) -> bool:
    """With its result a match is over."""
    return t.result is None


def ids_only_grow(rules: object, t: Table, clause: Clause, fact: Began | Pushed) -> bool:
    """Of effects and frames."""
    return fact.effect.id == t.begun + 1 if isinstance(fact, Began) else fact.frame.id == t.framed + 1


def is_at_play(t: Table) -> bool:
    """True if set-up is over and the match goes on."""
    return t.clock.turn > 0 and t.result is None


def cards_stay_those_registered(rules: object, match: Match) -> bool:
    """For games in which a deck is laid out whole: each owner's cards are those of the deck, from first to last."""
    first, opened = match.tables[0].pieces, match.opening
    registered = {seat: (*opened.decks.get(seat, ()), *opened.sides.get(seat, ())) for seat in opened.seats}
    for seat, faces in registered.items():
        there = Counter(piece.face for piece in first.values() if piece.owner == seat)
        if faces and there != Counter(faces):
            return False
    known = {card: (piece.face, piece.owner) for card, piece in first.items()}
    return all({card: (piece.face, piece.owner) for card, piece in t.pieces.items()} == known for t in match.tables)
