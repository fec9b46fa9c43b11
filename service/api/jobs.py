"""Jobs: asked for, looked at while they go on, taken back; what comes of each kind has a room of its own address."""

from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta
from msgspec.structs import replace

from domain.judging.rejudging.target import rules_for
from domain.law.entries import Closed
from domain.table.table import JUDGE
from domain.words import Text
from recorder.finding import asking
from service import wire
from service.access import ANYBODY, Operation, may
from service.api.seeing import link_next
from service.asking import Ask, Reply, Route
from service.jobs import answers
from service.jobs.keeping import Job
from service.jobs.running import Crowded
from service.jobs.tasks import (
    KINDS,
    TASKS,
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
from service.problems import Halt, Type, halt
from service.progress import KIND, Progress

PAGE, PAGE_MAX = 50, 500
ROOMS: Final[dict[Kind, str]] = {
    "regression": "regressions",
    "comparison": "comparisons",
    "verification": "verifications",
    "rejudging": "rejudgings",
    "reading": "readings",
}
NEEDS: Final[dict[Kind, Operation]] = {
    "regression": "run_jobs",
    "comparison": "run_jobs",
    "verification": "run_jobs",
    "rejudging": "run_readings",
    "reading": "run_readings",
}
ANSWERS: Final[dict[Kind, Any]] = {
    "comparison": answers.ComparisonAnswer,
    "verification": answers.VerificationAnswer,
    "rejudging": answers.RejudgingAnswer,
    "reading": answers.ReadingAnswer,
}
READING: Final[tuple[Type, ...]] = ("unknown", "sealed", "not-your-eyes")
"""What is said to those who may not see what a job looked at."""
WAIT_S: Final = "5"


class ListQuery(wire.Wire, frozen=True):
    """Which jobs: of one kind, from behind one on."""

    kind: Kind | None = None
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


def start(kind: Kind) -> Callable[[Ask, object, Any], Reply]:
    """What takes a job of this kind on."""

    def call(ask: Ask, query: object, body: Task) -> Reply:
        if not ask.house.jobs.kept:
            raise halt("store-unavailable", Text("job.in_memory"))
        check(body)
        job = _chosen(ask, kind, body)
        if not job.matches and kind != "verification":
            raise halt("unreadable", Text("job.nothing"))
        try:
            job = ask.house.jobs.add(kind, body, job)
        except Crowded:
            raise halt("too-many", headers={"Retry-After": WAIT_S}) from None
        except OSError:
            raise halt("store-unavailable") from None
        shown = show(job)
        return Reply(shown, 202, {"Location": shown.url})

    return call


def page(ask: Ask, query: ListQuery, body: None) -> Reply:
    """Jobs whose results whoever asks may see, the newest first."""
    jobs = [job for job in ask.house.jobs.all() if query.kind in (None, job.kind) and _may_see(ask, job)]
    ids = [job.id for job in jobs]
    if query.after:
        if query.after not in ids:
            raise halt("unknown", Text("job.none"))
        jobs = jobs[ids.index(query.after) + 1 :]
    some = jobs[: query.limit]
    headers = link_next(ask, query, after=some[-1].id) if len(jobs) > len(some) else {}
    return Reply(answers.JobPage(jobs=tuple(map(show, some))), headers=headers)


def state(ask: Ask, query: object, body: None) -> Reply:
    """How a job stands."""
    return Reply(show(find(ask)))


def follow(ask: Ask, query: object, body: None) -> Reply:
    """Follow a job until it is over."""
    find(ask)
    return Reply(Progress(ask.session.number, lambda: show(find(ask))), kind=KIND)


def cancel(ask: Ask, query: object, body: None) -> Reply:
    """Take a job back; one that is over stays as it is."""
    job = find(ask)
    if job.number != ask.session.number and not may(ask.session, "run_jobs"):
        raise halt("no-authority")
    ask.house.jobs.cancel(job.id)
    return Reply(show(find(ask)))


def tell(kind: Kind) -> Callable[[Ask, object, None], Reply]:
    """What tells what came of a job of this kind."""

    def call(ask: Ask, query: object, body: None) -> Reply:
        job = find(ask, kind)
        cabinet = ask.house.jobs.cabinet
        result = cabinet.result(job) if job.state == "done" else None
        return Reply(ANSWERS[kind](job=show(job), asked=cabinet.task(job), result=result))

    return call


def find(ask: Ask, kind: Kind | None = None) -> Job:
    """The job that the path names. Halts where there is none, and where what comes of it is not to be seen."""
    job = ask.house.jobs.job(ask.path["job"])
    if job is None or kind not in (None, job.kind):
        raise halt("unknown", Text("job.none"))
    _permit(ask, job)
    return job


def _permit(ask: Ask, job: Job) -> None:
    """Halts unless all that a job looked at is to be seen by whoever asks."""
    for match in job.hidden:
        _hidden(ask, match)
    if job.kind in ("rejudging", "reading"):
        task = ask.house.jobs.cabinet.task(job)
        assert isinstance(task, Rejudging | Reading)
        ask.house.look(ask.session, task.match, task.viewer)


def _may_see(ask: Ask, job: Job) -> bool:
    try:
        _permit(ask, job)
    except Halt:
        return False
    return True


def show(job: Job) -> answers.ShownJob:
    """How a job stands, with the address of what comes of it."""
    return answers.show(job, f"/api/v1/{ROOMS[job.kind]}/{job.id}")


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
            ask.require(NEEDS[kind], match, closed=isinstance(sight.match.entries[-1], Closed))
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
    # A branch shares what is hidden with its parent, and what is closed is so for all when the delay is over.
    if whole.closed and not whole.opened.parent and ask.house.visible(ANYBODY, whole.entries) == whole.version:
        ask.house.look(ask.session, match)
        return False
    ask.house.look(ask.session, match, JUDGE)
    return True


def _post(kind: Kind) -> Route:
    return Route(
        method="POST", path=f"/api/v1/{ROOMS[kind]}", operation=NEEDS[kind], call=start(kind), body=TASKS[kind],
        answer=answers.ShownJob, status=202, says=f"Ask for a job: {kind}.",
        problems=("unreadable", "unknown", "sealed", "not-your-eyes", "too-many"),
    )  # fmt: skip


def _get(kind: Kind) -> Route:
    return Route(
        method="GET", path=f"/api/v1/{ROOMS[kind]}/{{job:str}}", operation="read_jobs", call=tell(kind),
        answer=ANSWERS[kind], says=f"How a job stands, and what came of it: {kind}.", problems=READING,
    )  # fmt: skip


ROUTES: Final = (
    *(_post(kind) for kind in KINDS),
    *(_get(kind) for kind in KINDS if kind != "regression"),
    Route(
        method="GET", path="/api/v1/jobs", operation="read_jobs", call=page, query=ListQuery, answer=answers.JobPage,
        says="The jobs, the newest first.", problems=("unknown",), paged=True,
    ),
    Route(
        method="GET", path="/api/v1/jobs/{job:str}", operation="read_jobs", call=state, answer=answers.ShownJob,
        says="How a job stands.", problems=READING,
    ),
    Route(
        method="GET", path="/api/v1/jobs/{job:str}/live", operation="read_jobs", call=follow, kind=KIND,
        says="How a job goes on, as server-sent events.", problems=(*READING, "too-many"),
    ),
    Route(
        method="DELETE", path="/api/v1/jobs/{job:str}", operation="run_jobs", also=("run_readings",), call=cancel,
        answer=answers.ShownJob, says="Take a job back.", problems=READING,
    ),
)  # fmt: skip
