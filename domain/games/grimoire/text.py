"""Card text as data: closed unions of what a card may say. The law carries it out and the renderer words it; neither
knows any card.

A program has one choice at a time: `chosen` is what its last `choose` took.
"""

from typing import Annotated, Literal

from msgspec import Meta, field

from domain.games.grimoire import meaning as M
from domain.parts import cards

# -- costs ------------------------------------------------------------------------------------------------------------


class Cost(M.Text, frozen=True, tag_field="pay"):
    """A cost: paid in full and in the order printed, or not at all."""


class PayMana(Cost, frozen=True, tag="mana"):
    n: M.Positive


class PayCapacity(Cost, frozen=True, tag="capacity"):
    n: M.Positive


class PayOd(Cost, frozen=True, tag="od"):
    n: M.Positive


class SpendSelf(Cost, frozen=True, tag="spend_self"):
    """The object itself, which must be extended, is spended."""


class JunkSelf(Cost, frozen=True, tag="junk_self"):
    """The spell itself is junked."""


class JunkOwn(Cost, frozen=True, tag="junk_own"):
    """A spell one controls, named in the action, is junked."""


class PayDiscard(Cost, frozen=True, tag="discard"):
    """Cards of one's hand, named in the action, are discarded."""

    n: M.Positive


PlainCost = PayMana | PayCapacity | PayOd | SpendSelf | JunkSelf
"""A cost that names no card of the payer's choice."""
AnyCost = PlainCost | JunkOwn | PayDiscard


# -- modifiers --------------------------------------------------------------------------------------------------------


class Modifier(M.Text, frozen=True, tag_field="mod"):
    """What a continuous ability or a buff does to an object or a player as long as it lasts."""


class Plus(Modifier, frozen=True, tag="plus"):
    """A number is added to power, toughness or the mana a cast costs."""

    to: Literal["power", "toughness", "cost"]
    n: M.Amount


class PowerIs(Modifier, frozen=True, tag="power_is"):
    """Power is set."""

    n: M.Number


class LoseAbilities(Modifier, frozen=True, tag="lose_abilities"):
    """All abilities it has until then are lost."""


class Gain(Modifier, frozen=True, tag="gain"):
    """An ability is gained."""

    ability: "AnyAbility"


Kind = Literal["spell", "character"]
Verb = Literal["target", "be_targeted", "od_explosion", "take_bookmark", "extend", "be_broken", "be_beaten"]


class Can(Modifier, frozen=True, tag="can"):
    """What the rules do not allow is allowed."""

    verb: Literal["target"]
    kind: Kind | None = None


class Cannot(Modifier, frozen=True, tag="cannot"):
    """It is forbidden, whatever allows it. `by`: only to them; `kind`: only of such objects."""

    verb: Verb
    by: Literal["opponent", "any"] = "any"
    kind: Kind | None = None


class RuleIs(Modifier, frozen=True, tag="rule"):
    """A number of the rules is another for the controller."""

    parameter: Literal["trance_mana_max_colours", "trance_capacity_max_colours"]
    value: M.Natural


LastingModifier = Plus | PowerIs | Can | Cannot | RuleIs
"""What a continuous ability may do: it neither gives nor takes abilities, so none depends on another."""
BuffModifier = Plus | PowerIs | LoseAbilities | Gain | Can | Cannot
AnyModifier = LastingModifier | BuffModifier

Until = Literal["this_turn", "while_source", "permanent"]


# -- instructions -----------------------------------------------------------------------------------------------------


class Do(M.Text, frozen=True, tag_field="do"):
    """An instruction. What of it cannot be carried out is ignored, the rest is done."""


class Damage(Do, frozen=True, tag="damage"):
    n: M.Quantity
    to: M.Objs


class Heal(Do, frozen=True, tag="heal"):
    """Damage is removed; `n` None removes all of it."""

    of: M.Objs
    n: M.Quantity | None = None


class Break(Do, frozen=True, tag="break"):
    what: M.Objs


class Junk(Do, frozen=True, tag="junk"):
    what: M.Objs


