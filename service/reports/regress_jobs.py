"""Start a rule change, read its report, and approve differences after reading the shortest ones."""

from collections.abc import Sequence
from typing import Final

from archive.regress.approvals import Approval
from archive.regress.counting import BY_SIZE, MatchDifference, RegressionReport, approve
from archive.regress.summary import Kind as Class
from domain.games import GAMES
from domain.judging.rejudging.causes import ENGINE
from domain.judging.rejudging.target import RulesTarget, games_of, rules_for
from domain.law.rulesets import RulesetError
from domain.words import Text, listed
from projections.viewing import is_over
from recorder.finding import index_queries
from recorder.laws import law_of
from recorder.store import Store
from recorder.troubles import StoreError
from service.access import ANONYMOUS
from service.context import AppContext
from service.problems import busy, http_problem
from service.reports.job_records import Job, Regression, StoredApproval, base_of, target_of
from service.reports.job_runner import Crowded
from service.requests import Request

READ_FIRST: Final = 3
"""Matches of a class, the shortest ones, to open before any of the class can be approved."""


def start_job(request: Request, task: Regression, *, must_change: bool = False) -> Job:
    """Queue a rule change. `must_change` refuses rules that every match has already. Raises HttpProblem if it cannot
    succeed or too many are queued. Raises RulesetError or FormatError."""
    jobs = request.context.jobs
    if not jobs.has_store_file:
        raise http_problem("store-unavailable", Text("job.in_memory"))
    target, base = target_of(task), base_of(task)
    games = games_of(target, GAMES)
    matches = _matches_of(request, task, games)
    if not matches:
        titles = listed(GAMES[game].rulebook.title.en for game in games)
        raise http_problem("unreadable", Text("job.nothing", {"games": titles}))
    if must_change and not any(_is_changed(request.context.store, match, target, base) for match in matches):
        raise http_problem("unreadable", Text("job.no_change", {"n": len(matches)}))
    try:
        return jobs.add(task, matches, request.session.name, request.session.number)
    except Crowded:
        raise busy("too-many", text=Text("job.crowded")) from None
    except OSError:
        raise http_problem("store-unavailable") from None


def visible_until(context: AppContext) -> int | None:
    """Return the time up to which records are public, in milliseconds; None without a delay."""
    return context.clock() - context.settings.delay if context.settings.delay else None


def _is_changed(store: Store, match: str, target: RulesTarget, base: RulesTarget | None) -> bool:
    """True if the new rules differ from those a match is compared with, or if that is unknown."""
    try:
        law = law_of(store.read(match, upto=1)[0])
        if isinstance(law, Text):
            return True
        before = law.rules if base is None else rules_for(base, law.game, law.rules)
        return bool(rules_for(target, law.game, law.rules) != before)
    except (RulesetError, StoreError):
        return True


def _matches_of(request: Request, task: Regression, games: Sequence[str]) -> tuple[str, ...]:
    """Return the named matches, or all that are closed. Reports are public, so an open match is refused."""
    context = request.context
    if not task.matches:
        context.search_index.catch_up()
        return tuple(index_queries.list_archived(context.search_index, visible_until(context), games))
    for match in task.matches:
        record = context.match(match)
        # With a delay, a match is over for spectators only when the delay has passed.
        if not is_over(record.entries) or context.count_visible(ANONYMOUS, record.entries) < record.version:
            raise http_problem("not-your-eyes")
    return tuple(dict.fromkeys(task.matches))


def find_job(request: Request) -> Job:
    """Return the job in the path. Raises HttpProblem if there is none."""
    job = request.context.jobs.job(request.path["job"])
    if job is None:
        raise http_problem("unknown", Text("job.none"))
    return job


def find_finished_job(request: Request) -> Job:
    """Return the finished job in the path. Raises HttpProblem until it is done."""
    job = find_job(request)
    if job.state != "done":
        raise http_problem("unknown", Text("job.not_done"))
    return job


def report_of(request: Request, job: Job) -> RegressionReport:
    """Return the report of a job that is done, with its approvals applied."""
    files = request.context.jobs.files
    return approve(files.result(job), files.approvals(job))


def rows_of(
    report: RegressionReport, kind: Class | None = None, clause: str = "", cause: str = "", approved: bool | None = None
) -> list[MatchDifference]:
    """Return the matching differences and unreadable matches, the shortest first."""

    def is_wanted(row: MatchDifference) -> bool:
        row_kind, row_clause = row.match.key
        return (
            kind in (None, row_kind)
            and clause in ("", row_clause)
            and (not cause or cause in (each.key for each in row.match.causes))
            and approved in (None, bool(row.approved))
        )

    rows = sorted((*report.differences, *map(MatchDifference, report.bad)), key=lambda row: BY_SIZE(row.match))
    return list(filter(is_wanted, rows))


def mark_opened(request: Request, job: Job, match: str) -> None:
    if match not in job.matches:
        raise http_problem("unknown", Text("problem.no_match"))
    jobs = request.context.jobs
    with jobs.filing:
        openings = jobs.files.openings(job)
        own_openings = openings.get(request.session.number, ())
        if match not in own_openings:
            jobs.files.save_openings(job, {**openings, request.session.number: (*own_openings, match)})


def opened_by(request: Request, job: Job) -> tuple[str, ...]:
    """Return the matches of the report that the caller has opened."""
    return request.context.jobs.files.openings(job).get(request.session.number, ())


def unread_matches(report: RegressionReport, kind: str, opened: tuple[str, ...]) -> list[str]:
    """Return the matches of a class to open before any of it can be approved."""
    first = [match.name for known, some in report.shortest.items() if known == kind for match in some[:READ_FIRST]]
    return [name for name in first if name not in opened]


def approve_differences(request: Request, job: Job, asked_approval: Approval) -> StoredApproval:
    """Approve differences by class, clause and cause. Raises HttpProblem if that is not allowed, or not yet."""
    jobs = request.context.jobs
    report = jobs.files.result(job)
    if asked_approval.cause == ENGINE.key:
        raise http_problem("not-allowed", Text("job.engine"))
    if not asked_approval.reason.strip():
        raise http_problem("unreadable", Text("job.no_reason"))
    if not asked_approval.cause or not any(asked_approval.covers(row.match) for row in report.differences):
        named = {"kind": asked_approval.kind, "clause": asked_approval.clause, "cause": asked_approval.cause}
        raise http_problem("unreadable", Text("job.no_difference", named))
    with jobs.filing:
        if unread := unread_matches(report, asked_approval.kind, opened_by(request, job)):
            raise http_problem("precondition-required", Text("job.unread", {"matches": listed(unread)}))
        approval = StoredApproval(**_fields(asked_approval), by=request.session.name, at=request.context.clock())
        others = (row for row in jobs.files.approvals(job) if _key_of(row) != _key_of(approval))
        jobs.files.save_approvals(job, (*others, approval))
    return approval


def _fields(approval: Approval) -> dict[str, str]:
    return {name: getattr(approval, name) for name in approval.__struct_fields__}


def _key_of(approval: Approval) -> tuple[str, str, str]:
    return approval.kind, approval.clause, approval.cause
