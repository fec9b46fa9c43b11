"""The chance of many matches: each held against its seed, and all shuffles together against what chance brings."""

from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from operator import attrgetter

from msgspec import Struct, field

from corpus.sources import Bad, Source, load, secret
from domain.judging.audit import Fairness, fairness
from domain.judging.shuffles import Counts, Shuffle, Shuffles, judge_shuffles, shuffles
from domain.law.record import Record
from domain.words import Message, Text
from domain.words.foreign import in_both, quoted, written
from recorder import codec
from recorder.pool import Lost, Work, results


class Looked(Struct, frozen=True, kw_only=True):
    """One match looked at, or why it cannot be. `mark` is the same for all copies of a match."""

    name: str
    game: str = ""
    mark: bytes = b""
    fair: Fairness = Fairness(proof="none")
    shuffles: tuple[Shuffle, ...] = ()
    unseen: int = 0
    bad: Text | None = None


class Unfair(Struct, frozen=True):
    """A match whose chance is not its croupier's."""

    name: str
    fairness: Fairness


class Unread(Struct, frozen=True):
    """A match that cannot be read, and why."""

    name: str
    why: Message


class Chances(Struct, kw_only=True):
    """How many matches there are by what can be said of their seeds, and of how many draws; copies are counted once."""

    matches: int = 0
    copies: int = 0
    holds: int = 0
    broken: int = 0
    sealed: int = 0
    none: int = 0
    drawn: int = 0
    differs: int = 0
    by_hand: int = 0
    inherited: int = 0
    unproved: int = 0


class Fair(Struct, frozen=True, kw_only=True):
    """What can be said of the chance of many matches: of each seed, of all shuffles; and what could not be read."""

    chances: Chances
    unfair: tuple[Unfair, ...]
    shuffles: Shuffles
    bad: tuple[Unread, ...]


class Tally(Struct):
    """Counts match after match; nothing is kept of one that is fair but what tells its copies."""

    chances: Chances = field(default_factory=Chances)
    counts: Counts = field(default_factory=Counts)
    marks: set[bytes] = field(default_factory=set)
    unfair: list[Unfair] = field(default_factory=list)
    bad: list[Unread] = field(default_factory=list)
    unseen: int = 0

    def add(self, looked: Looked) -> None:
        """One match."""
        if looked.bad is not None:
            self.bad.append(Unread(written(looked.name), in_both(looked.bad)))
            return
        if looked.mark in self.marks:
            self.chances.copies += 1
            return
        self.marks.add(looked.mark)
        fair, sums = looked.fair, self.chances
        sums.matches += 1
        setattr(sums, fair.proof, getattr(sums, fair.proof) + 1)
        sums.drawn += fair.drawn
        sums.differs += len(fair.differs)
        sums.by_hand += len(fair.by_hand)
        sums.inherited += fair.inherited
        sums.unproved += fair.unproved
        if fair.unfair:
            self.unfair.append(Unfair(written(looked.name), fair))
        self.counts.add(looked.game, looked.shuffles)
        self.unseen += looked.unseen

    def fair(self, rate: float) -> Fair:
        """What there is to say of them."""
        judged = judge_shuffles(self.counts, rate, self.unseen)
        return Fair(chances=self.chances, unfair=tuple(self.unfair), shuffles=judged, bad=tuple(self.bad))


def look_at_all(
    sources: Iterable[Source],
    rate: float,
    *,
    jobs: int = 1,
    watch: Callable[[Iterable[Looked]], Iterable[Looked]] = lambda coming: coming,
    lost: Lost = lambda names: None,
) -> Fair:
    """Look at every match of a corpus. `watch` is handed what comes, and may end it."""
    tally, work = Tally(), Work(look_at, _killed, attrgetter("name"))
    with closing(results(work, sources, jobs, lost)) as coming:
        for looked in watch(coming):
            tally.add(looked)
    return tally.fair(rate)


def look_at(source: Source) -> Looked:
    """One match; whatever is wrong with it is said of it, and of it alone."""
    match = load(source, checked=True)
    if isinstance(match, Bad):
        return Looked(name=source.name, bad=match.why)
    try:
        told = shuffles(match.game, match.entries)
        return Looked(
            name=source.name,
            game=match.game.key,
            mark=_mark(match),
            fair=fairness(match.game, match.entries, secret(source)),
            shuffles=told.shuffles,
            unseen=told.unseen,
        )
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        return Looked(
            name=source.name, bad=Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        )


def _killed(source: Source) -> Looked:
    return Looked(name=source.name, bad=Text("regress.killed"))


def _mark(match: Record) -> bytes:
    """What a match shares with its copies, however far they go: its opening; without an id all of it."""
    entries = match.entries[:1] if match.opened.match else match.entries
    digest = sha256()
    for entry in entries:
        digest.update(codec.encode(entry))
    return digest.digest()[:16]
