"""Many matches verified: round by round, so that the result hangs on neither the number of jobs nor their order."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import environ
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from recorder.files import Closing
from verify.laws import LAWS, Property, look_at
from verify.perft import opening_table
from verify.playing import STUMBLES, Failure, Match, play
from verify.shrink import shrink
from verify.steering import Seen, switchable
from verify.steps import steps

ROUND = 4
"""Matches that do not yet know of each other what they exercised."""


class Report(Struct, frozen=True):
    """What was verified: matches and entries, what they exercised (`plain` where steering is compared with it)."""

    matches: int
    entries: int
    seen: Seen
    plain: Seen | None
    failures: tuple[tuple[Match, Failure], ...]


class Extent(Struct, frozen=True):
    """How much there is of one kind, how much of it was reached, and what was not."""

    reached: int
    of: int
    missing: tuple[str, ...]


FAILURES_MAX = 5
"""After so many matches with something wrong no further round is begun."""


def verify(
    law: Law,
    matches: int,
    seed: int = 1,
    jobs: int = 1,
    *,
    steer: bool = False,
    vary: bool = True,
    laws: Sequence[Property] = LAWS,
    tick: Callable[[int], object] = lambda done: None,
) -> Report:
    """Play and look at so many matches, from this seed on. Where steered the same number is played plainly as well.

    Raises Unopened.
    """
    opening_table(law)
    seen, plain = Seen(), Seen() if steer else None
    failures: list[tuple[Match, Failure]] = []
    done = entries = 0
    with _Players(law, jobs, vary, laws) as players:
        for first in range(seed, seed + matches, ROUND):
            seeds = range(first, min(first + ROUND, seed + matches))
            played = list(players.play([(number, seen if steer else None, True) for number in seeds]))
            if plain is not None:
                for match in players.play([(number, None, False) for number in seeds]):
                    plain.update(match.seen)
            for match in played:
                seen.update(match.seen)
                entries += match.entries
            failures += [(match, match.failure) for match in played if match.failure is not None]
            done += len(played)
            tick(done)
            if len(failures) >= FAILURES_MAX:
                break
    return Report(done, entries, seen, plain, tuple(failures))


class _Players(Closing):
    """Who plays the matches: this process, or several others."""

    def __init__(self, law: Law, jobs: int, vary: bool, laws: Sequence[Property]) -> None:
        self.law, self.vary, self.laws = law, vary, laws
        alone = jobs == 1 or GAMES.get(law.game.key) is not law.game or tuple(laws) != LAWS
        environ["PYTHONSAFEPATH"] = "1"  # no process may execute what lies in the current folder
        self.pool = None if alone else ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def play(self, wanted: Sequence[tuple[int, Seen | None, bool]]) -> Iterator[Match]:
        """The matches in the order asked for."""
        if self.pool is None:
            for seed, seen, looked in wanted:
                yield play(self.law, seed, seen, vary=self.vary, laws=self.laws if looked else ())
            return
        yield from self.pool.map(partial(_play, self.law.game.key, self.law.rules, self.vary), wanted)


def _play(key: str, rules: Any, vary: bool, wanted: tuple[int, Seen | None, bool]) -> Match:
    """A match in a process of its own."""
    seed, seen, looked = wanted
    return play(Law(GAMES[key], rules), seed, seen, vary=vary, laws=LAWS if looked else ())


def reached(game: Game, seen: Seen) -> dict[str, Extent]:
    """How much of the game's clauses of kind rule, verbs, option values and cards was exercised."""
    rule = [str(clause) for clause, entry in game.rulebook.clauses.items() if entry.kind == "rule"]
    never = set(game.other_verbs.values())
    verbs = [str(kind.__struct_config__.tag) for kind in game.action_types if kind not in never]
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


def shrink_failure(game: Game, match: Match, failure: Failure) -> list[Entry]:
    """The shortest record found that shows the same law broken."""
    fails = still_broken(Law(game, match.rules), failure.law)
    entries = list(failure.entries)
    if not entries:
        return []
    try:
        shows = fails(entries)
    except Exception:
        shows = False
    return shrink(Law(game, match.rules), entries, fails) if shows else entries
