"""What a line of a sheet says: an action, a gap, a face learned late, facts by hand, or a remark."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from domain.formats.tokens import quoted, word
from domain.law.game import UNKNOWN_FACE
from domain.table.table import Seat

NO_BOUND = 0
"""The bound of a gap of which nobody can say how much happened in it."""
OPEN_QUESTION = "? "
"""Before a question that nobody has answered, where it stands among the notes of a match."""


class SheetFact(Struct, frozen=True):
    """A fact below a line, as notation writes it; it is read on the table."""

    text: str
    line: int = 0
    column: int = 1


class SheetLine(Struct, frozen=True):
    """A line and where it stands; what it says does not depend on that."""

    line: int
    column: int

    def says(self) -> tuple[object, ...]:
        """All that it says, alike for two lines that say the same."""
        raise NotImplementedError


class Acted(SheetLine, frozen=True, tag="action"):
    """Who did what, and which faces showed. `words` are the verb and its values."""

    seat: Seat
    words: tuple[str, ...]
    shows: tuple[str, ...] = ()
    typed: str = ""
    """The words as they stand in the sheet, so that columns of errors are its own."""
    begins: int = 1
    """The column of the first of them."""

    @property
    def verb(self) -> str:
        """What was done."""
        return next(iter(self.words))

    def says(self) -> tuple[object, ...]:
        return ("action", self.seat, self.words, self.shows)


class SheetGap(SheetLine, frozen=True, tag="gap"):
    """Something happened that nobody wrote down: at most so many actions (0: nobody knows), and what is known of it."""

    most: int
    reason: str
    facts: tuple[SheetFact, ...] = ()

    def says(self) -> tuple[object, ...]:
        return ("gap", self.most, self.reason, tuple(fact.text for fact in self.facts))


class Late(SheetLine, frozen=True, tag="learn"):
    """What a thing was, found out afterwards."""

    thing: int
    face: str
    reason: str

    def says(self) -> tuple[object, ...]:
        return ("learn", self.thing, self.face, self.reason)


class ByHand(SheetLine, frozen=True, tag="correct"):
    """Facts in place of an action: what happened, where no action says it."""

    reason: str
    facts: tuple[SheetFact, ...]

    def says(self) -> tuple[object, ...]:
        return ("correct", self.reason, tuple(fact.text for fact in self.facts))


class SheetRemark(SheetLine, frozen=True, tag="note"):
    """A note, or a question that is still open. It changes nothing."""

    text: str
    open: bool = False

    def says(self) -> tuple[object, ...]:
        return ("question" if self.open else "note", self.text)


AnyLine = Acted | SheetGap | Late | ByHand | SheetRemark


def played(lines: "tuple[AnyLine, ...]") -> "tuple[AnyLine, ...]":
    """The lines without remarks."""
    return tuple(line for line in lines if not isinstance(line, SheetRemark))


INDENT = "    "


def write_sheet(pairs: Iterable[tuple[str, tuple[str, ...]]], lines: Iterable[AnyLine]) -> str:
    """The text of a sheet with this header and these lines."""
    head = [f"[{name} {' '.join(map(quoted, values))}]" for name, values in pairs]
    return "\n".join([*head, "", *(row for line in lines for row in _rows(line))]) + "\n"


def _face(face: str) -> str:
    return face if face == UNKNOWN_FACE else word(face)


def _rows(line: AnyLine) -> list[str]:
    facts = line.facts if isinstance(line, SheetGap | ByHand) else ()
    return [say_line(line), *(f"{INDENT}+ {fact.text}" for fact in facts)]


def say_line(line: AnyLine) -> str:
    """A line as a sheet has it, without the facts below it."""
    match line:
        case Acted(seat=seat, words=said, shows=shows):
            seen = [f"shows={','.join(map(_face, shows))}"] if shows else []
            return " ".join([f"{seat}:", *said, *seen])
        case SheetGap(most=most, reason=reason):
            return " ".join(["gap", *([str(most)] if most else []), quoted(reason)])
        case Late(thing=thing, face=face, reason=reason):
            return " ".join(["learn", f"u{thing}", word(face), *([quoted(reason)] if reason else [])])
        case ByHand(reason=reason):
            return f"correct {quoted(reason)}"
        case SheetRemark(text=text, open=is_open):
            return f"{'question' if is_open else 'note'} {quoted(text)}"
        case never:
            assert_never(never)
