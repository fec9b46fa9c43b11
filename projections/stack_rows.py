"""A stack history drawn as rows: one request a row, below it what was paid, what answered it and what followed."""

from domain.law.game import Game
from domain.table.redact import SeenFrame
from domain.words import Lang
from projections.phrases import card_words, fact_words, frame_words, listed, place_words, seat_words, word
from projections.rows import Cell, Row
from projections.stack import Request, StackHistory
from projections.words import say


def render_stack(history: StackHistory, game: Game, lang: Lang) -> list[Row]:
    """Every request with its responses one level deeper, in the order they were made."""
    kinds = {one.id: one.kind for one in _all(history.requests)}
    rows: list[Row] = []
    for one in history.requests:
        rows += _request(one, game, lang, kinds)
    return rows


def _all(requests: tuple[Request, ...]) -> list[Request]:
    return [one for request in requests for one in (request, *_all(request.responses))]


def _request(one: Request, game: Game, lang: Lang, kinds: dict[int, str]) -> list[Row]:
    depth = 2 * one.depth
    cells = [
        Cell(frame_words(game, one.frame, lang), "request"),
        Cell(say("stack.made", lang, n=one.made), "made"),
        Cell(_origin(one, lang), "origin"),
        *aims(one.frame, game, lang),
    ]
    if one.staged and one.staged != one.made:
        cells.append(Cell(say("stack.staged", lang, n=one.staged), "staged"))
    if one.cause:
        cells.append(Cell(say("stack.cause", lang, id=one.cause), "cause"))
    cells += _end(one, game, lang, kinds)
    rows = [Row("request", tuple(cell for cell in cells if cell.text), depth)]
    for cost in one.costs:
        text = say("stack.cost", lang, fact=fact_words(game, cost, lang))
        rows.append(Row("cost", (Cell(cost.clause, "clause", clause=cost.clause), Cell(text)), depth + 1))
    for response in one.responses:
        rows += _request(response, game, lang, kinds)
    for after in one.followed:
        text = say("stack.followed", lang, n=after.entry, fact=fact_words(game, after.fact, lang))
        clause = Cell(after.fact.clause, "clause", clause=after.fact.clause)
        rows.append(Row("followed", (clause, Cell(text)), depth + 1))
    return rows


def _origin(one: Request, lang: Lang) -> str:
    match one.origin:
        case "action":
            return ""
        case "trigger":
            return say("stack.trigger", lang)
        case "process":
            return say("stack.process", lang)
        case "hand":
            return say("stack.hand", lang)


def aims(frame: SeenFrame, game: Game, lang: Lang) -> list[Cell]:
    """What a frame is made with and aimed at, as cells."""
    keys = listed((card_words(game, card, lang) for card in frame.cards), lang)
    targets = [card_words(game, card, lang) for card in frame.objs]
    targets += [
        say("pair", lang, one=card_words(game, one, lang), other=card_words(game, other, lang))
        for one, other in frame.pairs
    ]
    targets += [say("frame.id", lang, id=one) for one in frame.frames]
    targets += [seat_words(seat, lang) for seat in frame.seats]
    targets += [place_words(game, place, lang) for place in frame.places]
    cells = [Cell(say("stack.keys", lang, cards=keys), "keys")] if keys else []
    if targets:
        cells.append(Cell(say("stack.on", lang, targets=listed(targets, lang)), "targets"))
    cells += [Cell(word(game, one, lang), "word") for one in frame.words]
    return cells


def _end(one: Request, game: Game, lang: Lang, kinds: dict[int, str]) -> list[Cell]:
    if not one.ended:
        return [Cell(say("stack.open", lang), "open")]
    if one.fizzled:
        return [Cell(say("stack.fizzled", lang, n=one.ended), "fizzled")]
    cells = [Cell(say("stack.ended", lang, how=word(game, one.how, lang), n=one.ended), "ended")]
    if one.ended_by:
        kind = word(game, kinds.get(one.ended_by, ""), lang)
        cells.append(Cell(say("stack.by", lang, id=one.ended_by, kind=kind), "ended_by"))
    return cells
