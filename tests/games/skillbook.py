from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(),
    numbers={
        "hand_max": (2, 3),
        "draw_per_turn": (2, 3),
        "table_slots": (3, 6),
        "opening_table": (1, 3),
        "charge_hp": (0, 2),
        "charge_removed": (0, 3),
        "double_boon_discount": (0, 2),
        "melee_line": (2,),
        "time_limit_turns": (8, 15),
    },
    undrawn=frozenset(("setup_short_book",)),
    never_carried_out=frozenset(("order_triggers",)),
    invariants=17,
    per_chapter=(11, 10, 17, 22, 28, 21, 21, 8, 10, 26, 4),
    unsaid=frozenset(("cards", "neutral_terrains")),
)
