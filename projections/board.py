"""The table after an entry as one viewer sees it, arranged by seats: made from the redacted view and nothing else.

The board is data; `render_board` lays it out as rows of cells.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import Entry, Opened
from domain.law.game import Game, Reading
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.redact import SeenCard, SeenEffect, SeenFrame, SeenPlace, View, blind, knows, view
from domain.table.schema import Schema
from domain.table.table import CardId, Clock, Place, Result, Seat, Table, square, whose, zone
from domain.words import Lang
from projections.phrases import (
    asks,
    clock_parts,
    effect_words,
    frame_says,
    frame_words,
    mark_words,
    result_words,
    seat_words,
    word,
)
from projections.rows import Cell, Row
from projections.stack_rows import aims
from projections.viewing import opening, table_at, viewer_in
from projections.words import say


class BoardCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card that can be seen: what it is, how it lies, what it amounts to, and what is tied to it.

    `stance` is left out where it is the schema's first, `owner` where it is the place's seat. `host` is the thing a
    card is tied to that lies in another place. `card` is the physical id, for a judge only.
    """

    thing: int = 0
    face: str | None = None
    up: bool = False
    stance: str = ""
    owner: Seat | None = None
    controller: Seat | None = None
    host: int = 0
    marks: dict[str, int] = {}
    readings: dict[str, int | str] = {}
    tied: tuple["BoardCard", ...] = ()
    card: CardId | None = None


