"""What is wrong with a text, and where; and bytes as text."""

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN_MAX = 60
"""How many characters of bad input an error repeats."""
CLOSE_MAX = 40
"""Words longer than this are not compared with what was meant."""
BOM = "\ufeff"


class FormatError(ValueError):
    """A text that does not say what its format allows: the message, the line and the column, both from 1.

    `clause` is set if the text is well formed and a rule does not allow what it says; `name` is the file, if known.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1, clause: str = "", name: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.clause = clause
        self.name = name

    def __str__(self) -> str:
        where = f"{self.name}:" if self.name else ""
        return f"{where}{self.line}:{self.column}: {self.message}"

    def moved(self, line: int, column: int) -> "FormatError":
        """The same error, its text beginning at this line and column of a larger one."""
        right = column - 1 if self.line == 1 else 0
        return FormatError(self.message, self.line + line - 1, self.column + right, self.clause, self.name)

    def named(self, name: str) -> "FormatError":
        """The same error in a file of this name."""
        return FormatError(self.message, self.line, self.column, self.clause, name)


def shown(text: str) -> str:
    """Input as an error repeats it: quoted, and cut where it is long."""
    return repr(text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "...")


def listed(allowed: Iterable[str]) -> str:
    """The allowed words of a message."""
    return ", ".join(word or "-" for word in allowed) or "none"


def unknown(what: str, text: str, allowed: Iterable[str], lists: bool = True) -> str:
    """The message for a word that is none of the allowed ones, with the one that was probably meant.

    `lists` says whether all allowed words are named; where they are many, the closest one is enough.
    """
    words = tuple(allowed)
    close = get_close_matches(text, words, n=1) if len(text) <= CLOSE_MAX else []
    hint = f" (did you mean {close[0]}?)" if close else ""
    rest = f"; allowed: {listed(words)}" if lists else ""
    return f"there is no {what} {shown(text)}{hint}{rest}"


def decode_text(data: bytes, name: str = "") -> str:
    """Bytes of a file as text, a byte order mark left out. Raises FormatError with the offset of a byte not UTF-8."""
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        message = f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8: {error.reason}"
        raise FormatError(message, line, column, name=name) from None
