"""The entries of a match's log. They are never changed, and their tags and field names are the format on disk. Actions
stay undecoded here: viewing a match folds facts and never needs the game's law."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Protocol, TypeVar

from msgspec import Raw, field
from msgspec.structs import asdict, force_setattr

from domain.law.clause import BY_HAND, CitedFacts, Clause
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

ENCRYPTED_NAME_PREFIX: Final = "shinpan-name/1:"
"""Prefix of an encrypted name. Builds of November 2026 wrote such names, which cannot be read without their key."""

State = TypeVar("State")


class Opened(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="opened"):
    """The first entry: the game, its rules, seats and decks, and the facts of the set-up.

    Rules are stored as full values with their hash, and the schema whole. `commitment` binds the croupier's seed to
    `match`, the id at opening, so that an exported record can be checked alone. A branch shares the entries of its
    `parent` up to entry `parent_at`, and is unofficial. `decks` and `sides` are the main and side decks by seat.
    `occasion` is the description at opening. `policy` has the full values of the judges' policy, if one was named.
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
    told: CitedFacts = ()
    parent_at: Public[int] = 0
    sides: OwnSeat[dict[Seat, tuple[str, ...]]] = field(default_factory=dict)
    occasion: Public[Occasion] = NO_OCCASION
    policy: Public[dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(name.startswith(ENCRYPTED_NAME_PREFIX) for name in self.names.values()):
            known = {seat: name for seat, name in self.names.items() if not name.startswith(ENCRYPTED_NAME_PREFIX)}
            force_setattr(self, "names", known)


class Undealt(Opened, frozen=True, kw_only=True, omit_defaults=True, tag="opened/2"):
    """The first entry of a match with real cards. It has no seed and no commitment. The log does not know which card is
    which. `decks` and `sides` list the faces, with `?` for an unknown one."""


class Pledged(Opened, frozen=True, kw_only=True, omit_defaults=True, tag="opened/3"):
    """The first entry of a match whose seats contribute to the shuffles, with the pledge of each such seat. It is a
    separate type because a program that uses the croupier's seed alone would find every draw unfair."""

    pledges: Public[dict[Seat, str]] = field(default_factory=dict)


class Played(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="played"):
    """An action and its facts. `violations` are the clauses that did not hold, for an action as played. `by_hand`: a
    person entered an outcome of chance in a match whose croupier did not draw it."""

    actor: Public[Seat]
    action: Raw
    told: CitedFacts = ()
    violations: tuple[Clause, ...] = ()
    by_hand: bool = False


class Corrected(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="corrected"):
    """Facts that a judge entered by hand. They trigger nothing."""

    directive: ClassVar[str] = "correct"

    by: Public[str]
    reason: Public[Sentence]
    told: CitedFacts = ()


class Gap(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="gap"):
    """A gap in the record: up to `most` missing actions (0: unknown), and the changes seen after them as facts. As in
    a correction, the facts are by hand and trigger nothing."""

    directive: ClassVar[str] = "gap"

    by: Public[str]
    reason: Public[Sentence]
    most: Public[int] = 0
    told: CitedFacts = ()


class Rewound(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="rewound"):
    """The match continues from entry `to`. Later entries stay in the log as an abandoned line."""

    directive: ClassVar[str] = "rewind"

    to: Public[int]
    reason: Public[Sentence]
    by: Public[str]


class Restored(Rewound, frozen=True, kw_only=True, omit_defaults=True, tag="rewound/2"):
    """The match continues from entry `to` of an abandoned line, which counts again. It is a separate type because older
    programs know only rewinds along the present line."""


class Noted(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="noted"):
    """A remark that changes nothing. `about` is the entry it comments on, 0 for none."""

    directive: ClassVar[str] = "note"

    by: Public[str]
    text: Sentence
    about: int = 0


IMPOSSIBLE: Final = "[impossible] "
"""Prefix of a note about a command that hidden cards made impossible. Its text reveals hidden cards."""


class Closed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="closed"):
    """The end of the record. It publishes the croupier's seed."""

    directive: ClassVar[str] = "close"

    by: Public[str]
    seed: Public[str] = ""
    reason: Public[Sentence] = ""


class Described(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="described"):
    """The occasion of the match from this entry, and its announced result. Each description is complete, so the last
    one in the log counts on every line: it is about the record."""

    directive: ClassVar[str] = "describe"

    by: Public[str]
    occasion: Public[Quoted[Occasion]] = NO_OCCASION
    announced: Public[Quoted[str]] = ""


Entry = Opened | Undealt | Pledged | Played | Corrected | Rewound | Noted | Closed | Restored | Described | Filed | Gap
ENTRIES: Final[tuple[type[Logged], ...]] = Entry.__args__
FACT_ENTRIES: Final = frozenset(kind for kind in ENTRIES if "told" in kind.__struct_fields__)
AnyByHand = Corrected | Gap
REWINDS: Final = frozenset(kind for kind in ENTRIES if issubclass(kind, Rewound))
"""Entries that do not follow the preceding entry of the log."""
AnyRecordEntry = Noted | Described | Filed
RECORD_ENTRIES: Final[tuple[type[Logged], ...]] = AnyRecordEntry.__args__
"""Entries that change nothing on the table, so a decision made before them is still valid after them."""


