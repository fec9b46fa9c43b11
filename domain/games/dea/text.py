"""Card text as data: closed unions that the rules carry out and the renderer puts into words.

Choices are made at declaration, in printed order. An instruction refers to them by position: `chosen` is the first
character, card or foreshadow, `second` the next. `you` is the writer who declared the item, or the owner of a
static or automatic ability.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from domain.games.dea import card_vocabulary as M
from domain.parts import cards

# -- choices ----------------------------------------------------------------------------------------------------------


class Choice(M.Text, frozen=True, tag_field="choose"):
    """Base class of choices made at declaration."""


class ChooseChar(Choice, frozen=True, tag="char"):
    """Character that fits the description. `swaps`: it changes places, so it cannot be a fighting attacker."""

    of: M.CharacterFilter = M.CharacterFilter()
    swaps: bool = False


class ChooseEmptyCell(Choice, frozen=True, tag="cell"):
    """Empty cell: within some king's moves of this or the chosen character, or in an area."""

    within: M.Natural = 0
    near: Literal["self", "chosen"] = "self"
    area: Literal["own_home"] | None = None


class ChooseItem(Choice, frozen=True, tag="item"):
    kinds: M.ItemKinds
    whose: Literal["opponent", "any"] = "opponent"


class ChooseSleeveCard(Choice, frozen=True, tag="sleeve_card"):
    """Gimmick in the player's sleeve."""


class ChooseSlot(Choice, frozen=True, tag="slot"):
    """Face-down foreshadow of the player."""


class ChooseWriter(Choice, frozen=True, tag="writer"):
    """One of the two writers."""


class ChooseDirection(Choice, frozen=True, tag="direction"):
    """One of the four directions along column or row."""


AnyChoice = ChooseChar | ChooseEmptyCell | ChooseItem | ChooseSleeveCard | ChooseSlot | ChooseWriter | ChooseDirection
CARD_CHOICES: Final = (ChooseChar, ChooseSleeveCard, ChooseSlot)
"""Choices that an action names as its targets."""


# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """Base class of the modifiers of static abilities."""


class Plus(Modifier, frozen=True, tag="stat"):
    """Change of attack or defence."""

    to: M.Value
    n: M.Number


class MoveIs(Modifier, frozen=True, tag="set_move"):
    type: M.MoveType


class Has(Modifier, frozen=True, tag="keyword"):
    name: M.KeywordName


class Costs(Modifier, frozen=True, tag="cost"):
    """Change of page costs. `least`: floor of a reduction."""

    of: M.Prices
    n: M.Number
    least: M.Natural = 0


class Cannot(Modifier, frozen=True, tag="forbid"):
    actions: M.Prohibitions


AnyModifier = Plus | MoveIs | Has | Costs | Cannot
StaticSubject = Literal["self", "wearer", "you", "opponent", "each"] | M.CharacterFilter
"""Subject of a static ability: characters, or writers for costs and prohibitions."""


# -- instructions -----------------------------------------------------------------------------------------------------


class Do(M.Text, frozen=True, tag_field="do"):
    """Instruction, carried out as far as possible. `only_if` is checked when the instruction runs."""

    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Stat(Do, frozen=True, tag="stat", kw_only=True):
    on: M.CharacterRef
    to: M.Value
    n: M.Number
    until: M.Until


class SetMove(Do, frozen=True, tag="set_move", kw_only=True):
    on: M.CharacterRef
    type: M.MoveType
    until: M.Until


class Keyword(Do, frozen=True, tag="keyword", kw_only=True):
    on: M.CharacterRef
    name: M.KeywordName
    until: M.Until


class ExtraMove(Do, frozen=True, tag="extra_move", kw_only=True):
    """More normal moves this turn."""

    on: M.CharacterRef
    n: M.Positive


class Seal(Do, frozen=True, tag="seal", kw_only=True):
    on: M.CharacterRef
    until: M.Until


class Forbid(Do, frozen=True, tag="forbid", kw_only=True):
    actions: M.Prohibitions
    who: M.WriterRef
    until: M.Until


class Damage(Do, frozen=True, tag="damage", kw_only=True):
    """The character's owner loses life, and the character counts as damaged."""

    on: M.CharacterRef
    n: M.Positive


class ByWriter(Do, frozen=True, kw_only=True):
    """Base class of instructions that change an amount of a writer."""

    who: M.WriterRef = "you"
    n: M.Positive


class GainLife(ByWriter, frozen=True, tag="gain_life"): ...


class LoseLife(ByWriter, frozen=True, tag="lose_life"): ...


class GainPages(ByWriter, frozen=True, tag="gain_pages"): ...


class LosePages(ByWriter, frozen=True, tag="lose_pages"): ...


