"""Stack history as rows: each request with its costs, responses and consequences."""

from typing import Any

from domain.law.game import Game
from domain.table.redact import SeenCard, SeenFrame
from domain.table.table import JUDGE
from domain.words import Lang, say
from projections import phrases as P
from projections.moments import Moments, group_by_headings
from projections.rows import Cell, Row
from projections.stack import StackFrameHistory, StackHistory


def render_stack(
    history: StackHistory, game: Game, lang: Lang, names: P.Names, when: Moments | None = None
) -> list[Row]:
    """Render every request in order of creation, with its responses one level deeper. With `when`, requests are grouped
    by turn; one without an action is in the turn that its entry led to."""
    kinds = {request.id: request.kind for request in _flatten(history.requests)}
    parts: list[tuple[tuple[str, ...], list[Row]]] = []
    for request in history.requests:
        if not _is_idle(request):
            turn = when.turn(request.made, lang, after=request.origin != "action") if when is not None else ""
            parts.append(((turn,), _request(request, game, lang, names, kinds)))
    return group_by_headings(parts, lang)


def _is_idle(request: StackFrameHistory) -> bool:
    is_empty = not (request.costs or request.followed or request.responses)
    return request.origin == "process" and request.frame.by == JUDGE and is_empty and bool(request.ended)


def _flatten(requests: tuple[StackFrameHistory, ...]) -> list[StackFrameHistory]:
    return [each for request in requests for each in (request, *_flatten(request.responses))]


def _request(request: StackFrameHistory, game: Game, lang: Lang, names: P.Names, kinds: dict[int, str]) -> list[Row]:
    depth = 2 * request.depth
    cells = [
        Cell(P.frame_words(game, request.frame, lang, names), "request"),
        Cell(say("stack.made", lang, n=request.made), "made"),
        Cell("" if request.origin == "action" else say(f"stack.{request.origin}", lang), "origin"),
        *column_cells(request.frame, game, lang, names),
    ]
    if request.staged and request.staged != request.made:
        cells.append(Cell(say("stack.staged", lang, n=request.staged), "staged"))
    if request.cause:
        cells.append(Cell(say("stack.cause", lang, id=request.cause), "cause"))
    cells += _end(request, game, lang, kinds)
    rows = [Row("request", tuple(cell for cell in cells if cell.text), depth)]
    if text := P.frame_says(game, request.frame, lang):
        rows.append(Row("text", (Cell(text, "text"),), depth + 1))
    for cost in request.costs:
        text = say("stack.cost", lang, fact=P.fact_words(game, cost, lang, names))
        rows.append(Row("cost", (Cell(cost.clause, "clause", clause=cost.clause), Cell(text)), depth + 1))
    for response in request.responses:
        rows += _request(response, game, lang, names, kinds)
    for after in request.followed:
        text = say("stack.followed", lang, n=after.entry, fact=P.fact_words(game, after.fact, lang, names))
        clause = Cell(after.fact.clause, "clause", clause=after.fact.clause)
        rows.append(Row("followed", (clause, Cell(text)), depth + 1))
    return rows


def column_cells(frame: SeenFrame, game: Game, lang: Lang, names: P.Names) -> list[Cell]:
    """Return the keys and targets of a frame as cells. Values at named positions get their names. Other cards are keys,
    other values targets."""
    columns = P.columns_of(game, frame.kind)
    named: dict[str, list[str]] = {}
    keys: list[str] = []
    targets: list[str] = []
    words: list[str] = []
    rest = {"cards": keys, "words": words}
    for column in COLUMNS:
        for at, value in enumerate(getattr(frame, column)):
            name = _name(columns.get(column, ()), at)
            if f"column.{name}" in game.rulebook.words:
                if not isinstance(value, SeenCard) or value.thing or value.face:
                    named.setdefault(name, []).append(_column_words(game, column, value, lang, names))
            elif column != "numbers":
                rest.get(column, targets).append(_column_words(game, column, value, lang, names))
    cells = [Cell(say("stack.keys", lang, cards=P.listed(keys, lang)), "keys")] if keys else []
    if targets:
        cells.append(Cell(say("stack.on", lang, targets=P.listed(targets, lang)), "targets"))
    for name, values in named.items():
        if label := P.word(game, f"column.{name}", lang):
            cells.append(Cell(say("frame.column", lang, name=label, values=P.listed(values, lang)), HELD))
    return [*cells, *(Cell(text, "word") for text in words)]


HELD = "held"
"""Role of a cell with a named value of a frame."""
COLUMNS = ("cards", "objs", "pairs", "frames", "seats", "places", "numbers", "words")


def _name(names: tuple[str, ...], at: int) -> str:
    if not names or (at >= len(names) and not names[-1].endswith("...")):
        return ""
    return names[min(at, len(names) - 1)].removesuffix("...")


def _column_words(game: Game, column: str, value: Any, lang: Lang, names: P.Names) -> str:
    match column:
        case "cards" | "objs":
            return P.card_words(game, value, lang)
        case "pairs":
            return P.pair_words(game, value, lang)
        case "frames":
            return say("frame.id", lang, id=value)
        case "seats":
            return P.seat_name(names, value, lang)
        case "places":
            return P.place_words(game, value, lang, names)
        case "numbers":
            return str(value)
        case _:
            return P.word(game, value, lang)


def _end(request: StackFrameHistory, game: Game, lang: Lang, kinds: dict[int, str]) -> list[Cell]:
    if not request.ended:
        return [Cell(say("stack.open", lang), "open")]
    if request.fizzled:
        return [Cell(say("stack.fizzled", lang, n=request.ended), "fizzled")]
    cells = [Cell(say("stack.ended", lang, how=P.word(game, request.how, lang), n=request.ended), "ended")]
    if request.ended_by:
        kind = P.word(game, kinds.get(request.ended_by, ""), lang)
        cells.append(Cell(say("stack.by", lang, id=request.ended_by, kind=kind), "ended_by"))
    return cells
