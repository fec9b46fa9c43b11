"""Invariants of a game: with the casebook, the independent check of its law.

An invariant never calls the law. It is checked against a table, a fact before it happens, an action, or a whole match.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.law.clause import CitedFacts, Clause
from domain.law.entries import Entry, Opened, Played, Rewound, entry_facts, line, opened_of, tables
from domain.law.slots import A, Action, verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact, Arranged, Began, Fact, Pushed, Rolled
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, SeenPlace, TableViewer
from domain.table.table import CHANCE, Seat, Table, blank

F = TypeVar("F", bound=Fact)


class PlayedAction(Struct, Generic[A], frozen=True):
    """An action with its facts, and the tables before and after it."""

    actor: Seat
    action: A
    told: CitedFacts
    before: Table
    after: Table


class Match(Struct, frozen=True):
    """A whole match without its undone entries: entries, the table after each, and actions."""

    entries: Sequence[Entry]
    tables: Sequence[Table]
    deeds: Sequence[PlayedAction]

    @property
    def opening(self) -> Opened:
        return opened_of(self.entries)

    def facts(self) -> Iterator[tuple[Clause, AnyFact, Table]]:
        """Yield every fact with its clause and the live table before it."""
        before = blank(self.opening.seats)
        for entry, after in zip(self.entries, self.tables, strict=True):
            draft = Draft(before)
            for clause, fact in entry_facts(entry):
                yield clause, fact, draft
                EVOLVE[type(fact)](draft, fact)
            before = after

    def sample_views(self, most: int) -> Iterator[tuple[Table, Seat, SeenPlace]]:
        """Yield every place as every viewer sees it, on about `most` tables spread over the match."""
        physics, step = Physics(self.opening.schema), max(1, len(self.tables) // most)
        for t in self.tables[step - 1 :: step]:
            for viewer in (*t.seats, SPECTATOR):
                yield from ((t, viewer, place) for place in TableViewer(physics, viewer).places(t))


def match_of(decoder: "msgspec.msgpack.Decoder[Action]", entries: Sequence[Entry]) -> Match:
    remaining = [entry for number in line(entries) if not isinstance(entry := entries[number - 1], Rewound)]
    steps = list(tables(remaining))
    deeds = [
        PlayedAction(entry.actor, decoder.decode(entry.action), entry.told, before, after)
        for _, entry, before, after in steps
        if isinstance(entry, Played)
    ]
    return Match(remaining, [after for *_, after in steps], deeds)


def is_left_to_chance(deed: PlayedAction, outcomes: Mapping[str, type[Fact]]) -> bool:
    """True if every shuffle and roll answers a question to chance and is recorded by the right type of fact. `outcomes`
    has these types by the verb of the answer."""
    facts = [fact for _, fact in deed.told]
    is_random = any((isinstance(fact, Arranged) and fact.shuffled) or isinstance(fact, Rolled) for fact in facts)
    name = verb(deed.action)
    if deed.actor != CHANCE:
        return not is_random and name not in outcomes
    question = deed.before.asked[0] if deed.before.asked else None
    is_answer = question is not None and (question.by, question.kind) == (CHANCE, name)
    return is_answer and name in outcomes and any(isinstance(fact, outcomes[name]) for fact in facts)


TableCheck = Callable[[Any, Table], bool]
"""Check of rules and a table between entries."""
FactCheck = Callable[[Any, Table, Clause, F], bool]
"""Check of rules, the table before a fact, its clause and the fact."""
ActionCheck = Callable[[Any, PlayedAction[A]], bool]
WholeMatchCheck = Callable[[Any, Match], bool]
"""Check of rules and a match, which may be unfinished."""


class Invariant(Struct, frozen=True, eq=False):
    """An invariant of a game's dossier, by its number.

    `about` limits an invariant of facts to these types; () means all. `laws` names the laws of every game that already
    imply it. `whole` marks an invariant of tables that counts whole decks, and so does not apply to a partial position.
    """

    number: int
    name: str
    table: TableCheck | None = None
    fact: FactCheck[Any] | None = None
    deed: ActionCheck[Any] | None = None
    match: WholeMatchCheck | None = None
    about: tuple[type[Fact], ...] = ()
    laws: tuple[str, ...] = ()
    whole: bool = False


def of_table(number: int, holds: TableCheck, within: bool = False, whole: bool = False) -> Invariant:
    """Return an invariant of tables, named after its function; `within` checks it between the facts of an entry too."""

    def holds_between(rules: object, t: Table, clause: Clause, fact: AnyFact) -> bool:
        return holds(rules, t)

    return Invariant(number, _function_name(holds), table=holds, fact=holds_between if within else None, whole=whole)


def of_fact(number: int, holds: FactCheck[F], *about: type[Fact]) -> Invariant:
    """Return an invariant of facts of these types, or of all."""
    return Invariant(number, _function_name(holds), fact=holds, about=about)


def of_deed(number: int, holds: ActionCheck[A], *about: type[Action]) -> Invariant:

    def holds_if_concerned(rules: object, deed: PlayedAction) -> bool:
        return not isinstance(deed.action, about) or holds(rules, deed)

    return Invariant(number, _function_name(holds), deed=holds_if_concerned if about else holds)


def of_match(number: int, holds: WholeMatchCheck) -> Invariant:
    return Invariant(number, _function_name(holds), match=holds)


def of_every_game(number: int, name: str, *laws: str) -> Invariant:
    """Return an invariant that laws of every game imply."""
    return Invariant(number, name, laws=laws)


def _function_name(holds: Callable[..., bool]) -> str:
    name: str = holds.__name__
    return name


def nothing_follows_the_end(rules: object, t: Table, clause: Clause, fact: AnyFact) -> bool:
    """A match is over once it has a result."""
    return t.result is None


def ids_only_grow(rules: object, t: Table, clause: Clause, fact: Began | Pushed) -> bool:
    """Ids of effects and frames count up by one."""
    return fact.effect.id == t.begun + 1 if isinstance(fact, Began) else fact.frame.id == t.framed + 1


def is_at_play(t: Table) -> bool:
    """True if set-up is over and the match has no result yet."""
    return t.clock.turn > 0 and t.result is None


def cards_stay_those_registered(rules: object, match: Match) -> bool:
    """The cards of each owner are those of the registered deck throughout. For games that lay out whole decks."""
    first, opened = match.tables[0].pieces, match.opening
    registered = {seat: (*opened.decks.get(seat, ()), *opened.sides.get(seat, ())) for seat in opened.seats}
    for seat, faces in registered.items():
        counts = Counter(piece.face for piece in first.values() if piece.owner == seat)
        if faces and counts != Counter(faces):
            return False
    known = {card: (piece.face, piece.owner) for card, piece in first.items()}
    return all({card: (piece.face, piece.owner) for card, piece in t.pieces.items()} == known for t in match.tables)