class GainEp(ByWriter, frozen=True, tag="gain_ep"): ...


class LoseEp(ByWriter, frozen=True, tag="lose_ep"): ...


class Draw(ByWriter, frozen=True, tag="draw"): ...


class Discard(Do, frozen=True, tag="discard", kw_only=True):
    """Hand cards go to the sleeve. `chooser`: the discarding writer or chance."""

    who: M.WriterRef = "you"
    n: M.Positive
    chooser: Literal["self", "random"] = "self"


class Retrieve(Do, frozen=True, tag="retrieve"):
    """The chosen sleeve card goes to your hand."""


class LookOrder(Do, frozen=True, tag="look_order", kw_only=True):
    """You look at the top of a writer's deck and put the cards back in any order."""

    who: M.SingleWriter
    n: M.Positive


class Push(Do, frozen=True, tag="push", kw_only=True):
    """Move one cell into an empty one, in the chosen direction or away from this character."""

    on: M.CharacterRef
    towards: Literal["direction", "away"]


class Shift(Do, frozen=True, tag="shift", kw_only=True):
    on: M.CharacterRef


class Swap(Do, frozen=True, tag="swap"):
    """The two chosen characters exchange cells."""


class Negate(Do, frozen=True, tag="negate"):
    """Negate the chosen item."""


class Toll(Do, frozen=True, tag="toll", kw_only=True):
    """Negate the chosen item unless its controller pays pages."""

    n: M.Positive


class CancelBattle(Do, frozen=True, tag="cancel_battle"):
    """End the running battle without damage."""


class CreateToken(Do, frozen=True, tag="create_token", kw_only=True):
    """Create a token of yours in the chosen cell."""

    token: M.Id


class RemoveToken(Do, frozen=True, tag="remove_token"):
    """Remove this token from the match."""


class DiscardEquipment(Do, frozen=True, tag="discard_equipment", kw_only=True):
    """The character's equipment goes to its owner's sleeve."""

    on: M.CharacterRef


class OpenForeshadow(Do, frozen=True, tag="open_foreshadow"):
    """Open the chosen foreshadow, even if its condition is not met."""


class Win(Do, frozen=True, tag="win", kw_only=True):
    who: M.SingleWriter = "you"


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
    """Base class of abilities. An ability without a printed name bears the name of its card."""

    name: M.Code | None = None
    en: M.Words | None = None
    ja: M.Words | None = None


class Static(Ability, frozen=True, tag="static", kw_only=True):
    """Ability that is active while its source is in play."""

    on: StaticSubject
    mods: Annotated[tuple[AnyModifier, ...], Meta(min_length=1)]
    only_while: tuple[M.AnyCondition, ...] = field(default=(), name="while")


class Automatic(Ability, frozen=True, tag="automatic", kw_only=True):
    """Ability that its cause triggers. `only_if` is checked when it resolves."""

    cause: Cause
    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Use(Ability, frozen=True, tag="use", kw_only=True):
    """Base class of uses, which are declared and then wait on the stack."""

    do: Annotated[tuple[AnyDo, ...], Meta(min_length=1)]
    choices: tuple[AnyChoice, ...] = ()
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


class Activated(Use, frozen=True, tag="activated", kw_only=True):
    pages: M.Natural = 0
    life: M.Natural = 0
    timing: Timing = "any"
    limit: Limit = "none"


class Event(Use, frozen=True, tag="event", kw_only=True):
    timing: Timing = "any"


class Foreshadow(Use, frozen=True, tag="foreshadow", kw_only=True):
    """Effect of an opened foreshadow. `additional`: hand cards to discard first, or the effect fails."""

    additional: M.Natural = 0


class Field(Ability, frozen=True, tag="field", kw_only=True):
    """Abilities of an opened foreshadow while its field is live."""

    abilities: Annotated[tuple[Static | Automatic, ...], Meta(min_length=1)]
    only_if: tuple[M.AnyCondition, ...] = field(default=(), name="if")


AnyAbility = Static | Automatic | Activated | Event | Foreshadow | Field
AnyUse = Activated | Event | Foreshadow

Colour = Literal["red", "yellow", "green", "blue"]
Sex = Literal["M", "F", "U"]
Rarity = Literal["C", "U", "R"]
CardType = Literal["character", "event", "equipment", "foreshadow", "token"]
GIMMICKS: Final[tuple[CardType, ...]] = ("event", "equipment")
MAP_CARD_TYPES: Final[tuple[CardType, ...]] = ("character", "token")
"""Card types that stand on the map."""


class Card(cards.Card, frozen=True, kw_only=True):
    """Printed card. Characters and tokens have a move type and numbers, gimmicks a cost in pages."""

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
