"""Actions of DEA: one struct per action, whose fields are the slots to fill. Verbs follow the dossier.

A use names its choices at declaration, each type in its own slot. `targets` are characters, cards of the player's
sleeve or a face-down foreshadow, in the order in which the card text asks for them.
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
    """Set-up: place a character face down in a cell of the player's home area."""

    card: UnplacedCard = NO_CARD
    cell: APlace = NO_PLACE


class SetForeshadows(Action, frozen=True, tag="set_foreshadows"):
    """Set-up: place the player's foreshadows, in the order of their slots."""

    cards: UnplacedCards = ()


class Move(Action, frozen=True, tag="move"):
    """Normal move into an empty cell."""

    character: MapCard = NO_CARD
    cell: APlace = NO_PLACE


class Attack(Action, frozen=True, tag="attack"):
    """Move onto an enemy character, which starts a battle."""

    character: MapCard = NO_CARD
    cell: APlace = NO_PLACE


class UseAbility(Action, frozen=True, tag="use_ability"):
    character: MapCard = NO_CARD
    ability: AnAbility = ""
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class PlayEvent(Action, frozen=True, tag="play_event"):
    card: HandCard = NO_CARD
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class PlayEquipment(Action, frozen=True, tag="play_equipment"):
    card: HandCard = NO_CARD
    wearer: MapCard = NO_CARD


class UseForeshadow(Action, frozen=True, tag="use_foreshadow"):
    """Declare and open one of the player's face-down foreshadows."""

    card: SlotCard = NO_CARD
    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class ConvertHand(Action, frozen=True, tag="convert_hand"):
    """Turn a hand card into pages at once."""

    card: HandCard = NO_CARD


class ConvertPages(Action, frozen=True, tag="convert_pages"):
    """Declare the conversion of pages into an ending point."""


class EndMain(Action, frozen=True, tag="end_main"):
    """Declare the end of the main phase."""


class ChooseNextEffect(Action, frozen=True, tag="choose_next_effect"):
    """Answer: the waiting automatic effect to process next."""

    effect: AFrame = NO_FRAME


class ChooseCell(Action, frozen=True, tag="choose_cell"):
    """Answer: the destination that replaces one that became illegal."""

    cell: APlace = NO_PLACE


class ChooseTargets(Action, frozen=True, tag="choose_targets"):
    """Answer: the targets of a foreshadow that another card opened."""

    targets: Targets = ()
    cell: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    writer: ASeat = NO_SEAT
    direction: ADirection = ""


class ChooseCards(Action, frozen=True, tag="choose_cards"):
    """Answer: the cards to discard, or the cards looked at in the order in which to put them back."""

    cards: ChosenCards = ()


class PayOrDecline(Action, frozen=True, tag="pay_or_decline"):
    """Answer: pay or refuse a toll, or meet an additional condition with these hand cards."""

    yes: Flag = False
    cards: HandCards = ()


class DiscardToLimit(Action, frozen=True, tag="discard_to_limit"):
    card: HandCard = NO_CARD


class GiveTitle(Action, frozen=True, tag="give_title"):
    title: Text = ""


class FirstPlayer(Action, frozen=True, tag="first_player"):
    player: ASeat = NO_SEAT


class Shuffle(Action, frozen=True, tag="shuffle"):
    """Chance outcome: the order of a deck, top first. Empty if the order is unknown."""

    player: ASeat = NO_SEAT
    order: SecretOrder = ()


class RandomDiscard(Action, frozen=True, tag="random_discard"):
    """Chance outcome: the hand cards that are discarded, in order."""

    cards: DiscardedCards = ()


class TieBreak(Action, frozen=True, tag="tie_break"):
    player: ASeat = NO_SEAT


class CallTime(Action, frozen=True, tag="call_time"):
    """Call time, as the judge."""


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
