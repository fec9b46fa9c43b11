"""Plain output for a narrow terminal: never redrawn, and in characters that it can show."""

import os
from collections.abc import Iterable, Sequence
from typing import TextIO

from cli.drawing import Parts, Screen, safe
from cli.layout import break_lines, width
from domain.words import Lang
from projections.rows import Row

COLUMNS = 79
"""Widest line. A window has one more column, for the typed key."""
LINES_MAX = 14
"""Most lines of consequences after an entry."""

PROMPT = " > "
MEANING_COLUMNS_MIN = 12
"""Least columns for the meaning of a key, at the end of the prompt."""

PLAIN_LETTERS = str.maketrans(
    {
        "♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "♣": "C", "→": "->", "·": "-", "…": "...",
        "≥": ">=", "≤": "<=", "×": "x", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"',
    }
)  # fmt: skip
SUITS = "♠♡♢♣→"
KANA = "審判のカード"
WITHOUT_KANA = ("linux", "vt100", "vt102", "vt220", "dumb")
"""Values of TERM without Japanese characters, regardless of the encoding."""
WITHOUT_SUITS = ("vt100", "vt102", "vt220", "dumb")


class Paper(Screen):
    """Output of a session. `lang` is a language the terminal can show, `lacks` the key of a message about missing
    characters."""

    def __init__(self, out: TextIO, lang: Lang) -> None:
        super().__init__(out, out)
        encoding = getattr(out, "encoding", None) or "utf-8"
        terminal = os.environ.get("TERM", "") if self.columns is not None else ""
        suits = _shows(encoding, SUITS) and terminal not in WITHOUT_SUITS
        kana = lang != "ja" or (_shows(encoding, KANA) and terminal not in WITHOUT_KANA)
        self.columns = self._width = min(COLUMNS, (self.columns or COLUMNS + 1) - 1)
        self._column = 0
        self.lang = lang if kana else "en"
        self.lacks = "" if suits and kana else "play.no_suits" if kana else "play.no_kana"
        self._letters = {} if suits else PLAIN_LETTERS

    def aside(self, text: str) -> None:
        """Print a message among the lines: a session has no stderr."""
        self.line(text)

    def beginning(self, rows: Iterable[Row], more: str) -> None:
        """Print rows; more than LINES_MAX lines end with `more`."""
        lines = [*self._lines(rows)]
        for parts in lines if len(lines) <= LINES_MAX else [*lines[: LINES_MAX - 1], [(more, "")]]:
            self._write(parts)

    def _write(self, parts: Parts) -> None:
        self._write_text("".join(text for text, _ in parts) + "\n")

    def ask(self, head: str, items: Sequence[str]) -> None:
        most, lines = self._width - 2, [head]
        for item in items:
            if width(lines[-1]) + 2 + width(item) > most:
                lines.append("   ")
            lines[-1] += ("  " if lines[-1].strip() else "") + item
        shown = [" " * indent + line[begun:end] for line in lines for begun, end, indent in break_lines(line, most)]
        self._column = width(shown[-1]) + len(PROMPT)
        self._write_text("\n".join(shown) + PROMPT)

    def echo(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()

    def finish_prompt(self, text: str) -> None:
        """Print the meaning of a key at the end of the prompt, cut to fit."""
        self._write_text(shortened(text, max(MEANING_COLUMNS_MIN, self._width - self._column)) + "\n")

    def _write_text(self, text: str) -> None:
        self.out.write(safe(text).translate(self._letters))
        self.out.flush()


def shortened(text: str, most: int = COLUMNS - 10) -> str:
    if width(text) <= most:
        return text
    while width(text) > most - 3:
        text = text[:-1]
    return text.rstrip() + "..."


def _shows(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
