"""Aggregate summaries into a report. Identical matches are only counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from archive.regress.approvals import Approval, approval_of
from archive.regress.summary import DIFFERENCES, KINDS, Kind, Summary, Task, Value
from domain.games import GAMES
from domain.judging.rejudging.causes import CAUSES, Cause, CauseKind
from domain.law.clause import Clause
from domain.words import Message, Text

NOTHING = Message("", "")
Under = tuple[str, tuple[Value, ...]]
"""A game, and the values that change in the rules of some matches."""
BY_SIZE = attrgetter("entries", "entry", "at")
"""Sort key: shortest first, then earliest difference, then position in the corpus."""
SHORTEST = 5


class ByClause(Struct, frozen=True):
    """Counts of a class of matches by a clause, with the approved ones and the clause's text."""

    kind: Kind
    clause: str
    matches: int
    approved: int
    sentence: Message


class ByCause(Struct, frozen=True):
    """The number of matches that differ for a cause. A match with several causes counts for each."""

    cause: Cause
    matches: int


class MatchDifference(Struct, frozen=True):
    """A match that is not identical, and the reason of its approval."""

    match: Summary
    approved: str = ""


class ByValue(Struct, frozen=True):
    """A changed field of the rules, its values, and the number of matches affected."""

    game: str
    key: str
    kind: CauseKind
    recorded: Any
    rejudged: Any
    matches: int


class RewordedClause(Struct, frozen=True):
    """A clause that the new rules change, its texts, and the number of matches that cite it."""

    game: str
    clause: Clause
    recorded: Message
    rejudged: Message
    matches: int


class Hole(Struct, frozen=True):
    """A clause that the new rules change and no match of the corpus cites."""

    game: str
    clause: Clause
    sentence: Message


class RegressionReport(Struct, frozen=True, kw_only=True):
    """The result of a run. It is reproducible: it has no times and no local paths."""

    rules: str
    base: str
    matches: int
    entries: int
    passed: int
    """Matches skipped because the index shows that the change cannot affect them."""
    by_class: dict[Kind, int]
    by_clause: tuple[ByClause, ...]
    by_cause: tuple[ByCause, ...]
    shortest: dict[Kind, tuple[Summary, ...]]
    flips: tuple[Summary, ...]
    differences: tuple[MatchDifference, ...]
    bad: tuple[Summary, ...]
    holes: tuple[Hole, ...]
    unapproved: int
    unused_approvals: tuple[Approval, ...]
    digest: str = ""
    """The SHA-256 over the digests of all matches in order, a line each, independent of their place."""
    versions: dict[str, int] = {}
    values: tuple[ByValue, ...] = ()
    reworded: tuple[RewordedClause, ...] = ()

    @property
    def judged_count(self) -> int:
        """The number of matches that could be judged."""
        return self.matches - len(self.bad)

    @property
    def answer(self) -> tuple[Text, ...]:
        """The numbers of changed and failed matches, as sentences."""
        n, bad = len(self.differences), len(self.bad)
        counts = {"n": n, "all": self.matches, "judged": self.judged_count, "unapproved": self.unapproved, "bad": bad}
        if not self.judged_count:
            return (Text("regress.answer.unjudged", counts),)
        if not n:
            return (Text("regress.answer.partly" if bad else "regress.answer.none", counts),)
        answer = Text("regress.answer.open" if self.unapproved else "regress.answer.approved", counts)
        return (answer, Text("regress.answer.bad", counts)) if bad else (answer,)

    @property
    def soundness(self) -> Text:
        """The evidence that only the rule change causes the differences."""
        before = self.by_class["base"]
        if self.base:
            return Text("regress.sound", {"base": self.base, "n": self.judged_count - before, "all": self.judged_count})
        return Text("regress.sound_own", {"n": before})

    @property
    def passes(self) -> bool:
        """True if all differences are approved and every match is readable."""
        return not self.unapproved and not self.bad


