"""The parts of a corpus file, each held against its checksum as it is read."""

import os
import zlib
from typing import BinaryIO

import msgspec

from corpus import form, troubles
from corpus.form import Body, Found, Row
from corpus.troubles import CorpusError
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import misfit
from recorder import codec

# -- one match --------------------------------------------------------------------------------------------------------


def read_row(file: BinaryIO, name: str, row: Row) -> tuple[Entry, ...]:
    """The entries of a match from where the contents say it lies. Raises CorpusError."""
    return read_plain(name, row, plain_row(file, name, row))


def read_plain(name: str, row: Row, plain: bytes) -> tuple[Entry, ...]:
    """The entries of a match from their bytes. Raises CorpusError."""
    try:
        entries = form.entries_of(plain)
    except codec.CodecError as error:
        raise troubles.wrong(name, row.match, row.offset, error.text) from None
    opened = entries[0] if entries else None
    if not isinstance(opened, Opened) or len(entries) != row.entries:
        raise troubles.wrong(name, row.match, row.offset, Text("match.not_opened" if entries else "record.empty"))
    if opened.game != row.game:
        raise troubles.mixed(name, row.match, opened.game, row.game)
    return entries


def plain_row(file: BinaryIO, name: str, row: Row) -> bytes:
    """The bytes of a match's entries, held against all checksums. Raises CorpusError."""
    found = section(file, name, row.offset, row.offset + row.length, row.match)
    if isinstance(found, CorpusError):
        raise found
    body = read_body(file, name, found, row.match)
    if form.row_of(body, row.offset, found.ends - found.at) != row:
        raise troubles.damaged(name, row.offset, Text("corpus.part.match", {"match": row.match}), row.match)
    plain = form.plain_of(body)
    if isinstance(plain, Text):
        raise troubles.wrong(name, row.match, row.offset, plain)
    return plain


def read_body(file: BinaryIO, name: str, found: Found, match: str = "") -> Body:
    """The match of a section. Raises CorpusError."""
    part = Text("corpus.part.match", {"match": match}) if match else Text("corpus.part.some_match")
    raw = checked(file, found)
    if raw is None or found.kind != form.MATCH:
        raise troubles.damaged(name, found.at, part, match)
    body = form.read_body(raw)
    if isinstance(body, Text):
        raise troubles.misfit(name, found.at, body, match)
    return body


# -- the parts of the file --------------------------------------------------------------------------------------------


def begin(file: BinaryIO, name: str) -> tuple[form.Head, int]:
    """The head, and the first byte behind it."""
    raw = file.read(form.PRELUDE.size)
    if not raw:
        raise CorpusError("cut", Text("corpus.empty", {"file": name}))
    if not form.MAGIC.startswith(raw[: len(form.MAGIC)]):
        raise CorpusError("foreign", Text("corpus.foreign", {"file": name}))
    if len(raw) < form.PRELUDE.size:
        raise troubles.cut(name, len(raw))
    _, version, _, crc = form.PRELUDE.unpack(raw)
    if zlib.crc32(raw[:-4]) != crc:
        raise troubles.damaged(name, 0, Text("corpus.part.head"))
    if version != form.FORMAT:
        raise CorpusError("newer", Text("corpus.newer", {"file": name, "format": version, "known": form.FORMAT}))
    size = os.fstat(file.fileno()).st_size
    found = section(file, name, form.PRELUDE.size, size)
    if isinstance(found, CorpusError):
        raise found
    body = checked(file, found)
    if body is None or found.kind != form.HEAD:
        raise troubles.damaged(name, found.at, Text("corpus.part.head"))
    try:
        return msgspec.msgpack.decode(body, type=form.Head), found.ends
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise troubles.misfit(name, found.at, misfit(error)) from None


def last_trailer(file: BinaryIO, name: str, first: int, size: int) -> tuple[Found, int]:
    """The contents that the last whole trailer points at, and where that trailer ends."""
    at = size - form.TRAILER_BYTES
    if at >= first and (contents := trailed(file, name, at, size)) is not None:
        return contents, size
    # The file does not end with a trailer. From the front every section says where the next one begins.
    last: tuple[Found, int] | None = None
    matches, at = 0, first
    while at < size:
        found = section(file, name, at, size)
        if isinstance(found, CorpusError):
            if found.trouble == "damaged":
                raise found
            break
        if found.kind == form.TAIL:
            contents = trailed(file, name, at, size)
            if contents is None:
                raise troubles.damaged(name, at, Text("corpus.part.trailer"))
            last = (contents, found.ends)
        matches += found.kind == form.MATCH
        at = found.ends
    if last is None:
        raise troubles.cut(name, size, matches)
    return last


def trailed(file: BinaryIO, name: str, at: int, size: int) -> Found | None:
    """The contents a trailer at this byte points at; None if there is no trailer."""
    found = section(file, name, at, size)
    if isinstance(found, CorpusError) or found.kind != form.TAIL or found.length != form.TRAILER.size:
        return None
    raw = checked(file, found)
    if raw is None:
        return None
    begins, own = form.TRAILER.unpack(raw)
    if own != at or begins >= at:
        return None
    contents = section(file, name, begins, at)
    if isinstance(contents, CorpusError) or contents.kind != form.CONTENTS or contents.ends != at:
        raise troubles.damaged(name, begins, Text("corpus.part.contents"))
    return contents


def read_contents(file: BinaryIO, name: str, game: str, found: Found, first: int) -> tuple[Row, ...]:
    """The lines of the contents, all of one game and each within the file. Raises CorpusError."""
    raw = checked(file, found)
    if raw is None:
        raise troubles.damaged(name, found.at, Text("corpus.part.contents"))
    rows = form.read_rows(raw)
    if isinstance(rows, Text):
        raise troubles.misfit(name, found.at, rows)
    known: set[str] = set()
    for row in rows:
        if row.game != game:
            raise troubles.mixed(name, row.match, row.game, game)
        if row.match in known:
            raise troubles.twice(name, row.match)
        if codec.MATCH_ID.fullmatch(row.match) is None:
            raise troubles.misfit(name, found.at, codec.no_id(row.match))
        if not first <= row.offset <= row.offset + row.length <= found.at:
            raise troubles.damaged(name, found.at, Text("corpus.part.contents"), row.match)
        known.add(row.match)
    return rows


def section(file: BinaryIO, name: str, at: int, until: int, match: str = "") -> Found | CorpusError:
    """The section that begins at a byte and ends before another; what is wrong if there is none."""
    if until - at < form.HEADER.size:
        return troubles.cut(name, until)
    file.seek(at)
    header = file.read(form.HEADER.size)
    if len(header) < form.HEADER.size:
        return troubles.cut(name, at + len(header))
    found = form.found(header, at)
    if found is None:
        return troubles.damaged(name, at, Text("corpus.part.section"), match)
    return found if found.ends <= until else troubles.cut(name, until)


def checked(file: BinaryIO, found: Found) -> bytes | None:
    """The body of a section; None if it is not what its checksum says."""
    file.seek(found.at + form.HEADER.size)
    raw = file.read(found.length)
    return raw if len(raw) == found.length and zlib.crc32(raw) == found.crc else None
