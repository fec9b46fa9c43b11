"""The table after an entry, arranged by seats for one viewer, from the redacted view only. A board is a `View`;
`render_board` returns it as rows of cells."""

from msgspec import Struct
from msgspec.structs import replace

from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.record import Record
from domain.table import redact as R
from domain.table.redact import TableViewer, View
from domain.table.schema import Schema
from domain.table.table import LANES, Place, Seat, Table, seat_of
from domain.words import Lang, say
from projections import phrases as P, retrospective_view
from projections.cards import card_cells, mark_cells
from projections.maps import layers_of, render_maps
from projections.rows import Cell, Row
from projections.stack_rows import column_cells
from projections.viewing import resolve_entry

Readings = dict[int, dict[str, int | str]]
"""Derived values of cards, such as their strength, by thing number."""


def board(record: Record, eyes: TableViewer, at: int | None = None) -> View:
    """Return the view after entry `at`, by default the last one. Raises NotInMatch."""
    number = resolve_entry(record.entries, at)
    return board_of(record, eyes, number, record.after(number))


def board_of(record: Record, eyes: TableViewer, number: int, table: Table, cache: "PlaceCache | None" = None) -> View:
    """Return the view of a given table, with player names. `cache` is a cache for one match and viewer."""
    opened = record.opening
    seen = arrange_view(record.law, retrospective_view.after(eyes, number), table, cache)
    seats = tuple(replace(seat, name=opened.names.get(seat.seat, "")) for seat in seen.seats)
    return replace(seen, entry=number, game=opened.game, seats=seats)


def arrange_view(law: Law, eyes: TableViewer, table: Table, cache: "PlaceCache | None" = None) -> View:
    """Return the view of a table without a record, with derived values and tied cards. The values are computed from
    what the viewer knows, so that they disclose nothing else."""
    readings: Readings = {}
    cache = PlaceCache() if cache is None else cache
    for reading in law.readings(eyes.without_hidden_faces(table)):
        if eyes.knows(table, reading.card):
            readings.setdefault(table.pieces[reading.card].thing, {})[reading.name] = reading.value
    return eyes.view(table, cache.places(law.game, eyes, table, readings))


class PlaceCache:
    """Cache of the places of a match for one viewer. Tables share unchanged pieces and places."""

    def __init__(self) -> None:
        self._seen: dict[Place, tuple[object, R.SeenPlace | None]] = {}
        self._all: tuple[Table, tuple[object, ...], tuple[R.SeenPlace, ...]] | None = None

    def places(self, game: Game, eyes: TableViewer, table: Table, readings: Readings) -> tuple[R.SeenPlace, ...]:
        """Return every place that the viewer may know anything about."""
        last, key = self._all, (eyes.seat(table), readings, eyes.later)
        if last is not None and R.has_same_places(last[0], table) and last[1] == key:
            return last[2]
        each = (self._place(game, eyes, table, place, readings) for place in R.places_of(eyes.physics, table))
        seen = tuple(place for place in each if place is not None)
        self._all = table, key, seen
        return seen

    def _place(
        self, game: Game, eyes: TableViewer, table: Table, place: Place, readings: Readings
    ) -> R.SeenPlace | None:
        cards = table.places.get(place, ())
        pieces = [table.pieces[card] for card in cards]
        hosts = [table.pieces.get(piece.host) for piece in pieces if piece.host]
        read = [readings.get(piece.thing) for piece in pieces] if readings else []
        later = [eyes.later.get(card) for card in cards] if eyes.later else []
        key = (eyes.seat(table), cards, pieces, hosts, read, later)
        cached = self._seen.get(place)
        if cached is not None and cached[0] == key:
            return cached[1]
        seen = eyes.place(table, place)
        arranged = None if seen is None else _arrange(game, readings, eyes.physics.schema.stances[0], seen)
        self._seen[place] = key, arranged
        return arranged


def _arrange(game: Game, readings: Readings, stance: str, place: R.SeenPlace) -> R.SeenPlace:
    """Return a place with tied cards under their hosts. Default values are omitted."""
    things = {card.thing for card in place.cards if card.thing}

    def arrange(card: R.SeenCard, under: bool = False) -> R.SeenCard:
        tied = () if under or not card.thing else (other for other in place.cards if other.host == card.thing)
        return replace(
            card,
            stance=card.stance if card.stance != stance else "",
            owner=card.owner if card.owner != seat_of(place.place) else None,
            host=0 if under else card.host,
            readings=readings.get(card.thing, {}) if card.thing else {},
            tied=tuple(arrange(other, under=True) for other in tied),
        )

    called = game.display.place_name(place.place)
    return replace(place, called=called, cards=tuple(arrange(card) for card in place.cards if card.host not in things))


OPEN = ("each", "up", "top", "all")
"""Visibilities that show single cards of a place."""


