"""Test settings of the toy without hidden information."""

from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(("frames", "secrets", "chance")),
    share=1 / 3,
    batch=1,
    out_of_turn=frozenset(("concede", "offer")),
    per_chapter=(3, 8, 7),
)
