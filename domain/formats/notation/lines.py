"""Notation as lines: comments put aside, header pairs, entries, and the fact lines that stand below an entry."""

import re
from collections.abc import Iterator

from msgspec import Struct

from domain.formats.errors import FormatError, shown
from domain.formats.tokens import Token, tokens, unquoted

LINE_MAX = 1_000_000
"""Bound on the length of a line, in characters; the longest entry of a match stays under a hundredth of it."""

_STOP = re.compile(r'["{;]')
_STOP_IN_FACTS = re.compile(r'[";]')
_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_FACT = re.compile(r"[ \t]+[-+=]")
_PAIR = re.compile(r'\[\s*(\w+)((?:\s+"[^"\\]*+(?:\\.[^"\\]*+)*+")*+)\s*\]')


class Line(Struct, frozen=True):
    """A line with something in it; comments are blanked, so that columns stay what they are."""

    number: int
    text: str

    @property
    def column(self) -> int:
        """Where its text begins."""
        return len(self.text) - len(self.text.lstrip()) + 1

    def error(self, message: str, column: int | None = None) -> FormatError:
        """What is wrong with this line."""
        return FormatError(message, self.number, self.column if column is None else column)


class Pair(Struct, frozen=True):
    """A header pair `[Name "value" ...]`."""

    line: Line
    name: str
    values: tuple[str, ...]


class Written(Struct, frozen=True):
    """An entry's line and the fact lines below it."""

    line: Line
    facts: tuple[Line, ...]


def scan(text: str) -> Iterator[Line]:
    """The lines that say something. Raises FormatError for a line too long or a comment that is never closed."""
    opened: FormatError | None = None
    for number, raw in enumerate(text.split("\n"), start=1):
        if len(raw) > LINE_MAX:
            raise FormatError(f"a line of {len(raw):,} characters; at most {LINE_MAX:,}", number)
        is_fact = opened is None and _FACT.match(raw) is not None
        kept, column = _without_comments(raw, opened is not None, is_fact)
        if column == 0:
            opened = None
        elif column > 0:
            opened = FormatError("a comment begun with { is never closed", number, column)
        if kept := kept.rstrip():
            yield Line(number, kept)
    if opened is not None:
        raise opened


def _without_comments(raw: str, inside: bool, is_fact: bool) -> tuple[str, int]:
    """The line with its comments blanked; and where a comment begins that goes on (-1: the old one, 0: none)."""
    parts: list[str] = []
    at = 0
    column = -1
    while True:
        if inside:
            end = raw.find("}", at)
            if end < 0:
                return "".join(parts), column
            parts.append(" " * (end + 1 - at))
            at = end + 1
            inside = False
        match = (_STOP_IN_FACTS if is_fact else _STOP).search(raw, at)
        if match is None:
            return "".join((*parts, raw[at:])), 0
        parts.append(raw[at : match.start()])
        at = match.start()
        if match[0] == ";":
            return "".join(parts), 0
        if match[0] == "{":
            inside, column = True, at + 1
            continue
        text = _QUOTED.match(raw, at)
        if text is None:  # a quote that is never closed: whoever reads the line says so
            return "".join((*parts, raw[at:])), 0
        parts.append(text[0])
        at = text.end()


def divide(text: str) -> tuple[list[Pair], list[Written]]:
    """The header pairs and the entries. Raises FormatError."""
    pairs: list[Pair] = []
    entries: list[Written] = []
    below: list[Line] = []
    for line in scan(text):
        if line.text.lstrip().startswith("["):
            if entries:
                raise line.error("header pairs come before the first entry")
            pairs.append(_pair(line))
        elif _FACT.match(line.text):
            if not entries:
                raise line.error("a fact line stands below the entry it belongs to")
            below.append(line)
        else:
            if entries:
                entries[-1] = Written(entries[-1].line, tuple(below))
            below = []
            entries.append(Written(line, ()))
    if entries:
        entries[-1] = Written(entries[-1].line, tuple(below))
    return pairs, entries


def _pair(line: Line) -> Pair:
    match = _PAIR.fullmatch(line.text.lstrip())
    if match is None:
        raise line.error(f'a header pair is written [Name "value"], not {shown(line.text.strip())}')
    values = tokens(match[2], line.column + match.start(2))
    try:
        return Pair(line, match[1], tuple(unquoted(Token(value.text, value.column)) for value in values))
    except FormatError as error:
        raise error.moved(line.number, 1) from None


def headers(text: str) -> dict[str, tuple[str, ...]]:
    """The values of each header pair by name, those of the last pair if one stands twice. Raises FormatError."""
    return {pair.name: pair.values for pair in divide(text)[0]}