class RegressionCounter:
    def __init__(self) -> None:
        self.kinds: Counter[Kind] = Counter()
        self.entries = self.passed = 0
        self._differing: list[Summary] = []
        self._bad: list[Summary] = []
        self._digest = sha256()
        self._versions: Counter[str] = Counter()
        self._under: Counter[Under] = Counter()
        self._told: defaultdict[Under, Counter[Clause]] = defaultdict(Counter)

    @property
    def matches(self) -> int:
        return sum(self.kinds.values())

    def add(self, match: Summary) -> None:
        self.kinds[match.kind] += 1
        self.entries += match.entries
        self.passed += match.passed
        self._digest.update(f"{match.digest}\n".encode())
        if match.version:
            self._versions[f"{match.game}@{match.version}"] += 1
        under = match.game, match.values
        self._under[under] += 1
        if match.told or match.untold:
            clauses = self._told[under]
            clauses.update(match.told)
            clauses.update(dict.fromkeys(match.untold, 0))
        if match.kind in DIFFERENCES:
            self._differing.append(replace(match, told=(), untold=(), values=()))
        elif match.kind == "bad":
            self._bad.append(match)

    def report(self, task: Task, approvals: Sequence[Approval] = ()) -> RegressionReport:
        """Return the report, in an order that depends only on the corpus."""
        by_size = sorted(self._differing, key=BY_SIZE)
        of_kind = {kind: tuple(match for match in by_size if match.kind == kind)[:SHORTEST] for kind in DIFFERENCES}
        reworded = _reworded(self._told)
        report = RegressionReport(
            rules=task.target.label,
            base=task.base.label if task.base is not None else "",
            matches=self.matches,
            entries=self.entries,
            passed=self.passed,
            by_class={kind: self.kinds[kind] for kind in KINDS},
            by_clause=(),
            by_cause=_by_cause(self._differing),
            shortest={kind: shortest for kind, shortest in of_kind.items() if shortest},
            flips=tuple(match for match in self._differing if match.flip is not None),
            differences=tuple(map(MatchDifference, self._differing)),
            bad=tuple(self._bad),
            holes=_holes(reworded),
            unapproved=len(self._differing),
            unused_approvals=(),
            digest=self._digest.hexdigest(),
            versions=dict(sorted(self._versions.items())),
            values=_by_value(self._under),
            reworded=reworded,
        )
        return approve(report, approvals)


def approve(report: RegressionReport, approvals: Sequence[Approval]) -> RegressionReport:
    """Return a report with these approvals in place of earlier ones."""
    pairs = [(row.match, approval_of(row.match, approvals)) for row in report.differences]
    used = {id(approval) for _, approval in pairs if approval is not None}
    return replace(
        report,
        by_clause=_by_clause(pairs),
        differences=tuple(MatchDifference(match, approval.reason if approval else "") for match, approval in pairs),
        unapproved=sum(approval is None for _, approval in pairs),
        unused_approvals=tuple(approval for approval in approvals if id(approval) not in used),
    )


def _by_clause(pairs: Iterable[tuple[Summary, Approval | None]]) -> tuple[ByClause, ...]:
    counted: Counter[tuple[Kind, str]] = Counter()
    approved: Counter[tuple[Kind, str]] = Counter()
    sentences: dict[str, Message] = {}
    for match, approval in pairs:
        counted[match.key] += 1
        approved[match.key] += approval is not None
        sentences.setdefault(match.key[1], match.sentence or NOTHING)
    order = sorted(counted, key=lambda key: (KINDS.index(key[0]), -counted[key], key[1]))
    return tuple(ByClause(*key, counted[key], approved[key], sentences[key[1]]) for key in order)


def _by_cause(differing: Iterable[Summary]) -> tuple[ByCause, ...]:
    counted = Counter(cause for match in differing for cause in match.causes)
    order = sorted(counted, key=lambda cause: (CAUSES.index(cause.kind), -counted[cause], cause.key))
    return tuple(ByCause(cause, counted[cause]) for cause in order)


def _by_value(under: Mapping[Under, int]) -> tuple[ByValue, ...]:
    counted: Counter[tuple[str, Value]] = Counter()
    for (game, values), n in under.items():
        counted.update({(game, value): n for value in values if value.recorded != value.rejudged})
    rows = [
        ByValue(game, value.key, value.kind, decode(value.recorded), decode(value.rejudged), n)
        for (game, value), n in sorted(counted.items(), key=lambda counted: counted[0][1].recorded)
    ]
    return tuple(sorted(rows, key=lambda row: (row.game, CAUSES.index(row.kind), row.key, -row.matches)))


def _reworded(told: Mapping[Under, Mapping[Clause, int]]) -> tuple[RewordedClause, ...]:
    counted: Counter[tuple[str, Clause, Message, Message]] = Counter()
    for (game, values), clauses in told.items():
        before = {value.key: decode(value.recorded) for value in values}
        after = {value.key: decode(value.rejudged) for value in values}
        both = GAMES[game].rulebook.both
        for clause, n in clauses.items():
            counted[game, clause, both(clause, before), both(clause, after)] += n
    place = {(game, clause): at for game in GAMES for at, clause in enumerate(GAMES[game].rulebook.clauses)}
    rows = [RewordedClause(*what, n) for what, n in counted.items()]
    return tuple(sorted(rows, key=lambda row: (row.game, place[row.game, row.clause], -row.matches, row.recorded.en)))


def _holes(reworded: Iterable[RewordedClause]) -> tuple[Hole, ...]:
    cited = {(row.game, row.clause) for row in reworded if row.matches}
    uncited = {(row.game, row.clause): Hole(row.game, row.clause, row.rejudged) for row in reworded}
    return tuple(uncited[at] for at in sorted(uncited) if at not in cited)
