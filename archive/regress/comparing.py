"""Two readings of an option held against one match of a corpus: what tells them apart in it."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache, partial
from operator import attrgetter

import msgspec
from msgspec import UNSET, Struct, UnsetType

from archive.corpus.sources import Source, UnreadableMatch, load, whole
from archive.regress.index import find_indexed_match
from domain.games import GAMES
from domain.judging.rejudging import Unreadable, comparing
from domain.judging.rejudging.causes import spare_none
from domain.judging.rejudging.comparing import Separation
from domain.judging.rejudging.skipping import Reads, changed_fields, spares_of
from domain.judging.rejudging.target import RulesTarget, offer, rules_for
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import RulesetError, load as load_rules, values
from domain.words import Text
from domain.words.foreign import quoted
from recorder.answers import Interrupted
from recorder.pool import Lost, ReadyResult, Work, results


class SeparatingMatch(Struct, frozen=True):
    """A match that tells the two readings apart: from which entry on, and what each says of it."""

    match: str
    entry: int
    entries: int
    verdicts: tuple[str, str]
    clauses: tuple[str, str]
    outcome_changes: bool
    kind: str


class Readings(Struct, frozen=True):
    """Two values of an option of a game, with other cards laid over those of each record."""

    game: str
    option: str
    values: tuple[str, str]
    cards: Overlay | None


class MatchComparison(Struct, frozen=True):
    """A match looked at: what tells the readings apart, or why that cannot be said. `foreign`: of another game."""

    name: str
    apart: SeparatingMatch | None = None
    bad: Text | None = None
    foreign: bool = False


class ComparisonReport(Struct, frozen=True):
    """Two readings over recorded matches: how many matches are of which class, those that tell them apart, the
    shortest first, and those of which it cannot be said."""

    game: str
    option: str
    values: tuple[str, str]
    matches: int
    classes: dict[str, int]
    separating: tuple[SeparatingMatch, ...]
    bad: tuple[str, ...]
    interrupted: Interrupted | UnsetType = UNSET


class ComparisonCounter:
    """Counts as matches are looked at."""

    def __init__(self) -> None:
        self.seen = 0
        self.bad: dict[str, Text] = {}
        self._apart: list[SeparatingMatch] = []

    def add(self, match: MatchComparison) -> None:
        """Count one more."""
        if match.bad is not None:
            self.bad[match.name] = match.bad
            return
        self.seen += not match.foreign
        self._apart += [] if match.apart is None else [match.apart]

    def compared(
        self, readings: Readings, bad: tuple[str, ...], interrupted: Interrupted | UnsetType = UNSET
    ) -> ComparisonReport:
        """What was counted, with what is said of matches of which it cannot be told."""
        apart = sorted(self._apart, key=lambda match: (match.entry, match.entries, match.match))
        classes = Counter({"identical": self.seen - len(apart)}) + Counter(match.kind for match in apart)
        return ComparisonReport(
            readings.game, readings.option, readings.values, self.seen, dict(classes), tuple(apart), bad, interrupted
        )


class ComparisonJob(Struct, frozen=True):
    """A match that has to be looked at, and what the index beside its corpus says of it.

    `listed`: it is in the index, so all of it could be folded. `sure`: neither reading touches it, and that is looked
    at all the same. `reads`: what its entries read, as far as the readings change that; `held_against`: it is decided
    all the same, and held against that.
    """

    source: Source
    listed: bool = False
    sure: bool = False
    reads: Reads | None = None
    held_against: bool = False


class ReadingRules(Struct, frozen=True):
    """Two readings laid over rules of a record: the rules as they are and by each, and what that changes."""

    own: Struct
    one: Struct
    other: Struct
    changed: tuple[frozenset[str], frozenset[str]]


def compare_matches(
    readings: Readings, sources: Iterable[Source], jobs: int, lost: Lost
) -> Generator[MatchComparison, None, None]:
    """Both readings held against each of these matches, over so many processes."""
    work = Work(partial(compare, readings), killed, attrgetter("source.name"))
    return results(work, _coming(readings, sources), jobs, lost)


def _coming(readings: Readings, sources: Iterable[Source]) -> Iterator[ComparisonJob | ReadyResult[MatchComparison]]:
    for source in sources:
        match = look_up(readings, source)
        yield ReadyResult(match) if isinstance(match, MatchComparison) else match


def look_up(readings: Readings, source: Source) -> MatchComparison | ComparisonJob:
    """A match as far as it can be told before it is read: that neither reading can touch it."""
    try:
        held = find_indexed_match(source)
        if held is None or held.game != readings.game:
            return ComparisonJob(source)
        laid = _lay_over(readings, held.rules)
    except Exception:  # what is wrong with the rules is said where the match is decided; a mangled index says nothing
        return ComparisonJob(source)
    sure = all(map(held.may_skip, laid.changed))
    if sure and not held.checked and whole(source):
        return MatchComparison(source.name)
    reads = None if sure else held.reads_of(frozenset().union(*laid.changed))
    return ComparisonJob(source, True, sure, reads, held.checked)


def compare(readings: Readings, todo: ComparisonJob) -> MatchComparison:
    """Hold both readings against a match. Whatever is wrong with it is said of it, and of it alone."""
    if readings.cards is not None:
        _offer(readings.game, readings.cards)
    source = todo.source
    match = load(source, checked=not todo.listed)
    if isinstance(match, UnreadableMatch):
        return MatchComparison(source.name, bad=match.why)
    if match.game.key != readings.game:
        return MatchComparison(source.name, foreign=True)
    try:
        return _compare(readings, todo, match)
    except (Unreadable, RulesetError) as error:
        return MatchComparison(source.name, bad=error.text)
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        why = Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        return MatchComparison(source.name, bad=why)


def killed(todo: ComparisonJob) -> MatchComparison:
    """A match that ends whatever process looks at it."""
    return MatchComparison(todo.source.name, bad=Text("regress.killed"))


@lru_cache(8)
def _offer(game: str, cards: Overlay) -> None:
    """Once in each process: records may be pinned to what a card file gives over a published pool."""
    offer(cards, [GAMES[game]])


@lru_cache(64)
def _lay_over(readings: Readings, recorded: bytes) -> ReadingRules:
    """Worked out once for all records that hold the same rules. Raises RulesetError."""
    game, option = GAMES[readings.game], readings.option
    own = load_rules(game, msgspec.json.decode(recorded))
    targets = (RulesTarget(settings={option: value}, cards=readings.cards) for value in readings.values)
    one, other = (rules_for(target, game, own) for target in targets)
    was = values(own)
    return ReadingRules(own, one, other, (changed_fields(game, was, one), changed_fields(game, was, other)))


def _compare(readings: Readings, todo: ComparisonJob, match: Record) -> MatchComparison:
    game, entries, name = match.game, match.entries, todo.source.name
    laid = _lay_over(readings, msgspec.json.encode(match.opening.rules))
    spares = spares_of(game, laid.own, frozenset().union(*laid.changed), todo.reads)
    separate = partial(comparing.separate, game, entries, laid.one, laid.other)
    parting = separate(spares=spare_none if todo.held_against else spares)
    if todo.sure and parting is not None:
        return MatchComparison(name, bad=Text("regress.wrong_index", {"match": name}))
    if todo.held_against and todo.reads is not None and separate(spares=spares) != parting:
        return MatchComparison(name, bad=Text("regress.wrong_entries", {"match": name}))
    return MatchComparison(name, None if parting is None else _apart(name, len(entries), parting))


def _apart(name: str, entries: int, parting: Separation) -> SeparatingMatch:
    return SeparatingMatch(
        match=name,
        entry=parting.entry,
        entries=entries,
        verdicts=(parting.one.kind, parting.other.kind),
        clauses=(parting.one.clause, parting.other.clause),
        outcome_changes=parting.outcome_changes,
        kind=parting.kind,
    )
