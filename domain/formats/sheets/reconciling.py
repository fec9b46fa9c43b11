"""Compare two sheets of one match: each difference is a question, and the answers produce one sheet. Nothing is decided
here. Two lines that only complete each other are merged. Everything else is left to people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown
from domain.formats.sheets.aligning import CELLS_MAX, LinePairing, Step, align, join
from domain.formats.sheets.lines import Acted, AnyLine, SheetRemark
from domain.formats.sheets.reader import Sheet
from domain.words import Text

Kind = Literal["missing_a", "missing_b", "different", "swapped", "knows_more", "filled_a", "filled_b"]
"""Kinds of difference: a line missing on one side, other content, another order, a card that only one side names, a gap
that the other side fills."""
Side = Literal["a", "b"]
SIDES: Final[tuple[Side, ...]] = ("a", "b")
Answers = Mapping[int, Side]

_KINDS: Final[Mapping[Step, Kind]] = {
    "left": "missing_b",
    "right": "missing_a",
    "different": "different",
    "swapped": "swapped",
    "knows_more": "knows_more",
    "filled_left": "filled_a",
    "filled_right": "filled_b",
}


class Part(Struct, frozen=True):
    """Lines that belong together, each with the remarks before it."""

    a: tuple[AnyLine, ...]
    b: tuple[AnyLine, ...]
    remarks_a: tuple[SheetRemark, ...] = ()
    remarks_b: tuple[SheetRemark, ...] = ()


class SheetDifference(Part, frozen=True, kw_only=True):
    """Lines that differ. `last_lines_before` are the numbers of the last lines before them, 0 for none. `joined` is the
    merged line if the two only complete each other; such a difference is not a question."""

    number: int
    kind: Kind
    last_lines_before: tuple[int, int]
    joined: AnyLine | None = None

    @property
    def is_question(self) -> bool:
        """True if people must decide between the sides."""
        return self.joined is None

    def chosen(self, side: Side) -> tuple[AnyLine, ...]:
        return self.a if side == "a" else self.b


class Reconciliation(Struct, frozen=True):
    """The result of comparing two sheets, from the first line to the last."""

    a: Sheet
    b: Sheet
    parts: tuple[Part, ...]
    headers: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()
    """Differences of the headers, except rules: the name and the values of each side."""

    @property
    def differences(self) -> tuple[SheetDifference, ...]:
        return tuple(part for part in self.parts if isinstance(part, SheetDifference))

    @property
    def questions(self) -> tuple[SheetDifference, ...]:
        return tuple(difference for difference in self.differences if difference.is_question)


def reconcile(a: Sheet, b: Sheet, cells_max: int = CELLS_MAX) -> Reconciliation | Text:
    """Compare two sheets line by line, or return why not: other rules, other seats, or too many differences."""
    mine, theirs = a.header.opened, b.header.opened
    if mine.game != theirs.game or mine.rules_hash != theirs.rules_hash:
        games = [f"{opened.game} {opened.version}".strip() for opened in (mine, theirs)]
        key = "paper.other_rules" if games[0] == games[1] else "paper.other_game"
        return Text(key, {"a": games[0], "b": games[1]})
    if mine.seats != theirs.seats:
        return Text("paper.other_seats")
    left, right = (tuple(line for line in sheet.lines if not isinstance(line, SheetRemark)) for sheet in (a, b))
    pairings = align(left, right, cells_max)
    if pairings is None:
        return Text("paper.too_different")
    return Reconciliation(a, b, tuple(_parts(a, b, pairings)), tuple(_compare_headers(a, b)))


def _compare_headers(a: Sheet, b: Sheet) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    mine, theirs = _index_pairs(a), _index_pairs(b)
    for key in dict.fromkeys((*mine, *theirs)):
        if mine.get(key, ()) != theirs.get(key, ()):
            yield key, mine.get(key, ()), theirs.get(key, ())


def _index_pairs(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return header pairs by name. Repeated pairs are keyed by name and first value."""
    return {
        f"{name} {values[0]}" if len(values) > 1 or name == "Seat" else name: values[1:] or values
        for name, values in sheet.pairs
        if name not in ("By", "Match")
    }


