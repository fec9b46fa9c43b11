"""What chance would make of counted shuffles: rows laid anew, and how rare the recorded sums are among such.

The shuffles of a group are counted in blocks. If chance shuffled, every place before a shuffle is as good as any other,
so the rows of each block may change places among themselves and nothing tells the result from what was recorded. That
is done over and over by a generator that knows nothing of the record: the digests `sha256("shinpan/shuffles/TURN/0")`,
`.../1`, `.../2` and so on, each cut into four big-endian numbers of 64 bits. Group by group (game, pile, size), block
by block each row takes the next number, and they are put in the order of their numbers.

The sums of squared counts are chi-squares but for constants. Their table is not used: it holds for many shuffles alone,
and not for whole matrices of places, whose rows and columns are bound to each other. Instead a recorded sum's place
among drawn ones is looked up, in the way of Besag and Clifford (Biometrika 78, 1991): it is drawn until `ENOUGH` sums
are as large, or to the end. However few shuffles there are, p is at most x with a probability of x or less.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import mul
from typing import Final, NamedTuple

from domain.judging.shuffles.counts import BITS, Block, Group, Kind, summed, unpacked
from domain.law import croupier

ENOUGH: Final = 20
"""After so many drawn sums that are as large as the recorded one it is as common as it will be found to be."""
MASK: Final = 2**BITS - 1


class Squares(NamedTuple):
    """Sums of squared counts: from where to where; what came to the front; the same, each seat by itself."""

    places: int
    front: int
    seats: int


class Rarity(NamedTuple):
    """How likely chance brings a sum as large, for each of them."""

    places: float
    front: float
    seats: float


def rarity(kind: Kind, turn: int, most: int) -> Rarity:
    """How rare the sums of these shuffles are, among at most so many drawn ones."""
    groups, words = sorted(kind.items()), croupier.words(f"shinpan/shuffles/{turn}/")
    recorded = squares((group, summed(blocks, group.size)) for group, blocks in groups)
    found, as_large = [0.0, 0.0, 0.0], [0, 0, 0]
    for drawn in range(1, most + 1):
        sums = squares((group, _anew(blocks, group.size, words)) for group, blocks in groups)
        for at, (other, own) in enumerate(zip(sums, recorded, strict=True)):
            as_large[at] += other >= own
            if as_large[at] == ENOUGH and not found[at]:
                found[at] = ENOUGH / drawn
        if all(found):
            break
    return Rarity(*(p or (n + 1) / (most + 1) for p, n in zip(found, as_large, strict=True)))


def squares(groups: Iterable[tuple[Group, Block]]) -> Squares:
    """The sums over the rows of each group, added up."""
    together: dict[tuple[str, int], list[Block]] = {}
    seats = 0
    for group, rows in groups:
        together.setdefault((group.game, group.size), []).append(rows)
        seats += _front(rows)
    piles = [rows[0] if len(rows) == 1 else summed(rows, size) for (_, size), rows in together.items()]
    return Squares(sum(map(_squared, piles)), sum(map(_front, piles)), seats)


def _anew(blocks: Iterable[Block], size: int, words: Iterator[int]) -> Block:
    """The rows of each block in another order by chance, then added up."""
    return summed(([row for _, row in sorted(zip(islice(words, size), block, strict=True))] for block in blocks), size)


def _squared(rows: Block) -> int:
    counts = unpacked(rows)
    return sum(map(mul, counts, counts))


def _front(rows: Block) -> int:
    return sum([(row & MASK) ** 2 for row in rows])
