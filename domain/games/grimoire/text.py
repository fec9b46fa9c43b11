"""Card text as data: closed unions. The law carries it out and the renderer words it; neither knows single cards. A
program keeps one choice: `chosen` is the result of its last `choose`."""

from typing import Annotated, Literal

from msgspec import Meta, field

from domain.games.grimoire import meaning as M
from domain.parts import cards

# -- costs ------------------------------------------------------------------------------------------------------------


class Cost(M.Text, frozen=True, tag_field="pay"):
    """Base class of costs. A cost is paid in full and in printed order, or not at all."""


class PayMana(Cost, frozen=True, tag="mana"):
    n: M.Positive


class PayCapacity(Cost, frozen=True, tag="capacity"):
    n: M.Positive


class PayOd(Cost, frozen=True, tag="od"):
    n: M.Positive


class SpendSelf(Cost, frozen=True, tag="spend_self"):
    """Spend the object itself, which must be extended."""


class JunkSelf(Cost, frozen=True, tag="junk_self"):
    """Junk the spell itself."""


class JunkOwn(Cost, frozen=True, tag="junk_own"):
    """Junk a spell that you control. The action names it."""


class PayDiscard(Cost, frozen=True, tag="discard"):
    """Discard cards of your hand. The action names them."""

    n: M.Positive


PlainCost = PayMana | PayCapacity | PayOd | SpendSelf | JunkSelf
"""Costs that name no card of the payer's choice."""
AnyCost = PlainCost | JunkOwn | PayDiscard


# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """Base class of modifiers: the change a continuous ability or buff makes while it lasts."""


class Plus(Modifier, frozen=True, tag="plus"):
    to: Literal["power", "toughness", "cost"]
    n: M.Amount


class PowerIs(Modifier, frozen=True, tag="power_is"):
    n: M.Number


class LoseAbilities(Modifier, frozen=True, tag="lose_abilities"):
    """Lose all abilities gained before."""


class Gain(Modifier, frozen=True, tag="gain"):
    ability: "AnyAbility"


Kind = Literal["spell", "character"]
Verb = Literal["target", "be_targeted", "od_explosion", "take_bookmark", "extend", "be_broken", "be_beaten"]


class Can(Modifier, frozen=True, tag="can"):
    """Allow something that the rules do not allow."""

    verb: Literal["target"]
    kind: Kind | None = None


class Cannot(Modifier, frozen=True, tag="cannot"):
    """Forbid something, even if a card allows it. `by` limits it to these players, `kind` to these objects."""

    verb: Verb
    by: Literal["opponent", "any"] = "any"
    kind: Kind | None = None


class RuleIs(Modifier, frozen=True, tag="rule"):
    """Change a number of the rules for the controller."""

    parameter: Literal["trance_mana_max_colours", "trance_capacity_max_colours"]
    value: M.Natural


LastingModifier = Plus | PowerIs | Can | Cannot | RuleIs
"""Modifiers of continuous abilities. They neither give nor take abilities, so none depends on another."""
BuffModifier = Plus | PowerIs | LoseAbilities | Gain | Can | Cannot
AnyModifier = LastingModifier | BuffModifier

Until = Literal["this_turn", "while_source", "permanent"]


# -- instructions -----------------------------------------------------------------------------------------------------


class Do(M.Text, frozen=True, tag_field="do"):
    """Base class of instructions. The parts that cannot be carried out are ignored."""


class Damage(Do, frozen=True, tag="damage"):
    n: M.Quantity
    to: M.ObjectsRef


class Heal(Do, frozen=True, tag="heal"):
    """Remove damage. If `n` is None, remove all of it."""

    of: M.ObjectsRef
    n: M.Quantity | None = None


class Break(Do, frozen=True, tag="break"):
    what: M.ObjectsRef


class Junk(Do, frozen=True, tag="junk"):
    what: M.ObjectsRef


class Spend(Do, frozen=True, tag="spend"):
    what: M.ObjectsRef


class Extend(Do, frozen=True, tag="extend"):
    what: M.ObjectsRef


class Move(Do, frozen=True, tag="move"):
    what: M.ObjectsRef
    to: Literal["hand", "grimoire", "bookmark", "junkyard"]
    at: Literal["top", "bottom"] = "top"


class Void(Do, frozen=True, tag="void"):
    what: M.ObjectsRef
    until: Literal["forever", "this_turn", "source_leaves"]


class Draw(Do, frozen=True, tag="draw"):
    n: M.Positive
    who: M.Who = "you"


class TakeBookmark(Do, frozen=True, tag="take_bookmark"):
    n: M.Positive
    who: M.SinglePlayer = "you"


