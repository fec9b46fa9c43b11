"""What card text means by its words: things, squares, players, and the conditions on them."""

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
"""A player: who controls the skill or owns its source, the other, who bears the curse, whose unit stands on the
terrain, whose hero was hit."""
Thing = Literal["this", "target", "second", "pierced", "attacker", "occupant", "host", "own_hero", "each_hero"]
"""What an effect is about: `pierced` are the units on the pierced squares, `host` what a bind is attached to."""


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of card text."""


# -- what is meant ----------------------------------------------------------------------------------------------------


class Range(Text, frozen=True):
    """How far, and from where: the hero of a skill, the unit of an ability; or the first target; or where a unit that
    has gone stood last."""

    reach: Literal["line", "pierced", "area", "any"] = "any"
    n: Natural = 0
    of: Literal["start", "target", "last_square"] = "start"


ANYWHERE: Final = Range()


class Units(Text, frozen=True):
    """Units by description. `other`: none on the start square; `different`: none that is a target already; `moving`:
    the unit of the open move."""

    range: Range = ANYWHERE
    whose: Literal["own", "enemy", "any"] = "any"
    hero: bool | None = None
    non_flying: bool = False
    exhausted: bool = False
    moving: bool = False
    other: bool = False
    different: bool = False


Ref = Thing | Units
"""One thing, or each unit of that description when it is carried out."""


class Target(Text, frozen=True, tag_field="target"):
    """What is named when it is used."""


class UnitTarget(Target, frozen=True, tag="unit"):
    of: Units = Units()


class SquareTarget(Target, frozen=True, tag="square"):
    """An empty square."""

    range: Range = ANYWHERE
    neutral: bool = False


class TerrainTarget(Target, frozen=True, tag="terrain"):
    """A terrain. `name`: of that card only."""

    range: Range = ANYWHERE
    own: bool = False
    face_up: bool | None = None
    unoccupied: bool = False
    name: str = ""


class ItemTarget(Target, frozen=True, tag="stack_item"):
    """A skill that was declared, not an ability."""


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
"""What must be so: of a triggered ability looked at when the event happens, of a continuous one always."""
