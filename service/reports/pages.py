"""Pages of regressions: progress, report by class and match, and approval."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from archive.regress.approvals import Approval
from archive.regress.counting import MatchDifference, RegressionReport
from archive.regress.rejudging import judge_again
from archive.regress.summary import DIFFERENCES, KINDS, NO_CLAUSE, Kind as Class, Summary
from domain.games import GAMES
from domain.judging.rejudging.causes import CAUSES, ENGINE, Cause
from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.target import rules_for
from domain.law.law import Law
from domain.words import TextError, say
from projections.rows import Row
from projections.verdicts.board_comparison import BoardComparisonRow, compare_boards
from projections.verdicts.rendering import cause_words, kind_words, render_verdict, value_words
from service.access import may
from service.addresses import MatchUrls, page_url
from service.pages import form_route, page_route, redirect, template_page
from service.problems import HttpProblem, http_problem
from service.reports.job_records import Job, target_of
from service.reports.regress_jobs import (
    approve_differences,
    find_finished_job,
    find_job,
    mark_opened,
    opened_by,
    report_of,
    rows_of,
    unread_matches,
)
from service.requests import Request, Response
from service.sign_in.pages import NoFields

MATCHES_SHOWN: Final = 50
FILES: Final = ("junit.xml", "sarif")


class ApprovalForm(Struct, frozen=True, forbid_unknown_fields=True):
    cause: str = ""
    reason: str = ""


EMPTY_FORM: Final = ApprovalForm()


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    after: str = ""


class JobLine(Struct, frozen=True):
    id: str
    url: str
    rules: str
    state: str
    at: str
    by: str


class CauseCount(Struct, frozen=True):
    key: str
    words: str
    matches: int
    approved: int
    engine: bool


class ClauseCount(Struct, frozen=True):
    clause: str
    says: str
    url: str
    matches: int
    approved: int
    causes: tuple[CauseCount, ...]


class ClassSummary(Struct, frozen=True):
    """A class of the report: the number of matches, the clauses, and the shortest matches."""

    kind: Class
    words: str
    matches: int
    approved: int
    differs: bool
    clauses: tuple[ClauseCount, ...]
    shortest: tuple[tuple[str, str, int, bool], ...]
    """Match, URL, number of entries, and whether the session has opened it."""


def show_job(request: Request, job: Job) -> JobLine:
    rules = target_of(request.context.jobs.files.task(job)).label
    return JobLine(
        job.id,
        page_url(request.lang, "r", job.id),
        rules,
        _state_words(request, job),
        request.time(job.at, "date"),
        job.by,
    )


def _state_words(request: Request, job: Job) -> str:
    return say(f"report.state_{job.state}", request.lang)


def show_report(request: Request, query: object, body: None) -> Response:
    job = find_job(request)
    line = show_job(request, job)
    if job.state != "done":
        why = job.why.say(request.lang) if job.why else ""
        stream = "" if job.over else f"/api/v1/jobs/{job.id}/live"
        return template_page(request, "progress.html", job.id, line.rules, job=job, line=line, why=why, stream=stream)
    report = report_of(request, job)
    return template_page(
        request,
        "report.html",
        job.id,
        line.rules,
        job=job,
        line=line,
        base=report.base or say("regress.own_base", request.lang),
        matches=report.matches,
        entries=report.entries,
        answer=[text.say(request.lang) for text in report.answer],
        passes=report.passes,
        sound=report.soundness.say(request.lang),
        classes=[_summarise_class(request, job, report, kind) for kind in KINDS],
        causes=[(_cause_words(request, row.cause, ""), row.matches, row.cause.kind) for row in report.by_cause],
        approvals=[
            (
                kind_words(row.kind, request.lang),
                row.clause,
                row.cause,
                row.reason,
                row.by,
                request.time(row.at, "date"),
            )
            for row in request.context.jobs.files.approvals(job)
        ],
        values=[_make_value_row(request, row) for row in report.values],
        reworded=[
            (row.clause, row.recorded.say(request.lang), row.rejudged.say(request.lang), row.matches)
            for row in report.reworded
        ],
        files=[
            (name, f"/api/v1/regressions/{job.id}/results.{name}?lang={request.lang}")
            for name in ("junit.xml", "sarif")
        ],
        approver=may(request.session, "approve_changes"),
    )


def _make_value_row(request: Request, row: Any) -> tuple[str, str, str, int]:
    game = GAMES[row.game]
    was = value_words(game, row.key, row.recorded, row.rejudged, request.lang)
    now = value_words(game, row.key, row.rejudged, row.recorded, request.lang)
    return game.rulebook.word(row.key, request.lang), was, now, row.matches


def _summarise_class(request: Request, job: Job, report: RegressionReport, kind: Class) -> ClassSummary:
    clauses = tuple(
        _by_clause(request, job, report, kind, row.clause, row.sentence.say(request.lang))
        for row in report.by_clause
        if row.kind == kind
    )
    opened = opened_by(request, job)
    return ClassSummary(
        kind=kind,
        words=kind_words(kind, request.lang),
        matches=report.by_class[kind],
        approved=sum(row.approved for row in clauses),
        differs=kind in DIFFERENCES,
        clauses=clauses,
        shortest=tuple(
            (match.name, page_url(request.lang, "r", job.id, match.name), match.entries, match.name in opened)
            for match in report.shortest.get(kind, ())
        ),
    )


def _by_clause(
    request: Request, job: Job, report: RegressionReport, kind: Class, clause: str, says: str
) -> ClauseCount:
    rows = [row for row in report.differences if row.match.key == (kind, clause)]
    counted: Counter[Cause] = Counter(cause for row in rows for cause in row.match.causes)
    approved: Counter[Cause] = Counter(cause for row in rows if row.approved for cause in row.match.causes)
    order = sorted(counted, key=lambda cause: (CAUSES.index(cause.kind), -counted[cause], cause.key))
    game = rows[0].match.game if rows else ""
    return ClauseCount(
        clause=clause,
        says=says,
        url=page_url(request.lang, "r", job.id, kind, clause),
        matches=len(rows),
        approved=sum(bool(row.approved) for row in rows),
        causes=tuple(
            CauseCount(
                cause.key, _cause_words(request, cause, game), counted[cause], approved[cause], cause.key == ENGINE.key
            )
            for cause in order
        ),
    )


def _cause_words(request: Request, cause: Cause, game: str) -> str:
    return cause_words(cause, GAMES.get(game), request.lang)


def show_class(request: Request, query: PageQuery, body: None) -> Response:
    return _draw_class(request, query.after)


def approve_cause(request: Request, query: object, body: ApprovalForm) -> Response:
    """Approve the matches of a class by a clause for a cause. An error is shown above the form."""
    job, kind, clause = _read_path(request)
    given = Approval(kind=kind, clause=clause, cause=body.cause, reason=body.reason)
    try:
        approve_differences(request, job, given)
    except HttpProblem as error:
        return replace(_draw_class(request, "", error.problem.says(request.lang), body), status=error.problem.status)
    return redirect(page_url(request.lang, "r", job.id, kind, clause))


def _read_path(request: Request) -> tuple[Job, Class, str]:
    job = find_finished_job(request)
    kind = next((known for known in (*DIFFERENCES, "bad") if known == request.path["which"]), None)
    if kind is None:
        raise http_problem("unknown")
    return job, kind, request.path["clause"]


def _draw_class(request: Request, after: str, wrong: str = "", given: ApprovalForm = EMPTY_FORM) -> Response:
    job, kind, clause = _read_path(request)
    report = report_of(request, job)
    rows = rows_of(report, kind, clause)
    if not rows:
        raise http_problem("unknown")
    names = [row.match.name for row in rows]
    if after and after not in names:
        raise http_problem("unknown")
    remaining = rows[names.index(after) + 1 :] if after else rows
    page_rows = remaining[:MATCHES_SHOWN]
    first = rows[0].match
    unread = unread_matches(report, kind, opened_by(request, job))
    sentence = first.sentence
    return template_page(
        request,
        "report_class.html",
        say("report.of_class", request.lang, report=job.id, kind=kind_words(kind, request.lang), clause=clause),
        job=job,
        kind=kind_words(kind, request.lang),
        clause="" if clause == NO_CLAUSE else clause,
        clause_url=page_url(request.lang, "rules", first.game, clause),
        says=sentence.say(request.lang) if sentence else "",
        twin=sentence.say("en" if request.lang == "ja" else "ja") if sentence else "",
        was=first.was.say(request.lang) if first.was else "",
        row=_by_clause(request, job, report, kind, clause, ""),
        unread=[(name, page_url(request.lang, "r", job.id, name)) for name in unread],
        matches=[_match_line(request, job, row) for row in page_rows],
        more=f"?after={page_rows[-1].match.name}" if len(remaining) > len(page_rows) else "",
        back=page_url(request.lang, "r", job.id),
        here_url=page_url(request.lang, "r", job.id, kind, clause),
        approver=may(request.session, "approve_changes") and kind in DIFFERENCES,
        wrong=wrong,
        given=given,
    )


def _match_line(request: Request, job: Job, row: MatchDifference) -> tuple[str, str, int, int, str]:
    match = row.match
    return match.name, page_url(request.lang, "r", job.id, match.name), match.entries, match.entry, row.approved


def show_match(request: Request, query: object, body: None) -> Response:
    """Show a match of the report: recorded and rejudged, at their first difference."""
    job = find_finished_job(request)
    report = report_of(request, job)
    row = next((row for row in rows_of(report) if row.match.name == request.path["which"]), None)
    if row is None:
        raise http_problem("unknown")
    summary = row.match
    view = request.context.look(request.session, summary.name)
    verdict, lines = _judge(request, job, summary)
    return template_page(
        request,
        "report_match.html",
        say("report.of_match", request.lang, report=job.id, match=summary.name),
        job=job,
        summary=summary,
        kind=kind_words(summary.kind, request.lang),
        problem=summary.problem.say(request.lang) if summary.problem else "",
        causes=[_cause_words(request, cause, summary.game) for cause in summary.causes],
        approved=row.approved,
        verdict=verdict,
        lines=lines,
        moment=MatchUrls(request.lang, summary.name).moment_url(min(summary.entry or 1, view.head)),
        class_url=page_url(request.lang, "r", job.id, *summary.key) if summary.kind in DIFFERENCES else "",
        clause=summary.clause,
        clause_url=page_url(request.lang, "rules", f"{summary.game}@{summary.version}", summary.clause),
        back=page_url(request.lang, "r", job.id),
        opened=summary.name in opened_by(request, job),
        approver=may(request.session, "approve_changes"),
        here_url=page_url(request.lang, "r", job.id, summary.name),
    )


def _judge(request: Request, job: Job, summary: Summary) -> tuple[Sequence[Row], Sequence[BoardComparisonRow]]:
    """Return the verdict and both tables as the session may see them; empty if the match is unreadable."""
    view = request.context.look(request.session, summary.name)
    match, target = view.match, target_of(request.context.jobs.files.task(job))
    if summary.kind == "bad":
        return (), ()
    try:
        law = Law(match.game, rules_for(target, match.game, match.rules))
        judged = judge_again(match, match.id, view.eyes, law, target.label, beside=True)
    except (Unreadable, TextError):
        return (), ()
    both = judged.boards
    lines = compare_boards(both, law, match.opening.schema, request.lang) if both else []
    return render_verdict(judged.verdict, law, request.lang, match.names), lines


def open_match(request: Request, query: object, body: NoFields) -> Response:
    """Open a match of the report, which then counts as read."""
    job = find_finished_job(request)
    mark_opened(request, job, request.path["which"])
    return redirect(page_url(request.lang, "r", job.id, request.path["which"]))


ONE: Final = "/r/{job:str}"
ROUTES: Final = (
    page_route(ONE, show_report, "Show the state or the report of a regression.", "read_jobs"),
    page_route(f"{ONE}/{{which:str}}", show_match, "Show a match of a report, recorded and rejudged.", "read_jobs"),
    form_route(f"{ONE}/{{which:str}}", open_match, "Open a match of a report.", "approve_changes", NoFields),
    page_route(
        f"{ONE}/{{which:str}}/{{clause:str}}",
        show_class,
        "Show a class of a report by a clause.",
        "read_jobs",
        PageQuery,
    ),
    form_route(
        f"{ONE}/{{which:str}}/{{clause:str}}",
        approve_cause,
        "Approve a cause, with a reason.",
        "approve_changes",
        ApprovalForm,
    ),
)
