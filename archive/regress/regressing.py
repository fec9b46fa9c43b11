"""Run a rule change over a corpus: reuse the results of an earlier run, judge the rest, and report."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from operator import attrgetter
from pathlib import Path

from archive.corpus.sources import Source, fingerprint
from archive.regress.approvals import Approval
from archive.regress.counting import RegressionCounter, RegressionReport
from archive.regress.judging import JudgingJob, bad, judge, look_up
from archive.regress.summary import Summary, Task
from archive.regress.workfile import WorkError, WorkFile
from domain.words import Text
from domain.words.foreign import escape_undecodable
from recorder.pool import Lost, ReadyResult, Work, Workers, results

Placed = tuple[int, Source]


def regress(
    task: Task,
    sources: Iterable[Source],
    *,
    jobs: int | Workers = 1,
    approvals: Sequence[Approval] = (),
    resume: Path | None = None,
    seen: Callable[[Summary], None] = lambda summary: None,
    lost: Lost = lambda names: None,
) -> RegressionReport:
    """Run a task over a corpus. `seen` is called with each summary. Raises WorkError."""
    tally = RegressionCounter()
    # Close processes and the work file at once, even after an error.
    with closing(_summarise_all(task, sources, jobs, resume, lost)) as stream:
        for summary in stream:
            tally.add(summary)
            seen(summary)
    return tally.report(task, approvals)


def _summarise_all(
    task: Task, sources: Iterable[Source], jobs: int | Workers, resume: Path | None, lost: Lost
) -> Generator[Summary, None, None]:
    if resume is None:
        yield from summaries(task, enumerate(sources), jobs, lost)
        return
    with WorkFile.open(resume, task) as work:
        marks: dict[int, str] = {}
        with closing(_resume(work, sources, marks)) as pending:
            for summary in summaries(task, pending, jobs, lost):
                if (new := marks.pop(summary.at, None)) is not None:
                    work.add(summary, new)
                yield summary


def _resume(
    work: WorkFile, sources: Iterable[Source], marks: dict[int, str]
) -> Generator[Placed | ReadyResult[Summary], None, None]:
    """Yield the stored summary of each match, or the match if it is new or changed, noting its mark."""
    with closing(work.read_lines()) as known:
        for at, source in enumerate(sources):
            line, current = next(known, None), fingerprint(source)
            if line is not None and line.one.name != escape_undecodable(source.name):
                raise _other_corpus_error(work, line.one, source.name)
            if line is not None and line.mark == current:
                yield ReadyResult(line.one)
                continue
            marks[at] = current
            yield at, source
        if (line := next(known, None)) is not None:
            raise _other_corpus_error(work, line.one, Text("format.none"))


def _other_corpus_error(work: WorkFile, match: Summary, other: str | Text) -> WorkError:
    values = {"file": str(work.path), "n": match.at + 1, "name": match.name, "other": other}
    return WorkError(Text("regress.other_corpus", values))


# -- over all cores ----------------------------------------------------------------------------------------------------


def summaries(
    task: Task, sources: Iterable[Placed | ReadyResult[Summary]], jobs: int | Workers, lost: Lost
) -> Iterator[Summary]:
    """Yield the summaries of these matches in order. One job means the current process."""
    return results(make_judging_work(task), look_up_matches(task, sources), jobs, lost)


def make_judging_work(task: Task) -> Work[JudgingJob, Summary]:
    killed = Text("regress.killed")
    return Work(partial(judge, task), lambda todo: bad(todo.at, todo.source, killed), attrgetter("source.name"))


def look_up_matches(
    task: Task, sources: Iterable[Placed | ReadyResult[Summary]]
) -> Iterator[JudgingJob | ReadyResult[Summary]]:
    """Yield each match as a summary or a job. The index is read here, which is cheaper than in another process."""
    for source in sources:
        match = source if isinstance(source, ReadyResult) else look_up(task, *source)
        yield ReadyResult(match) if isinstance(match, Summary) else match
