"""What may be done: one struct per action, its fields saying what they name. Verbs are the dossier's."""

from typing import Annotated, Final, Literal

from domain.law.actions import NO_CARD, NO_FRAME, NO_PLACE, NO_SEAT, Concede, JudgeEnd, Pass
from domain.law.slots import Action, AFrame, ANumber, APlace, ASeat, Flag, Frames, SecretOrder, Slot
from domain.table.table import CardId, Place

LayoutCards = Annotated[tuple[CardId, ...], Slot("cards", areas=("layout",), secret=True)]
SkillCard = Annotated[CardId, Slot("card", areas=("hand", "table"))]
DrawnCard = Annotated[CardId, Slot("card", areas=("drawn",))]
HandCard = Annotated[CardId, Slot("card", areas=("hand",))]
TableCard = Annotated[CardId, Slot("card", areas=("table",))]
UnitCard = Annotated[CardId, Slot("card", areas=("unit",), own=False)]
SourceCard = Annotated[CardId, Slot("card", areas=("unit", "table", "ground"), own=False)]
Targets = Annotated[tuple[CardId, ...], Slot("cards", areas=("unit", "ground"), own=False)]
Packet = Annotated[tuple[CardId, ...], Slot("cards", areas=("graveyard",), own=False, secret=True)]
Path = Annotated[tuple[Place, ...], Slot("places")]
PlacingMode = Literal[
    "to_table", "to_hand", "shift", "discard_drawn", "discard_hand", "discard_table", "discard_table_shift"
]
AMode = Annotated[PlacingMode | Literal[""], Slot("word", words=PlacingMode.__args__)]
Order = Literal["first", "second"]
AnOrder = Annotated[Order | Literal[""], Slot("word", words=("first", "second"))]
TerrainAnswer = Annotated[Literal["accept", "ignore", ""], Slot("word", words=("accept", "ignore"))]


class LayOutMap(Action, frozen=True, tag="lay_out_map"):
    """Set-up: one's terrains in the order of the squares of one's own area, row by row from row 1 up."""

    cards: LayoutCards = ()


class ChooseOrder(Action, frozen=True, tag="choose_order"):
    """Set-up: who won the toss is first or second player."""

    order: AnOrder = ""


class PlaceHero(Action, frozen=True, tag="place_hero"):
    """Set-up: the hero comes onto one of one's own start points."""

    square: APlace = NO_PLACE


class OrderTriggers(Action, frozen=True, tag="order_triggers"):
    """Answer: one's own triggers, the first to be handled first."""

    triggers: Frames = ()


class ChooseTargets(Action, frozen=True, tag="choose_targets"):
    """Answer: what a trigger aims at; `decline` where it may be left."""

    targets: Targets = ()
    square: APlace = NO_PLACE
    decline: Flag = False


class OrderGraveyard(Action, frozen=True, tag="order_graveyard"):
    """Answer: cards that reached one's graveyard together, from the bottom up."""

    cards: Packet = ()


class MakeRoom(Action, frozen=True, tag="make_room"):
    """Answer: the card of one's table that goes to the graveyard for an aura; none: the aura goes there itself."""

    card: TableCard = NO_CARD


class PlaceCard(Action, frozen=True, tag="place_card"):
    """Answer: where a drawn, retrieved or recalled card goes, and which cards make way."""

    card: DrawnCard = NO_CARD
    mode: AMode = ""
    held: HandCard = NO_CARD
    gone: TableCard = NO_CARD


class ChooseExplore(Action, frozen=True, tag="choose_explore"):
    """Answer: is the terrain turned up?"""

    yes: Flag = False


class ChooseTerrainEffect(Action, frozen=True, tag="choose_terrain_effect"):
    """Answer: does a flying unit accept or ignore what the terrain does?"""

    answer: TerrainAnswer = ""


class ChooseAttackTarget(Action, frozen=True, tag="choose_attack_target"):
    """Answer: who is attacked; over which squares, where the attack pierces."""

    target: UnitCard = NO_CARD
    path: Path = ()


class Counter(Action, frozen=True, tag="counter"):
    """Answer: the attacked unit exhausts itself and strikes back."""


class DeclineCounter(Action, frozen=True, tag="decline_counter"):
    """Answer: it does not."""


class Charge(Action, frozen=True, tag="charge"):
    """Do nothing else this turn, and make a new book."""


class DeclineCharge(Action, frozen=True, tag="decline_charge"):
    """Go on to the main phase."""


class UseSkill(Action, frozen=True, tag="use_skill"):
    """Use a skill of the hand or table: its targets in printed order, each kind of thing in a slot of its own."""

    card: SkillCard = NO_CARD
    targets: Targets = ()
    square: APlace = NO_PLACE
    item: AFrame = NO_FRAME
    path: Path = ()


class UseAbility(Action, frozen=True, tag="use_ability"):
    """Use an activated ability of a unit, an aura or the terrain under a unit."""

    source: SourceCard = NO_CARD
    ability: ANumber = 0
    targets: Targets = ()
    square: APlace = NO_PLACE


class DeclareMove(Action, frozen=True, tag="declare_move"):
    """Begin to move a unit."""

    unit: UnitCard = NO_CARD


class MoveStep(Action, frozen=True, tag="move_step"):
    """One step of the open move; over several squares only in a leap."""

    path: Path = ()


class StopMove(Action, frozen=True, tag="stop_move"):
    """End the open move."""


class ExploreInPlace(Action, frozen=True, tag="explore_in_place"):
    """Turn up the terrain a unit stands on."""

    unit: UnitCard = NO_CARD


class StartBattle(Action, frozen=True, tag="start_battle"):
    """Fight with a unit."""

    unit: UnitCard = NO_CARD


class DiscardAura(Action, frozen=True, tag="discard_aura"):
    """Give up an own aura in force."""

    card: TableCard = NO_CARD


class DispelCurse(Action, frozen=True, tag="dispel_curse"):
    """Pay to get rid of a curse on one's table."""

    card: TableCard = NO_CARD


class EndTurn(Action, frozen=True, tag="end_turn"):
    """Declare the end of one's turn."""


class ShowGraveyard(Action, frozen=True, tag="show_graveyard"):
    """Show the opponent so many cards of one's graveyard, from the top."""

    count: ANumber = 0


class ShuffleBook(Action, frozen=True, tag="shuffle_book"):
    """Chance: the order of a book, top first; none: shuffled, and nobody knows how it lies now."""

    player: ASeat = NO_SEAT
    order: SecretOrder = ()


class Toss(Action, frozen=True, tag="toss"):
    """Chance: who may choose to go first or second."""

    player: ASeat = NO_SEAT


class CallTime(Action, frozen=True, tag="call_time"):
    """The judge calls time: the turn is completed, then the match is adjudicated."""


SetUp = LayOutMap | ChooseOrder | PlaceHero
Answer = (
    OrderTriggers | ChooseTargets | OrderGraveyard | MakeRoom | PlaceCard | ChooseExplore | ChooseTerrainEffect
    | ChooseAttackTarget | Counter | DeclineCounter
)  # fmt: skip
Use = UseSkill | UseAbility
Moving = DeclareMove | MoveStep | StopMove | ExploreInPlace
Upkeep = DiscardAura | DispelCurse
Turning = Charge | DeclineCharge | EndTurn
Outcome = ShuffleBook | Toss
Judging = CallTime | JudgeEnd
AnyAction = (
    SetUp | Answer | Turning | Use | Moving | StartBattle | Upkeep | Pass | ShowGraveyard | Concede | Outcome | Judging
)

ACTION_TYPES: Final[tuple[type[Action], ...]] = AnyAction.__args__
