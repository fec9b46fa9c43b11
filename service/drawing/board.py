"""Boards as HTML: strips by key, and the frame that holds them."""

from functools import partial
from typing import assert_never

from markupsafe import Markup

from domain.law.law import Law
from domain.law.layout import Layer, Layout
from domain.table.redact import SeenPlace, View
from domain.table.schema import Area, Schema, family
from domain.table.table import Place, Seat, square
from domain.words import Lang, say
from projections import phrases as P
from projections.cards import mark_cells
from projections.stack_rows import column_cells
from service.drawing import strips as S
from service.drawing.markup import NOTHING, element, join_markup
from service.drawing.pieces import PieceContext, draw_place, piece
from service.drawing.positions import frame_of, side_of
from service.drawing.setting import DrawingContext
from service.drawing.strips import GridSquare, LineStrip


def line(key: str, strip: LineStrip, setting: DrawingContext) -> Markup:
    number = element("span", "rh", setting.row_names[strip.grid][strip.row - 1], role="rowheader")
    squares = (
        setting.cached_drawing(f"{key}.{square.column}", square, partial(_draw_square, strip, square, setting))
        for square in strip.squares
    )
    return element("div", "strip ln", number, *squares, role="row", data_strip=key)


def row(key: str, strip: LineStrip, setting: DrawingContext, *, turned: bool) -> Markup:
    """Return a line as a table row. `turned`: from right to left."""
    number = element("th", "", setting.row_names[strip.grid][strip.row - 1], scope="row")
    cells = [_draw_square(strip, square, setting, tabled=True) for square in strip.squares]
    return element("tr", "strip", number, *(reversed(cells) if turned else cells), data_strip=key)


def _draw_square(strip: LineStrip, square: GridSquare, setting: DrawingContext, *, tabled: bool = False) -> Markup:
    """Return a square. In a table it has no label, because the headings name it."""
    layers = {layer.area: layer for layer in setting.grids[strip.grid]}
    at = Place(f"{strip.grid}:{square.column},{strip.row}")
    labels = setting.square_labels.get(at, ())
    classes = ["q", *(f"z{setting.numbers[word.seat]}" for word in labels[:1] if word.seat in setting.numbers)]
    pieces: list[Markup] = []
    letters = dict(square.letters)
    for place in square.places:
        layer = layers[place.area]
        pieces += draw_place(PieceContext(setting, square.viewer, layer, letters, layer.look), place)
    if square.tied:
        corner = SeenPlace(place=at, area=strip.grid)
        context = PieceContext(setting, square.viewer, Layer(area=strip.grid, look="corner"), letters)
        tied = element("ul", "", *(piece(context, card, corner) for card in square.tied))
        pieces.append(element("li", "corner", tied))
    if square.aimed is not None:
        classes.append("aim")
    name = P.square_words(setting.game, at)
    words = P.listed(
        (P.owned_words(setting.game, word.word, word.seat, setting.lang, setting.names) for word in labels),
        setting.lang,
    )
    content = (
        element("ul", "", *pieces) if pieces else NOTHING,
        element("sup", "", square.aimed) if square.aimed else NOTHING,
    )
    if tabled:
        label = element("span", "said", words) if words else NOTHING
        return element("td", "", element("div", " ".join(classes), label, *content), data_at=name)
    return element(
        "div",
        " ".join(classes),
        *content,
        role="gridcell",
        aria_label=say("draw.square", setting.lang, square=name, known=words) if words else name,
        data_at=name,
    )


def strips(view: View, law: Law, schema: Schema, lang: Lang, layout: Layout | None = None) -> dict[str, Markup]:
    """Return the strips of a board by key. The keys are the same throughout a match."""
    return strips_in(view, DrawingContext(law, schema, lang, layout, names=view.names))


def strips_in(view: View, setting: DrawingContext) -> dict[str, Markup]:
    return {key: draw(key, strip, setting) for key, strip in S.strips_of(view, setting).items()}


def frame(
    view: View, law: Law, schema: Schema, lang: Lang, near: Seat | None = None, layout: Layout | None = None
) -> Markup:
    """Return the whole board. Apart from the strips it is the same throughout a match. `near` is the seat drawn at the
    bottom: by default the viewer's, or the first."""
    return frame_in(view, DrawingContext(law, schema, lang, layout, names=view.names), near)


