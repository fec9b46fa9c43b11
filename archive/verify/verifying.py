"""Verify many matches in rounds, so that the result does not depend on the number of jobs."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

from msgspec import UNSET, Struct, UnsetType

from archive.verify.laws import LAWS, Property, check_property
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
"""Matches of a round, which are steered by earlier rounds only."""


class VerificationReport(Struct, frozen=True):
    """The result of a verification; `plain` is what unsteered matches exercised, for comparison."""

    matches: int
    entries: int
    seen: ExerciseCounts
    plain: ExerciseCounts | None
    failures: tuple[tuple[VerificationMatch, LawFailure], ...]


class Extent(Struct, frozen=True):
    """Coverage of one kind: reached, total and missing."""

    reached: int
    of: int
    missing: tuple[str, ...]


class FailedMatch(Struct, frozen=True):
    match: str
    seed: int
    law: str
    entry: int
    detail: str
    file: str | UnsetType = UNSET
    case: str | UnsetType = UNSET
    entries: int | UnsetType = UNSET


class VerificationAnswer(Struct, frozen=True, kw_only=True):
    """The answer of a verification: coverage, the coverage of unsteered matches, and failures."""

    game: str
    matches: int
    entries: int
    reached: dict[str, Extent]
    plain: dict[str, Extent] | UnsetType = UNSET
    failures: tuple[FailedMatch, ...]
    interrupted: Interrupted | UnsetType = UNSET


FAILURES_MAX = 5
"""Failed matches after which no further round starts."""


Played = tuple[VerificationMatch, VerificationMatch | None]
"""A verified match, and the unsteered one of the same seed, if steering is compared."""
Wanted = tuple[int, ExerciseCounts | None, bool]
"""A match to play: its seed, the counts that steer it, and True if it is checked."""


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
    """Play and check matches with consecutive seeds. With `steer`, as many unsteered ones are played for comparison.
    `watch` receives the matches of a round; if it stops early, no further round starts. Raises Unopened."""
    opening_table(law)
    seen, plain = ExerciseCounts(), ExerciseCounts() if steer else None
    failures: list[tuple[VerificationMatch, LawFailure]] = []
    done = entries = 0
    with _Players(law, jobs, vary, laws, lost) as players:
        for first in range(seed, seed + matches, ROUND):
            seeds = range(first, min(first + ROUND, seed + matches))
            with closing(players.play(seeds, seen if steer else None)) as stream:
                played = list(watch(stream))
            for match, unsteered in played:
                seen.update(match.seen)
                entries += match.entries
                if plain is not None and unsteered is not None:
                    plain.update(unsteered.seen)
            failures += [(match, match.failure) for match, _ in played if match.failure is not None]
            done += len(played)
            if len(played) < len(seeds) or len(failures) >= FAILURES_MAX:
                break
    return VerificationReport(done, entries, seen, plain, tuple(failures))


class _Players(Closeable):
    def __init__(self, law: Law, jobs: int, vary: bool, laws: Sequence[Property], lost: Lost) -> None:
        self.law, self.vary, self.laws, self.lost = law, vary, laws, lost
        in_process = jobs == 1 or GAMES.get(law.game.key) is not law.game or tuple(laws) != LAWS
        do = partial(_play, law.game.key, law.rules, vary)
        work = Work(
            do, partial(_crashed_match, law.rules), lambda wanted: f"verify-{law.game.key}-{wanted[0]}", chunk=1
        )
        self.pool = None if in_process else ProcessPool(work, jobs)

    def close(self) -> None:
        if self.pool is not None:
            self.pool.close()

    def play(self, seeds: Iterable[int], seen: ExerciseCounts | None) -> Generator[Played, None, None]:
        """Yield the matches of these seeds in order, each with its unsteered one if `seen` is given."""
        tasks: list[Wanted] = []
        for number in seeds:
            tasks.append((number, seen, True))
            if seen is not None:
                tasks.append((number, None, False))
        matches = self._matches(tasks)
        for match in matches:
            yield match, None if seen is None else next(matches)

    def _matches(self, wanted: Sequence[Wanted]) -> Iterator[VerificationMatch]:
        if self.pool is not None:
            yield from self.pool.results(wanted, self.lost)
            return
        for seed, seen, checked in wanted:
            yield play(self.law, seed, seen, vary=self.vary, laws=self.laws if checked else ())


def _play(key: str, rules: object, vary: bool, wanted: Wanted) -> VerificationMatch:
    seed, seen, checked = wanted
    return play(Law(GAMES[key], rules), seed, seen, vary=vary, laws=LAWS if checked else ())


def _crashed_match(rules: object, wanted: Wanted) -> VerificationMatch:
    return VerificationMatch(wanted[0], rules, 0, ExerciseCounts(), LawFailure(STUMBLES, 0, Text("verify.killed"), ()))


def make_answer(
    game: Game,
    report: VerificationReport,
    failures: Sequence[FailedMatch],
    interrupted: Interrupted | UnsetType = UNSET,
) -> VerificationAnswer:
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
    """Return the answer for a failure that is not written to files."""
    name = f"verify-{game.key}-{match.seed}"
    return FailedMatch(name, match.seed, failure.law, failure.entry, failure.detail.say("en"))


def measure_reach(game: Game, seen: ExerciseCounts) -> dict[str, Extent]:
    """Return the coverage of rule clauses, verbs, option values and cards."""
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
    """Return a predicate that is true if a record breaks this property at its last entry."""
    chosen = next((property for property in LAWS if property.name == name), None)

    def fails(entries: Sequence[Entry]) -> bool:
        *_, step = steps(law.game, entries, ended=name in ("audit", "ended"))
        if chosen is not None:
            return check_property(law, chosen, step) is not None
        wrong = (check_property(law, property, step) for property in LAWS)
        return any(why is not None and why.key == f"verify.{STUMBLES}" for why in wrong)

    return fails


def shrink_failure(
    game: Game, match: VerificationMatch, failure: LawFailure, stopped: Callable[[], bool] = lambda: False
) -> list[Entry]:
    """Return the shortest record found with the same failure; `stopped` ends the search."""
    breaks_property = still_broken(Law(game, match.rules), failure.law)

    def fails(entries: Sequence[Entry]) -> bool:
        return not stopped() and breaks_property(entries)

    entries = list(failure.entries)
    if not entries:
        return []
    try:
        is_reproduced = fails(entries)
    except Exception:
        is_reproduced = False
    return shrink(Law(game, match.rules), entries, fails) if is_reproduced else entries
