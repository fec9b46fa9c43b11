"""Card text as data: closed unions of what a card may say. The law carries it out and the renderer words it; neither
knows any card.

What a use aims at is named when it is used, in printed order: `target` is the first, `second` the next.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from domain.games.skillbook import meaning as M
from domain.parts import cards

# -- what lasts as long as its source ---------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """What a continuous ability does to those it concerns."""


class Plus(Modifier, frozen=True, tag="stat"):
    to: M.Stat
    n: M.Number


class ReduceDamage(Modifier, frozen=True, tag="reduce_damage"):
    n: M.Positive


class Has(Modifier, frozen=True, tag="keyword"):
    """It has a keyword; `n` is how far a ranged attack reaches."""

    name: M.KeywordName
    n: M.Natural = 0


class Cannot(Modifier, frozen=True, tag="ban"):
    act: M.Act


class PiercedDamage(Modifier, frozen=True, tag="pierced_damage"):
    """Its attack deals damage to each unit on the pierced squares as well."""

    n: M.Positive


class StepCost(Modifier, frozen=True, tag="step_cost"):
    """A step out of this square costs more."""

    n: M.Positive


class CostPlus(Modifier, frozen=True, tag="cost_mod"):
    """Skills of the players concerned cost more or less."""

    n: M.Number


class AddElement(Modifier, frozen=True, tag="add_element"):
    """The terrain has one element more."""

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
    """An instruction: one group of events."""


class Damage(Do, frozen=True, tag="damage"):
    """Damage to each of these things at once."""

    on: Refs
    n: M.Positive


class Heal(Do, frozen=True, tag="heal"):
    """Of a hero."""

    on: Healed
    n: M.Positive


class Prevent(Do, frozen=True, tag="prevent"):
    """The next damage, up to so much, is not dealt this turn."""

    on: M.Thing
    n: M.Positive


class Destroy(Do, frozen=True, tag="destroy"):
    on: M.Ref


class Recall(Do, frozen=True, tag="recall"):
    on: M.Ref


class Teleport(Do, frozen=True, tag="teleport"):
    """To the square, or the terrain, that is the target named."""

    on: Teleported
    to: Place


class Swap(Do, frozen=True, tag="swap"):
    """The two targets exchange their squares."""


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
    """Put on the units that are there when it is carried out."""

    on: M.Ref
    act: M.Act


class Halt(Do, frozen=True, tag="halt"):
    """Its current move ends."""

    on: M.Thing


class Mill(Do, frozen=True, tag="mill"):
    who: M.Who
    n: M.Positive


class Draw(Do, frozen=True, tag="draw"):
    who: M.Who = "you"


class Retrieve(Do, frozen=True, tag="retrieve"):
    """The top card of the graveyard is placed like a drawn one."""


class BuryToBook(Do, frozen=True, tag="bury_to_book"):
    """The top cards of the graveyard go under the book as a packet."""

    n: M.Positive


class LookAtHand(Do, frozen=True, tag="look_at_hand"):
    """You look at the opponent's hand."""


class LookAt(Do, frozen=True, tag="look"):
    """You look at the face-down terrain that is the target."""


class Explore(Do, frozen=True, tag="explore"):
    """The terrain that is the target is turned up."""


class Cover(Do, frozen=True, tag="cover"):
    """The terrain that is the target is turned down."""


class MakeToken(Do, frozen=True, tag="token"):
    """A token comes to the square that is the target."""

    token: Face


class Negate(Do, frozen=True, tag="negate"):
    """The skill that is the target leaves the stack without effect."""


class RemoveThis(Do, frozen=True, tag="remove_this"):
    """This card is removed from the game face up instead of going to the graveyard."""


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
    """What a card's text lets it do."""


class Continuous(Ability, frozen=True, tag="continuous", kw_only=True):
    """Always, as long as its source is in force and what it asks for holds."""

    on: Concerned
    mods: Annotated[tuple[AnyModifier, ...], Meta(min_length=1)]
    only_if: M.Condition | None = field(default=None, name="if")


class Use(Ability, frozen=True, tag="use", kw_only=True):
    """What a skill itself does when it resolves; a bind is attached to its first target. `path`: the use names the
    squares it goes over."""

    do: tuple[AnyDo, ...] = ()
    targets: tuple[M.AnyTarget, ...] = ()
    path: bool = False


class Activated(Ability, frozen=True, tag="activated", kw_only=True):
    """For a cost: so many cards of the book, the unit exhausted. With `response` also in a window."""

    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    mill: M.Natural = 0
    tap: bool = False
    once: bool = False
    response: bool = False
    targets: tuple[M.AnyTarget, ...] = ()


class Triggered(Ability, frozen=True, tag="triggered", kw_only=True):
    """By itself when its event happens; what it aims at is chosen when it is handled."""

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
    """A card as printed: a hero, a skill, a terrain or a token.

    Of a hero `df` is its HP. `double_cost` is the cost under a double boon, where it is printed; `dispel_cost` what
    gets rid of a curse, where it is not its cost.
    """

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
