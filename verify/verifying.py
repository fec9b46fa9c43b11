"""Many matches verified: round by round, so that the result hangs on neither the number of jobs nor their order."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import environ
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from domain.words import Text
from recorder import codec
from verify.laws import LAWS, Property, looked_at
from verify.perft import opening_table
from verify.playing import STUMBLES, Failure, Match, play
from verify.shrink import shrink
from verify.steering import Seen, nothing, switchable
from verify.steps import last_step

ROUND = 4
"""Matches that do not yet know of each other what they exercised."""


class Report(Struct, frozen=True):
    """What was verified: matches and entries, what they exercised (`plain` where steering is compared with it)."""

    matches: int
    entries: int
    seen: Seen
    plain: Seen | None
    failures: tuple[tuple[Match, Failure], ...]


class Reached(Struct, frozen=True):
    """How much of what there is was exercised, of one kind."""

    what: str
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
    seen, plain = nothing(), nothing() if steer else None
    failures: list[tuple[Match, Failure]] = []
    done = entries = 0
    with _Players(law, jobs, vary, laws) as players:
        for first in range(seed, seed + matches, ROUND):
            seeds = range(first, min(first + ROUND, seed + matches))
            played = list(players.play([(one, seen if steer else None, True) for one in seeds]))
            if plain is not None:
                for one in players.play([(one, None, False) for one in seeds]):
                    plain.update(one.seen)
            for one in played:
                seen.update(one.seen)
                entries += one.entries
            failures += [(one, one.failure) for one in played if one.failure is not None]
            done += len(played)
            tick(done)
            if len(failures) >= FAILURES_MAX:
                break
    return Report(done, entries, seen, plain, tuple(failures))


class _Players:
    """Who plays the matches: this process, or several others."""

    def __init__(self, law: Law, jobs: int, vary: bool, laws: Sequence[Property]) -> None:
        self.law, self.vary, self.laws = law, vary, laws
        alone = jobs == 1 or GAMES.get(law.game.key) is not law.game or tuple(laws) != LAWS
        environ["PYTHONSAFEPATH"] = "1"  # no process may execute what lies in the current folder
        self.pool = None if alone else ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))

    def __enter__(self) -> "_Players":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def play(self, wanted: Sequence[tuple[int, Seen | None, bool]]) -> Iterator[Match]:
        """The matches in the order asked for."""
        if self.pool is None:
            for seed, seen, looked in wanted:
                yield play(self.law, seed, seen, vary=self.vary, laws=self.laws if looked else ())
            return
        rows = [(self.law.game.key, self.law.rules, seed, seen, self.vary, looked) for seed, seen, looked in wanted]
        for packed, failed in self.pool.map(_elsewhere, rows):
            yield packed if failed is None else _unpacked(packed, failed)


def _elsewhere(row: tuple[str, Any, int, Seen | None, bool, bool]) -> tuple[Match, list[bytes] | None]:
    """A match in a process of its own; the entries of a failure travel as bytes."""
    key, rules, seed, seen, vary, looked = row
    match = play(Law(GAMES[key], rules), seed, seen, vary=vary, laws=LAWS if looked else ())
    if match.failure is None:
        return match, None
    failure = match.failure
    bare = Failure(failure.law, failure.entry, failure.detail, ())
    return Match(match.seed, match.rules, match.entries, match.seen, bare), [codec.encode(e) for e in failure.entries]


def _unpacked(match: Match, packed: Sequence[bytes]) -> Match:
    bare = match.failure
    assert bare is not None
    failure = Failure(bare.law, bare.entry, bare.detail, tuple(codec.decode(one) for one in packed))
    return Match(match.seed, match.rules, match.entries, match.seen, failure)


def reached(game: Game, seen: Seen) -> tuple[Reached, ...]:
    """How much of the game's clauses of kind rule, verbs, option values and cards was exercised."""
    rule = [str(clause) for clause, entry in game.rulebook.clauses.items() if entry.kind == "rule"]
    never = set(game.other_verbs.values())
    verbs = [str(one.__struct_config__.tag) for one in game.action_types if one not in never]
    options = [f"{one.key}={value}" for one in switchable(game) for value in one.values]
    rows = {
        "told": (rule, seen.told),
        "consulted": (rule, seen.consulted),
        "exercised": (rule, seen.told + seen.consulted),
        "verbs": (verbs, seen.verbs),
        "options": (options, seen.options),
        "cards": (list(dict.fromkeys(game.faces())), seen.cards),
        "dealt": (list(dict.fromkeys(game.faces())), seen.dealt),
    }
    return tuple(
        Reached(what, sum(bool(counts[one]) for one in every), len(every), tuple(o for o in every if not counts[o]))
        for what, (every, counts) in rows.items()
    )


def still_broken(law: Law, name: str) -> Callable[[Sequence[Entry]], bool]:
    """Does a record show the breaking of this law at its last entry?"""
    found = next((one for one in LAWS if one.name == name), None)

    def fails(entries: Sequence[Entry]) -> bool:
        step = last_step(law.game, entries, ended=name in ("audit", "ended"))
        if found is not None:
            return looked_at(law, found, step) is not None
        return any(_stumbles(looked_at(law, one, step)) for one in LAWS)

    return fails


def _stumbles(found: Text | None) -> bool:
    return found is not None and found.key == f"verify.{STUMBLES}"


def shrunken(game: Game, match: Match, failure: Failure) -> list[Entry]:
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
