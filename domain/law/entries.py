"""What the log of a match holds. An entry is never changed; tags and field names are the format on disk.

An action stays raw here: viewing a match folds facts and never needs the game's law.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Protocol, TypeVar

from msgspec import Raw, field
from msgspec.structs import asdict, force_setattr

from domain.law.clause import BY_HAND, Clause, Told
from domain.law.disputes import Filed
from domain.law.logged import Logged, OwnSeat, Public, Quoted, Sentence
from domain.law.occasion import NO_OCCASION, Occasion
from domain.law.state_history import StateHistory
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.folding import Folding
from domain.table.schema import Schema
from domain.table.table import Seat, Table, blank

NAME: Final = "shinpan-name/1:"
"""Prefix of an encrypted name. Builds of November 2026 wrote such names; without their key there is the seat alone."""

State = TypeVar("State")


class Opened(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="opened"):
    """The first entry: what is played, under which rules, by whom, with what; and the facts of laying it out.

    The rules are stored as full values with their hash, the schema whole. `commitment` binds the croupier's seed to
    `match`, the id under which the match was opened: an exported record can be checked by itself. A branch names its
    `parent` and the entry `parent_at` up to which it shares the parent's entries; it is unofficial. `decks` are the
    main parts of the decks, `sides` what seats bring along beside them, where they do. `occasion`: what was said of it
    when it was opened. `policy`: the full values of the policy by which its judges rule, where one was named.
    """

    game: Public[str]
    version: Public[str]
    rules: Public[dict[str, Any]]
    rules_hash: Public[str]
    schema: Schema
    seats: Public[tuple[Seat, ...]]
    names: Public[dict[Seat, str]] = field(default_factory=dict)
    decks: OwnSeat[dict[Seat, tuple[str, ...]]] = field(default_factory=dict)
    match: Public[str] = ""
    commitment: Public[str] = ""
    by: Public[str] = ""
    parent: Public[str] = ""
    told: Told = ()
    parent_at: Public[int] = 0
    sides: OwnSeat[dict[Seat, tuple[str, ...]]] = field(default_factory=dict)
    occasion: Public[Occasion] = NO_OCCASION
    policy: Public[dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Leave out encrypted names."""
        if any(name.startswith(NAME) for name in self.names.values()):
            known = {seat: name for seat, name in self.names.items() if not name.startswith(NAME)}
            force_setattr(self, "names", known)


class Undealt(Opened, frozen=True, kw_only=True, omit_defaults=True, tag="opened/2"):
    """The first entry of a match with real cards: nobody dealt them here, so there is no seed and no commitment.

    The log does not know which card is which. `decks` and `sides` say what is among them, `?` for what nobody told.
    """


class Pledged(Opened, frozen=True, kw_only=True, omit_defaults=True, tag="opened/3"):
    """The first entry of a match in which seats had a part in the shuffles: what each that did has pledged itself to.

    A type of its own, because a program that knows the croupier's seed alone would find every draw unfair.
    """

    pledges: Public[dict[Seat, str]] = field(default_factory=dict)


class Played(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="played"):
    """An action and the facts it led to. `violations`: as played, the clauses that did not hold.

    `by_hand`: an outcome of chance that somebody entered in a match that has a croupier, who did not draw it.
    """

    actor: Public[Seat]
    action: Raw
    told: Told = ()
    violations: tuple[Clause, ...] = ()
    by_hand: bool = False


class Corrected(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="corrected"):
    """Facts entered by a judge, by hand. They trigger nothing."""

    directive: ClassVar[str] = "correct"

    by: Public[str]
    reason: Public[Sentence]
    told: Told = ()


class Gap(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="gap"):
    """Here actions are missing: at most so many, 0 if nobody knows. `told` is what is seen to be different after them.

    The facts are by hand and trigger nothing, as a correction's; but nothing is set right by them.
    """

    directive: ClassVar[str] = "gap"

    by: Public[str]
    reason: Public[Sentence]
    most: Public[int] = 0
    told: Told = ()


