"""Comparison of two score sheets for people: differences, questions, and merged lines."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import Struct

from domain.formats.sheets import (
    Acted,
    Answers,
    AnyLine,
    ByHand,
    Kind,
    Late,
    Reconciliation,
    Sheet,
    SheetDifference,
    SheetGap,
    SheetRemark,
    played,
    say_line,
    settle,
    write_sheet,
)
from domain.law.game import Game
from domain.words import Lang, Text, Words, say
from projections.findings import Sentence
from projections.rows import Cell, Row


class SheetExcerpt(Struct, frozen=True, omit_defaults=True):
    """Lines of one sheet with their numbers, their text and their meaning in words."""

    lines: tuple[int, ...] = ()
    text: tuple[str, ...] = ()
    words: tuple[Sentence, ...] = ()


class DifferenceReport(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A difference of two sheets. `behind` are the numbers of the last lines before it, 0 for none. `asks` is True if
    people must decide. If it is False, `joined` is the merged line."""

    number: int
    kind: Kind
    asks: bool
    a: SheetExcerpt
    b: SheetExcerpt
    behind: tuple[int, int]
    question: Sentence
    joined: str = ""


class HeaderDifference(Struct, frozen=True):
    name: str
    a: str
    b: str


class SheetComparison(Struct, frozen=True):
    """Two sheets with their names, writers and numbers of lines, and their differences."""

    a: str
    b: str
    by: tuple[str, str]
    lines: tuple[int, int]
    headers: tuple[HeaderDifference, ...]
    differences: tuple[DifferenceReport, ...]

    @property
    def questions(self) -> tuple[DifferenceReport, ...]:
        return tuple(difference for difference in self.differences if difference.asks)


class MergedSheet(Struct, frozen=True):
    """A sheet merged from two, with its open questions and the differences that were merged automatically."""

    text: str
    lines: int
    left: tuple[DifferenceReport, ...]
    joined: tuple[int, ...]


def compare_sheets(reconciliation: Reconciliation) -> SheetComparison:
    a, b = reconciliation.a, reconciliation.b
    headers = (
        HeaderDifference(name, " ".join(mine), " ".join(theirs)) for name, mine, theirs in reconciliation.headers
    )
    lines = len(played(a.lines)), len(played(b.lines))
    differences = (_describe_difference(a.header.game, difference) for difference in reconciliation.differences)
    return SheetComparison(a.name, b.name, _writers(a, b), lines, tuple(headers), tuple(differences))


def _writers(a: Sheet, b: Sheet) -> tuple[str, str]:
    """Return the labels of the sheets for people: their writers, or their names if these do not differ."""
    first, second = a.header.opened.by, b.header.opened.by
    return (first, second) if first and second and first != second else (a.name, b.name)


def _describe_difference(game: Game, difference: SheetDifference) -> DifferenceReport:
    return DifferenceReport(
        number=difference.number,
        kind=difference.kind,
        asks=difference.is_question,
        a=_make_excerpt(game, difference.a),
        b=_make_excerpt(game, difference.b),
        behind=difference.last_lines_before,
        question=_both(_question(difference.kind)),
        joined="" if difference.joined is None else say_line(difference.joined),
    )


def _make_excerpt(game: Game, lines: Sequence[AnyLine]) -> SheetExcerpt:
    return SheetExcerpt(
        tuple(line.line for line in lines), tuple(map(say_line, lines)), tuple(_words(game, line) for line in lines)
    )


def _both(words: Words) -> Sentence:
    return Sentence(words.say("en"), words.say("ja"))


def _question(kind: Kind) -> Text:
    match kind:
        case "missing_a":
            return Text("paper.ask.missing_a")
        case "missing_b":
            return Text("paper.ask.missing_b")
        case "different":
            return Text("paper.ask.different")
        case "swapped":
            return Text("paper.ask.swapped")
        case "knows_more":
            return Text("paper.ask.knows_more")
        case "filled_a":
            return Text("paper.ask.filled_a")
        case "filled_b":
            return Text("paper.ask.filled_b")
        case never:
            assert_never(never)


