"""What may be done: one struct per action, its fields saying what they name. Verbs are the dossier's.

What a use needs is named at its declaration, each kind of thing in a slot of its own: `targets` are characters, cards
of one's sleeve or a face-down foreshadow, in the order in which the card's text asks for them.
"""

from typing import Annotated, Final, Literal

from domain.law.actions import NO_CARD, NO_FRAME, NO_PLACE, NO_SEAT, Concede, JudgeEnd, Pass
from domain.law.slots import Action, AFrame, APlace, ASeat, Flag, HandCard, HandCards, SecretOrder, Slot, Text
from domain.table.table import CardId

UnplacedCard = Annotated[CardId, Slot("card", areas=("unplaced",))]
UnplacedCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("unplaced",), secret=True)]
MapCard = Annotated[CardId, Slot("card", areas=("map",), own=False)]
SlotCard = Annotated[CardId, Slot("card", areas=("foreshadow",))]
Targets = Annotated[tuple[CardId, ...], Slot("cards", areas=("map", "sleeve", "foreshadow"), own=False)]
ChosenCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("hand", "deck"), own=False, secret=True)]
DiscardedCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("hand",), own=False)]
AnAbility = Annotated[str, Slot("word")]
Direction = Literal["north", "south", "east", "west"]
ADirection = Annotated[Direction | Literal[""], Slot("word", words=("north", "south", "east", "west"))]


class PlaceCharacter(Action, frozen=True, tag="place_character"):
    """Set-up: lay a character face down in a cell of the own home area."""

    card: UnplacedCard = NO_CARD
    cell: APlace = NO_PLACE


class SetForeshadows(Action, frozen=True, tag="set_foreshadows"):
    """Set-up: the own three foreshadows, in the order of their slots."""

    cards: UnplacedCards = ()


class Move(Action, frozen=True, tag="move"):
    """The normal move into an empty cell."""

    character: MapCard = NO_CARD
    cell: APlace = NO_PLACE


class Attack(Action, frozen=True, tag="attack"):
    """Move onto an enemy character: a battle."""

    character: MapCard = NO_CARD
    cell: APlace = NO_PLACE


class UseAbility(Action, frozen=True, tag="use_ability"):
    """Declare an activated ability of an own character."""

    character: MapCard = NO_CARD
    ability: AnAbility = ""
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class PlayEvent(Action, frozen=True, tag="play_event"):
    """Declare an event of the own hand."""

    card: HandCard = NO_CARD
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class PlayEquipment(Action, frozen=True, tag="play_equipment"):
    """Declare an equipment of the own hand for an own character."""

    card: HandCard = NO_CARD
    wearer: MapCard = NO_CARD


class UseForeshadow(Action, frozen=True, tag="use_foreshadow"):
    """Declare and open an own face-down foreshadow."""

    card: SlotCard = NO_CARD
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class ConvertHand(Action, frozen=True, tag="convert_hand"):
    """A hand card becomes pages at once."""

    card: HandCard = NO_CARD


class ConvertPages(Action, frozen=True, tag="convert_pages"):
    """Declare that pages become an ending point."""


class EndMain(Action, frozen=True, tag="end_main"):
    """Declare the end of the main phase."""


class ChooseNextEffect(Action, frozen=True, tag="choose_next_effect"):
    """Answer: which of the waiting automatic effects is processed now."""

    effect: AFrame = NO_FRAME


class ChooseCell(Action, frozen=True, tag="choose_cell"):
    """Answer: another destination for one that became illegal."""

    cell: APlace = NO_PLACE


class ChooseTargets(Action, frozen=True, tag="choose_targets"):
    """Answer: what the effect of a foreshadow that another card opened is aimed at."""

    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class ChooseCards(Action, frozen=True, tag="choose_cards"):
    """Answer: the cards discarded, or those looked at in the order in which they go back."""

    cards: ChosenCards = ()


class PayOrDecline(Action, frozen=True, tag="pay_or_decline"):
    """Answer: a toll is paid or not, an additional condition done (with these hand cards) or refused."""

    yes: Flag = False
    cards: HandCards = ()


class DiscardToLimit(Action, frozen=True, tag="discard_to_limit"):
    """Answer: one card from a hand above the limit goes to the sleeve."""

    card: HandCard = NO_CARD


class GiveTitle(Action, frozen=True, tag="give_title"):
    """The winner names the battle."""

    title: Text = ""


class FirstPlayer(Action, frozen=True, tag="first_player"):
    """Chance: who goes first."""

    player: ASeat = NO_SEAT


class Shuffle(Action, frozen=True, tag="shuffle"):
    """Chance: the order of a deck, top first; none: shuffled, and nobody knows how it lies now."""

    player: ASeat = NO_SEAT
    order: SecretOrder = ()


class RandomDiscard(Action, frozen=True, tag="random_discard"):
    """Chance: the hand cards that are discarded, in their order."""

    cards: DiscardedCards = ()


class TieBreak(Action, frozen=True, tag="tie_break"):
    """Chance: who wins where both have reached the same."""

    player: ASeat = NO_SEAT


class CallTime(Action, frozen=True, tag="call_time"):
    """The judge calls time."""


Placing = PlaceCharacter | SetForeshadows
Using = UseAbility | PlayEvent | UseForeshadow
"""Uses whose text may ask for choices."""
Declared = Using | PlayEquipment | ConvertPages
Answer = ChooseNextEffect | ChooseCell | ChooseTargets | ChooseCards | PayOrDecline | DiscardToLimit
Outcome = FirstPlayer | Shuffle | RandomDiscard | TieBreak
Judging = CallTime | JudgeEnd
AnyAction = (
    Placing | Move | Attack | Declared | ConvertHand | EndMain | Pass | Answer | Outcome | Concede | GiveTitle | Judging
)

ACTION_TYPES: Final[tuple[type[Action], ...]] = AnyAction.__args__
