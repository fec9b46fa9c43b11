"""Format errors with their positions, and decoding of text files."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TypeVar

import msgspec

from domain.words import Lang, Text, listed, tomls
from domain.words.foreign import explain_decode_error, quoted
from domain.words.widths import find_wide

Shape = TypeVar("Shape")

SHOWN_MAX = 60
"""Maximum number of input characters that an error repeats."""
CLOSE_MAX = 40
"""Maximum length of a word to compare with similar known words."""
BOM = "\ufeff"
_PLACE = re.compile(r"\w+(?:\.\w+)?:[0-9]+(?:,[0-9]+)?|\w+\.\w+")
"""Text that can only be a place: `ground:4,1`, `p1.foreshadow:2`, `p1.hand`."""
_SEAT_NOUNS = ("seat", "viewer")
"""Nouns whose values are never places."""


class FormatError(ValueError):
    """A text that breaks its format, with message, line and column; both count from 1. `clause` is set if the text is
    well-formed but a rule forbids its content. `name` is the file, if known."""

    def __init__(self, message: Text, line: int = 1, column: int = 1, clause: str = "", name: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.clause = clause
        self.name = name

    def __str__(self) -> str:
        return self.say("en")

    def say(self, lang: Lang) -> str:
        where = f"{self.name}:" if self.name else ""
        return f"{where}{self.line}:{self.column}: {self.message.say(lang)}"

    def shifted(self, line: int, column: int) -> "FormatError":
        """Return the error for a text that begins at this line and column of a larger one."""
        right = column - 1 if self.line == 1 else 0
        return FormatError(self.message, self.line + line - 1, self.column + right, self.clause, self.name)

    def with_file(self, name: str) -> "FormatError":
        return FormatError(self.message, self.line, self.column, self.clause, name)

    def within(self, where: "str | Text") -> "FormatError":
        """Return the error with the part of the input that contains it."""
        message = Text("format.within", {"where": where, "what": self.message})
        return FormatError(message, self.line, self.column, self.clause, self.name)


@contextmanager
def shift_errors(line: int, column: int) -> Iterator[None]:
    """Shift errors in the block: their text begins at this line and column of a larger one."""
    try:
        yield
    except FormatError as error:
        raise error.shifted(line, column) from None


@contextmanager
def locate_errors(where: str | Text) -> Iterator[None]:
    """Add `where`, a part of the input, to errors in the block."""
    try:
        yield
    except FormatError as error:
        raise error.within(where) from None


def quote_input(text: str) -> str:
    """Return input quoted for an error, cut at `SHOWN_MAX` characters."""
    return repr(text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "...")


def explain_unknown(what: str | Text, text: str, allowed: Iterable[str], lists: bool = True) -> Text:
    """Return the message for a word that is not allowed, with the closest allowed word. `what` is the key of a `noun`
    message, or a text. `lists` is False if the allowed words are too many to list."""
    words = tuple(allowed)
    if what in _SEAT_NOUNS and _PLACE.fullmatch(text):
        about = {"text": quote_input(text), "what": Text(f"noun.{what}"), "words": listed(words)}
        return Text("format.place_for_other", about)
    close = get_close_matches(text, words, n=1) if len(text) <= CLOSE_MAX else []
    noun = Text(f"noun.{what}") if isinstance(what, str) else what
    wide = find_wide(text)
    if wide is not None:
        hint: Text | str = Text("format.wide_in_word", {"char": repr(wide.char), "plain": repr(wide.plain)})
    else:
        hint = Text("format.meant", {"word": close[0]}) if close else ""
    rest = Text("format.allowed", {"words": listed(words)}) if lists else ""
    return Text("format.unknown", {"what": noun, "text": quote_input(text), "hint": hint, "rest": rest})


_BARE_CR = re.compile(r"\r(?!\n|\Z)")


def explain_slip(error: FormatError, line: str) -> FormatError:
    """Return the error for a typing slip in this line, or the same error if there is none.

    Slips are full-width characters outside quotes, and lines that end with CR alone. An error with a clause is returned
    unchanged, because the line was read and a rule refused it.
    """
    if error.clause:
        return error
    if _BARE_CR.search(line):
        return FormatError(Text("format.bare_cr"), error.line, 1, name=error.name)
    wide = find_wide(line)
    if wide is None:
        return error
    about = {"char": repr(wide.char), "plain": repr(wide.plain)}
    return FormatError(Text("format.wide", about), error.line, wide.column, name=error.name)


def decode_text(data: bytes, name: str = "") -> str:
    """Decode a file without its byte order mark. Raises FormatError with the position of a byte that is not UTF-8."""
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise FormatError(not_utf8(error, error.start), line, column, name=name) from None


def load_toml(text: str, name: str = "") -> dict[str, object]:
    """Parse TOML. Raises FormatError with the position."""
    try:
        return tomls.parse(text)
    except tomls.TomlError as error:
        line = (text.split("\n")[error.line - 1 :] or [""])[0]
        raise explain_slip(FormatError(error.why, error.line, error.column, name=name), line) from None


def read_toml(text: str, shape: type[Shape], name: str = "") -> Shape:
    """Parse TOML into a shape. Raises FormatError if it is not TOML or not of that shape."""
    try:
        return msgspec.convert(load_toml(text, name), shape)
    except msgspec.ValidationError as error:
        raise FormatError(explain_decode_error(error), name=name) from None


def not_utf8(error: UnicodeDecodeError, offset: int) -> Text:
    byte = f"{error.object[error.start]:02x}"
    return Text("format.not_utf8", {"offset": offset, "byte": byte, "why": quoted(error.reason)})
