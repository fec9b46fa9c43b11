"""Shared rows of audits and rejudges: recorded actions judged again, against python-chess."""

from collections.abc import Callable, Iterator

from benchmarks.harness import BenchmarkRow, Ratio
from benchmarks.material import CHESS_GAMES, Matches, chess_games, push_uci

BUDGET, AIM = 0.5, 1.0
PUSH_UCI = "python-chess push_uci, per ply"


def plies(quick: bool) -> Callable[[], int]:
    """Return the reference work, the same for all rows."""
    return push_uci(chess_games(2 if quick else CHESS_GAMES))


def per_action(group: str, name: str, found: Ratio, *, promised: bool = True) -> BenchmarkRow:
    return BenchmarkRow(
        group=group,
        name=f"{name}, per recorded action",
        unit="actions/s",
        ours=found.ours,
        peer=PUSH_UCI,
        ratio=found,
        budget=BUDGET if promised else None,
        aim=AIM if promised else None,
    )


def in_other_units(group: str, ours: Matches, found: Ratio) -> Iterator[BenchmarkRow]:
    for unit, count in (("facts", ours.facts), ("cards played", ours.cards), ("turns", ours.turns)):
        other = scaled(found, count / ours.actions)
        name = f"the same, in {unit}"
        yield BenchmarkRow(group=group, name=name, unit=f"{unit}/s", ours=other.ours, peer=PUSH_UCI, ratio=other)


def scaled(found: Ratio, ours: float, theirs: float = 1.0) -> Ratio:
    """Return a ratio in other units: `ours` of our units for one, and `theirs` of theirs."""
    by = ours / theirs
    return Ratio(found.middle * by, found.low * by, found.high * by, found.ours * ours, found.theirs * theirs)