def _words(game: Game, line: AnyLine) -> Sentence:
    match line:
        case Acted():
            verb = game.rulebook.both_words(line.verb)
            return Sentence(verb.en, verb.ja)
        case SheetGap(most=most):
            return _both(Text("paper.word.gap", {"most": most}) if most else Text("paper.word.gap_open"))
        case Late():
            return _both(Text("paper.word.learn"))
        case ByHand():
            return _both(Text("paper.word.correct"))
        case SheetRemark():
            return _both(Text("paper.word.note"))
        case never:
            assert_never(never)


# -- in rows ----------------------------------------------------------------------------------------------------------


def render_compared(value: SheetComparison, lang: Lang) -> list[Row]:
    """Render a heading for each difference, with the lines of both sheets below it."""
    counts = {"n": len(value.differences), "questions": len(value.questions)}
    rows = [
        Row("heading", (Cell(say("paper.side", lang, side=side, name=name, n=n)),))
        for side, name, n in zip("ab", (value.a, value.b), value.lines, strict=True)
    ]
    for header in value.headers:
        about = {"name": header.name, "a": header.a or "-", "b": header.b or "-"}
        rows.append(Row("entry", (Cell(say("paper.header", lang, **about)),)))
    for asked in value.differences:
        rows += render_difference(asked, lang)
    rows.append(Row("entry", (Cell(say("paper.count" if value.differences else "paper.same", lang, **counts)),)))
    return rows


def render_difference(asked: DifferenceReport, lang: Lang) -> Iterator[Row]:
    position = say("paper.behind_lines", lang, a=asked.behind[0] or "-", b=asked.behind[1] or "-")
    yield Row("heading", (Cell(f"{asked.number}", "number"), Cell(asked.question.say(lang)), Cell(position)))
    for side, excerpt in (("a", asked.a), ("b", asked.b)):
        if not excerpt.lines:
            yield Row("entry", (Cell(side, "state"), Cell("-")), 1)
        for number, text, words in zip(excerpt.lines, excerpt.text, excerpt.words, strict=True):
            meaning = say("paper.meant", lang, words=words.say(lang))
            yield Row("entry", (Cell(side, "state"), Cell(f"{number}", "number"), Cell(text), Cell(meaning)), 1)
    if not asked.asks:
        yield Row("entry", (Cell(say("paper.joined", lang, text=asked.joined)),), 1)


def remark_of(value: SheetComparison, asked: DifferenceReport, side: str, lang: Lang) -> str:
    """Return the note for an answered question: the chosen sheet, and the text of the other."""
    name, other = value.by if side == "a" else value.by[::-1]
    excerpt = asked.b if side == "a" else asked.a
    text = "; ".join(excerpt.text) or "-"
    return say("paper.answered", lang, n=asked.number, name=name, other=other, text=text)


def question_of(value: SheetComparison, asked: DifferenceReport, lang: Lang) -> str:
    """Return the note for an open question, with the text of the other sheet."""
    text = "; ".join(asked.b.text) or "-"
    return say("paper.open", lang, n=asked.number, question=asked.question.say(lang), name=value.by[1], text=text)


def merge_sheets(reconciliation: Reconciliation, value: SheetComparison, answers: Answers, lang: Lang) -> MergedSheet:
    """Merge two sheets by the answers, with notes. Open questions use the first sheet. Raises FormatError."""
    left = tuple(asked for asked in value.questions if asked.number not in answers)
    remarks = {
        asked.number: remark_of(value, asked, answers[asked.number], lang)
        for asked in value.differences
        if asked.number in answers
    }
    lines = settle(reconciliation, answers, remarks, {asked.number: question_of(value, asked, lang) for asked in left})
    joined = tuple(asked.number for asked in value.differences if not asked.asks and asked.number not in answers)
    return MergedSheet(write_sheet(reconciliation.a.pairs, lines), len(lines), left, joined)
