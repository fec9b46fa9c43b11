"""Demo tournament: recorded matches of every game, disputes, and tables where play goes on."""

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
from domain.judging.proposals import VERDICT_OF, explain_rewind_excess
from domain.judging.readings import OtherReading, find_other_readings
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.croupier import make_random_source
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
from recorder.decisions import propose_penalty, record_decision
from recorder.files import Closeable
from recorder.imports import import_records
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import close, open_match, play
from recorder.simulate import give_up_probability, pick, simulate
from recorder.store import MatchListItem, Store, StoreError
from service.context import AppContext

FIXTURES = Path(__file__).parents[1] / "fixtures"
"""Recorded matches in the repository. They are not installed with the package."""
SIMULATED = 6
"""Random matches for each game if none are recorded."""
EVENT = "Shinpan Open"
TABLES = 16
ENTRY_MS, ROUND_MS = 20_000, 3_600_000
"""Milliseconds between entries, and between rounds."""

LIVE, FIRST_LIVE = 3, 21
"""Number of tables where play goes on, and the first table number."""
AHEAD = 24
"""Actions played at each of these tables before the demo opens."""
PACE_S = 4.0
NAMES = ("Aoi", "Ren", "Mio", "Sora", "Kei", "Nao", "Haru", "Yui", "Toru", "Saki", "Jun", "Emi")


