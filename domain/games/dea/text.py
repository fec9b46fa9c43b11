"""Card text as data: closed unions of what a card may say. The law carries it out and the renderer words it; neither
knows any card.

What a text asks for is chosen at declaration, in printed order; an instruction names it by its place: `chosen` is the
first character, card or foreshadow, `second` the next. `you` is who declared the item; of what works by itself, who
owns it.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

Natural = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
Number = Annotated[int, Meta(ge=-99, le=99)]
Id = Annotated[str, Meta(pattern=r"^[A-Z][0-9A-Za-z]{1,15}$")]
Code = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{1,31}$")]
"""The name by which an ability is declared and recorded."""
Words = Annotated[str, Meta(min_length=1)]

Colour = Literal["red", "yellow", "green", "blue"]
Sex = Literal["M", "F", "U"]
Rarity = Literal["C", "U", "R"]
MoveType = Literal["cross", "x", "y", "reverse_y", "all", "none"]
Value = Literal["atk", "def"]
KeywordName = Literal["double_dash", "immovable", "unsealable", "spring"]
"""One more normal move · no knockback and no push · a seal on it starts nothing · 1 life at each own turn's start."""

Who = Literal["you", "opponent", "each", "writer"]
"""`writer` is the one chosen."""
Ref = Literal["self", "wearer", "attacker", "chosen", "second"]
"""A character: whose text this is, who wears the equipment, the attacker of the running battle, those chosen."""
Prohibited = Literal["convert_hand", "convert_pages"]
Priced = Literal["move", "attack", "ability"]
ItemKind = Literal["ability", "event", "equipment", "foreshadow", "ep_conversion", "attack"]
Until = Literal["battle", "turn"]


