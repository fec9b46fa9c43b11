"""How Skillbook is tried."""

from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(),
    undrawn=frozenset(("setup_short_book",)),
    per_chapter=(11, 10, 17, 22, 28, 21, 21, 8, 10, 26, 4),
    unsaid=frozenset(("cards", "neutral_terrains")),
)
