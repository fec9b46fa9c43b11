"""Card text as data: closed unions of what a card may say. The law carries it out and the renderer words it; neither
knows any card.

What a text asks for is chosen at declaration, in printed order; an instruction names it by its place: `chosen` is the
first character, card or foreshadow, `second` the next. `you` is who declared the item; of what works by itself, who
owns it.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from domain.games.dea import meaning as M
from domain.parts import cards

# -- choices ----------------------------------------------------------------------------------------------------------


class Choice(M.Text, frozen=True, tag_field="choose"):
    """What is named at declaration."""


class ChooseChar(Choice, frozen=True, tag="char"):
    """A character of that description. `swaps`: one that is exchanged, which no fighting attacker can be."""

    of: M.Chars = M.Chars()
    swaps: bool = False


class ChooseCell(Choice, frozen=True, tag="cell"):
    """An empty cell: within so many steps of a king of this character or of the one chosen, or in an area."""

    within: M.Natural = 0
    near: Literal["self", "chosen"] = "self"
    area: Literal["own_home"] | None = None


class ChooseItem(Choice, frozen=True, tag="item"):
    """An item that waits on the stack."""

    kinds: M.ItemKinds
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
OF_CARDS: Final = (ChooseChar, ChooseSleeveCard, ChooseSlot)
"""Choices of cards: what they ask for an action names as its targets."""


# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """What a static ability does to those it concerns."""


class Plus(Modifier, frozen=True, tag="stat"):
    """A number is added to attack or defence."""

    to: M.Value
    n: M.Number


class MoveIs(Modifier, frozen=True, tag="set_move"):
    """The move type is another."""

    type: M.MoveType


class Has(Modifier, frozen=True, tag="keyword"):
    """It has a keyword."""

    name: M.KeywordName


class Costs(Modifier, frozen=True, tag="cost"):
    """Page costs are higher or lower. `least`: a reduction goes no lower than that."""

    of: M.Prices
    n: M.Number
    least: M.Natural = 0


class Cannot(Modifier, frozen=True, tag="forbid"):
    """Actions are forbidden."""

    actions: M.Prohibitions


AnyModifier = Plus | MoveIs | Has | Costs | Cannot
Concerned = Literal["self", "wearer", "you", "opponent", "each"] | M.Chars
"""Whom a static ability concerns: characters, or writers by what they pay or may do."""


# -- instructions -----------------------------------------------------------------------------------------------------


class Do(M.Text, frozen=True, tag_field="do"):
    """An instruction, carried out as far as possible. `only_if` is looked at when it is performed."""

    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Stat(Do, frozen=True, tag="stat", kw_only=True):
    on: M.Ref
    to: M.Value
    n: M.Number
    until: M.Until


class SetMove(Do, frozen=True, tag="set_move", kw_only=True):
    on: M.Ref
    type: M.MoveType
    until: M.Until


class Keyword(Do, frozen=True, tag="keyword", kw_only=True):
    on: M.Ref
    name: M.KeywordName
    until: M.Until


class ExtraMove(Do, frozen=True, tag="extra_move", kw_only=True):
    """More normal moves this turn."""

    on: M.Ref
    n: M.Positive


class Seal(Do, frozen=True, tag="seal", kw_only=True):
    on: M.Ref
    until: M.Until


class Forbid(Do, frozen=True, tag="forbid", kw_only=True):
    actions: M.Prohibitions
    who: M.Who
    until: M.Until


class Damage(Do, frozen=True, tag="damage", kw_only=True):
    """The character's owner loses life, and the character is damaged."""

    on: M.Ref
    n: M.Positive


class ByWriter(Do, frozen=True, kw_only=True):
    """So much of something, by a writer."""

    who: M.Who = "you"
    n: M.Positive


class GainLife(ByWriter, frozen=True, tag="gain_life"): ...


class LoseLife(ByWriter, frozen=True, tag="lose_life"): ...


class GainPages(ByWriter, frozen=True, tag="gain_pages"): ...


class LosePages(ByWriter, frozen=True, tag="lose_pages"): ...


class GainEp(ByWriter, frozen=True, tag="gain_ep"): ...


class LoseEp(ByWriter, frozen=True, tag="lose_ep"): ...


class Draw(ByWriter, frozen=True, tag="draw"): ...


class Discard(Do, frozen=True, tag="discard", kw_only=True):
    """Hand cards go to the sleeve: `self` chooses who discards, `random` chance."""

    who: M.Who = "you"
    n: M.Positive
    chooser: Literal["self", "random"] = "self"


class Retrieve(Do, frozen=True, tag="retrieve"):
    """The sleeve card chosen comes to your hand."""


class LookOrder(Do, frozen=True, tag="look_order", kw_only=True):
    """You look at the top of a writer's deck and put the cards back in any order."""

    who: M.One
    n: M.Positive


