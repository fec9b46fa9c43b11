"""The matches in the repository: how to read them, and the expected facts about each."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Entry, Opened, Played, fold_entries, opened_of
from domain.law.game import Game
from domain.law.record import Record, record_of
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import Place, Seat, Table
from projections.viewing import find_viewer
from recorder import codec

FIXTURES = Path(__file__).parents[1] / "fixtures"


class Stated(Struct, frozen=True):
    """Expected facts about a match: winner and reason, the clauses it covers, and its findings."""

    winners: str
    reason: str
    witness: tuple[str, ...]
    findings: tuple[tuple[int, str, str], ...] = ()


BLACKPOKER = {
    "normal": Stated("p1", "life", ("BP-7.8", "BP-8.6", "BP-9.14", "BP-9.15", "BP-10.6", "BP-13.1")),
    "ends-life": Stated("p1", "life", ("BP-7.33", "BP-13.1")),
    "ends-both-empty": Stated("p2", "life", ("BP-9.19", "BP-13.2")),
    "ends-preset": Stated("p2", "preset", ("BP-3.6",)),
    "ends-concede": Stated("p1", "concede", ("BP-13.4",)),
    "ends-judge": Stated("p1", "time: eight cards of life against seven", ("BP-13.5",)),
    "stage-fight": Stated(
        "p1", "course over: p2 has no soldier left", ("BP-7.34", "BP-9.7", "BP-9.14", "BP-9.16", "BP-9.20")
    ),
    "next-generation": Stated("p1", "life", ("BP-7.27", "BP-7.31", "BP-7.36", "BP-7.37", "BP-7.38", "BP-13.1")),
    "fogs-and-equips": Stated("", "", ("BP-7.3", "BP-8.10", "BP-9.3", "BP-9.7", "BP-9.8", "BP-12.4")),
    "search-full54": Stated(
        "p1",
        "end of the round: thirty-seven cards of life against thirty-four",
        ("BP-3.6", "BP-7.30", "BP-9.19", "BP-9.20"),
    ),
    "tie-first-player": Stated("p1", "life", ("BP-2.9", "BP-3.7", "BP-3.8", "BP-3.9")),
    "options": Stated("p1", "life", ("BP-7.2", "BP-7.33")),
    "rewind": Stated("p1", "life", ("BP-7.33", "BP-9.15", "BP-13.1")),
    "as-played": Stated(
        "p1", "life", ("BP-8.3", "BP-9.3"), ((9, "not_allowed", "BP-8.2"), (24, "not_allowed", "BP-5.8"))
    ),
    "disputed": Stated(
        "p1",
        "life",
        ("BP-10.6",),
        ((10, "not_allowed", "BP-7.15"), (30, "not_allowed", "BP-4.2"), (47, "consequences", "BP-10.6")),
    ),
}
GRIMOIRE = {
    "normal": Stated("p1", "last_side", ("GR-9.17", "GR-10.4", "GR-17.7", "GR-18.6")),
    "stack-fight": Stated("", "", ("GR-9.17", "GR-10.5", "GR-12.4", "GR-18.2", "GR-18.3", "GR-18.14")),
    "target-gone": Stated("p1", "judge", ("GR-3.7", "GR-14.4", "GR-14.5", "GR-14.14", "GR-18.12", "GR-19.5")),
    "double-defeat": Stated("p2", "last_side", ("GR-1.1", "GR-5.5", "GR-17.7")),
    "empty-grimoire": Stated("p1", "last_side", ("GR-11.2", "GR-11.3", "GR-11.10", "GR-17.8")),
    "void-control": Stated("p1", "last_side", ("GR-3.14", "GR-12.2", "GR-14.3", "GR-14.14")),
    "three-players": Stated("p2", "last_side", ("GR-12.3", "GR-17.7", "GR-19.1")),
    "two-teams": Stated("p1 p3", "last_side", ("GR-3.12", "GR-12.4", "GR-17.7", "GR-19.1")),
    "grove-prism": Stated("p1", "last_side", ("GR-11.8", "GR-13.11", "GR-14.10", "GR-16.8", "GR-17.11")),
    "random-first": Stated("p1", "last_side", ("GR-15.3", "GR-15.4", "GR-17.7")),
    "disputed": Stated(
        "p1",
        "last_side",
        ("GR-9.11", "GR-10.5"),
        ((31, "not_allowed", "GR-1.5"), (43, "not_allowed", "GR-7.4"), (59, "consequences", "GR-9.11")),
    ),
}
DEA = {
    "normal": Stated("p2", "ep", ("DEA-6.25", "DEA-6.29", "DEA-8.11", "DEA-9.3", "DEA-9.7", "DEA-10.4", "DEA-11.8")),
    "ends-life": Stated("p1", "life", ("DEA-6.23", "DEA-6.24", "DEA-8.10", "DEA-9.9", "DEA-10.1")),
    "ends-line": Stated("p2", "ep", ("DEA-4.7", "DEA-6.28", "DEA-7.13", "DEA-8.17", "DEA-9.3", "DEA-10.4")),
    "ends-conversion": Stated("p1", "ep", ("DEA-6.25", "DEA-7.18", "DEA-7.20", "DEA-7.21", "DEA-10.4")),
    "true-title": Stated("p1", "card", ("DEA-7.13", "DEA-7.14", "DEA-9.3", "DEA-9.9", "DEA-10.7")),
    "ends-tie": Stated("p1", "tie", ("DEA-6.28", "DEA-10.6", "DEA-11.8")),
    "stack-hooks": Stated("", "time", ("DEA-5.16", "DEA-6.22", "DEA-8.10", "DEA-8.11", "DEA-10.10")),
    "rewind": Stated("p1", "concede", ("DEA-6.24", "DEA-6.25", "DEA-8.11", "DEA-10.8")),
    "options": Stated("p1", "ep", ("DEA-6.25", "DEA-6.27", "DEA-7.20", "DEA-10.4")),
    "as-played": Stated(
        "p2",
        "judge",
        ("DEA-5.16", "DEA-7.14", "DEA-9.3", "DEA-10.10"),
        ((35, "not_allowed", "DEA-6.3"), (50, "not_allowed", "DEA-7.6")),
    ),
    "disputed": Stated(
        "",
        "time",
        ("DEA-6.23", "DEA-6.25", "DEA-6.29", "DEA-10.10"),
        ((17, "not_allowed", "DEA-6.6"), (30, "not_allowed", "DEA-7.25"), (40, "consequences", "DEA-6.23")),
    ),
}
SKILLBOOK = {
    "normal": Stated("p1", "goal", ("SB-3.7", "SB-4.15", "SB-5.15", "SB-7.5", "SB-10.5")),
    "ends-hero": Stated("p2", "hero", ("SB-3.1", "SB-5.26", "SB-7.5", "SB-10.10")),
    "ends-book": Stated("p2", "book", ("SB-3.4", "SB-4.15")),
    "both-fall": Stated("", "heroes", ("SB-3.3",)),
    "time-called": Stated("p2", "time", ("SB-3.10", "SB-3.17")),
    "conceded": Stated("p1", "concede", ("SB-3.15", "SB-10.22")),
    "charging": Stated("p2", "hero", ("SB-3.1", "SB-4.15", "SB-4.21", "SB-10.22")),
    "rewind": Stated("p2", "goal", ("SB-3.7", "SB-7.7")),
    "options": Stated("p1", "goal", ("SB-2.9", "SB-3.7", "SB-4.21")),
    "disputed": Stated(
        "p1",
        "hero",
        ("SB-3.1", "SB-10.22"),
        ((20, "not_allowed", "SB-6.1"), (48, "not_allowed", "SB-5.6"), (69, "consequences", "SB-7.12")),
    ),
}


class Shelf(Struct, frozen=True):
    """The matches of one game by name, written by hand in notation."""

    key: str
    stated: Mapping[str, Stated]

    @property
    def game(self) -> Game:
        return GAMES[self.key]

    @property
    def folder(self) -> Path:
        return FIXTURES / self.key

    @property
    def matches(self) -> list[str]:
        return sorted(path.stem for path in (self.folder / "matches").glob("*.spn"))

    @property
    def changes(self) -> list[str]:
        return sorted(path.stem for path in (self.folder / "matches" / "changes").glob("*.spn"))

    def text(self, name: str) -> str:
        folder = self.folder / "matches" / ("changes" if name in self.changes else "")
        return (folder / f"{name}.spn").read_text(encoding="utf-8")

    def deck(self, name: str) -> Path:
        return self.folder / "decks" / f"{name}.toml"

    def entries(self, name: str) -> tuple[Entry, ...]:
        return _entries(self.text(name))

    def first_entry(self, name: str) -> Opened:
        return opened_of(self.entries(name))

    def table(self, name: str, upto: int | None = None) -> Table:
        return fold_entries(self.entries(name), upto)

    def number(self, name: str, holds: Callable[[Table], object]) -> int:
        found = self.entries(name)
        return next(one for one in range(1, len(found) + 1) if holds(fold_entries(found, one)))

    def visible_faces(self, name: str, upto: int, viewer: Seat, place: str) -> list[str]:
        shown = TableViewer(Physics(self.first_entry(name).schema), viewer).place(self.table(name, upto), Place(place))
        assert shown is not None
        return [card.face for card in shown.cards if card.face]


@cache
def _entries(text: str) -> tuple[Entry, ...]:
    return tuple(parse_notation(text, GAMES))


SHELVES = {
    "blackpoker": Shelf("blackpoker", BLACKPOKER),
    "grimoire": Shelf("grimoire", GRIMOIRE),
    "dea": Shelf("dea", DEA),
    "skillbook": Shelf("skillbook", SKILLBOOK),
}


def faces(of: Table, place: str) -> list[str | None]:
    return [of.pieces[card].face for card in of.places.get(Place(place), ())]


def actions(record: tuple[Entry, ...]) -> list[tuple[int, str, dict[str, object]]]:
    return [
        (number, one.actor, msgspec.msgpack.decode(one.action))
        for number, one in enumerate(record, start=1)
        if isinstance(one, Played)
    ]


def found_by(record: tuple[Entry, ...], rules: object = None) -> list[tuple[int, str, str]]:
    found = audit(GAMES[opened_of(record).game], record, rules).findings
    return [(one.entry, one.kind, one.clause) for one in found]


def lines(record: tuple[Entry, ...]) -> list[bytes]:
    return [codec.to_json_line(codec.encode(one)) for one in record]


def from_lines(record: list[bytes]) -> tuple[Entry, ...]:
    return tuple(codec.decode(codec.from_json_line(one)) for one in record)


def seen_by(game: Game, entries: Sequence[Entry], viewer: str) -> tuple[Record, TableViewer]:
    """Return a record and its viewer object, the arguments of functions that render a match."""
    record = record_of(game, entries)
    return record, find_viewer(record, viewer)
