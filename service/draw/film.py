"""A stretch of a match as a film: every strip that is ever shown in it once, and entry by entry which ones change.

A browser that has it goes back and forth without asking again. It is made from what one viewer sees, of each entry and
of the table after it, and from nothing else.
"""

from collections.abc import Iterator
from itertools import accumulate, chain
from typing import Final

from msgspec import Struct

from domain.law.entries import Entry, line, tables
from domain.law.record import Record
from domain.table.redact import Eyes
from domain.table.table import Table
from domain.words import Lang
from projections.board import Kept, board_of
from projections.seen_entries import seen_entry
from projections.timeline import entry_words
from projections.viewing import entry_in
from service.draw.board import draw
from service.draw.log import NO_LINKS, Links, caption, log_line
from service.draw.setting import Setting
from service.draw.strips import Strip, strips_of

CHUNK: Final = 128
"""So many entries are sent at once."""


class Film(Struct, frozen=True):
    """Entries `first` to `last`: `rows` are strips, `at` says which row a strip shows after an entry.

    The first of `at` names every strip, each other one only those that changed since the entry before: no strip ever
    comes or goes. `log` and `says` hold a line and a sentence for each entry.
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


def film(record: Record, eyes: Eyes, lang: Lang, first: int, last: int, links: Links = NO_LINKS) -> Film:
    """The film of some entries of a match. Raises NotInMatch where it does not have them."""
    entry_in(record.entries, first)
    entry_in(record.entries, last)
    made = _Film(record, eyes, lang, links)
    for number, entry, before, after in _between(record, first, last):
        made.add(number, entry, before, after)
    return made.cut(first, last)


def _between(record: Record, first: int, last: int) -> Iterator[tuple[int, Entry, Table, Table]]:
    for moment in tables(record.entries[:last]):
        if moment[0] >= first:
            yield moment


class _Film:
    """A film while it is made."""

    def __init__(self, record: Record, eyes: Eyes, lang: Lang, links: Links) -> None:
        self.record, self.eyes, self.lang, self.links = record, eyes, lang, links
        self.setting = Setting(record.law, record.opened.schema, lang)
        self.on_line = frozenset(line(record.entries))
        self.kept = Kept()
        self.shown: dict[str, Strip] = {}
        self.rows: dict[str, dict[str, int]] = {}
        self.last: dict[str, int] = {}
        self.at: list[dict[str, int]] = []
        self.log: list[str] = []
        self.says: list[str] = []

    def add(self, number: int, entry: Entry, before: Table, after: Table) -> None:
        """One more entry: its line, and whatever looks other than before on the table after it."""
        seen = seen_entry(self.record.game, self.eyes, number, entry, before)
        words = entry_words(self.record.game, seen, self.lang, left=number not in self.on_line)
        self.log.append(str(log_line(words, self.lang, self.links)))
        self.says.append(caption(words, before.clock, self.lang))
        now = strips_of(board_of(self.record, self.eyes, number, after, self.kept), self.setting)
        drawn = {key: self._row(key, strip) for key, strip in now.items() if self.shown.get(key) != strip}
        changed = {key: row for key, row in drawn.items() if self.last.get(key) != row}
        self.at.append(changed)
        self.last |= changed
        self.shown = now

    def _row(self, key: str, strip: Strip) -> int:
        rows = self.rows.setdefault(key, {})
        return rows.setdefault(str(draw(key, strip, self.setting)), len(rows))

    def cut(self, first: int, last: int) -> Film:
        """What has been made. What one strip ever shows stands side by side: it is alike, and packs better."""
        begins = dict(zip(self.rows, accumulate(map(len, self.rows.values()), initial=0), strict=False))
        at = tuple({key: begins[key] + row for key, row in changed.items()} for changed in self.at)
        return Film(first, last, tuple(chain(*self.rows.values())), at, tuple(self.log), tuple(self.says))
