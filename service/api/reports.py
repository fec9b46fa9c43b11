"""What came of a regression: counted, match by match, as files for other programs, and what of it is expected."""

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta, field

from domain.words import Lang, Text
from regress.approvals import Approval
from regress.counting import Report
from regress.formats import to_junit, to_sarif
from regress.summary import Kind as Class
from service import wire
from service.api.jobs import PAGE, PAGE_MAX, READING, show
from service.api.seeing import link_next
from service.asking import Ask, Reply, Route
from service.jobs import answers
from service.jobs.keeping import Kept
from service.jobs.reporting import approve_some, find_done, mark_opened, opened_by, report_of, rows_of
from service.jobs.taking import find_job
from service.jobs.tasks import Regression
from service.problems import halt

ROOM: Final = "/api/v1/regressions/{job:str}"
JUNIT, SARIF = "application/xml", "application/sarif+json"


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
    job = find_job(ask, "regression")
    cabinet = ask.house.jobs.cabinet
    done, task = job.state == "done", cabinet.task(job)
    assert isinstance(task, Regression)
    answer = answers.RegressionAnswer(
        job=show(job),
        asked=task,
        result=answers.count(report_of(ask, job)) if done else None,
        approvals=cabinet.approvals(job),
        opened=opened_by(ask, job),
    )
    return Reply(answer)


def results(ask: Ask, query: ResultsQuery, body: None) -> Reply:
    """The matches that differ or cannot be judged, the shortest first."""
    report = report_of(ask, find_done(ask))
    rows = rows_of(report, query.kind, query.clause, query.cause, query.approved)
    names = [row.match.name for row in rows]
    if query.after:
        if query.after not in names:
            raise halt("unknown", Text("problem.no_match"))
        rows = rows[names.index(query.after) + 1 :]
    some = rows[: query.limit]
    headers = link_next(ask, query, after=some[-1].match.name) if len(rows) > len(some) else {}
    return Reply(answers.Rows(results=tuple(map(answers.row, some))), headers=headers)


def file(write: Callable[[Report, Lang], bytes], kind: str) -> Callable[[Ask, FileQuery, None], Reply]:
    """What writes a report for other programs."""

    def call(ask: Ask, query: FileQuery, body: None) -> Reply:
        job = find_done(ask)
        return Reply(write(report_of(ask, job), query.lang), kind=kind)

    return call


def open_match(ask: Ask, query: object, body: answers.Opening) -> Reply:
    """Say that one has opened a match of the report."""
    mark_opened(ask, find_done(ask), body.match)
    return Reply(body, 201)


def expect(ask: Ask, query: object, body: answers.Approving) -> Reply:
    """Approve what differs by class, clause and cause. There is no way to approve all of it."""
    given = Approval(kind=body.kind, clause=body.clause, cause=body.cause, reason=body.reason)
    return Reply(approve_some(ask, find_done(ask), given), 201)


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
