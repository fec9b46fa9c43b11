"""What is told of jobs: how they stand, and what came of each. Long lists of reports are told a page at a time."""

from collections.abc import Iterable
from typing import Any

from msgspec import field
from msgspec.structs import asdict, fields

from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.clause import Clause
from domain.words import Message
from regress.approvals import Approval
from regress.counting import ByCause, ByClause, ByValue, Difference, Hole, Report, Reworded
from regress.rejudging import Rejudged
from regress.summary import NO_CLAUSE, First, Flip, Kind as Class, Summary
from service.jobs.doing import Comparing, ReadTwice
from service.jobs.keeping import Job, Kept, State
from service.jobs.tasks import Comparison, Kind, Reading, Regression, Rejudging, Verification
from service.wire import Wire
from verify.verifying import Verified


class ShownJob(Wire, frozen=True):
    """How a job stands: `done` of `all` matches looked at. Times are milliseconds since 1970.

    `again` counts how often it was taken up anew because the service had stopped; `why` says why nothing came of it.
    """

    id: str
    kind: Kind
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


class JobPage(Wire, frozen=True):
    """Jobs, the newest first."""

    jobs: tuple[ShownJob, ...]


class Counted(Wire, frozen=True):
    """A regression counted. `passes`: all that differs is approved, and every match could be read."""

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
    reworded: tuple[Reworded, ...] = ()


class RegressionAnswer(Wire, frozen=True):
    """A regression, and once it is done what came of it, what of that is approved, and which matches one has opened."""

    job: ShownJob
    asked: Regression
    result: Counted | None = None
    approvals: tuple[Kept, ...] = ()
    opened: tuple[str, ...] = ()


class ComparisonAnswer(Wire, frozen=True):
    """A comparison of two readings over many matches."""

    job: ShownJob
    asked: Comparison
    result: Comparing | None = None


class VerificationAnswer(Wire, frozen=True):
    """Laws held against matches played at random."""

    job: ShownJob
    asked: Verification
    result: Verified | None = None


class RejudgingAnswer(Wire, frozen=True):
    """A match under other rules."""

    job: ShownJob
    asked: Rejudging
    result: Rejudged | None = None


class ReadingAnswer(Wire, frozen=True):
    """A match under two readings."""

    job: ShownJob
    asked: Reading
    result: ReadTwice | None = None


class Row(Wire, frozen=True):
    """A match that differs, or cannot be judged: its class, where and by which clause, why, and whether it is approved
    and for which reason. `at` is its place among all that were looked at, from 0."""

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


class Rows(Wire, frozen=True):
    """A page of them, the shortest first."""

    results: tuple[Row, ...]


class Approving(Wire, frozen=True):
    """Matches of this class by this clause for this cause are expected, and why."""

    kind: Class = field(name="class")
    clause: str
    cause: str
    reason: str


class Opening(Wire, frozen=True):
    """A match of a report that somebody has opened."""

    match: str


def show(job: Job, url: str) -> ShownJob:
    """How a job stands."""
    return ShownJob(url=url, **{name: getattr(job, name) for name in ShownJob.__struct_fields__ if name != "url"})


def count(report: Report) -> Counted:
    """A report without its long lists."""
    own: dict[str, Any] = {
        known.name: getattr(report, known.name) for known in fields(Counted) if hasattr(report, known.name)
    }
    own["shortest"] = {kind: tuple(match.name for match in some) for kind, some in report.shortest.items()}
    own["sound"] = Message(report.sound.say("en"), report.sound.say("ja"))
    return Counted(**own)


def row(difference: Difference) -> Row:
    """A difference as it is told."""
    match: Summary = difference.match
    known = {name: value for name, value in asdict(match).items() if name in Row.__struct_fields__}
    return Row(**{**known, "match": match.name, "clause": match.key[1], "approved": difference.approved})


def report_of(counted: Counted, rows: Iterable[Row]) -> Report:
    """The whole report again, of what was counted and all rows: what `count` and `row` made two of."""
    listed = sorted(map(_difference, rows), key=lambda each: each.match.at)
    named = {each.match.name: each.match for each in listed}
    bad = tuple(each.match for each in listed if each.match.kind == "bad")
    differences = tuple(each for each in listed if each.match.kind != "bad")
    own = {known.name: getattr(counted, known.name) for known in fields(Report) if hasattr(counted, known.name)}
    own["shortest"] = {kind: tuple(named[name] for name in names) for kind, names in counted.shortest.items()}
    flips = tuple(each.match for each in differences if each.match.flip is not None)
    return Report(**{**own, "flips": flips, "differences": differences, "bad": bad})


def _difference(told: Row) -> Difference:
    own = {known.name: getattr(told, known.name) for known in fields(Summary) if hasattr(told, known.name)}
    clause = Clause("" if told.clause == NO_CLAUSE else told.clause)
    return Difference(Summary(**{**own, "name": told.match, "clause": clause}), told.approved)