class Rewound(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="rewound"):
    """The match goes on from entry `to`. What came after stays in the log, as a line that was left."""

    directive: ClassVar[str] = "rewind"

    to: Public[int]
    reason: Public[Sentence]
    by: Public[str]


class Restored(Rewound, frozen=True, kw_only=True, omit_defaults=True, tag="rewound/2"):
    """The match goes on from entry `to` of a line that a rewind had left: what it took back counts again.

    A type of its own, because a program that knows rewinds along the line only would take it for one of these.
    """


class Noted(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="noted"):
    """Something said or seen that changes nothing. `about`: the entry it comments on, 0 if none."""

    directive: ClassVar[str] = "note"

    by: Public[str]
    text: Sentence
    about: int = 0


IMPOSSIBLE: Final = "[impossible] "
"""Prefix of a note about a command that hidden cards forbade. Its text tells of those cards."""


class Closed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="closed"):
    """The record is complete; the croupier's seed is published."""

    directive: ClassVar[str] = "close"

    by: Public[str]
    seed: Public[str] = ""
    reason: Public[Sentence] = ""


class Described(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="described"):
    """On what occasion the match is played, as it is known from here on, and what was announced as its result.

    The whole of it, so that the last one in the log counts, whichever line it stands on: it is about the record.
    """

    directive: ClassVar[str] = "describe"

    by: Public[str]
    occasion: Public[Quoted[Occasion]] = NO_OCCASION
    announced: Public[Quoted[str]] = ""


Entry = Opened | Undealt | Pledged | Played | Corrected | Rewound | Noted | Closed | Restored | Described | Filed | Gap
ENTRIES: Final[tuple[type[Logged], ...]] = Entry.__args__
TELLING: Final = frozenset(kind for kind in ENTRIES if "told" in kind.__struct_fields__)
"""Entries that tell facts."""
AnyByHand = Corrected | Gap
"""Entries of facts that are entered by hand and trigger nothing."""
REWINDS: Final = frozenset(kind for kind in ENTRIES if issubclass(kind, Rewound))
"""Entries that do not follow the one before them in the log."""
AnyBeside = Noted | Described | Filed
BESIDE: Final[tuple[type[Logged], ...]] = AnyBeside.__args__
"""Entries that change nothing on the table: what was decided before them holds behind them too."""


class Indexed(Protocol):
    """Entries by their place in the log, from 0, as a sequence has them or somebody who keeps what went by."""

    def __getitem__(self, at: int, /) -> Entry:
        """One of them."""


def unpledged(opened: Opened) -> Opened:
    """The same opening without pledges, as that of a branch has none: nobody pledged themselves to anything there."""
    if not isinstance(opened, Pledged):
        return opened
    return Opened(**{name: value for name, value in asdict(opened).items() if name != "pledges"})


def opened_of(entries: Indexed) -> Opened:
    """The first entry of a record."""
    first = entries[0]
    assert isinstance(first, Opened), "a record begins with its opening"
    return first


def entry_facts(entry: Entry) -> Told:
    """The facts of an entry, each with its clause."""
    facts: Told = getattr(entry, "told", ())
    return facts


def begins_seen(facts: Told) -> bool:
    """Does what happened begin with faces that were seen? In a match that was dealt nothing does."""
    return bool(facts) and type(facts[0][1]) is F.Identified


def seen_before(facts: Told) -> Told:
    """What was seen before the law was asked: the facts by hand that what happened begins with."""
    if not begins_seen(facts):
        return ()
    others = (n for n, (clause, fact) in enumerate(facts) if clause != BY_HAND or not isinstance(fact, F.Identified))
    return facts[: next(others, len(facts))]


def last_described(entries: Sequence[Entry]) -> Described:
    """What is said of the match: by its last description, or when it was opened."""
    for entry in reversed(entries):
        if isinstance(entry, Described):
            return entry
    opened = opened_of(entries)
    return Described(by=opened.by, occasion=opened.occasion, at=opened.at)


