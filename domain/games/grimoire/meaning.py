"""Vocabulary of card text: objects, cards, players, numbers, and the conditions on them."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Colour = Literal["R", "O", "Y", "G", "B", "I", "V"]
COLOURS: Final[tuple[Colour, ...]] = ("R", "O", "Y", "G", "B", "I", "V")
Number = Annotated[int, Meta(ge=-99, le=99)]
Natural = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]

Ref = Literal["self", "self_card", "target", "that", "your_character", "remembered", "chosen"]
"""`self_card` is the card of `self` in its new zone after it left. `that` is the other object or card of the event."""
SinglePlayer = Literal["you", "each", "chosen"]
Who = SinglePlayer | Literal["opponents", "all_players"]
"""`each` is the player for whom an `each` instruction is being carried out."""
Status = Literal["extended", "spended", "played"]
CardZone = Literal["hand", "bookmark", "junkyard"]
Resource = Literal["mana", "capacity", "od", "chroma"]


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base class of every piece of card text."""


# -- descriptions -----------------------------------------------------------------------------------------------------


class Selector(Text, frozen=True):
    """Objects or cards by description.

    `kind` "card" means cards off the field: those in `zone`, or in a continuous ability the spell cards being cast.
    `user` is a name, or "yours" for the user of your character. `name` is the id of a card.
    """

    kind: Literal["spell", "character", "card"] = "spell"
    zone: CardZone | None = None
    whose: Literal["you", "opponent", "friend", "any", "chosen"] = "any"
    status: Status | None = None
    colour: Colour | Literal["none"] | None = None
    user: str = ""
    name: str = ""
    cost_most: Natural | None = None
    other: bool = False


class Of(Text, frozen=True):
    of: Literal["damage", "cost"]
    what: Ref


Amount = Number | Of
Quantity = Natural | Of
ObjectsRef = Ref | Selector
"""One object, or everything that fits the description when the instruction is carried out."""


# -- conditions -------------------------------------------------------------------------------------------------------


class Condition(Text, frozen=True, tag_field="if"):
    """Base class of conditions. A trigger tests its condition at the event, a program at the instruction."""


class Is(Condition, frozen=True, tag="is"):
    """True if the object is of this kind. False if it was no legal target or is gone."""

    what: Ref
    kind: Literal["spell", "character"]


class Controls(Condition, frozen=True, tag="controls"):
    what: Ref


class AtMost(Condition, frozen=True, tag="at_most"):
    amount: Of
    most: Natural


class Exists(Condition, frozen=True, tag="exists"):
    sel: Selector


class And(Condition, frozen=True, tag="and"):
    all: tuple["Is | Controls | AtMost | Exists", ...]


AnyCondition = Is | Controls | AtMost | Exists | And
