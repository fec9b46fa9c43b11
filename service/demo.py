"""A tournament to look at: recorded matches of every game, disputes, and tables at which somebody plays on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus import texts
from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.judging.audit import AuditFinding, audit
from domain.judging.audit.judge import Judge
from domain.judging.proposals import VERDICT_OF, too_far
from domain.judging.readings import OtherReading, read_otherwise
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.croupier import draws
from domain.law.docket import SECOND
from domain.law.entries import Closed, Entry, Played, opened_of, tables
from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.policy import Policy, policy_of
from domain.law.record import record_of
from domain.law.slots import verb
from domain.table.table import CHANCE, JUDGE, Seat
from domain.words import LANGS, Text, say
from projections.moments import stamp
from recorder import codec
from recorder.answers import RecordResult
from recorder.chance import new_seed
from recorder.clock import read_wall_clock
from recorder.files import Closeable
from recorder.filing import file, propose_penalty
from recorder.imports import import_records
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import close, open_match, play
from recorder.simulate import pick, simulate, weariness
from recorder.store import MatchListItem, Store, StoreError
from service.context import AppContext

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
    records = make_faulty_records([*read_fixture_matches()] or [*simulated()])
    records.sort(key=lambda entries: not isinstance(entries[-1], Closed))
    rounds = -(-len(records) // TABLES)
    dated = []
    for number, entries in enumerate(records):
        round, table = divmod(number, TABLES)
        dated.append(date(entries, at, (rounds - round) * ROUND_MS, str(round + 1), str(table + 1)))
    import_records(store, [[codec.encode(entry) for entry in entries] for entries in dated])
    dispute_all(store, at)
    return rounds


def read_fixture_matches() -> Iterator[list[Entry]]:
    """The matches of the repository, of the games by turns; one in which the law finds something is open yet."""
    files = [sorted((FIXTURES / key / "matches").glob("*.spn")) for key in GAMES]
    rows = range(max(map(len, files)))
    read = [texts.read(paths[row]) for row in rows for paths in files if row < len(paths)]
    for entries in read:
        if not isinstance(entries, Text):
            disputed = isinstance(entries[-1], Closed) and find_disputable_action(entries) is not None
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


class Players(Closeable):
    """Those who play on, in a thread of their own, until they are closed."""

    def __init__(self, context: AppContext, round: int, pace: float = PACE) -> None:
        self._context, self._round, self._pace = context, str(round), pace
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
        game, at = next(self._games), read_wall_clock()
        version, law = newest(game)
        names = {seat: next(self._names) for seat in map(Seat, ("p1", "p2"))}
        said = occasion(at, self._round, str(FIRST_LIVE + table))
        match = open_match(self._context.store, law, version, names, at=at, by="demo", occasion=said)
        assert isinstance(match, str), match
        self._context.wake(match)
        return match

    def _act(self, table: int, match: str) -> str:
        """An action of somebody at a table, or a new match where nothing is left to do; the match played there."""
        store = self._context.store
        loaded = load_match(store, match)
        assert isinstance(loaded, LoadedMatch)
        law, version = loaded.law, loaded.version
        awaited = [seat for seat in law.awaited(loaded.table) if seat != CHANCE]
        if loaded.closed or not awaited:
            close(store, match, JUDGE, at=read_wall_clock())
            self._context.wake(match)
            return self._open(table)
        below = draws(f"demo/{match}", self._seed, version + 1)
        actor = awaited[below(len(awaited))]
        action = pick(law, loaded.table, actor, below, weariness(law, version))
        play(store, match, actor, action, at=read_wall_clock(), expected=version)
        self._context.wake(match)
        return match


PAIRS = 2
"""So many times two tables make the same mistake."""
FLOOR_JUDGE, OTHER_JUDGE, HEAD_JUDGE = "kato", "sato", "abe"
CALLED_MS, DEED_MS = 600_000, 20_000
"""How long ago judges were called, and how far what is decided from then on lies apart."""
EXTENSION = 180 * SECOND

Kind = tuple[str, str, Clause]
"""What rulings that contradict each other have in common: the hash of the rules, the verb, the clause."""


class DisputableAction(Struct, frozen=True):
    """An action over which somebody may quarrel: its entry, by whom it was, and what a judge may rule by which clause
    (what the law finds); its verb, and the hash of the rules it was done under."""

    entry: int
    actor: Seat
    verdict: D.Verdict
    clause: Clause
    verb: str
    rules: str

    @property
    def kind(self) -> Kind:
        """What another one must be like, for rulings on the two to contradict each other."""
        return self.rules, self.verb, self.clause


def find_disputable_action(entries: Sequence[Entry]) -> DisputableAction | None:
    """The last action over which somebody may quarrel in a match, None if all is right."""
    findings = audit(GAMES[opened_of(entries).game], entries).findings
    return next(
        (told for finding in reversed(findings) if (told := _read_disputable_action(entries, finding)) is not None),
        None,
    )


def _read_disputable_action(entries: Sequence[Entry], finding: AuditFinding) -> DisputableAction | None:
    opened, played = opened_of(entries), entries[finding.entry - 1]
    if finding.kind not in VERDICT_OF or not isinstance(played, Played) or played.actor not in opened.seats:
        return None
    named = verb(GAMES[opened.game].decoder().decode(played.action))
    return DisputableAction(
        finding.entry, played.actor, VERDICT_OF[finding.kind], finding.clause, named, opened.rules_hash
    )


def make_faulty_records(records: Sequence[list[Entry]]) -> list[list[Entry]]:
    """The records, some of which end with an action of which something was forgotten, the same at two tables."""
    first: dict[Kind, tuple[int, list[Entry]]] = {}
    cut: dict[int, list[Entry]] = {}
    for at, entries in enumerate(records):
        for kind, short in _list_mistakes(entries) if isinstance(entries[-1], Closed) and len(cut) < 2 * PAIRS else ():
            other, alike = first.setdefault(kind, (at, short))
            if other != at and other not in cut:
                cut |= {other: alike, at: short}
                break
    return [cut.get(at, entries) for at, entries in enumerate(records)]


def _list_mistakes(entries: list[Entry]) -> Iterator[tuple[Kind, list[Entry]]]:
    """A record's first half and what follows, up to each action without whose last fact the law would find fault."""
    opened = opened_of(entries)
    judge = Judge(record_of(GAMES[opened.game], entries).law, opened, pinned=True)
    for number, entry, before, _ in tables(entries):
        if number > len(entries) // 2 and isinstance(entry, Played) and len(entry.told) > 1:
            wrong = replace(entry, told=entry.told[:-1])
            short = [*entries[: number - 1], wrong]
            finding = judge.entry(number, wrong, (before,)).finding
            if finding is not None and (quarrel := _read_disputable_action(short, finding)) is not None:
                yield quarrel.kind, short


