"""What came of a regression: counted, match by match, as files for other programs, and what of it is expected."""

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta, field

from domain.judging.rejudging.causes import ENGINE
from domain.words import Lang, Text, listed
from regress.approvals import Approval
from regress.counting import BY_SIZE, Difference, Report, approve
from regress.formats import to_junit, to_sarif
from regress.summary import Kind as Class
from service import wire
from service.api.jobs import PAGE, PAGE_MAX, READING, find, show
from service.api.seeing import link_next
from service.asking import Ask, Reply, Route
from service.jobs import answers
from service.jobs.keeping import Job, Kept
from service.jobs.tasks import Regression
from service.problems import halt

ROOM: Final = "/api/v1/regressions/{job:str}"
JUNIT, SARIF = "application/xml", "application/sarif+json"
READ_FIRST: Final = 3
"""So many of the shortest matches of a class are opened before any of it is approved."""


class ResultsQuery(wire.Wire, frozen=True):
    """Which matches: of a class, by a clause, for a cause, approved or not; from behind one on."""

    kind: Class | None = field(name="class", default=None)
    clause: str = ""
    cause: str = ""
    approved: bool | None = None
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


class FileQuery(wire.Wire, frozen=True):
    """In which language."""

    lang: Lang = "en"


def tell(ask: Ask, query: object, body: None) -> Reply:
    """A regression counted, and what of it is approved."""
    job = find(ask, "regression")
    cabinet = ask.house.jobs.cabinet
    done, task = job.state == "done", cabinet.task(job)
    assert isinstance(task, Regression)
    answer = answers.RegressionAnswer(
        job=show(job),
        asked=task,
        result=answers.count(_report(ask, job)) if done else None,
        approvals=cabinet.approvals(job),
        opened=cabinet.openings(job).get(ask.session.number, ()),
    )
    return Reply(answer)


def results(ask: Ask, query: ResultsQuery, body: None) -> Reply:
    """The matches that differ or cannot be judged, the shortest first."""
    report = _report(ask, _done(ask))
    rows = [
        row
        for row in sorted((*report.differences, *map(Difference, report.bad)), key=lambda row: BY_SIZE(row.match))
        if _is_asked(query, row)
    ]
    names = [row.match.name for row in rows]
    if query.after:
        if query.after not in names:
            raise halt("unknown", Text("problem.no_match"))
        rows = rows[names.index(query.after) + 1 :]
    some = rows[: query.limit]
    headers = link_next(ask, query, after=some[-1].match.name) if len(rows) > len(some) else {}
    return Reply(answers.Rows(results=tuple(map(answers.row, some))), headers=headers)


def _is_asked(query: ResultsQuery, row: Difference) -> bool:
    kind, clause = row.match.key
    return (
        query.kind in (None, kind)
        and query.clause in ("", clause)
        and (not query.cause or query.cause in (cause.key for cause in row.match.causes))
        and query.approved in (None, bool(row.approved))
    )


def file(write: Callable[[Report, Lang], bytes], kind: str) -> Callable[[Ask, FileQuery, None], Reply]:
    """What writes a report for other programs."""

    def call(ask: Ask, query: FileQuery, body: None) -> Reply:
        job = _done(ask)
        return Reply(write(_report(ask, job), query.lang), kind=kind)

    return call


def open_match(ask: Ask, query: object, body: answers.Opening) -> Reply:
    """Say that one has opened a match of the report."""
    job = _done(ask)
    if body.match not in job.matches:
        raise halt("unknown", Text("problem.no_match"))
    jobs = ask.house.jobs
    with jobs.filing:
        openings = jobs.cabinet.openings(job)
        mine = openings.get(ask.session.number, ())
        if body.match not in mine:
            jobs.cabinet.open(job, {**openings, ask.session.number: (*mine, body.match)})
    return Reply(body, 201)


def expect(ask: Ask, query: object, body: answers.Approving) -> Reply:
    """Approve what differs by class, clause and cause. There is no way to approve all of it."""
    job = _done(ask)
    jobs = ask.house.jobs
    report = jobs.cabinet.result(job)
    if body.cause == ENGINE.key:
        raise halt("not-allowed", Text("job.engine"))
    if not body.reason.strip():
        raise halt("unreadable", Text("job.no_reason"))
    given = Approval(kind=body.kind, clause=body.clause, cause=body.cause, reason=body.reason)
    if not body.cause or not any(given.covers(row.match) for row in report.differences):
        named = {"kind": body.kind, "clause": body.clause, "cause": body.cause}
        raise halt("unreadable", Text("job.no_difference", named))
    with jobs.filing:
        read = jobs.cabinet.openings(job).get(ask.session.number, ())
        first = [match.name for match in report.shortest[body.kind][:READ_FIRST]]
        if unread := [name for name in first if name not in read]:
            raise halt("precondition-required", Text("job.unread", {"matches": listed(unread)}))
        kept = Kept(**_fields(given), by=ask.session.name, at=ask.house.clock())
        others = (row for row in jobs.cabinet.approvals(job) if _of(row) != _of(kept))
        jobs.cabinet.approve(job, (*others, kept))
    return Reply(kept, 201)


def _fields(given: Approval) -> dict[str, str]:
    return {name: getattr(given, name) for name in given.__struct_fields__}


def _of(given: Approval) -> tuple[str, str, str]:
    return given.kind, given.clause, given.cause


def _done(ask: Ask) -> Job:
    job = find(ask, "regression")
    if job.state != "done":
        raise halt("unknown", Text("job.not_done"))
    return job


def _report(ask: Ask, job: Job) -> Report:
    cabinet = ask.house.jobs.cabinet
    return approve(cabinet.result(job), cabinet.approvals(job))


ROUTES: Final = (
    Route(
        method="GET", path=ROOM, operation="read_jobs", call=tell, answer=answers.RegressionAnswer, problems=READING,
        says="How a regression stands, and what came of it.",
    ),
    Route(
        method="GET", path=f"{ROOM}/results", operation="read_jobs", call=results, query=ResultsQuery,
        answer=answers.Rows, problems=READING, says="The matches that differ, the shortest first.", paged=True,
    ),
    Route(
        method="GET", path=f"{ROOM}/results.junit.xml", operation="read_jobs", call=file(to_junit, JUNIT),
        query=FileQuery, kind=JUNIT, problems=READING, says="The same as JUnit XML.",
    ),
    Route(
        method="GET", path=f"{ROOM}/results.sarif", operation="read_jobs", call=file(to_sarif, SARIF),
        query=FileQuery, kind=SARIF, problems=READING, says="The same as SARIF 2.1.0.",
    ),
    Route(
        method="POST", path=f"{ROOM}/openings", operation="approve_changes", call=open_match, body=answers.Opening,
        answer=answers.Opening, status=201, problems=READING, says="Say that one has opened a match of the report.",
    ),
    Route(
        method="POST", path=f"{ROOM}/approvals", operation="approve_changes", call=expect, body=answers.Approving,
        answer=Kept, status=201, problems=(*READING, "not-allowed", "precondition-required"),
        says="Approve what differs by class, clause and cause, for a reason.",
    ),
)  # fmt: skip
