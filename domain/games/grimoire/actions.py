"""Actions of Grimoire, one struct per action. The verbs are those of the dossier."""

from typing import Annotated, Final, Literal

from domain.law.actions import NO_CARD, NO_SEAT, Concede, JudgeEnd, Pass
from domain.law.slots import Action, ANumber, ASeat, Flag, Frames, HandCard, Slot
from domain.table.table import CardId

BookmarkCard = Annotated[CardId, Slot("card", areas=("bookmark",))]
FieldCard = Annotated[CardId, Slot("card", areas=("field",))]
ObjectCard = Annotated[CardId, Slot("card", areas=("field", "personal"), own=False)]
ObjectCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("field", "personal"), own=False)]
CostCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("hand", "field"))]
OptionCards = Annotated[
    tuple[CardId, ...], Slot("cards", areas=("field", "personal", "hand", "bookmark", "junkyard"), own=False)
]
GrimoireOrder = Annotated[tuple[CardId, ...], Slot("order", areas=("grimoire",), own=False, secret=True)]
Mode = Annotated[Literal["draw", "bookmark", ""], Slot("word", words=("draw", "bookmark"))]


class ChooseOpeningBookmark(Action, frozen=True, tag="choose_opening_bookmark"):
    card: BookmarkCard = NO_CARD


class TranceHand(Action, frozen=True, tag="trance_hand"):
    """Trance choice: reveal a hand card and trance it."""

    card: HandCard = NO_CARD


class TranceBuyDraw(Action, frozen=True, tag="trance_buy_draw"):
    """Trance choice: pay capacity to draw a card."""


class TranceBuyBookmark(Action, frozen=True, tag="trance_buy_bookmark"):
    """Trance choice: pay capacity to take a bookmark card."""

    card: BookmarkCard = NO_CARD


class TranceSkip(Action, frozen=True, tag="trance_skip"):
    """Trance choice: do nothing."""


class Cast(Action, frozen=True, tag="cast"):
    """Put a spell card from the hand onto the field for its cost."""

    card: HandCard = NO_CARD


class Play(Action, frozen=True, tag="play"):
    """Use a spell on the field against one target. It resolves after all players have passed."""

    spell: FieldCard = NO_CARD
    target: ObjectCard = NO_CARD


class Activate(Action, frozen=True, tag="activate"):
    """Use an activated ability. `costs` names the cards to discard and the spells to junk."""

    object: ObjectCard = NO_CARD
    ability: ANumber = 0
    targets: ObjectCards = ()
    costs: CostCards = ()


class OdExplosion(Action, frozen=True, tag="od_explosion"):
    """Pay od, then draw or take a bookmark card, and hit a spell for the character's power."""

    target: ObjectCard = NO_CARD
    mode: Mode = ""
    card: BookmarkCard = NO_CARD


class OrderEffects(Action, frozen=True, tag="order_effects"):
    """Answer: the order of the player's own effects in a group, the first to be processed first."""

    effects: Frames = ()


class ChooseObjects(Action, frozen=True, tag="choose_objects"):
    cards: OptionCards = ()


class ChooseYesNo(Action, frozen=True, tag="choose_yes_no"):
    yes: Flag = False


class ChooseOption(Action, frozen=True, tag="choose_option"):
    """Answer: the index, from 0, of a colour (R O Y G B I V) or of a player offered."""

    option: ANumber = 0


class ShuffleGrimoire(Action, frozen=True, tag="shuffle_grimoire"):
    """Chance: set the order of a grimoire, top first. If `order` is empty, it is shuffled into an unknown order."""

    player: ASeat = NO_SEAT
    order: GrimoireOrder = ()


class RandomFirstPlayer(Action, frozen=True, tag="random_first_player"):
    player: ASeat = NO_SEAT


class JudgeTimeCall(Action, frozen=True, tag="judge_time_call"):
    """The judge calls time. The current turn is completed, then the players are compared."""


class JudgeRelease(Action, frozen=True, tag="judge_release"):
    """The judge releases a held match."""


TranceChoice = TranceHand | TranceBuyDraw | TranceBuyBookmark | TranceSkip
Acting = Cast | Play | Activate | OdExplosion
Answer = ChooseOpeningBookmark | OrderEffects | ChooseObjects | ChooseYesNo | ChooseOption
Outcome = ShuffleGrimoire | RandomFirstPlayer
Judging = JudgeTimeCall | JudgeEnd | JudgeRelease
AnyAction = TranceChoice | Acting | Pass | Concede | Answer | Outcome | Judging

ACTION_TYPES: Final[tuple[type[Action], ...]] = AnyAction.__args__
