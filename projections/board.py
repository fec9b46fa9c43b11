"""The table after an entry as one viewer sees it, arranged by seats: made from the redacted view and nothing else.

The board is data; `render_board` lays it out as rows of cells.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.law.entries import Entry, Opened
from domain.law.game import Game
from domain.law.law import Law
from domain.table import redact as R
from domain.table.physics import Physics
from domain.table.schema import Schema
from domain.table.table import LANES, CardId, Clock, Place, Result, Seat, Table, square, whose, zone
from domain.words import Lang, say
from projections import phrases as P
from projections.rows import Cell, Row
from projections.stack_rows import aims
from projections.viewing import opening, table_at, viewer_in

Readings = dict[int, dict[str, int | str]]
"""What cards amount to, by the things they are."""


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


class BoardClock(Clock, frozen=True, array_like=False, omit_defaults=True):
    """The clock with its parts named."""


class BoardResult(Result, frozen=True, array_like=False):
    """How the match ended; no winners is a draw."""


class Board(Struct, frozen=True, kw_only=True):
    """Everything one viewer may see after one entry. Lanes are oldest first."""

    viewer: Seat
    entry: int
    game: str
    seats: tuple[BoardSeat, ...]
    shared: tuple[BoardPlace, ...]
    marks: dict[str, int]
    stack: tuple[R.SeenFrame, ...]
    running: tuple[R.SeenFrame, ...]
    waiting: tuple[R.SeenFrame, ...]
    asked: tuple[R.SeenFrame, ...]
    effects: tuple[R.SeenEffect, ...]
    clock: BoardClock
    result: BoardResult | None


def board(law: Law, entries: Sequence[Entry], at: int | None, viewer: Seat) -> Board:
    """The board after entry `at` (the last one if None). Raises NotInMatch."""
    opened = opening(entries)
    number, table = table_at(entries, at)
    return board_of(law, opened, Physics(opened.schema), number, table, viewer_in(opened, viewer))


def board_of(law: Law, opened: Opened, physics: Physics, number: int, table: Table, viewer: Seat) -> Board:
    """The board of a table that is at hand: its redacted view, seat by seat, with what known cards amount to.

    Readings are taken from what the viewer knows, so they tell no more.
    """
    readings: Readings = {}
    for reading in law.readings(R.blind(physics, table, viewer)):
        if R.knows(physics, table, viewer, reading.card):
            readings.setdefault(table.pieces[reading.card].thing, {})[reading.name] = reading.value
    seen = R.view(physics, table, viewer)
    places = [_place(place, opened.schema, readings) for place in seen.places]
    return Board(
        viewer=viewer,
        entry=number,
        game=opened.game,
        seats=tuple(
            BoardSeat(
                seat=seat,
                name=opened.names.get(seat, ""),
                team=opened.schema.teams.get(seat, ""),
                marks=marks,
                places=tuple(place for place in places if whose(place.place) == seat),
            )
            for seat, marks in seen.seats.items()
        ),
        shared=tuple(place for place in places if whose(place.place) is None),
        marks=seen.marks,
        effects=seen.effects,
        clock=BoardClock(**asdict(seen.clock)),
        result=None if seen.result is None else BoardResult(**asdict(seen.result)),
        **{name: getattr(seen, name) for name in LANES},
    )


def _place(seen: R.SeenPlace, schema: Schema, readings: Readings) -> BoardPlace:
    """A place with its cards, those that are tied to another one here under that one."""
    here = {card.thing for card in seen.cards if card.thing}

    def place_card(card: R.SeenCard, under: bool = False) -> BoardCard:
        tied = () if under or not card.thing else (other for other in seen.cards if other.host == card.thing)
        return BoardCard(
            thing=card.thing,
            face=card.face,
            up=card.up,
            stance=card.stance if card.stance != schema.stances[0] else "",
            owner=card.owner if card.owner != whose(seen.place) else None,
            controller=card.controller,
            host=0 if under else card.host,
            marks=card.marks,
            readings=readings.get(card.thing, {}) if card.thing else {},
            tied=tuple(place_card(other, under=True) for other in tied),
            card=card.card,
        )

    cards = tuple(place_card(card) for card in seen.cards if card.host not in here)
    return BoardPlace(place=seen.place, area=zone(seen.place), count=seen.count, least=seen.least, cards=cards)


def render_board(board: Board, game: Game, lang: Lang) -> list[Row]:
    """The whole board: clock, seats with their places, shared places, lanes that hold anything, effects, result."""
    title = say("board.title", lang, at=board.entry, viewer=P.seat_words(board.viewer, lang))
    clock = tuple(Cell(text, role) for role, text in P.clock_parts(game, board.clock, lang))
    rows = [Row("title", (Cell(title, "title"),)), Row("clock", clock)]
    marks = {name: n for name, n in board.marks.items() if not game.display.is_counter(name)}
    if marks:
        rows.append(Row("marks", tuple(_marks(marks, game, lang))))
    for seat in board.seats:
        rows += _seat(seat, game, lang)
    for place in board.shared:
        rows += _place_rows(place, game, lang, 0)
    lanes: dict[str, tuple[R.SeenFrame, ...]] = {name: getattr(board, name) for name in LANES}
    open_frames = {frame.id: frame for frames in lanes.values() for frame in frames}
    for name, frames in lanes.items():
        if frames:
            rows.append(Row("lane", (Cell(say(f"lane.{name}", lang), "lane"),)))
            for frame in reversed(frames) if name == "stack" else frames:
                rows.append(_frame(frame, game, lang))
                if text := P.frame_says(game, frame, lang) or P.asks(game, frame, open_frames, lang):
                    rows.append(Row("text", (Cell(text, "text"),), 2))
    if board.effects:
        rows.append(Row("lane", (Cell(say("lane.effects", lang), "lane"),)))
        rows += [Row("effect", (Cell(P.effect_words(game, effect, lang), "effect"),), 1) for effect in board.effects]
    if board.result is not None:
        rows.append(Row("result", (Cell(P.result_words(game, board.result, lang), "result"),)))
    return rows


def _place_rows(place: BoardPlace, game: Game, lang: Lang, depth: int) -> list[Row]:
    """A place, if it is to be shown. Cards of which something is to be read, or to which others are tied, stand on rows
    of their own, with what is tied to them."""
    if not (place.count or place.least or place.cards) and place.area in game.display.passing:
        return []
    if not any(card.readings or card.tied for card in place.cards):
        return [place_row(place, game, lang, depth)]
    cards = (Row("card", tuple(card_cells(card, game, lang)), depth + 1) for card in place.cards)
    return [place_row(replace(place, cards=()), game, lang, depth), *cards]


def _marks(marks: dict[str, int], game: Game, lang: Lang) -> list[Cell]:
    order = {name: at for at, name in enumerate(game.display.order)}
    names = sorted(marks, key=lambda name: order.get(name, len(order)))
    return [Cell(P.mark_words(game, name, marks[name], lang), "mark") for name in names]


def _seat(seat: BoardSeat, game: Game, lang: Lang) -> list[Row]:
    cells = [Cell(P.seat_words(seat.seat, lang), "seat"), *((Cell(seat.name, "name"),) if seat.name else ())]
    if seat.team:
        cells.append(Cell(say("board.team", lang, team=seat.team), "team"))
    marks = dict.fromkeys(game.display.always, 0) | seat.marks
    return [
        Row("seat", (*cells, *_marks(marks, game, lang))),
        *(row for place in seat.places for row in _place_rows(place, game, lang, 1)),
    ]


def place_row(place: BoardPlace, game: Game, lang: Lang, depth: int) -> Row:
    """One place: its name, how many cards, and the cards that are seen."""
    name = P.word(game, place.area, lang)
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
    cells = [
        Cell(P.card_words(game, R.SeenCard(card.thing, card.face), lang), "card" if card.face else "back", card.thing)
    ]
    if card.stance:
        cells.append(Cell(P.word(game, card.stance, lang), "stance", card.thing))
    if card.owner is not None:
        cells.append(Cell(say("board.of", lang, seat=P.seat_words(card.owner, lang)), "owner", card.thing))
    if card.controller is not None:
        cells.append(Cell(say("board.by", lang, seat=P.seat_words(card.controller, lang)), "controller", card.thing))
    if card.host:
        cells.append(Cell(say("board.on", lang, thing=card.host), "host", card.thing))
    cells += [replace(cell, thing=card.thing) for cell in _marks(card.marks, game, lang)]
    for name, value in card.readings.items():
        shown = " ".join(P.word(game, part, lang) for part in value.split()) if isinstance(value, str) else str(value)
        cells.append(Cell(say("board.mark", lang, mark=P.word(game, name, lang), n=shown), "reading", card.thing))
    for tied in card.tied:
        first, *others = card_cells(tied, game, lang)
        cells += [Cell(f"+{first.text}", first.role, first.thing), *others]
    return cells


def _frame(frame: R.SeenFrame, game: Game, lang: Lang) -> Row:
    cells = [Cell(P.frame_words(game, frame, lang), "frame"), *aims(frame, game, lang)]
    if frame.step:
        cells.append(Cell(say("lane.step", lang, step=P.word(game, frame.step, lang)), "step"))
    return Row("frame", tuple(cells), 1)
