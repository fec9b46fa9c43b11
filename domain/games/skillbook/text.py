"""Card text as data: closed unions. The law carries it out and the renderer words it; neither knows single cards.
Targets are chosen at the time of use, in printed order: `target` is the first, `second` the next."""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from domain.games.skillbook import meaning as M
from domain.parts import cards

# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """Base class of modifiers: the change that a continuous ability makes."""


class Plus(Modifier, frozen=True, tag="stat"):
    to: M.Stat
    n: M.Number


class ReduceDamage(Modifier, frozen=True, tag="reduce_damage"):
    n: M.Positive


class Has(Modifier, frozen=True, tag="keyword"):
    """Give a keyword. `n` is the reach of a ranged attack."""

    name: M.KeywordName
    n: M.Natural = 0


class Cannot(Modifier, frozen=True, tag="ban"):
    act: M.Act


class PiercedDamage(Modifier, frozen=True, tag="pierced_damage"):
    """Deal damage to each unit on the pierced squares of an attack as well."""

    n: M.Positive


class StepCost(Modifier, frozen=True, tag="step_cost"):
    """Raise the cost of a step out of this square."""

    n: M.Positive


class CostPlus(Modifier, frozen=True, tag="cost_mod"):
    n: M.Number


class AddElement(Modifier, frozen=True, tag="add_element"):
    element: M.Element


AnyModifier = Plus | ReduceDamage | Has | Cannot | PiercedDamage | StepCost | CostPlus | AddElement
Concerned = Literal["this", "host", "occupant", "you", "opponent", "cursed"] | M.Units


# -- instructions -----------------------------------------------------------------------------------------------------

Healed = Literal["own_hero", "target", "occupant"]
Teleported = Literal["target", "own_hero", "occupant"]
Place = Literal["target", "second"]
Face = Annotated[str, Meta(min_length=1)]
Refs = Annotated[tuple[M.Ref, ...], Meta(min_length=1)]


class Do(M.Text, frozen=True, tag_field="do"):
    """Base class of instructions. Each one is a group of events."""


class Damage(Do, frozen=True, tag="damage"):
    """Deal damage to all of these units together."""

    on: Refs
    n: M.Positive


class Heal(Do, frozen=True, tag="heal"):
    on: Healed
    n: M.Positive


class Prevent(Do, frozen=True, tag="prevent"):
    """Prevent the next `n` damage of this turn."""

    on: M.Thing
    n: M.Positive


class Destroy(Do, frozen=True, tag="destroy"):
    on: M.Ref


class Recall(Do, frozen=True, tag="recall"):
    on: M.Ref


class Teleport(Do, frozen=True, tag="teleport"):
    """Move a unit to the square or terrain that is the target."""

    on: Teleported
    to: Place


class Swap(Do, frozen=True, tag="swap"):
    """Exchange the squares of the two targets."""


class Ready(Do, frozen=True, tag="ready"):
    on: M.Ref


class Exhaust(Do, frozen=True, tag="exhaust"):
    on: M.Ref


class Mod(Do, frozen=True, tag="mod"):
    on: M.Ref
    to: M.Stat
    n: M.Number
    until: M.Until = "eot"


class Ban(Do, frozen=True, tag="ban"):
    """Forbid an action to the units present now."""

    on: M.Ref
    act: M.Act


class Halt(Do, frozen=True, tag="halt"):
    on: M.Thing


class Mill(Do, frozen=True, tag="mill"):
    who: M.Who
    n: M.Positive


class Draw(Do, frozen=True, tag="draw"):
    who: M.Who = "you"


class Retrieve(Do, frozen=True, tag="retrieve"):
    """Place the top card of the graveyard like a drawn card."""


class BuryToBook(Do, frozen=True, tag="bury_to_book"):
    """Put the top cards of the graveyard under the book as a packet."""

    n: M.Positive


class LookAtHand(Do, frozen=True, tag="look_at_hand"):
    """Look at the opponent's hand."""


class LookAt(Do, frozen=True, tag="look"):
    """Look at the face-down target terrain."""


class Explore(Do, frozen=True, tag="explore"):
    """Turn up the target terrain."""


class Cover(Do, frozen=True, tag="cover"):
    """Turn down the target terrain."""


class MakeToken(Do, frozen=True, tag="token"):
    token: Face


class Negate(Do, frozen=True, tag="negate"):
    """Remove the target skill from the stack without effect."""


class RemoveThis(Do, frozen=True, tag="remove_this"):
    """Remove this card from the game face up instead of burying it."""


AnyDo = (
    Damage | Heal | Prevent | Destroy | Recall | Teleport | Swap | Ready | Exhaust | Mod | Ban | Halt | Mill | Draw
    | Retrieve | BuryToBook | LookAtHand | LookAt | Explore | Cover | MakeToken | Negate | RemoveThis
)  # fmt: skip


# -- abilities --------------------------------------------------------------------------------------------------------

Event = Literal[
    "game_start", "turn_start", "turn_end", "explored", "entered", "battle_start", "battle_end", "battle_damage",
    "destroyed", "milled", "removed",
]  # fmt: skip


class Ability(M.Text, frozen=True, tag_field="kind", kw_only=True):
    """Base class of abilities."""


class Continuous(Ability, frozen=True, tag="continuous", kw_only=True):
    """An ability in force while its source is in force and its condition holds."""

    on: Concerned
    mods: Annotated[tuple[AnyModifier, ...], Meta(min_length=1)]
    only_if: M.Condition | None = field(default=None, name="if")


class Use(Ability, frozen=True, tag="use", kw_only=True):
    """The effect of a skill when it resolves. A bind is tied to its first target. With `path`, a use names its path."""

    do: tuple[AnyDo, ...] = ()
    targets: tuple[M.AnyTarget, ...] = ()
    path: bool = False


class Activated(Ability, frozen=True, tag="activated", kw_only=True):
    """An ability with a cost: milled cards, an exhausted unit, or both. `response` also allows it in windows."""

    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    mill: M.Natural = 0
    tap: bool = False
    once: bool = False
    response: bool = False
    targets: tuple[M.AnyTarget, ...] = ()


class Triggered(Ability, frozen=True, tag="triggered", kw_only=True):
    """An ability that triggers on its event. Its targets are chosen when it is handled."""

    event: Event
    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    only_if: tuple[M.Condition, ...] = field(default=(), name="if")
    may: bool = False
    targets: tuple[M.AnyTarget, ...] = ()


AnyAbility = Use | Continuous | Activated | Triggered

CardType = Literal["hero", "monster", "spell", "bind", "aura", "curse", "basic", "special", "start", "token"]
SKILLS: Final[tuple[CardType, ...]] = ("monster", "spell", "bind", "aura", "curse")
TERRAINS: Final[tuple[CardType, ...]] = ("basic", "special", "start")


class Card(cards.Card, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A card as printed: a hero, a skill, a terrain or a token. The `df` of a hero is its HP. `double_cost` is the cost
    under a double boon and `dispel_cost` the cost to remove a curse, if printed."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z][0-9A-Za-z_]{1,15}$")]
    type: CardType
    element: M.Element | None = None
    elements: tuple[M.Element, ...] = ()
    classes: tuple[M.Class, ...] = ()
    response: bool = False
    cast: bool = False
    cost: M.Natural = 0
    double_cost: M.Natural | None = None
    lose_hp: M.Natural = 0
    requirement: M.Class | None = None
    at: M.Natural = 0
    df: M.Natural = 0
    sp: M.Natural = 0
    keywords: tuple[Has, ...] = ()
    dispel_cost: M.Natural | None = None
    abilities: tuple[AnyAbility, ...] = ()
