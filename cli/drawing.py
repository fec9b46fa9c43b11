"""How an answer looks: coloured and fitted to its width on a terminal, plain and stable text elsewhere, or JSON."""

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
from cli.layout import clipped, fit, spans, width
from domain.words import Lang, say
from domain.words.foreign import escape_undecodable, quoted, system
from domain.words.lines import one_line, unsplit
from projections.rows import INDENT, Row, SquareMap, plain, spaced

COLUMNS_MIN = 20
"""A terminal that says it is narrower than this is taken to be as wide."""

PLAIN = "SHINPAN_PLAIN"
"""Set to anything, it asks for words alone, as a screen reader reads them."""

KEY = "^C"
"""What a terminal shows of an interruption."""

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

Parts = Sequence[tuple[str, str]]
"""Pieces of text on one line, each with what it is."""


def safe(text: str) -> str:
    """Lines of ours in which nothing steers a terminal and all is UTF-8: names and notes come from outside."""
    return escape_undecodable("\n".join(map(one_line, text.split("\n"))))


def safe_line(text: str) -> str:
    """The same of one line: what is a line end in it came from outside too."""
    return escape_undecodable(one_line(text))


def columns_of(stream: TextIO) -> int | None:
    """How many columns a stream's lines have; None where nobody looks, as in a pipe or a file."""
    return max(COLUMNS_MIN, get_terminal_size().columns) if is_terminal(stream) else None


def is_terminal(stream: TextIO) -> bool:
    """Does somebody look at this stream?"""
    try:
        return stream.isatty()
    except ValueError:
        return False


def coloured(terminal: bool) -> bool:
    """Are there to be colours? NO_COLOR forbids them, FORCE_COLOR asks for them where nobody looks; set to anything."""
    return not environ.get("NO_COLOR") and (terminal or bool(environ.get("FORCE_COLOR")))


def brief(message: str) -> str:
    """A message that fits a screen: of a longer one its beginning and its end."""
    if len(message) <= MESSAGE_MAX:
        return message
    return f"{message[: -MESSAGE_END + MESSAGE_MAX]} ... {message[-MESSAGE_END:]}"


