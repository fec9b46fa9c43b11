"""A very long record, generated line by line: a real match, notes, corrections, rewinds, and the same play again."""

from collections.abc import Iterator

from domain.games import GAMES
from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry, Noted, Restored, Rewound
from domain.law.law import Law
from domain.table.facts import Marked
from domain.table.table import Seat
from recorder import codec
from recorder.simulate import simulate

GAME = GAMES["blackpoker"]
MATCH = "long"
PREFIX = 40
"""Number of entries of the real match at the start, and again after each rewind into them."""


GROWN = 30_000
"""Length to which the current line grows."""


def long_record(count: int) -> Iterator[Entry]:
    """Yield a lawful record of `count` entries.

    First the line grows by notes and corrections. Then it is rewound through these one by one. Finally play and rewinds
    alternate, and some rewinds are undone.
    """
    played = simulate(Law(GAME, GAME.versions["8.1-lite"]), 1)
    numbered = _lines(played)
    for _ in range(count):
        yield next(numbered)


def _lines(played: list[Entry]) -> Iterator[Entry]:
    yield from played[:PREFIX]
    number = PREFIX
    while number < GROWN:
        number += 2
        yield Noted(by="judge", text=f"the clock was stopped, {number} 分" * 4)
        by_hand = ((BY_HAND, Marked(Seat("p1"), "attacks", number // 2 % 2)),)
        yield Corrected(by="judge", reason="counted again", told=by_hand)
    for back in range(GROWN - 1, GROWN // 2, -3):
        yield Rewound(to=back, reason="still further back", by="judge")
        number += 1
    stands = dict(zip(range(1, PREFIX + 1), range(1, PREFIX + 1), strict=True))
    to = PREFIX
    while True:
        to = PREFIX // 2 + (to + 7) % (PREFIX // 2)
        yield Rewound(to=stands[to], reason="once more", by="judge")
        number += 1
        if to % 3 == 0:
            yield Restored(to=number - 1, reason="it was right", by="judge")
            yield Rewound(to=stands[to], reason="it was not", by="judge")
            number += 2
        for at in range(to, PREFIX + 5):
            yield played[at]
            number += 1
            stands[at + 1] = number
        yield Noted(by="p1", text="as before")
        number += 1


def lines(count: int) -> Iterator[bytes]:
    return (codec.to_json_line(codec.encode(one)) + b"\n" for one in long_record(count))
