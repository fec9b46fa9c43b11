"""DEA's table: its places and who sees what there, marks, and everything that can be open.

Default options only: the law comes later, and the rules (map size, page cap and the rest) will be a parameter then.
"""

from typing import Final

from domain.table.schema import Area, Kind, Mark, Schema, Sight, alike

UNPLACED: Final = "unplaced"
DECK: Final = "deck"
HAND: Final = "hand"
SLEEVE: Final = "sleeve"
FORESHADOW: Final = "foreshadow"
WORN: Final = "worn"
MAP: Final = "map"
STACK: Final = "stack"

COLUMNS: Final = 5
ROWS: Final = 5
SLOTS: Final = 3
PAGE_CAP: Final = 8
LIFE_LEAST: Final = -999
"""Life has no lower bound by rule; a whole match of damage stays far above this."""

LIFE: Final = "life"
MAX_LIFE: Final = "max_life"
PAGES: Final = "pages"
EP: Final = "ep"
TURNS_TAKEN: Final = "turns_taken"
"""Marks of a seat; `used.*` beside them are its once-per-match abilities."""
MOVES: Final = "moves_used"
ATTACKS: Final = "attacks_used"
SCORED: Final = "line_scored"
"""Marks of a character; `used.*` beside them hold the turn in which a once-per-turn ability was declared."""

STANDBY: Final = "standby"
UP: Final = "up"
MAIN: Final = "main"
DOWN: Final = "down"
ENDED: Final = "ended"

BATTLE_END: Final = "battle"
TURN_END: Final = "turn"
WHILE_ATTACHED: Final = "while_attached"
WHILE_FIELD: Final = "while_field"

_CHOICES: Final = {
    "objs": ("source", "choice..."),
    "places": ("cell...",),
    "frames": ("stack item...",),
    "seats": ("writer...",),
    "numbers": ("pages paid", "life paid", "negated", "column step", "row step"),
}
"""What an item was declared with. Choices stand in printed order, each in the column of its type."""

ITEMS: Final[tuple[Kind, ...]] = (
    Kind("ability", ("stack", "running"), ("cells", "perform", "leave"), _CHOICES | {"words": ("ability",)}),
    Kind("event", ("stack", "running"), ("cells", "perform", "leave"), _CHOICES),
    Kind(
        "equipment",
        ("stack", "running"),
        ("attach", "leave"),
        {"objs": ("card", "wearer"), "numbers": ("pages paid", "life paid", "negated")},
    ),
    Kind("foreshadow", ("stack", "running"), ("condition", "cells", "perform", "leave"), _CHOICES),
    Kind("ep_conversion", ("stack", "running"), ("gain", "leave"), {"numbers": ("pages paid", "life paid", "negated")}),
    Kind(
        "attack",
        ("stack", "running"),
        ("clash", "knockback", "leave"),
        {"objs": ("attacker", "blocker"), "frames": ("battle",)},
    ),
)
"""What is declared and answered, and what resolves: the resolving item goes from the stack to the running lane."""

PROCESSES: Final[tuple[Kind, ...]] = (
    Kind("set_up", ("running",), ("first_player", "place", "foreshadows", "shuffle", "draw", "reveal", "numbers")),
    Kind(
        "battle",
        ("running",),
        ("declared", "struck"),
        {
            "objs": ("attacker", "blocker"),
            "places": ("origin", "target"),
            "numbers": ("column step", "row step", "cancelled"),
        },
    ),
    Kind("batch", ("running",), ("item", "automatic")),
    Kind(
        "automatic",
        ("waiting", "running"),
        ("perform",),
        {"objs": ("source", "cause..."), "words": ("ability", "cause")},
    ),
)

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), columns)
    for name, columns in (
        ("choose_next_effect", {"frames": ("serves", "effect...")}),
        ("choose_cell", {"frames": ("serves",), "numbers": ("which choice",)}),
        ("choose_targets", {"frames": ("serves",)}),
        ("choose_cards", {"frames": ("serves",), "cards": ("looked at...",), "numbers": ("how many",)}),
        ("pay_or_decline", {"frames": ("serves", "tolled item"), "numbers": ("pages",)}),
        ("discard_to_limit", {"numbers": ("down to",)}),
        ("choose_turn_order", {}),
        ("first_player", {}),
        ("shuffle", {"seats": ("whose",)}),
        ("random_discard", {"frames": ("serves",), "seats": ("whose",)}),
        ("tie_break", {}),
    )
)


def schema() -> Schema:
    """The table under the default options."""
    secret = Sight("all", "count", "count")
    own_backs = Sight("all", "each", "each")
    return Schema(
        areas=(
            Area(UNPLACED, True, "bag", secret),
            Area(DECK, True, "pile", alike("count")),
            Area(HAND, True, "bag", secret),
            Area(SLEEVE, True, "pile", alike("each"), up=True),
            Area(FORESHADOW, True, "slots", own_backs, most=1, size=(SLOTS, 1)),
            Area(WORN, True, "bag", alike("each"), up=True),
            Area(MAP, False, "grid", own_backs, up=True, most=2, size=(COLUMNS, ROWS)),
            Area(STACK, False, "row", alike("each"), up=True),
        ),
        marks=(
            Mark(LIFE, "seat", least=LIFE_LEAST, public=True),
            Mark(MAX_LIFE, "seat", public=True),
            Mark(PAGES, "seat", most=PAGE_CAP, public=True),
            *(Mark(name, "seat", public=True) for name in (EP, TURNS_TAKEN, "used.*")),
            *(Mark(name, "card", public=True) for name in (MOVES, ATTACKS)),
            Mark(SCORED, "card", most=1, public=True),
            Mark("used.*", "card", public=True),
        ),
        kinds=(*ITEMS, *PROCESSES, *QUESTIONS),
        effects=("stat", "set_move", "keyword", "extra_move", "seal", "forbid", "cost", "field"),
        untils=(BATTLE_END, TURN_END, WHILE_ATTACHED, WHILE_FIELD),
        phases=(STANDBY, UP, MAIN, DOWN, ENDED),
        steps={
            STANDBY: ("placing", "foreshadows"),
            UP: ("income", "draw", "effects"),
            MAIN: ("open", "stack", "resolving", "end_window"),
            DOWN: ("expire", "effects", "discard"),
            ENDED: (),
        },
    )