class BoardPlace(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A place: how many cards, or at least how many, and those seen one by one in its order; neither may be known."""

    place: Place
    area: str
    count: int | None = None
    least: int | None = None
    cards: tuple[BoardCard, ...] = ()


class BoardSeat(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat with its name, its side if there are any, its marks and its places in the schema's order."""

    seat: Seat
    name: str = ""
    team: str = ""
    marks: dict[str, int] = {}
    places: tuple[BoardPlace, ...] = ()


class BoardClock(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The clock with its parts named."""

    turn: int = 0
    active: Seat | None = None
    first: Seat | None = None
    phase: str = ""
    step: str = ""
    awaited: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()


class BoardResult(Struct, frozen=True):
    """How the match ended; no winners is a draw."""

    winners: tuple[Seat, ...]
    reason: str


class Board(Struct, frozen=True, kw_only=True):
    """Everything one viewer may see after one entry. Lanes are oldest first."""

    viewer: Seat
    entry: int
    game: str
    seats: tuple[BoardSeat, ...]
    shared: tuple[BoardPlace, ...]
    marks: dict[str, int]
    stack: tuple[SeenFrame, ...]
    running: tuple[SeenFrame, ...]
    waiting: tuple[SeenFrame, ...]
    asked: tuple[SeenFrame, ...]
    effects: tuple[SeenEffect, ...]
    clock: BoardClock
    result: BoardResult | None


def board(law: Law, entries: Sequence[Entry], at: int | None, viewer: Seat) -> Board:
    """The board after entry `at` (the last one if None). Raises NotInMatch."""
    opened = opening(entries)
    number, table = table_at(entries, at)
    return board_of(law, opened, Physics(opened.schema), number, table, viewer_in(opened, viewer))


def board_of(law: Law, opened: Opened, physics: Physics, number: int, table: Table, viewer: Seat) -> Board:
    """The board of a table that is at hand. Readings are taken from what the viewer knows, so they tell no more."""
    readings = law.readings(blind(physics, table, viewer))
    things = by_thing(physics, table, viewer, readings)
    return arranged(view(physics, table, viewer), opened, number, things)


def by_thing(
    physics: Physics, table: Table, viewer: Seat, readings: Iterable[Reading]
) -> dict[int, dict[str, int | str]]:
    """Readings of cards that the viewer knows, by the thing they are."""
    found: dict[int, dict[str, int | str]] = {}
    for one in readings:
        if knows(physics, table, viewer, one.card):
            found.setdefault(table.pieces[one.card].thing, {})[one.name] = one.value
    return found


def arranged(seen: View, opened: Opened, number: int, readings: Mapping[int, dict[str, int | str]]) -> Board:
    """A redacted view, seat by seat, with the readings of things in it."""
    schema = opened.schema
    places = [_place(place, schema, readings) for place in seen.places]
    clock = seen.clock
    return Board(
        viewer=seen.viewer,
        entry=number,
        game=opened.game,
        seats=tuple(
            BoardSeat(
                seat=seat,
                name=opened.names.get(seat, ""),
                team=schema.teams.get(seat, ""),
                marks=marks,
                places=tuple(place for place in places if whose(place.place) == seat),
            )
            for seat, marks in seen.seats.items()
        ),
        shared=tuple(place for place in places if whose(place.place) is None),
        marks=seen.marks,
        stack=seen.stack,
        running=seen.running,
        waiting=seen.waiting,
        asked=seen.asked,
        effects=seen.effects,
        clock=BoardClock(
            turn=clock.turn,
            active=clock.active,
            first=clock.first,
            phase=clock.phase,
            step=clock.step,
            awaited=clock.awaited,
            passed=clock.passed,
        ),
        result=None if seen.result is None else _result(seen.result),
    )


def _result(result: Result) -> BoardResult:
    return BoardResult(result.winners, result.reason)


def _place(seen: SeenPlace, schema: Schema, readings: Mapping[int, dict[str, int | str]]) -> BoardPlace:
    here = {card.thing for card in seen.cards if card.thing}
    tied: dict[int, list[SeenCard]] = {}
    for card in seen.cards:
        if card.host in here:
            tied.setdefault(card.host, []).append(card)
    seat = whose(seen.place)
    cards = tuple(
        _card(card, tied.get(card.thing, ()), seat, schema, readings) for card in seen.cards if card.host not in here
    )
    return BoardPlace(
        place=seen.place,
        area=zone(seen.place),
        count=seen.count,
        least=seen.least,
        cards=cards,
    )


def _card(
    card: SeenCard,
    tied: Sequence[SeenCard],
    seat: Seat | None,
    schema: Schema,
    readings: Mapping[int, dict[str, int | str]],
    under: bool = False,
) -> BoardCard:
    return BoardCard(
        thing=card.thing,
        face=card.face,
        up=card.up,
        stance=card.stance if card.stance != schema.stances[0] else "",
        owner=card.owner if card.owner != seat else None,
        controller=card.controller,
        host=0 if under else card.host,
        marks=card.marks,
        readings=readings.get(card.thing, {}) if card.thing else {},
        tied=tuple(_card(one, (), seat, schema, readings, under=True) for one in tied),
        card=card.card,
    )


LANE_TITLES = (
    ("stack", "lane.stack"),
    ("running", "lane.running"),
    ("waiting", "lane.waiting"),
    ("asked", "lane.asked"),
)


def render_board(board: Board, game: Game, lang: Lang) -> list[Row]:
    """The whole board: clock, seats with their places, shared places, lanes that hold anything, effects, result."""
    title = say("board.title", lang, at=board.entry, viewer=seat_words(board.viewer, lang))
    rows = [Row("title", (Cell(title, "title"),)), Row("clock", _clock(board, game, lang))]
    marks = {name: n for name, n in board.marks.items() if not game.display.is_counter(name)}
    if marks:
        rows.append(Row("marks", tuple(_marks(marks, game, lang))))
    for seat in board.seats:
        rows += _seat(seat, game, lang)
    for place in board.shared:
        rows += _place_rows(place, game, lang, 0)
    open_frames = {one.id: one for name, _ in LANE_TITLES for one in getattr(board, name)}
    for name, title_key in LANE_TITLES:
        frames: tuple[SeenFrame, ...] = getattr(board, name)
        if frames:
            rows.append(Row("lane", (Cell(say(title_key, lang), "lane"),)))
            for frame in reversed(frames) if name == "stack" else frames:
                rows.append(_frame(frame, game, lang))
                if text := frame_says(game, frame, lang) or asks(game, frame, open_frames, lang):
                    rows.append(Row("text", (Cell(text, "text"),), 2))
    if board.effects:
        rows.append(Row("lane", (Cell(say("lane.effects", lang), "lane"),)))
        rows += [Row("effect", (Cell(effect_words(game, one, lang), "effect"),), 1) for one in board.effects]
    if board.result is not None:
        won = result_words(game, Result(board.result.winners, board.result.reason), lang)
        rows.append(Row("result", (Cell(won, "result"),)))
    return rows


def _clock(board: Board, game: Game, lang: Lang) -> tuple[Cell, ...]:
    now = board.clock
    clock = Clock(now.turn, now.active, now.first, now.phase, now.step, now.awaited, now.passed)
    return tuple(Cell(text, role) for role, text in clock_parts(game, clock, lang))


def _shown(place: BoardPlace, game: Game) -> bool:
    return bool(place.count or place.least or place.cards) or place.area not in game.display.passing


def _place_rows(place: BoardPlace, game: Game, lang: Lang, depth: int) -> list[Row]:
    """A place, if it is to be shown. Cards of which something is to be read, or to which others are tied, stand on rows
    of their own, with what is tied to them."""
    if not _shown(place, game):
        return []
    if not any(card.readings or card.tied for card in place.cards):
        return [place_row(place, game, lang, depth)]
    cards = (Row("card", tuple(card_cells(card, game, lang)), depth + 1) for card in place.cards)
    return [place_row(replace(place, cards=()), game, lang, depth), *cards]


def _marks(marks: dict[str, int], game: Game, lang: Lang) -> list[Cell]:
    order = {name: at for at, name in enumerate(game.display.order)}
    names = sorted(marks, key=lambda name: order.get(name, len(order)))
    return _mark_cells({name: marks[name] for name in names}, game, lang)


def _mark_cells(marks: dict[str, int], game: Game, lang: Lang) -> list[Cell]:
    return [Cell(mark_words(game, name, n, lang), "mark") for name, n in marks.items()]


def _seat(seat: BoardSeat, game: Game, lang: Lang) -> list[Row]:
    cells = [Cell(seat_words(seat.seat, lang), "seat"), *((Cell(seat.name, "name"),) if seat.name else ())]
    if seat.team:
        cells.append(Cell(say("board.team", lang, team=seat.team), "team"))
    marks = dict.fromkeys(game.display.always, 0) | seat.marks
    return [
        Row("seat", (*cells, *_marks(marks, game, lang))),
        *(row for place in seat.places for row in _place_rows(place, game, lang, 1)),
    ]


def place_row(place: BoardPlace, game: Game, lang: Lang, depth: int) -> Row:
    """One place: its name, how many cards, and the cards that are seen."""
    name = word(game, place.area, lang)
    cells = [Cell(f"{name} {square(place.place)}".rstrip(), "place")]
    if place.count is not None:
        cells.append(Cell(say("board.count", lang, n=place.count), "count"))
    elif place.least is not None:
        cells.append(Cell(say("board.least", lang, n=place.least), "count"))
    for card in place.cards:
        cells += card_cells(card, game, lang)
    return Row("place", tuple(cells), depth)


def card_cells(card: BoardCard, game: Game, lang: Lang) -> list[Cell]:
    """A card with everything that is to be read off it, then the cards tied to it."""
    face = word(game, card.face, lang) if card.face else ""
    if face and card.thing:
        text = say("card.both", lang, face=face, thing=card.thing)
    else:
        text = face or (say("card.thing", lang, thing=card.thing) if card.thing else say("card.hidden", lang))
    cells = [Cell(text, "card" if face else "back", card.thing)]
    if card.stance:
        cells.append(Cell(word(game, card.stance, lang), "stance", card.thing))
    if card.owner is not None:
        cells.append(Cell(say("board.of", lang, seat=seat_words(card.owner, lang)), "owner", card.thing))
    if card.controller is not None:
        cells.append(Cell(say("board.by", lang, seat=seat_words(card.controller, lang)), "controller", card.thing))
    if card.host:
        cells.append(Cell(say("board.on", lang, thing=card.host), "host", card.thing))
    cells += [Cell(one.text, one.role, card.thing) for one in _marks(card.marks, game, lang)]
    for name, value in card.readings.items():
        shown = " ".join(word(game, part, lang) for part in value.split()) if isinstance(value, str) else str(value)
        cells.append(Cell(say("board.mark", lang, mark=word(game, name, lang), n=shown), "reading", card.thing))
    for one in card.tied:
        first, *others = card_cells(one, game, lang)
        cells += [Cell(f"+{first.text}", first.role, first.thing), *others]
    return cells


def _frame(frame: SeenFrame, game: Game, lang: Lang) -> Row:
    cells = [Cell(frame_words(game, frame, lang), "frame"), *aims(frame, game, lang)]
    if frame.step:
        cells.append(Cell(say("lane.step", lang, step=word(game, frame.step, lang)), "step"))
    return Row("frame", tuple(cells), 1)
