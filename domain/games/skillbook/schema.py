"""Skillbook's table: its places and who sees what there, statuses, marks, and everything that can be open.

Default options only: the law comes later, and the rules will be a parameter then.
"""

from typing import Final

from domain.table.schema import Area, Kind, Mark, Schema, Sight, alike

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

WIDTH: Final = 7
HEIGHT: Final = 7
TABLE_SLOTS: Final = 4
HAND_MAX: Final = 1

DAMAGE: Final = "damage"
HP_LOST: Final = "hp_lost"
MOVED: Final = "moved"
FOUGHT: Final = "fought"
EXPLORED: Final = "explored"
"""Marks of a unit: the turn in which it did so, so that nothing has to be cleared."""
IGNORES_TERRAIN: Final = "ignores_terrain"
ACTIVATED: Final = "activated"
"""Mark of a card on a table: an aura or curse in force."""
START_ROW: Final = "start_row"
LAID_OUT: Final = "laid_out"
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
OVER: Final = "over"

END_OF_TURN: Final = "eot"
BATTLE_END: Final = "battle"

_DECLARED: Final = {
    "objs": ("source", "target..."),
    "places": ("origin", "where the target stood", "square..."),
    "frames": ("target item",),
    "numbers": ("cost paid", "hit points paid", "squares that are targets", "ability"),
}
"""What an item was declared with: of its squares the first so many are targets, the others its path."""

ITEMS: Final[tuple[Kind, ...]] = (
    Kind("skill", ("stack", "running"), ("paid", "recheck", "perform", "leave"), _DECLARED),
    Kind("ability", ("stack", "running"), ("paid", "recheck", "perform", "leave"), _DECLARED),
)

PROCESSES: Final[tuple[Kind, ...]] = (
    Kind("set_up", ("running",), ("books", "maps", "toss", "heroes", "opening", "start")),
    Kind("window", ("running",), (), {"words": ("kind",), "seats": ("first",)}),
    Kind(
        "move",
        ("running",),
        ("declared", "step", "stepped"),
        {"objs": ("unit",), "numbers": ("spent",), "places": ("square...",)},
    ),
    Kind("arrival", ("running",), ("explore", "terrain", "explored", "entered"), {"objs": ("unit", "ground")}),
    Kind(
        "battle",
        ("running",),
        ("start", "target", "counter", "decide", "damage", "end"),
        {
            "objs": ("attacker", "target"),
            "places": ("where the attacker stood", "where the target stood", "path..."),
            "numbers": ("ranged", "counter", "damage", "counter damage"),
        },
    ),
    Kind("group", ("running",), ("order", "checks", "triggers")),
    Kind(
        "trigger",
        ("waiting", "running"),
        ("choose", "perform"),
        {
            "objs": ("source", "subject", "target..."),
            "places": ("last square", "square..."),
            "seats": ("subject...",),
            "numbers": ("batch", "ability"),
            "words": ("event",),
        },
    ),
)

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), {"frames": ("serves",), **columns})
    for name, columns in (
        ("lay_out_map", {}),
        ("choose_order", {}),
        ("place_hero", {}),
        ("order_triggers", {"frames": ("serves", "trigger...")}),
        ("choose_targets", {}),
        ("order_graveyard", {"cards": ("packet...",)}),
        ("make_room", {}),
        ("place_card", {"cards": ("drawn...",), "words": ("how it came",)}),
        ("choose_explore", {"places": ("square",)}),
        ("choose_terrain_effect", {"places": ("square",)}),
        ("choose_attack_target", {}),
        ("counter", {}),
        ("shuffle_book", {"seats": ("whose",)}),
        ("toss", {}),
    )
)


def schema() -> Schema:
    """The table under the default options."""
    secret = Sight("all", "count", "count")
    return Schema(
        areas=(
            Area(BOOK, True, "pile", alike("count")),
            Area(GRAVEYARD, True, "pile", Sight("all", "top", "top"), up=True),
            Area(HAND, True, "bag", secret, most=HAND_MAX),
            Area(TABLE, True, "bag", alike("each"), up=True, most=TABLE_SLOTS),
            Area(REMOVED, True, "pile", Sight("all", "up", "up")),
            Area(DRAWN, True, "bag", secret),
            Area(LAYOUT, True, "bag", Sight("all", "nothing", "nothing"), counted=False),
            Area(HERO, True, "bag", secret, most=1),
            Area(GROUND, False, "grid", Sight("all", "each", "each"), most=1, size=(WIDTH, HEIGHT)),
            Area(UNIT, False, "grid", alike("each"), up=True, most=1, size=(WIDTH, HEIGHT)),
            Area(BOUND, False, "row", alike("each"), up=True),
            Area(STACK, False, "row", alike("each"), up=True),
        ),
        stances=("active", "resting", "exhausted"),
        marks=(
            *(Mark(name, "card", public=True) for name in (DAMAGE, HP_LOST, MOVED, FOUGHT, EXPLORED)),
            *(Mark(name, "card", most=1, public=True) for name in (IGNORES_TERRAIN, ACTIVATED)),
            Mark("used.*", "card", public=True),
            Mark(START_ROW, "seat", most=HEIGHT, public=True),
            Mark(LAID_OUT, "seat", most=1, public=True),
            *(Mark(name, "table", most=1, public=True) for name in (CHARGING, TIME_CALLED)),
        ),
        kinds=(*ITEMS, *PROCESSES, *QUESTIONS),
        effects=("mod", "grant", "ban", "shield"),
        untils=(END_OF_TURN, BATTLE_END),
        phases=(SET_UP, TURN_START, DRAW, CHARGE, MAIN, MOVE, BATTLE, END, OVER),
        steps={
            SET_UP: ("decks", "layout", "heroes", "opening"),
            TURN_START: ("recover", "triggers"),
            DRAW: (),
            CHARGE: (),
            MAIN: ("idle", "stack"),
            MOVE: ("declared", "step"),
            BATTLE: ("start", "target", "counter", "decide", "damage", "end"),
            END: ("start", "charge", "reset", "judge"),
            OVER: (),
        },
    )
