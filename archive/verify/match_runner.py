"""Play and verify a single match, at random or steered."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from archive.verify.laws import LAWS, Property, check_property
from archive.verify.steering import ExerciseCounts, count_exercise, decks, note, readings, steer
from archive.verify.steps import MatchStep, step_of
from domain.law import croupier
from domain.law.clause import Refusal
from domain.law.driver import decide
from domain.law.entries import Closed, Entry, Played, fold_entries
from domain.law.game import Deck
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.table import CHANCE, JUDGE, Seat, Table, blank
from domain.words import Text
from domain.words.foreign import quoted
from recorder import codec
from recorder.simulate import ENTRIES_MAX, Unopened, give_up_probability, interruption, open_simulated, pick

STUMBLES = "stumbles"
"""The property that fails if the game's law raises an exception during play."""


class LawFailure(Struct, frozen=True):
    """A failed property, with the entry and the details. `entries` lead up to it."""

    law: str
    entry: int
    detail: Text
    entries: tuple[Entry, ...]


class VerificationMatch(Struct, frozen=True):
    """A verified match: its record, what it exercised, and its first failure."""

    seed: int
    rules: object
    entries: int
    seen: ExerciseCounts
    failure: LawFailure | None = None


def play(
    law: Law, seed: int, seen: ExerciseCounts | None = None, *, vary: bool = True, laws: Sequence[Property] = LAWS
) -> VerificationMatch:
    """Play a match, checking the properties at every entry until one fails. `seen` steers it towards what was exercised
    least. `vary` plays every second match under other readings than the ruleset's. Raises Unopened."""
    below = croupier.make_random_source("verify/rules", b"verify", seed)
    if vary and seed % 2 == 0:
        law = Law(law.game, readings(law, below, seen))
    run = _MatchRun(law, seed, seen, laws, decks(law, below, seen))
    failure = run.failure
    try:
        counts = count_exercise(run.law, run.entries)
    except Exception:  # the law fails on its own match, which is the failure already
        counts = ExerciseCounts()
    return VerificationMatch(seed, law.rules, len(run.entries), counts, failure)


class _MatchRun:
    def __init__(
        self,
        law: Law,
        seed: int,
        seen: ExerciseCounts | None,
        laws: Sequence[Property],
        dealt: Mapping[Seat, Deck] | None,
    ) -> None:
        self.seed, self.laws = seed, laws
        self.seen = ExerciseCounts()
        if seen is not None:
            self.seen.update(seen)
        self.steered = seen is not None
        self.match = f"verify-{law.game.key}-{seed}"
        self.law = law
        self.entries: list[Entry] = []
        self.failure: LawFailure | None = None
        try:
            self.law, self.secret, opened = open_simulated(law, seed, self.match, dealt)
        except Unopened:
            raise
        except Exception as error:
            self.failure = self.make_law_failure(error)
            return
        self.physics = Physics(opened.schema)
        self.entries.append(opened)
        self.table = fold_entries(self.entries)
        if not self.check(blank(opened.seats)):
            try:
                self.play()
            except Exception as error:  # any exception of the game's law is the finding
                self.failure = self.make_law_failure(error)

    def make_law_failure(self, error: Exception) -> LawFailure:
        why = quoted(f"{type(error).__name__}: {error}"[:200])
        return LawFailure(STUMBLES, len(self.entries), Text("verify.stumbles", {"why": why}), tuple(self.entries))

    def play(self) -> None:
        while len(self.entries) < ENTRIES_MAX and self.law.awaited(self.table):
            before = self.table
            if CHANCE in self.law.awaited(before):
                if not self.chance(before):
                    break
            else:
                self.act(before)
            if self.check(before):
                return
        if self.table.result is not None:
            self.entries.append(Closed(by=JUDGE, seed=self.secret.hex()))
        self.check(self.table, last=True)

    def chance(self, before: Table) -> bool:
        number = len(self.entries) + 1
        action = self.law.chance(before, croupier.make_random_source(self.match, self.secret, number))
        if action is None or isinstance(outcome := decide(self.law, before, CHANCE, action), Refusal):
            return False
        self.entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=outcome.told))
        self.table = outcome.table
        return True

    def act(self, before: Table) -> None:
        number = len(self.entries) + 1
        below = croupier.make_random_source(f"{self.match}/players", self.secret, number)
        awaited = [seat for seat in self.law.awaited(before) if seat != CHANCE]
        actor = awaited[below(len(awaited))]
        if concede := give_up_probability(self.law, number):
            action = pick(self.law, before, actor, below, concede)
        elif self.steered:
            action = steer(self.law, before, actor, below, self.seen)
        else:
            action = pick(self.law, before, actor, below)
        others = croupier.make_random_source(f"{self.match}/others", self.secret, number)
        actor, action = interruption(self.law, before, others) or (actor, action)
        outcome = decide(self.law, before, actor, action)
        if isinstance(outcome, Refusal):
            raise AssertionError(f"{actor} {action}: refused by {outcome.clause} though allowed")
        entry = Played(actor=actor, action=codec.raw_action(action), told=outcome.told)
        self.entries.append(entry)
        self.table = outcome.table
        if self.steered:
            self.seen.told.update(str(clause) for clause, _ in entry.told)
            note(self.law, self.seen, before, entry)

    def check(self, before: Table, last: bool = False) -> bool:
        if not self.laws:
            return False
        step = step_of(self.law.game, self.entries, before, self.table, self.physics, last)
        if (wrong := first_broken_law(self.law, step, self.laws)) is not None:
            self.failure = LawFailure(wrong[0], len(self.entries), wrong[1], tuple(self.entries))
        return wrong is not None


def first_broken_law(law: Law, step: MatchStep, laws: Sequence[Property] = LAWS) -> tuple[str, Text] | None:
    """Return the first property that a step breaks, and the details."""
    for property in laws:
        if (wrong := check_property(law, property, step)) is not None:
            return property.name, wrong
    return None
