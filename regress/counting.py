"""Summaries counted into a report. Matches that are identical are only counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.rejudging.causes import CAUSES, Cause
from domain.judging.rejudging.target import probe
from domain.law.clause import Clause
from domain.law.rulesets import RulesetError, values
from domain.words import Message, Text
from regress.approvals import Approval, approval_of
from regress.summary import DIFFERENCES, KINDS, Kind, Summary, Task

NOTHING = Message("", "")
SHORTEST = 5
"""How many matches of a class are named as its shortest."""


class ByClause(Struct, frozen=True):
    """How many matches are of a class by a clause, how many of them approved, and what the clause says."""

    kind: Kind
    clause: str
    matches: int
    approved: int
    sentence: Message


class ByCause(Struct, frozen=True):
    """How many matches differ for a cause. A match with several causes is counted at each."""

    cause: Cause
    matches: int


class Difference(Struct, frozen=True):
    """A match that is not identical, and the reason for which that is expected."""

    match: Summary
    approved: str = ""


class Hole(Struct, frozen=True):
    """A clause that the other rules change and that no match of the corpus tells."""

    game: str
    clause: Clause
    sentence: Message


class Report(Struct, frozen=True, kw_only=True):
    """What a run found. It holds no time and no place of the machine: the same corpus gives the same bytes."""

    rules: str
    base: str
    matches: int
    entries: int
    passed: int
    """How many were not decided again, because by the index the change cannot touch them."""
    by_class: dict[Kind, int]
    by_clause: tuple[ByClause, ...]
    by_cause: tuple[ByCause, ...]
    shortest: dict[Kind, tuple[Summary, ...]]
    flips: tuple[Summary, ...]
    differences: tuple[Difference, ...]
    bad: tuple[Summary, ...]
    holes: tuple[Hole, ...]
    unapproved: int
    unused_approvals: tuple[Approval, ...]

    @property
    def judged(self) -> int:
        """How many matches could be judged."""
        return self.matches - len(self.bad)

    @property
    def sound(self) -> Text:
        """How far it was shown that nothing but the change makes the differences."""
        before = self.by_class["base"]
        if self.base:
            return Text("regress.sound", {"base": self.base, "n": self.judged - before, "all": self.judged})
        return Text("regress.sound_own", {"n": before})

    @property
    def passes(self) -> bool:
        """Is all that differs approved, and every match readable?"""
        return not self.unapproved and not self.bad


class Tally:
    """Counts as summaries come."""

    def __init__(self) -> None:
        self.kinds: Counter[Kind] = Counter()
        self.entries = self.passed = 0
        self._differing: list[Summary] = []
        self._bad: list[Summary] = []
        self._told: set[tuple[str, Clause]] = set()
        self._untold: set[tuple[str, Clause]] = set()

    @property
    def matches(self) -> int:
        """How many have been counted."""
        return sum(self.kinds.values())

    def add(self, match: Summary) -> None:
        """Count one more."""
        self.kinds[match.kind] += 1
        self.entries += match.entries
        self.passed += match.passed
        self._told.update((match.game, clause) for clause in match.told)
        self._untold.update((match.game, clause) for clause in match.untold)
        if match.kind in DIFFERENCES:
            self._differing.append(replace(match, told=(), untold=()))
        elif match.kind == "bad":
            self._bad.append(match)

    def report(self, task: Task, approvals: Sequence[Approval] = ()) -> Report:
        """All that was counted, in an order that depends on the corpus alone."""
        held = [(match, approval_of(match, approvals)) for match in self._differing]
        # Shorter matches first, then those that differ earlier, then by their place in the corpus.
        by_size = sorted(self._differing, key=attrgetter("entries", "entry", "at"))
        of_kind = {kind: tuple(match for match in by_size if match.kind == kind)[:SHORTEST] for kind in DIFFERENCES}
        used = {id(approval) for _, approval in held if approval is not None}
        return Report(
            rules=task.target.label,
            base=task.base.label if task.base is not None else "",
            matches=self.matches,
            entries=self.entries,
            passed=self.passed,
            by_class={kind: self.kinds[kind] for kind in KINDS},
            by_clause=_by_clause(held),
            by_cause=_by_cause(self._differing),
            shortest={kind: shortest for kind, shortest in of_kind.items() if shortest},
            flips=tuple(match for match in self._differing if match.flip is not None),
            differences=tuple(Difference(match, approval.reason if approval else "") for match, approval in held),
            bad=tuple(self._bad),
            holes=tuple(_hole(task, *unseen) for unseen in sorted(self._untold - self._told)),
            unapproved=sum(approval is None for _, approval in held),
            unused_approvals=tuple(approval for approval in approvals if id(approval) not in used),
        )


def _by_clause(held: Iterable[tuple[Summary, Approval | None]]) -> tuple[ByClause, ...]:
    counted: Counter[tuple[Kind, str]] = Counter()
    approved: Counter[tuple[Kind, str]] = Counter()
    said: dict[str, Message] = {}
    for match, approval in held:
        counted[match.key] += 1
        approved[match.key] += approval is not None
        said.setdefault(match.key[1], match.sentence or NOTHING)
    order = sorted(counted, key=lambda key: (KINDS.index(key[0]), -counted[key], key[1]))
    return tuple(ByClause(*key, counted[key], approved[key], said[key[1]]) for key in order)


def _by_cause(differing: Iterable[Summary]) -> tuple[ByCause, ...]:
    counted = Counter(cause for match in differing for cause in match.causes)
    order = sorted(counted, key=lambda cause: (CAUSES.index(cause.kind), -counted[cause], cause.key))
    return tuple(ByCause(cause, counted[cause]) for cause in order)


def _hole(task: Task, game: str, clause: Clause) -> Hole:
    """A hole, its clause with the numbers of the other rules as far as they are the same for all records."""
    played = GAMES[game]
    try:
        numbers = values(probe(task.target, played))
    except RulesetError:
        numbers = {}
    return Hole(game, clause, played.rulebook.both(clause, numbers))
