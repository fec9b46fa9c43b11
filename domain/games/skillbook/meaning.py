"""Vocabulary of card text: things, squares, players, and the conditions on them."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Natural = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
Number = Annotated[int, Meta(ge=-99, le=99)]

Element = Literal["fire", "earth", "wind", "water", "dark"]
Class = Literal["warrior", "mage", "ranger", "rogue"]
Stat = Literal["at", "df", "sp"]
KeywordName = Literal["flying", "ranged", "attacks_pierce"]
Act = Literal["move", "attack", "counter", "be_targeted_by_opponent_skills", "use_response_skills"]
Until = Literal["eot", "battle"]
Who = Literal["you", "opponent", "cursed", "occupant_player", "hit_player"]
"""A player: the controller of the skill or source, the opponent, or the bearer of the curse. Also the player of the
unit on the terrain, or of the hero that was hit."""
Thing = Literal["this", "target", "second", "pierced", "attacker", "occupant", "host", "own_hero", "each_hero"]
"""Units by reference. `pierced` means the units on pierced squares, `host` the card that a bind is attached to."""


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base class of every piece of card text."""


# -- descriptions -----------------------------------------------------------------------------------------------------


class Range(Text, frozen=True):
    """A distance and its origin. "start" is the hero of a skill or the unit of an ability, "target" the first target.
    "last_square" is the last square of a unit that is gone."""

    reach: Literal["line", "pierced", "area", "any"] = "any"
    n: Natural = 0
    of: Literal["start", "target", "last_square"] = "start"


ANYWHERE: Final = Range()


class Units(Text, frozen=True):
    """Units by description. `other` excludes the start square, `different` the earlier targets. `moving` is the unit of
    the open move."""

    range: Range = ANYWHERE
    whose: Literal["own", "enemy", "any"] = "any"
    hero: bool | None = None
    non_flying: bool = False
    exhausted: bool = False
    moving: bool = False
    other: bool = False
    different: bool = False


Ref = Thing | Units
"""One thing, or every unit that fits the description when the instruction is carried out."""


class Target(Text, frozen=True, tag_field="target"):
    """Base class of targets. Targets are chosen at the time of use."""


class UnitTarget(Target, frozen=True, tag="unit"):
    of: Units = Units()


class SquareTarget(Target, frozen=True, tag="square"):
    """An empty square."""

    range: Range = ANYWHERE
    neutral: bool = False


class TerrainTarget(Target, frozen=True, tag="terrain"):
    """A terrain, with a `name` only that card."""

    range: Range = ANYWHERE
    own: bool = False
    face_up: bool | None = None
    unoccupied: bool = False
    name: str = ""


class ItemTarget(Target, frozen=True, tag="stack_item"):
    """A declared skill on the stack, not an ability."""


AnyTarget = UnitTarget | SquareTarget | TerrainTarget | ItemTarget


# -- conditions -------------------------------------------------------------------------------------------------------

Condition = Literal[
    "is_countering",
    "attacking_exhausted",
    "was_target_and_attacker_adjacent",
    "is_attacker",
    "attacked_and_target_destroyed",
    "by_this",
    "to_hero",
    "adjacent_to_hero",
    "during_move",
    "unit_is_enemy_of_owner",
    "occupant_is_turn_players_hero",
    "turn_of_you",
    "turn_of_cursed",
]
"""Conditions. A triggered ability tests them at the event, a continuous one at all times."""
