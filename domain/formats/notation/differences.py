"""Differences between the recorded facts and those of the law, as the shortest list of fact lines.

`- fact`: produced by the law but did not happen. `+ fact`: happened at that position. Positions are written where the
order alone is ambiguous: `-3` is the law's third fact, `+3` happened right after it. `= fact`: a full list without the
law. `? fact`: a face seen before the law was asked.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from domain.formats.errors import FormatError, shift_errors
from domain.formats.facts import parse_fact, write_fact
from domain.formats.notation.lines import Line
from domain.law.clause import CitedFact, CitedFacts
from domain.law.display import Display
from domain.table.schema import Schema
from domain.table.table import Table
from domain.words import Text

_LINE = re.compile(r"\s*([-+=?])([0-9]{0,9})(?:\s+(.*))?")

Sign = Literal["-", "+", "=", "?"]


class Difference(Struct, frozen=True):
    """A fact line: sign, optional position, and fact. A bare `=` has no fact: nothing happened."""

    sign: Sign
    position: int | None
    cited: CitedFact | None
    line: int = 0


def read(lines: Sequence[Line], table: Table, schema: Schema, display: Display) -> list[Difference]:
    """Parse the fact lines below an entry. Raises FormatError."""
    return [_read(line, table, schema, display) for line in lines]


def _read(line: Line, table: Table, schema: Schema, display: Display) -> Difference:
    match = _LINE.fullmatch(line.text)
    if match is None:
        raise line.error(Text("line.fact"))
    sign: Sign = match[1]  # type: ignore[assignment]
    if match[2] and sign in ("=", "?"):
        raise line.error(Text("line.no_position"))
    position = int(match[2]) if match[2] else None
    if match[3] is None:
        if sign == "=":
            return Difference(sign, None, None, line.number)
        raise line.error(Text("line.no_fact", {"sign": sign}))
    with shift_errors(line.number, 1):
        cited = parse_fact(match[3], table, schema, display, column=match.start(3) + 1)
    return Difference(sign, position, cited, line.number)


def pop_seen_facts(differences: list[Difference]) -> CitedFacts:
    """Remove the facts seen before the law was asked from the list and return them."""
    seen = tuple(
        difference.cited for difference in differences if difference.sign == "?" and difference.cited is not None
    )
    differences[:] = [difference for difference in differences if difference.sign != "?"]
    return seen


def full(differences: Sequence[Difference]) -> CitedFacts | None:
    """Return the full list of facts of `=` lines, or None. Raises FormatError if other signs are mixed in."""
    signs = {difference.sign for difference in differences}
    if "=" not in signs:
        return None
    if len(signs) > 1 or (len(differences) > 1 and any(difference.cited is None for difference in differences)):
        raise FormatError(Text("line.mixed"), differences[0].line)
    return tuple(difference.cited for difference in differences if difference.cited is not None)


def apply(law: CitedFacts, differences: Sequence[Difference]) -> CitedFacts:
    """Apply differences to the law's facts. Raises FormatError for a difference that does not fit."""
    removed: set[int] = set()
    added: dict[int, list[CitedFact]] = {}
    cursor, moved = 0, False
    for difference in differences:
        assert difference.cited is not None
        if difference.sign == "?":
            raise FormatError(Text("line.seen"), difference.line)
        if difference.sign == "-":
            at = _find_index(law, difference, cursor, removed)
            removed.add(at)
            cursor, moved = at + 1, True
        else:
            at = difference.position if difference.position is not None else cursor if moved else len(law)
            if at > len(law):
                raise FormatError(Text("line.bad_position", {"n": len(law), "at": at}), difference.line)
            added.setdefault(at, []).append(difference.cited)
            cursor, moved = at, True
    happened: list[CitedFact] = list(added.get(0, ()))
    for at, cited in enumerate(law):
        if at not in removed:
            happened.append(cited)
        happened += added.get(at + 1, ())
    return tuple(happened)


def _find_index(law: CitedFacts, difference: Difference, cursor: int, removed: set[int]) -> int:
    if difference.position is not None:
        at = difference.position - 1
        if not 0 <= at < len(law) or law[at] != difference.cited:
            raise FormatError(Text("line.not_told_at", {"at": difference.position}), difference.line)
        return at
    for at in range(cursor, len(law)):
        if law[at] == difference.cited and at not in removed:
            return at
    raise FormatError(Text("line.not_told"), difference.line)


def between(law: CitedFacts, happened: CitedFacts) -> list[Difference]:
    """Return the shortest differences from the law's facts to the recorded ones."""
    numbered: list[Difference] = []
    matcher = SequenceMatcher(None, law, happened, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            numbered += [Difference("-", at + 1, law[at]) for at in range(i1, i2)]
            numbered += [Difference("+", i2, cited) for cited in happened[j1:j2]]
    plain = [Difference(difference.sign, None, difference.cited) for difference in numbered]
    try:
        if apply(law, plain) == happened:
            return plain
    except FormatError:
        pass
    return numbered


def write(differences: Sequence[Difference], table: Table, schema: Schema, display: Display) -> list[str]:
    lines: list[str] = []
    for difference in differences:
        position = "" if difference.position is None else difference.position
        cited = difference.cited
        fact = "" if cited is None else f" {write_fact(cited, table, schema, display)}"
        lines.append(f"    {difference.sign}{position}{fact}")
    return lines


def write_fact_lines(sign: Sign, told: CitedFacts, table: Table, schema: Schema, display: Display) -> list[str]:
    """Write facts as lines with one sign; a bare `=` if there are none."""
    if not told:
        return ["    ="] if sign == "=" else []
    return [f"    {sign} {write_fact(cited, table, schema, display)}" for cited in told]
