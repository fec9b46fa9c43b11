"""API of rule changes: start a job, follow and cancel it, read the report, and approve differences."""

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta, field

from archive.regress.approvals import Approval
from archive.regress.counting import RegressionReport
from archive.regress.formats import to_junit, to_sarif
from archive.regress.summary import Kind as Class
from domain.words import Lang, Text
from recorder.usecases.commands import Payload
from service.api import link_next
from service.live import event_stream
from service.problems import Type, http_problem
from service.reports import job_answers
from service.reports.job_progress import Progress
from service.reports.job_records import Regression, StoredApproval
from service.reports.regress_jobs import (
    approve_differences,
    find_finished_job,
    find_job,
    mark_opened,
    opened_by,
    report_of,
    rows_of,
    start_job,
)
from service.requests import Request, Response, Route

ROOT: Final = "/api/v1/regressions"
ONE: Final = f"{ROOT}/{{job:str}}"
JOBS: Final = "/api/v1/jobs"
JUNIT, SARIF = "application/xml", "application/sarif+json"
PAGE, PAGE_MAX = 50, 500
READING: Final[tuple[Type, ...]] = ("unknown",)


class ListQuery(Payload, frozen=True):
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


class ResultsQuery(Payload, frozen=True):
    kind: Class | None = field(name="class", default=None)
    clause: str = ""
    cause: str = ""
    approved: bool | None = None
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


class FileQuery(Payload, frozen=True):
    lang: Lang = "en"


def start_regression(request: Request, query: object, body: Regression) -> Response:
    shown = job_answers.show(start_job(request, body))
    return Response(shown, 202, {"Location": shown.url})


def list_jobs(request: Request, query: ListQuery, body: None) -> Response:
    jobs = request.context.jobs.all()
    if query.after:
        ids = [job.id for job in jobs]
        if query.after not in ids:
            raise http_problem("unknown", Text("job.none"))
        jobs = jobs[ids.index(query.after) + 1 :]
    page_jobs = jobs[: query.limit]
    headers = link_next(request, query, after=page_jobs[-1].id) if len(jobs) > len(page_jobs) else {}
    return Response(job_answers.JobPage(jobs=tuple(map(job_answers.show, page_jobs))), headers=headers)


def show_state(request: Request, query: object, body: None) -> Response:
    return Response(job_answers.show(find_job(request)))


def follow_job(request: Request, query: object, body: None) -> Response:
    find_job(request)
    return Response(
        Progress(request.session.number, lambda: job_answers.show(find_job(request))), kind=event_stream.KIND
    )


def cancel_job(request: Request, query: object, body: None) -> Response:
    """Cancel a job. A finished job stays as it is."""
    request.context.jobs.cancel(find_job(request).id)
    return Response(job_answers.show(find_job(request)))


def show_regression(request: Request, query: object, body: None) -> Response:
    """Show a rule change, with its report when it is done."""
    job = find_job(request)
    files = request.context.jobs.files
    answer = job_answers.RegressionAnswer(
        job=job_answers.show(job),
        asked=files.task(job),
        result=job_answers.count(report_of(request, job)) if job.state == "done" else None,
        approvals=files.approvals(job),
        opened=opened_by(request, job),
    )
    return Response(answer)


def list_differences(request: Request, query: ResultsQuery, body: None) -> Response:
    """List the matches that differ or cannot be judged, the shortest first."""
    report = report_of(request, find_finished_job(request))
    rows = rows_of(report, query.kind, query.clause, query.cause, query.approved)
    names = [row.match.name for row in rows]
    if query.after:
        if query.after not in names:
            raise http_problem("unknown", Text("problem.no_match"))
        rows = rows[names.index(query.after) + 1 :]
    page_rows = rows[: query.limit]
    headers = link_next(request, query, after=page_rows[-1].match.name) if len(rows) > len(page_rows) else {}
    return Response(job_answers.DifferencePage(results=tuple(map(job_answers.row, page_rows))), headers=headers)


def make_file_call(
    write: Callable[[RegressionReport, Lang], bytes], kind: str
) -> Callable[[Request, FileQuery, None], Response]:
    def call(request: Request, query: FileQuery, body: None) -> Response:
        job = find_finished_job(request)
        return Response(write(report_of(request, job), query.lang), kind=kind)

    return call


def open_match(request: Request, query: object, body: job_answers.ReportMatchLink) -> Response:
    mark_opened(request, find_finished_job(request), body.match)
    return Response(body, 201)


def post_approvals(request: Request, query: object, body: job_answers.Approving) -> Response:
    given = Approval(kind=body.kind, clause=body.clause, cause=body.cause, reason=body.reason)
    return Response(approve_differences(request, find_finished_job(request), given), 201)


ROUTES: Final = (
    Route(
        method="GET", path=JOBS, operation="read_jobs", call=list_jobs, query=ListQuery, answer=job_answers.JobPage,
        says="List the jobs, the newest first.", problems=READING, paged=True,
    ),
    Route(
        method="GET", path=f"{JOBS}/{{job:str}}", operation="read_jobs", call=show_state, answer=job_answers.ShownJob,
        says="Show the state of a job.", problems=READING,
    ),
    Route(
        method="GET", path=f"{JOBS}/{{job:str}}/live", operation="read_jobs", call=follow_job, kind=event_stream.KIND,
        says="Stream the progress of a job as server-sent events.", problems=(*READING, "too-many"),
    ),
    Route(
        method="DELETE", path=f"{JOBS}/{{job:str}}", operation="run_jobs", call=cancel_job, answer=job_answers.ShownJob,
        says="Cancel a job.", problems=READING,
    ),
    Route(
        method="POST", path=ROOT, operation="run_jobs", call=start_regression, body=Regression,
        answer=job_answers.ShownJob, status=202, says="Start a rule change over closed matches.",
        problems=("unreadable", "unknown", "not-your-eyes", "too-many"),
    ),
    Route(
        method="GET", path=ONE, operation="read_jobs", call=show_regression, answer=job_answers.RegressionAnswer,
        problems=READING,
        says="Show the state of a regression, and its report when it is done.",
    ),
    Route(
        method="GET", path=f"{ONE}/results", operation="read_jobs", call=list_differences, query=ResultsQuery,
        answer=job_answers.DifferencePage, problems=READING, paged=True,
        says="List the matches that differ, the shortest first.",
    ),
    Route(
        method="GET", path=f"{ONE}/results.junit.xml", operation="read_jobs", call=make_file_call(to_junit, JUNIT),
        query=FileQuery, kind=JUNIT, problems=READING, says="Return the report as JUnit XML.",
    ),
    Route(
        method="GET", path=f"{ONE}/results.sarif", operation="read_jobs", call=make_file_call(to_sarif, SARIF),
        query=FileQuery, kind=SARIF, problems=READING, says="Return the report as SARIF 2.1.0.",
    ),
    Route(
        method="POST", path=f"{ONE}/openings", operation="approve_changes", call=open_match,
        body=job_answers.ReportMatchLink,
        answer=job_answers.ReportMatchLink, status=201, problems=READING,
        says="Record that a match of the report was opened.",
    ),
    Route(
        method="POST", path=f"{ONE}/approvals", operation="approve_changes", call=post_approvals,
        body=job_answers.Approving, answer=StoredApproval, status=201,
        problems=(*READING, "not-allowed", "precondition-required"),
        says="Approve differences by class, clause and cause, with a reason.",
    ),
)  # fmt: skip
