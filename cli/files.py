"""Matches from files: notation or JSON Lines, told apart by what stands in them."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli.context import Desk, shown

if TYPE_CHECKING:
    from recorder.loading import Match

STDIN = "-"
FILE_MAX = 64 * 1024 * 1024
"""Bound on the size of a file; the longest record ever made stays under a tenth of it."""

_JSON = re.compile(rb'\s*\{\s*["}]')
_SEEN = re.compile(rb'\s*(?:\{\s*"shinpan"\s*:\s*"view"|; shinpan view )')


def read(desk: Desk, name: str) -> bytes:
    """The bytes of a file, or of standard input."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(FILE_MAX + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(FILE_MAX + 1)
    except (OSError, ValueError) as error:
        raise desk.problem("cli.unreadable", file=shown(name), detail=_reason(error)) from None
    if len(data) > FILE_MAX:
        raise desk.problem("cli.too_long", file=name, most=FILE_MAX // 1024 // 1024)
    return data


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def states(desk: Desk, name: str) -> list[bytes]:
    """The entries of a record in a file, as bytes of the store."""
    data = read(desk, name)
    if not data.strip():
        raise desk.problem("cli.empty", file=name)
    if _SEEN.match(data):
        raise desk.problem("cli.redacted", file=name)
    return _from_json_lines(desk, name, data) if _JSON.match(data) else _from_notation(desk, name, data)


def _from_notation(desk: Desk, name: str, data: bytes) -> list[bytes]:
    from domain.formats.errors import FormatError, decode_text
    from domain.formats.notation import parse_notation
    from domain.games import GAMES
    from recorder import codec, croupier

    try:
        return [codec.encode(one) for one in parse_notation(decode_text(data, name), GAMES, croupier.draws)]
    except FormatError as error:
        raise desk.misread(error.named(name)) from None


def _from_json_lines(desk: Desk, name: str, data: bytes) -> list[bytes]:
    from domain.formats.errors import FormatError, decode_text
    from domain.formats.notation.lines import LINE_MAX
    from recorder import codec

    found: list[bytes] = []
    try:
        text = decode_text(data, name)
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > LINE_MAX:
                raise FormatError(f"a line of {len(line):,} characters; at most {LINE_MAX:,}", number, name=name)
            if line.strip():
                try:
                    found.append(codec.from_json_line(line))
                except codec.CodecError as error:
                    raise FormatError(str(error), number, name=name) from None
    except FormatError as error:
        raise desk.misread(error) from None
    return found


def match(desk: Desk, name: str) -> "Match":
    """A record in a file as a match, held against physics as an import is, but not stored."""
    from domain.law.entries import Opened, fold_entries
    from recorder import codec
    from recorder.imports import fault
    from recorder.loading import Match, law_of

    entries = tuple(codec.decode(one) for one in states(desk, name))
    bad = fault(entries)
    if bad is not None:
        raise desk.problem("cli.bad_record", file=name, entry=bad.entry, detail=bad.what)
    found = law_of(entries[0])
    assert not isinstance(found, str) and isinstance(entries[0], Opened)
    return Match(entries[0].match or name, entries, fold_entries(entries), *found)
