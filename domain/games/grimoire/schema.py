"""Schema of the table: areas and their visibility, statuses, marks, and the kinds of frames."""

from typing import Final

from domain.games.grimoire import clauses as C
from domain.games.grimoire.rules import SEATS_MAX, Rules
from domain.law.clause import implements
from domain.table.schema import Area, Kind, Mark, Schema, Visibility, same_for_all

EXTENDED: Final = 0
SPENDED: Final = 1
PLAYED: Final = 2

FIELD: Final = "field"
VOID: Final = "void"
REMOVED: Final = "removed"
PERSONAL: Final = "personal"
HAND: Final = "hand"
GRIMOIRE: Final = "grimoire"
BOOKMARK: Final = "bookmark"
JUNKYARD: Final = "junkyard"
REVEAL: Final = "opening_reveal"

DAMAGE: Final = "damage"
BASE_CONTROLLER: Final = "base"
"""Mark of a spell: the number of its base controller's seat. Not set if that is the owner."""
MANA: Final = "mana"
CAPACITY: Final = "capacity"
OD: Final = "od"
CHROMA: Final = "chroma.*"
DRAW_FAILED: Final = "draw_failed"
OUT: Final = "out"
HELD: Final = "held"
ACTIONS: Final = "actions"
TIME: Final = "time"
SET_UP: Final = "set_up"
INITIALIZE: Final = "initialize"
START: Final = "start"
TRANCE: Final = "trance"
MAIN: Final = "main"
END: Final = "end"
FINALIZE: Final = "finalize"
FINISHED: Final = "finished"

AUTO: Final = "auto"
TRANCE_CHOICE: Final = "trance_choice"
CHOSEN: Final = "chosen"
PRIORITY: Final = "priority"
RESOLVING: Final = "resolving"
"""Steps of the phases: automatic, the trance choice and its result, priority, a spell that has resolved."""

THIS_TURN: Final = "this_turn"
WHILE_SOURCE: Final = "while_source"
PERMANENT: Final = "permanent"
FOREVER: Final = "forever"
SOURCE_LEAVES: Final = "source_leaves"

PROCESSES: Final[tuple[Kind, ...]] = (
    Kind("set_up", ("running",), ("reveal", "draw", "pick", "prepare"), {"numbers": ("picked",)}),
    Kind("play", ("stack", "running"), ("collide", "trigger", "leave"), {"objs": ("spell", "target")}),
    Kind(
        "effect",
        ("waiting", "running"),
        ("gathered", "lined", "perform"),
        {
            "objs": ("source", "own card", "target", "that", "chosen..."),
            "seats": ("each", "chosen"),
            "numbers": ("group", "place in line", "ability"),
            "words": ("event", "colour chosen"),
        },
    ),
    Kind("check", ("running",), ("line", "states", "effects")),
)
"""A played spell is on the stack. Effects of abilities wait in groups, then run through their printed text."""

QUESTIONS: Final[tuple[Kind, ...]] = tuple(
    Kind(name, ("asked",), (), columns)
    for name, columns in (
        ("bookmark_pick", {}),
        ("order_effects", {"frames": ("effect...",)}),
        (
            "objects",
            {"frames": ("serves",), "objs": ("option...",), "cards": ("option...",), "numbers": ("least", "most")},
        ),
        ("yes_no", {"frames": ("serves",)}),
        ("option", {"frames": ("serves",), "seats": ("option...",), "words": ("option...",)}),
        ("shuffle_grimoire", {"frames": ("serves",), "seats": ("whose",)}),
        ("random_first_player", {"seats": ("tied...",)}),
    )
)

ANSWERS: Final = {
    "bookmark_pick": "choose_opening_bookmark",
    "objects": "choose_objects",
    "yes_no": "choose_yes_no",
    "option": "choose_option",
}
"""Verb by kind of question, where the names differ."""


@implements(C.COUNTS_PUBLIC)
def schema(rules: Rules) -> Schema:
    team_only = implements(C.FRIENDS_SEE)(Visibility("all", "all", "count"))
    return Schema(
        areas=(
            implements(C.PUBLIC_ZONES, C.FIELD)(Area(FIELD, False, "bag", same_for_all("each"), up=True)),
            implements(C.PUBLIC_ZONES)(Area(VOID, False, "bag", same_for_all("each"), up=True)),
            implements(C.PUBLIC_ZONES)(Area(PERSONAL, True, "bag", same_for_all("each"), up=True, most=1)),
            implements(C.HAND_HIDDEN)(Area(HAND, True, "bag", team_only)),
            implements(C.GRIMOIRE_HIDDEN)(Area(GRIMOIRE, True, "pile", same_for_all("count"))),
            implements(C.BOOKMARK_OWN, C.BOOKMARK_GROWS)(Area(BOOKMARK, True, "bag", team_only)),
            implements(C.PUBLIC_ZONES)(Area(JUNKYARD, True, "pile", same_for_all("each"), up=True)),
            Area(REVEAL, True, "row", same_for_all("each"), up=True),
            Area(REMOVED, False, "bag", same_for_all("count")),
        ),
        stances=implements(C.ONE_STATUS)(("extended", "spended", "played")),
        marks=(
            Mark(DAMAGE, "card", public=True),
            Mark(BASE_CONTROLLER, "card", most=SEATS_MAX, public=True),
            Mark("used.*", "card", public=True),
            *implements(C.PUBLIC_ZONES)(
                tuple(Mark(name, "seat", public=True) for name in (MANA, CAPACITY, OD, CHROMA))
            ),
            *(Mark(name, "seat", most=1, public=True) for name in (DRAW_FAILED, OUT)),
            Mark(HELD, "table", most=1, public=True),
            Mark(ACTIONS, "table", most=rules.loop_guard + 1, public=True),
            Mark(TIME, "table", most=1, public=True),
        ),
        kinds=(*PROCESSES, *QUESTIONS),
        effects=("buff", "control", "void"),
        untils=(THIS_TURN, WHILE_SOURCE, PERMANENT, FOREVER, SOURCE_LEAVES),
        phases=(SET_UP, INITIALIZE, START, TRANCE, MAIN, END, FINALIZE, FINISHED),
        steps={
            SET_UP: ("shuffle", "first_player", "opening_draw", "bookmark_pick", "prepare"),
            INITIALIZE: (AUTO,),
            START: (AUTO,),
            TRANCE: (AUTO, TRANCE_CHOICE, CHOSEN),
            MAIN: (PRIORITY, RESOLVING),
            END: (AUTO,),
            FINALIZE: (AUTO,),
            FINISHED: (),
        },
        teams=implements(C.FRIENDS_SEE, C.FRIENDS_SHARE)(dict(rules.teams_by_seat)),
        out=implements(C.OUT_SEES)(OUT),
    )
