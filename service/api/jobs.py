"""Jobs: asked for, looked at while they go on, taken back; what comes of each kind has a room of its own address."""

from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta

from domain.words import Text
from service import events, wire
from service.access import may
from service.api.seeing import link_next
from service.asking import Ask, Reply, Route
from service.jobs import answers
from service.jobs.keeping import Job
from service.jobs.taking import NEEDS, find_job, may_see, take_on
from service.jobs.tasks import (
    KINDS,
    TASKS,
    Kind,
    Task,
)
from service.problems import Type, halt
from service.progress import Progress

PAGE, PAGE_MAX = 50, 500
ROOMS: Final[dict[Kind, str]] = {
    "regression": "regressions",
    "comparison": "comparisons",
    "verification": "verifications",
    "rejudging": "rejudgings",
    "reading": "readings",
}
ANSWERS: Final[dict[Kind, Any]] = {
    "comparison": answers.ComparisonAnswer,
    "verification": answers.VerificationAnswer,
    "rejudging": answers.RejudgingAnswer,
    "reading": answers.ReadingAnswer,
}
READING: Final[tuple[Type, ...]] = ("unknown", "sealed", "not-your-eyes")
"""What is said to those who may not see what a job looked at."""


class ListQuery(wire.Wire, frozen=True):
    """Which jobs: of one kind, from behind one on."""

    kind: Kind | None = None
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


def start(kind: Kind) -> Callable[[Ask, object, Any], Reply]:
    """What takes a job of this kind on."""

    def call(ask: Ask, query: object, body: Task) -> Reply:
        shown = show(take_on(ask, kind, body))
        return Reply(shown, 202, {"Location": shown.url})

    return call


def page(ask: Ask, query: ListQuery, body: None) -> Reply:
    """Jobs whose results whoever asks may see, the newest first."""
    jobs = [job for job in ask.house.jobs.all() if query.kind in (None, job.kind) and may_see(ask, job)]
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
    return Reply(show(find_job(ask)))


def follow(ask: Ask, query: object, body: None) -> Reply:
    """Follow a job until it is over."""
    find_job(ask)
    return Reply(Progress(ask.session.number, lambda: show(find_job(ask))), kind=events.KIND)


def cancel(ask: Ask, query: object, body: None) -> Reply:
    """Take a job back; one that is over stays as it is."""
    job = find_job(ask)
    if job.number != ask.session.number and not may(ask.session, "run_jobs"):
        raise halt("no-authority")
    ask.house.jobs.cancel(job.id)
    return Reply(show(find_job(ask)))


def tell(kind: Kind) -> Callable[[Ask, object, None], Reply]:
    """What tells what came of a job of this kind."""

    def call(ask: Ask, query: object, body: None) -> Reply:
        job = find_job(ask, kind)
        cabinet = ask.house.jobs.cabinet
        result = cabinet.result(job) if job.state == "done" else None
        return Reply(ANSWERS[kind](job=show(job), asked=cabinet.task(job), result=result))

    return call


def show(job: Job) -> answers.ShownJob:
    """How a job stands, with the address of what comes of it."""
    return answers.show(job, f"/api/v1/{ROOMS[job.kind]}/{job.id}")


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
        method="GET", path="/api/v1/jobs/{job:str}/live", operation="read_jobs", call=follow, kind=events.KIND,
        says="How a job goes on, as server-sent events.", problems=(*READING, "too-many"),
    ),
    Route(
        method="DELETE", path="/api/v1/jobs/{job:str}", operation="run_jobs", also=("run_readings",), call=cancel,
        answer=answers.ShownJob, says="Take a job back.", problems=READING,
    ),
)  # fmt: skip
