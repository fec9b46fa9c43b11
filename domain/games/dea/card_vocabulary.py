"""Vocabulary of card text: references, descriptions of characters, and conditions."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Natural = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
Number = Annotated[int, Meta(ge=-99, le=99)]
Id = Annotated[str, Meta(pattern=r"^[A-Z][0-9A-Za-z]{1,15}$")]
Code = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{1,31}$")]
"""The name under which an ability is declared and recorded."""
Words = Annotated[str, Meta(min_length=1)]

MoveType = Literal["cross", "x", "y", "reverse_y", "all", "none"]
Value = Literal["atk", "def"]
KeywordName = Literal["double_dash", "immovable", "unsealable", "spring"]
"""Double dash: one more normal move. Immovable: no knockback or push. Unsealable: a seal has no effect. Spring: 1 life
at the start of each of the writer's turns."""

SingleWriter = Literal["you", "opponent", "writer"]
WriterRef = SingleWriter | Literal["each"]
"""`writer` is the chosen writer."""
CharacterRef = Literal["self", "wearer", "attacker", "chosen", "second"]
"""A character: the bearer of the text, the wearer of the equipment, the attacker of the battle, or a chosen one."""
Prohibited = Literal["convert_hand", "convert_pages"]
Priced = Literal["move", "attack", "ability"]
ItemKind = Literal["ability", "event", "equipment", "foreshadow", "ep_conversion", "attack"]
Prohibitions = Annotated[tuple[Prohibited, ...], Meta(min_length=1)]
Prices = Annotated[tuple[Priced, ...], Meta(min_length=1)]
ItemKinds = Annotated[tuple[ItemKind, ...], Meta(min_length=1)]
Until = Literal["battle", "turn"]


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base class of card text."""


class CharacterFilter(Text, frozen=True):
    """Description of characters.

    `adjacent`: next to this character or the wearer. `equipped`: wearing equipment. `in_battle`: the attacker or the
    blocker of the running battle.
    """

    whose: Literal["own", "other_own", "enemy", "any"] = "any"
    adjacent: Literal["self", "wearer"] | None = None
    equipped: bool = False
    in_battle: bool = False


# -- conditions -------------------------------------------------------------------------------------------------------


class Condition(Text, frozen=True, tag_field="is"):
    """Base class of conditions."""


class OwnTurn(Condition, frozen=True, tag="own_turn"):
    """It is your turn."""


class BattleRunning(Condition, frozen=True, tag="battle_running"):
    """A battle is running."""


class SelfIsAttacker(Condition, frozen=True, tag="self_is_attacker"):
    """This character attacks in the running battle."""


class OwnAttacks(Condition, frozen=True, tag="own_attacks"):
    """A character of yours attacks in the running battle."""


class LifeAtMostHalf(Condition, frozen=True, tag="life_at_most_half"):
    """Your life is at most half of its maximum."""


class LifeAtMaximum(Condition, frozen=True, tag="life_at_maximum"):
    """Your life is at its maximum."""


class PagesAtMost(Condition, frozen=True, tag="pages_at_most"):
    n: Natural


class EpLessThanOpponent(Condition, frozen=True, tag="ep_less_than_opponent"):
    """You have fewer ending points than your opponent."""


class OpponentEpAtLeast(Condition, frozen=True, tag="opponent_ep_at_least"):
    n: Positive


class OthersOpened(Condition, frozen=True, tag="others_opened"):
    """At least `n` of your other foreshadows are open."""

    n: Positive


class InHome(Condition, frozen=True, tag="in_home"):
    """This character stands in a home area: its owner's or the enemy's."""

    whose: Literal["own", "enemy"]


AnyCondition = (
    OwnTurn | BattleRunning | SelfIsAttacker | OwnAttacks | LifeAtMostHalf | LifeAtMaximum | PagesAtMost
    | EpLessThanOpponent | OpponentEpAtLeast | OthersOpened | InHome
)  # fmt: skip
