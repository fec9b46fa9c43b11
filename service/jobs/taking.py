"""Jobs taken on for whoever asks: over which matches, and who may see what comes of them."""

from typing import Final

from msgspec.structs import replace

from domain.judging.rejudging.target import rules_for
from domain.table.table import JUDGE
from domain.words import Text
from projections.viewing import is_over
from recorder.finding import asking
from service.access import ANYBODY, Operation
from service.asking import Ask
from service.jobs.keeping import Job
from service.jobs.running import Crowded
from service.jobs.tasks import (
    Comparison,
    Kind,
    Reading,
    Regression,
    Rejudging,
    Task,
    Verification,
    check,
    targets_of,
)
from service.problems import Halt, busy, halt

NEEDS: Final[dict[Kind, Operation]] = {
    "regression": "run_jobs",
    "comparison": "run_jobs",
    "verification": "run_jobs",
    "rejudging": "run_readings",
    "reading": "run_readings",
}


def take_on(ask: Ask, kind: Kind, task: Task) -> Job:
    """A new job. Halts where nothing could come of it, or where there are too many already."""
    if not ask.house.jobs.kept:
        raise halt("store-unavailable", Text("job.in_memory"))
    check(task)
    job = _chosen(ask, kind, task)
    if not job.matches and kind != "verification":
        raise halt("unreadable", Text("job.nothing"))
    try:
        return ask.house.jobs.add(kind, task, job)
    except Crowded:
        raise busy("too-many") from None
    except OSError:
        raise halt("store-unavailable") from None


def find_job(ask: Ask, kind: Kind | None = None) -> Job:
    """The job that the path names. Halts where there is none, and where what comes of it is not to be seen."""
    job = ask.house.jobs.job(ask.path["job"])
    if job is None or kind not in (None, job.kind):
        raise halt("unknown", Text("job.none"))
    permit(ask, job)
    return job


def permit(ask: Ask, job: Job) -> None:
    """Halts unless all that a job looked at is to be seen by whoever asks."""
    for match in job.hidden:
        _hidden(ask, match)
    if job.kind in ("rejudging", "reading"):
        task = ask.house.jobs.cabinet.task(job)
        assert isinstance(task, Rejudging | Reading)
        ask.house.look(ask.session, task.match, task.viewer)


def may_see(ask: Ask, job: Job) -> bool:
    try:
        permit(ask, job)
    except Halt:
        return False
    return True


def _chosen(ask: Ask, kind: Kind, task: Task) -> Job:
    """A job over what it is asked for: all that is closed, or matches by name. Halts where one may not be looked at."""
    job = Job(id="", kind=kind, by=ask.session.name, number=ask.session.number)
    match task:
        case Verification():
            return job
        case Rejudging(match=match, viewer=viewer) | Reading(match=match, viewer=viewer):
            one = (match,)
            hides = _hidden(ask, match)
            sight = ask.house.look(ask.session, match, viewer)
            ask.require(NEEDS[kind], match, closed=sight.over)
            for target in targets_of(task):
                rules_for(target, sight.match.game, sight.match.rules)
            return replace(job, matches=one, hidden=one if hides else (), upto=sight.head)
        case Regression(matches=named) | Comparison(matches=named) if named:
            some = tuple(dict.fromkeys(named))
            return replace(job, matches=some, hidden=tuple(match for match in some if _hidden(ask, match)))
        case _:
            house = ask.house
            house.finder.catch_up()
            until = house.clock() - house.settings.delay if house.settings.delay else None
            return replace(job, matches=tuple(asking.archive(house.finder, until)))


def _hidden(ask: Ask, match: str) -> bool:
    """Does a match still hide what other rules would tell of it? Halts where whoever asks may not see that."""
    whole = ask.house.match(match)
    # What is over is so for all when the delay is over, too.
    if is_over(whole.entries) and ask.house.visible(ANYBODY, whole.entries) == whole.version:
        ask.house.look(ask.session, match)
        return False
    ask.house.look(ask.session, match, JUDGE)
    return True
