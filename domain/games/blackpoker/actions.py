"""Actions of BlackPoker: one struct per action, whose fields are the slots to fill. Verbs follow the dossier."""

from typing import Annotated, Final, Literal

from msgspec import Struct

from domain.games.blackpoker import clauses as C
from domain.law.actions import NO_CARD, NO_FRAME, NO_SEAT, Concede, JudgeEnd, Pass
from domain.law.clause import implements
from domain.law.slots import Action, AFrame, ASeat, Flag, HandCard, HandCards, Slot
from domain.table.table import CardId

OwnBulwarks = Annotated[tuple[CardId, ...], Slot("cards", areas=("bulwarks",))]
OwnUnits = Annotated[tuple[CardId, ...], Slot("cards", areas=("soldiers", "bulwarks"))]
Unit = Annotated[CardId, Slot("card", areas=("soldiers", "bulwarks"), own=False)]
Blocks = Annotated[tuple[tuple[CardId, CardId], ...], Slot("pairs", areas=("soldiers", "bulwarks"), own=False)]
LifeCard = Annotated[CardId, Slot("card", areas=("life",))]
GraveCard = Annotated[CardId, Slot("card", areas=("grave",))]
LifeOrder = Annotated[tuple[CardId, ...], Slot("order", areas=("life",), own=False, secret=True)]
State = Annotated[Literal["charged", "driven", ""], Slot("word", words=("charged", "driven"))]
Name = Annotated[str, Slot("word")]


class End(Action, frozen=True, tag="end"):
    """Request to end the turn."""


class Attack(Action, frozen=True, tag="attack"):
    """Request to attack. It names the attackers only under `attack.designate` = at_request."""

    units: OwnUnits = ()


class SetBulwark(Action, frozen=True, tag="set_bulwark"):
    """Request to place a bulwark."""


class SummonSoldier(Action, frozen=True, tag="summon_soldier"):
    keys: HandCards = ()
    bulwarks: OwnBulwarks = ()


class SummonHero(Action, frozen=True, tag="summon_hero"):
    keys: HandCards = ()
    bulwarks: OwnBulwarks = ()


class SummonAce(Action, frozen=True, tag="summon_ace"):
    keys: HandCards = ()


class Equip(Action, frozen=True, tag="equip"):
    keys: HandCards = ()
    bulwarks: OwnBulwarks = ()
    target: Unit = NO_CARD


class Up(Action, frozen=True, tag="up"):
    """Request to enlarge a soldier for this turn."""

    keys: HandCards = ()
    discards: HandCards = ()
    target: Unit = NO_CARD


class Down(Action, frozen=True, tag="down"):
    """Request to shrink a soldier for this turn."""

    keys: HandCards = ()
    discards: HandCards = ()
    target: Unit = NO_CARD


class Twist(Action, frozen=True, tag="twist"):
    """Request to change a character's stance. It names the state only under `twist.choose` = at_request."""

    keys: HandCards = ()
    discards: HandCards = ()
    target: Unit = NO_CARD
    state: State = ""


class Counter(Action, frozen=True, tag="counter"):
    """Request to nullify another request."""

    keys: HandCards = ()
    discards: HandCards = ()
    target: AFrame = NO_FRAME


class Search(Action, frozen=True, tag="search"):
    """Request to take any card from the player's life."""

    keys: HandCards = ()


class DestroyBulwark(Action, frozen=True, tag="destroy_bulwark"):
    keys: HandCards = ()
    target: Unit = NO_CARD


class Throwing(Action, frozen=True, tag="throwing"):
    """Request to damage the opponent."""

    keys: HandCards = ()
    target: ASeat = NO_SEAT


class Unoffered(Action, frozen=True, tag="unoffered"):
    """Action that no player may request in this format: a triggered action, or one of another format."""

    name: Name = ""


class ChooseDiscards(Action, frozen=True, tag="choose_discards"):
    cards: HandCards = ()


class ChooseSecondDraw(Action, frozen=True, tag="choose_second_draw"):
    draw: Flag = False


class DesignateAttackers(Action, frozen=True, tag="designate_attackers"):
    units: OwnUnits = ()


class DesignateBlockers(Action, frozen=True, tag="designate_blockers"):
    """Answer to Block: pairs of blocker and attacker."""

    blocks: Blocks = ()


class ChooseBulwarkCard(Action, frozen=True, tag="choose_bulwark_card"):
    card: HandCard = NO_CARD


class ChooseTwistState(Action, frozen=True, tag="choose_twist_state"):
    state: State = ""


