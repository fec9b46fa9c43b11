"""A run from its sources to its report: what an earlier run has written is taken over, the rest judged and counted."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from corpus.sources import Source
from domain.words import Text
from regress.approvals import Approval
from regress.counting import Report, Tally
from regress.running import Lost, summaries
from regress.summary import Summary, Task
from regress.workfile import WorkError, WorkFile


def regress(
    task: Task,
    sources: Iterable[Source],
    *,
    jobs: int = 1,
    approvals: Sequence[Approval] = (),
    resume: Path | None = None,
    seen: Callable[[Summary], None] = lambda one: None,
    lost: Lost = lambda names: None,
) -> Report:
    """Run a task over a corpus. `seen` is told each summary as it comes. Raises WorkError."""
    tally = Tally()
    # However this ends, the processes and the work file are let go of at once.
    with closing(_all(task, sources, jobs, resume, lost)) as coming:
        for one in coming:
            tally.add(one)
            seen(one)
    return tally.report(task, approvals)


def _all(
    task: Task, sources: Iterable[Source], jobs: int, resume: Path | None, lost: Lost
) -> Generator[Summary, None, None]:
    placed = enumerate(sources)
    if resume is None:
        yield from summaries(task, placed, jobs, lost)
        return
    with WorkFile.open(resume, task) as work:
        for one in work.known():
            at, source = next(placed, (one.at, None))
            if source is None or source.name != one.name:
                there = source.name if source is not None else Text("format.none")
                found = {"file": str(resume), "n": at + 1, "name": one.name, "other": there}
                raise WorkError(Text("regress.other_corpus", found))
            yield one
        for one in summaries(task, placed, jobs, lost):
            work.add(one)
            yield one