def frame_in(view: View, setting: DrawingContext, near: Seat | None = None, *, tabled: bool = False) -> Markup:
    """Return the whole board, using the cache of the setting. `tabled`: grids are tables."""
    seats, below, drawn = tuple(seat.seat for seat in view.seats), near or view.viewer, strips_in(view, setting)
    if tabled:
        turned = side_of(seats, below) > 0
        drawn |= {
            key: row(key, strip, setting, turned=turned)
            for key, strip in S.strips_of(view, setting).items()
            if isinstance(strip, S.LineStrip)
        }
    return frame_of(setting, seats, below, drawn, tabled=tabled)


def draw(key: str, strip: S.Strip, setting: DrawingContext) -> Markup:
    return setting.cached_drawing(key, strip, lambda: _draw(key, strip, setting))


def _draw(key: str, strip: S.Strip, setting: DrawingContext) -> Markup:
    match strip:
        case S.AreaStrip():
            return _draw_area(key, strip, setting)
        case S.LineStrip():
            return line(key, strip, setting)
        case S.SeatStrip():
            return _draw_seat(key, strip, setting)
        case S.ClockStrip():
            return _draw_clock(key, strip, setting)
        case S.LanesStrip():
            return _draw_lanes(key, strip, setting)
        case S.EffectsStrip():
            return _draw_effects(key, strip, setting)
        case S.ResultStrip():
            return _draw_result(key, strip, setting)
        case _:
            assert_never(strip)


def _hidden_strip(key: str) -> Markup:
    return element("section", "strip", data_strip=key, hidden=True)


def _draw_area(key: str, strip: S.AreaStrip, setting: DrawingContext) -> Markup:
    slot, lang, area = strip.slot, setting.lang, setting.areas[strip.slot.area]
    places = strip.places
    if area.order == "slots" and area.sight.others != "nothing":
        places = _all_slots(area, strip)
    if not places or (strip.spare and not any(map(_has_cards, places))):
        return _hidden_strip(key)
    context = PieceContext(setting, strip.viewer, slot, dict(strip.letters))
    pieces = [drawn for place in places for drawn in draw_place(context, place) or _draw_empty(place, setting)]
    name, number = P.word(setting.game, slot.area, lang), _card_count(places)
    heading = element("h3", "", name, element("b", "", number) if number else NOTHING)
    if not pieces:
        return element("section", "strip area none", heading, data_strip=key)
    of_seat = P.owned_words(setting.game, slot.area, strip.seat or None, lang, setting.names)
    at = len(pieces) - 1 if slot.shape == "pile" else slot.most
    first, others = (pieces[at:], pieces[:at]) if slot.shape == "pile" else (pieces[:at], pieces[at:])
    content = [heading, element("ul", slot.shape, *first, aria_label=f"{of_seat} {number}".strip())]
    if others:
        more = say("draw.others", lang, n=len(others), area=of_seat)
        rest = element("ul", "row", *others, aria_label=more)
        content.append(element("details", "", element("summary", "", f"+{len(others)}", aria_label=more), rest))
    return element("section", "strip area", *content, data_strip=key)


def _all_slots(area: Area, strip: S.AreaStrip) -> tuple[SeenPlace, ...]:
    taken = {place.place: place for place in strip.places}
    names = (Place(f"{strip.seat}.{area.name}:{number}") for number in range(1, area.size[0] + 1))
    return tuple(taken.get(name, SeenPlace(place=name, area=area.name, count=0)) for name in names)


def _draw_empty(place: SeenPlace, setting: DrawingContext) -> list[Markup]:
    name = P.square_words(setting.game, place.place)
    return [element("li", "c empty", name, aria_label=name)] if square(place.place) else []


def _has_cards(place: SeenPlace) -> bool:
    return bool(place.count or place.least or place.cards)


def _card_count(places: tuple[SeenPlace, ...]) -> str:
    """Return the number of cards as far as it is known: "3", "3+" or ""."""
    if any(place.least is not None for place in places):
        return f"{sum(place.least or place.count or 0 for place in places)}+"
    if any(place.count is None for place in places):
        return ""
    return str(sum(place.count or 0 for place in places))


