"""How an answer looks: colours and tables on a terminal, plain and stable text everywhere else, JSON when asked for."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import msgspec

from domain.words.foreign import written
from domain.words.lines import one_line, unsplit
from projections.rows import Row, plain, spaced

GAP = "  "
"""Between the columns of plain text."""

MESSAGE_MAX, MESSAGE_END = 1_600, 400
"""How many characters an error has at most, twenty lines of eighty; and how many of them are its end if it is cut."""

STYLES = {
    "bad": "bold red",
    "clause": "cyan",
    "fact": "dim",
    "finding": "bold yellow",
    "good": "green",
    "heading": "bold",
    "title": "bold",
    "hidden": "dim",
    "number": "dim",
    "seat": "bold",
    "actor": "bold",
    "undone": "dim",
    "violation": "yellow",
    "result": "bold green",
}
"""Colours by what a piece of text is; what is not named here has none."""


def safe(text: str) -> str:
    """Lines of ours in which nothing steers a terminal and all is UTF-8: names and notes come from outside."""
    return written("\n".join(map(one_line, text.split("\n"))))


def safe_line(text: str) -> str:
    """The same of one line: what is a line end in it came from outside too."""
    return written(one_line(text))


def width(text: str) -> int:
    """How many columns text takes: a full-width character takes two."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )


def folded(text: str, columns: int) -> list[str]:
    """Text in lines of so many columns at most, broken at blanks where there are any; no text is no line."""
    lines: list[str] = []
    begun = 0
    while (fits := _fits(text, begun, columns)) < len(text):
        end = text.rfind(" ", begun + 1, fits + 1)
        end = fits if end < 0 else end
        lines.append(text[begun:end])
        begun = end
        while text.startswith(" ", begun):
            begun += 1
    return [*lines, text[begun:]] if begun < len(text) else lines


def _fits(text: str, begun: int, columns: int) -> int:
    """Up to which character text fits, one at least; a mark above the last one still does."""
    at, taken = begun, 0
    while at < len(text) and ((taken := taken + width(text[at])) <= columns or at == begun):
        at += 1
    return at


def brief(message: str) -> str:
    """A message that fits a screen: of a longer one its beginning and its end."""
    if len(message) <= MESSAGE_MAX:
        return message
    return f"{message[: -MESSAGE_END + MESSAGE_MAX]} ... {message[-MESSAGE_END:]}"


class Screen:
    """Where a command's answer goes."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self.out, self.err = out, err
        self._console: Any = None
        self._colours = _is_terminal(out)

    def line(self, text: str = "", role: str = "") -> None:
        """One line of the answer."""
        if self._colours:
            self._rich().print(safe_line(text), style=STYLES.get(role), soft_wrap=True)
        else:
            self.out.write(safe_line(text) + "\n")

    def rows(self, rows: Iterable[Row]) -> None:
        """Rows of a projection, one line each."""
        for row in rows:
            if not self._colours:
                self.line(plain((row,)))
                continue
            from rich.text import Text

            text = Text()
            for gap, cell in spaced(row):
                text.append(gap)
                text.append(safe_line(cell.text), style=STYLES.get(cell.role, ""))
            self._rich().print(text, soft_wrap=True)

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Columns under headings."""
        if self._colours:
            self._rich_table(headings, rows)
            return
        cells = [[safe_line(cell) for cell in row] for row in (headings, *rows)]
        wide = [max(width(row[at]) for row in cells) for at in range(len(headings))]
        for row in cells:
            padded = (cell + " " * (most - width(cell)) for cell, most in zip(row, wide, strict=True))
            self.out.write(GAP.join(padded).rstrip() + "\n")

    def _rich_table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(headings):
            table.add_column(Text(heading), overflow="fold", no_wrap=number == 0)
        for row in rows:
            table.add_row(*(Text(safe_line(cell)) for cell in row))
        self._rich().print(table)

    def json(self, value: Any) -> None:
        """A value as JSON in UTF-8, whatever the locale says, and whatever bytes the name of a file in it has."""
        try:
            encoded = msgspec.json.encode(value)
        except UnicodeEncodeError:
            encoded = msgspec.json.encode(_written(msgspec.to_builtins(value, str_keys=True)))
        self.raw(unsplit(msgspec.json.format(encoded, indent=2)) + b"\n")

    def raw(self, data: bytes) -> None:
        """Bytes that are a file's content: UTF-8, as they are."""
        self.out.flush()
        binary = getattr(self.out, "buffer", None)
        if binary is None:
            self.out.write(data.decode())
            return
        binary.write(data)
        binary.flush()

    def aside(self, text: str) -> None:
        """A line beside the answer, such as an error; it fits a screen."""
        self.err.write(brief(safe_line(text)) + "\n")

    def aside_rows(self, rows: Iterable[Row]) -> None:
        """Rows beside the answer, always plain."""
        for row in rows:
            self.aside(plain((row,)))

    def _rich(self) -> Any:
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self.out, highlight=False, markup=False, emoji=False)
        return self._console


def _written(value: Any) -> Any:
    """A plain value with all text in it such as UTF-8 has."""
    match value:
        case str():
            return written(value)
        case dict():
            return {written(key): _written(one) for key, one in value.items()}
        case list() | tuple():
            return [_written(one) for one in value]
        case _:
            return value


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False
