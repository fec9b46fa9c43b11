"""Speed-up of a regress on two jobs, against the speed-up of a plain process pool on the same machine."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from multiprocessing.pool import Pool as PlainPool
from pathlib import Path
from time import perf_counter

from msgspec import Struct

from archive.corpus.sources import sources
from archive.regress.regressing import Placed, look_up_matches, make_judging_work, summaries
from archive.regress.summary import Summary, Task
from benchmarks.harness import LONG_PAIRS_MAX, QUICK, BenchmarkRow, Effort, Ratio, SkippedRow, Work, over_pairs, window
from benchmarks.material import BLACKPOKER, CHESS_GAMES, chess_games, packed, push_uci
from domain.judging.rejudging.target import RulesTarget
from recorder.pool import ProcessPool, cores

JOBS = 2
MATCHES, FEW = 400, 8
TASK = Task(RulesTarget(game=BLACKPOKER, settings={"throwing.damage_suit": "club"}), whole=True)
GAMES_PER_TASK = 14
"""A task of the pool takes about as long as a chunk of matches."""
NAME = f"a regress on {JOBS} jobs: how many times as fast as on one"
BUDGET, AIM = 0.9, 0.95


class WorkPair(Struct, frozen=True):
    """The same work on one job and on two."""

    alone: Work
    shared: Work

    def speed_up(self) -> float:
        return window(self.shared, QUICK) / window(self.alone, QUICK)


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    if cores() < JOBS:
        yield SkippedRow(NAME, "there is one core here")
        return
    listed = tuple(enumerate(sources([packed(BLACKPOKER, FEW if quick else MATCHES, folder)])))
    spawning = get_context("spawn")
    with ExitStack() as opened:
        pool = opened.enter_context(ProcessPool(make_judging_work(TASK), JOBS))
        ours = WorkPair(
            lambda: _on_one(listed), lambda: _count_matches(pool.results(look_up_matches(TASK, listed), _lost))
        )
        began = perf_counter()
        ours.alone()
        seconds = perf_counter() - began
        plain = [opened.enter_context(spawning.Pool(jobs)) for jobs in (1, JOBS)]
        chunks = _chunks(plain[0], seconds)
        theirs = WorkPair(*(partial(_pushed_by, one, chunks) for one in plain))
        for work in (ours.shared, theirs.shared):
            work()
        yield from _compare_speed_ups(ours, theirs, min(effort.pairs, LONG_PAIRS_MAX))
    began = perf_counter()
    _count_matches(summaries(TASK, listed[:FEW], JOBS, _lost))
    spent = perf_counter() - began - seconds * FEW / len(listed) / JOBS
    name = f"what it takes to begin and end {JOBS} processes, once in a run"
    yield BenchmarkRow(group="scaling", name=name, unit="ms", ours=1e3 * spent)


def _compare_speed_ups(ours: WorkPair, theirs: WorkPair, pairs: int) -> Iterator[BenchmarkRow]:
    measured = [[works.speed_up() for works in (ours, theirs, theirs, ours)] for _ in range(pairs)]
    found = over_pairs([(a + d) / 2 for a, _, _, d in measured], [(b + c) / 2 for _, b, c, _ in measured])
    same = over_pairs([b for _, b, _, _ in measured], [c for _, _, c, _ in measured])
    yield _row(NAME, f"push_uci in a bare pool of {JOBS} against one of 1", found, budget=BUDGET, aim=AIM)
    yield _row("control: the bare pool's speed-up", "itself", same, control=True)


def _row(
    name: str, peer: str, found: Ratio, *, budget: float | None = None, aim: float | None = None, control: bool = False
) -> BenchmarkRow:
    return BenchmarkRow(
        group="scaling",
        name=name,
        unit="x",
        ours=found.ours,
        peer=peer,
        ratio=found,
        budget=budget,
        aim=aim,
        control=control,
    )


def _on_one(listed: Iterable[Placed]) -> int:
    return _count_matches(summaries(TASK, listed, 1, _lost))


def _count_matches(found: Iterable[Summary]) -> int:
    matches = 0
    for one in found:
        assert one.kind != "bad", one
        matches += 1
    return matches


def _lost(names: tuple[str, ...]) -> None:
    raise RuntimeError(f"a process has died while it judged {', '.join(names)}")


# -- reference work ---------------------------------------------------------------------------------------------------


def _chunks(pool: PlainPool, seconds: float) -> int:
    pool.apply(pushed)
    began = perf_counter()
    pool.apply(pushed)
    return max(JOBS, round(seconds / (perf_counter() - began)))


def _pushed_by(pool: PlainPool, chunks: int) -> int:
    return sum(pool.imap(_pushed_of, range(chunks)))


def _pushed_of(_: int) -> int:
    return pushed()


def pushed() -> int:
    """Do one chunk of the reference work in a worker process."""
    return push_uci(chess_games(CHESS_GAMES)[:GAMES_PER_TASK])()
