"""Table schema of BlackPoker: places and their visibility, stances, marks, and kinds of frames."""

from typing import Final

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.cards import GENERATION
from domain.games.blackpoker.rules import Rules
from domain.law.clause import implements
from domain.law.face_request import FaceSplit
from domain.table.schema import Area, Kind, Mark, Schema, Visibility, same_for_all
from domain.table.table import Lane

CHARGED: Final = 0
DRIVEN: Final = 1

LIFE: Final = "life"
HAND: Final = "hand"
BULWARKS: Final = "bulwarks"
SOLDIERS: Final = "soldiers"
FOG: Final = "fog"
GRAVE: Final = "grave"
STAGE: Final = "stage"

ENTERED: Final = "entered"
"""Mark of a unit: the turn of its arrival on the field, 0 during set-up."""
ATTACKS: Final = "attacks"
BULWARKS_SET: Final = "bulwarks_set"
"""Marks of a seat: the number of Attack and Set bulwark requests this turn."""

NEXT_GENERATION: Final = FaceSplit("next_generation", GENERATION, HAND, GRAVE)

SET_UP: Final = "set_up"
PLAY: Final = "play"

COMBAT: Final = "combat"
TURN_END: Final = "turn"
WITH_CARD: Final = "card"

LEAVE: Final = "leave"
"""Last step of every request: the request leaves the stage, and its keys go to the grave."""


def _request(
    name: str, steps: tuple[str, ...], *, target_column: str = "", keys: bool = True, triggered: bool = False
) -> Kind:
    lane: tuple[Lane, ...] = ("running",) if name in IMMEDIATE else ("stack",)
    columns = ({"cards": ("key...",)} if keys else {}) | ({target_column: ("target",)} if target_column else {})
    return Kind(name, ("waiting", *lane) if triggered else lane, (*steps, LEAVE), columns)


IMMEDIATE: Final = implements(C.SET_BULWARK, C.SEARCH)(
    frozenset(("charge", "next_generation", "set_bulwark", "search"))
)
"""Requests that resolve at once and never enter the stage."""

REQUESTS: Final[tuple[Kind, ...]] = (
    _request("end", ("discard", "clear", "turn"), keys=False),
    _request("charge", ("charge",), keys=False, triggered=True),
    _request("draw", ("draw", "second"), keys=False, triggered=True),
    _request("attack", ("designate",), keys=False),
    _request("block", ("designate",), keys=False, triggered=True),
    _request("damage_judge", ("begin", "soldiers", "bulwarks", "damage"), keys=False, triggered=True),
    _request("next_generation", ("run",), keys=False, triggered=True),
    _request("set_bulwark", ("place",), keys=False),
    _request("summon_soldier", ("enter",)),
    _request("summon_hero", ("enter",)),
    _request("summon_ace", ("enter",)),
    _request("equip", ("equip",), target_column="objs"),
    _request("up", ("fog",), target_column="objs"),
    _request("down", ("fog",), target_column="objs"),
    _request("twist", ("choose",), target_column="objs"),
    _request("counter", ("nullify",), target_column="frames"),
    _request("search", ("find", "shuffle")),
    _request("destroy_bulwark", ("destroy",), target_column="objs"),
    _request("throwing", ("damage",), target_column="seats"),
)

PROCESSES: Final[tuple[Kind, ...]] = (
    Kind("set_up", ("running",), ("deal", "compare", "first", "begin"), {"cards": ("turned up...",)}),
    Kind(COMBAT, ("running",), (), {"objs": ("attacker...",), "pairs": ("blocker and attacker...",)}),
    Kind("aftermath", ("running",), ("check",), {"words": ("request",)}),
)

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), {"frames": ("serves",)} | columns)
    for name, columns in (
        ("choose_discards", {"numbers": ("how many",)}),
        ("choose_second_draw", {}),
        ("designate_attackers", {}),
        ("designate_blockers", {}),
        ("choose_bulwark_card", {}),
        ("choose_twist_state", {}),
        ("choose_search_card", {}),
        ("order_triggers", {"frames": ("trigger...",)}),
        ("choose_grave_top", {"cards": ("batch...",)}),
        ("shuffle_deck", {"seats": ("whose",)}),
        ("shuffle_life", {"seats": ("whose",)}),
        ("coin_toss", {}),
    )
)


def schema(rules: Rules) -> Schema:
    life = implements(C.LIFE_COUNT)(Visibility("count", "count", "below", below=rules.life_public_threshold))
    return Schema(
        areas=(
            Area(LIFE, True, "pile", life),
            Area(HAND, True, "bag", Visibility("all", "all", "count")),
            implements(C.FIELD_FACES, C.BULWARK_ROW)(Area(BULWARKS, True, "row", Visibility("all", "all", "each"))),
            implements(C.FIELD_FACES)(Area(SOLDIERS, True, "bag", same_for_all("each"), up=True)),
            implements(C.FOG_OPEN)(Area(FOG, True, "bag", same_for_all("each"), up=True)),
            implements(C.GRAVE_PILE)(Area(GRAVE, True, "pile", Visibility("all", "all", "top"), counted=False)),
            implements(C.STAGE_OPEN)(Area(STAGE, False, "bag", same_for_all("each"), up=True)),
        ),
        stances=("charged", "driven"),
        marks=(Mark(ENTERED, "card", public=True), Mark(ATTACKS, "seat"), Mark(BULWARKS_SET, "seat")),
        kinds=(*REQUESTS, *PROCESSES, *QUESTIONS),
        effects=("up", "down"),
        untils=(TURN_END, WITH_CARD),
        phases=(SET_UP, PLAY),
    )
