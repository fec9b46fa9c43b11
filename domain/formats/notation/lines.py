"""Lines of notation: comments, header pairs, entries and the fact lines below them."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from domain.formats.errors import FormatError, quote_input, shift_errors
from domain.formats.tokens import Token, tokens, unquote
from domain.words import Text

LINE_MAX = 1_000_000
"""Maximum length of a line in characters. The longest entry of a match needs less than a hundredth of it."""

DEPTH_MAX = 32
"""Maximum nesting of variations."""

BRANCHES_MAX = 1_000
"""Maximum number of variations in a file. Each is played from its beginning on reading."""

ENTERED = "by-hand"
"""Marker of an outcome of chance that was entered by hand instead of drawn by the croupier."""

WIDE_BRACKET = "\uff3b"
"""The full-width bracket, which cannot begin an entry."""

_STOP = re.compile(r'["{;]')
_STOP_IN_FACTS = re.compile(r'[";]')
_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_FACT = re.compile(r"[ \t]+[-+=?]")
_PAIR = re.compile(r'\[\s*(\w+)((?:\s+"[^"\\]*+(?:\\.[^"\\]*+)*+")*+)\s*\]')


class Line(Struct, frozen=True):
    """A line that is not blank. Comments are replaced by spaces, to preserve columns."""

    number: int
    text: str

    @property
    def column(self) -> int:
        return len(self.text) - len(self.text.lstrip()) + 1

    def error(self, message: Text, column: int | None = None) -> FormatError:
        return FormatError(message, self.number, self.column if column is None else column)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Report errors in the block for the whole line."""
        try:
            yield
        except FormatError as error:
            raise self.error(error.message) from None


class Pair(Struct, frozen=True):
    line: Line
    name: str
    values: tuple[str, ...]


class EntryLines(Struct, frozen=True):
    line: Line
    facts: tuple[Line, ...]


def scan(lines: Iterable[str]) -> Iterator[Line]:
    """Yield the lines that are not blank. Raises FormatError for a line too long or an unclosed comment."""
    opened: FormatError | None = None
    for number, raw in enumerate(lines, start=1):
        if len(raw) > LINE_MAX:
            raise FormatError(too_long(len(raw)), number)
        is_fact = opened is None and _FACT.match(raw) is not None
        text, column = _blank_comments(raw, opened is not None, is_fact)
        if column == 0:
            opened = None
        elif column > 0:
            opened = FormatError(Text("line.open_comment"), number, column)
        if text := text.rstrip():
            yield Line(number, text)
    if opened is not None:
        raise opened


def too_long(length: int) -> Text:
    return Text("line.too_long", {"n": f"{length:,}", "most": f"{LINE_MAX:,}"})


def _blank_comments(raw: str, in_comment: bool, is_fact: bool) -> tuple[str, int]:
    """Return the line with blanked comments, and the column of an unclosed comment (-1: an earlier one, 0: none)."""
    parts: list[str] = []
    at = 0
    column = -1
    while True:
        if in_comment:
            end = raw.find("}", at)
            if end < 0:
                return "".join(parts), column
            parts.append(" " * (end + 1 - at))
            at = end + 1
            in_comment = False
        match = (_STOP_IN_FACTS if is_fact else _STOP).search(raw, at)
        if match is None:
            return "".join((*parts, raw[at:])), 0
        parts.append(raw[at : match.start()])
        at = match.start()
        if match[0] == ";":
            return "".join(parts), 0
        if match[0] == "{":
            in_comment, column = True, at + 1
            continue
        quoted = _QUOTED.match(raw, at)
        if quoted is None:  # an unclosed quote is reported when the line is parsed
            return "".join((*parts, raw[at:])), 0
        parts.append(quoted[0])
        at = quoted.end()


def divide(lines: Iterable[str], aside: list[Line] | None = None) -> tuple[list[Pair], Iterator[EntryLines]]:
    """Return the header pairs and an iterator of the entries. Both raise FormatError. Lines of variations are appended
    to `aside`, or skipped."""
    pairs: list[Pair] = []
    rest = without_variations(scan(lines), aside)
    for line in rest:
        if line.text.lstrip().startswith(WIDE_BRACKET):
            raise line.error(Text("line.pair", {"text": quote_input(line.text.strip())}))
        if not line.text.lstrip().startswith("["):
            return pairs, _entries(line, rest)
        pairs.append(_pair(line))
    return pairs, iter(())


def without_variations(lines: Iterable[Line], aside: list[Line] | None) -> Iterator[Line]:
    """Yield the lines outside `( ... )`. Lines of variations, with their brackets, are appended to `aside`."""
    opened: list[Line] = []
    branches = 0
    for line in lines:
        text = line.text.strip()
        if text.startswith("("):
            opened.append(line)
            branches += 1
            if branches > BRANCHES_MAX:
                raise line.error(Text("variation.many", {"most": BRANCHES_MAX}))
            if len(opened) > DEPTH_MAX:
                raise line.error(Text("variation.deep", {"most": DEPTH_MAX}))
        elif text == ")" and not opened:
            raise line.error(Text("variation.stray"))
        if not opened:
            yield line
            continue
        if aside is not None:
            aside.append(line)
        if text == ")":
            opened.pop()
    if opened:
        raise opened[-1].error(Text("variation.unclosed"))


def group(lines: Iterable[Line]) -> Iterator[EntryLines]:
    """Group lines without a header into entries. Raises FormatError."""
    rest = iter(lines)
    first = next(rest, None)
    if first is None:
        return iter(())
    if first.text.lstrip().startswith("["):
        raise first.error(Text("line.late_header"))
    return _entries(first, rest)


def _entries(line: Line, rest: Iterator[Line]) -> Iterator[EntryLines]:
    if _FACT.match(line.text):
        raise line.error(Text("line.early_fact"))
    below: list[Line] = []
    for following in rest:
        if following.text.lstrip().startswith("["):
            raise following.error(Text("line.late_header"))
        if _FACT.match(following.text):
            below.append(following)
            continue
        yield EntryLines(line, tuple(below))
        line, below = following, []
    yield EntryLines(line, tuple(below))


def _pair(line: Line) -> Pair:
    match = _PAIR.fullmatch(line.text.lstrip())
    if match is None:
        raise line.error(Text("line.pair", {"text": quote_input(line.text.strip())}))
    values = tokens(match[2], line.column + match.start(2))
    with shift_errors(line.number, 1):
        return Pair(line, match[1], tuple(unquote(Token(value.text, value.column)) for value in values))
