"""Many matches verified: round by round, so that the result hangs on neither the number of jobs nor their order."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

from msgspec import UNSET, Struct, UnsetType

from archive.verify.laws import LAWS, Property, look_at
from archive.verify.match_runner import STUMBLES, LawFailure, VerificationMatch, play
from archive.verify.perft import opening_table
from archive.verify.shrink import shrink
from archive.verify.steering import ExerciseCounts, switchable
from archive.verify.steps import steps
from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from domain.law.slots import verb
from domain.words import Text
from recorder.answers import Interrupted
from recorder.files import Closeable
from recorder.pool import Lost, ProcessPool, Work

ROUND = 4
"""Matches that do not yet know of each other what they exercised."""


class VerificationReport(Struct, frozen=True):
    """What was verified: matches and entries, what they exercised (`plain` where steering is compared with it)."""

    matches: int
    entries: int
    seen: ExerciseCounts
    plain: ExerciseCounts | None
    failures: tuple[tuple[VerificationMatch, LawFailure], ...]


class Extent(Struct, frozen=True):
    """How much there is of one kind, how much of it was reached, and what was not."""

    reached: int
    of: int
    missing: tuple[str, ...]


class FailedMatch(Struct, frozen=True):
    """A match in which a law was broken, and the files that replay it."""

    match: str
    seed: int
    law: str
    entry: int
    detail: str
    file: str | UnsetType = UNSET
    case: str | UnsetType = UNSET
    entries: int | UnsetType = UNSET


class VerificationAnswer(Struct, frozen=True, kw_only=True):
    """Matches played at random: what they reached, what matches that were not steered reached, and what failed."""

    game: str
    matches: int
    entries: int
    reached: dict[str, Extent]
    plain: dict[str, Extent] | UnsetType = UNSET
    failures: tuple[FailedMatch, ...]
    interrupted: Interrupted | UnsetType = UNSET


FAILURES_MAX = 5
"""After so many matches with something wrong no further round is begun."""


Played = tuple[VerificationMatch, VerificationMatch | None]
"""A match that was looked at, and the one of the same seed that was not steered, where steering is compared with it."""
Wanted = tuple[int, ExerciseCounts | None, bool]
"""A match to be played: its seed, what it is steered by, and whether it is looked at."""


def verify(
    law: Law,
    matches: int,
    seed: int = 1,
    jobs: int = 1,
    *,
    steer: bool = False,
    vary: bool = True,
    laws: Sequence[Property] = LAWS,
    watch: Callable[[Iterator[Played]], Iterable[Played]] = iter,
    lost: Lost = lambda names: None,
) -> VerificationReport:
    """Play and look at so many matches, from this seed on. Where steered the same number is played plainly as well.

    The matches of a round are taken through `watch`; if it ends before the round does, no other is begun. Raises
    Unopened.
    """
    opening_table(law)
    seen, plain = ExerciseCounts(), ExerciseCounts() if steer else None
    failures: list[tuple[VerificationMatch, LawFailure]] = []
    done = entries = 0
    with _Players(law, jobs, vary, laws, lost) as players:
        for first in range(seed, seed + matches, ROUND):
            seeds = range(first, min(first + ROUND, seed + matches))
            with closing(players.play(seeds, seen if steer else None)) as coming:
                played = list(watch(coming))
            for match, plainly in played:
                seen.update(match.seen)
                entries += match.entries
                if plain is not None and plainly is not None:
                    plain.update(plainly.seen)
            failures += [(match, match.failure) for match, _ in played if match.failure is not None]
            done += len(played)
            if len(played) < len(seeds) or len(failures) >= FAILURES_MAX:
                break
    return VerificationReport(done, entries, seen, plain, tuple(failures))


class _Players(Closeable):
    """Who plays the matches: this process, or several others."""

    def __init__(self, law: Law, jobs: int, vary: bool, laws: Sequence[Property], lost: Lost) -> None:
        self.law, self.vary, self.laws, self.lost = law, vary, laws, lost
        alone = jobs == 1 or GAMES.get(law.game.key) is not law.game or tuple(laws) != LAWS
        do = partial(_play, law.game.key, law.rules, vary)
        work = Work(do, partial(_killed, law.rules), lambda wanted: f"verify-{law.game.key}-{wanted[0]}", chunk=1)
        self.pool = None if alone else ProcessPool(work, jobs)

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.close()

    def play(self, seeds: Iterable[int], seen: ExerciseCounts | None) -> Generator[Played, None, None]:
        """The matches of these seeds in order, steered by what was seen; then with the one that is not."""
        wanted: list[Wanted] = []
        for number in seeds:
            wanted.append((number, seen, True))
            if seen is not None:
                wanted.append((number, None, False))
        matches = self._matches(wanted)
        for match in matches:
            yield match, None if seen is None else next(matches)

    def _matches(self, wanted: Sequence[Wanted]) -> Iterator[VerificationMatch]:
        if self.pool is not None:
            yield from self.pool.results(wanted, self.lost)
            return
        for seed, seen, looked in wanted:
            yield play(self.law, seed, seen, vary=self.vary, laws=self.laws if looked else ())


def _play(key: str, rules: object, vary: bool, wanted: Wanted) -> VerificationMatch:
    """A match in a process of its own."""
    seed, seen, looked = wanted
    return play(Law(GAMES[key], rules), seed, seen, vary=vary, laws=LAWS if looked else ())


def _killed(rules: object, wanted: Wanted) -> VerificationMatch:
    return VerificationMatch(wanted[0], rules, 0, ExerciseCounts(), LawFailure(STUMBLES, 0, Text("verify.killed"), ()))


def make_answer(
    game: Game,
    report: VerificationReport,
    failures: Sequence[FailedMatch],
    interrupted: Interrupted | UnsetType = UNSET,
) -> VerificationAnswer:
    """A report as it is answered with."""
    return VerificationAnswer(
        game=game.key,
        matches=report.matches,
        entries=report.entries,
        reached=measure_reach(game, report.seen),
        plain=UNSET if report.plain is None else measure_reach(game, report.plain),
        failures=tuple(failures),
        interrupted=interrupted,
    )


def make_failed_match(game: Game, match: VerificationMatch, failure: LawFailure) -> FailedMatch:
    """A failure as it is answered with, not yet written anywhere."""
    name = f"verify-{game.key}-{match.seed}"
    return FailedMatch(name, match.seed, failure.law, failure.entry, failure.detail.say("en"))


def measure_reach(game: Game, seen: ExerciseCounts) -> dict[str, Extent]:
    """How much of the game's clauses of kind rule, verbs, option values and cards was exercised."""
    rule = [str(clause) for clause, entry in game.rulebook.clauses.items() if entry.kind == "rule"]
    never = set(game.other_verbs.values())
    verbs = [verb(kind) for kind in game.action_types if kind not in never]
    options = [f"{option.key}={value}" for option in switchable(game) for value in option.values]
    rows = {
        "told": (rule, seen.told),
        "consulted": (rule, seen.consulted),
        "exercised": (rule, seen.told + seen.consulted),
        "verbs": (verbs, seen.verbs),
        "options": (options, seen.options),
        "cards": (list(dict.fromkeys(game.faces())), seen.cards),
        "dealt": (list(dict.fromkeys(game.faces())), seen.dealt),
    }
    return {
        what: Extent(sum(bool(counts[key]) for key in every), len(every), tuple(k for k in every if not counts[k]))
        for what, (every, counts) in rows.items()
    }


def still_broken(law: Law, name: str) -> Callable[[Sequence[Entry]], bool]:
    """Does a record show the breaking of this law at its last entry?"""
    kept = next((property for property in LAWS if property.name == name), None)

    def fails(entries: Sequence[Entry]) -> bool:
        *_, step = steps(law.game, entries, ended=name in ("audit", "ended"))
        if kept is not None:
            return look_at(law, kept, step) is not None
        wrong = (look_at(law, property, step) for property in LAWS)
        return any(why is not None and why.key == f"verify.{STUMBLES}" for why in wrong)

    return fails


def shrink_failure(
    game: Game, match: VerificationMatch, failure: LawFailure, stopped: Callable[[], bool] = lambda: False
) -> list[Entry]:
    """The shortest record found that shows the same law broken; nothing shorter is looked for once it is `stopped`."""
    still = still_broken(Law(game, match.rules), failure.law)

    def fails(entries: Sequence[Entry]) -> bool:
        return not stopped() and still(entries)

    entries = list(failure.entries)
    if not entries:
        return []
    try:
        shows = fails(entries)
    except Exception:
        shows = False
    return shrink(Law(game, match.rules), entries, fails) if shows else entries
