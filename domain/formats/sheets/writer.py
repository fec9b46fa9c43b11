"""A sheet written: text that reads back as the same lines."""

from collections.abc import Iterable
from typing import assert_never

from domain.formats.sheets.lines import Acted, AnyLine, ByHand, Gap, Late, Remark
from domain.formats.tokens import quoted, word
from domain.law.game import UNKNOWN_FACE

INDENT = "    "


def write_sheet(pairs: Iterable[tuple[str, tuple[str, ...]]], lines: Iterable[AnyLine]) -> str:
    """The text of a sheet with this header and these lines."""
    head = [f"[{name} {' '.join(map(quoted, values))}]" for name, values in pairs]
    return "\n".join([*head, "", *(row for line in lines for row in _rows(line))]) + "\n"


def _face(face: str) -> str:
    return face if face == UNKNOWN_FACE else word(face)


def _rows(line: AnyLine) -> list[str]:
    facts = line.facts if isinstance(line, Gap | ByHand) else ()
    return [say_line(line), *(f"{INDENT}+ {fact.text}" for fact in facts)]


def say_line(line: AnyLine) -> str:
    """A line as a sheet has it, without the facts below it."""
    match line:
        case Acted(seat=seat, words=said, shows=shows):
            seen = [f"shows={','.join(map(_face, shows))}"] if shows else []
            return " ".join([f"{seat}:", *said, *seen])
        case Gap(most=most, reason=reason):
            return " ".join(["gap", *([str(most)] if most else []), quoted(reason)])
        case Late(thing=thing, face=face, reason=reason):
            return " ".join(["learn", f"u{thing}", word(face), *([quoted(reason)] if reason else [])])
        case ByHand(reason=reason):
            return f"correct {quoted(reason)}"
        case Remark(text=text, open=is_open):
            return f"{'question' if is_open else 'note'} {quoted(text)}"
        case never:
            assert_never(never)
