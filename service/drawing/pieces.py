"""Cards as pieces of the board: name, side, owner, figures, and a label with all that is known."""

from typing import Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.law.layout import AreaDisplay
from domain.table.redact import LateFace, SeenCard, SeenPlace
from domain.table.table import JUDGE, Seat, seat_of
from domain.words import say
from projections import phrases as P
from projections.board import OPEN
from projections.cards import card_cells
from service.drawing.markup import NOTHING, element
from service.drawing.setting import DrawingContext, find_holder

LONG: Final = 3
"""Names longer than this get a wider card."""
BACKS: Final = ("each", "up", "top")
"""Visibilities under which others see the back of a face-down card."""
WIDE: Final = 0x2E80
"""First code point that counts as two columns wide."""


class PieceContext(Struct, frozen=True):
    """Context of the pieces at a place: the viewer, the figures to show, and the letters of things."""

    setting: DrawingContext
    viewer: Seat
    shown: AreaDisplay
    letters: dict[int, str]
    look: str = ""


def piece(context: PieceContext, card: SeenCard, place: SeenPlace) -> Markup:
    setting = context.setting
    name = face_name(setting, card)
    side = _visible_side(context, card, place)
    classes = ["c", context.look, side, _owner_class(setting, card, place), setting.layout.looks.get(card.stance, "")]
    label = piece_words(setting, card, folded=side == "folded")
    letters = context.letters.get(card.thing, "")
    if letters:
        classes.append("aim")
    if sum(2 if ord(letter) >= WIDE else 1 for letter in name) > LONG:
        classes.append("long")
    if card.tied:
        classes.append("host")
    shown = name or (f"u{card.thing}" if side == "back" and card.thing else "" if side == "back" else "?")
    return element(
        "li",
        " ".join(filter(None, classes)),
        element("b", "", shown),
        figures(context, card),
        element("sup", "", letters) if letters else NOTHING,
        element("ul", "tied", *(piece(context, tied, place) for tied in card.tied)) if card.tied else NOTHING,
        id=f"t{card.thing}" if card.thing else "",
        data_t=card.thing or "",
        aria_label=label,
    )


def draw_place(context: PieceContext, place: SeenPlace) -> list[Markup]:
    """Return the pieces at a place: the visible cards, and one back for the rest. On a pile the back lies below the
    open cards."""
    visible = [piece(context, card, place) for card in place.cards]
    unseen = (place.count or place.least or 0) - sum(1 + len(card.tied) for card in place.cards)
    if unseen <= 0:
        return visible
    area = context.setting.areas[place.area]
    hidden = _draw_back(context.setting, unseen, more=place.count is None)
    return [hidden, *visible] if area.order == "pile" and area.sight.others in OPEN else [*visible, hidden]


def _draw_back(setting: DrawingContext, number: int, more: bool) -> Markup:
    """Return one back for cards that are only counted. `more`: there may be more."""
    words = say("card.hidden" if number == 1 else "cards.hidden", setting.lang, n=number)
    words = say("draw.more", setting.lang, cards=words) if more else words
    return element("li", "c back many", element("b", "", f"{number}+" if more else str(number)), aria_label=words)


def face_name(setting: DrawingContext, card: SeenCard) -> str:
    """Return the name on a card without its printed id, or a short form if it has none."""
    if not card.face:
        return ""
    name = P.word(setting.game, card.face, setting.lang).removeprefix(card.face).strip()
    return name or setting.game.display.short(card.face, setting.lang)


def piece_words(setting: DrawingContext, card: SeenCard, folded: bool) -> str:
    """Return the label of a card. `folded`: it lies face down."""
    words = [cell.text for cell in card_cells(replace(card, tied=()), setting.game, setting.lang, setting.names)]
    if folded:
        words.insert(1, say("map.down", setting.lang))
    return P.listed(words, setting.lang)


def figures(context: PieceContext, card: SeenCard) -> Markup:
    names = context.shown.figures or [name for name, value in card.readings.items() if isinstance(value, int)]
    numbers = "/".join(str(card.readings[name]) for name in names if name in card.readings)
    marks = [
        element("small", "", "•" if context.setting.game.display.is_flag(name) else str(card.marks[name]))
        for name in context.shown.badges
        if card.marks.get(name)
    ]
    learned = _draw_later_face(context.setting, card.later) if card.later is not None else NOTHING
    return element("i", "", numbers, *marks, learned) if numbers or marks or learned else NOTHING


def _draw_later_face(setting: DrawingContext, later: LateFace) -> Markup:
    return element("small", "later", f"→{setting.game.display.short(later.face, setting.lang)}")


def _visible_side(context: PieceContext, card: SeenCard, place: SeenPlace) -> str:
    """Return the visible side: "up", "folded" (face down for others), "back", or "unknown" (the log has no face
    either). A visible card on top of a pile that cannot be tracked lies face up."""
    area = context.setting.areas[place.area]
    if card.face:
        return "folded" if card.thing and not card.up and area.sight.others in BACKS else "up"
    seat = seat_of(place.place) or card.controller or card.owner
    sees_all = context.viewer == JUDGE or (context.viewer == seat and area.sight.owner == "all")
    return "unknown" if card.up or sees_all else "back"


def _owner_class(setting: DrawingContext, card: SeenCard, place: SeenPlace) -> str:
    seat = find_holder(card, place.place)
    return f"o{setting.numbers[seat]}" if seat in setting.numbers else ""
