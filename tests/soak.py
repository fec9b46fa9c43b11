"""Soak test: `python -m tests.soak` checks thousands of random matches of every game.

Three quarters of the matches use random readings, one quarter published rules, in every frame. Decks and plots are
random and legal; Grimoire has two to four players and teams, DEA every map, Skillbook random layouts. Every fact must
be possible and no card lost. Deciding again, reading back and auditing must change nothing, and the game's invariants
must hold. For every k-th match, both leak laws are checked for every viewer.
"""

import os
import signal
import sys
import traceback
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any

from msgspec import Struct, field

from domain.games import GAMES
from domain.law.driver import consult_clauses
from domain.law.entries import Played, entry_facts, tables
from domain.law.rulesets import values
from domain.law.slots import cards_of, verb
from domain.table.facts import Created
from tests.breaking import first_broken
from tests.games import tried
from tests.laws import samples
from tests.laws.leak_checks import history_law, insert_corrections, table_law, viewers
from tests.laws.samples import TIER, Sample
from tests.laws.soundness import faultless, read_back, require_possible, require_replay
from tests.rules.dea import matches as dea
from tests.rules.grimoire import matches as grimoire
from tests.rules.skillbook import matches as skillbook

OWN = {game.KEY: game for game in (dea, grimoire, skillbook)}
EVERY, BATCH = 100, 5
STATES = 4
AHEAD = 3
"""Maximum number of batches queued per worker; queued batches take memory."""
QUIET_SECONDS = 60
"""Interval between progress lines when the output is not a terminal."""
FAILURES_MAX = 20
CAST = "cast"
"""Verb that brings a card into play, in games that count it."""
FEWEST = 5


class Failure(Struct, frozen=True):
    game: str
    number: int
    what: str


class Tally(Struct):
    """Counts over some matches. Tallies add up and hold no matches."""

    matches: int = 0
    searched: int = 0
    entries: int = 0
    facts: int = 0
    clauses: Counter[str] = field(default_factory=Counter)
    consulted: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    cast: Counter[str] = field(default_factory=Counter)
    laws: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str, int, int] = (0.0, "", 0, 0)
    longest: tuple[int, str, int] = (0, "", 0)
    failures: list[Failure] = []

    def add(self, other: "Tally") -> None:
        self.matches, self.searched = self.matches + other.matches, self.searched + other.searched
        self.entries, self.facts = self.entries + other.entries, self.facts + other.facts
        for name in ("clauses", "consulted", "options", "frames", "verbs", "cast", "laws"):
            getattr(self, name).update(getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)
        self.longest = max(self.longest, other.longest)
        self.failures += other.failures


def seed_of(base: int, number: int) -> int:
    """Return the seed of a sample. Three in four are odd, which selects random readings; half the seed selects the
    frame."""
    place = base + number
    return 2 * place + (place // 2 % 4 != 0)


def play_sample(key: str, seed: int) -> Sample:
    return OWN[key].match(seed) if key in OWN else samples.sample(key, seed)


def soak(key: str, base: int, number: int, search: bool) -> Tally:
    """Check one match completely. A failure is counted, not raised."""
    found, seed, began = Tally(), seed_of(base, number), perf_counter()
    found.matches = 1
    try:
        one = play_sample(key, seed)
        _count(found, one, number)
        require_replay(one)
        read_back(one.entries)
        faultless(one.game, one.entries)
        require_invariants(one)
        found.laws["matches held against every invariant"] += 1
        spent = perf_counter() - began
        found.slowest = (spent, key, number, len(one.entries))
        if search:
            found.searched = 1
            _search(found, one, seed)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.relpath(last.filename)}:{last.lineno}"
        found.failures = [Failure(key, number, f"{type(error).__name__}: {error} ({where}: {last.line})")]
    finally:
        own = (kept for game in OWN.values() for kept in (game.match, game.rules_of))
        for kept in (samples.sample, samples.moments, samples.rules_of, *own):
            kept.cache_clear()
    return found


def require_invariants(one: Sample) -> None:
    broken = first_broken(one.law, one.entries)
    if broken is not None:
        number, invariant = broken
        raise AssertionError(f"entry {number}: invariant {invariant.number} is broken: {invariant.name}")


def _count(found: Tally, one: Sample, number: int) -> None:
    key = one.game.key
    seen = require_possible(one.game, one.entries)
    found.entries, found.facts = seen.entries, seen.facts
    found.clauses.update(seen.clauses)
    found.longest = (seen.entries, key, number)
    rules = values(one.rules)
    found.frames[f"{key} {_table(rules)}"] += 1
    _count_actions(found, one)
    tuned = {option.key for option in one.game.options if option.tier == TIER} | set(tried(key).numbers)
    found.options.update(f"{name}={_plain(rules[name])}" for name in tuned if name in rules)


