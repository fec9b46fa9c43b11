"""Requests for rule changes and the state of their jobs, each in a folder next to the store."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from archive.regress.approvals import Approval
from archive.regress.counting import RegressionReport
from domain.formats.errors import FormatError, explain_unknown
from domain.games import GAMES
from domain.judging.rejudging.target import RulesTarget, probe, read_target, target_named
from domain.law.rulesets import RulesetError
from domain.words import Message, Text
from recorder.files import write_whole
from recorder.usecases.commands import Payload

State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED: Final[frozenset[State]] = frozenset(("done", "failed", "cancelled"))
DRAFT: Final = "draft.toml"
MATCHES_MAX: Final = 10_000
SUFFIX: Final = ".jobs"
ID: Final = re.compile("R-([1-9][0-9]{0,8})")
STATE, TASK, RESULT = "job.json", "task.json", "result.json"
APPROVALS, OPENINGS = "approvals.json", "openings.json"
FOLDER_MODE: Final = 0o700
CACHED_RESULTS_MAX: Final = 8


class Regression(Payload, frozen=True):
    """A request for a rule change over many matches.

    The new rules are a published version or an edition's notes (`GAME@VERSION`), a frame, options, or a draft. A draft
    is the text of a file that `shinpan regress --rules` accepts. `game` limits the comparison to one game. `base`
    (`GAME@VERSION`) replaces each match's own rules in the comparison. `full` ignores indexes. `matches` are ids; empty
    means all closed matches.
    """

    rules: str = ""
    game: str = ""
    frame: str = ""
    settings: dict[str, Any] = field(name="set", default_factory=dict)
    draft: str = ""
    base: str = ""
    full: bool = False
    matches: Annotated[tuple[str, ...], Meta(max_length=MATCHES_MAX)] = ()


class Job(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a job. `by` and `number` identify the token that asked. Times are milliseconds since 1970.

    `again` counts restarts after the service had stopped. `hidden` are matches that were open, which only earlier
    versions accepted.
    """

    id: str
    state: State = "waiting"
    by: str = ""
    number: str = ""
    matches: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    all: int = 0
    done: int = 0
    at: int = 0
    begun: int = 0
    ended: int = 0
    again: int = 0
    why: Message | None = None

    @property
    def over(self) -> bool:
        return self.state in ENDED


class StoredApproval(Approval, frozen=True, kw_only=True):
    by: str
    at: int


def target_of(task: Regression) -> RulesTarget:
    """Return the new rules. Raises RulesetError or FormatError."""
    if not (task.rules or task.frame or task.settings or task.draft):
        raise RulesetError(Text("job.no_rules"))
    if task.rules and task.draft:
        raise RulesetError(Text("job.two_rules"))
    target = RulesTarget()
    if task.draft:
        target = read_target(task.draft.encode(), DRAFT, GAMES)
        if target.full is not None and (task.settings or task.frame):
            raise FormatError(Text("target.both"), name=DRAFT)
    elif task.rules:
        target = target_named(task.rules, GAMES)
    if task.game and task.game not in GAMES:
        raise RulesetError(explain_unknown("game", task.game, GAMES))
    if task.game and target.game not in ("", task.game):
        raise RulesetError(Text("target.other_game", {"game": target.game, "other": task.game}))
    return _check_target(
        replace(
            target,
            game=task.game or target.game,
            frame=task.frame or target.frame,
            settings={**target.settings, **task.settings},
        )
    )


def base_of(task: Regression) -> RulesTarget | None:
    """Return the rules that replace each match's own, if any. Raises RulesetError."""
    return _check_target(target_named(task.base, GAMES)) if task.base else None


def _check_target(target: RulesTarget) -> RulesTarget:
    if target.game:
        probe(target, GAMES[target.game])
    return target


class JobFiles:
    """The folder of a store's jobs. Files are written atomically. Raises OSError if it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, job: Job, task: Regression) -> None:
        self.folder_of(job.id).mkdir(mode=FOLDER_MODE, parents=True)
        self._write(job.id, TASK, task)
        self.save(job)

    def save(self, job: Job) -> None:
        self._write(job.id, STATE, job)

    def finish(self, job: Job, result: RegressionReport) -> None:
        """Write a job's result, then its state."""
        self._write(job.id, RESULT, result)
        self.save(job)

    def jobs(self) -> Iterator[Job]:
        """Yield the readable jobs by number, except those over open matches, since reports are public."""
        for number in self._numbers():
            try:
                job = msgspec.json.decode((self.folder_of(f"R-{number}") / STATE).read_bytes(), type=Job)
            except (OSError, msgspec.MsgspecError):
                continue
            if not job.hidden:
                yield job

    def last(self) -> int:
        """Return the highest number in use, 0 without any."""
        return max(self._numbers(), default=0)

    def task(self, job: Job) -> Regression:
        return msgspec.json.decode((self.folder_of(job.id) / TASK).read_bytes(), type=Regression)

    def result(self, job: Job) -> RegressionReport:
        return _read_result(self.folder_of(job.id) / RESULT, job.ended)

    def approvals(self, job: Job) -> tuple[StoredApproval, ...]:
        try:
            return msgspec.json.decode(
                (self.folder_of(job.id) / APPROVALS).read_bytes(), type=tuple[StoredApproval, ...]
            )
        except FileNotFoundError:
            return ()

    def save_approvals(self, job: Job, approvals: tuple[StoredApproval, ...]) -> None:
        self._write(job.id, APPROVALS, approvals)

    def openings(self, job: Job) -> dict[str, tuple[str, ...]]:
        """Return the opened matches by the number of the token."""
        try:
            return msgspec.json.decode(
                (self.folder_of(job.id) / OPENINGS).read_bytes(), type=dict[str, tuple[str, ...]]
            )
        except FileNotFoundError:
            return {}

    def save_openings(self, job: Job, openings: dict[str, tuple[str, ...]]) -> None:
        self._write(job.id, OPENINGS, openings)

    def folder_of(self, job: str) -> Path:
        return self.folder / job

    def _numbers(self) -> list[int]:
        if not self.folder.is_dir():
            return []
        return sorted(int(found[1]) for path in self.folder.iterdir() if (found := ID.fullmatch(path.name)))

    def _write(self, job: str, name: str, value: Any) -> None:
        write_whole(self.folder_of(job) / name, msgspec.json.encode(value))


@lru_cache(CACHED_RESULTS_MAX)
def _read_result(path: Path, ended: int) -> RegressionReport:
    return msgspec.json.decode(path.read_bytes(), type=RegressionReport)
