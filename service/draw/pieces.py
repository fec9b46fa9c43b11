"""A card as a piece of the board: what stands on it, how it lies, whose it is, and in words all that is known of it."""

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.law.layout import Shown
from domain.table.redact import SeenCard, SeenPlace
from domain.table.table import JUDGE, Seat, whose
from domain.words import say
from projections import phrases as P
from projections.cards import card_cells
from service.draw.markup import NOTHING, element, joined
from service.draw.setting import Setting, holder

LONG = 3
"""A name of more letters stands on a wider card."""


class Hand(Struct, frozen=True):
    """With what a place's pieces are drawn: who looks, what is told in their corners, and the letters of things."""

    setting: Setting
    viewer: Seat
    shown: Shown
    letters: dict[int, str]


def piece(hand: Hand, card: SeenCard, place: SeenPlace, tag: str = "li") -> Markup:
    """A card, with those tied to it under it."""
    setting = hand.setting
    name = face_name(setting, card)
    side = _side(hand, card, place)
    classes = ["c", side, _owner(setting, card, place), setting.layout.looks.get(card.stance, "")]
    label = piece_words(setting, card, folded=side == "folded")
    letters = hand.letters.get(card.thing, "")
    if letters:
        classes.append("aim")
    if len(name) > LONG:
        classes.append("long")
    if card.tied:
        classes.append("host")
    under = joined(piece(hand, tied, place) for tied in card.tied)
    shown = name or (f"u{card.thing}" if side == "back" and card.thing else "" if side == "back" else "?")
    return element(
        tag,
        " ".join(filter(None, classes)),
        element("b", "", shown),
        figures(hand, card),
        element("sup", "", letters) if letters else NOTHING,
        element("ul", "tied", under) if card.tied else NOTHING,
        id=f"t{card.thing}" if card.thing else "",
        data_t=card.thing or "",
        aria_label=label,
    )


def backs(setting: Setting, number: int) -> Markup:
    """Cards of which only the number is known: one back for all of them."""
    words = say("card.hidden" if number == 1 else "cards.hidden", setting.lang, n=number)
    return element("li", "c back many", element("b", "", str(number)), aria_label=words)


def face_name(setting: Setting, card: SeenCard) -> str:
    """What stands on a card: its name without the code it is typed by, or in short where it has none."""
    if not card.face:
        return ""
    name = P.word(setting.game, card.face, setting.lang).removeprefix(card.face).strip()
    return name or setting.game.display.short(card.face, setting.lang)


def piece_words(setting: Setting, card: SeenCard, folded: bool) -> str:
    """All that is to be read off a card, and whether it lies face down."""
    words = [cell.text for cell in card_cells(replace(card, tied=()), setting.game, setting.lang)]
    if folded:
        words.insert(1, say("map.down", setting.lang))
    return P.listed(words, setting.lang)


def figures(hand: Hand, card: SeenCard) -> Markup:
    """Readings and marks in the corner of a card."""
    named = hand.shown.figures or [name for name, value in card.readings.items() if isinstance(value, int)]
    numbers = "/".join(str(card.readings[name]) for name in named if name in card.readings)
    marks = "".join(
        element("small", "", "•" if hand.setting.game.display.is_flag(name) else str(card.marks[name]))
        for name in hand.shown.badges
        if card.marks.get(name)
    )
    return joined((element("i", "", numbers) if numbers else NOTHING, Markup(marks)))


def _side(hand: Hand, card: SeenCard, place: SeenPlace) -> str:
    """Which side a viewer sees: face, face of what lies face down for others, back, or what not even the log knows."""
    area = hand.setting.areas[place.area]
    if card.face:
        return "folded" if not card.up and area.sight.others in ("each", "up", "top") else "up"
    seat = whose(place.place) or card.controller or card.owner
    sees_all = hand.viewer == JUDGE or (hand.viewer == seat and area.sight.owner == "all")
    return "unknown" if card.up or sees_all else "back"


def _owner(setting: Setting, card: SeenCard, place: SeenPlace) -> str:
    seat = holder(card, place.place)
    return f"o{setting.numbers[seat]}" if seat in setting.numbers else ""