def fill(store: Store, at: int) -> int:
    """Import matches as rounds, dispute the faulty ones, and return the number of the last round. The last round began
    an hour before `at`."""
    records = make_faulty_records([*read_fixture_matches()] or [*simulate_matches()])
    records.sort(key=lambda entries: not isinstance(entries[-1], Closed))
    rounds = -(-len(records) // TABLES)
    dated = []
    for number, entries in enumerate(records):
        round, table = divmod(number, TABLES)
        dated.append(redate(entries, at, (rounds - round) * ROUND_MS, str(round + 1), str(table + 1)))
    import_records(store, [[codec.encode(entry) for entry in entries] for entries in dated])
    dispute_all(store, at)
    return rounds


def read_fixture_matches() -> Iterator[list[Entry]]:
    """Yield the recorded matches, alternating between games. A match with a finding is left open."""
    files = [sorted((FIXTURES / key / "matches").glob("*.spn")) for key in GAMES]
    rows = range(max(map(len, files)))
    read = [texts.read(paths[row]) for row in rows for paths in files if row < len(paths)]
    for entries in read:
        if not isinstance(entries, Text):
            disputed = isinstance(entries[-1], Closed) and find_disputable_action(entries) is not None
            yield entries[:-1] if disputed else entries


def simulate_matches() -> Iterator[list[Entry]]:
    for seed in range(1, SIMULATED + 1):
        for game in GAMES.values():
            yield simulate(newest_rules(game)[1], seed)


def newest_rules(game: Game) -> tuple[str, Law]:
    version, rules = list(game.versions.items())[-1]
    return version, Law(game, rules)


def redate(entries: Sequence[Entry], at: int, ago: int, round: str, table: str) -> list[Entry]:
    """Return a record re-dated to `ago` milliseconds before `at`, at a table of a round."""
    began = at - ago
    pinned = stored_policy(standard_policy())
    first = replace(opened_of(entries), at=began, occasion=make_occasion(began, round, table), policy=pinned)
    return [first, *(replace(entry, at=min(at, began + n * ENTRY_MS)) for n, entry in enumerate(entries[1:], start=1))]


def make_occasion(at: int, round: str, table: str) -> Occasion:
    return Occasion(event=EVENT, date=stamp(at, "%Y-%m-%d"), round=round, table=table, start=stamp(at, "%H:%M"))


class Players(Closeable):
    """Simulated players that play in a thread until they are closed."""

    def __init__(self, context: AppContext, round: int, pace: float = PACE_S) -> None:
        self._context, self._round, self._pace = context, str(round), pace
        self._seed, self._games, self._names = new_seed(), cycle(GAMES.values()), cycle(NAMES)
        self._ended = Event()
        self.matches = [self._open(table) for table in range(LIVE)]
        """Ids of the matches in play, by table."""
        self._thread = Thread(target=self._play_on, name="demo")
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join()

    def _play_on(self) -> None:
        ahead = AHEAD * LIVE
        for number, table in enumerate(cycle(range(LIVE))):
            if self._ended.wait(0 if number < ahead else self._pace / LIVE):
                return
            with suppress(StoreError):  # another writer may hold the store; retry at the next turn
                self.matches[table] = self._act(table, self.matches[table])

    def _open(self, table: int) -> str:
        game, at = next(self._games), read_wall_clock()
        version, law = newest_rules(game)
        names = {seat: next(self._names) for seat in map(Seat, ("p1", "p2"))}
        table_occasion = make_occasion(at, self._round, str(FIRST_LIVE + table))
        match = open_match(self._context.store, law, version, names, at=at, by="demo", occasion=table_occasion)
        assert isinstance(match, str), match
        self._context.wake(match)
        return match

    def _act(self, table: int, match: str) -> str:
        """Play one action at a table, or close its match and open a new one. Return the id of the table's match."""
        store = self._context.store
        loaded = load_match(store, match)
        assert isinstance(loaded, LoadedMatch)
        law, version = loaded.law, loaded.version
        awaited = [seat for seat in law.awaited(loaded.table) if seat != CHANCE]
        if loaded.closed or not awaited:
            close(store, match, JUDGE, at=read_wall_clock())
            self._context.wake(match)
            return self._open(table)
        draw = make_random_source(f"demo/{match}", self._seed, version + 1)
        actor = awaited[draw(len(awaited))]
        action = pick(law, loaded.table, actor, draw, give_up_probability(law, version))
        play(store, match, actor, action, at=read_wall_clock(), expected=version)
        self._context.wake(match)
        return match


MISTAKES_PAIRED = 2
"""Mistakes that are repeated at a second table, so that their rulings can contradict."""
FLOOR_JUDGE, OTHER_JUDGE, HEAD_JUDGE = "kato", "sato", "abe"
CALLED_MS, STEP_MS = 600_000, 20_000
"""Milliseconds since the judges were called, and between their later actions."""
EXTENSION = 180 * SECOND

Kind = tuple[str, str, Clause]
"""Key of contradicting rulings: hash of the rules, verb, clause."""


class DisputableAction(Struct, frozen=True):
    """A questionable action: its entry, actor and verb, the rules' hash, and the verdict and clause of a possible
    ruling."""

    entry: int
    actor: Seat
    verdict: D.Verdict
    clause: Clause
    verb: str
    rules: str

    @property
    def kind(self) -> Kind:
        """Return the key that two actions share if their rulings can contradict each other."""
        return self.rules, self.verb, self.clause


def find_disputable_action(entries: Sequence[Entry]) -> DisputableAction | None:
    """Return the last questionable action of a match, or None."""
    findings = audit(GAMES[opened_of(entries).game], entries).findings
    return next(
        (action for finding in reversed(findings) if (action := _read_disputable_action(entries, finding)) is not None),
        None,
    )


def _read_disputable_action(entries: Sequence[Entry], finding: AuditFinding) -> DisputableAction | None:
    opening, played = opened_of(entries), entries[finding.entry - 1]
    if finding.kind not in VERDICT_OF or not isinstance(played, Played) or played.actor not in opening.seats:
        return None
    verb_name = verb(GAMES[opening.game].decoder().decode(played.action))
    return DisputableAction(
        finding.entry, played.actor, VERDICT_OF[finding.kind], finding.clause, verb_name, opening.rules_hash
    )


def make_faulty_records(records: Sequence[list[Entry]]) -> list[list[Entry]]:
    """Return the records, some cut short after an action with a missing fact. Each mistake occurs at two tables."""
    first: dict[Kind, tuple[int, list[Entry]]] = {}
    cut: dict[int, list[Entry]] = {}
    for at, entries in enumerate(records):
        for kind, short in (
            _list_mistakes(entries) if isinstance(entries[-1], Closed) and len(cut) < 2 * MISTAKES_PAIRED else ()
        ):
            other, alike = first.setdefault(kind, (at, short))
            if other != at and other not in cut:
                cut |= {other: alike, at: short}
                break
    return [cut.get(at, entries) for at, entries in enumerate(records)]


def _list_mistakes(entries: list[Entry]) -> Iterator[tuple[Kind, list[Entry]]]:
    """Remove the last fact of each action in the second half. Yield the record up to that action if it is a finding."""
    opening = opened_of(entries)
    judge = Judge(record_of(GAMES[opening.game], entries).law, opening, pinned=True)
    for number, entry, before, _ in tables(entries):
        if number > len(entries) // 2 and isinstance(entry, Played) and len(entry.told) > 1:
            wrong = replace(entry, told=entry.told[:-1])
            short = [*entries[: number - 1], wrong]
            finding = judge.entry(number, wrong, (before,)).finding
            if finding is not None and (action := _read_disputable_action(short, finding)) is not None:
                yield action.kind, short


def dispute_all(store: Store, at: int) -> None:
    """Dispute the findings in the open matches of a store. Of two similar disputes, one is ruled right and one wrong.
    One that another reading of the rules allows is settled. The others stay open."""
    open_matches = (
        listed.match for listed in store.matches() if isinstance(listed, MatchListItem) and not listed.closed
    )
    disputed = {
        match: action for match in open_matches if (action := find_disputable_action(store.read(match))) is not None
    }
    demos = [_DemoDispute(store, match, action, at - CALLED_MS) for match, action in disputed.items()]
    kinds = Counter(action.kind for action in disputed.values())
    kind = next((kind for kind, many in kinds.items() if many > 1), None)
    alike = [demo for demo in demos if demo.action.kind == kind]
    others = [demo for demo in demos if demo.action.kind != kind]
    for demo in demos:
        demo.dispute()
    for demo, judge, right in zip(alike, (FLOOR_JUDGE, OTHER_JUDGE), (False, True), strict=False):
        demo.rule(judge, right=right)
        demo.resume()
    if others:
        max(others, key=lambda demo: demo.find_reading() is not None).settle()


class _DemoDispute:
    def __init__(self, store: Store, match: str, action: DisputableAction, at: int) -> None:
        self.store, self.match, self.action, self.at = store, match, action, at
        self.number = 0

    def dispute(self) -> None:
        """Call a judge and open the dispute: another seat claims a mistake, the actor denies it."""
        self._file(D.Paused(by=FLOOR_JUDGE, reason=_say_both("demo.call")))
        actor, clause = self.action.actor, self.action.clause
        other = next(seat for seat in self._load().opening.seats if seat != actor)
        matter = D.Matter(entry=self.action.entry, clause=clause)
        wrong, right = _say_both("demo.wrong", clause=clause), _say_both("demo.right")
        self.number = self._file(D.Disputed(by=other, matter=matter, claims={other: wrong}))
        self._file(D.Disputed(by=actor, dispute=self.number, claims={actor: right}))

    def rule(self, judge: str, *, right: bool, to: int = 0) -> int:
        """Rule the action right, or penalise it and optionally go back to entry `to`."""
        verdict: D.Verdict = "no_fault" if right else self.action.verdict
        penalty = propose_penalty(self.store, self._load(), self.action.actor, verdict=verdict, within=self.number)
        return self._file(
            D.Ruled(
                by=judge,
                dispute=self.number,
                verdict=verdict,
                clauses=(self.action.clause,),
                penalties=(penalty,) if isinstance(penalty, D.Penalty) else (),
                repair=D.Repair("rewind", to) if to else D.LEAVE,
                reason=_say_both("demo.right" if right else "demo.wrong", clause=self.action.clause),
                departure=self._say_departure(to),
            )
        )

    def settle(self) -> None:
        """Rule the action wrong and go back, appeal, overturn the ruling by another reading, and give extra time."""
        ruled = self.rule(FLOOR_JUDGE, right=False, to=self.action.entry - 1)
        self._file(D.Appealed(by=self.action.actor, dispute=self.number, reason=_say_both("demo.appeal")))
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
        readings = find_other_readings(self._load(), self.action.entry)
        return next((reading for reading in readings if not reading.finding), None)

    def _say_departure(self, to: int) -> str:
        """Return the reason for going back farther than the policy allows, or ''."""
        match = self._load()
        policy = policy_of(match.opening.policy)
        far = to and isinstance(policy, Policy) and explain_rewind_excess(policy, match, to) is not None
        return _say_both("demo.far") if far else ""

    def _load(self) -> LoadedMatch:
        match = load_match(self.store, self.match)
        assert isinstance(match, LoadedMatch), match
        return match

    def _file(self, entry: D.Filed) -> int:
        result = record_decision(self.store, self.match, entry, at=self.at)
        assert isinstance(result, RecordResult), result
        self.at += STEP_MS
        return result.version


def _say_both(key: str, **values: object) -> str:
    """Return a text in all languages, because a record is read in any of them."""
    return " / ".join(say(key, lang, **values) for lang in LANGS)
