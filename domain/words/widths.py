"""Full-width characters of a Japanese keyboard, in formats that require plain ones."""

from typing import Final

from msgspec import Struct

_OFFSET: Final = 0xFEE0
PLAIN: Final = {
    **{chr(code + _OFFSET): chr(code) for code in range(0x21, 0x7F)},
    "\u3000": " ",
    "\u201c": '"',
    "\u201d": '"',
}
"""Plain character by full-width character, with the wide space and curly quotes."""


class WideCharacter(Struct, frozen=True):
    """A full-width character in a line: its column from 1, and the plain character to write instead."""

    column: int
    char: str
    plain: str


def find_wide(line: str) -> WideCharacter | None:
    """Return the first full-width character outside plain double quotes."""
    quoted = False
    for column, char in enumerate(line, start=1):
        if char == '"':
            quoted = not quoted
        elif not quoted and char in PLAIN:
            return WideCharacter(column, char, PLAIN[char])
    return None
