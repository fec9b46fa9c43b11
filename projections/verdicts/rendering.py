"""A verdict as rows: class and reason, both sides, differences of the tables, and causes."""

from collections import Counter
from collections.abc import Iterable

from domain.judging.rejudging.causes import Cause
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import face_of
from domain.table.table import Result
from domain.words import Lang, Message, say
from projections.changes import render_changes
from projections.findings import Sentence, gap_words, render_reasons
from projections.phrases import Names, fact_words, result_words, seat_name
from projections.rows import Cell, Row
from projections.verdicts.seen_verdicts import STOPPED, Alignment, SeenVerdict, Side

LIST_ITEMS_MAX = 8
"""Maximum number of items of a list to show individually."""


def render_verdict(seen: SeenVerdict, law: Law, lang: Lang, names: Names) -> list[Row]:
    """Render a verdict that was reached under the rules of `law`."""
    rows = [Row("verdict", _head(seen, lang))]
    rows += _sentence(seen.sentence, lang)
    rows += _sentence(seen.what, lang)
    rows += render_reasons([reason for reason in seen.trail if reason.clause != seen.clause], law, lang, names, 1)
    if seen.first:
        rows.append(_heading(say("rejudge.first", lang, entry=seen.first)))
        rows += _sentence(seen.first_what, lang)
        for side in (seen.recorded, seen.rejudged):
            rows += _side(side, law.game, lang, names)
    if seen.differences is not None:
        rows.append(_heading(say("rejudge.table", lang)))
        rows += [
            Row(row.role, row.cells, row.depth + 1) for row in render_changes(seen.differences, law.game, lang, names)
        ]
    rows += _outcome(seen, law.game, lang, names)
    if seen.gaps:
        rows.append(_line(gap_words(seen.gaps, lang)))
    if seen.aligned:
        rows.append(_heading(say("rejudge.aligned", lang)))
        rows += [_line(aligned_words(brought, law.game, lang, names)) for brought in seen.aligned]
    if seen.causes:
        rows.append(_heading(say("rejudge.causes", lang)))
        for cause in seen.causes:
            rows.append(_line(cause_words(cause, law.game, lang)))
            rows += [_line(text, depth=2) for text in card_words(cause, lang)]
    return rows


def kind_words(kind: str, lang: Lang) -> str:
    return say(f"verdict.{kind}", lang)


def cause_words(cause: Cause, game: Game | None, lang: Lang) -> str:
    """Return a cause in words: its field and the kind of change."""
    kind = say(f"cause.{cause.kind}", lang)
    if cause.key == cause.kind:
        return kind
    if face_of(cause.key) is not None:
        return say("cause.printed", lang, card=_name_of(cause, lang))
    name = cause.key if game is None else game.rulebook.word(cause.key, lang)
    both = cause.key if name == cause.key else say("rejudge.field", lang, key=cause.key, name=name)
    return say("rejudge.cause", lang, key=both, kind=kind)


def card_words(cause: Cause, lang: Lang) -> tuple[str, ...]:
    """Return the former and the current text of the card that a cause names; () for other causes."""
    if face_of(cause.key) is None:
        return ()
    return tuple(
        say(key, lang, text=_join_lines(text, lang) if text is not None else say("rejudge.no_card", lang))
        for key, text in (("rejudge.card_was", cause.recorded), ("rejudge.card_now", cause.rejudged))
    )


def value_words(game: Game | None, key: str, value: object, other: object, lang: Lang) -> str:
    """Return the value of a rules field in words. Of a long list, only items that `other` lacks are shown."""
    if isinstance(value, list) and len(value) > LIST_ITEMS_MAX:
        extra = [*(Counter(value) - Counter(other if isinstance(other, list) else ())).elements()]
        shown_items = say("list.comma", lang).join(map(str, extra[:LIST_ITEMS_MAX])) + (
            "…" if len(extra) > LIST_ITEMS_MAX else ""
        )
        return say("value.list" if extra else "value.long", lang, n=len(value), some=shown_items)
    if isinstance(value, list):
        return say("list.comma", lang).join(map(str, value)) or say("value.none", lang)
    if value is None or value == "":
        return say("value.none", lang)
    return str(value) if game is None else game.rulebook.setting(key, value, lang)


def _name_of(cause: Cause, lang: Lang) -> str:
    text = cause.rejudged or cause.recorded
    return text.say(lang).partition("\n")[0] if text is not None else face_of(cause.key) or ""


def _join_lines(text: Message, lang: Lang) -> str:
    return " / ".join(text.say(lang).split("\n"))


def aligned_words(brought: Alignment, game: Game, lang: Lang, names: Names) -> str:
    how = say(f"aligned.{brought.how}", lang)
    action = game.rulebook.word(brought.verb, lang)
    actor = seat_name(names, brought.actor, lang)
    return say("rejudge.brought", lang, entry=brought.entry, actor=actor, action=action, how=how)


def _head(seen: SeenVerdict, lang: Lang) -> tuple[Cell, ...]:
    cells = [Cell(kind_words(seen.kind, lang), "good" if seen.kind in ("identical", "path") else "bad")]
    if seen.entry:
        cells.append(Cell(say("rejudge.at", lang, entry=seen.entry), "number"))
    if seen.clause:
        cells.append(Cell(seen.clause, "clause", clause=seen.clause))
    if seen.why:
        cells.append(Cell(say(f"undecided.{seen.why}", lang)))
    return tuple(cells)


def _side(side: Side, game: Game, lang: Lang, names: Names) -> Iterable[Row]:
    yield _heading(say(f"side.{side.label}", lang))
    sentences = {cited.clause: Message(cited.en, cited.ja).say(lang) for cited in side.clauses}
    if not side.facts:
        yield _line(say("rejudge.nothing", lang))
    for fact in side.facts:
        yield Row(
            "fact", (Cell(fact.clause, "clause", clause=fact.clause), Cell(fact_words(game, fact, lang, names))), 1
        )
        if text := sentences.pop(fact.clause, ""):
            yield Row("sentence", (Cell(text, "sentence"),), 2)


def _outcome(seen: SeenVerdict, game: Game, lang: Lang, names: Names) -> Iterable[Row]:
    ends = [_result(side.result, game, lang, names) for side in (seen.recorded, seen.rejudged)]
    if seen.kind in STOPPED and seen.rejudged.result is None:
        yield _line(say("rejudge.stops", lang, recorded=ends[0], entry=seen.rejudged.at), "", 0)
    elif seen.outcome_changes:
        yield _line(say("rejudge.outcome", lang, recorded=ends[0], rejudged=ends[1]), "bad", 0)
    else:
        yield _line(say("rejudge.same_outcome", lang, result=ends[0]), "", 0)


def _result(result: Result | None, game: Game, lang: Lang, names: Names) -> str:
    return say("rejudge.no_result", lang) if result is None else result_words(game, result, lang, names)


def _sentence(text: Sentence | None, lang: Lang) -> list[Row]:
    words = "" if text is None else text.say(lang)
    return [Row("sentence", (Cell(words, "sentence"),), 1)] if words else []


def _heading(text: str) -> Row:
    return Row("heading", (Cell(text, "heading"),))


def _line(text: str, role: str = "", depth: int = 1) -> Row:
    return Row(role or "line", (Cell(text, role),), depth)