class Screen:
    """Where a command's answer goes: to a terminal in lines that fit it, to a pipe or a file in lines as they come.

    The same text stands in the same lines with colours and without.
    """

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self.out, self.err = out, err
        self.columns = columns_of(out)
        self.lang: Lang = "en"
        self.pages = True
        """May a pager be used?"""
        self.plain = bool(environ.get(PLAIN))
        """Are maps told square by square, and not drawn?"""
        self._colours = coloured(self.columns is not None)
        self._console: object = None
        self._status = ""

    @contextmanager
    def paged(self) -> Iterator[None]:
        """What is drawn inside goes through a pager, if somebody looks and it is longer than their screen."""
        command = self._pager() if self.pages and pager.shown_at_once(self.out) else []
        if not command:
            yield
            return
        out = self.out
        held = pager.PagerStream(out, command, self._no_pager)
        self.out, self._console = held, None  # type: ignore[assignment]
        try:
            yield
        finally:
            self.out, self._console = out, None
            held.end()

    def _pager(self) -> list[str]:
        try:
            return pager.read_pager_command()
        except ValueError as error:
            self._no_pager(next(environ[name] for name in pager.NAMES if name in environ), error)
            return []

    def _no_pager(self, command: str, error: Exception) -> None:
        detail = system(error) if isinstance(error, OSError) else quoted(str(error))
        self.aside("shinpan: " + say("cli.no_pager", self.lang, pager=command, detail=detail))

    def line(self, text: str = "", role: str = "") -> None:
        """One line of the answer."""
        for part in text.split("\n"):
            for parts in self._wrap_parts(((part, role),)):
                self._write(parts)

    def rows(self, rows: Iterable[Row]) -> None:
        """Rows of a projection."""
        for parts in self._lines(rows):
            self._write(parts)

    def part(self, rows: Iterable[Row], begin: int, most: int) -> int:
        """So many lines of what rows take up, from one on; how many they take up in all."""
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
        """Columns under headings, none wider than `most` if that is given.

        Where a terminal is too narrow, columns are left out as `fit` has it, and the line below the table names them.
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
        """A map; what is to be known of its rows below it, where that does not stand beside them."""
        yield from () if drawing is None else drawing.lines
        for words, lines in groupby(
            drawn.lines if drawing is None or not drawing.words else (), lambda line: line.words
        ):
            names = say("list.comma", self.lang).join(line.name for line in lines)
            if words:
                yield from self._wrap_parts(((INDENT + say("map.row", self.lang, row=names, words=words), "words"),))

    def _wrap_parts(self, parts: Parts) -> Iterator[Parts]:
        """Pieces of text on as many lines as they take."""
        parts = [(self._safe(text), role) for text, role in parts]
        for begun, end, indent in spans("".join(text for text, _ in parts), self.columns):
            yield ((" " * indent, ""), *_cut(parts, begun, end))

    def _safe(self, text: str) -> str:
        """A line's text; a terminal has no tabs, since how wide they are depends on where they stand."""
        return safe_line(text) if self.columns is None else safe_line(text).replace("\t", " ")

    def _write(self, parts: Parts) -> None:
        """Pieces of text as one line."""
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
        """A value as JSON in UTF-8, whatever the locale says, and whatever bytes the name of a file in it has."""
        try:
            encoded = msgspec.json.encode(value)
        except UnicodeEncodeError:
            encoded = msgspec.json.encode(_escape_strings(msgspec.to_builtins(value, str_keys=True)))
        self.raw(unsplit(msgspec.json.format(encoded, indent=2)) + b"\n")

    def raw(self, data: bytes) -> None:
        """Bytes that are a file's content: UTF-8, as they are."""
        self.status()
        self.out.flush()
        binary = getattr(self.out, "buffer", None)
        if binary is None:
            self.out.write(data.decode())
            return
        binary.write(data)
        binary.flush()

    def status(self, text: str = "") -> None:
        """A line beside the answer on a terminal, which whatever comes next is written over."""
        if text or self._status:
            self.err.write(self._overwriting(text))
            self.err.flush()

    def status_at_once(self, text: str) -> None:
        """The same past the stream, for who answers a signal: it may be in the middle of something."""
        with suppress(OSError, ValueError):
            os.write(self.err.fileno(), self._overwriting(text).encode(self.err.encoding, "replace"))

    def _overwriting(self, text: str) -> str:
        """What writes a line over the one that stands there for now, and over what a key shows behind that."""
        shown, gone = self._clip(text), width(self._status) + len(KEY)
        self._status = shown
        blank = " " * (gone - width(shown))
        return f"\r{shown}{blank}" + ("" if shown else "\r")

    def _clip(self, text: str) -> str:
        """As much as fits: a line that goes on in the next one cannot be written over."""
        return clipped(text, (columns_of(self.err) or COLUMNS_MIN) - len(KEY) - 1)

    def aside(self, text: str) -> None:
        """A line beside the answer, such as an error, always plain; it fits a screen."""
        self.status()
        message = brief(safe_line(text))
        for begun, end, indent in spans(message, columns_of(self.err)):
            self.err.write(" " * indent + message[begun:end] + "\n")

    def aside_rows(self, rows: Iterable[Row]) -> None:
        """Rows beside the answer."""
        for row in rows:
            self.aside(plain((row,)))

    def _rich(self) -> Any:
        if self._console is None:
            self._console = resolve_name("rich.console:Console")(
                file=self.out, force_terminal=True, highlight=False, markup=False, emoji=False
            )
        return self._console


def _escape_strings(value: object) -> object:
    """A plain value with all text in it such as UTF-8 has."""
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
    """What of pieces of text stands between two places of the whole."""
    for text, role in parts:
        yield text[max(begun, 0) : max(end, 0)], role
        begun, end = begun - len(text), end - len(text)