def _table(rules: dict[str, Any]) -> str:
    """Return the format of a match: its frame, its number of players and teams, or its map."""
    if "player_count" in rules:
        return f"{rules['player_count']} players" + (" in teams" if rules.get("teams", "none") != "none" else "")
    return str(rules.get("frame", rules.get("map_preset", "-")))


def _count_actions(found: Tally, one: Sample) -> None:
    decoder, key = one.game.decoder(), one.game.key
    dealt = [fact for _, fact in entry_facts(one.entries[0]) if isinstance(fact, Created)]
    faces = {card: face for fact in dealt for card, face in zip(fact.cards, fact.faces, strict=True)}
    for entry in one.entries:
        if isinstance(entry, Played):
            action = decoder.decode(entry.action)
            found.verbs[verb(action)] += 1
            if verb(action) == CAST:
                found.cast.update(f"{key} {faces[card]}" for card in cards_of(action))


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _search(found: Tally, one: Sample, seed: int) -> None:
    random = Random(f"soak {seed}")
    for at in samples.moments_of(one):
        found.consulted.update(step.clause for step in consult_clauses(one.law, at.before, at.actor, at.action))
    whole = insert_corrections(one, random)
    states = list(tables(whole))
    for viewer in viewers(one):
        for number, _, _, table in random.sample(states, min(STATES, len(states))):
            found.laws["tables dealt anew"] += table_law(one, number, table, viewer, random)
        for entries in (whole, list(one.entries)):
            upto = random.randrange(4, len(entries))
            numbers = [random.randrange(1, upto + 1), upto]
            found.laws["records dealt anew"] += history_law(one, entries[:upto], viewer, numbers, random)


def batch(key: str, base: int, numbers: range, every: int) -> Tally:
    found = Tally()
    for number in numbers:
        found.add(soak(key, base, number, every > 0 and number % every == 0))
    return found


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in workers: the terminal sends it to all processes, and the main one handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def batches(asked: Namespace) -> Iterator[tuple[str, int, range, int]]:
    ends = {key: end_of(asked, key) for key in asked.games}
    for first in range(asked.start, max(ends.values()), BATCH):
        for key, end in ends.items():
            if first < end:
                yield key, asked.seed, range(first, min(first + BATCH, end)), asked.every


def end_of(asked: Namespace, key: str) -> int:
    """Return the number after a game's last match: as requested, or its usual number."""
    return int(asked.start + asked.matches if asked.matches else tried(key).soaked)


def left_over(asked: Namespace, done: int) -> str:
    for _, _, numbers, _ in batches(asked):
        done -= len(numbers)
        if done < 0:
            matches = f" --matches {asked.start + asked.matches - numbers[0]}" if asked.matches else ""
            return f"--seed {asked.seed} --from {numbers[0]}{matches}"
    return "the next seed"