class Push(Do, frozen=True, tag="push", kw_only=True):
    """One cell on into an empty one: in the direction chosen, or away from this character."""

    on: M.Ref
    towards: Literal["direction", "away"]


class Shift(Do, frozen=True, tag="shift", kw_only=True):
    """To the cell chosen."""

    on: M.Ref


class Swap(Do, frozen=True, tag="swap"):
    """The two characters chosen exchange their cells."""


class Negate(Do, frozen=True, tag="negate"):
    """The item chosen is negated."""


class Toll(Do, frozen=True, tag="toll", kw_only=True):
    """Who controls the item chosen pays pages, or it is negated."""

    n: M.Positive


class CancelBattle(Do, frozen=True, tag="cancel_battle"):
    """The running battle ends without damage."""


class CreateToken(Do, frozen=True, tag="create_token", kw_only=True):
    """A token of yours comes to the cell chosen."""

    token: M.Id


class RemoveToken(Do, frozen=True, tag="remove_token"):
    """This token leaves the match."""


class DiscardEquipment(Do, frozen=True, tag="discard_equipment", kw_only=True):
    """What the character wears goes to its owner's sleeve."""

    on: M.Ref


class OpenForeshadow(Do, frozen=True, tag="open_foreshadow"):
    """The foreshadow chosen is opened, whatever its condition for use."""


class Win(Do, frozen=True, tag="win", kw_only=True):
    who: M.One = "you"


AnyDo = (
    Stat | SetMove | Keyword | ExtraMove | Seal | Forbid | Damage | GainLife | LoseLife | GainPages | LosePages | GainEp
    | LoseEp | Draw | Discard | Retrieve | LookOrder | Push | Shift | Swap | Negate | Toll | CancelBattle | CreateToken
    | RemoveToken | DiscardEquipment | OpenForeshadow | Win
)  # fmt: skip


# -- abilities --------------------------------------------------------------------------------------------------------

Cause = Literal["own_turn_start", "opponent_turn_start", "own_turn_end", "self_damaged", "wearer_attacked"]
Timing = Literal["any", "own_turn", "battle"]
Limit = Literal["none", "once_per_turn", "once_per_match"]


class Ability(M.Text, frozen=True, tag_field="kind", kw_only=True):
    """What a card's text lets it do. One without a printed name bears the name of its card."""

    name: M.Code | None = None
    en: M.Words | None = None
    ja: M.Words | None = None


class Static(Ability, frozen=True, tag="static", kw_only=True):
    """As long as its source is in force."""

    on: Concerned
    mods: Annotated[tuple[AnyModifier, ...], Meta(min_length=1)]
    only_while: tuple[M.AnyCondition, ...] = field(default=(), name="while")


class Automatic(Ability, frozen=True, tag="automatic", kw_only=True):
    """By itself after its cause; the condition is looked at when it is processed."""

    cause: Cause
    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Use(Ability, frozen=True, tag="use", kw_only=True):
    """What is declared and then waits on the stack."""

    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    choices: tuple[AnyChoice, ...] = ()
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Activated(Use, frozen=True, tag="activated", kw_only=True):
    """An ability of a character, for pages or life."""

    pages: M.Natural = 0
    life: M.Natural = 0
    timing: Timing = "any"
    limit: Limit = "none"


class Event(Use, frozen=True, tag="event", kw_only=True):
    """What an event does, for the pages printed on it."""

    timing: Timing = "any"


class Foreshadow(Use, frozen=True, tag="foreshadow", kw_only=True):
    """What a foreshadow does once opened. `additional`: so many hand cards are discarded first, or nothing happens."""

    additional: M.Natural = 0


class Field(Ability, frozen=True, tag="field", kw_only=True):
    """What an opened foreshadow does as long as its field is live."""

    abilities: Annotated[tuple[Static | Automatic, ...], Meta(min_length=1)]
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


AnyAbility = Static | Automatic | Activated | Event | Foreshadow | Field
AnyUse = Activated | Event | Foreshadow

Colour = Literal["red", "yellow", "green", "blue"]
Sex = Literal["M", "F", "U"]
Rarity = Literal["C", "U", "R"]
CardType = Literal["character", "event", "equipment", "foreshadow", "token"]
GIMMICKS: Final[tuple[CardType, ...]] = ("event", "equipment")
PERSONS: Final[tuple[CardType, ...]] = ("character", "token")
"""What stands on the map."""


class Card(cards.Card, frozen=True, kw_only=True):
    """A card as printed. Characters and tokens have a move type and numbers, gimmicks a cost in pages."""

    type: CardType
    colour: Colour
    rarity: Rarity | None = None
    sex: Sex | None = None
    cost: M.Natural = 0
    move: M.MoveType = "none"
    attack: M.Natural = field(default=0, name="atk")
    defence: M.Natural = field(default=0, name="def")
    survival: M.Natural = 0
    pages: M.Natural = 0
    abilities: tuple[AnyAbility, ...] = ()