def dispute_all(store: Store, now: int) -> None:
    """Dispute what the law finds in the matches of a store that go on. Of two alike one is ruled right and one wrong;
    one that another reading of the rules makes right is settled whole; the others wait."""
    going_on = (listed.match for listed in store.matches() if isinstance(listed, MatchListItem) and not listed.closed)
    quarrels = {match: told for match in going_on if (told := find_disputable_action(store.read(match))) is not None}
    desks = [_Desk(store, match, told, now - CALLED_MS) for match, told in quarrels.items()]
    kinds = Counter(told.kind for told in quarrels.values())
    kind = next((kind for kind, many in kinds.items() if many > 1), None)
    alike = [desk for desk in desks if desk.quarrel.kind == kind]
    others = [desk for desk in desks if desk.quarrel.kind != kind]
    for desk in desks:
        desk.dispute()
    for desk, judge, right in zip(alike, (FLOOR_JUDGE, OTHER_JUDGE), (False, True), strict=False):
        desk.rule(judge, right=right)
        desk.resume()
    if others:
        max(others, key=lambda desk: desk.find_reading() is not None).settle()


class _Desk:
    """What is decided about one quarrel, one deed after the other, through the recorder."""

    def __init__(self, store: Store, match: str, quarrel: DisputableAction, at: int) -> None:
        self.store, self.match, self.quarrel, self.at = store, match, quarrel, at
        self.number = 0
        """The entry that opens the dispute."""

    def dispute(self) -> None:
        """A judge is called: another seat claims that it was wrong, whoever did it that it was right."""
        self._file(D.Paused(by=FLOOR_JUDGE, reason=_say_both("demo.call")))
        actor, clause = self.quarrel.actor, self.quarrel.clause
        other = next(seat for seat in self._load().opening.seats if seat != actor)
        matter = D.Matter(entry=self.quarrel.entry, clause=clause)
        wrong, right = _say_both("demo.wrong", clause=clause), _say_both("demo.right")
        self.number = self._file(D.Disputed(by=other, matter=matter, claims={other: wrong}))
        self._file(D.Disputed(by=actor, dispute=self.number, claims={actor: right}))

    def rule(self, judge: str, *, right: bool, to: int = 0) -> int:
        """A judge finds that it was right, or penalises it and lets the match go back to an entry, if one is named."""
        verdict: D.Verdict = "no_fault" if right else self.quarrel.verdict
        penalty = propose_penalty(self.store, self._load(), self.quarrel.actor, verdict=verdict, within=self.number)
        return self._file(
            D.Ruled(
                by=judge,
                dispute=self.number,
                verdict=verdict,
                clauses=(self.quarrel.clause,),
                penalties=(penalty,) if isinstance(penalty, D.Penalty) else (),
                repair=D.Repair("rewind", to) if to else D.LEAVE,
                reason=_say_both("demo.right" if right else "demo.wrong", clause=self.quarrel.clause),
                departure=self._say_departure(to),
            )
        )

    def settle(self) -> None:
        """It is ruled wrong and taken back, appealed, overturned by another reading and put back, and time is given."""
        ruled = self.rule(FLOOR_JUDGE, right=False, to=self.quarrel.entry - 1)
        self._file(D.Appealed(by=self.quarrel.actor, dispute=self.number, reason=_say_both("demo.appeal")))
        reading = self.find_reading()
        right = "demo.right" if reading is None else "demo.reading"
        values = {} if reading is None else {"option": reading.option, "value": reading.value}
        self._file(
            D.Decided(
                by=HEAD_JUDGE,
                dispute=self.number,
                outcome="overturned",
                reason=_say_both(right, **values),
                verdict="no_fault",
                repair=D.Repair("rewind", ruled - 1),
                departure=self._say_departure(ruled - 1),
            )
        )
        self.resume()

    def resume(self) -> None:
        self._file(D.Resumed(by=FLOOR_JUDGE, extension=EXTENSION))

    def find_reading(self) -> OtherReading | None:
        """A reading of the rules under which the law finds nothing."""
        readings = read_otherwise(self._load(), self.quarrel.entry)
        return next((reading for reading in readings if not reading.finding), None)

    def _say_departure(self, to: int) -> str:
        """Why the match goes back farther than its policy proposes, where it does."""
        match = self._load()
        policy = policy_of(match.opening.policy)
        far = to and isinstance(policy, Policy) and too_far(policy, match, to) is not None
        return _say_both("demo.far") if far else ""

    def _load(self) -> LoadedMatch:
        match = load_match(self.store, self.match)
        assert isinstance(match, LoadedMatch), match
        return match

    def _file(self, entry: D.Filed) -> int:
        """Its number."""
        done = file(self.store, self.match, entry, at=self.at)
        assert isinstance(done, RecordResult), done
        self.at += DEED_MS
        return done.version


def _say_both(key: str, **values: object) -> str:
    """A text in every language: what people wrote is read in any."""
    return " / ".join(say(key, lang, **values) for lang in LANGS)