class Spend(Do, frozen=True, tag="spend"):
    what: M.Objs


class Extend(Do, frozen=True, tag="extend"):
    what: M.Objs


class Move(Do, frozen=True, tag="move"):
    what: M.Objs
    to: Literal["hand", "grimoire", "bookmark", "junkyard"]
    at: Literal["top", "bottom"] = "top"


class Void(Do, frozen=True, tag="void"):
    what: M.Objs
    until: Literal["forever", "this_turn", "source_leaves"]


class Draw(Do, frozen=True, tag="draw"):
    n: M.Positive
    who: M.Who = "you"


class TakeBookmark(Do, frozen=True, tag="take_bookmark"):
    n: M.Positive
    who: M.One = "you"


class Discard(Do, frozen=True, tag="discard"):
    n: M.Positive
    who: M.One = "you"


class Trance(Do, frozen=True, tag="trance"):
    what: M.Ref


class GainRes(Do, frozen=True, tag="gain"):
    """Players get more of a resource; of chroma in the colour chosen."""

    res: M.Resource
    n: M.Positive
    who: M.Who = "you"


class LoseRes(Do, frozen=True, tag="lose"):
    """Players lose of a resource as much as they have."""

    res: M.Resource
    n: M.Positive
    who: M.Who = "you"


class Buff(Do, frozen=True, tag="buff"):
    what: M.Objs
    mods: tuple[BuffModifier, ...]
    until: Until


class Control(Do, frozen=True, tag="control"):
    """You take control."""

    what: M.Objs
    until: Until


class Unplay(Do, frozen=True, tag="unplay"):
    """A played spell becomes spended and is not resolved."""

    what: M.Objs


class Choose(Do, frozen=True, tag="choose"):
    """You choose objects or cards, an opponent or a colour. `targets`: what could not be targeted cannot be chosen, and
    of an activated ability they are named in the action."""

    what: M.Sel | Literal["opponent", "colour"]
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
    """Each of these players in turn order."""

    who: Literal["opponents", "all_players"]
    then: tuple["AnyDo", ...]


class Pay(Do, frozen=True, tag="pay"):
    """If the costs are paid, this is done. Inside a `may`, yes can be said only if they can be paid."""

    costs: tuple[PlainCost, ...]
    then: tuple["AnyDo", ...]


class Shuffle(Do, frozen=True, tag="shuffle"):
    who: M.One = "you"


class Reveal(Do, frozen=True, tag="reveal"):
    """The cards of that description are shown to all players."""

    what: M.Sel


class Unvoid(Do, frozen=True, tag="unvoid"):
    """The remembered card comes back from the void; written on no card."""


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
    """What a card's text lets it do."""


class Triggered(Ability, frozen=True, tag="triggered"):
    """On an event, if the condition holds then. `whose` says whose turn, or (`targeted_self`) by whose play."""

    event: Event
    do: tuple[AnyDo, ...]
    whose: Literal["your", "opponent", "every", "unqualified"] = "unqualified"
    cond: M.AnyCondition | None = None
    once: bool = False


class Activated(Ability, frozen=True, tag="activated"):
    """With priority, for a cost; carried out at once."""

    costs: tuple[AnyCost, ...]
    do: tuple[AnyDo, ...]
    own_turn: bool = False
    once: bool = False


class Continuous(Ability, frozen=True, tag="continuous"):
    """As long as the object is in play."""

    on: Literal["self", "you", "opponents", "all_players"] | M.Sel
    mods: tuple[LastingModifier, ...]


KeywordName = Literal["surprise", "quick_cast"]


class Keyword(Ability, frozen=True, tag="keyword"):
    """A gained keyword; printed ones stand by themselves."""

    name: KeywordName


PrintedAbility = Triggered | Activated | Continuous
AnyAbility = PrintedAbility | Keyword


class Card(cards.Card, frozen=True):
    """A card as printed. Its colours follow from its chroma."""

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
        """The colours in which its chroma is at least 1."""
        return tuple(colour for colour, degree in self.chroma.items() if degree)
