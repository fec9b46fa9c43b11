"""What came of a regression, held against what is approved of it; and approvals, which are earned by reading."""

from typing import Final

from domain.judging.rejudging.causes import ENGINE
from domain.words import Text, listed
from regress.approvals import Approval
from regress.counting import BY_SIZE, Difference, Report, approve
from regress.summary import Kind as Class
from service.asking import Ask
from service.jobs.keeping import Job, Kept
from service.jobs.taking import find_job
from service.problems import halt

READ_FIRST: Final = 3
"""So many of the shortest matches of a class are opened before any of it is approved."""


def find_done(ask: Ask) -> Job:
    """The regression that the path names. Halts until it is done."""
    job = find_job(ask, "regression")
    if job.state != "done":
        raise halt("unknown", Text("job.not_done"))
    return job


def report_of(ask: Ask, job: Job) -> Report:
    """What came of a regression, and what of it is approved by now."""
    cabinet = ask.house.jobs.cabinet
    return approve(cabinet.result(job), cabinet.approvals(job))


def rows_of(
    report: Report, kind: Class | None = None, clause: str = "", cause: str = "", approved: bool | None = None
) -> list[Difference]:
    """The matches that differ or cannot be judged, the shortest first, as far as they are asked for."""

    def is_asked(row: Difference) -> bool:
        own, by = row.match.key
        return (
            kind in (None, own)
            and clause in ("", by)
            and (not cause or cause in (each.key for each in row.match.causes))
            and approved in (None, bool(row.approved))
        )

    rows = sorted((*report.differences, *map(Difference, report.bad)), key=lambda row: BY_SIZE(row.match))
    return list(filter(is_asked, rows))


def mark_opened(ask: Ask, job: Job, match: str) -> None:
    """Keep that whoever asks has opened a match of the report."""
    if match not in job.matches:
        raise halt("unknown", Text("problem.no_match"))
    jobs = ask.house.jobs
    with jobs.filing:
        openings = jobs.cabinet.openings(job)
        mine = openings.get(ask.session.number, ())
        if match not in mine:
            jobs.cabinet.open(job, {**openings, ask.session.number: (*mine, match)})


def opened_by(ask: Ask, job: Job) -> tuple[str, ...]:
    """The matches of the report that whoever asks has opened."""
    return ask.house.jobs.cabinet.openings(job).get(ask.session.number, ())


def to_read(report: Report, kind: str, opened: tuple[str, ...]) -> list[str]:
    """The matches of a class that are still to be opened before any of it is approved."""
    first = [match.name for known, some in report.shortest.items() if known == kind for match in some[:READ_FIRST]]
    return [name for name in first if name not in opened]


def approve_some(ask: Ask, job: Job, given: Approval) -> Kept:
    """Approve what differs by class, clause and cause. Halts where that may not be, or not yet."""
    jobs = ask.house.jobs
    report = jobs.cabinet.result(job)
    if given.cause == ENGINE.key:
        raise halt("not-allowed", Text("job.engine"))
    if not given.reason.strip():
        raise halt("unreadable", Text("job.no_reason"))
    if not given.cause or not any(given.covers(row.match) for row in report.differences):
        named = {"kind": given.kind, "clause": given.clause, "cause": given.cause}
        raise halt("unreadable", Text("job.no_difference", named))
    with jobs.filing:
        if unread := to_read(report, given.kind, opened_by(ask, job)):
            raise halt("precondition-required", Text("job.unread", {"matches": listed(unread)}))
        kept = Kept(**_fields(given), by=ask.session.name, at=ask.house.clock())
        others = (row for row in jobs.cabinet.approvals(job) if _of(row) != _of(kept))
        jobs.cabinet.approve(job, (*others, kept))
    return kept


def _fields(given: Approval) -> dict[str, str]:
    return {name: getattr(given, name) for name in given.__struct_fields__}


def _of(given: Approval) -> tuple[str, str, str]:
    return given.kind, given.clause, given.cause
