"""Lines of a sheet: actions, gaps, faces learned late, facts by hand, and remarks."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from domain.formats.tokens import quote, write_word
from domain.law.game import UNKNOWN_FACE
from domain.table.table import Seat

NO_BOUND = 0
"""Bound of a gap of unknown size."""
OPEN_QUESTION = "? "
"""Prefix of an unanswered question among the notes of a match."""


class SheetFact(Struct, frozen=True):
    text: str
    line: int = 0
    column: int = 1


class SheetLine(Struct, frozen=True):
    """A line with its position. The content does not depend on the position."""

    line: int
    column: int

    def says(self) -> tuple[object, ...]:
        """Return the content, for comparison with other lines."""
        raise NotImplementedError


class Acted(SheetLine, frozen=True, tag="action"):
    """An action and the faces that it showed. `words` are the verb and its values."""

    seat: Seat
    words: tuple[str, ...]
    shows: tuple[str, ...] = ()
    typed: str = ""
    """The words as written in the sheet, for the columns of errors."""
    begins: int = 1
    """The column of the first word."""

    @property
    def verb(self) -> str:
        return next(iter(self.words))

    def says(self) -> tuple[object, ...]:
        return ("action", self.seat, self.words, self.shows)


class SheetGap(SheetLine, frozen=True, tag="gap"):
    """Actions that were not written down: at most `most` (0 if unknown), with the facts known about them."""

    most: int
    reason: str
    facts: tuple[SheetFact, ...] = ()

    def says(self) -> tuple[object, ...]:
        return ("gap", self.most, self.reason, tuple(fact.text for fact in self.facts))


class Late(SheetLine, frozen=True, tag="learn"):
    """The face of a thing, learned later."""

    thing: int
    face: str
    reason: str

    def says(self) -> tuple[object, ...]:
        return ("learn", self.thing, self.face, self.reason)


class ByHand(SheetLine, frozen=True, tag="correct"):
    """Facts entered instead of an action."""

    reason: str
    facts: tuple[SheetFact, ...]

    def says(self) -> tuple[object, ...]:
        return ("correct", self.reason, tuple(fact.text for fact in self.facts))


class SheetRemark(SheetLine, frozen=True, tag="note"):
    """A note or an open question, without effect on the match."""

    text: str
    open: bool = False

    def says(self) -> tuple[object, ...]:
        return ("question" if self.open else "note", self.text)


AnyLine = Acted | SheetGap | Late | ByHand | SheetRemark


def played(lines: "tuple[AnyLine, ...]") -> "tuple[AnyLine, ...]":
    """Return the lines without remarks."""
    return tuple(line for line in lines if not isinstance(line, SheetRemark))


INDENT = "    "


def write_sheet(pairs: Iterable[tuple[str, tuple[str, ...]]], lines: Iterable[AnyLine]) -> str:
    head = [f"[{name} {' '.join(map(quote, values))}]" for name, values in pairs]
    return "\n".join([*head, "", *(row for line in lines for row in _write_rows(line))]) + "\n"


def _write_face(face: str) -> str:
    return face if face == UNKNOWN_FACE else write_word(face)


def _write_rows(line: AnyLine) -> list[str]:
    facts = line.facts if isinstance(line, SheetGap | ByHand) else ()
    return [say_line(line), *(f"{INDENT}+ {fact.text}" for fact in facts)]


def say_line(line: AnyLine) -> str:
    """Write a line of a sheet, without the facts below it."""
    match line:
        case Acted(seat=seat, words=words, shows=shows):
            seen = [f"shows={','.join(map(_write_face, shows))}"] if shows else []
            return " ".join([f"{seat}:", *words, *seen])
        case SheetGap(most=most, reason=reason):
            return " ".join(["gap", *([str(most)] if most else []), quote(reason)])
        case Late(thing=thing, face=face, reason=reason):
            return " ".join(["learn", f"u{thing}", write_word(face), *([quote(reason)] if reason else [])])
        case ByHand(reason=reason):
            return f"correct {quote(reason)}"
        case SheetRemark(text=text, open=is_open):
            return f"{'question' if is_open else 'note'} {quote(text)}"
        case never:
            assert_never(never)
