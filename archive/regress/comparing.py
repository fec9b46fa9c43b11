"""Compare two readings of an option on the matches of a corpus."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache, partial
from operator import attrgetter

import msgspec
from msgspec import UNSET, Struct, UnsetType

from archive.corpus.sources import Source, UnreadableMatch, is_intact, load
from archive.regress.index import find_indexed_match
from domain.games import GAMES
from domain.judging.rejudging import Unreadable, comparing
from domain.judging.rejudging.causes import spare_none
from domain.judging.rejudging.comparing import Separation
from domain.judging.rejudging.skipping import Reads, changed_fields, spares_of
from domain.judging.rejudging.target import RulesTarget, register_cards, rules_for
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import RulesetError, load as load_rules, values
from domain.words import Text
from domain.words.foreign import quoted
from recorder.answers import Interrupted
from recorder.pool import Lost, ReadyResult, Work, results


class SeparatingMatch(Struct, frozen=True):
    """A match where the readings differ, with the first such entry and both verdicts."""

    match: str
    entry: int
    entries: int
    verdicts: tuple[str, str]
    clauses: tuple[str, str]
    outcome_changes: bool
    kind: str


class Readings(Struct, frozen=True):
    """Two values of a game's option. `cards` overlays the cards of each record."""

    game: str
    option: str
    values: tuple[str, str]
    cards: Overlay | None


class MatchComparison(Struct, frozen=True):
    """The comparison of a match: the difference, or why it failed. `foreign`: it is of another game."""

    name: str
    apart: SeparatingMatch | None = None
    bad: Text | None = None
    foreign: bool = False


class ComparisonReport(Struct, frozen=True):
    """The comparison over all matches: counts by class, the separating matches (shortest first), and failed ones."""

    game: str
    option: str
    values: tuple[str, str]
    matches: int
    classes: dict[str, int]
    separating: tuple[SeparatingMatch, ...]
    bad: tuple[str, ...]
    interrupted: Interrupted | UnsetType = UNSET


class ComparisonCounter:
    def __init__(self) -> None:
        self.seen = 0
        self.bad: dict[str, Text] = {}
        self._separating: list[SeparatingMatch] = []

    def add(self, match: MatchComparison) -> None:
        if match.bad is not None:
            self.bad[match.name] = match.bad
            return
        self.seen += not match.foreign
        self._separating += [] if match.apart is None else [match.apart]

    def compared(
        self, readings: Readings, bad: tuple[str, ...], interrupted: Interrupted | UnsetType = UNSET
    ) -> ComparisonReport:
        apart = sorted(self._separating, key=lambda match: (match.entry, match.entries, match.match))
        classes = Counter({"identical": self.seen - len(apart)}) + Counter(match.kind for match in apart)
        return ComparisonReport(
            readings.game, readings.option, readings.values, self.seen, dict(classes), tuple(apart), bad, interrupted
        )


class ComparisonJob(Struct, frozen=True):
    """A match to compare, with what the index says of it.

    `listed`: it is in the index, so it can be folded. `sure`: neither reading affects it, but it is checked anyway.
    `reads`: the relevant fields that its entries read. `verifies_index`: it is compared in full to verify the index.
    """

    source: Source
    listed: bool = False
    sure: bool = False
    reads: Reads | None = None
    verifies_index: bool = False


class ReadingRules(Struct, frozen=True):
    """A record's rules, the rules under each reading, and the fields that each changes."""

    own: Struct
    one: Struct
    other: Struct
    changed: tuple[frozenset[str], frozenset[str]]


def compare_matches(
    readings: Readings, sources: Iterable[Source], jobs: int, lost: Lost
) -> Generator[MatchComparison, None, None]:
    work = Work(partial(compare, readings), killed, attrgetter("source.name"))
    return results(work, _look_up_all(readings, sources), jobs, lost)


def _look_up_all(
    readings: Readings, sources: Iterable[Source]
) -> Iterator[ComparisonJob | ReadyResult[MatchComparison]]:
    for source in sources:
        match = look_up(readings, source)
        yield ReadyResult(match) if isinstance(match, MatchComparison) else match


def look_up(readings: Readings, source: Source) -> MatchComparison | ComparisonJob:
    """Return the result for a match that neither reading can affect, or a job."""
    try:
        indexed = find_indexed_match(source)
        if indexed is None or indexed.game != readings.game:
            return ComparisonJob(source)
        applied = _apply_readings(readings, indexed.rules)
    except Exception:  # errors in rules are reported by the comparison; a broken index is ignored
        return ComparisonJob(source)
    sure = all(map(indexed.may_skip, applied.changed))
    if sure and not indexed.checked and is_intact(source):
        return MatchComparison(source.name)
    reads = None if sure else indexed.reads_of(frozenset().union(*applied.changed))
    return ComparisonJob(source, True, sure, reads, indexed.checked)


def compare(readings: Readings, todo: ComparisonJob) -> MatchComparison:
    """Compare the readings on a match. Its errors become part of its result."""
    if readings.cards is not None:
        _register_cards(readings.game, readings.cards)
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
    except Exception as error:  # a law that fails on a match must not stop the others
        why = Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        return MatchComparison(source.name, bad=why)


def killed(todo: ComparisonJob) -> MatchComparison:
    return MatchComparison(todo.source.name, bad=Text("regress.killed"))


@lru_cache(8)
def _register_cards(game: str, cards: Overlay) -> None:
    """Register the cards once per process, for records pinned to an overlay of a published pool."""
    register_cards(cards, [GAMES[game]])


@lru_cache(64)
def _apply_readings(readings: Readings, recorded: bytes) -> ReadingRules:
    """Return the rules under both readings, cached for records with equal rules. Raises RulesetError."""
    game, option = GAMES[readings.game], readings.option
    own = load_rules(game, msgspec.json.decode(recorded))
    targets = (RulesTarget(settings={option: value}, cards=readings.cards) for value in readings.values)
    one, other = (rules_for(target, game, own) for target in targets)
    recorded_values = values(own)
    return ReadingRules(
        own, one, other, (changed_fields(game, recorded_values, one), changed_fields(game, recorded_values, other))
    )


def _compare(readings: Readings, todo: ComparisonJob, match: Record) -> MatchComparison:
    game, entries, name = match.game, match.entries, todo.source.name
    applied = _apply_readings(readings, msgspec.json.encode(match.opening.rules))
    spares = spares_of(game, applied.own, frozenset().union(*applied.changed), todo.reads)
    separate = partial(comparing.separate, game, entries, applied.one, applied.other)
    separation = separate(spares=spare_none if todo.verifies_index else spares)
    if todo.sure and separation is not None:
        return MatchComparison(name, bad=Text("regress.wrong_index", {"match": name}))
    if todo.verifies_index and todo.reads is not None and separate(spares=spares) != separation:
        return MatchComparison(name, bad=Text("regress.wrong_entries", {"match": name}))
    return MatchComparison(name, None if separation is None else _make_separating_match(name, len(entries), separation))


def _make_separating_match(name: str, entries: int, separation: Separation) -> SeparatingMatch:
    return SeparatingMatch(
        match=name,
        entry=separation.entry,
        entries=entries,
        verdicts=(separation.one.kind, separation.other.kind),
        clauses=(separation.one.clause, separation.other.clause),
        outcome_changes=separation.outcome_changes,
        kind=separation.kind,
    )
