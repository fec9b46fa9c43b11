"""What card text means by its words: objects, cards, players, numbers, and the conditions on them."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Colour = Literal["R", "O", "Y", "G", "B", "I", "V"]
COLOURS: Final[tuple[Colour, ...]] = ("R", "O", "Y", "G", "B", "I", "V")
Number = Annotated[int, Meta(ge=-99, le=99)]
Natural = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]

Ref = Literal["self", "self_card", "target", "that", "your_character", "remembered", "chosen"]
"""`self_card` is the card of `self` where its leaving put it; `that` the other object or card of the event."""
One = Literal["you", "each", "chosen"]
Who = One | Literal["opponents", "all_players"]
"""`each` is the player whose part an `each` is carrying out."""
Status = Literal["extended", "spended", "played"]
CardZone = Literal["hand", "bookmark", "junkyard"]
Resource = Literal["mana", "capacity", "od", "chroma"]


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every piece of card text is made of."""


# -- what is meant ----------------------------------------------------------------------------------------------------


class Sel(Text, frozen=True):
    """Objects or cards by description. `kind` card means cards off the field: in `zone`, or, in a continuous ability,
    the spell cards somebody casts. `user` is a name, or `yours` for that of your character. `name` is a card's id."""

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
    """A number read from an object or card: the damage it carries, its printed cost."""

    of: Literal["damage", "cost"]
    what: Ref


Amount = Number | Of
Quantity = Natural | Of
Objs = Ref | Sel
"""One object meant, or everything that fits when it is carried out."""


# -- conditions -------------------------------------------------------------------------------------------------------


class Condition(Text, frozen=True, tag_field="if"):
    """A condition: tested at the event beside a trigger, at its turn inside a program."""


class Is(Condition, frozen=True, tag="is"):
    """Is it that kind of object? False if it was no legal target or is gone."""

    what: Ref
    kind: Literal["spell", "character"]


class Controls(Condition, frozen=True, tag="controls"):
    """Do you control it?"""

    what: Ref


class AtMost(Condition, frozen=True, tag="at_most"):
    """Is the number at most this?"""

    amount: Of
    most: Natural


class Exists(Condition, frozen=True, tag="exists"):
    """Is there anything of that description?"""

    sel: Sel


class And(Condition, frozen=True, tag="and"):
    """Do all of them hold?"""

    all: tuple["Is | Controls | AtMost | Exists", ...]


AnyCondition = Is | Controls | AtMost | Exists | And
