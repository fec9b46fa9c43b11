"""A tournament to look at: recorded matches of every game, disputes, and tables at which somebody plays on."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

from msgspec.structs import replace

from archive.corpus import texts
from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.law.croupier import draws
from domain.law.entries import Closed, Entry, opened_of
from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.table.table import CHANCE, JUDGE, Seat
from domain.words import Text
from projections.moments import stamp
from recorder import codec
from recorder.chance import new_seed
from recorder.clock import now
from recorder.files import Closing
from recorder.imports import import_records
from recorder.loading import Match, load_match
from recorder.matches import close, open_match, play
from recorder.simulate import pick, simulate, weariness
from recorder.store import Store, StoreError
from service.context import AppContext
from service.demo_disputes import dispute_all, find_quarrel, let_err

FIXTURES = Path(__file__).parents[1] / "fixtures"
"""Recorded matches; they stand in the repository and are not installed."""
SIMULATED = 6
"""So many matches of each game are played at random where none are recorded."""
EVENT = "Shinpan Open"
TABLES = 16
"""So many matches are played in a round."""
ENTRY_MS, ROUND_MS = 20_000, 3_600_000
"""How far entries, and rounds, lie apart."""

LIVE, FIRST_LIVE = 3, 21
"""At so many tables somebody plays on, from this number on."""
AHEAD = 24
"""So many actions are played at each of them before anybody looks."""
PACE = 4.0
"""Seconds between two actions at a table."""
NAMES = ("Aoi", "Ren", "Mio", "Sora", "Kei", "Nao", "Haru", "Yui", "Toru", "Saki", "Jun", "Emi")


def fill(store: Store, at: int) -> int:
    """Take recorded matches into a store, in rounds, the last of which was begun an hour ago, and dispute what was
    wrong in them; the last round's number."""
    records = let_err([*recorded()] or [*simulated()])
    records.sort(key=lambda entries: not isinstance(entries[-1], Closed))
    rounds = -(-len(records) // TABLES)
    dated = []
    for number, entries in enumerate(records):
        round, table = divmod(number, TABLES)
        dated.append(date(entries, at, (rounds - round) * ROUND_MS, str(round + 1), str(table + 1)))
    import_records(store, [[codec.encode(entry) for entry in entries] for entries in dated])
    dispute_all(store, at)
    return rounds


def recorded() -> Iterator[list[Entry]]:
    """The matches of the repository, of the games by turns; one in which the law finds something is open yet."""
    files = [sorted((FIXTURES / key / "matches").glob("*.spn")) for key in GAMES]
    rows = range(max(map(len, files)))
    read = [texts.read(paths[row]) for row in rows for paths in files if row < len(paths)]
    for entries in read:
        if not isinstance(entries, Text):
            disputed = isinstance(entries[-1], Closed) and find_quarrel(entries) is not None
            yield entries[:-1] if disputed else entries


def simulated() -> Iterator[list[Entry]]:
    """Matches played at random, of the games by turns."""
    for seed in range(1, SIMULATED + 1):
        for game in GAMES.values():
            yield simulate(newest(game)[1], seed)


def newest(game: Game) -> tuple[str, Law]:
    """A game's newest version and its law."""
    version, rules = list(game.versions.items())[-1]
    return version, Law(game, rules)


def date(entries: Sequence[Entry], at: int, ago: int, round: str, table: str) -> list[Entry]:
    """A record as if it had been begun so long before this moment, at a table of a round."""
    began = at - ago
    pinned = stored_policy(standard_policy())
    first = replace(opened_of(entries), at=began, occasion=occasion(began, round, table), policy=pinned)
    return [first, *(replace(entry, at=min(at, began + n * ENTRY_MS)) for n, entry in enumerate(entries[1:], start=1))]


def occasion(at: int, round: str, table: str) -> Occasion:
    """Where in the tournament a match is played."""
    return Occasion(event=EVENT, date=stamp(at, "%Y-%m-%d"), round=round, table=table, start=stamp(at, "%H:%M"))


class Players(Closing):
    """Those who play on, in a thread of their own, until they are closed."""

    def __init__(self, context: AppContext, round: int, pace: float = PACE) -> None:
        self._house, self._round, self._pace = context, str(round), pace
        self._seed, self._games, self._names = new_seed(), cycle(GAMES.values()), cycle(NAMES)
        self._ended = Event()
        self.matches = [self._open(table) for table in range(LIVE)]
        """Those that are played now, by their tables."""
        self._thread = Thread(target=self._play_on, name="demo")
        self._thread.start()

    def close(self) -> None:
        """Let them stop, and wait until they have."""
        self._ended.set()
        self._thread.join()

    def _play_on(self) -> None:
        ahead = AHEAD * LIVE
        for number, table in enumerate(cycle(range(LIVE))):
            if self._ended.wait(0 if number < ahead else self._pace / LIVE):
                return
            with suppress(StoreError):  # somebody else may hold the store for long; there is a next time
                self.matches[table] = self._act(table, self.matches[table])

    def _open(self, table: int) -> str:
        game, at = next(self._games), now()
        version, law = newest(game)
        names = {seat: next(self._names) for seat in map(Seat, ("p1", "p2"))}
        said = occasion(at, self._round, str(FIRST_LIVE + table))
        match = open_match(self._house.store, law, version, names, at=at, by="demo", occasion=said)
        assert isinstance(match, str), match
        self._house.wake(match)
        return match

    def _act(self, table: int, match: str) -> str:
        """An action of somebody at a table, or a new match where nothing is left to do; the match played there."""
        store = self._house.store
        loaded = load_match(store, match)
        assert isinstance(loaded, Match)
        law, version = loaded.law, loaded.version
        awaited = [seat for seat in law.awaited(loaded.table) if seat != CHANCE]
        if loaded.closed or not awaited:
            close(store, match, JUDGE, at=now())
            self._house.wake(match)
            return self._open(table)
        below = draws(f"demo/{match}", self._seed, version + 1)
        actor = awaited[below(len(awaited))]
        action = pick(law, loaded.table, actor, below, weariness(law, version))
        play(store, match, actor, action, at=now(), expected=version)
        self._house.wake(match)
        return match
