"""Timelines: a range of entries with each strip stored once, and the strips that each entry changes.

A browser with the timeline steps through the match without further requests. It is built only from what one viewer sees
of each entry and of the table after it.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from threading import Lock
from typing import Final

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
from projections.viewing import resolve_entry
from service.drawing.board import draw
from service.drawing.log import NO_LINKS, Links, caption, log_line
from service.drawing.setting import DrawingContext
from service.drawing.strips import Strip, strips_of

CHUNK: Final = 128


class Film(Struct, frozen=True):
    """Entries `first` to `last`. `rows` are strips, and `at` maps strip keys to rows for each entry.

    The first item of `at` has every key; the others have only those that changed. No key appears or disappears later.
    `log` and `says` have a line and a sentence for each entry. The line is empty for notes about seats.
    """

    first: int
    last: int
    rows: tuple[str, ...]
    at: tuple[dict[str, int], ...]
    log: tuple[str, ...]
    says: tuple[str, ...]


def chunk(number: int, entries: int) -> tuple[int, int]:
    """Return the first and last entry of the chunk that contains an entry."""
    first = (number - 1) // CHUNK * CHUNK + 1
    return first, min(first + CHUNK - 1, entries)


def film(record: Record, eyes: TableViewer, lang: Lang, first: int, last: int, links: Links = NO_LINKS) -> Film:
    """Return the timeline of a range of entries. Raises NotInMatch if the match lacks them."""
    return Snapshot(record, eyes, lang, first, links).upto(record, last)


def _pack_rows(pictures: Sequence[Mapping[str, str]]) -> tuple[tuple[str, ...], tuple[dict[str, int], ...]]:
    """Return each strip once, and the rows of each picture. Rows of one key are adjacent, which compresses better."""
    rows: dict[str, dict[str, int]] = {}
    for strips in pictures:
        for key, strip in strips.items():
            rows.setdefault(key, {}).setdefault(strip, len(rows[key]))
    begins = dict(zip(rows, accumulate(map(len, rows.values()), initial=0), strict=False))
    at = tuple({key: begins[key] + rows[key][strip] for key, strip in strips.items()} for strips in pictures)
    return tuple(chain(*rows.values())), at


class Snapshot:
    """A timeline that grows with its match until the next rewind, which changes earlier lines. Thread-safe."""

    def __init__(
        self, record: Record, eyes: TableViewer, lang: Lang, first: int, links: Links = NO_LINKS, judges: bool = False
    ) -> None:
        self._first = resolve_entry(record.entries, first)
        self._encoder = DeltaEncoder(record, eyes, lang, links, judges)
        self._table = record.after(first - 1)
        self._pictures: list[EntryDelta] = []
        self._lock = Lock()

    def upto(self, record: Record, last: int) -> Film:
        """Return the timeline up to an entry of the same match. Raises NotInMatch."""
        resolve_entry(record.entries, last)
        with self._lock:
            self._extend(record, last)
            pictures = self._pictures[: last - self._first + 1]
        log, says = tuple(picture.log for picture in pictures), tuple(picture.says for picture in pictures)
        return Film(self._first, last, *_pack_rows([picture.strips for picture in pictures]), log, says)

    def _extend(self, record: Record, last: int) -> None:
        on_line = frozenset(line(record.entries))
        first = self._first + len(self._pictures)
        for number, entry, before, after in tables_between(record.entries, first, last, self._table):
            self._pictures.append(self._encoder.show(number, entry, before, after, left=number not in on_line))
            self._table = after


class EntryDelta(Struct, frozen=True):
    """The effect of one entry: changed strips by key, line of the log, and sentence."""

    strips: dict[str, str]
    log: str
    says: str


class DeltaEncoder:
    """Draws a match for one viewer, entry by entry, and returns only what changed."""

    def __init__(
        self, record: Record, eyes: TableViewer, lang: Lang, links: Links = NO_LINKS, judges: bool = False
    ) -> None:
        self._judges = judges
        self._record, self._eyes, self._lang, self._links = record, eyes, lang, links
        self._setting = DrawingContext(record.law, record.opening.schema, lang, names=record.names)
        self._strips: dict[str, Strip] = {}

    def begin(self, number: int, table: Table) -> None:
        """Begin after an entry whose strips the reader has."""
        self._strips = self._make_strips(number, table)

    def show(self, number: int, entry: Entry, before: Table, after: Table, *, left: bool = False) -> EntryDelta:
        """Return what the next entry changes. `left`: a rewind has undone it."""
        record, judges = self._record, self._judges
        seen = seen_entry(record.game, self._eyes, number, entry, before, policy=record.opening.policy, judges=judges)
        words = entry_words(record.game, seen, self._lang, record.names, left=left, fact_texts=False)
        log, says = (
            "" if is_housekeeping(entry) else str(log_line(words, self._lang, self._links)),
            caption(words, before.clock, record.names, self._lang),
        )
        return EntryDelta(self._change(number, after), log, says)

    def _change(self, number: int, table: Table) -> dict[str, str]:
        """Return the strips that look different on a table. Only strips with another value are drawn."""
        setting, before = self._setting, self._strips
        self._strips = self._make_strips(number, table)
        changed: dict[str, str] = {}
        for key, strip in self._strips.items():
            last = before.get(key)
            if last != strip and (last is None or draw(key, last, setting) != draw(key, strip, setting)):
                changed[key] = str(draw(key, strip, setting))
        return changed

    def _make_strips(self, number: int, table: Table) -> dict[str, Strip]:
        setting = self._setting
        return strips_of(board_of(self._record, self._eyes, number, table, setting.place_cache), setting)
