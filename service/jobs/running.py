"""Who does the jobs: so many at once, each in a thread that waits for processes, until they are done or taken back."""

import logging
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.words import Message, Text, TextError, Words
from domain.words.foreign import quoted
from recorder.store import Store, StoreError
from service.jobs.doing import Doing, Undoable, do, steps_of
from service.jobs.keeping import LETTERS, SUFFIX, Cabinet, Job
from service.jobs.tasks import Kind, Task

LOG: Final = logging.getLogger(__name__)
EACH: Final = 2
"""So many unfinished jobs at once for one token."""
WAITING_MAX: Final = 64
"""So many unfinished jobs at once for all."""


class Cancelled(Exception):
    """The job was taken back."""


class Stopped(Exception):
    """The service stops; the job is taken up again when it begins anew."""


class Crowded(Exception):
    """There are too many jobs already."""


class Jobs:
    """The jobs of a store. Those that a stop of the service cut off are taken up again."""

    def __init__(self, store: Store, at_once: int, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self.cabinet = Cabinet(Path(store.beside + SUFFIX))
        self._lock = Lock()
        self.filing = Lock()
        """Held by whoever looks up what lies in a job's folder and writes what follows from it."""
        self._jobs: dict[str, Job] = {}
        self._last = 0
        self._cancelled: set[str] = set()
        self._stopping = False
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"job-{n}", daemon=True) for n in range(at_once)]

    @property
    def kept(self) -> bool:
        """Can there be jobs? Of a store in memory there is no other process that could read it."""
        return self._store.name != ":memory:"

    def begin(self) -> None:
        """Take up what is left to do, and begin."""
        if not self.kept:
            return
        self._last = self.cabinet.last()
        for job in self.cabinet.jobs():
            again = job.state == "running"
            self._jobs[job.id] = replace(job, state="waiting", done=0, again=job.again + 1) if again else job
            if not job.over:
                self._queue.put(job.id)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let go of what is being done; it is taken up again another time."""
        self._stopping = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def add(self, kind: Kind, task: Task, job: Job) -> Job:
        """A new job; its id is given here. Raises Crowded, and OSError where it cannot be kept."""
        with self._lock:
            unfinished = [other for other in self._jobs.values() if not other.over]
            mine = sum(other.number == job.number for other in unfinished)
            if mine >= EACH or len(unfinished) >= WAITING_MAX:
                raise Crowded
            self._last += 1
            job = replace(job, id=f"{LETTERS[kind]}-{self._last}", kind=kind, all=steps_of(task, job.matches))
            job = replace(job, at=self._clock())
            self.cabinet.add(job, task)
            self._jobs[job.id] = job
        self._queue.put(job.id)
        return job

    def job(self, id: str) -> Job | None:
        """A job by its id."""
        return self._jobs.get(id)

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        return list(reversed(self._jobs.values()))

    def cancel(self, id: str) -> None:
        """Take back a job that is not over; one that is being done ends behind the match that is looked at."""
        with self._lock:
            job = self._jobs[id]
            if job.over:
                return
            self._cancelled.add(id)
            cancelled = replace(job, state="cancelled", ended=self._clock())
            self.cabinet.keep(cancelled)  # should the service stop now, nobody takes it up again
            if job.state == "waiting":
                self._jobs[id] = cancelled

    def _end(self, job: Job) -> None:
        job = replace(job, ended=self._clock())
        self.cabinet.keep(job)
        self._jobs[job.id] = job

    def _work(self) -> None:
        while (id := self._queue.get()) is not None and not self._stopping:
            try:
                self._do(id)
            except Exception:
                LOG.exception("job %s", id)

    def _do(self, id: str) -> None:
        with self._lock:
            job = self._jobs[id]
            if job.over:
                return
            job = self._jobs[id] = replace(job, state="running", begun=self._clock(), done=0)
            self.cabinet.keep(job)
        task = self.cabinet.task(job)
        doing = Doing(self._store, self.cabinet.of(id), job.matches, job.upto, lambda: self._step(id))
        try:
            result = do(task, doing)
            job = replace(self._jobs[id], state="done", ended=self._clock())
            self.cabinet.finish(job, result)
            with self._lock:
                self._jobs[id] = job
        except Stopped:
            return
        except Cancelled:
            self._fail(id, None)
        except (TextError, Undoable, StoreError) as error:
            self._fail(id, error.text)
        except FormatError as error:
            self._fail(id, error.message)
        except Exception as error:
            LOG.exception("job %s", id)
            self._fail(id, Text("job.failed", {"error": type(error).__name__, "why": quoted(error)}))

    def _fail(self, id: str, why: Words | None) -> None:
        name = self._store.name
        with self._lock:
            said = why and Message(*(text.replace(name, Path(name).name) for text in (why.say("en"), why.say("ja"))))
            self._end(replace(self._jobs[id], state="failed" if why else "cancelled", why=said or None))

    def _step(self, id: str) -> None:
        """A piece of a job is done."""
        if self._stopping:
            raise Stopped
        if id in self._cancelled:
            raise Cancelled
        job = self._jobs[id]
        self._jobs[id] = replace(job, done=job.done + 1)
