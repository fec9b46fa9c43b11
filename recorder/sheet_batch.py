"""Record a score sheet completely or not at all. Lines are tried on a copy of the match, then recorded in one
transaction. They use the same commands as line-by-line recording, so repeated sheets are recognised."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.formats.sheets import Sheet
from domain.law.entries import AnyByHand, Entry, Played
from recorder.answers import RecordResult, Reused, Unavailable
from recorder.commands import Command, find_command
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import rewind
from recorder.rows import WriteBatch, row
from recorder.sheet_recording import (
    LineEntries,
    RejectedLine,
    SheetConflict,
    SheetProgress,
    SheetTerms,
    Unopened,
    is_blind_shuffle,
    open_sheet,
    place_of,
    record_line,
)
from recorder.store import Conflict, Store

IN_MEMORY = ":memory:"


class UnlistedEntries(Struct, frozen=True):
    """Entries of a match that name faces and are in no line of the sheet. The sheet's results could reveal them."""

    entries: tuple[int, ...]


class PreparedSheet(Struct, frozen=True):
    """A sheet ready to be recorded: its lines, the resulting match, and the writes. Nothing is recorded yet. `new`: the
    sheet opens the match."""

    match: LoadedMatch
    lines: tuple[LineEntries, ...]
    writings: tuple[WriteBatch, ...]
    new: bool


def prepare_sheet(
    store: Store,
    sheet: Sheet,
    match: str,
    terms: SheetTerms,
    *,
    command: Command | None = None,
    sees_all: bool = True,
) -> PreparedSheet | RejectedLine | SheetConflict | UnlistedEntries | Unopened:
    """Prepare a sheet for `record_prepared_sheet`, opening its match if there is none. Nothing is recorded.

    Without `sees_all`, the result must reveal only what the sheet itself says of an existing match. If recorded lines
    were edited, going back needs a reason (`terms.mend`). Raises StoreError.
    """
    version = store.version(match)
    before = None if command is None else find_command(store, match, command)
    if command is not None and before is not None and before.asked not in (b"", command.asked):
        return Reused(match, command.id, before.first)
    with Store.open(IN_MEMORY) as copy:
        if version:
            current = load_match(store, match)
            if isinstance(current, Unavailable):
                return current
            copy.append(match, 0, current.entries)
            version = current.version
        opened = open_sheet(copy, sheet, match, at=terms.at, by=terms.by)
        if not isinstance(opened, str):
            return opened
        start = _load(copy, match)
        walk = SheetProgress(store, start, sheet.lines)
        opening_end = walk.last
        known = tuple(walk.find_recorded_lines())
        if not sees_all and (unlisted := tuple(_find_unlisted_entries(walk, opening_end, known))):
            return UnlistedEntries(unlisted)
        new_lines = _take_new_lines(copy, sheet, walk, terms)
        if not isinstance(new_lines, _NewLines):
            return new_lines
        done = _load(copy, match)
        opening = () if version else (_make_write_batch(match, done.entries, 1, start.version, command),)
        run = (_make_write_batch(match, done.entries, first, last, named) for first, last, named in new_lines.runs)
        return PreparedSheet(done, (*known, *new_lines.lines), (*opening, *run), not version)


def record_prepared_sheet(store: Store, ready: PreparedSheet) -> int | Conflict:
    """Record a prepared sheet if its match is unchanged, and return the last entry's number. Raises StoreError."""
    if not ready.writings:
        return ready.match.version
    return store.append_run(ready.match.id, ready.writings)


class _NewLines(Struct, frozen=True):
    """The lines that are new in the match, and the entries that each command recorded."""

    lines: tuple[LineEntries, ...]
    runs: tuple[tuple[int, int, Command | None], ...]


def _take_new_lines(
    copy: Store, sheet: Sheet, walk: SheetProgress, terms: SheetTerms
) -> _NewLines | RejectedLine | SheetConflict:
    if walk.at == len(sheet.lines):
        return _NewLines((), ())
    match, lines, runs = walk.match.id, list[LineEntries](), list[tuple[int, int, Command | None]]()
    line = sheet.lines[walk.at]
    undone = walk.list_later_entries()
    if undone and not terms.mend:
        return SheetConflict(line.line, walk.last, undone)
    if undone:
        back = rewind(copy, match, walk.last, terms.mend, terms.by, at=terms.at)
        if not isinstance(back, RecordResult):
            return RejectedLine(line.line, line.column, back)
        runs.append((back.version, back.last, None))
    for line in sheet.lines[walk.at :]:
        command = walk.command(line)
        answer = record_line(copy, match, line, command, terms)
        if not isinstance(answer, RecordResult):
            return RejectedLine(*place_of(line, answer), answer)
        runs.append((answer.version, answer.last, command))
        broken = answer.entry.violations if isinstance(answer.entry, Played) else ()
        lines.append(LineEntries(line.line, answer.version, answer.last, False, broken))
    return _NewLines(tuple(lines), tuple(runs))


def _find_unlisted_entries(walk: SheetProgress, begins: int, known: Sequence[LineEntries]) -> Iterator[int]:
    """Yield entries after the opening that affect play and are in no known line."""
    listed = {number for line in known for number in range(line.first, line.last + 1)}
    upto = walk.last if walk.list_later_entries() else walk.match.version
    for number in walk.path:
        entry = walk.match.entries[number - 1]
        affects_play = isinstance(entry, Played | AnyByHand) and not is_blind_shuffle(entry)
        if affects_play and begins < number <= upto and number not in listed:
            yield number


def _load(store: Store, match: str) -> LoadedMatch:
    loaded = load_match(store, match)
    assert isinstance(loaded, LoadedMatch)
    return loaded


def _make_write_batch(
    match: str, entries: Sequence[Entry], first: int, last: int, command: Command | None
) -> WriteBatch:
    rows = [row(match, number, entries[number - 1]) for number in range(first, last + 1)]
    return WriteBatch(rows) if command is None else WriteBatch(rows, command.id, command.asked)
