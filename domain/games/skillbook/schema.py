"""Skillbook's table: its places and who sees what there, statuses, marks, and everything that can be open.

Default options only: the law comes later, and the rules will be a parameter then.
"""

from collections.abc import Mapping
from typing import Final

from domain.table.schema import Area, Kind, Mark, Schema, Sight, alike

WIDTH: Final = 7
HEIGHT: Final = 7
TABLE_SLOTS: Final = 4
HAND_MAX: Final = 1

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

STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "set_up": ("decks", "layout", "heroes", "opening"),
    "turn_start": ("recover", "triggers"),
    "draw": (),
    "charge": (),
    "main": ("idle", "stack"),
    "move": ("declared", "step"),
    "battle": ("start", "target", "counter", "decide", "damage", "end"),
    "end": ("start", "charge", "reset", "judge"),
    "over": (),
}
"""The steps of each phase, in their order."""


def schema() -> Schema:
    """The table under the default options."""
    secret = Sight("all", "count", "count")
    return Schema(
        areas=(
            Area("book", True, "pile", alike("count")),
            Area("graveyard", True, "pile", Sight("all", "top", "top"), up=True),
            Area("hand", True, "bag", secret, most=HAND_MAX),
            Area("table", True, "bag", alike("each"), up=True, most=TABLE_SLOTS),
            Area("removed", True, "pile", Sight("all", "up", "up")),
            Area("drawn", True, "bag", secret),
            Area("layout", True, "bag", Sight("all", "nothing", "nothing"), counted=False),
            Area("hero", True, "bag", secret, most=1),
            Area("ground", False, "grid", Sight("all", "each", "each"), most=1, size=(WIDTH, HEIGHT)),
            Area("unit", False, "grid", alike("each"), up=True, most=1, size=(WIDTH, HEIGHT)),
            Area("bound", False, "row", alike("each"), up=True),
            Area("stack", False, "row", alike("each"), up=True),
        ),
        stances=("active", "resting", "exhausted"),
        marks=(
            # What a unit did holds the turn in which it did so, so that nothing has to be cleared.
            *(Mark(name, "card", public=True) for name in ("damage", "hp_lost", "moved", "fought", "explored")),
            # `activated`: an aura or curse in force.
            *(Mark(name, "card", most=1, public=True) for name in ("ignores_terrain", "activated")),
            Mark("used.*", "card", public=True),
            Mark("start_row", "seat", most=HEIGHT, public=True),
            Mark("laid_out", "seat", most=1, public=True),
            *(Mark(name, "table", most=1, public=True) for name in ("charging", "time_called")),
        ),
        kinds=(*ITEMS, *PROCESSES, *QUESTIONS),
        effects=("mod", "grant", "ban", "shield"),
        untils=("eot", "battle"),
        phases=tuple(STEPS),
        steps=STEPS,
    )
