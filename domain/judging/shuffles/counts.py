"""Shuffles counted: from where to where cards came, and what stayed together. No shuffle is kept."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from struct import Struct as Layout
from typing import Final

from msgspec import Struct

from domain.judging.shuffles.told import LATER, MOST, Shuffle

BLOCKS: Final = 32
"""Into how many parts the shuffles of a kind are counted, in turns: what a test lays anew against each other."""
BITS: Final = 32
"""How wide a count is in a packed row."""

Row = int
"""The counts of one row packed into a number, the first lowest: rows are added up as numbers are."""
Block = list[Row]
"""A row for each place where a card lay before; in it how many came to each place."""


class Group(Struct, frozen=True, order=True):
    """Shuffles that are alike: as long as this pile of this game was."""

    game: str
    pile: str
    size: int


class Runs(Struct):
    """What stayed together in some shuffles: how many there were by size, and two numbers added up over them.

    `rising`: rising sequences, that is how often one goes through the pile from the front to pick up all cards in their
    old order. `neighbours`: pairs of cards that lie one behind the other as before.
    """

    sizes: Counter[int]
    rising: int = 0
    neighbours: int = 0


class Counts:
    """Counts shuffle after shuffle."""

    def __init__(self) -> None:
        self.blocks: dict[int, dict[Group, list[Block]]] = {}
        self.number: dict[int, Counter[Group]] = {}
        self.runs: dict[int, Runs] = {}
        self.beyond = 0
        """Shuffles that are not tested: later ones of a match, or of larger piles."""

    def add(self, game: str, shuffles: Iterable[Shuffle]) -> None:
        """The shuffles of a match."""
        for shuffle in shuffles:
            if shuffle.turn > LATER or len(shuffle.to) > MOST:
                self.beyond += 1
                continue
            self._place(Group(game, shuffle.pile, len(shuffle.to)), shuffle)
            self._run(shuffle)

    def total(self, turn: int) -> int:
        """How many shuffles of this turn were counted."""
        return self.number.get(turn, Counter()).total()

    def sizes(self, turn: int) -> Counter[tuple[str, int]]:
        """How many shuffles of this turn were counted, by the game and the size of the pile."""
        sizes: Counter[tuple[str, int]] = Counter()
        for group, number in self.number.get(turn, Counter()).items():
            sizes[group.game, group.size] += number
        return sizes

    def _place(self, group: Group, shuffle: Shuffle) -> None:
        number = self.number.setdefault(shuffle.turn, Counter())
        blocks = self.blocks.setdefault(shuffle.turn, {}).setdefault(group, [])
        if len(blocks) < BLOCKS:
            blocks.append([0] * group.size)
        block = blocks[number[group] % BLOCKS]
        number[group] += 1
        for row, to in enumerate(shuffle.to):
            block[row] += 1 << (BITS * to)

    def _run(self, shuffle: Shuffle) -> None:
        runs = self.runs.setdefault(shuffle.turn, Runs(Counter()))
        runs.sizes[len(shuffle.to)] += 1
        runs.rising += rising(shuffle.to)
        runs.neighbours += neighbours(shuffle.to)


def rising(to: tuple[int, ...]) -> int:
    """How many rising sequences a shuffle left: 1 if nothing was shuffled, the number of cards if all were reversed."""
    return 1 + sum(behind < ahead for ahead, behind in pairwise(to))


def neighbours(to: tuple[int, ...]) -> int:
    """How many pairs of cards lie one behind the other as they did before."""
    return sum(behind - ahead == 1 for ahead, behind in pairwise(to))


def unpacked(rows: Sequence[Row]) -> tuple[int, ...]:
    """The counts of some rows, row after row."""
    size = len(rows)
    wide = BITS // 8 * size
    return Layout(f"<{size * size}I").unpack(b"".join([row.to_bytes(wide, "little") for row in rows]))


def summed(blocks: Iterable[Sequence[Row]], size: int) -> Block:
    """The rows of several blocks added up."""
    rows = [0] * size
    for block in blocks:
        rows = [one + other for one, other in zip(rows, block, strict=True)]
    return rows


Kind = Mapping[Group, list[Block]]
"""The shuffles of one turn."""
