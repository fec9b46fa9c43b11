"""What is wrong with a text, and where; and bytes as text."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TypeVar

import msgspec

from domain.words import Lang, Text, listed, tomls
from domain.words.foreign import misfit, quoted
from domain.words.widths import find_wide

Shape = TypeVar("Shape")

SHOWN_MAX = 60
"""How many characters of bad input an error repeats."""
CLOSE_MAX = 40
"""Words longer than this are not compared with what was meant."""
BOM = "\ufeff"
_PLACE = re.compile(r"\w+(?:\.\w+)?:[0-9]+(?:,[0-9]+)?|\w+\.\w+")
"""What can be nothing but a place: `ground:4,1`, `p1.foreshadow:2`, `p1.hand`."""
_WHO = ("seat", "viewer")
"""Nouns of those who are no place."""


class FormatError(ValueError):
    """A text that does not say what its format allows: the message, the line and the column, both from 1.

    `clause` is set if the text is well formed and a rule does not allow what it says; `name` is the file, if known.
    """

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
        """File, line, column and message in one language."""
        where = f"{self.name}:" if self.name else ""
        return f"{where}{self.line}:{self.column}: {self.message.say(lang)}"

    def moved(self, line: int, column: int) -> "FormatError":
        """The same error, its text beginning at this line and column of a larger one."""
        right = column - 1 if self.line == 1 else 0
        return FormatError(self.message, self.line + line - 1, self.column + right, self.clause, self.name)

    def named(self, name: str) -> "FormatError":
        """The same error in a file of this name."""
        return FormatError(self.message, self.line, self.column, self.clause, name)

    def within(self, where: "str | Text") -> "FormatError":
        """The same error, said to be in this part of what was read."""
        message = Text("format.within", {"where": where, "what": self.message})
        return FormatError(message, self.line, self.column, self.clause, self.name)


@contextmanager
def moved(line: int, column: int) -> Iterator[None]:
    """Errors inside are of a text that begins at this line and column of a larger one."""
    try:
        yield
    except FormatError as error:
        raise error.moved(line, column) from None


@contextmanager
def within(where: str | Text) -> Iterator[None]:
    """Errors inside say in which part of what was read they are."""
    try:
        yield
    except FormatError as error:
        raise error.within(where) from None


def quote_input(text: str) -> str:
    """Input as an error repeats it: quoted, and cut where it is long."""
    return repr(text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "...")


def unknown(what: str | Text, text: str, allowed: Iterable[str], lists: bool = True) -> Text:
    """The message for a word that is none of the allowed ones, with the one that was probably meant.

    `what` is a `noun` of the table, or a text of its own. `lists` says whether all allowed words are named; where they
    are many, the closest one is enough.
    """
    words = tuple(allowed)
    if what in _WHO and _PLACE.fullmatch(text):
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


def name_slip(error: FormatError, line: str) -> FormatError:
    """Return the error that names a slip of the keyboard in this line, or the same error if there is none.

    Slips are full-width characters outside quotes, and lines that end with CR alone. An error with a clause stays as it
    is: the line was read, and a rule refused it.
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
    """Bytes of a file as text, a byte order mark left out. Raises FormatError with the offset of a byte not UTF-8."""
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise FormatError(not_utf8(error, error.start), line, column, name=name) from None


def load_toml(text: str, name: str = "") -> dict[str, object]:
    """The values of a file's TOML. Raises FormatError where it cannot be read."""
    try:
        return tomls.parse(text)
    except tomls.TomlError as error:
        line = (text.split("\n")[error.line - 1 :] or [""])[0]
        raise name_slip(FormatError(error.why, error.line, error.column, name=name), line) from None


def read_toml(text: str, shape: type[Shape], name: str = "") -> Shape:
    """A TOML text in its shape. Raises FormatError where it is no TOML, or not of that shape."""
    try:
        return msgspec.convert(load_toml(text, name), shape)
    except msgspec.ValidationError as error:
        raise FormatError(misfit(error), name=name) from None


def not_utf8(error: UnicodeDecodeError, offset: int) -> Text:
    """Which byte of a file is no UTF-8, and why."""
    byte = f"{error.object[error.start]:02x}"
    return Text("format.not_utf8", {"offset": offset, "byte": byte, "why": quoted(error.reason)})