class Text(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of card text."""


# -- conditions -------------------------------------------------------------------------------------------------------


class Condition(Text, frozen=True, tag_field="is"):
    """What must be so."""


class OwnTurn(Condition, frozen=True, tag="own_turn"):
    """It is your turn."""


class BattleRunning(Condition, frozen=True, tag="battle_running"):
    """A battle is going on."""


class SelfIsAttacker(Condition, frozen=True, tag="self_is_attacker"):
    """This character attacks in the running battle."""


class OwnAttacks(Condition, frozen=True, tag="own_attacks"):
    """A character of yours attacks in the running battle."""


class LifeAtMostHalf(Condition, frozen=True, tag="life_at_most_half"):
    """Your life is at most half of its maximum."""


class LifeAtMaximum(Condition, frozen=True, tag="life_at_maximum"):
    """Your life is at its maximum."""


class PagesAtMost(Condition, frozen=True, tag="pages_at_most"):
    """You have at most so many pages."""

    n: Natural


class EpLessThanOpponent(Condition, frozen=True, tag="ep_less_than_opponent"):
    """You have fewer ending points than your opponent."""


class OpponentEpAtLeast(Condition, frozen=True, tag="opponent_ep_at_least"):
    """Your opponent has at least so many ending points."""

    n: Positive


class OthersOpened(Condition, frozen=True, tag="others_opened"):
    """So many of your other foreshadows are opened."""

    n: Positive


class InHome(Condition, frozen=True, tag="in_home"):
    """This character stands in a home area: its owner's or the enemy's."""

    whose: Literal["own", "enemy"]


AnyCondition = (
    OwnTurn | BattleRunning | SelfIsAttacker | OwnAttacks | LifeAtMostHalf | LifeAtMaximum | PagesAtMost
    | EpLessThanOpponent | OpponentEpAtLeast | OthersOpened | InHome
)  # fmt: skip


# -- choices ----------------------------------------------------------------------------------------------------------


class Chars(Text, frozen=True):
    """Characters that a text means. `adjacent` to this one or to the wearer; `equipped`: wearing equipment;
    `in_battle`: the attacker or the blocker of the running battle."""

    whose: Literal["own", "other_own", "enemy", "any"] = "any"
    adjacent: Literal["self", "wearer"] | None = None
    equipped: bool = False
    in_battle: bool = False


class Choice(Text, frozen=True, tag_field="choose"):
    """What is named at declaration."""


class ChooseChar(Choice, frozen=True, tag="char"):
    """A character of that description. `swaps`: one that is exchanged, which no fighting attacker can be."""

    of: Chars = Chars()
    swaps: bool = False


class ChooseCell(Choice, frozen=True, tag="cell"):
    """An empty cell: within so many steps of a king of this character or of the one chosen, or in an area."""

    within: Natural = 0
    near: Literal["self", "chosen"] = "self"
    area: Literal["own_home"] | None = None


class ChooseItem(Choice, frozen=True, tag="item"):
    """An item that waits on the stack."""

    kinds: tuple[ItemKind, ...]
    whose: Literal["opponent", "any"] = "opponent"


class ChooseSleeveCard(Choice, frozen=True, tag="sleeve_card"):
    """A gimmick of the own sleeve."""


class ChooseSlot(Choice, frozen=True, tag="slot"):
    """An own face-down foreshadow."""


class ChooseWriter(Choice, frozen=True, tag="writer"):
    """A writer."""


class ChooseDirection(Choice, frozen=True, tag="direction"):
    """One of the four directions along column or row."""


AnyChoice = ChooseChar | ChooseCell | ChooseItem | ChooseSleeveCard | ChooseSlot | ChooseWriter | ChooseDirection


# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(Text, frozen=True, tag_field="mod"):
    """What a static ability does to those it concerns."""


class Plus(Modifier, frozen=True, tag="stat"):
    """A number is added to attack or defence."""

    to: Value
    n: Number


class MoveIs(Modifier, frozen=True, tag="set_move"):
    """The move type is another."""

    type: MoveType


class Has(Modifier, frozen=True, tag="keyword"):
    """It has a keyword."""

    name: KeywordName


class Costs(Modifier, frozen=True, tag="cost"):
    """Page costs are higher or lower. `least`: a reduction goes no lower than that."""

    of: tuple[Priced, ...]
    n: Number
    least: Natural = 0


class Cannot(Modifier, frozen=True, tag="forbid"):
    """Actions are forbidden."""

    actions: tuple[Prohibited, ...]


AnyModifier = Plus | MoveIs | Has | Costs | Cannot
Concerned = Literal["self", "wearer", "you", "opponent", "each"] | Chars
"""Whom a static ability concerns: characters, or writers by what they pay or may do."""


# -- instructions -----------------------------------------------------------------------------------------------------


class Do(Text, frozen=True, tag_field="do"):
    """An instruction, carried out as far as possible. `only_if` is looked at when it is performed."""

    only_if: tuple[AnyCondition, ...] = field(default=(), name="if")


class Stat(Do, frozen=True, tag="stat", kw_only=True):
    on: Ref
    to: Value
    n: Number
    until: Until


class SetMove(Do, frozen=True, tag="set_move", kw_only=True):
    on: Ref
    type: MoveType
    until: Until


class Keyword(Do, frozen=True, tag="keyword", kw_only=True):
    on: Ref
    name: KeywordName
    until: Until


class ExtraMove(Do, frozen=True, tag="extra_move", kw_only=True):
    """More normal moves this turn."""

    on: Ref
    n: Positive


class Seal(Do, frozen=True, tag="seal", kw_only=True):
    on: Ref
    until: Until


class Forbid(Do, frozen=True, tag="forbid", kw_only=True):
    actions: tuple[Prohibited, ...]
    who: Who
    until: Until


class Damage(Do, frozen=True, tag="damage", kw_only=True):
    """The character's owner loses life, and the character is damaged."""

    on: Ref
    n: Positive


class GainLife(Do, frozen=True, tag="gain_life", kw_only=True):
    who: Who = "you"
    n: Positive


class LoseLife(Do, frozen=True, tag="lose_life", kw_only=True):
    who: Who = "you"
    n: Positive


class GainPages(Do, frozen=True, tag="gain_pages", kw_only=True):
    who: Who = "you"
    n: Positive


class LosePages(Do, frozen=True, tag="lose_pages", kw_only=True):
    who: Who = "you"
    n: Positive


class GainEp(Do, frozen=True, tag="gain_ep", kw_only=True):
    who: Who = "you"
    n: Positive


class LoseEp(Do, frozen=True, tag="lose_ep", kw_only=True):
    who: Who = "you"
    n: Positive


class Draw(Do, frozen=True, tag="draw", kw_only=True):
    who: Who = "you"
    n: Positive


class Discard(Do, frozen=True, tag="discard", kw_only=True):
    """Hand cards go to the sleeve: `self` chooses who discards, `random` chance."""

    who: Who = "you"
    n: Positive
    chooser: Literal["self", "random"] = "self"


class Retrieve(Do, frozen=True, tag="retrieve"):
    """The sleeve card chosen comes to your hand."""


class LookOrder(Do, frozen=True, tag="look_order", kw_only=True):
    """You look at the top of a writer's deck and put the cards back in any order."""

    who: Who
    n: Positive


class Push(Do, frozen=True, tag="push", kw_only=True):
    """One cell on into an empty one: in the direction chosen, or away from this character."""

    on: Ref
    towards: Literal["direction", "away"]


class Shift(Do, frozen=True, tag="shift", kw_only=True):
    """To the cell chosen."""

    on: Ref


class Swap(Do, frozen=True, tag="swap"):
    """The two characters chosen exchange their cells."""


class Negate(Do, frozen=True, tag="negate"):
    """The item chosen is negated."""


class Toll(Do, frozen=True, tag="toll", kw_only=True):
    """Who controls the item chosen pays pages, or it is negated."""

    n: Positive


class CancelBattle(Do, frozen=True, tag="cancel_battle"):
    """The running battle ends without damage."""


class CreateToken(Do, frozen=True, tag="create_token", kw_only=True):
    """A token of yours comes to the cell chosen."""

    token: Id


class RemoveToken(Do, frozen=True, tag="remove_token"):
    """This token leaves the match."""


class DiscardEquipment(Do, frozen=True, tag="discard_equipment", kw_only=True):
    """What the character wears goes to its owner's sleeve."""

    on: Ref


class OpenForeshadow(Do, frozen=True, tag="open_foreshadow"):
    """The foreshadow chosen is opened, whatever its condition for use."""


class Win(Do, frozen=True, tag="win", kw_only=True):
    who: Who = "you"


AnyDo = (
    Stat | SetMove | Keyword | ExtraMove | Seal | Forbid | Damage | GainLife | LoseLife | GainPages | LosePages | GainEp
    | LoseEp | Draw | Discard | Retrieve | LookOrder | Push | Shift | Swap | Negate | Toll | CancelBattle | CreateToken
    | RemoveToken | DiscardEquipment | OpenForeshadow | Win
)  # fmt: skip


# -- abilities --------------------------------------------------------------------------------------------------------

Cause = Literal["own_turn_start", "opponent_turn_start", "own_turn_end", "self_damaged", "wearer_attacked"]
Timing = Literal["any", "own_turn", "battle"]
Limit = Literal["none", "once_per_turn", "once_per_match"]


class Ability(Text, frozen=True, tag_field="kind", kw_only=True):
    """What a card's text lets it do. One without a printed name bears the name of its card."""

    name: Code | None = None
    en: Words | None = None
    ja: Words | None = None


class Static(Ability, frozen=True, tag="static", kw_only=True):
    """As long as its source is in force."""

    on: Concerned
    mods: Annotated[tuple[AnyModifier, ...], Meta(min_length=1)]
    only_while: tuple[AnyCondition, ...] = field(default=(), name="while")


class Automatic(Ability, frozen=True, tag="automatic", kw_only=True):
    """By itself after its cause; the condition is looked at when it is processed."""

    cause: Cause
    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    only_if: tuple[AnyCondition, ...] = field(default=(), name="if")


class Use(Ability, frozen=True, tag="use", kw_only=True):
    """What is declared and then waits on the stack."""

    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    choices: tuple[AnyChoice, ...] = ()
    only_if: tuple[AnyCondition, ...] = field(default=(), name="if")


class Activated(Use, frozen=True, tag="activated", kw_only=True):
    """An ability of a character, for pages or life."""

    pages: Natural = 0
    life: Natural = 0
    timing: Timing = "any"
    limit: Limit = "none"


class Event(Use, frozen=True, tag="event", kw_only=True):
    """What an event does, for the pages printed on it."""

    timing: Timing = "any"


class Foreshadow(Use, frozen=True, tag="foreshadow", kw_only=True):
    """What a foreshadow does once opened. `additional`: so many hand cards are discarded first, or nothing happens."""

    additional: Natural = 0


class Field(Ability, frozen=True, tag="field", kw_only=True):
    """What an opened foreshadow does as long as its field is live."""

    abilities: Annotated[tuple[Static | Automatic, ...], Meta(min_length=1)]
    only_if: tuple[AnyCondition, ...] = field(default=(), name="if")


AnyAbility = Static | Automatic | Activated | Event | Foreshadow | Field
AnyUse = Activated | Event | Foreshadow

CardType = Literal["character", "event", "equipment", "foreshadow", "token"]
GIMMICKS: Final[tuple[CardType, ...]] = ("event", "equipment")


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A card as printed. Characters and tokens have a move type and numbers, gimmicks a cost in pages."""

    id: Id
    en: Words
    ja: Words
    type: CardType
    colour: Colour
    rarity: Rarity | None = None
    sex: Sex | None = None
    cost: Natural = 0
    move: MoveType = "none"
    attack: Natural = field(default=0, name="atk")
    defence: Natural = field(default=0, name="def")
    survival: Natural = 0
    pages: Natural = 0
    abilities: tuple[AnyAbility, ...] = ()
