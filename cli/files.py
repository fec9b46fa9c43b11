"""Matches from files, in notation or JSON Lines, recognised by content."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

from archive.corpus import texts
from cli.context import CommandContext, ReadRecord, quote_input
from cli.lines import HEAD, STDIN, Lines, open_bytes
from cli.readers import open_remote
from domain.formats.errors import FormatError, decode_text, explain_slip
from domain.formats.notation import Line, read_notation, read_variations
from domain.games import GAMES
from domain.judging.rejudging.target import register_cards
from domain.law import croupier
from domain.law.entries import fold_entries, opened_of
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.table.table import JUDGE
from domain.words import Text
from recorder import codec
from recorder.files import SUFFIXES, open_regular
from recorder.imports import find_fault
from recorder.laws import law_of
from recorder.match_loader import LoadedMatch
from recorder.spool import Decoded, Spool
from recorder.store_location import name_of, on_server

__all__ = ("STDIN", "read_cards", "read_match", "open_record", "read", "read_record", "require_paths", "read_states")

BOOK_MAX = 64 * 1024 * 1024
"""Limit in bytes for a file that is read whole."""


def path_satisfies(text: str, what: Callable[[Path], bool] = Path.exists) -> bool:
    """True if a path exists and satisfies `what`. An invalid or unreadable path gives False."""
    with suppress(OSError, ValueError):
        return what(Path(text))
    return False


def read(ctx: CommandContext, name: str) -> bytes:
    """Return the bytes of a file or of standard input. Raises CommandError."""
    with open_bytes(ctx, name) as stream:
        data = stream.read(BOOK_MAX + 1)
    if len(data) > BOOK_MAX:
        raise ctx.problem("cli.too_long", file=name, most=BOOK_MAX // 1024 // 1024)
    return data


def read_cards(ctx: CommandContext, name: str | None, games: Iterable[Game] | None = None) -> Overlay | None:
    """Return a card file to apply to records. Cards new to the published pools become known."""
    if name is None:
        return None
    with ctx.convert_errors():
        overlay = Overlay(name, decode_text(read(ctx, name), name))
        register_cards(overlay, GAMES.values() if games is None else games)
    return overlay


@contextmanager
def read_states(
    ctx: CommandContext, name: str, branches: list[list[bytes]] | None = None, *, data: bytes | None = None
) -> Iterator[Spool]:
    """Yield the encoded entries of a record in a file, spooled to a temporary file.

    `branches` receives the records of its variations, which are skipped if it is None. `data` replaces the file.
    """
    with ctx.convert_errors(), Spool() as spool:
        with open_bytes(ctx, name) if data is None else BytesIO(data) as stream:
            _fill(ctx, name, Lines(ctx, name, stream), spool, branches)
        yield spool


def _fill(ctx: CommandContext, name: str, lines: Lines, spool: Spool, branches: list[list[bytes]] | None) -> None:
    if len(lines.head) < HEAD and not lines.head.strip():
        raise ctx.problem("cli.empty", file=name)
    if texts.SEEN.match(lines.head):
        raise ctx.problem("cli.redacted", file=name)
    try:
        if texts.JSON.match(lines.head):
            _from_json_lines(lines, spool)
        else:
            _from_notation(lines, spool, branches)
    except FormatError as error:
        raise ctx.misread(error.with_file(name)) from None


def _from_notation(lines: Lines, spool: Spool, branches: list[list[bytes]] | None) -> None:
    aside: list[Line] | None = None if branches is None else []
    try:
        header = read_notation(lines, GAMES, croupier.make_random_source, Decoded(spool), aside)
        if branches is not None:
            variations = read_variations(header, Decoded(spool), aside or ())
            records = (record for variation in variations for record in variation.all())
            branches += [[codec.encode(entry) for entry in record.entries] for record in records]
    except FormatError as error:
        cut = lines.cut and error.line == lines.number and error.message.key != "format.bare_cr"
        raise (_ending(error, "cli.ends_in_line") if cut else error) from None


def _from_json_lines(lines: Lines, spool: Spool) -> None:
    try:
        for line in lines:
            if line.strip():
                spool.append(codec.from_json_line(line))
    except codec.CodecError as error:
        wrong = explain_slip(FormatError(error.text, lines.number), line)
        if wrong.message.key == "format.bare_cr":
            raise wrong from None
        raise (_ending(wrong, "cli.ends_inside") if error.cut and lines.ended else wrong) from None
    except FormatError as error:
        raise (_ending(error, "cli.ends_inside") if lines.cut else error) from None


def _ending(error: FormatError, key: str) -> FormatError:
    return FormatError(Text(key, {"what": error.message}), error.line, error.column, error.clause)


@contextmanager
def read_record(ctx: CommandContext, name: str, *, data: bytes | None = None) -> Iterator[ReadRecord]:
    """Yield a record from a file or from `data`, checked like an import."""
    with read_states(ctx, name, data=data) as spool:
        entries = Decoded(spool)
        bad = find_fault(entries)
        if bad is not None:
            raise ctx.problem("cli.bad_record", file=name, entry=bad.entry, detail=bad.what)
        law = law_of(entries[0])
        assert isinstance(law, Law)
        yield ReadRecord(law, entries, opened_of(entries).match or name)


@contextmanager
def open_record(ctx: CommandContext, text: str) -> Iterator[LoadedMatch | ReadRecord]:
    """Yield a record from a file of this name, or else from the store or the service.

    A service requires the right to see the whole match. Raises CommandError, ServiceError.
    """
    if text == STDIN or text.endswith(SUFFIXES) or path_satisfies(text, Path.is_file):
        with read_record(ctx, text) as read_in:
            yield read_in
    elif ctx.is_remote and not is_local(text):
        data = open_remote(ctx, text, JUDGE).match.export("jsonl")
        with read_record(ctx, text.strip(), data=data) as read_in:
            yield read_in
    else:
        yield ctx.load(text)


def is_local(text: str) -> bool:
    """True if a text names a local file, folder, store or match in one, not a match of a service."""
    path = text.rpartition(":")[0] or text
    return (
        text == STDIN
        or on_server(text)
        or text.endswith(SUFFIXES)
        or path_satisfies(text)
        or path_satisfies(path, Path.is_file)
    )


def read_match(ctx: CommandContext, name: str) -> LoadedMatch:
    """Return a record with all its entries in memory."""
    with read_record(ctx, name) as read_in:
        entries = tuple(read_in.entries)
        return LoadedMatch(id=read_in.id, entries=entries, table=fold_entries(entries), law=read_in.law)


def read_linked_match(ctx: CommandContext, path: Path) -> LoadedMatch:
    """Return a match from a regular file that another file names, no larger than a match in a corpus."""
    with ctx.convert_os_errors("cli.unreadable", quote_input(str(path))), open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
    if size > texts.FILE_MAX:
        raise ctx.problem("cli.too_long", file=quote_input(str(path)), most=texts.FILE_MAX // 1024**2)
    return read_match(ctx, str(path))


def list_files(folder: Path, suffixes: tuple[str, ...], errors: list[OSError]) -> list[Path]:
    """Return the files below a folder with one of these suffixes, sorted. `errors` receives the errors of unreadable
    folders, and one for each pipe or device, which is skipped."""
    walked = os.walk(folder, onerror=errors.append)
    found = sorted(Path(at, name) for at, _, names in walked for name in names if name.endswith(suffixes))
    odd = [path for path in found if path.exists() and not path.is_file()]
    errors += (OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), str(path)) for path in odd)
    return [path for path in found if path not in odd]


def require_paths(ctx: CommandContext, paths: list[str]) -> list[str]:
    """Return existing paths; stores on servers lose their password. Raises CommandError for the first missing path."""
    for path in paths:
        if not on_server(path) and not path_satisfies(path):
            raise ctx.problem("regress.no_path", path=quote_input(path))
    return hide_passwords(ctx, paths)


def hide_passwords(ctx: CommandContext, paths: Iterable[str]) -> list[str]:
    """Return paths safe to print: a store on a server loses its password. Raises CommandError."""
    with ctx.convert_errors():
        return [name_of(path) for path in paths]


def hide_password(ctx: CommandContext, path: str) -> str:
    return hide_passwords(ctx, [path])[0]
