"""Jobs on disk: a folder each beside the store, every file of it written whole."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from domain.words import Message
from recorder.files import write_whole
from regress.approvals import Approval
from service.jobs.doing import RESULTS
from service.jobs.tasks import TASKS, Kind, Task

State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED: Final[frozenset[State]] = frozenset(("done", "failed", "cancelled"))
SUFFIX: Final = ".jobs"
STATE, TASK, RESULT = "job.json", "task.json", "result.json"
APPROVALS, OPENINGS = "approvals.json", "openings.json"
LETTERS: Final[dict[Kind, str]] = {
    "regression": "R", "comparison": "K", "verification": "V", "rejudging": "J", "reading": "L",
}  # fmt: skip
"""What the ids of each kind begin with."""
ID: Final = re.compile("[RKVJL]-([1-9][0-9]{0,8})")
PRIVATE: Final = 0o700
RESULTS_KEPT: Final = 8
"""So many results stay in memory."""


class Job(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A job as it stands. `by` and `number` are those of whoever asked; times are milliseconds.

    `again` counts how often it was taken up anew because the service had stopped. `hidden` are matches that were open
    when it was asked for: what comes of it is told to those who may look at them.
    """

    id: str
    kind: Kind
    state: State = "waiting"
    by: str = ""
    number: str = ""
    matches: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    upto: int = 0
    all: int = 0
    done: int = 0
    at: int = 0
    begun: int = 0
    ended: int = 0
    again: int = 0
    why: Message | None = None

    @property
    def over(self) -> bool:
        """Will nothing change of it any more?"""
        return self.state in ENDED


class Kept(Approval, frozen=True, kw_only=True):
    """An approval, who gave it, and when."""

    by: str
    at: int


class Cabinet:
    """The folder of the jobs of a store. Raises OSError where it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, job: Job, task: Task) -> None:
        """Keep a new job."""
        folder = self.of(job.id)
        folder.mkdir(mode=PRIVATE, parents=True)
        self._write(job.id, TASK, task)
        self.keep(job)

    def keep(self, job: Job) -> None:
        """Keep how a job stands now."""
        self._write(job.id, STATE, job)

    def finish(self, job: Job, result: Any) -> None:
        """Keep what came of a job, and then that it is done."""
        self._write(job.id, RESULT, result)
        self.keep(job)

    def jobs(self) -> Iterator[Job]:
        """All jobs, in the order in which they were asked for. What is no whole job (any more) is passed over."""
        names = sorted((int(ID.sub(r"\1", name)), name) for name in self._names())
        for _, name in names:
            try:
                yield msgspec.json.decode((self.of(name) / STATE).read_bytes(), type=Job)
            except (OSError, msgspec.MsgspecError):
                continue

    def last(self) -> int:
        """The highest number that was given to a job."""
        return max((int(ID.sub(r"\1", name)) for name in self._names()), default=0)

    def task(self, job: Job) -> Task:
        """What a job was asked to do."""
        found: Task = msgspec.json.decode((self.of(job.id) / TASK).read_bytes(), type=TASKS[job.kind])
        return found

    def result(self, job: Job) -> Any:
        """What came of a job that is done."""
        return _result(self.of(job.id) / RESULT, job.kind, job.ended)

    def approvals(self, job: Job) -> tuple[Kept, ...]:
        """What was approved of a regression."""
        try:
            return msgspec.json.decode((self.of(job.id) / APPROVALS).read_bytes(), type=tuple[Kept, ...])
        except FileNotFoundError:
            return ()

    def approve(self, job: Job, approvals: tuple[Kept, ...]) -> None:
        """Keep what is approved of a regression now."""
        self._write(job.id, APPROVALS, approvals)

    def openings(self, job: Job) -> dict[str, tuple[str, ...]]:
        """Which matches of a regression were opened, by whose token."""
        try:
            return msgspec.json.decode((self.of(job.id) / OPENINGS).read_bytes(), type=dict[str, tuple[str, ...]])
        except FileNotFoundError:
            return {}

    def open(self, job: Job, openings: dict[str, tuple[str, ...]]) -> None:
        """Keep which were opened."""
        self._write(job.id, OPENINGS, openings)

    def of(self, job: str) -> Path:
        """The folder of one job."""
        return self.folder / job

    def _names(self) -> list[str]:
        return [path.name for path in self.folder.iterdir() if ID.fullmatch(path.name)] if self.folder.is_dir() else []

    def _write(self, job: str, name: str, value: Any) -> None:
        write_whole(self.of(job) / name, msgspec.json.encode(value))


@lru_cache(RESULTS_KEPT)
def _result(path: Path, kind: Kind, ended: int) -> Any:
    return msgspec.json.decode(path.read_bytes(), type=RESULTS[kind])