class ChooseSearchCard(Action, frozen=True, tag="choose_search_card"):
    card: LifeCard = NO_CARD


class OrderTriggers(Action, frozen=True, tag="order_triggers"):
    """Answer: the player's triggered request that comes first."""

    request: AFrame = NO_FRAME


class ChooseGraveTop(Action, frozen=True, tag="choose_grave_top"):
    """Answer: the card on top of the grave, out of those that just moved there."""

    card: GraveCard = NO_CARD


class ShuffleDeck(Action, frozen=True, tag="shuffle_deck"):
    """Chance outcome: the order of a deck, top first. Empty if the order is unknown."""

    player: ASeat = NO_SEAT
    order: LifeOrder = ()


class ShuffleLife(Action, frozen=True, tag="shuffle_life"):
    """Chance outcome: the order of a life, top first. Empty if the order is unknown."""

    player: ASeat = NO_SEAT
    order: LifeOrder = ()


class CoinToss(Action, frozen=True, tag="coin_toss"):
    winner: ASeat = NO_SEAT


Request = (
    End | Attack | SetBulwark | SummonSoldier | SummonHero | SummonAce | Equip | Up | Down | Twist | Counter | Search
    | DestroyBulwark | Throwing
)  # fmt: skip
Answer = (
    ChooseDiscards | ChooseSecondDraw | DesignateAttackers | DesignateBlockers | ChooseBulwarkCard | ChooseTwistState
    | ChooseSearchCard | OrderTriggers | ChooseGraveTop
)  # fmt: skip
Outcome = ShuffleDeck | ShuffleLife | CoinToss
AnyAction = Pass | Concede | Request | Unoffered | Answer | Outcome | JudgeEnd

ACTION_TYPES: Final[tuple[type[Action], ...]] = AnyAction.__args__

TRIGGERED: Final = ("charge", "draw", "block", "damage_judge", "next_generation")
"""Actions that only the rules request."""
OTHER_FORMATS: Final = (
    "summon_magician", "unsummon", "death_lance", "add_bulwark", "reanimate", "handeth", "reverse", "quick_summon",
    "reunion", "kill", "truce", "change_target", "force", "sword_rain", "recruit", "surprise", "bj", "rsf",
    "pack_open", "rare_draw", "rare_summon", "trap_counter", "quick_open", "main_open", "close", "trump_destroy",
)  # fmt: skip
"""Actions of formats and frames that are not implemented."""

KeyTest = Literal["soldier", "hero", "ace", "joker", "suited", "ace_to_ten"]


class RequestHeader(Struct, frozen=True):
    """Header of a request: its timing, its cost, and the suit and kind of each key card.

    Each letter of `cost` is one part: drive a bulwark (B), take a life card (L), discard a card (D).
    """

    main: bool
    cost: str = ""
    keys: tuple[tuple[str, KeyTest], ...] = ()


REQUEST_HEADERS: Final[dict[type[Action], RequestHeader]] = {
    End: implements(C.END)(RequestHeader(main=True)),
    Attack: implements(C.ATTACK)(RequestHeader(main=True)),
    SetBulwark: implements(C.SET_BULWARK)(RequestHeader(main=True, cost="L")),
    SummonSoldier: implements(C.SUMMON_SOLDIER)(RequestHeader(main=True, cost="BL", keys=(("", "soldier"),))),
    SummonHero: implements(C.SUMMON_HERO)(RequestHeader(main=True, cost="BBL", keys=(("", "hero"),))),
    SummonAce: implements(C.SUMMON_ACE)(RequestHeader(main=True, cost="L", keys=(("", "ace"),))),
    Equip: implements(C.EQUIP)(RequestHeader(main=True, cost="BL", keys=(("", "suited"),))),
    Up: implements(C.UP)(RequestHeader(main=False, cost="D", keys=(("H", "ace_to_ten"),))),
    Down: implements(C.DOWN)(RequestHeader(main=False, cost="D", keys=(("S", "ace_to_ten"),))),
    Twist: implements(C.TWIST)(RequestHeader(main=False, cost="D", keys=(("D", "ace_to_ten"),))),
    Counter: implements(C.COUNTER)(RequestHeader(main=False, cost="D", keys=(("C", "ace_to_ten"),))),
    Search: implements(C.SEARCH)(RequestHeader(main=False, keys=(("", "joker"),))),
    DestroyBulwark: implements(C.DESTROY_BULWARK)(RequestHeader(main=True, keys=(("H", "suited"), ("D", "suited")))),
    Throwing: implements(C.THROWING)(RequestHeader(main=True, keys=(("S", "suited"), ("C", "suited")))),
}
