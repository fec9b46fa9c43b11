"""Actions as data: the fields of an action declare what they name, so that one function reads or writes all actions."""

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from domain.table.table import CardId, FrameId, Place, Seat, Table, seat_of, zone

SlotKind = Literal[
    "card", "cards", "pairs", "order", "frame", "frames", "seat", "place", "places", "word", "flag", "text", "number"
]
LIST_KINDS: Final[tuple[SlotKind, ...]] = ("cards", "pairs", "order", "frames", "places")
"""Kinds of slots that name any number of things."""

CARD_KINDS: Final[tuple[SlotKind, ...]] = ("card", "cards")
"""Kinds of slots that name cards one by one."""


class Action(Struct, frozen=True, omit_defaults=True, tag_field="do", forbid_unknown_fields=True):
    """Base of actions by a seat, chance or a judge. The tag is the verb, and each field is annotated with a `Slot`.
    `ends_match` marks an action whose purpose is to end the match. Recording tools ask for confirmation."""

    ends_match: ClassVar[bool] = False


if TYPE_CHECKING:
    from typing_extensions import TypeVar  # a default, so that generic code need not name the type

    A = TypeVar("A", default=Any)
else:
    from typing import TypeVar

    A = TypeVar("A")


class Slot(Struct, frozen=True):
    """The meaning of a field of an action. `areas`: its cards must physically be there for the action to be carried out
    at all. `own`: in the actor's own places. `secret`: only the actor and the judge see it."""

    kind: SlotKind
    areas: tuple[str, ...] = ()
    own: bool = True
    secret: bool = False
    words: tuple[str, ...] = ()


def preposition(name: str, kind: str) -> str:
    """Return the word before the value of a slot in a sentence: `on` a target, `at` a place; '' for none."""
    return "on" if name.startswith("target") else "at" if kind == "place" else ""


class NamedSlot(Struct, frozen=True):
    name: str
    slot: Slot
    default: object


def verb(action: Action | type[Action]) -> str:
    tag = action.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


@cache
def slots(action_type: type[Action]) -> tuple[NamedSlot, ...]:
    """Return the slots of an action type, in the order of notation."""
    hints = get_type_hints(action_type, include_extras=True)
    return tuple(NamedSlot(field.name, _slot(hints[field.name]), field.default) for field in fields(action_type))


def _slot(hint: object) -> Slot:
    if get_origin(hint) is Annotated:
        annotated = [extra for extra in get_args(hint) if isinstance(extra, Slot)]
        assert annotated, hint
        slot: Slot = annotated[0]
        inner = get_args(hint)[0]
        if slot.kind == "word" and get_origin(inner) is Literal:
            return Slot(slot.kind, slot.areas, slot.own, slot.secret, get_args(inner))
        return slot
    raise AssertionError(f"a field of an action needs a Slot: {hint!r}")


def cards_of(action: Action) -> tuple[CardId, ...]:
    return tuple(card for named in slots(type(action)) for card in _cards_in(named, action))


def _cards_in(named: NamedSlot, action: Action) -> tuple[CardId, ...]:
    value = getattr(action, named.name)
    match named.slot.kind:
        case "card":
            return (value,) if value else ()
        case "cards" | "order":
            return tuple(value)
        case "pairs":
            return tuple(card for pair in value for card in pair)
        case _:
            return ()


def misplaced_cards(table: Table, actor: Seat, action: Action) -> tuple[CardId, ...]:
    """Return the named cards that are not in a required place. If there are any, the action cannot be carried out
    even as played."""
    pieces = table.pieces
    return tuple(
        card
        for named in slots(type(action))
        if named.slot.areas
        for card in _cards_in(named, action)
        if card not in pieces or not may_name(pieces[card].place, actor, named.slot)
    )


def may_name(place: Place, actor: Seat, slot: Slot) -> bool:
    """True if a slot of the actor's action may name cards in this place."""
    return zone(place) in slot.areas and (not slot.own or seat_of(place) in (None, actor))


ACard = Annotated[CardId, Slot("card")]
Cards = Annotated[tuple[CardId, ...], Slot("cards")]
HandCard = Annotated[CardId, Slot("card", areas=("hand",))]
HandCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("hand",))]
SecretOrder = Annotated[tuple[CardId, ...], Slot("order", secret=True)]
AFrame = Annotated[FrameId, Slot("frame")]
Frames = Annotated[tuple[FrameId, ...], Slot("frames")]
ASeat = Annotated[Seat, Slot("seat")]
APlace = Annotated[Place, Slot("place")]
Places = Annotated[tuple[Place, ...], Slot("places")]
Flag = Annotated[bool, Slot("flag")]
Text = Annotated[str, Slot("text")]
ANumber = Annotated[int, Slot("number")]
