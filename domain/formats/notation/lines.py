"""Notation as lines: comments put aside, header pairs, entries, and the fact lines that stand below an entry."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from domain.formats.errors import FormatError, moved, quote_input
from domain.formats.tokens import Token, tokens, unquoted
from domain.words import Text

LINE_MAX = 1_000_000
"""Bound on the length of a line, in characters; the longest entry of a match stays under a hundredth of it."""

DEPTH_MAX = 32
"""Bound on variations within variations; a branch of a branch of a branch is already rare."""

BRANCHES_MAX = 1_000
"""Bound on the variations of one file; each is played from its beginning when it is read."""

ENTERED = "by-hand"
"""Behind an outcome of chance that somebody entered in the croupier's place."""

WIDE_BRACKET = "\uff3b"
"""The full-width bracket, with which no entry begins."""

_STOP = re.compile(r'["{;]')
_STOP_IN_FACTS = re.compile(r'[";]')
_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_FACT = re.compile(r"[ \t]+[-+=?]")
_PAIR = re.compile(r'\[\s*(\w+)((?:\s+"[^"\\]*+(?:\\.[^"\\]*+)*+")*+)\s*\]')


class Line(Struct, frozen=True):
    """A line with something in it; comments are blanked, so that columns stay what they are."""

    number: int
    text: str

    @property
    def column(self) -> int:
        """Where its text begins."""
        return len(self.text) - len(self.text.lstrip()) + 1

    def error(self, message: Text, column: int | None = None) -> FormatError:
        """What is wrong with this line."""
        return FormatError(message, self.number, self.column if column is None else column)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors inside are said of this line as a whole."""
        try:
            yield
        except FormatError as error:
            raise self.error(error.message) from None


class Pair(Struct, frozen=True):
    """A header pair `[Name "value" ...]`."""

    line: Line
    name: str
    values: tuple[str, ...]


class EntryLines(Struct, frozen=True):
    """An entry's line and the fact lines below it."""

    line: Line
    facts: tuple[Line, ...]


def scan(lines: Iterable[str]) -> Iterator[Line]:
    """The lines that say something. Raises FormatError for a line too long or a comment that is never closed."""
    opened: FormatError | None = None
    for number, raw in enumerate(lines, start=1):
        if len(raw) > LINE_MAX:
            raise FormatError(too_long(len(raw)), number)
        is_fact = opened is None and _FACT.match(raw) is not None
        kept, column = _without_comments(raw, opened is not None, is_fact)
        if column == 0:
            opened = None
        elif column > 0:
            opened = FormatError(Text("line.open_comment"), number, column)
        if kept := kept.rstrip():
            yield Line(number, kept)
    if opened is not None:
        raise opened


def too_long(length: int) -> Text:
    """What is wrong with a line of this length."""
    return Text("line.too_long", {"n": f"{length:,}", "most": f"{LINE_MAX:,}"})


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


def divide(lines: Iterable[str], aside: list[Line] | None = None) -> tuple[list[Pair], Iterator[EntryLines]]:
    """The header pairs, and the entries as they are asked for. Raises FormatError, then too.

    The lines of variations are no entries of the match: they are put aside, or passed over.
    """
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
    """The lines outside `( ... )`; those of variations, with what opens and closes them, are put aside."""
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
    """Lines without a header as entries. Raises FormatError."""
    rest = iter(lines)
    first = next(rest, None)
    if first is None:
        return iter(())
    if first.text.lstrip().startswith("["):
        raise first.error(Text("line.late_header"))
    return _entries(first, rest)


def _entries(line: Line, rest: Iterator[Line]) -> Iterator[EntryLines]:
    """Each entry once everything that stands below it is read."""
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
    with moved(line.number, 1):
        return Pair(line, match[1], tuple(unquoted(Token(value.text, value.column)) for value in values))
