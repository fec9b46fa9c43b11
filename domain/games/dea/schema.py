"""Table schema of DEA: places and their visibility, marks, and kinds of frames."""

from collections.abc import Mapping
from typing import Final

from domain.games.dea import clauses as C
from domain.games.dea.rules import Rules
from domain.law.clause import implements
from domain.table.schema import Area, Kind, Mark, Schema, Visibility, same_for_all

UNPLACED: Final = "unplaced"
DECK: Final = "deck"
HAND: Final = "hand"
SLEEVE: Final = "sleeve"
FORESHADOW: Final = "foreshadow"
WORN: Final = "worn"
MAP: Final = "map"
STACK: Final = "stack"

LIFE: Final = "life"
MAX_LIFE: Final = "max_life"
PAGES: Final = "pages"
EP: Final = "ep"
TURNS: Final = "turns_taken"
USED: Final = "used.{}"
"""Mark of an ability by its name: on a seat for once per match, on a card for once per turn."""
MOVES_USED: Final = "moves_used"
ATTACKS_USED: Final = "attacks_used"
LINE_SCORED: Final = "line_scored"
TITLED: Final = "titled"

LIFE_LEAST: Final = -9_999
"""Life has no lower bound in the rules. This bound is far below the damage of a whole match."""

STANDBY: Final = "standby"
UP: Final = "up"
MAIN: Final = "main"
DOWN: Final = "down"

FIRST: Final = "first_player"
PLACING: Final = "placing"
FORESHADOWS: Final = "foreshadows"
SHUFFLE: Final = "shuffle"
INCOME: Final = "income"
DRAW: Final = "draw"
EFFECTS: Final = "effects"
OPEN: Final = "open"
WINDOW: Final = "stack"
RESOLVING: Final = "resolving"
END_WINDOW: Final = "end_window"
EXPIRE: Final = "expire"
DISCARD: Final = "discard"

BATTLE: Final = "battle"
TURN: Final = "turn"
LIVE: Final = "while_field"

STAT: Final = "stat"
SET_MOVE: Final = "set_move"
KEYWORD: Final = "keyword"
EXTRA_MOVE: Final = "extra_move"
SEAL: Final = "seal"
FORBID: Final = "forbid"
FIELD: Final = "field"

_PAID: Final = ("pages paid", "life paid", "negated")
_CHOICES: Final = {
    "objs": ("source", "target..."),
    "places": ("cell...",),
    "frames": ("stack item...",),
    "seats": ("writer...",),
    "numbers": _PAID,
}
_NAMED: Final = {**_CHOICES, "words": ("ability", "direction")}
"""Columns of a declared item. Each choice is in the column of its type, in printed order."""

ITEMS: Final[tuple[Kind, ...]] = (
    Kind("ability", ("stack", "running"), ("begin", "perform"), _NAMED),
    Kind("event", ("stack", "running"), ("begin", "perform"), _NAMED),
    Kind("equipment", ("stack", "running"), ("begin",), {"objs": ("card", "wearer"), "numbers": _PAID}),
    Kind(
        "foreshadow",
        ("stack", "running"),
        ("opened", "begin", "cells", "perform"),
        {**_NAMED, "numbers": (*_PAID, "unmet")},
    ),
    Kind("ep_conversion", ("stack", "running"), ("begin",), {"numbers": _PAID}),
    Kind(
        "attack",
        ("stack", "running"),
        ("begin", "knockback", "end"),
        {
            "objs": ("attacker", "blocker"),
            "places": ("origin", "target"),
            "numbers": (*_PAID, "cancelled", "column step", "row step"),
        },
    ),
)
"""Kinds of items on the stack. The item that resolves moves to the running lane."""

AUTOMATIC: Final = Kind(
    "automatic", ("waiting", "running"), ("perform",), {"objs": ("source",), "words": ("ability", "cause")}
)
"""Effect that is queued without a declaration, until its cause has resolved."""

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), columns)
    for name, columns in (
        ("choose_next_effect", {"frames": ("effect...",)}),
        ("choose_cell", {"frames": ("serves",)}),
        ("choose_targets", {"frames": ("serves",)}),
        (
            "choose_cards",
            {"frames": ("serves",), "seats": ("whose",), "numbers": ("how many",), "words": ("what for",)},
        ),
        ("pay_or_decline", {"frames": ("serves", "tolled item"), "numbers": ("how many",), "words": ("what for",)}),
        ("discard_to_limit", {"numbers": ("down to",)}),
        ("first_player", {}),
        ("shuffle", {"seats": ("whose",)}),
        ("random_discard", {"frames": ("serves",), "seats": ("whose",), "numbers": ("how many",)}),
        ("tie_break", {"words": ("tied in",)}),
    )
)

STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    STANDBY: (FIRST, PLACING, FORESHADOWS, SHUFFLE),
    UP: (INCOME, DRAW, EFFECTS),
    MAIN: (OPEN, WINDOW, RESOLVING, END_WINDOW),
    DOWN: (EXPIRE, EFFECTS, DISCARD),
}


@implements(C.COUNTERS_PUBLIC)
def schema(rules: Rules) -> Schema:
    secret = Visibility("all", "count", "count")
    backs_to_others = Visibility("all", "each", "each")
    return Schema(
        areas=(
            Area(UNPLACED, True, "bag", secret),
            Area(DECK, True, "pile", same_for_all("count")),
            Area(HAND, True, "bag", secret),
            implements(C.SLEEVE_PUBLIC)(Area(SLEEVE, True, "pile", same_for_all("each"), up=True)),
            Area(FORESHADOW, True, "slots", backs_to_others, most=1, size=(rules.foreshadows_per_plot, 1)),
            Area(WORN, True, "bag", same_for_all("each"), up=True),
            Area(MAP, False, "grid", backs_to_others, up=True, most=2, size=(rules.size.columns, rules.size.rows)),
            Area(STACK, False, "row", same_for_all("each"), up=True),
        ),
        marks=(
            Mark(LIFE, "seat", least=LIFE_LEAST, public=True),
            Mark(MAX_LIFE, "seat", public=True),
            Mark(PAGES, "seat", most=rules.page_cap, public=True),
            *(Mark(name, "seat", public=True) for name in (EP, TURNS)),
            Mark("used.*", "seat", most=1, public=True),
            *(Mark(name, "card", public=True) for name in (MOVES_USED, ATTACKS_USED)),
            Mark(LINE_SCORED, "card", most=1, public=True),
            Mark("used.*", "card", most=1, public=True),
            Mark(TITLED, "table", most=1, public=True),
        ),
        kinds=(*ITEMS, AUTOMATIC, *QUESTIONS),
        effects=(STAT, SET_MOVE, KEYWORD, EXTRA_MOVE, SEAL, FORBID, FIELD),
        untils=(BATTLE, TURN, LIVE),
        phases=tuple(STEPS),
        steps=STEPS,
    )