def _draw_seat(key: str, strip: S.SeatStrip, setting: DrawingContext) -> Markup:
    seat, lang, game = strip.seat, setting.lang, setting.game
    parts = [element("b", "name" if seat.name else "", P.seat_name(setting.names, seat.seat, lang))]
    if seat.team:
        parts.append(element("span", "team", say("board.team", lang, team=seat.team)))
    if strip.active:
        parts.append(element("span", "active", say("draw.active", lang)))
    if strip.awaited:
        parts.append(element("span", "awaited", say("draw.awaited", lang)))
    marks = dict.fromkeys(game.display.always, 0) | seat.marks
    marks = {name: n for name, n in marks.items() if not game.display.is_counter(name)}
    layout_marks = setting.layout.marks
    shown = {
        name: n
        for name, n in marks.items()
        if layout_marks is None or name in layout_marks or family(name) in layout_marks
    }
    rest = {name: n for name, n in marks.items() if n and name not in shown}
    if shown:
        parts.append(_draw_marks(shown, setting))
    if rest:
        more = element("summary", "", "…", aria_label=say("draw.marks", lang))
        parts.append(element("details", "", more, _draw_marks(rest, setting)))
    states = {"turn": strip.active, "asked": strip.awaited, "out": strip.out}
    classes = ["strip", "seat", f"o{setting.numbers.get(seat.seat, 0)}", *(name for name in states if states[name])]
    return element("header", " ".join(classes), *parts, data_strip=key)


def _draw_marks(marks: dict[str, int], setting: DrawingContext) -> Markup:
    cells = mark_cells(marks, setting.game, setting.lang)
    return element("ul", "marks", *(element("li", "", cell.text) for cell in cells))


def _draw_clock(key: str, strip: S.ClockStrip, setting: DrawingContext) -> Markup:
    game, lang = setting.game, setting.lang
    parts = [element("span", role, text) for role, text in P.clock_parts(game, strip.clock, lang, setting.names)]
    marks = {name: n for name, n in strip.marks.items() if not game.display.is_counter(name)}
    parts += [element("span", "mark", cell.text) for cell in mark_cells(marks, game, lang)]
    return element("p", "strip clock", *parts, data_strip=key) if parts else _hidden_strip(key)


def _draw_lanes(key: str, strip: S.LanesStrip, setting: DrawingContext) -> Markup:
    game, lang = setting.game, setting.lang
    if not strip.lanes:
        return _hidden_strip(key)
    letters = dict(strip.letters)
    open_frames = {frame.id: frame for _, frames in strip.lanes for frame in frames}
    parts: list[Markup] = []
    for lane, frames in strip.lanes:
        rows: list[Markup] = []
        for open_frame in reversed(frames) if lane == "stack" else frames:
            cells = [
                element("span", cell.role, cell.text) for cell in column_cells(open_frame, game, lang, setting.names)
            ]
            if open_frame.step:
                cells.append(element("span", "step", say("lane.step", lang, step=P.word(game, open_frame.step, lang))))
            text = P.frame_says(game, open_frame, lang) or P.question_source_words(game, open_frame, open_frames, lang)
            mark = letters.get(open_frame.id, "")
            rows.append(
                element(
                    "li",
                    "",
                    element("sup", "", mark) if mark else NOTHING,
                    element("b", "", P.frame_words(game, open_frame, lang, setting.names)),
                    *cells,
                    element("q", "", text) if text else NOTHING,
                    data_r=open_frame.id,
                )
            )
        name = say(f"lane.{lane}", lang)
        parts.append(element("h3", "", name))
        parts.append(element("ol", "lane", join_markup(rows), aria_label=name))
    return element("section", "strip lanes", *parts, data_strip=key)


def _draw_effects(key: str, strip: S.EffectsStrip, setting: DrawingContext) -> Markup:
    if not strip.effects:
        return _hidden_strip(key)
    name = say("lane.effects", setting.lang)
    words = (
        element("li", "", P.effect_words(setting.game, effect, setting.lang, setting.names)) for effect in strip.effects
    )
    return element(
        "section",
        "strip effects",
        element("h3", "", name),
        element("ul", "", join_markup(words), aria_label=name),
        data_strip=key,
    )


def _draw_result(key: str, strip: S.ResultStrip, setting: DrawingContext) -> Markup:
    if strip.result is None:
        return _hidden_strip(key)
    return element(
        "p", "strip result", P.result_words(setting.game, strip.result, setting.lang, setting.names), data_strip=key
    )
