"""Output of answers: coloured and wrapped on a terminal, plain and stable elsewhere, or JSON."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from os import environ
from pkgutil import resolve_name
from shutil import get_terminal_size
from typing import Any, TextIO

import msgspec

from cli import maps, pager
from cli.layout import break_lines, clip, fit, width
from domain.words import Lang, say
from domain.words.foreign import escape_undecodable, explain_system_error, quoted
from domain.words.lines import escape_line_ends, one_line
from projections.rows import INDENT, Row, SquareMap, plain, spaced

COLUMNS_MIN = 20
"""Narrowest width assumed for a terminal."""

PLAIN = "SHINPAN_PLAIN"
"""Environment variable that replaces maps by words, for screen readers."""

KEY = "^C"
"""Characters a terminal shows for an interruption."""

MESSAGE_MAX, MESSAGE_END = 1_600, 400
"""Most characters of an error (20 lines of 80), and those kept of its end if it is cut."""

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
"""Colour by role of the text. Other roles have none."""

Parts = Sequence[tuple[str, str]]
"""Text of one line in pieces, each with its role."""


def safe(text: str) -> str:
    """Return lines without control characters and in valid UTF-8, because names and notes are untrusted."""
    return escape_undecodable("\n".join(map(one_line, text.split("\n"))))


def safe_line(text: str) -> str:
    """Return one line without control characters or line ends, in valid UTF-8."""
    return escape_undecodable(one_line(text))


def columns_of(stream: TextIO) -> int | None:
    """Return the width of a terminal in columns; None for a pipe or a file."""
    return max(COLUMNS_MIN, get_terminal_size().columns) if is_terminal(stream) else None


def is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def coloured(terminal: bool) -> bool:
    """True if output is coloured. NO_COLOR forbids it, FORCE_COLOR forces it without a terminal."""
    return not environ.get("NO_COLOR") and (terminal or bool(environ.get("FORCE_COLOR")))


def brief(message: str) -> str:
    """Return a message that fits a screen: the start and the end of a long one."""
    if len(message) <= MESSAGE_MAX:
        return message
    return f"{message[: -MESSAGE_END + MESSAGE_MAX]} ... {message[-MESSAGE_END:]}"


class Screen:
    """Output of a command. A terminal gets wrapped lines; a pipe or a file gets them unchanged.

    Colours never change the text of a line.
    """

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self.out, self.err = out, err
        self.columns = columns_of(out)
        self.lang: Lang = "en"
        self.pages = True
        """True if a pager may be used."""
        self.plain = bool(environ.get(PLAIN))
        """True to describe maps in words instead of drawings."""
        self._colours = coloured(self.columns is not None)
        self._console: object = None
        self._status = ""

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Send output of the block through a pager, if it exceeds the terminal's screen."""
        command = self._pager() if self.pages and pager.shown_at_once(self.out) else []
        if not command:
            yield
            return
        out = self.out
        stream = pager.PagerStream(out, command, self._no_pager)
        self.out, self._console = stream, None  # type: ignore[assignment]
        try:
            yield
        finally:
            self.out, self._console = out, None
            stream.end()

    def _pager(self) -> list[str]:
        try:
            return pager.read_pager_command()
        except ValueError as error:
            self._no_pager(next(environ[name] for name in pager.NAMES if name in environ), error)
            return []

    def _no_pager(self, command: str, error: Exception) -> None:
        detail = explain_system_error(error) if isinstance(error, OSError) else quoted(str(error))
        self.aside("shinpan: " + say("cli.no_pager", self.lang, pager=command, detail=detail))

    def line(self, text: str = "", role: str = "") -> None:
        for part in text.split("\n"):
            for parts in self._wrap_parts(((part, role),)):
                self._write(parts)

    def rows(self, rows: Iterable[Row]) -> None:
        for parts in self._lines(rows):
            self._write(parts)

    def part(self, rows: Iterable[Row], begin: int, most: int) -> int:
        """Print at most `most` lines of the rows from line `begin` on. Return the number of all lines."""
        lines = [*self._lines(rows)]
        for parts in lines[begin : begin + most]:
            self._write(parts)
        return len(lines)

    def table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        drop: Sequence[int] = (),
        keep: int = 1,
        most: int = 0,
    ) -> None:
        """Print columns under headings, none wider than `most` if not 0.

        A narrow terminal drops columns as `fit` decides; a line below the table names them.
        """
        cells = [[self._safe(cell) for cell in row] for row in (headings, *rows)]
        fitting = fit(cells, self.columns, drop, keep, most)
        for number, row in enumerate(cells):
            for text in fitting.lines(row):
                self._write(((text, "" if number else "heading"),))
        if fitting.dropped:
            names = say("list.comma", self.lang).join(cells[0][at] for at in fitting.dropped)
            self.line(say("table.dropped", self.lang, names=names), "hidden")

    def _lines(self, rows: Iterable[Row]) -> Iterator[Parts]:
        drawing: maps.Drawing | None = None
        for row in rows:
            if row.role == "covered" and drawing is not None:
                continue
            yield from self._wrap_parts(
                [part for gap, cell in spaced(row) for part in ((gap, ""), (cell.text, cell.role))]
            )
            if row.map is not None:
                drawing = None if self.plain else maps.draw(row.map, self.columns, self._safe)
                yield from self._map(row.map, drawing)

    def _map(self, drawn: SquareMap, drawing: maps.Drawing | None) -> Iterator[Parts]:
        yield from () if drawing is None else drawing.lines
        for words, lines in groupby(
            drawn.lines if drawing is None or not drawing.words else (), lambda line: line.words
        ):
            names = say("list.comma", self.lang).join(line.name for line in lines)
            if words:
                yield from self._wrap_parts(((INDENT + say("map.row", self.lang, row=names, words=words), "words"),))

    def _wrap_parts(self, parts: Parts) -> Iterator[Parts]:
        parts = [(self._safe(text), role) for text, role in parts]
        for begun, end, indent in break_lines("".join(text for text, _ in parts), self.columns):
            yield ((" " * indent, ""), *_cut(parts, begun, end))

    def _safe(self, text: str) -> str:
        """Return a line's text. Tabs become spaces on a terminal, because their width depends on the column."""
        return safe_line(text) if self.columns is None else safe_line(text).replace("\t", " ")

    def _write(self, parts: Parts) -> None:
        if not self._colours:
            self.out.write("".join(text for text, _ in parts) + "\n")
            return
        line = resolve_name("rich.text:Text")()
        for text, role in parts:
            line.append(text, style=STYLES.get(role, ""))
        status = self._status
        self.status()
        self._rich().print(line, soft_wrap=True)
        self.status(status)

    def json(self, value: object) -> None:
        """Print a value as JSON in UTF-8, regardless of the locale. Undecodable bytes of file names are escaped."""
        try:
            encoded = msgspec.json.encode(value)
        except UnicodeEncodeError:
            encoded = msgspec.json.encode(_escape_strings(msgspec.to_builtins(value, str_keys=True)))
        self.raw(escape_line_ends(msgspec.json.format(encoded, indent=2)) + b"\n")

    def raw(self, data: bytes) -> None:
        """Write the bytes of a file unchanged."""
        self.status()
        self.out.flush()
        binary = getattr(self.out, "buffer", None)
        if binary is None:
            self.out.write(data.decode())
            return
        binary.write(data)
        binary.flush()

    def status(self, text: str = "") -> None:
        """Show a temporary status line on a terminal. The next output overwrites it."""
        if text or self._status:
            self.err.write(self._overwriting(text))
            self.err.flush()

    def status_at_once(self, text: str) -> None:
        """Show a status line past the stream's buffer, for a signal handler."""
        with suppress(OSError, ValueError):
            os.write(self.err.fileno(), self._overwriting(text).encode(self.err.encoding, "replace"))

    def _overwriting(self, text: str) -> str:
        shown, gone = self._clip(text), width(self._status) + len(KEY)
        self._status = shown
        blank = " " * (gone - width(shown))
        return f"\r{shown}{blank}" + ("" if shown else "\r")

    def _clip(self, text: str) -> str:
        """Return the text clipped to one line: a wrapped line cannot be overwritten."""
        return clip(text, (columns_of(self.err) or COLUMNS_MIN) - len(KEY) - 1)

    def aside(self, text: str) -> None:
        """Print a plain line to stderr, such as an error, shortened to fit a screen."""
        self.status()
        message = brief(safe_line(text))
        for begun, end, indent in break_lines(message, columns_of(self.err)):
            self.err.write(" " * indent + message[begun:end] + "\n")

    def aside_rows(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.aside(plain((row,)))

    def _rich(self) -> Any:
        if self._console is None:
            self._console = resolve_name("rich.console:Console")(
                file=self.out, force_terminal=True, highlight=False, markup=False, emoji=False
            )
        return self._console


def _escape_strings(value: object) -> object:
    """Return a plain value in which all text is valid UTF-8."""
    match value:
        case str():
            return escape_undecodable(value)
        case dict():
            return {escape_undecodable(key): _escape_strings(part) for key, part in value.items()}
        case list() | tuple():
            return [*map(_escape_strings, value)]
        case _:
            return value


def _cut(parts: Parts, begun: int, end: int) -> Iterator[tuple[str, str]]:
    for text, role in parts:
        yield text[max(begun, 0) : max(end, 0)], role
        begun, end = begun - len(text), end - len(text)