class Discard(Do, frozen=True, tag="discard"):
    n: M.Positive
    who: M.SinglePlayer = "you"


class Trance(Do, frozen=True, tag="trance"):
    what: M.Ref


class GainRes(Do, frozen=True, tag="gain"):
    """Give players a resource. Chroma is gained in the colour chosen."""

    res: M.Resource
    n: M.Positive
    who: M.Who = "you"


class LoseRes(Do, frozen=True, tag="lose"):
    """Take a resource from players, at most as much as they have."""

    res: M.Resource
    n: M.Positive
    who: M.Who = "you"


class Buff(Do, frozen=True, tag="buff"):
    what: M.ObjectsRef
    mods: tuple[BuffModifier, ...]
    until: Until


class Control(Do, frozen=True, tag="control"):
    what: M.ObjectsRef
    until: Until


class Unplay(Do, frozen=True, tag="unplay"):
    """Take a played spell off the stack, spended, without resolving it."""

    what: M.ObjectsRef


class Choose(Do, frozen=True, tag="choose"):
    """Choose objects or cards, an opponent or a colour. With `targets`, only legal targets can be chosen. If the
    ability is activated, the action names them."""

    what: M.Selector | Literal["opponent", "colour"]
    least: M.Natural = 1
    most: M.Natural = 1
    targets: bool = False


class May(Do, frozen=True, tag="may"):
    then: tuple["AnyDo", ...]


class If(Do, frozen=True, tag="if"):
    cond: M.AnyCondition
    then: tuple["AnyDo", ...]
    otherwise: tuple["AnyDo", ...] = ()


class Each(Do, frozen=True, tag="each"):
    """Carry out a program for each of these players in turn order."""

    who: Literal["opponents", "all_players"]
    then: tuple["AnyDo", ...]


class Pay(Do, frozen=True, tag="pay"):
    """Pay the costs and carry out the program, or do neither. In a `may`, yes requires that the costs are payable."""

    costs: tuple[PlainCost, ...]
    then: tuple["AnyDo", ...]


class Shuffle(Do, frozen=True, tag="shuffle"):
    who: M.SinglePlayer = "you"


class Reveal(Do, frozen=True, tag="reveal"):
    what: M.Selector


class Unvoid(Do, frozen=True, tag="unvoid"):
    """Return the remembered card from the void. No card may use it."""


AnyDo = (
    Damage | Heal | Break | Junk | Spend | Extend | Move | Void | Draw | TakeBookmark | Discard | Trance | GainRes
    | LoseRes | Buff | Control | Unplay | Choose | May | If | Each | Pay | Shuffle | Reveal | Unvoid
)  # fmt: skip


# -- abilities --------------------------------------------------------------------------------------------------------

Event = Literal[
    "cast_self", "play_self", "targeted_self", "resolve_self", "turn_start", "turn_end", "break_self", "leave_self",
    "trance",
]  # fmt: skip


class Ability(M.Text, frozen=True, tag_field="kind"):
    """Base class of abilities."""


class Triggered(Ability, frozen=True, tag="triggered"):
    """An ability that triggers on an event if its condition holds then. `whose` limits the turn, or for `targeted_self`
    the player of the spell."""

    event: Event
    do: tuple[AnyDo, ...]
    whose: Literal["your", "opponent", "every", "unqualified"] = "unqualified"
    cond: M.AnyCondition | None = None
    once: bool = False


class Activated(Ability, frozen=True, tag="activated"):
    """An ability used with priority, for a cost. It is carried out at once."""

    costs: tuple[AnyCost, ...]
    do: tuple[AnyDo, ...]
    own_turn: bool = False
    once: bool = False


class Continuous(Ability, frozen=True, tag="continuous"):
    """An ability in force while the object is in play."""

    on: Literal["self", "you", "opponents", "all_players"] | M.Selector
    mods: tuple[LastingModifier, ...]


KeywordName = Literal["surprise", "quick_cast"]


class Keyword(Ability, frozen=True, tag="keyword"):
    """A gained keyword. Printed keywords are a field of the card."""

    name: KeywordName


PrintedAbility = Triggered | Activated | Continuous
AnyAbility = PrintedAbility | Keyword


class Card(cards.Card, frozen=True):
    type: Literal["character", "spell"]
    user: Annotated[str, Meta(min_length=1)]
    power: M.Natural
    toughness: M.Positive
    cost: M.Natural = 0
    chroma: dict[M.Colour, M.Natural] = field(default_factory=dict)
    keywords: tuple[KeywordName, ...] = ()
    abilities: tuple[PrintedAbility, ...] = ()

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(colour for colour, degree in self.chroma.items() if degree)
