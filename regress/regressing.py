"""A run from its sources to its report: what an earlier run has written is taken over, the rest judged and counted."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from corpus.sources import Source, mark
from domain.words import Text
from domain.words.foreign import written
from regress.approvals import Approval
from regress.counting import Report, Tally
from regress.pool import Done, Lost
from regress.running import Placed, summaries
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
    if resume is None:
        yield from summaries(task, enumerate(sources), jobs, lost)
        return
    with WorkFile.open(resume, task) as work:
        marks: dict[int, str] = {}
        with closing(_resumed(work, sources, marks)) as coming:
            for one in summaries(task, coming, jobs, lost):
                if (new := marks.pop(one.at, None)) is not None:
                    work.add(one, new)
                yield one


def _resumed(
    work: WorkFile, sources: Iterable[Source], marks: dict[int, str]
) -> Generator[Placed | Done[Summary], None, None]:
    """Each match: what the work file says of it, or itself if it is new there or has changed; then it is marked."""
    with closing(work.known()) as known:
        for at, source in enumerate(sources):
            line, now = next(known, None), mark(source)
            if line is not None and line.one.name != written(source.name):
                raise _other(work, line.one, source.name)
            if line is not None and line.mark == now:
                yield Done(line.one)
                continue
            marks[at] = now
            yield at, source
        if (line := next(known, None)) is not None:
            raise _other(work, line.one, Text("format.none"))


def _other(work: WorkFile, one: Summary, there: str | Text) -> WorkError:
    found = {"file": str(work.path), "n": one.at + 1, "name": one.name, "other": there}
    return WorkError(Text("regress.other_corpus", found))
