"""What a finder holds of a match, how it lies in tables, and what is asked of it."""

import unicodedata
from typing import Final

import msgspec
from msgspec import Struct

from domain.table.table import Seat


class ClauseUseRow(Struct, frozen=True):
    """A clause in a closed match: how often facts were told by it, and how often where all could see it."""

    clause: str
    uses: int
    seen: int


class HitRow(Struct, frozen=True):
    """Something found in a closed match; `undone` on a line that a rewind left."""

    entry: int
    kind: str
    clause: str
    undone: bool = False


class FaceRow(Struct, frozen=True):
    """A face in a closed match, and whether all could see it."""

    face: str
    seen: bool


class ActionRow(Struct, frozen=True):
    """An action of a closed match that named a thing which arrived in the same turn: `seen` as far as all could see,
    `known` as far as those who see all of it."""

    entry: int
    verb: str
    seen: bool
    known: bool


class RulingRow(Struct, frozen=True):
    """How a dispute of a closed match was ruled (`verdict`), or how its appeal ended (`outcome`); where that overturned
    the ruling both are told. By its entry."""

    entry: int
    verdict: str = ""
    outcome: str = ""


class Rows(Struct, frozen=True, kw_only=True):
    """One match: what was said when it was opened, which everybody may know; once it is closed the rest.

    `closed` is when all of it can be seen, the latest time of its entries: -1 while it is open.
    """

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
"""The tables with what is held of each match."""
Statement = tuple[str, tuple[object, ...]]


def statements(number: int, match: str, rows: Rows) -> list[Statement]:
    """What puts a match into the tables; whatever stood there of it goes."""
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
    """A text as it is looked for: width and case make no difference."""
    return unicodedata.normalize("NFKC", text).casefold()


class SearchLimits(Struct, frozen=True, kw_only=True):
    """As far as whoever asks may look: at open matches too, at what happened before `until`, at what was hidden."""

    opened: bool = True
    until: int | None = None
    hidden: bool = False


class MatchQuery(Struct, frozen=True, kw_only=True):
    """What is looked for; what is empty is not asked. Times are milliseconds, `faces` any of these.

    `fresh` are actions that named a thing which arrived in the same turn, if `verbs` are given only these; `ruling` is
    the verdict of a ruling, `outcome` how an appeal ended.
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
    """An action that was asked for, by its entry."""

    entry: int
    verb: str


class MatchHit(Struct, frozen=True, kw_only=True):
    """A match that was found. Of an open one nothing is told but what was said when it was opened.

    `uses` is how often the clause that was asked for was told in it, `hits` what was found that was asked for, `deeds`
    what was done that was, `rulings` how people decided that was.
    """

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


class ClauseUsage(Struct, frozen=True):
    """A clause over closed matches: how often it was told, in how many of them, and how often found against."""

    clause: str
    uses: int
    matches: int
    findings: int
