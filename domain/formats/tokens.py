"""Tokens of one line of notation, with their columns. Quoted text is part of one token."""

import re

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, quote_input
from domain.words import Text
from domain.words.lines import escape_in_json

EMPTY = "-"
"""Notation of an empty slot, list or name."""

_SPACE = re.compile(r"\s*+")
_QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(rf'(?:[^\s"]++|{_QUOTED})++')
_ITEM = re.compile(rf'(?:{_QUOTED}|@[\w.]+:\d+,\d+|[^,"])++')
_PLACE_ITEM = re.compile(r"[\w.]+:\d+,\d+|[^,]++")
_PLAIN = re.compile(r"[\w.:*'/][\w.:*'/-]*+")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_FIELD = re.compile(r"([A-Za-z_]\w*+)=")


class Token(Struct, frozen=True):
    """A word of a line and its first column, counted from 1."""

    text: str
    column: int

    def error(self, message: Text) -> FormatError:
        return FormatError(message, 1, self.column)


def tokens(text: str, column: int = 1) -> list[Token]:
    """Split a line into words. Raises FormatError for an unclosed quote."""
    line: list[Token] = []
    at = _end(_SPACE, text, 0)
    while at < len(text):
        end = _end(_TOKEN, text, at)
        if end < len(text) and text[end] == '"':
            raise FormatError(Text("token.open_quote"), 1, column + end)
        line.append(Token(text[at:end], column + at))
        at = _end(_SPACE, text, end)
    return line


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def items(token: Token) -> list[Token]:
    """Return the parts of a comma-separated list; `-` is the empty list."""
    return _parts(token, _ITEM)


def place_items(token: Token) -> list[Token]:
    """Return the parts of a list of places, whose code names may contain a comma (`map:3,4`)."""
    return _parts(token, _PLACE_ITEM)


def _parts(token: Token, part: re.Pattern[str]) -> list[Token]:
    if token.text == EMPTY:
        return []
    parts: list[Token] = []
    at = 0
    while True:
        end = _end(part, token.text, at)
        if end == at:
            raise FormatError(Text("token.empty_part"), 1, token.column + at)
        parts.append(Token(token.text[at:end], token.column + at))
        if end == len(token.text):
            return parts
        at = end + 1


def field(token: Token) -> tuple[str, Token] | None:
    """Return name and value of `name=value`; None for other words."""
    match = _FIELD.match(token.text)
    if match is None:
        return None
    return match[1], Token(token.text[match.end() :], token.column + match.end())


def quote(text: str) -> str:
    """Return text in double quotes, escaped to one line."""
    return escape_in_json(msgspec.json.encode(text).decode())


def unquote(token: Token) -> str:
    """Return the text between double quotes. Raises FormatError if there are none."""
    if not token.text.startswith('"'):
        raise token.error(Text("token.not_quoted", {"text": quote_input(token.text)}))
    try:
        return msgspec.json.decode(token.text, type=str)
    except (msgspec.MsgspecError, UnicodeError):
        raise token.error(Text("token.bad_quoted", {"text": quote_input(token.text)})) from None


def write_word(text: str) -> str:
    """Return a name, quoted if it could be read as something else."""
    return text if _PLAIN.fullmatch(text) else quote(text)


def read_word(token: Token) -> str:
    if token.text.startswith('"'):
        return unquote(token)
    if not token.text:
        raise token.error(Text("token.no_word"))
    return token.text


def write_words(texts: tuple[str, ...]) -> str:
    return ",".join(write_word(text) for text in texts) or EMPTY


def read_words(token: Token) -> tuple[str, ...]:
    return tuple(read_word(part) for part in items(token))


def read_integer(token: Token) -> int:
    """Return a whole number. Raises FormatError."""
    if not _WHOLE.fullmatch(token.text):
        raise token.error(Text("token.not_whole", {"text": quote_input(token.text)}))
    return int(token.text)


def read_integers(token: Token) -> tuple[int, ...]:
    return tuple(read_integer(part) for part in items(token))
