"""A card as a piece of the board: what stands on it, how it lies, whose it is, and in words all that is known of it."""

from typing import Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.law.layout import AreaDisplay
from domain.table.redact import LateFace, SeenCard, SeenPlace
from domain.table.table import JUDGE, Seat, whose
from domain.words import say
from projections import phrases as P
from projections.board import OPEN
from projections.cards import card_cells
from service.drawing.markup import NOTHING, element
from service.drawing.setting import Setting, holder

LONG: Final = 3
"""A name of more letters stands on a wider card."""
BACKS: Final = ("each", "up", "top")
"""Sights under which others see the back of what lies face down."""
WIDE: Final = 0x2E80
"""From here on letters are as wide as they are high."""


class PieceContext(Struct, frozen=True):
    """With what a place's pieces are drawn: who looks, what is told in their corners, and the letters of things."""

    setting: Setting
    viewer: Seat
    shown: AreaDisplay
    letters: dict[int, str]
    look: str = ""


def piece(hand: PieceContext, card: SeenCard, place: SeenPlace) -> Markup:
    """A card, with those tied to it under it."""
    setting = hand.setting
    name = face_name(setting, card)
    side = _side(hand, card, place)
    classes = ["c", hand.look, side, _owner(setting, card, place), setting.layout.looks.get(card.stance, "")]
    label = piece_words(setting, card, folded=side == "folded")
    letters = hand.letters.get(card.thing, "")
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
        figures(hand, card),
        element("sup", "", letters) if letters else NOTHING,
        element("ul", "tied", *(piece(hand, tied, place) for tied in card.tied)) if card.tied else NOTHING,
        id=f"t{card.thing}" if card.thing else "",
        data_t=card.thing or "",
        aria_label=label,
    )


def lying(hand: PieceContext, place: SeenPlace) -> list[Markup]:
    """What lies at a place: the cards that are seen, and one back for all others, below what lies open on a pile."""
    drawn = [piece(hand, card, place) for card in place.cards]
    unseen = (place.count or place.least or 0) - sum(1 + len(card.tied) for card in place.cards)
    if unseen <= 0:
        return drawn
    area = hand.setting.areas[place.area]
    hidden = _backs(hand.setting, unseen, more=place.count is None)
    return [hidden, *drawn] if area.order == "pile" and area.sight.others in OPEN else [*drawn, hidden]


def _backs(setting: Setting, number: int, more: bool) -> Markup:
    """Cards of which only the number is known, or that there are as many and perhaps more: one back for all."""
    words = say("card.hidden" if number == 1 else "cards.hidden", setting.lang, n=number)
    words = say("draw.more", setting.lang, cards=words) if more else words
    return element("li", "c back many", element("b", "", f"{number}+" if more else str(number)), aria_label=words)


def face_name(setting: Setting, card: SeenCard) -> str:
    """What stands on a card: its name without the code it is typed by, or in short where it has none."""
    if not card.face:
        return ""
    name = P.word(setting.game, card.face, setting.lang).removeprefix(card.face).strip()
    return name or setting.game.display.short(card.face, setting.lang)


def piece_words(setting: Setting, card: SeenCard, folded: bool) -> str:
    """All that is to be read off a card, and whether it lies face down."""
    words = [cell.text for cell in card_cells(replace(card, tied=()), setting.game, setting.lang, setting.names)]
    if folded:
        words.insert(1, say("map.down", setting.lang))
    return P.listed(words, setting.lang)


def figures(hand: PieceContext, card: SeenCard) -> Markup:
    """Readings and marks in the corner of a card."""
    named = hand.shown.figures or [name for name, value in card.readings.items() if isinstance(value, int)]
    numbers = "/".join(str(card.readings[name]) for name in named if name in card.readings)
    marks = [
        element("small", "", "•" if hand.setting.game.display.is_flag(name) else str(card.marks[name]))
        for name in hand.shown.badges
        if card.marks.get(name)
    ]
    learned = _learned(hand.setting, card.later) if card.later is not None else NOTHING
    return element("i", "", numbers, *marks, learned) if numbers or marks or learned else NOTHING


def _learned(setting: Setting, later: LateFace) -> Markup:
    """What a card turned out to be that was unknown then."""
    return element("small", "later", f"→{setting.game.display.short(later.face, setting.lang)}")


def _side(hand: PieceContext, card: SeenCard, place: SeenPlace) -> str:
    """Which side a viewer sees: face, face of what lies face down for others, back, or what not even the log knows.

    The top of a pile that is seen, and cannot be followed, lies face up.
    """
    area = hand.setting.areas[place.area]
    if card.face:
        return "folded" if card.thing and not card.up and area.sight.others in BACKS else "up"
    seat = whose(place.place) or card.controller or card.owner
    sees_all = hand.viewer == JUDGE or (hand.viewer == seat and area.sight.owner == "all")
    return "unknown" if card.up or sees_all else "back"


def _owner(setting: Setting, card: SeenCard, place: SeenPlace) -> str:
    seat = holder(card, place.place)
    return f"o{setting.numbers[seat]}" if seat in setting.numbers else ""
