"""Rows of the search index, their tables, and queries."""

import unicodedata
from typing import Final

import msgspec
from msgspec import Struct

from domain.table.table import Seat


class ClauseUseRow(Struct, frozen=True):
    """A clause in a closed match: facts recorded by it, and those visible to all."""

    clause: str
    uses: int
    seen: int


class HitRow(Struct, frozen=True):
    """A finding in a closed match; `undone` if a rewind undid its entry."""

    entry: int
    kind: str
    clause: str
    undone: bool = False


class FaceRow(Struct, frozen=True):
    """A face in a closed match, and whether it was visible to all."""

    face: str
    seen: bool


class ActionRow(Struct, frozen=True):
    """An action in a closed match on an object that arrived in the same turn. `seen` applies to what all could see,
    `known` to full access."""

    entry: int
    verb: str
    seen: bool
    known: bool


class RulingRow(Struct, frozen=True):
    """The ruling on a dispute of a closed match (`verdict`), or the result of its appeal (`outcome`). Both are set if
    the appeal overturned the ruling."""

    entry: int
    verdict: str = ""
    outcome: str = ""


class Rows(Struct, frozen=True, kw_only=True):
    """The index rows of a match. An open match has only the fields of its opening. `closed` is the time when all of it
    became visible, which is the latest time of its entries; -1 while it is open."""

    game: str
    version: str
    names: dict[Seat, str] = {}
    event: str = ""
    at: int = 0
    closed: int = -1
    entries: int = 0
    closed_event: str = ""
    branch: bool = False
    clauses: tuple[ClauseUseRow, ...] = ()
    hits: tuple[HitRow, ...] = ()
    cards: tuple[FaceRow, ...] = ()
    deeds: tuple[ActionRow, ...] = ()
    rulings: tuple[RulingRow, ...] = ()


TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS found (number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, game TEXT NOT NULL,"
    " version TEXT NOT NULL, names TEXT NOT NULL, players TEXT NOT NULL, event TEXT NOT NULL, events TEXT NOT NULL,"
    " at INTEGER NOT NULL, closed INTEGER NOT NULL, entries INTEGER NOT NULL, last TEXT NOT NULL, lasts TEXT NOT NULL,"
    " branch INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS told (clause TEXT, number INTEGER, uses INTEGER, seen INTEGER,"
    " PRIMARY KEY (clause, number)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS told_of ON told (number)",
    "CREATE TABLE IF NOT EXISTS hits (number INTEGER, entry INTEGER, kind TEXT, clause TEXT, undone INTEGER)",
    "CREATE INDEX IF NOT EXISTS hits_of ON hits (number)",
    "CREATE INDEX IF NOT EXISTS hits_by ON hits (clause, kind, number)",
    "CREATE TABLE IF NOT EXISTS cards (face TEXT, number INTEGER, seen INTEGER, PRIMARY KEY (face, number))"
    " WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS cards_of ON cards (number)",
    "CREATE TABLE IF NOT EXISTS deeds (number INTEGER, entry INTEGER, verb TEXT, seen INTEGER, known INTEGER,"
    " PRIMARY KEY (number, entry)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS deeds_by ON deeds (verb, number, seen, known)",
    "CREATE TABLE IF NOT EXISTS rulings (number INTEGER, entry INTEGER, verdict TEXT, outcome TEXT,"
    " PRIMARY KEY (number, entry)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS rulings_by ON rulings (verdict, outcome, number)",
)

OF_MATCHES: Final = ("found", "told", "hits", "cards", "deeds", "rulings")
Statement = tuple[str, tuple[object, ...]]


def statements(number: int, match: str, rows: Rows) -> list[Statement]:
    """Return the statements that replace a match's rows."""
    names = msgspec.json.encode(rows.names).decode()
    players = "\n".join(map(plain, rows.names.values()))
    head = (number, match, rows.game, rows.version, names, players, rows.event, plain(rows.event), rows.at)
    closed = (rows.closed, rows.entries, rows.closed_event, plain(rows.closed_event), rows.branch)
    return [
        *((f"DELETE FROM {table} WHERE number=?", (number,)) for table in OF_MATCHES),
        ("INSERT INTO found VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", (*head, *closed)),
        *(("INSERT INTO told VALUES (?,?,?,?)", (row.clause, number, row.uses, row.seen)) for row in rows.clauses),
        *(
            ("INSERT INTO hits VALUES (?,?,?,?,?)", (number, hit.entry, hit.kind, hit.clause, hit.undone))
            for hit in rows.hits
        ),
        *(("INSERT INTO cards VALUES (?,?,?)", (card.face, number, card.seen)) for card in rows.cards),
        *(
            ("INSERT INTO deeds VALUES (?,?,?,?,?)", (number, deed.entry, deed.verb, deed.seen, deed.known))
            for deed in rows.deeds
        ),
        *(
            ("INSERT INTO rulings VALUES (?,?,?,?)", (number, ruling.entry, ruling.verdict, ruling.outcome))
            for ruling in rows.rulings
        ),
    ]


def plain(text: str) -> str:
    """Normalise a text for searching, ignoring width and case."""
    return unicodedata.normalize("NFKC", text).casefold()


class SearchLimits(Struct, frozen=True, kw_only=True):
    """Limits of a viewer: `opened` includes open matches, `until` is the latest time, `hidden` adds hidden facts."""

    opened: bool = True
    until: int | None = None
    hidden: bool = False


class MatchQuery(Struct, frozen=True, kw_only=True):
    """A search query; empty fields are ignored. Times are milliseconds, and any of `faces` matches.

    `fresh` finds actions on objects that arrived in the same turn, limited to `verbs` if given. `ruling` is the verdict
    of a ruling, `outcome` the result of an appeal.
    """

    clause: str = ""
    kind: str = ""
    faces: tuple[str, ...] | None = None
    player: str = ""
    event: str = ""
    game: str = ""
    since: int | None = None
    before: int | None = None
    fresh: bool = False
    verbs: tuple[str, ...] = ()
    ruling: str = ""
    outcome: str = ""


class ActionHit(Struct, frozen=True):
    """An action that matches the query."""

    entry: int
    verb: str


class MatchHit(Struct, frozen=True, kw_only=True):
    """A match that was found. An open match has only the fields of its opening. `uses` counts the queried clause.
    `hits`, `deeds` and `rulings` are the findings, actions and rulings that match the query."""

    match: str
    game: str
    version: str
    names: dict[Seat, str]
    event: str
    at: int
    closed: bool
    entries: int = 0
    uses: int = 0
    hits: tuple[HitRow, ...] = ()
    deeds: tuple[ActionHit, ...] = ()
    rulings: tuple[RulingRow, ...] = ()


class ClauseTally(Struct, frozen=True):
    """Usage of a clause in closed matches: facts recorded by it, matches with any, and findings."""

    clause: str
    uses: int
    matches: int
    findings: int
