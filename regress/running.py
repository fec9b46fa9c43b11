"""A task over all cores: each match looked up in the index, what has to be decided handed to the pool."""

import os
from collections.abc import Iterable, Iterator
from functools import partial

from corpus.sources import Source
from domain.words import Text
from regress.judging import Todo, bad, judge, look_up
from regress.pool import Done, Lost, Work, results
from regress.summary import Summary, Task

Placed = tuple[int, Source]


def cores() -> int:
    """How many processes this machine runs at once, and this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def summaries(task: Task, sources: Iterable[Placed | Done[Summary]], jobs: int, lost: Lost) -> Iterator[Summary]:
    """The summaries of these matches, in their order. With one job in this very process."""
    return results(judging(task), coming(task, sources), jobs, lost)


def judging(task: Task) -> Work[Todo, Summary]:
    """What is done with a match that has to be decided."""
    return Work(partial(judge, task), _killed, _name)


def coming(task: Task, sources: Iterable[Placed | Done[Summary]]) -> Iterator[Todo | Done[Summary]]:
    """Matches as far as they are known. Looking at the index is not worth the way to another process."""
    for source in sources:
        match = source if isinstance(source, Done) else look_up(task, *source)
        yield Done(match) if isinstance(match, Summary) else match


def _killed(one: Todo) -> Summary:
    return bad(one.at, one.source, Text("regress.killed"))


def _name(one: Todo) -> str:
    return one.source.name
