"""How the things to choose from are called: by face, thing number, seat, kind, in the eyes of the one who acts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cli.play.offering import Seen
from cli.play.picking import Item
from domain.formats.names import called
from domain.law.rulebook import Lang
from domain.law.slots import Action, SlotKind, slots
from domain.table.physics import Physics
from domain.table.redact import knows, see_frame
from domain.table.table import CardId, FrameId, Place, Seat, whose, zone
from domain.table.table import frame as frame_of
from projections.phrases import frame_words, place_words
from projections.stack_rows import HELD, aims
from projections.words import say

_PARTS = re.compile(r"([0-9]{1,18})")


def kind_of(action: type[Action], name: str) -> SlotKind:
    """What a slot of a type of action names."""
    return next(one.slot.kind for one in slots(action) if one.name == name)


def is_spelled(action: type[Action], name: str) -> bool:
    """Do words of this slot begin alike?"""
    words = [word for one in slots(action) if one.name == name for word in one.slot.words if word]
    return len({word[0] for word in words}) < len(words)


def items(seen: Seen, physics: Physics, kind: SlotKind, values: Sequence[Any], lang: Lang) -> list[Item]:
    """What may stand in a slot, cards by their faces' order, everything else as it is offered."""
    match kind:
        case "card" | "cards" | "order" | "pairs":
            found = [_card(seen, physics, card, lang) for card in values]
            return _told_apart(seen, sorted(found, key=lambda item: _order(item.label)))
        case "frame" | "frames":
            return [_frame(seen, physics, one, lang) for one in values]
        case "seat":
            return [Item(one, str(one), (str(one).lower(),)) for one in values]
        case "flag":
            return [_flag(bool(one), lang) for one in values]
        case "place":
            return [Item(one, place_words(seen.law.game, Place(one), lang), (str(one).lower(),)) for one in values]
        case _:
            return [Item(one, seen.law.game.rulebook.word(str(one), lang), (str(one).lower(),)) for one in values]


def one_of_alike(seen: Seen, physics: Physics, cards: Sequence[CardId]) -> list[CardId]:
    """Of cards that differ in nothing and lie hidden in one place only the first is offered."""
    kept: dict[Any, CardId] = {}
    for card in cards:
        piece = seen.table.pieces[card]
        alike = (piece.place, piece.face, piece.owner, piece.seen, piece.stance, tuple(piece.marks.items()))
        hidden = not piece.up and not piece.host and piece.face and knows(physics, seen.table, seen.actor, card)
        kept.setdefault(alike if hidden else card, card)
    return list(kept.values())


def card_item(seen: Seen, physics: Physics, card: CardId, lang: Lang) -> Item:
    """One card of a pair: its face and its thing number."""
    item = _card(seen, physics, card, lang)
    return _full(seen, item)


def _card(seen: Seen, physics: Physics, card: CardId, lang: Lang) -> Item:
    piece = seen.table.pieces[card]
    thing = f"u{piece.thing}"
    if piece.face and knows(physics, seen.table, seen.actor, card):
        label = seen.law.game.rulebook.word(piece.face, lang)
        name = label.removeprefix(piece.face).lower()
        codes = (piece.face.lower(), thing, label.lower(), name)
        return Item(card, label, tuple(dict.fromkeys(code for one in codes if (code := "".join(one.split())))))
    return Item(card, thing, (thing,))


def _told_apart(seen: Seen, found: list[Item]) -> list[Item]:
    """Cards of several seats with their seat, equal faces with their thing numbers."""
    places = [seen.table.pieces[item.value].place for item in found]
    owners = [whose(place) or zone(place) for place in places]
    labels = [item.label for item in found]
    told: list[Item] = []
    for item, owner in zip(found, owners, strict=True):
        one = _full(seen, item) if labels.count(item.label) > 1 else item
        told.append(Item(one.value, f"{one.label} {owner}", one.codes) if len(set(owners)) > 1 else one)
    return told


def _full(seen: Seen, item: Item) -> Item:
    thing = f"u{seen.table.pieces[item.value].thing}"
    return item if item.label == thing else Item(item.value, f"{item.label} ({thing})", item.codes)


def _frame(seen: Seen, physics: Physics, one: FrameId, lang: Lang) -> Item:
    found = frame_of(seen.table, one)
    if found is None:
        return Item(one, f"r{one}", (f"r{one}",))
    shown = see_frame(physics, seen.table, seen.actor, found)
    codes = (f"r{one}", found.kind, *((shown.face.lower(),) if shown.face else ()))
    held = (cell.text for cell in aims(shown, seen.law.game, lang) if cell.role == HELD)
    return Item(one, " ".join((frame_words(seen.law.game, shown, lang), *held)), codes)


def _flag(one: bool, lang: Lang) -> Item:
    code = "yes" if one else "no"
    return Item(one, f"{say(code, lang)} ({code[0]})" if lang != "en" else code, (code,))


def _order(label: str) -> list[tuple[int, str]]:
    """Faces by suit and number, as people sort a hand."""
    return [(int(part), "") if _PARTS.fullmatch(part) else (-1, part) for part in _PARTS.split(label) if part]


def seats_of(table_seats: Sequence[Seat], text: str, names: Mapping[Seat, str]) -> tuple[Seat, ...] | str:
    """The seats of a list, by their names or their players', or the first that is none."""
    wanted = [one.strip() for one in text.split(",")]
    wanted = [one if one in table_seats or len(seats := called(names, one)) != 1 else seats[0] for one in wanted]
    wrong = next((one for one in wanted if one not in table_seats), None)
    return wrong if wrong is not None else tuple(seat for seat in table_seats if seat in wanted)
