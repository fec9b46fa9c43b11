"""Actions of Skillbook, one struct per action. The verbs are those of the dossier."""

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
    """Set-up: lay out your terrains on the squares of your own area, row by row from row 1 up."""

    cards: LayoutCards = ()


class ChooseOrder(Action, frozen=True, tag="choose_order"):
    """Set-up: the winner of the toss chooses to go first or second."""

    order: AnOrder = ""


class PlaceHero(Action, frozen=True, tag="place_hero"):
    """Set-up: place your hero on one of your start points."""

    square: APlace = NO_PLACE


class OrderTriggers(Action, frozen=True, tag="order_triggers"):
    """Answer: the order of your own triggers, the first to be handled first."""

    triggers: Frames = ()


class ChooseTargets(Action, frozen=True, tag="choose_targets"):
    """Answer: choose the targets of a trigger, or `decline` if it is optional."""

    targets: Targets = ()
    square: APlace = NO_PLACE
    decline: Flag = False


class OrderGraveyard(Action, frozen=True, tag="order_graveyard"):
    """Answer: the order of cards that reached your graveyard together, from the bottom up."""

    cards: Packet = ()


class MakeRoom(Action, frozen=True, tag="make_room"):
    """Answer: choose a card of your table to make room for an aura, or no card to bury the aura."""

    card: TableCard = NO_CARD


class PlaceCard(Action, frozen=True, tag="place_card"):
    """Answer: choose where a drawn, retrieved or recalled card goes, and which cards make room."""

    card: DrawnCard = NO_CARD
    mode: AMode = ""
    held: HandCard = NO_CARD
    gone: TableCard = NO_CARD


class ChooseExplore(Action, frozen=True, tag="choose_explore"):
    yes: Flag = False


class ChooseTerrainEffect(Action, frozen=True, tag="choose_terrain_effect"):
    answer: TerrainAnswer = ""


class ChooseAttackTarget(Action, frozen=True, tag="choose_attack_target"):
    """Answer: choose the unit to attack and, if the attack pierces, the squares it passes."""

    target: UnitCard = NO_CARD
    path: Path = ()


class Counter(Action, frozen=True, tag="counter"):
    """Answer: exhaust the attacked unit to strike back."""


class DeclineCounter(Action, frozen=True, tag="decline_counter"):
    """Answer: do not strike back."""


class Charge(Action, frozen=True, tag="charge"):
    """Do nothing else this turn and make a new book."""


class DeclineCharge(Action, frozen=True, tag="decline_charge"):
    """Go on to the main phase."""


class UseSkill(Action, frozen=True, tag="use_skill"):
    """Use a skill from the hand or table. Targets are in printed order, with a slot for each kind."""

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
    unit: UnitCard = NO_CARD


class MoveStep(Action, frozen=True, tag="move_step"):
    """Make one step of the open move. Only a leap names several squares."""

    path: Path = ()


class StopMove(Action, frozen=True, tag="stop_move"):
    """End the open move."""


class ExploreInPlace(Action, frozen=True, tag="explore_in_place"):
    unit: UnitCard = NO_CARD


class StartBattle(Action, frozen=True, tag="start_battle"):
    unit: UnitCard = NO_CARD


class DiscardAura(Action, frozen=True, tag="discard_aura"):
    card: TableCard = NO_CARD


class DispelCurse(Action, frozen=True, tag="dispel_curse"):
    """Pay to remove a curse from your table."""

    card: TableCard = NO_CARD


class EndTurn(Action, frozen=True, tag="end_turn"):
    """Declare the end of your turn."""


class ShowGraveyard(Action, frozen=True, tag="show_graveyard"):
    """Show the opponent the top `count` cards of your graveyard."""

    count: ANumber = 0


class ShuffleBook(Action, frozen=True, tag="shuffle_book"):
    """Chance: set the order of a book, top first. If `order` is empty, it is shuffled into an unknown order."""

    player: ASeat = NO_SEAT
    order: SecretOrder = ()


class Toss(Action, frozen=True, tag="toss"):
    """Chance: choose the player who decides the order of play."""

    player: ASeat = NO_SEAT


class CallTime(Action, frozen=True, tag="call_time"):
    """The judge calls time. The current turn is completed, then the match is adjudicated."""


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
