"""Job queue: worker threads that each run one rule change at a time in separate processes."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

from msgspec.structs import replace

from archive.corpus.sources import Source, StoreLocation
from archive.regress.counting import RegressionReport
from archive.regress.regressing import regress
from archive.regress.summary import Summary, Task
from archive.regress.workfile import WorkError
from domain.formats.errors import FormatError
from domain.words import LANGS, Message, Text, TextError, Words
from domain.words.foreign import quoted
from recorder.store import Store, StoreError
from service.reports.job_records import SUFFIX, Job, JobFiles, Regression, base_of, target_of

LOG: Final = logging.getLogger(__name__)
PROCESSES: Final = 2
"""Processes for each job. The limit keeps the service responsive."""
WORK: Final = "work"
TOKEN_JOBS_MAX: Final = 2
"""Unfinished jobs of one token."""
UNFINISHED_MAX: Final = 64
"""Unfinished jobs of all tokens."""


class Cancelled(Exception):
    """The job was cancelled."""


class Stopped(Exception):
    """The service stops. The next start resumes the job."""


class Crowded(Exception):
    """There are too many unfinished jobs."""


class Jobs:
    """The jobs of a store. A start resumes the jobs that the last stop interrupted."""

    def __init__(self, store: Store, at_once: int, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self.files = JobFiles(Path(store.local_prefix + SUFFIX))
        self._lock = Lock()
        self.filing = Lock()
        """Guards read-modify-write of approvals and openings."""
        self._jobs: dict[str, Job] = {}
        self._last = 0
        self._cancelled: set[str] = set()
        self._stopping = False
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"job-{n}", daemon=True) for n in range(at_once)]

    @property
    def has_store_file(self) -> bool:
        """False for a store in memory: other processes cannot read it, so it has no jobs."""
        return self._store.name != ":memory:"

    def begin(self) -> None:
        if not self.has_store_file:
            return
        self._last = self.files.last()
        for job in self.files.jobs():
            again = job.state == "running"
            self._jobs[job.id] = replace(job, state="waiting", done=0, again=job.again + 1) if again else job
            if not job.over:
                self._queue.put(job.id)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Interrupt the running jobs. The next start resumes them."""
        self._stopping = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def add(self, task: Regression, matches: tuple[str, ...], by: str, number: str) -> Job:
        """Queue a job for a token. Raises Crowded, and OSError if it cannot be written."""
        with self._lock:
            unfinished = [other for other in self._jobs.values() if not other.over]
            own_count = sum(other.number == number for other in unfinished)
            if own_count >= TOKEN_JOBS_MAX or len(unfinished) >= UNFINISHED_MAX:
                raise Crowded
            self._last += 1
            job = Job(id=f"R-{self._last}", by=by, number=number, matches=matches, all=len(matches), at=self._clock())
            self.files.add(job, task)
            self._jobs[job.id] = job
        self._queue.put(job.id)
        return job

    def job(self, id: str) -> Job | None:
        return self._jobs.get(id)

    def all(self) -> list[Job]:
        return list(reversed(self._jobs.values()))

    def cancel(self, id: str) -> None:
        """Cancel a job unless it has ended. A running one ends after the current match."""
        with self._lock:
            job = self._jobs[id]
            if job.over:
                return
            self._cancelled.add(id)
            cancelled = replace(job, state="cancelled", ended=self._clock())
            self.files.save(cancelled)  # after a stop now, the next start must not resume the job
            if job.state == "waiting":
                self._jobs[id] = cancelled

    def _work(self) -> None:
        while (id := self._queue.get()) is not None and not self._stopping:
            try:
                self._run_job(id)
            except Exception:
                LOG.exception("job %s", id)

    def _run_job(self, id: str) -> None:
        with self._lock:
            job = self._jobs[id]
            if job.over:
                return
            job = self._jobs[id] = replace(job, state="running", begun=self._clock(), done=0)
            self.files.save(job)
        try:
            work = self.files.folder_of(id) / WORK
            result = run_rule_change(self._store, self.files.task(job), job.matches, work, lambda: self._step(id))
            job = replace(self._jobs[id], state="done", ended=self._clock())
            self.files.finish(job, result)
            with self._lock:
                self._jobs[id] = job
        except Stopped:
            return
        except Cancelled:
            self._fail(id, None)
        except (TextError, StoreError) as error:
            self._fail(id, error.text)
        except FormatError as error:
            self._fail(id, error.message)
        except Exception as error:
            LOG.exception("job %s", id)
            self._fail(id, Text("job.failed", {"error": type(error).__name__, "why": quoted(error)}))

    def _fail(self, id: str, why: Words | None) -> None:
        reason = None if why is None else _without_folder(self._store, why)
        with self._lock:
            state = "cancelled" if reason is None else "failed"
            job = replace(self._jobs[id], state=state, why=reason, ended=self._clock())
            self.files.save(job)
            self._jobs[id] = job

    def _step(self, id: str) -> None:
        if self._stopping:
            raise Stopped
        if id in self._cancelled:
            raise Cancelled
        job = self._jobs[id]
        self._jobs[id] = replace(job, done=job.done + 1)


def run_rule_change(
    store: Store, task: Regression, matches: Sequence[str], work: Path, step: Callable[[], None]
) -> RegressionReport:
    """Run a rule change over matches of a store. The report names no files of this machine.

    Progress is stored in the file `work`. `step` is called after each match and may raise to end the run. Raises
    RulesetError, FormatError and StoreError.
    """
    request = Task(target_of(task), base_of(task), task.full)
    run = partial(regress, request, jobs=PROCESSES, resume=work, seen=lambda summary: step())
    try:
        report = run(_list_sources(store, matches))
    except WorkError:  # another version of the program began it
        work.unlink(missing_ok=True)
        report = run(_list_sources(store, matches))
    clear = partial(_without_file, store)
    return replace(
        report,
        shortest={kind: tuple(map(clear, some)) for kind, some in report.shortest.items()},
        flips=tuple(map(clear, report.flips)),
        differences=tuple(replace(row, match=clear(row.match)) for row in report.differences),
        bad=tuple(map(clear, report.bad)),
    )


def _list_sources(store: Store, matches: Sequence[str]) -> list[Source]:
    return [Source(match, "", StoreLocation(store.name, match), match) for match in matches]


def _without_file(store: Store, match: Summary) -> Summary:
    return replace(match, file="", problem=match.problem and _without_folder(store, match.problem))


def _without_folder(store: Store, text: Words) -> Message:
    name = Path(store.name).name
    return Message(*(text.say(lang).replace(store.name, name) for lang in LANGS))
