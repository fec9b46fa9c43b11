"""A line of a grid as markup: its squares from left to right, each with all that lies there."""

from itertools import takewhile

from markupsafe import Markup

from domain.law.layout import Layer
from domain.table.redact import SeenPlace
from domain.table.table import Place
from domain.words import say
from projections import phrases as P
from service.draw.markup import NOTHING, Content, element, joined
from service.draw.pieces import Hand, backs, piece
from service.draw.setting import Setting
from service.draw.strips import LineStrip


def line(key: str, strip: LineStrip, setting: Setting) -> Markup:
    """One line, its number before it."""
    layers = {layer.area: layer for layer in setting.grids[strip.grid]}
    letters, aimed = dict(strip.letters), dict(strip.aimed)
    squares = [_square(strip, column, setting, layers, letters, aimed) for column in range(1, len(strip.squares) + 1)]
    return element(
        "div",
        "strip ln",
        element("span", "rh", row_name(setting, strip.grid, strip.row), role="rowheader"),
        *squares,
        role="row",
        data_strip=key,
    )


def _square(
    strip: LineStrip,
    column: int,
    setting: Setting,
    layers: dict[str, Layer],
    letters: dict[int, str],
    aimed: dict[Place, str],
) -> Markup:
    at = Place(f"{strip.grid}:{column},{strip.row}")
    name = P.square_words(setting.game, at)
    known = setting.known.get(at, ())
    classes, pieces = ["q"], list[Content]()
    classes += [f"z{setting.numbers[word.seat]}" for word in known[:1] if word.seat in setting.numbers]
    for place in strip.squares[column - 1]:
        layer = layers[place.area]
        pieces += _lying(Hand(setting, strip.viewer, layer, letters), place, layer.look)
        classes += [layer.look] if layer.look == "tile" else []
    hosts = {card.thing for place in strip.squares[column - 1] for card in place.cards}
    corner = [other for host, other in strip.tied if host in hosts]
    hand = Hand(setting, strip.viewer, Layer(area=strip.grid, look="corner"), letters)
    tied = [piece(hand, other, SeenPlace(place=at, area=strip.grid)) for other in corner]
    if tied:
        pieces.append(element("li", "corner", element("ul", "", joined(tied))))
    here = "".join(dict.fromkeys(aimed[place] for place in aimed if place.endswith(f":{column},{strip.row}")))
    if any(place.endswith(f":{column},{strip.row}") for place in aimed):
        classes.append("aim")
    words = P.listed((P.owned_words(setting.game, word.word, word.seat, setting.lang) for word in known), setting.lang)
    label = say("draw.square", setting.lang, square=name, known=words) if words else name
    return element(
        "div",
        " ".join(classes),
        element("ul", "", joined(pieces)) if pieces else NOTHING,
        element("sup", "", here) if here else NOTHING,
        role="gridcell",
        aria_label=label,
        data_at=name,
    )


def _lying(hand: Hand, place: SeenPlace, look: str) -> list[Markup]:
    drawn = [piece(hand, card, place, look) for card in place.cards]
    unseen = (place.count or place.least or 0) - sum(1 + len(card.tied) for card in place.cards)
    return [*drawn, backs(hand.setting, unseen)] if unseen > 0 else drawn


def row_name(setting: Setting, grid: str, row: int) -> str:
    """What all names of squares in a row end with: `4`."""
    columns, _ = setting.areas[grid].size
    names = [square_name(setting, grid, column, row) for column in range(1, columns + 1)]
    return _beginning([name[::-1] for name in names])[::-1].strip(",")


def column_name(setting: Setting, grid: str, column: int) -> str:
    """What all names of squares in a column begin with: `c`."""
    _, rows = setting.areas[grid].size
    return _beginning([square_name(setting, grid, column, row) for row in range(1, rows + 1)]).strip(",")


def square_name(setting: Setting, grid: str, column: int, row: int) -> str:
    """What people call a square."""
    return P.square_words(setting.game, Place(f"{grid}:{column},{row}"))


def _beginning(names: list[str]) -> str:
    return "".join(letters[0] for letters in takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False)))
