"""Schema of the table: areas and their visibility, statuses, marks, and the kinds of frames."""

from collections.abc import Mapping
from typing import Final

from domain.games.skillbook import clauses as C
from domain.games.skillbook.rules import Rules
from domain.law.clause import implements
from domain.table.schema import Area, Kind, Mark, Schema, Visibility, same_for_all

ACTIVE: Final = 0
RESTING: Final = 1
EXHAUSTED: Final = 2

BOOK: Final = "book"
GRAVEYARD: Final = "graveyard"
HAND: Final = "hand"
TABLE: Final = "table"
REMOVED: Final = "removed"
DRAWN: Final = "drawn"
LAYOUT: Final = "layout"
HERO: Final = "hero"
GROUND: Final = "ground"
UNIT: Final = "unit"
BOUND: Final = "bound"
STACK: Final = "stack"

DAMAGE: Final = "damage"
HP_LOST: Final = "hp_lost"
MOVED: Final = "moved"
FOUGHT: Final = "fought"
EXPLORED: Final = "explored"
"""Marks of a unit's actions. They hold the turn of the action, so they need no clearing."""
IGNORES: Final = "ignores_terrain"
IN_FORCE: Final = "activated"
"""Mark of an aura or curse in force."""
RECALLED: Final = "recalled"
"""Mark of a card that returned from the board and waits to be placed."""
USED: Final = "used.{}"
START_ROW: Final = "start_row"
LAID_OUT: Final = "laid_out"
TOSS: Final = "toss"
"""Mark of the seat that won the toss."""
CHARGING: Final = "charging"
TIME_CALLED: Final = "time_called"

SET_UP: Final = "set_up"
TURN_START: Final = "turn_start"
DRAW: Final = "draw"
CHARGE: Final = "charge"
MAIN: Final = "main"
MOVE: Final = "move"
BATTLE: Final = "battle"
END: Final = "end"

DECKS: Final = "decks"
LAYING: Final = "layout"
HEROES: Final = "heroes"
OPENING: Final = "opening"
RECOVER: Final = "recover"
TRIGGERS: Final = "triggers"
WINDOW: Final = "window"
CHOICE: Final = "choice"
IDLE: Final = "idle"
ON_STACK: Final = "stack"
DECLARED: Final = "declared"
STEP: Final = "step"
START: Final = "begin"
LOSE_HP: Final = "charge"
MIX: Final = "mix"
TAKE: Final = "take"
RESET: Final = "reset"
HEAL: Final = "heal"
JUDGE: Final = "judgment"

EOT: Final = "eot"

MOD: Final = "mod"
GRANT: Final = "grant"
BAN: Final = "ban"
SHIELD: Final = "shield"

_DECLARED: Final = {
    "objs": ("source", "target..."),
    "places": ("origin", "square", "where the target stood", "path..."),
    "cards": ("user",),
    "frames": ("target item",),
    "numbers": ("cost paid", "hit points paid", "ability"),
}
"""Columns of a declared item. "square" is the target square, or the origin if there is none."""

ITEMS: Final[tuple[Kind, ...]] = (
    Kind("skill", ("stack", "running"), ("recheck", "perform", "leave"), _DECLARED),
    Kind("ability", ("stack", "running"), ("recheck", "perform", "leave"), _DECLARED),
)
"""Items of the stack. The resolving item moves to the running lane."""