def predecessor(entries: Sequence[Entry], number: int) -> int:
    """The entry that an entry follows: the one before it in the log, or the one a rewind goes to; 0 before the first.

    A rewind to what is not behind it (no record we take in has one) goes nowhere.
    """
    entry = entries[number - 1]
    if type(entry) not in REWINDS:  # asked of every entry that is folded
        return number - 1
    assert isinstance(entry, Rewound)
    return max(0, min(entry.to, number - 1))


def faces(entries: Iterable[Entry]) -> frozenset[str]:
    """Every face that a record names: of its decks, and of all that its facts speak of."""
    named: set[str | None] = set()
    for entry in entries:
        if isinstance(entry, Opened):
            named.update(face for decks in (entry.decks, entry.sides) for deck in decks.values() for face in deck)
        for _, fact in entry_facts(entry):
            match fact:
                case F.Created() | F.Identified():
                    named.update(fact.faces)
                case F.Learned():
                    named.add(fact.face)
                case F.Pushed():
                    named.add(fact.frame.face)
                case F.Began():
                    named.add(fact.effect.face)
                case _:
                    pass
    return frozenset(face for face in named if face)


def line(entries: Sequence[Entry], upto: int | None = None) -> tuple[int, ...]:
    """The numbers (from 1) of the entries that lead to entry `upto`: what was undone by a rewind is left out."""
    path: list[int] = []
    number = len(entries) if upto is None else min(upto, len(entries))
    while number > 0:
        path.append(number)
        number = predecessor(entries, number)
    return tuple(reversed(path))


def fold_entries(entries: Sequence[Entry], upto: int | None = None) -> Table:
    """The table after entry `upto` (the last one if None), by recorded facts alone."""
    folding = Folding(blank(opened_of(entries).seats))
    folding.apply(chain.from_iterable([entry_facts(entries[number - 1]) for number in line(entries, upto)]))
    return folding.freeze()


def apply_told(draft: Draft, facts: Iterable[tuple[Clause, Any]]) -> None:
    """Let recorded facts happen on a live table."""
    for _, fact in facts:
        EVOLVE[type(fact)](draft, fact)


def follow(table: Table, entry: Entry) -> Table:
    """The table after an entry, by its recorded facts alone. A rewind tells none: where it leads says `tables`."""
    facts = entry_facts(entry)
    if not facts:
        return table
    draft = Draft(table)
    apply_told(draft, facts)
    return draft.freeze()


def tables(entries: Sequence[Entry]) -> Iterator[tuple[int, Entry, Table, Table]]:
    """Each entry in the order of the log, with its number and the tables before and after it.

    Few tables are kept: `entries` may be read from a file as they are asked for.
    """
    opened = opened_of(entries)
    table = blank(opened.seats)
    way: StateHistory[Table] = StateHistory(lambda before, number: follow(before, entries[number - 1]))
    for number, entry in enumerate(entries, start=1):
        before = table
        if isinstance(entry, Rewound):
            back = way.back(entry.to) or way.restore(entry.to)
            if back is None:
                raise LookupError(f"entry {number} rewinds to entry {entry.to}, which is not there")
            table = back
        else:
            table = follow(table, entry)
        way.add(table)
        yield number, entry, before, table


def tables_between(
    entries: Sequence[Entry], first: int, last: int, before: Table
) -> Iterator[tuple[int, Entry, Table, Table]]:
    """Some entries only, with the same; `before` is the table after the entry before them."""
    for number, entry in enumerate(entries[first - 1 : last], start=first):
        after = fold_entries(entries, number) if isinstance(entry, Rewound) else follow(before, entry)
        yield number, entry, before, after
        before = after


def go_back(way: StateHistory[State], entry: Rewound) -> State | None:
    """What stands after a rewind, where the way goes on from then; None if its entry is not where its kind goes."""
    return way.restore(entry.to) if isinstance(entry, Restored) else way.back(entry.to)
