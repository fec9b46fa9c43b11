"""Bounded reading of TOML from outside, and writing of TOML values. Text that would take long or much memory to parse
is refused first."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import tomli

from domain.words import Text
from domain.words.foreign import quoted

TEXT_MAX = 2 * 1024**2
"""Characters of a text at most; our largest has a fifth of that."""
KEY_PARTS_MAX = 16
"""Parts of a dotted key at most; parsing takes quadratic time and memory. Our keys have four at most."""

_DOTTED = re.compile(
    r"(?<![\w.\"'-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){" + str(KEY_PARTS_MAX) + "}"
)
_POSITION = re.compile(r" \(at line (\d+), column (\d+)\)$")


class TomlError(ValueError):
    """Text that is malformed or too large. `line` and `column` count from 1."""

    def __init__(self, why: Text, line: int = 1, column: int = 1) -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.column = column


def parse(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raises TomlError."""
    if len(text) > TEXT_MAX:
        raise TomlError(Text("toml.too_long", {"most": TEXT_MAX}))
    if long_key := _DOTTED.search(text):
        line, column = _position(text, long_key.start())
        raise TomlError(Text("toml.key", {"most": KEY_PARTS_MAX}), line, column)
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        message = str(error)
        where = _POSITION.search(message)
        line, column = (int(where[1]), int(where[2])) if where else (text.count("\n") + 1, 1)
        raise TomlError(Text("toml.no_toml", {"why": quoted(_POSITION.sub("", message))}), line, column) from None
    except RecursionError:
        raise TomlError(Text("toml.deep")) from None
    except ValueError:  # a number with more digits than Python reads
        raise TomlError(Text("toml.number")) from None


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write(value: object) -> str:
    """Return a value as TOML on one line."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case Mapping():
            inner = ", ".join(f"{write_key(key)} = {write(each)}" for key, each in value.items() if each is not None)
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"[{', '.join(map(write, value))}]"
        case _:
            return msgspec.json.encode(str(value)).decode().replace("\x7f", "\\u007f")


def write_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else write(key)
