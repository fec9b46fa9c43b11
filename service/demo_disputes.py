"""Disputes at the tournament to look at: one that is settled whole, two rulings that contradict each other, and others
that wait for whoever tries the console."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import Finding, audit
from domain.judging.audit.judge import Judge
from domain.judging.proposals import VERDICT_OF, too_far
from domain.judging.readings import OtherReading, read_otherwise
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import SECOND
from domain.law.entries import Closed, Entry, Played, opened_of, tables
from domain.law.policy import Policy, policy_of
from domain.law.record import record_of
from domain.law.slots import verb
from domain.table.table import Seat
from domain.words import LANGS, say
from recorder.answers import Recorded
from recorder.filing import file, propose_penalty
from recorder.loading import Match, load_match
from recorder.store import Listed, Store

PAIRS = 2
"""So many times two tables make the same mistake."""
FLOOR_JUDGE, OTHER_JUDGE, HEAD_JUDGE = "kato", "sato", "abe"
CALLED_MS, DEED_MS = 600_000, 20_000
"""How long ago judges were called, and how far what is decided from then on lies apart."""
EXTENSION = 180 * SECOND

Kind = tuple[str, str, Clause]
"""What rulings that contradict each other have in common: the hash of the rules, the verb, the clause."""


class Quarrel(Struct, frozen=True):
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


def find_quarrel(entries: Sequence[Entry]) -> Quarrel | None:
    """The last action over which somebody may quarrel in a match, None if all is right."""
    findings = audit(GAMES[opened_of(entries).game], entries).findings
    return next((told for finding in reversed(findings) if (told := _read_quarrel(entries, finding)) is not None), None)


def _read_quarrel(entries: Sequence[Entry], finding: Finding) -> Quarrel | None:
    opened, played = opened_of(entries), entries[finding.entry - 1]
    if finding.kind not in VERDICT_OF or not isinstance(played, Played) or played.actor not in opened.seats:
        return None
    named = verb(GAMES[opened.game].decoder().decode(played.action))
    return Quarrel(finding.entry, played.actor, VERDICT_OF[finding.kind], finding.clause, named, opened.rules_hash)


def let_err(records: Sequence[list[Entry]]) -> list[list[Entry]]:
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
            if finding is not None and (quarrel := _read_quarrel(short, finding)) is not None:
                yield quarrel.kind, short


def dispute_all(store: Store, now: int) -> None:
    """Dispute what the law finds in the matches of a store that go on. Of two alike one is ruled right and one wrong;
    one that another reading of the rules makes right is settled whole; the others wait."""
    going_on = (listed.match for listed in store.matches() if isinstance(listed, Listed) and not listed.closed)
    quarrels = {match: told for match in going_on if (told := find_quarrel(store.read(match))) is not None}
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

    def __init__(self, store: Store, match: str, quarrel: Quarrel, at: int) -> None:
        self.store, self.match, self.quarrel, self.at = store, match, quarrel, at
        self.number = 0
        """The entry that opens the dispute."""

    def dispute(self) -> None:
        """A judge is called: another seat claims that it was wrong, whoever did it that it was right."""
        self._file(D.Paused(by=FLOOR_JUDGE, reason=_say_both("demo.call")))
        actor, clause = self.quarrel.actor, self.quarrel.clause
        other = next(seat for seat in self._load().opened.seats if seat != actor)
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
        policy = policy_of(match.opened.policy)
        far = to and isinstance(policy, Policy) and too_far(policy, match, to) is not None
        return _say_both("demo.far") if far else ""

    def _load(self) -> Match:
        match = load_match(self.store, self.match)
        assert isinstance(match, Match), match
        return match

    def _file(self, entry: D.Filed) -> int:
        """Its number."""
        done = file(self.store, self.match, entry, at=self.at)
        assert isinstance(done, Recorded), done
        self.at += DEED_MS
        return done.version


def _say_both(key: str, **values: object) -> str:
    """A text in every language: what people wrote is read in any."""
    return " / ".join(say(key, lang, **values) for lang in LANGS)