class Indexed(Protocol):
    """Entries by index from 0. Not always a sequence: a reader of a stream keeps what it needs."""

    def __getitem__(self, at: int, /) -> Entry:
        """Return the entry at index `at`."""


def without_pledges(opened: Opened) -> Opened:
    if not isinstance(opened, Pledged):
        return opened
    return Opened(**{name: value for name, value in asdict(opened).items() if name != "pledges"})


def opened_of(entries: Indexed) -> Opened:
    first = entries[0]
    assert isinstance(first, Opened), "a record begins with its opening"
    return first


def entry_facts(entry: Entry) -> CitedFacts:
    facts: CitedFacts = getattr(entry, "told", ())
    return facts


def begins_with_faces(facts: CitedFacts) -> bool:
    """True if the facts begin with faces that were seen. This never holds in a match dealt by the croupier."""
    return bool(facts) and type(facts[0][1]) is F.Identified


def leading_faces(facts: CitedFacts) -> CitedFacts:
    """Return the leading facts by hand that say what was seen before the law was asked."""
    if not begins_with_faces(facts):
        return ()
    others = (n for n, (clause, fact) in enumerate(facts) if clause != BY_HAND or not isinstance(fact, F.Identified))
    return facts[: next(others, len(facts))]


def last_described(entries: Sequence[Entry]) -> Described:
    """Return the last description of the match, or the one in its opening."""
    for entry in reversed(entries):
        if isinstance(entry, Described):
            return entry
    opened = opened_of(entries)
    return Described(by=opened.by, occasion=opened.occasion, at=opened.at)


def predecessor(entries: Sequence[Entry], number: int) -> int:
    """Return the entry that an entry follows: the preceding one, or the target of a rewind; 0 before the first. A
    rewind to a later entry is clamped. No record that we accept has one."""
    entry = entries[number - 1]
    if type(entry) not in REWINDS:  # a set lookup, because this runs for every folded entry
        return number - 1
    assert isinstance(entry, Rewound)
    return max(0, min(entry.to, number - 1))


def faces(entries: Iterable[Entry]) -> frozenset[str]:
    """Return every face that a record names, in decks and in facts."""
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
    """Return the numbers (from 1) of the entries that lead to entry `upto`, without those that a rewind undid."""
    path: list[int] = []
    number = len(entries) if upto is None else min(upto, len(entries))
    while number > 0:
        path.append(number)
        number = predecessor(entries, number)
    return tuple(reversed(path))


def fold_entries(entries: Sequence[Entry], upto: int | None = None) -> Table:
    """Return the table after entry `upto` (None: the last), from recorded facts alone."""
    folding = Folding(blank(opened_of(entries).seats))
    folding.apply(chain.from_iterable([entry_facts(entries[number - 1]) for number in line(entries, upto)]))
    return folding.freeze()


def apply_facts(draft: Draft, facts: Iterable[tuple[Clause, Any]]) -> None:
    for _, fact in facts:
        EVOLVE[type(fact)](draft, fact)


def apply_entry(table: Table, entry: Entry) -> Table:
    """Return the table after an entry that is no rewind, from its recorded facts alone."""
    facts = entry_facts(entry)
    if not facts:
        return table
    draft = Draft(table)
    apply_facts(draft, facts)
    return draft.freeze()


def tables(entries: Sequence[Entry]) -> Iterator[tuple[int, Entry, Table, Table]]:
    """Yield each entry of the log with its number and the tables before and after it. Few tables are kept, so `entries`
    may be read lazily from a file."""
    opened = opened_of(entries)
    table = blank(opened.seats)
    history: StateHistory[Table] = StateHistory(lambda before, number: apply_entry(before, entries[number - 1]))
    for number, entry in enumerate(entries, start=1):
        before = table
        if isinstance(entry, Rewound):
            restored = history.rewind_to(entry.to) or history.restore(entry.to)
            if restored is None:
                raise LookupError(f"entry {number} rewinds to entry {entry.to}, which is not there")
            table = restored
        else:
            table = apply_entry(table, entry)
        history.add(table)
        yield number, entry, before, table


def tables_between(
    entries: Sequence[Entry], first: int, last: int, before: Table
) -> Iterator[tuple[int, Entry, Table, Table]]:
    """Yield the items of `tables` for entries `first` to `last`. `before` is the table before them."""
    for number, entry in enumerate(entries[first - 1 : last], start=first):
        after = fold_entries(entries, number) if isinstance(entry, Rewound) else apply_entry(before, entry)
        yield number, entry, before, after
        before = after


def go_back(way: StateHistory[State], entry: Rewound) -> State | None:
    """Return the state from which a match continues after a rewind; None if its entry is not a valid target."""
    return way.restore(entry.to) if isinstance(entry, Restored) else way.rewind_to(entry.to)
