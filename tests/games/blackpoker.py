"""Test settings of BlackPoker."""

from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(),
    numbers={
        "hand.limit": (0, 2, 1),
        "setup.hand_size": (3, 5, 7),
        "draw.mode": ("two_or_one",),
        "draw.low_life": (1, 4),
        "draw.optional": (0, 1),
        "attack.requests_per_turn": (2, 3),
        "set_bulwark.requests_per_turn": (2, 3),
        "counter.max_keys": (1, 2),
        "block.controller": ("defender",),
        "winner.both_zero": ("draw",),
        "attack.empty_chain": (True,),
        "fog.enabled": (False,),
        "sickness.model": ("unit_of_new_cards",),
        "equip.consecutive": (True,),
        "judge.smaller_dies": (False,),
    },
    batch=50,
    verified=6,
    soaked=10_000,
    reading="fog.end_scope=all",
    out_of_turn=frozenset(("concede",)),
    never_carried_out=frozenset(("unoffered", "coin_toss", "order_triggers")),
    per_chapter=(10, 12, 13, 18, 15, 18, 41, 13, 20, 6, 10, 7, 7),
    unsaid=frozenset(("deck.list",)),
    never_cited_first=frozenset(("TWIST_TARGET", "BLOCKER_LABEL")),
    seen_elsewhere=frozenset(("WIN_CHECK", "SHORTCUTS")),
    invariants=28,
    schemas={"7cbd7785b50a2cfb": "8973a8b1c6c39da3", "53caae02b4a5f1a8": "8973a8b1c6c39da3"},
)
