"""DEA's table: its places and who sees what there, marks, and everything that can be open.

Default options only: the law comes later, and the rules (map size, page cap and the rest) will be a parameter then.
"""

from collections.abc import Mapping
from typing import Final

from domain.table.schema import Area, Kind, Mark, Schema, Sight, alike

COLUMNS: Final = 5
ROWS: Final = 5
SLOTS: Final = 3
PAGE_CAP: Final = 8
LIFE_LEAST: Final = -999
"""Life has no lower bound by rule; a whole match of damage stays far above this."""

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

STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "standby": ("placing", "foreshadows"),
    "up": ("income", "draw", "effects"),
    "main": ("open", "stack", "resolving", "end_window"),
    "down": ("expire", "effects", "discard"),
    "ended": (),
}
"""The steps of each phase, in their order."""


def schema() -> Schema:
    """The table under the default options."""
    secret = Sight("all", "count", "count")
    own_backs = Sight("all", "each", "each")
    return Schema(
        areas=(
            Area("unplaced", True, "bag", secret),
            Area("deck", True, "pile", alike("count")),
            Area("hand", True, "bag", secret),
            Area("sleeve", True, "pile", alike("each"), up=True),
            Area("foreshadow", True, "slots", own_backs, most=1, size=(SLOTS, 1)),
            Area("worn", True, "bag", alike("each"), up=True),
            Area("map", False, "grid", own_backs, up=True, most=2, size=(COLUMNS, ROWS)),
            Area("stack", False, "row", alike("each"), up=True),
        ),
        marks=(
            Mark("life", "seat", least=LIFE_LEAST, public=True),
            Mark("max_life", "seat", public=True),
            Mark("pages", "seat", most=PAGE_CAP, public=True),
            *(Mark(name, "seat", public=True) for name in ("ep", "turns_taken")),
            Mark("used.*", "seat", public=True),  # once-per-match abilities
            *(Mark(name, "card", public=True) for name in ("moves_used", "attacks_used")),
            Mark("line_scored", "card", most=1, public=True),
            # The turn in which a once-per-turn ability was declared.
            Mark("used.*", "card", public=True),
        ),
        kinds=(*ITEMS, *PROCESSES, *QUESTIONS),
        effects=("stat", "set_move", "keyword", "extra_move", "seal", "forbid", "cost", "field"),
        untils=("battle", "turn", "while_attached", "while_field"),
        phases=tuple(STEPS),
        steps=STEPS,
    )
