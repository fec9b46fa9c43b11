"""What each kind of job does, by the code that the command line runs too. Matches go by their ids, not by files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from corpus.sources import Source, Stored
from domain.judging.rejudging import comparing as two
from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.target import rules_for
from domain.law.law import Law
from domain.words import Message, Text
from projections.viewing import look_at
from recorder.answers import Unavailable
from recorder.loading import Match, cut, load_match
from recorder.store import Store
from regress import comparing
from regress.comparing import Compared, Count, Readings
from regress.counting import Report
from regress.regressing import regress
from regress.rejudging import Rejudged, judge_again
from regress.summary import Summary, Task as Asked
from regress.workfile import WorkError
from service.jobs.tasks import (
    Comparison,
    Kind,
    Reading,
    Regression,
    Rejudging,
    Task,
    Verification,
    base_of,
    law_of,
    target_of,
    targets_of,
)
from verify.verifying import FailedMatch, Verified, failed, shrink_failure, verified, verify

PROCESSES: Final = 2
"""A job's matches are looked at in processes of their own, so that whoever watches a match does not wait for them."""
WORK: Final = "work"
T = TypeVar("T")


class Comparing(Struct, frozen=True):
    """What came of a comparison, and why of some matches it cannot be said."""

    compared: Compared
    bad: dict[str, Message]


class Parting(Struct, frozen=True):
    """Where two readings of a match part, and how."""

    entry: int
    kind: str
    outcome_changes: bool


class ReadTwice(Struct, frozen=True):
    """One match under two values of an option, and where they part, if they do."""

    match: str
    option: str
    values: tuple[str, str]
    one: Rejudged
    other: Rejudged
    apart: Parting | None = None


RESULTS: Final[dict[Kind, Any]] = {
    "regression": Report,
    "comparison": Comparing,
    "verification": Verified,
    "rejudging": Rejudged,
    "reading": ReadTwice,
}
"""What comes of each kind."""


class Doing(Struct, frozen=True):
    """A job about to be done: over which matches of which store, as they stood after how many entries.

    `step` is called behind each piece of it, and raises what ends it early; `folder` is the job's own.
    """

    store: Store
    folder: Path
    matches: Sequence[str]
    upto: int
    step: Callable[[], None]


class Undoable(Exception):
    """Nothing can come of a job; the text says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


def do(task: Task, doing: Doing) -> Any:
    """What comes of a job. Raises Undoable, RulesetError, StoreError, and whatever `step` raises."""
    match task:
        case Regression():
            return _regress(task, doing)
        case Comparison():
            return _compare(task, doing)
        case Verification():
            return _verify(task, doing)
        case Rejudging():
            return _rejudge(task, doing)
        case Reading():
            return _read_twice(task, doing)


def steps_of(task: Task, matches: Sequence[str]) -> int:
    """How many pieces a job has."""
    return task.matches if isinstance(task, Verification) else len(matches)


def _sources(doing: Doing) -> Iterator[Source]:
    return (Source(match, "", Stored(doing.store.name, match), match) for match in doing.matches)


def _regress(task: Regression, doing: Doing) -> Report:
    asked = Asked(target_of(task), base_of(task), task.full)
    run = partial(regress, asked, jobs=PROCESSES, resume=doing.folder / WORK, seen=lambda summary: doing.step())
    try:
        report = run(_sources(doing))
    except WorkError:  # what was begun there was begun by another program
        (doing.folder / WORK).unlink(missing_ok=True)
        report = run(_sources(doing))
    tell = partial(_unplaced, doing.store)
    return replace(
        report,
        shortest={kind: tuple(map(tell, some)) for kind, some in report.shortest.items()},
        flips=tuple(map(tell, report.flips)),
        differences=tuple(replace(row, match=tell(row.match)) for row in report.differences),
        bad=tuple(map(tell, report.bad)),
    )


def _unplaced(store: Store, match: Summary) -> Summary:
    """A summary that names no file of this machine."""
    return replace(match, file="", problem=match.problem and _nameless(store, match.problem))


def _nameless(store: Store, said: Message) -> Message:
    name = Path(store.name).name
    return Message(said.en.replace(store.name, name), said.ja.replace(store.name, name))


def _compare(task: Comparison, doing: Doing) -> Comparing:
    readings, count = Readings(task.game, task.option, task.values, None), Count()
    with closing(comparing.looked(readings, _sources(doing), PROCESSES, lambda names: None)) as coming:
        for match in coming:
            count.add(match)
            doing.step()
    said = {name: Message(why.say("en"), why.say("ja")) for name, why in count.bad.items()}
    return Comparing(count.compared(readings, ()), {name: _nameless(doing.store, why) for name, why in said.items()})


def _verify(task: Verification, doing: Doing) -> Verified:
    laid = law_of(task)
    game = laid.law.game

    def watched(coming: Iterable[T]) -> Iterator[T]:
        for item in coming:
            yield item
            doing.step()

    report = verify(laid.law, task.matches, task.seed, PROCESSES, steer=task.steer, vary=laid.vary, watch=watched)
    failures: list[FailedMatch] = []
    for match, failure in report.failures:
        row = failed(game, match, failure)
        entries = shrink_failure(game, match, failure)
        failures.append(replace(row, entries=len(entries)) if entries else row)
    return verified(game, report, failures)


def _rejudge(task: Rejudging, doing: Doing) -> Rejudged:
    match, target = _match(doing), target_of(task)
    other = Law(match.game, rules_for(target, match.game, match.rules))
    answer = _judged(match, task.viewer, other, target.label, task.beside)
    doing.step()
    return answer


def _read_twice(task: Reading, doing: Doing) -> ReadTwice:
    match = _match(doing)
    targets = targets_of(task)
    one, other = (Law(match.game, rules_for(target, match.game, match.rules)) for target in targets)
    first, second = (
        _judged(match, task.viewer, law, target.label, True) for law, target in zip((one, other), targets, strict=True)
    )
    parting = two.separate(match.game, match.entries, one.rules, other.rules)
    doing.step()
    apart = None if parting is None else Parting(parting.entry, parting.kind, parting.outcome_changes)
    return ReadTwice(match.id, task.option, task.values, first, second, apart)


def _judged(match: Match, viewer: str, other: Law, label: str, beside: bool) -> Rejudged:
    try:
        return judge_again(match, match.id, look_at(match, viewer), other, label, beside=beside)
    except Unreadable as error:
        raise Undoable(error.text) from error


def _match(doing: Doing) -> Match:
    """The match as it stood when the job was asked for."""
    loaded = load_match(doing.store, doing.matches[0])
    if isinstance(loaded, Unavailable):
        raise Undoable(loaded.why)
    return cut(loaded, doing.upto)
