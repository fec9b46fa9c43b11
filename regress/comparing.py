"""Two readings of an option held against one match of a corpus: what tells them apart in it."""

from collections import Counter
from functools import lru_cache

from msgspec import UNSET, Struct, UnsetType

from corpus.sources import Bad, Source, load
from domain.games import GAMES
from domain.judging.rejudging import Unreadable, comparing
from domain.judging.rejudging.target import Target, offer, rules_for
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import RulesetError
from domain.words import Text
from domain.words.foreign import quoted
from recorder.pool import Interrupted


class Apart(Struct, frozen=True):
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


class Looked(Struct, frozen=True):
    """A match looked at: what tells the readings apart, or why that cannot be said. `foreign`: of another game."""

    name: str
    apart: Apart | None = None
    bad: Text | None = None
    foreign: bool = False


class Compared(Struct, frozen=True):
    """Two readings over recorded matches: how many matches are of which class, those that tell them apart, the
    shortest first, and those of which it cannot be said."""

    game: str
    option: str
    values: tuple[str, str]
    matches: int
    classes: dict[str, int]
    separating: tuple[Apart, ...]
    bad: tuple[str, ...]
    interrupted: Interrupted | UnsetType = UNSET


class Count:
    """Counts as matches are looked at."""

    def __init__(self) -> None:
        self.seen = 0
        self.bad: dict[str, Text] = {}
        self._apart: list[Apart] = []

    def add(self, match: Looked) -> None:
        """Count one more."""
        if match.bad is not None:
            self.bad[match.name] = match.bad
            return
        self.seen += not match.foreign
        self._apart += [] if match.apart is None else [match.apart]

    def compared(
        self, readings: Readings, bad: tuple[str, ...], interrupted: Interrupted | UnsetType = UNSET
    ) -> Compared:
        """What was counted, with what is said of matches of which it cannot be told."""
        apart = sorted(self._apart, key=lambda match: (match.entry, match.entries, match.match))
        classes = Counter({"identical": self.seen - len(apart)}) + Counter(match.kind for match in apart)
        return Compared(
            readings.game, readings.option, readings.values, self.seen, dict(classes), tuple(apart), bad, interrupted
        )


def compare(readings: Readings, source: Source) -> Looked:
    """Hold both readings against a match. Whatever is wrong with it is said of it, and of it alone."""
    if readings.cards is not None:
        _offer(readings.game, readings.cards)
    match = load(source, checked=True)
    if isinstance(match, Bad):
        return Looked(source.name, bad=match.why)
    if match.game.key != readings.game:
        return Looked(source.name, foreign=True)
    try:
        return Looked(source.name, _separate(readings, source.name, match))
    except (Unreadable, RulesetError) as error:
        return Looked(source.name, bad=error.text)
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        why = Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        return Looked(source.name, bad=why)


def killed(source: Source) -> Looked:
    """A match that ends whatever process looks at it."""
    return Looked(source.name, bad=Text("regress.killed"))


@lru_cache(8)
def _offer(game: str, cards: Overlay) -> None:
    """Once in each process: records may be pinned to what a card file gives over a published pool."""
    offer(cards, [GAMES[game]])


def _separate(readings: Readings, name: str, match: Record) -> Apart | None:
    targets = (Target(settings={readings.option: value}, cards=readings.cards) for value in readings.values)
    one, other = (rules_for(target, match.game, match.rules) for target in targets)
    parting = comparing.separate(match.game, match.entries, one, other)
    if parting is None:
        return None
    return Apart(
        match=name,
        entry=parting.entry,
        entries=len(match.entries),
        verdicts=(parting.one.kind, parting.other.kind),
        clauses=(parting.one.clause, parting.other.clause),
        outcome_changes=parting.outcome_changes,
        kind=parting.kind,
    )
