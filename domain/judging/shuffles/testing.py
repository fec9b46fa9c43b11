"""Counted shuffles judged: a family of tests whose false alarms are held, all together, at a rate that is said.

There are always `FAMILY` of them, whatever was recorded; what has no shuffle passes. By Holm's procedure (1979), which
asks nothing of how they hang together: of sound corpora at most that share is called suspicious.
"""

from collections.abc import Iterator
from math import ceil, log
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.shuffles.counts import Counts, Group, Runs, summed, unpacked
from domain.judging.shuffles.drawing import rarity
from domain.judging.shuffles.exact import Spread, middle, neighbours_spread, rising_spread, tails
from domain.judging.shuffles.reach import FOUND, TILT, found_from
from domain.judging.shuffles.told import LATER, OPENING

Kind = Literal["places", "front", "seats", "rising", "neighbours"]
"""Where cards came to from where · which card came to the front · the same, each seat's by itself · how many rising
sequences are left · how many neighbours stayed so."""
KINDS: Final[tuple[Kind, ...]] = ("places", "front", "seats", "rising", "neighbours")
FAMILY: Final = len(KINDS) * (LATER + 1)
RATE: Final = 0.01
"""What share of sound corpora may be called suspicious, if nothing else is said."""
FINER: Final = 2
"""How many times smaller the least p that can be drawn is than the least that is asked for."""
CASES: Final = 3
"""How many of the strangest counts are named of a test that fails."""


class Case(Struct, frozen=True):
    """A count that chance does not explain: the card that lay `before` came to `after` so many times, of so many.

    Places are counted from 1; `pile` is empty for those of all seats.
    """

    game: str
    pile: str
    size: int
    before: int
    after: int
    count: int
    all: int
    expected: float


class Trial(Struct, frozen=True, omit_defaults=True):
    """One test of the shuffles of one turn: of how many, how likely chance alone brings as much, and whether it fails.

    `mean` and `expected`: of what stays together in a shuffle, the recorded mean and chance's. `cases`: where it shows.
    """

    kind: Kind
    turn: int
    shuffles: int
    p: float
    failed: bool = False
    mean: float | None = None
    expected: float | None = None
    cases: tuple[Case, ...] = ()


class Reach(Struct, frozen=True):
    """From how many first shuffles on a tilt is found this often: that the card in front stays there, in this share."""

    tilt: float
    found: float
    shuffles: int


class Shuffles(Struct, frozen=True):
    """What many shuffles show. `suspicious` is None where they are too few to show the tilt that is looked for.

    `first` are those that matches begin with, `later` the others; `beyond` such as are not tested, `unseen`
    such of which nobody knows how the cards lie.
    """

    suspicious: bool | None
    rate: float
    first: int
    later: int
    beyond: int
    unseen: int
    tests: tuple[Trial, ...]
    reach: Reach | None


def judge_shuffles(counts: Counts, rate: float = RATE, unseen: int = 0) -> Shuffles:
    """Test whatever was counted."""
    tests = holm([test for turn in range(LATER + 1) for test in _tests(counts, turn, rate)], rate)
    first = counts.total(OPENING)
    reach = Reach(TILT, FOUND, found_from(counts.sizes(OPENING), rate / FAMILY)) if first else None
    failed = any(test.failed for test in tests)
    return Shuffles(
        suspicious=True if failed else False if reach is not None and first >= reach.shuffles else None,
        rate=rate,
        first=first,
        later=sum(counts.total(turn) for turn in range(1, LATER + 1)),
        beyond=counts.beyond,
        unseen=unseen,
        tests=tuple(_shown(counts, test) for test in tests),
        reach=reach,
    )


def _tests(counts: Counts, turn: int, rate: float) -> Iterator[Trial]:
    number = counts.total(turn)
    if not number:
        return
    drawn = rarity(counts.blocks[turn], turn, ceil(FINER * FAMILY / rate) - 1)
    yield from (Trial(kind, turn, number, p) for kind, p in zip(KINDS, drawn, strict=False))
    runs = counts.runs[turn]
    yield _of_runs("rising", turn, runs, rising_spread, runs.rising)
    yield _of_runs("neighbours", turn, runs, neighbours_spread, runs.neighbours)


def _of_runs(kind: Kind, turn: int, runs: Runs, spread: Spread, total: int) -> Trial:
    """Too few is as strange as too many."""
    number = runs.sizes.total()
    p = min(1.0, 2 * min(tails(spread, runs.sizes, total)))
    return Trial(kind, turn, number, p, mean=total / number, expected=middle(spread, runs.sizes)[0] / number)


def holm(tests: list[Trial], rate: float) -> list[Trial]:
    """Which fail: from the least p on, as long as each is at most the rate over those that are left."""
    failed: set[tuple[Kind, int]] = set()
    for left, test in zip(range(FAMILY, 0, -1), sorted(tests, key=lambda test: test.p), strict=False):
        if test.p > rate / left:
            break
        failed.add((test.kind, test.turn))
    return [replace(test, failed=True) if (test.kind, test.turn) in failed else test for test in tests]


def _shown(counts: Counts, test: Trial) -> Trial:
    """The test with the counts by which it fails."""
    if not test.failed or test.kind in ("rising", "neighbours"):
        return test
    cases = sorted(_cases(counts, test), key=lambda both: both[0], reverse=True)[:CASES]
    return replace(test, cases=tuple(case for _, case in cases))


def _cases(counts: Counts, test: Trial) -> Iterator[tuple[float, Case]]:
    """Each count that lies above what chance brings, with how far: the more of them there are, the farther."""
    together: dict[Group, list[list[int]]] = {}
    number: dict[Group, int] = {}
    for group, blocks in counts.blocks[test.turn].items():
        named = replace(group, pile="") if test.kind != "seats" else group
        together.setdefault(named, []).extend(blocks)
        number[named] = number.get(named, 0) + counts.number[test.turn][group]
    for group, blocks in together.items():
        size, all = group.size, number[group]
        even = all / size
        for at, count in enumerate(unpacked(summed(blocks, size))):
            before, after = divmod(at, size)
            if count > even and (test.kind == "places" or not after):
                case = Case(group.game, group.pile, size, before + 1, after + 1, count, all, even)
                yield count * log(count / even) - (count - even), case