def results(asked: Namespace) -> Generator[Tally, None, None]:
    """Yield the result of each batch in order, working a few batches ahead."""
    if asked.jobs == 1:
        for work in batches(asked):
            yield batch(*work)
        return
    coming, waiting = batches(asked), deque[Future[Tally]]()
    with ProcessPoolExecutor(asked.jobs, initializer=_ignore_interrupts) as pool:
        try:
            for work in islice(coming, AHEAD * asked.jobs):
                waiting.append(pool.submit(batch, *work))
            while waiting:
                yield waiting.popleft().result()
                for work in islice(coming, 1):
                    waiting.append(pool.submit(batch, *work))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the soak. Return 0 without failures, 1 with one, 130 after Ctrl-C, and 2 for bad input."""
    asked = _parse_arguments(arguments)
    if not __debug__:
        print("soaking rests on assertions: run it without -O", file=sys.stderr)
        return 2
    total, began = Tally(), perf_counter()
    code = 0
    running, progress = results(asked), _Progress(sum(end_of(asked, key) - asked.start for key in asked.games))
    try:
        for found in running:
            total.add(found)
            for failure in found.failures:
                _tell(failure, asked)
            progress(total)
            if len(total.failures) >= FAILURES_MAX:
                print(f"{len(total.failures)} failures: stopped", file=sys.stderr)
                break
    except KeyboardInterrupt:
        code = 130
    except BrokenProcessPool as error:
        print(f"a worker ended before its work did: {error}", file=sys.stderr)
        code = 1
    finally:
        running.close()
    _line_end()
    for line in report(total, asked.games, perf_counter() - began):
        print(line)
    if code == 130:
        print(f"stopped; go on with {left_over(asked, total.matches)}")
    return 1 if total.failures else code


def _parse_arguments(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.soak", description=__doc__)
    usual = ", ".join(f"{key} {tried(key).soaked:,}" for key in GAMES)
    parser.add_argument("--matches", type=_least(1), metavar="N", help=f"of each game ({usual})")
    parser.add_argument("--from", dest="start", type=_least(0), default=0, metavar="N", help="number of the first (0)")
    parser.add_argument("--seed", type=_least(0), default=0, metavar="N", help="where the seeds begin (0)")
    parser.add_argument(
        "--jobs", type=_least(1), default=os.cpu_count() or 1, metavar="N", help="processes (all cores)"
    )
    parser.add_argument(
        "--every", type=_least(0), default=EVERY, metavar="N", help=f"search every N-th ({EVERY}); 0: none"
    )
    parser.add_argument(
        "--game",
        "--games",
        dest="games",
        action="append",
        choices=sorted(GAMES),
        help="only this game; can be repeated",
    )
    asked = parser.parse_args(arguments)
    asked.games = list(dict.fromkeys(asked.games or sorted(GAMES)))
    for key in asked.games:
        if end_of(asked, key) <= asked.start:
            parser.error(f"--from: {key} is played up to match {end_of(asked, key)} unless --matches says how many")
    return asked


def _least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return number


def _tell(failure: Failure, asked: Namespace) -> None:
    every = 1 if asked.every and failure.number % asked.every == 0 else 0
    _line_end()
    print(f"FAILED: {failure.game}, match {failure.number}: {failure.what}")
    print(
        f"  again: python -m tests.soak --game {failure.game} --seed {asked.seed} --from {failure.number}"
        f" --matches 1 --jobs 1 --every {every}",
        flush=True,
    )


class _Progress:
    """A progress line: rewritten in place on a terminal, else printed once a minute."""

    def __init__(self, whole: int) -> None:
        self.whole, self.began, self.said = whole, perf_counter(), 0.0

    def __call__(self, total: Tally) -> None:
        spent, watched = perf_counter() - self.began, sys.stderr.isatty()
        if not watched and spent - self.said < QUIET_SECONDS:
            return
        self.said = spent
        left = spent / total.matches * (self.whole - total.matches)
        rate = f"{total.matches / spent:.1f}/s, {left / 60:.0f} min left, failures: {len(total.failures)}"
        text = f"{total.matches:,} of {self.whole:,} matches, {rate}"
        print(f"\r{text}\x1b[K" if watched else text, end="" if watched else "\n", file=sys.stderr, flush=True)


def _line_end() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def report(total: Tally, games: Sequence[str], spent: float) -> Iterator[str]:
    yield f"matches: {total.matches:,} in {spent:,.0f} s ({total.matches / max(spent, 1e-9):.1f}/s)"
    yield f"  frames: {_format_counts(total.frames)}"
    yield f"entries: {total.entries:,}, facts: {total.facts:,}"
    for key in games:
        yield from _coverage(total, key)
    yield f"searched for leaks: {total.searched:,} ({_format_counts(total.laws)})"
    yield f"actions: {sum(total.verbs.values()):,} ({_format_counts(total.verbs)})"
    seconds, game, number, entries = total.slowest
    yield f"slowest match: {game} {number}, {entries} entries, {seconds:.2f} s without the search"
    yield f"longest match: {total.longest[1]} {total.longest[2]}, {total.longest[0]} entries"
    yield f"failures: {len(total.failures)}"


def _coverage(total: Tally, key: str) -> Iterator[str]:
    game = GAMES[key]
    clauses = [str(one) for one in game.rulebook.clauses]
    told, asked = (sum(seen[one] > 0 for one in clauses) for seen in (total.clauses, total.consulted))
    never = [one for one in clauses if not total.clauses[one] and not total.consulted[one]]
    yield f"{key}: of {len(clauses)} clauses {told} told facts, {asked} were consulted (in the searched matches)"
    yield f"  never ({len(never)}): {' '.join(never) or '-'}"
    wanted = [f"{one.key}={value}" for one in game.options if one.tier == TIER for value in one.values]
    wanted += [f"{name}={_plain(value)}" for name, tuned in tried(key).numbers.items() for value in tuned]
    wanted = list(dict.fromkeys(wanted))
    missing = [one for one in wanted if not total.options[one]]
    yield f"  values of options drawn: {len(wanted) - len(missing)} of {len(wanted)}, never: {' '.join(missing) or '-'}"
    yield from _cast(total, key)


def _cast(total: Tally, key: str) -> Iterator[str]:
    cast = Counter({face: many for name, many in total.cast.items() if (face := name.removeprefix(f"{key} ")) != name})
    if cast:
        few = ", ".join(f"{face} {many:,}" for face, many in cast.most_common()[: -FEWEST - 1 : -1])
        yield f"  cards cast: {sum(cast.values()):,}, {len(cast)} different ones; least of all {few}"


def _format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "-"


if __name__ == "__main__":
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell that starts this in the background ignores Ctrl-C
        signal.signal(stop, signal.default_int_handler)
    sys.exit(main())
