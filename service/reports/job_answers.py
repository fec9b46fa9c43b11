"""JSON responses about rule changes. Long lists of matches are paged."""

from collections.abc import Iterable
from typing import Any

from msgspec import field
from msgspec.structs import asdict, fields

from archive.regress.approvals import Approval
from archive.regress.counting import ByCause, ByClause, ByValue, Hole, MatchDifference, RegressionReport, RewordedClause
from archive.regress.summary import NO_CLAUSE, First, Flip, Kind as Class, Summary
from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.clause import Clause
from domain.words import Message
from recorder.usecases.commands import Payload
from service.reports.job_records import Job, Regression, State, StoredApproval


class ShownJob(Payload, frozen=True):
    """The state of a job: `done` of `all` matches are counted. Times are milliseconds since 1970. `again` counts
    restarts after the service had stopped. `why` is the reason of a failure."""

    id: str
    state: State
    url: str
    by: str = ""
    done: int = 0
    all: int = 0
    at: int = 0
    begun: int = 0
    ended: int = 0
    again: int = 0
    why: Message | None = None


class JobPage(Payload, frozen=True):
    """Jobs, the newest first."""

    jobs: tuple[ShownJob, ...]


class Counted(Payload, frozen=True):
    """A report without its lists of matches. `passes`: all differences are approved and all matches are readable."""

    rules: str
    base: str
    matches: int
    entries: int
    passed: int
    passes: bool
    sound: Message
    by_class: dict[Class, int]
    by_clause: tuple[ByClause, ...]
    by_cause: tuple[ByCause, ...]
    shortest: dict[Class, tuple[str, ...]]
    holes: tuple[Hole, ...]
    unapproved: int
    unused_approvals: tuple[Approval, ...]
    digest: str = ""
    versions: dict[str, int] = field(default_factory=dict)
    values: tuple[ByValue, ...] = ()
    reworded: tuple[RewordedClause, ...] = ()


class RegressionAnswer(Payload, frozen=True):
    """A rule change: its job and request; when done, also the result, the approvals, and matches the caller opened."""

    job: ShownJob
    asked: Regression
    result: Counted | None = None
    approvals: tuple[StoredApproval, ...] = ()
    opened: tuple[str, ...] = ()


class DifferenceRow(Payload, frozen=True):
    """A match that differs or cannot be judged: its class, first difference, clause, causes and the approval's reason.
    `at` is its place among all matches of the run, from 0."""

    match: str
    kind: Class = field(name="class")
    at: int = 0
    game: str = ""
    version: str = ""
    digest: str = ""
    entries: int = 0
    entry: int = 0
    clause: str = NO_CLAUSE
    approved: str = ""
    why: str = ""
    under: VerdictKind | None = None
    causes: tuple[Cause, ...] = ()
    flip: Flip | None = None
    sentence: Message | None = None
    was: Message | None = None
    first: First | None = None
    verb: str = ""
    problem: Message | None = None


class DifferencePage(Payload, frozen=True):
    """A page of matches, the shortest first."""

    results: tuple[DifferenceRow, ...]


class Approving(Payload, frozen=True):
    """Approve the matches of a class by a clause for a cause, with a reason."""

    kind: Class = field(name="class")
    clause: str
    cause: str
    reason: str


class ReportMatchLink(Payload, frozen=True):
    """A match of a report that the caller has opened."""

    match: str


def show(job: Job) -> ShownJob:
    """Return the state of a job with the URL of its report."""
    values = {name: getattr(job, name) for name in ShownJob.__struct_fields__ if name != "url"}
    return ShownJob(url=f"/api/v1/regressions/{job.id}", **values)


def count(report: RegressionReport) -> Counted:
    values: dict[str, Any] = {
        known.name: getattr(report, known.name) for known in fields(Counted) if hasattr(report, known.name)
    }
    values["shortest"] = {kind: tuple(match.name for match in some) for kind, some in report.shortest.items()}
    values["sound"] = Message(report.soundness.say("en"), report.soundness.say("ja"))
    return Counted(**values)


def row(difference: MatchDifference) -> DifferenceRow:
    match: Summary = difference.match
    known = {name: value for name, value in asdict(match).items() if name in DifferenceRow.__struct_fields__}
    return DifferenceRow(**{**known, "match": match.name, "clause": match.key[1], "approved": difference.approved})


def report_of(counted: Counted, rows: Iterable[DifferenceRow]) -> RegressionReport:
    """Return the report that `count` and `row` split in two."""
    listed = sorted(map(_make_difference, rows), key=lambda each: each.match.at)
    by_name = {each.match.name: each.match for each in listed}
    bad = tuple(each.match for each in listed if each.match.kind == "bad")
    differences = tuple(each for each in listed if each.match.kind != "bad")
    report_values = {
        known.name: getattr(counted, known.name) for known in fields(RegressionReport) if hasattr(counted, known.name)
    }
    report_values["shortest"] = {
        kind: tuple(by_name[name] for name in names) for kind, names in counted.shortest.items()
    }
    flips = tuple(each.match for each in differences if each.match.flip is not None)
    return RegressionReport(**{**report_values, "flips": flips, "differences": differences, "bad": bad})


def _make_difference(row: DifferenceRow) -> MatchDifference:
    values = {known.name: getattr(row, known.name) for known in fields(Summary) if hasattr(row, known.name)}
    clause = Clause("" if row.clause == NO_CLAUSE else row.clause)
    return MatchDifference(Summary(**{**values, "name": row.match, "clause": clause}), row.approved)