class _SheetCursor:
    def __init__(self, sheet: Sheet) -> None:
        self.lines, self.at, self.last_line = sheet.lines, 0, 0

    def remarks(self) -> tuple[SheetRemark, ...]:
        begin = self.at
        while self.at < len(self.lines) and isinstance(self.lines[self.at], SheetRemark):
            self.at += 1
        return tuple(line for line in self.lines[begin : self.at] if isinstance(line, SheetRemark))

    def take(self, many: int) -> tuple[tuple[AnyLine, ...], tuple[SheetRemark, ...]]:
        """Return the next lines, and all remarks before and among them."""
        taken, remarks = list[AnyLine](), list[SheetRemark]()
        for _ in range(many):
            remarks += self.remarks()
            taken.append(self.lines[self.at])
            self.at += 1
        self.last_line = taken[-1].line if taken else self.last_line
        return tuple(taken), tuple(remarks)


def _parts(a: Sheet, b: Sheet, pairings: Sequence[LinePairing]) -> Iterator[Part]:
    mine, theirs, number = _SheetCursor(a), _SheetCursor(b), 0
    for pairing in pairings:
        last_lines = mine.last_line, theirs.last_line
        left, remarks_a = mine.take(pairing.left)
        right, remarks_b = theirs.take(pairing.right)
        if pairing.step == "same":
            yield Part(left, right, remarks_a, remarks_b)
            continue
        number += 1
        joined = _join_lines(left[0], right[0]) if pairing.step == "knows_more" else None
        kind = _KINDS[pairing.step]
        yield SheetDifference(
            left, right, remarks_a, remarks_b, number=number, kind=kind, last_lines_before=last_lines, joined=joined
        )
    yield Part((), (), mine.remarks(), theirs.remarks())


def _join_lines(one: AnyLine, other: AnyLine) -> AnyLine | None:
    return join(one, other) if isinstance(one, Acted) and isinstance(other, Acted) else None


# -- answers ----------------------------------------------------------------------------------------------------------


def unfit_answer(reconciliation: Reconciliation, number: int, side: str) -> Text | None:
    """Return why this is not an answer to a difference of these sheets; None if it is."""
    if not 1 <= number <= len(reconciliation.differences):
        return Text("paper.no_question", {"n": number, "last": len(reconciliation.differences)})
    return None if side in SIDES else explain_unknown("answer", side, SIDES)


def settle(
    reconciliation: Reconciliation,
    answers: Answers,
    remark: "Mapping[int, str] | None" = None,
    ask: "Mapping[int, str] | None" = None,
) -> tuple[AnyLine, ...]:
    """Return the lines of the final sheet: common lines and chosen ones. Open questions use the first sheet.

    `remark` are notes before answered differences, `ask` before open ones. Remarks of both sheets are kept. Raises
    FormatError for an answer without a question.
    """
    for number, side in answers.items():
        if (why := unfit_answer(reconciliation, number, side)) is not None:
            raise FormatError(why)
    return tuple(_settle_parts(reconciliation, answers, remark or {}, ask or {}))


def _settle_parts(
    reconciliation: Reconciliation, answers: Answers, remark: Mapping[int, str], ask: Mapping[int, str]
) -> Iterator[AnyLine]:
    unmatched = Counter(line.says() for line in reconciliation.a.lines)
    for part in reconciliation.parts:
        yield from part.remarks_a
        for line in part.remarks_b:
            unmatched[line.says()] -= 1
            if unmatched[line.says()] < 0:
                yield line
        if not isinstance(part, SheetDifference):
            yield from part.a
            continue
        side = answers.get(part.number)
        if side is None and part.joined is not None:
            yield part.joined
            continue
        text = (ask if side is None else remark).get(part.number)
        if text:
            yield SheetRemark(0, 1, text, side is None)
        yield from part.chosen(side or "a")
