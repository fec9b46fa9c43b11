"""A stretch of a match as a film: every strip that is ever shown in it once, and entry by entry which ones change.

A browser that has it goes back and forth without asking again. It is made from what one viewer sees, of each entry and
of the table after it, and from nothing else.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from threading import Lock
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.law.entries import Entry, line, tables_between
from domain.law.record import Record
from domain.law.remarks import is_housekeeping
from domain.table.redact import TableViewer
from domain.table.table import Table
from domain.words import Lang
from projections.board import board_of
from projections.seen_entries import seen_entry
from projections.timeline import entry_words
from projections.viewing import entry_in
from service.drawing.board import strips_in
from service.drawing.log import NO_LINKS, Links, caption, log_line
from service.drawing.setting import Setting

CHUNK: Final = 128
"""So many entries are sent at once."""


class Film(Struct, frozen=True):
    """Entries `first` to `last`: `rows` are strips, `at` says which row a strip shows after an entry.

    The first of `at` names every strip, each other one only those that changed since the entry before: no strip ever
    comes or goes. `log` and `says` hold a line and a sentence for each entry;
    the line is empty for notes about seats.
    """

    first: int
    last: int
    rows: tuple[str, ...]
    at: tuple[dict[str, int], ...]
    log: tuple[str, ...]
    says: tuple[str, ...]


def chunk(number: int, entries: int) -> tuple[int, int]:
    """The first and the last entry of the chunk that an entry belongs to."""
    first = (number - 1) // CHUNK * CHUNK + 1
    return first, min(first + CHUNK - 1, entries)


def film(record: Record, eyes: TableViewer, lang: Lang, first: int, last: int, links: Links = NO_LINKS) -> Film:
    """The film of some entries of a match. Raises NotInMatch where it does not have them."""
    return Snapshot(record, eyes, lang, first, links).upto(record, last)


def _packed(pictures: Sequence[Mapping[str, str]]) -> tuple[tuple[str, ...], tuple[dict[str, int], ...]]:
    """Every strip once, and which ones each picture has. Those of one key stand together: alike, they pack better."""
    rows: dict[str, dict[str, int]] = {}
    for strips in pictures:
        for key, strip in strips.items():
            rows.setdefault(key, {}).setdefault(strip, len(rows[key]))
    begins = dict(zip(rows, accumulate(map(len, rows.values()), initial=0), strict=False))
    at = tuple({key: begins[key] + rows[key][strip] for key, strip in strips.items()} for strips in pictures)
    return tuple(chain(*rows.values())), at


class Snapshot:
    """A film that goes on as its match does, up to the next rewind: that changes what is said of entries before it.

    Used by many threads.
    """

    def __init__(
        self, record: Record, eyes: TableViewer, lang: Lang, first: int, links: Links = NO_LINKS, judges: bool = False
    ) -> None:
        self._first = entry_in(record.entries, first)
        self._reel = DeltaEncoder(record, eyes, lang, links, judges)
        self._table = record.after(first - 1)
        self._pictures: list[Picture] = []
        self._lock = Lock()

    def upto(self, record: Record, last: int) -> Film:
        """The film up to an entry of the same match. Raises NotInMatch."""
        entry_in(record.entries, last)
        with self._lock:
            self._go_on(record, last)
            pictures = self._pictures[: last - self._first + 1]
        log, says = tuple(picture.log for picture in pictures), tuple(picture.says for picture in pictures)
        return Film(self._first, last, *_packed([picture.strips for picture in pictures]), log, says)

    def _go_on(self, record: Record, last: int) -> None:
        on_line = frozenset(line(record.entries))
        first = self._first + len(self._pictures)
        for number, entry, before, after in tables_between(record.entries, first, last, self._table):
            self._pictures.append(self._reel.show(number, entry, before, after, left=number not in on_line))
            self._table = after


class Picture(Struct, frozen=True):
    """What one entry brings: the strips that change, by their keys, its line of the log, and its sentence."""

    strips: dict[str, str]
    log: str
    says: str


class DeltaEncoder:
    """A match drawn for one viewer, entry by entry as it goes on: of each only what looks other than before."""

    def __init__(
        self, record: Record, eyes: TableViewer, lang: Lang, links: Links = NO_LINKS, judges: bool = False
    ) -> None:
        self._judges = judges
        self._record, self._eyes, self._lang, self._links = record, eyes, lang, links
        self._setting = Setting(record.law, record.opening.schema, lang, names=record.names)
        self._drawn: dict[str, Markup] = {}

    def begin(self, number: int, table: Table) -> None:
        """The viewer has the table after this entry before them."""
        self._change(number, table)

    def show(self, number: int, entry: Entry, before: Table, after: Table, *, left: bool = False) -> Picture:
        """The next entry; `left`: the match has gone on without it."""
        record, judges = self._record, self._judges
        seen = seen_entry(record.game, self._eyes, number, entry, before, policy=record.opening.policy, judges=judges)
        words = entry_words(self._record.game, seen, self._lang, record.names, left=left)
        log, says = (
            "" if is_housekeeping(entry) else str(log_line(words, self._lang, self._links)),
            caption(words, before.clock, record.names, self._lang),
        )
        return Picture(self._change(number, after), log, says)

    def _change(self, number: int, table: Table) -> dict[str, str]:
        """The strips that look other than before on the next table."""
        before, now = (
            self._drawn,
            strips_in(board_of(self._record, self._eyes, number, table, self._setting.kept), self._setting),
        )
        self._drawn = now
        return {key: str(strip) for key, strip in now.items() if before.get(key) != strip}
