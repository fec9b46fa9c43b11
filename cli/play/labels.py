"""Labels of the things to choose from: faces, thing numbers, seats and kinds, as the acting seat sees them."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cli.play.offers import ActorPosition
from cli.play.picker import Item
from domain.formats.names import seats_of_player
from domain.law.game import Game
from domain.law.rulebook import Lang
from domain.law.slots import Action, Slot, SlotKind, may_name, slots, verb
from domain.table.physics import Physics
from domain.table.redact import SeenFrame, TableViewer
from domain.table.table import CardId, FrameId, Place, Seat, frame as frame_of, seat_of, zone
from domain.words import say
from projections.phrases import Names, frame_words, place_words, seat_name
from projections.stack_rows import HELD, column_cells

_PARTS = re.compile(r"([0-9]{1,18})")


def slot_of(action: type[Action], name: str) -> Slot:
    return next(named.slot for named in slots(action) if named.name == name)


def kind_of(action: type[Action], name: str) -> SlotKind:
    return slot_of(action, name).kind


def form_of(action: type[Action]) -> str:
    return " ".join((verb(action), *(named.name for named in slots(action))))


def ending_verbs(game: Game) -> set[str]:
    return {verb(kind) for kind in game.action_types if kind.ends_match}


def is_spelled(action: type[Action], name: str) -> bool:
    """True if some words of this slot have the same first letter."""
    words = [word for named in slots(action) if named.name == name for word in named.slot.words if word]
    return len({word[0] for word in words}) < len(words)


def items(seen: ActorPosition, physics: Physics, kind: SlotKind, values: Sequence[Any], lang: Lang) -> list[Item]:
    """Return items for the values of a slot: cards in order of faces, other values as offered."""
    game = seen.law.game
    match kind:
        case "card" | "cards" | "order" | "pairs":
            cards = [_card(seen, physics, card, lang) for card in values]
            return _tell_apart(seen, sorted(cards, key=lambda item: _order(item.label)), lang)
        case "frame" | "frames":
            return [_frame(seen, physics, number, lang) for number in values]
        case "flag":
            return [_flag(bool(value), lang) for value in values]
        case "seat":
            return [seat_item(seat, str(seat), seen.names, lang) for seat in values]
        case "place" | "places":
            return [_place(seen, Place(place), lang) for place in values]
        case _:
            labels = [game.rulebook.word(str(code), lang) for code in values]
    return [Item(value, label, (str(value).lower(),)) for value, label in zip(values, labels, strict=True)]


def one_of_alike(seen: ActorPosition, physics: Physics, cards: Sequence[CardId]) -> list[CardId]:
    """Return cards without duplicates: of equal cards hidden in one place, only the first."""
    unique: dict[object, CardId] = {}
    for card in cards:
        piece = seen.table.pieces[card]
        alike = (piece.place, piece.face, piece.owner, piece.seen, piece.stance, tuple(piece.marks.items()))
        hidden = (
            not piece.up and not piece.host and piece.face and TableViewer(physics, seen.actor).knows(seen.table, card)
        )
        unique.setdefault(alike if hidden else card, card)
    return list(unique.values())


def other_cards(
    seen: ActorPosition, physics: Physics, slot: Slot | None, offered: Container[CardId], lang: Lang
) -> list[Item]:
    """Return the cards that the acting seat can name though a slot does not offer them. Of equal names, the card in the
    slot's zones wins."""
    eyes, named, squares = TableViewer(physics, seen.actor), dict[str, Item](), dict[str, list[bool]]()
    for card, piece in seen.table.pieces.items():
        known = piece.face and eyes.knows(seen.table, card)
        if card in offered or not (known or eyes.follows(seen.table, card)):
            continue
        item = _card(seen, physics, card, lang)
        fits = slot is not None and may_name(piece.place, seen.actor, slot)
        named |= {code: item for code in item.codes if fits or code not in named}
        squares.setdefault(seen.law.game.display.place_name(piece.place).rpartition(":")[2], []).append(bool(fits))
    for square, standing in squares.items():
        if standing.count(any(standing)) > 1:  # ambiguous: several cards in one square
            named.pop(square, None)
    codes: dict[CardId, list[str]] = {}
    for code, item in named.items():
        codes.setdefault(item.value, []).append(code)
    cards = {item.value: item for item in named.values()}
    return [replace(item, codes=tuple(codes[card])) for card, item in cards.items()]