class Hand(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """All cards that a seat holds in secret, by place."""

    seat: Seat
    own: bool = False
    places: tuple[R.SeenPlace, ...] = ()


def hands(board: View, schema: Schema) -> tuple[Hand, ...]:
    names = {area.name for area in schema.areas if area.is_hand}
    return tuple(
        Hand(
            seat=seat.seat,
            own=seat.seat == board.viewer,
            places=tuple(place for place in seat.places if place.area in names),
        )
        for seat in board.seats
    )


def render_board(board: View, law: Law, schema: Schema, lang: Lang) -> list[Row]:
    """Render the whole board: clock, seats with their places, maps, shared places, lanes, effects, result."""
    game = law.game
    names = board.names
    title = say("board.title", lang, at=board.entry, viewer=P.seat_name(names, board.viewer, lang))
    clock = tuple(Cell(text, role) for role, text in P.clock_parts(game, board.clock, lang, names))
    rows = [Row("title", (Cell(title, "title"),)), Row("clock", clock)]
    marks = {name: n for name, n in board.marks.items() if not game.display.is_counter(name)}
    if marks:
        rows.append(Row("marks", tuple(mark_cells(marks, game, lang))))
    for seat in board.seats:
        rows += _seat(seat, game, lang, names)
    rows += render_maps(board, law, schema, lang)
    mapped = {area.name for layers in layers_of(schema) for area in layers}
    for place in board.shared:
        rows += () if place.area in mapped else _place_rows(place, game, lang, names, 0)
    lanes: dict[str, tuple[R.SeenFrame, ...]] = {name: getattr(board, name) for name in LANES}
    open_frames = {frame.id: frame for frames in lanes.values() for frame in frames}
    for name, frames in lanes.items():
        if frames:
            rows.append(Row("lane", (Cell(say(f"lane.{name}", lang), "lane"),)))
            for frame in reversed(frames) if name == "stack" else frames:
                rows.append(_frame(frame, game, lang, names))
                if text := P.frame_says(game, frame, lang) or P.question_source_words(game, frame, open_frames, lang):
                    rows.append(Row("text", (Cell(text, "text"),), 2))
    if board.effects:
        rows.append(Row("lane", (Cell(say("lane.effects", lang), "lane"),)))
        rows += [
            Row("effect", (Cell(P.effect_words(game, effect, lang, names), "effect"),), 1) for effect in board.effects
        ]
    if board.result is not None:
        rows.append(Row("result", (Cell(P.result_words(game, board.result, lang, names), "result"),)))
    return rows


def _place_rows(place: R.SeenPlace, game: Game, lang: Lang, names: P.Names, depth: int) -> list[Row]:
    """Render a place if it is worth showing. Cards with derived values or tied cards get rows of their own."""
    if not (place.count or place.least or place.cards) and place.area in game.display.passing:
        return []
    if not any(card.readings or card.tied for card in place.cards):
        return [place_row(place, game, lang, names, depth)]
    cards = (Row("card", tuple(card_cells(card, game, lang, names)), depth + 1) for card in place.cards)
    return [place_row(replace(place, cards=()), game, lang, names, depth), *cards]


def _seat(seat: R.SeenSeat, game: Game, lang: Lang, names: P.Names) -> list[Row]:
    cells = [Cell(P.seat_words(seat.seat, lang), "seat"), *((Cell(seat.name, "name"),) if seat.name else ())]
    if seat.team:
        cells.append(Cell(say("board.team", lang, team=seat.team), "team"))
    marks = dict.fromkeys(game.display.always, 0) | seat.marks
    return [
        Row("seat", (*cells, *mark_cells(marks, game, lang))),
        *(row for place in seat.places for row in _place_rows(place, game, lang, names, 1)),
    ]


def place_row(place: R.SeenPlace, game: Game, lang: Lang, names: P.Names, depth: int) -> Row:
    """Render one place: its name, its count and the visible cards."""
    name = P.word(game, place.area, lang)
    cells = [Cell(f"{name} {P.square_words(game, place.place)}".rstrip(), "place")]
    if place.count is not None:
        cells.append(Cell(say("board.count", lang, n=place.count), "count"))
    elif place.least is not None:
        cells.append(Cell(say("board.least", lang, n=place.least), "count"))
    for card in place.cards:
        cells += card_cells(card, game, lang, names)
    return Row("place", tuple(cells), depth)


def _frame(frame: R.SeenFrame, game: Game, lang: Lang, names: P.Names) -> Row:
    cells = [Cell(P.frame_words(game, frame, lang, names), "frame"), *column_cells(frame, game, lang, names)]
    if frame.step:
        cells.append(Cell(say("lane.step", lang, step=P.word(game, frame.step, lang)), "step"))
    return Row("frame", tuple(cells), 1)


class MatchBoard(Struct, frozen=True):
    """The table after an entry, with its hands and the occasion of the match."""

    match: str
    board: View
    hands: tuple[Hand, ...]
    occasion: Occasion
    announced: str
