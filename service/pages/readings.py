"""A stretch of a match under two values of an option, side by side: what each tells, and both tables at a parting."""

from typing import Final, Literal
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Struct

from domain.judging.rejudging import Difference, Unreadable, Verdict, rejudge
from domain.judging.rejudging.target import Target, rules_for
from domain.law.clause import Clause
from domain.law.game import Option
from domain.law.law import Law
from domain.law.rulebook import value_text
from domain.law.rulesets import RulesetError, values
from domain.words import Text
from projections.board import board_of
from projections.findings import say_entry
from projections.phrases import fact_words, result_words
from projections.seen import SeenFact
from projections.seen_entries import seen_entries
from projections.verdicts.beside import boards
from projections.verdicts.rendering import kind_words
from projections.verdicts.showing import STOPPED, Sides, deciding_clause, seen_sides
from service.asking import NUMBER_DIGITS, Ask, Reply, Route
from service.draw import board
from service.draw.beside import outline
from service.house import Sight
from service.pages.paper import page, said
from service.pages.trail import Cited, cite
from service.pages.within import clause_url, way_to, within
from service.problems import Halt, halt

SPAN_MAX: Final = 300
"""So many entries are held side by side at once."""


class Held(Struct, frozen=True, forbid_unknown_fields=True):
    """Which values are held against each other, which entry's tables are shown, and on a phone which of the two."""

    a: str = ""
    b: str = ""
    at: int = 0
    side: Literal["a", "b"] = "a"
    rows: Literal["differing", "all"] = "differing"


class Reading(Struct, frozen=True):
    """A value of the option, its law, and what comes of the match under it."""

    value: str
    words: str
    pinned: bool
    law: Law
    verdict: Verdict

    def at(self, number: int) -> Difference | None:
        """Where it parts from the record at an entry, if it does."""
        return next((each for each in self.verdict.differing if each.entry == number), None)

    @property
    def stops(self) -> int:
        """The entry at which it cannot go on, 0 if it does."""
        return self.verdict.entry if self.verdict.kind in STOPPED else 0


class Cell(Struct, frozen=True):
    """What one reading tells of an entry: facts in words with their clauses; or that it stops there, and why."""

    facts: tuple[tuple[str, str, str], ...] = ()
    stops: Cited | None = None
    over: bool = False


class Row(Struct, frozen=True):
    """An entry under both readings; nothing in the cells where both tell the same."""

    number: int
    url: str
    what: str
    cells: tuple[Cell, Cell] | None


def show_readings(ask: Ask, query: Held, body: None) -> Reply:
    """Two readings of an option over a stretch of a match.

    Of an open match for a judge's eyes alone: what another reading comes to hangs on hidden cards too.
    """
    sight = ask.look(ask.path.get("viewer", ""), "run_readings")
    match, lang, way = sight.match, ask.lang, way_to(ask, sight)
    span = _read_span(ask.path["moment"])
    sight.require_judge()
    if span[-1] > sight.head:
        raise _no_span(ask.path["moment"])
    option = next((option for option in match.game.options if option.key == ask.path["option"]), None)
    if option is None:
        raise halt("unknown")
    one, other = (_read(ask, sight, option, value, span) for value in _values(sight, option, query))
    base = way.at(ask.path["moment"], "readings", option.key)

    def to(**changed: object) -> str:
        asked = {"a": one.value, "b": other.value, "at": query.at, "side": query.side, "rows": query.rows, **changed}
        return f"{base}?{urlencode({name: value for name, value in asked.items() if value})}"

    rows = _rows(ask, sight, (one, other), span, query.rows == "all")
    parting = [row.number for row in rows if row.cells is not None]
    at = query.at if query.at in parting else next(iter(parting), 0)
    tables = _boards(ask, sight, (one, other), at) if at else None
    return within(
        ask,
        sight,
        "readings.html",
        said(ask, "readings.title", match=match.id, first=span[0], last=span[-1], option=option.key),
        span[-1],
        lambda eyes: f"{eyes.at(ask.path['moment'], 'readings', option.key)}?{ask.query}",
        first=span[0],
        last=span[-1],
        option=match.game.rulebook.word(option.key, lang),
        key=option.key,
        choices=[(value, match.game.rulebook.setting(option.key, value, lang)) for value in option.values],
        readings=(one, other),
        rows=[(row, to(at=row.number) + "#boards") for row in rows],
        parting=parting,
        ends=[_end(ask, sight, reading) for reading in (one, other)],
        same_until=parting[0] - 1 if parting else span[-1],
        shown=at,
        tables=tables,
        side=query.side,
        sides=[to(at=at, side=side) + "#boards" for side in ("a", "b")],
        all_rows=query.rows == "all",
        other_rows=to(rows="differing" if query.rows == "all" else "all"),
        action=base,
        moment=way.moment(at) if at else "",
    )


def _read_span(text: str) -> range:
    """A stretch, `195..214`. Halts where there is no such one."""
    parts = text.split("..")
    good = len(parts) == 2 and all(part.isascii() and part.isdecimal() and len(part) <= NUMBER_DIGITS for part in parts)
    first, last = map(int, parts) if good else (0, 0)
    if not 1 <= first <= last:
        raise _no_span(text)
    if last - first >= SPAN_MAX:
        raise halt("unreadable", Text("readings.too_long", {"most": SPAN_MAX}))
    return range(first, last + 1)


