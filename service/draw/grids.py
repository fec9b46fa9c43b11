"""A line of a grid as markup: its squares from left to right, each with all that lies there."""

from functools import partial

from markupsafe import Markup

from domain.law.layout import Layer
from domain.table.redact import SeenPlace
from domain.table.table import Place
from domain.words import say
from projections import phrases as P
from service.draw.markup import NOTHING, element
from service.draw.pieces import Hand, lying, piece
from service.draw.setting import Setting
from service.draw.strips import LineStrip, Square


def line(key: str, strip: LineStrip, setting: Setting) -> Markup:
    """One line, its number before it."""
    number = element("span", "rh", setting.row_names[strip.grid][strip.row - 1], role="rowheader")
    squares = (
        setting.remembered(f"{key}.{square.column}", square, partial(_square, strip, square, setting))
        for square in strip.squares
    )
    return element("div", "strip ln", number, *squares, role="row", data_strip=key)


def row(key: str, strip: LineStrip, setting: Setting, *, turned: bool) -> Markup:
    """The same as a row of a table under its heading; `turned`: from right to left."""
    number = element("th", "", setting.row_names[strip.grid][strip.row - 1], scope="row")
    cells = [_square(strip, square, setting, tabled=True) for square in strip.squares]
    return element("tr", "strip", number, *(reversed(cells) if turned else cells), data_strip=key)


def _square(strip: LineStrip, square: Square, setting: Setting, *, tabled: bool = False) -> Markup:
    """A square; in a table its headings say which it is."""
    layers = {layer.area: layer for layer in setting.grids[strip.grid]}
    at = Place(f"{strip.grid}:{square.column},{strip.row}")
    known = setting.known.get(at, ())
    classes = ["q", *(f"z{setting.numbers[word.seat]}" for word in known[:1] if word.seat in setting.numbers)]
    pieces: list[Markup] = []
    letters = dict(square.letters)
    for place in square.places:
        layer = layers[place.area]
        pieces += lying(Hand(setting, square.viewer, layer, letters, layer.look), place)
    if square.tied:
        corner = SeenPlace(place=at, area=strip.grid)
        hand = Hand(setting, square.viewer, Layer(area=strip.grid, look="corner"), letters)
        tied = element("ul", "", *(piece(hand, card, corner) for card in square.tied))
        pieces.append(element("li", "corner", tied))
    if square.aimed is not None:
        classes.append("aim")
    name = P.square_words(setting.game, at)
    words = P.listed((P.owned_words(setting.game, word.word, word.seat, setting.lang) for word in known), setting.lang)
    lying_there = (
        element("ul", "", *pieces) if pieces else NOTHING,
        element("sup", "", square.aimed) if square.aimed else NOTHING,
    )
    if tabled:
        told = element("span", "said", words) if words else NOTHING
        return element("td", "", element("div", " ".join(classes), told, *lying_there), data_at=name)
    return element(
        "div",
        " ".join(classes),
        *lying_there,
        role="gridcell",
        aria_label=say("draw.square", setting.lang, square=name, known=words) if words else name,
        data_at=name,
    )