PROCESSES: Final[tuple[Kind, ...]] = (
    Kind("window", ("running",), (), {"words": ("kind",), "seats": ("first",)}),
    Kind(
        "move",
        ("running",),
        ("declared", "step", "stepped", "halted", "ended"),
        {"objs": ("unit",), "numbers": ("spent", "speed")},
    ),
    Kind(
        "arrival",
        ("running",),
        ("explore", "terrain", "entered"),
        {"objs": ("unit",), "places": ("square",), "numbers": ("by a step", "explored now")},
    ),
    Kind(
        "battle",
        ("running",),
        ("begin", "target", "counter", "decide", "damage", "end", "over"),
        {
            "objs": ("attacker", "target"),
            "places": ("where the attacker stood", "where the target stood", "path..."),
            "numbers": ("ranged", "counter", "damage", "counter damage", "target destroyed"),
        },
    ),
    Kind("dispelling", ("running",), (), {"objs": ("curse",)}),
    Kind(
        "trigger",
        ("waiting", "running"),
        ("unlined", "lined", "choose", "perform"),
        {
            "objs": ("source", "subject", "target..."),
            "places": ("last square", "square..."),
            "seats": ("subject...",),
            "numbers": ("place in line", "ability"),
            "words": ("event",),
        },
    ),
)
"""Processes below the stack. The newest one is active, the others wait."""

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), columns)
    for name, columns in (
        ("order_triggers", {"frames": ("trigger...",)}),
        ("choose_targets", {"frames": ("serves",)}),
        ("order_graveyard", {"cards": ("packet...",)}),
        ("make_room", {"frames": ("serves",)}),
        ("place_card", {"words": ("how it came",)}),
        ("choose_explore", {"frames": ("serves",), "places": ("square",)}),
        ("choose_terrain_effect", {"frames": ("serves",), "places": ("square",)}),
        ("choose_attack_target", {"frames": ("serves",)}),
        ("counter", {"frames": ("serves",)}),
        ("shuffle_book", {"seats": ("whose",)}),
        ("toss", {}),
    )
)

STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    SET_UP: (DECKS, LAYING, HEROES, OPENING),
    TURN_START: (RECOVER, TRIGGERS, WINDOW),
    DRAW: (DRAW,),
    CHARGE: (CHOICE,),
    MAIN: (IDLE, ON_STACK),
    MOVE: (DECLARED, STEP),
    BATTLE: (START, "target", "counter", "decide", DAMAGE, END),
    END: (START, LOSE_HP, MIX, TAKE, RESET, HEAL, JUDGE),
}


def schema(rules: Rules) -> Schema:
    secret = Visibility("all", "count", "count")
    size = (rules.size.columns, rules.size.rows)
    return Schema(
        areas=(
            Area(BOOK, True, "pile", same_for_all("count")),
            implements(C.GRAVEYARD_TOP_PUBLIC)(Area(GRAVEYARD, True, "pile", Visibility("all", "top", "top"), up=True)),
            Area(HAND, True, "bag", secret),
            Area(TABLE, True, "bag", same_for_all("each"), up=True),
            Area(REMOVED, True, "pile", Visibility("all", "up", "up")),
            Area(DRAWN, True, "bag", secret),
            Area(LAYOUT, True, "bag", Visibility("all", "nothing", "nothing"), counted=False),
            Area(HERO, True, "bag", secret, most=1),
            Area(GROUND, False, "grid", Visibility("all", "each", "each"), most=1, size=size),
            Area(UNIT, False, "grid", same_for_all("each"), up=True, most=1, size=size),
            Area(BOUND, False, "row", same_for_all("each"), up=True),
            Area(STACK, False, "row", same_for_all("each"), up=True),
        ),
        stances=("active", "resting", "exhausted"),
        marks=(
            *(Mark(name, "card", public=True) for name in (DAMAGE, HP_LOST, MOVED, FOUGHT, EXPLORED)),
            *(Mark(name, "card", most=1, public=True) for name in (IGNORES, IN_FORCE, RECALLED)),
            Mark("used.*", "card", public=True),
            Mark(START_ROW, "seat", most=rules.size.rows, public=True),
            *(Mark(name, "seat", most=1, public=True) for name in (LAID_OUT, TOSS)),
            *(Mark(name, "table", most=1, public=True) for name in (CHARGING, TIME_CALLED)),
        ),
        kinds=(*ITEMS, *PROCESSES, *QUESTIONS),
        effects=(MOD, GRANT, BAN, SHIELD),
        untils=(EOT, BATTLE),
        phases=tuple(STEPS),
        steps=STEPS,
    )
