"""Read a match from a text file in notation or JSON Lines, checked by physics like an import."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, decode_text
from domain.formats.notation import Line, parse_notation, read_notation, read_variations
from domain.games import GAMES
from domain.law import croupier
from domain.law.entries import Entry
from domain.words import Text
from domain.words.foreign import explain_system_error
from recorder import codec
from recorder.files import open_regular
from recorder.imports import find_fault
from recorder.spool import Decoded, Spool

FILE_MAX = 64 * 1024**2
HEAD_BYTES = 1024**2
"""Bytes of the first line that are read to find the game."""

JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*["}]')
"""Start of JSON Lines."""
SEEN = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*"shinpan"\s*:\s*"view"|; shinpan view )')
"""Start of a redacted copy, which lacks what its viewer may not see."""
_GAME = re.compile(rb'^[^\S\n]*\[\s*Game\s+"([^"\n]{1,64})"', re.MULTILINE)


class _Head(Struct, frozen=True):
    game: str = ""


def game_of(path: Path) -> str:
    """Return the game that a file claims, or ''. Nothing is verified."""
    try:
        with open_regular(path) as file:
            head = file.readline(HEAD_BYTES)
            if JSON.match(head):
                return msgspec.json.decode(head, type=_Head).game
            named = _GAME.search(head + file.read(HEAD_BYTES))
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return ""
    return named[1].decode("utf-8", "replace") if named else ""


def read(path: Path) -> list[Entry] | Text:
    """Return the entries of a match in a file, or why there are none."""
    name = str(path)
    try:
        with open_regular(path) as file:
            data = file.read(FILE_MAX + 1)
    except (OSError, ValueError) as error:
        return Text("corpus.unreadable", {"file": name, "why": explain_system_error(error)})
    if len(data) > FILE_MAX:
        return Text("cli.too_long", {"file": name, "most": FILE_MAX // 1024**2})
    if not data.strip():
        return Text("cli.empty", {"file": name})
    if SEEN.match(data):
        return Text("cli.redacted", {"file": name})
    try:
        entries = (
            [*map(codec.decode, _read_json_states(decode_text(data)))]
            if JSON.match(data)
            else parse_notation(decode_text(data), GAMES, croupier.make_random_source)
        )
    except FormatError as error:
        return Text("corpus.misread", {"file": name, "line": error.line, "column": error.column, "why": error.message})
    bad = find_fault(entries)
    if bad is not None:
        return Text("corpus.bad_entry", {"file": name, "entry": bad.entry, "why": bad.what})
    return entries


def read_states(data: bytes, spool: Spool) -> list[list[bytes]]:
    """Append the stored entries of a record to a spool, and return those of its branches. Raises FormatError."""
    if not data.strip():
        raise FormatError(Text("texts.empty"))
    if SEEN.match(data):
        raise FormatError(Text("texts.redacted"))
    text = decode_text(data)
    if JSON.match(data):
        for state in _read_json_states(text):
            spool.append(state)
        return []
    variation_lines: list[Line] = []
    header = read_notation(text.split("\n"), GAMES, croupier.make_random_source, Decoded(spool), variation_lines)
    variations = read_variations(header, Decoded(spool), variation_lines)
    return [[codec.encode(entry) for entry in record.entries] for variation in variations for record in variation.all()]


def _read_json_states(text: str) -> Iterator[bytes]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield codec.from_json_line(line)
            except codec.CodecError as error:
                raise FormatError(error.text, number) from None
