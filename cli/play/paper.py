"""Plain lines for a narrow terminal: wrapped, never redrawn, in letters that it can show."""

import os
from collections.abc import Iterable, Sequence
from typing import TextIO

from cli.drawing import safe, width
from domain.law.rulebook import Lang
from projections.rows import Row, plain

COLUMNS = 79
LINES_MAX = 14
"""How many lines what followed may take; a log has them all."""

PLAIN_LETTERS = str.maketrans(
    {
        "♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "♣": "C", "→": "->", "·": "-", "…": "...",
        "≥": ">=", "≤": "<=", "×": "x", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"',
    }
)  # fmt: skip
SUITS = "♠♡♢♣→"
KANA = "審判のカード"
WITHOUT_KANA = ("linux", "vt100", "vt102", "vt220", "dumb")
"""Terminals (as TERM names them) whose letters do not include Japanese, whatever encoding is set."""
WITHOUT_SUITS = ("vt100", "vt102", "vt220", "dumb")


class Paper:
    """Where play writes. `lang` is the language the terminal can show, `lacks` the text that says what it cannot."""

    def __init__(self, out: TextIO, lang: Lang) -> None:
        self._out = out
        encoding = getattr(out, "encoding", None) or "utf-8"
        terminal = os.environ.get("TERM", "") if _is_terminal(out) else ""
        suits = _shows(encoding, SUITS) and terminal not in WITHOUT_SUITS
        kana = lang != "ja" or (_shows(encoding, KANA) and terminal not in WITHOUT_KANA)
        self._letters = {} if suits else PLAIN_LETTERS
        self.lang: Lang = lang if kana else "en"
        self.lacks = "" if suits and kana else "play.no_suits" if kana else "play.no_kana"

    def line(self, text: str = "") -> None:
        """A line, wrapped."""
        for one in wrapped(text):
            self._write(one + "\n")

    def rows(self, rows: Iterable[Row], more: str = "") -> None:
        """Rows of a projection; beyond LINES_MAX only `more`, if it is given."""
        lines = [line for row in rows for line in wrapped(plain((row,)))]
        if more and len(lines) > LINES_MAX:
            lines = [*lines[: LINES_MAX - 1], more]
        for one in lines:
            self._write(one + "\n")

    def ask(self, head: str, items: Sequence[str]) -> None:
        """A prompt: what is asked, and what may be answered."""
        lines = [head]
        for item in items:
            if width(lines[-1]) + 2 + width(item) > COLUMNS - 2:
                lines.append("   ")
            lines[-1] += ("  " if lines[-1].strip() else "") + item
        for one in lines[:-1]:
            self._write(one + "\n")
        self._write(lines[-1] + " > ")

    def echo(self, text: str) -> None:
        """What is typed, as it is typed."""
        self._out.write(text)
        self._out.flush()

    def said(self, text: str) -> None:
        """What a key meant, at the end of the prompt's line."""
        self._write(text + "\n")

    def _write(self, text: str) -> None:
        self._out.write(safe(text).translate(self._letters))
        self._out.flush()


def wrapped(text: str) -> list[str]:
    """Lines no wider than the paper, the later ones indented."""
    lines: list[str] = []
    for part in text.split("\n"):
        current = ""
        indent = " " * (len(part) - len(part.lstrip(" ")) + 4)
        for word in _pieces(part):
            if width(current + word.rstrip()) > COLUMNS and current.strip():
                lines.append(current.rstrip())
                current = indent + word.lstrip()
            else:
                current += word
        lines.append(current.rstrip())
    return lines


def shortened(text: str, most: int = COLUMNS - 10) -> str:
    """A text in one line, cut where it is long."""
    if width(text) <= most:
        return text
    while width(text) > most - 3:
        text = text[:-1]
    return text.rstrip() + "..."


def _pieces(text: str) -> list[str]:
    """Where a line may be broken: behind spaces, and behind every full-width character."""
    pieces, current = [], ""
    for one in text:
        current += one
        if one == " " or width(one) == 2 or len(current) > COLUMNS // 2:
            pieces.append(current)
            current = ""
    return [*pieces, current] if current else pieces


def _shows(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False