def card_item(seen: ActorPosition, physics: Physics, card: CardId, lang: Lang) -> Item:
    """Return a card of a pair, with face and thing number."""
    return _full(seen, _card(seen, physics, card, lang))


def _card(seen: ActorPosition, physics: Physics, card: CardId, lang: Lang) -> Item:
    piece, game = seen.table.pieces[card], seen.law.game
    thing, place = f"u{piece.thing}", game.display.place_name(piece.place)
    square = place.rpartition(":")[2]
    label, names = thing, [thing]
    if piece.face and TableViewer(physics, seen.actor).knows(seen.table, card):
        label = game.rulebook.word(piece.face, lang)
        name = label.removeprefix(piece.face).lower()
        names = [piece.face.lower(), thing, label.lower(), name]
    codes = ("".join(code.split()) for code in (*names, square, place))
    return Item(card, f"{label} {square}".rstrip(), tuple(dict.fromkeys(filter(None, codes))), bool(square))


def _place(seen: ActorPosition, place: Place, lang: Lang) -> Item:
    game = seen.law.game
    called = game.display.place_name(place)
    codes = filter(None, (called, str(place).lower()))
    return Item(place, place_words(game, place, lang, seen.names), tuple(codes), spelled=bool(called))


def _tell_apart(seen: ActorPosition, cards: list[Item], lang: Lang) -> list[Item]:
    places = [seen.table.pieces[item.value].place for item in cards]
    owners = [seat_name(seen.names, seat, lang) if (seat := seat_of(place)) else zone(place) for place in places]
    labels = [item.label for item in cards]
    labelled = [_full(seen, item) if labels.count(item.label) > 1 else item for item in cards]
    if len(set(owners)) < 2:
        return labelled
    labelled_owners = zip(labelled, owners, strict=True)
    return [item if item.spelled else replace(item, label=f"{item.label} {owner}") for item, owner in labelled_owners]


def seat_item(value: object, seat: str, names: Names, lang: Lang) -> Item:
    """Return a seat, typed by its id or its player's name."""
    label = seat_name(names, seat, lang)
    return Item(value, label, tuple(dict.fromkeys((seat.lower(), "".join(label.lower().split())))))


def _full(seen: ActorPosition, item: Item) -> Item:
    thing = f"u{seen.table.pieces[item.value].thing}"
    return item if thing in item.label.split() else replace(item, label=f"{item.label} ({thing})")


def _frame(seen: ActorPosition, physics: Physics, number: FrameId, lang: Lang) -> Item:
    request = frame_of(seen.table, number)
    if request is None:
        return Item(number, f"r{number}", (f"r{number}",))
    shown = TableViewer(physics, seen.actor).frame(seen.table, request)
    codes = (f"r{number}", request.kind, *((shown.face.lower(),) if shown.face else ()))
    return Item(number, name_frame(seen.law.game, shown, lang, seen.names), codes)


def name_frame(game: Game, shown: SeenFrame, lang: Lang, names: Names) -> str:
    targets = (cell.text for cell in column_cells(shown, game, lang, names) if cell.role == HELD)
    return " ".join((frame_words(game, shown, lang, names), *targets))


def _flag(value: bool, lang: Lang) -> Item:
    code = "yes" if value else "no"
    return Item(value, f"{say(code, lang)} ({code[0]})" if lang != "en" else code, (code,))


def _order(label: str) -> list[tuple[int, str]]:
    return [(int(part), "") if _PARTS.fullmatch(part) else (-1, part) for part in _PARTS.split(label) if part]


def seats_of(table_seats: Sequence[Seat], text: str, names: Mapping[Seat, str]) -> tuple[Seat, ...] | str:
    """Return the seats in a list of ids or players' names, or the first unknown one."""
    wanted = [name.strip() for name in text.split(",")]
    wanted = [
        name if name in table_seats or len(seats := seats_of_player(names, name)) != 1 else seats[0] for name in wanted
    ]
    wrong = next((name for name in wanted if name not in table_seats), None)
    return wrong if wrong is not None else tuple(seat for seat in table_seats if seat in wanted)