def _no_span(text: str) -> Halt:
    return halt("unknown", Text("readings.no_span", {"span": text[: 2 * NUMBER_DIGITS + 2]}))


def _values(sight: Sight, option: Option, query: Held) -> tuple[str, str]:
    """The two values: the one that the match pins, and the first other one, unless others are asked for."""
    own = value_text(values(sight.match.rules).get(option.key, option.values[0]))
    one = query.a or own
    return one, query.b or next((value for value in option.values if value != one), one)


def _read(ask: Ask, sight: Sight, option: Option, value: str, span: range) -> Reading:
    match = sight.match
    try:
        rules = rules_for(Target(settings={option.key: value}), match.game, match.rules)
        verdict = rejudge(match.game, match.entries, rules, span)
    except (Unreadable, RulesetError) as error:
        raise halt("unreadable", error.text) from None
    words = match.game.rulebook.setting(option.key, value, ask.lang)
    return Reading(value, words, rules == match.rules, Law(match.game, rules), verdict)


def _rows(ask: Ask, sight: Sight, readings: tuple[Reading, Reading], span: range, everything: bool) -> list[Row]:
    """The entries of a stretch at which the readings part, or all of them."""
    match, way = sight.match, way_to(ask, sight)
    rows: list[Row] = []
    for entry in seen_entries(match, sight.eyes, span[-1]):
        if entry.number not in span:
            continue
        cells = _cells(ask, sight, readings, entry.number)
        if cells is not None or everything:
            what = say_entry(match.game, entry).say(ask.lang)
            rows.append(Row(entry.number, way.moment(entry.number), what, cells))
    return rows


def _cells(ask: Ask, sight: Sight, readings: tuple[Reading, Reading], number: int) -> tuple[Cell, Cell] | None:
    """What each reading tells of an entry; None if that is the same as far as the viewer can see."""
    told = [None if (apart := reading.at(number)) is None else _open(sight, apart) for reading in readings]
    # A reading that goes with the record tells what the record holds and the other one does not.
    sides = tuple(
        mine.rejudged if mine is not None else theirs.recorded if theirs is not None else ()
        for mine, theirs in zip(told, reversed(told), strict=True)
    )
    cells = tuple(_cell(ask, sight, *each, number) for each in zip(readings, sides, strict=True))
    if cells[0] == cells[1] or not any(cell.facts or cell.stops for cell in cells):
        return None
    return cells[0], cells[1]


def _open(sight: Sight, apart: Difference) -> Sides:
    """What differs and is no mere flow of play."""
    sides = seen_sides(sight.match, sight.eyes, apart)
    return Sides(*(tuple(fact for fact in facts if not fact.flow) for facts in (sides.recorded, sides.rejudged)))


def _cell(ask: Ask, sight: Sight, reading: Reading, facts: tuple[SeenFact, ...], number: int) -> Cell:
    if reading.stops and number >= reading.stops:
        clause = deciding_clause(sight.match.entries, reading.verdict) if number == reading.stops else Clause("")
        return Cell(stops=cite(ask, sight, clause) if clause else None, over=True)
    game = sight.match.game
    return Cell(
        tuple(
            (fact_words(game, fact, ask.lang), fact.clause, clause_url(ask, sight.match, fact.clause)) for fact in facts
        )
    )


def _end(ask: Ask, sight: Sight, reading: Reading) -> str:
    """How the match ends under a reading."""
    verdict, lang = reading.verdict, ask.lang
    kind = kind_words(verdict.kind, lang)
    if verdict.kind in STOPPED:
        return said(ask, "readings.stops", what=kind, n=verdict.entry)
    result = verdict.rejudged_result
    words = result_words(sight.match.game, result, lang) if result is not None else said(ask, "readings.no_end")
    return said(ask, "readings.ends", what=kind, result=words)


def _boards(ask: Ask, sight: Sight, readings: tuple[Reading, Reading], number: int) -> tuple[Markup, Markup]:
    """Both tables behind an entry, their differing strips outlined."""
    match, eyes, schema, lang = sight.match, sight.eyes, sight.match.opened.schema, ask.lang
    views = []
    for reading in readings:
        apart = reading.at(number)
        if apart is not None:
            views.append(boards(match, eyes, reading.law, apart).rejudged)
        else:
            views.append(board_of(match, eyes, number, match.after(number)))
    strips = [board.strips(view, reading.law, schema, lang) for view, reading in zip(views, readings, strict=True)]
    frames = [board.frame(view, reading.law, schema, lang) for view, reading in zip(views, readings, strict=True)]
    return outline(frames[0], strips[0], strips[1]), outline(frames[1], strips[1], strips[0])


def _tried(path: str) -> Route:
    """Whoever reads a match otherwise lets the law work through all of it."""
    return page(path, show_readings, "Two readings side by side.", "run_readings", Held, "tries")


ROUTES: Final = (
    _tried("/m/{match:str}/{moment:str}/readings/{option:str}"),
    _tried("/m/{match:str}/{moment:str}/readings/{option:str}/as/{viewer:str}"),
)
