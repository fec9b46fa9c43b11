"""Tables of a room: the match at each, its round, and the order in which they need a judge."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Closed, Described, Entry, Opened, Played, Rewound, entry_facts, line, opened_of
from domain.law.occasion import Occasion
from domain.law.policy import Policy, policy_of
from domain.law.timers import RoundTimer, read_timer
from domain.table.facts import Clocked, Finished
from domain.table.table import Result, Seat
from domain.words import Lang, say
from projections.clocks import Countdown, Stop, count_down, given_back, list_stops
from projections.match_status import clock_of, read_status
from projections.viewing import is_over

Round = tuple[str, str]
"""Name of an event and of one of its rounds, or '' if unknown."""
NAMES_MAX: Final = 8_192
"""Table names whose sort keys are kept."""


class JudgeCall(Struct, frozen=True):
    """A call for a judge: its entry and its time in milliseconds (0 if unknown)."""

    entry: int
    at: int


class OpenRewindRequest(Struct, frozen=True):
    """An open request to go back: its entry, its time in milliseconds, and the target."""

    entry: int
    at: int
    to: int


class TableStatus(Struct, frozen=True, kw_only=True):
    """The current state of a match at its table.

    `acted` is the time of the last action, rewind, opening or closing. `broken` counts entries in force that broke the
    rules. `over` is True if hidden cards may be disclosed; a closed branch still hides what its parent hides. `calls`
    is empty once the match is closed.
    """

    match: str
    table: str
    of: Round
    game: str
    edition: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str]
    parent: str
    parent_at: int
    opened: int
    entries: int
    last: int
    acted: int
    turn: int
    active: Seat | None
    closed: bool
    over: bool
    result: Result | None
    occasion: Occasion
    announced: str
    broken: int
    calls: tuple[JudgeCall, ...] = ()
    request: OpenRewindRequest | None = None
    """Open request to go back, for judges."""
    disputes: tuple[JudgeCall, ...] = ()
    """Disputes that wait for a ruling or a decision, by opening entry and start of the wait."""
    ending_steps: tuple[str, ...] = ()
    """Penalty steps that end the match by its policy; empty for more than two seats, which have no single winner."""
    endings: tuple[tuple[int, int], ...] = ()
    """Penalties in force that end the match, as (entry, dispute); the dispute is 0 without one."""
    stops: tuple[Stop, ...] = ()
    timer: RoundTimer | None = None
    """None in a branch, which is not a match of the round."""
    damaged: int = 0
    """First damaged entry of the record, which is shown up to it; 0 for a whole one."""

    @property
    def ended(self) -> bool:
        return self.closed or self.result is not None

    @property
    def ends_by(self) -> int:
        """Last penalty that ends the match, by its entry; 0 if there is none or the end is recorded."""
        return max((entry for entry, _ in self.endings), default=0) if not self.ended else 0

    @property
    def judge_requests(self) -> tuple[JudgeCall | OpenRewindRequest, ...]:
        """Calls and requests that wait for a judge, in the order of the record."""
        request = () if self.request is None else (self.request,)
        return tuple(sorted((*self.calls, *request), key=lambda each: each.entry))

    @property
    def waiting_since(self) -> int | None:
        """Time in milliseconds since which a call, request or dispute waits for a judge; None if none does."""
        return min((each.at for each in (*self.judge_requests, *self.disputes)), default=None)

    @property
    def current_stop(self) -> Stop | None:
        """The current stop of the clock, or None. The clock of a closed match is not stopped."""
        return self.stops[-1] if self.stops and not self.stops[-1].until and not self.closed else None

    def given_back(self, now: int) -> tuple[int, int]:
        """Return the time given back until now or the closing, in milliseconds: stops and extensions."""
        return given_back(self.stops, self.last if self.closed else now, self.timer)

    @property
    def countdown(self) -> Countdown | None:
        """The time left; None after the end or if the round has no timer."""
        return None if self.ended else count_down(self.timer, self.stops)


class Tally(Struct, frozen=True):
    """Numbers of tables in a round: open, ended, with a call, with a dispute, with a stopped clock, damaged."""

    open: int = 0
    ended: int = 0
    called: int = 0
    disputed: int = 0
    paused: int = 0
    damaged: int = 0


def read_table_status(
    match: str, entries: Sequence[Entry], calls: Sequence[JudgeCall] = (), request: OpenRewindRequest | None = None
) -> TableStatus:
    """Return the state of a match with these entries, without folding tables or asking the law."""
    opened, status = opened_of(entries), read_status(entries)
    closed, steps = isinstance(entries[-1], Closed), _ending_steps(opened)
    return TableStatus(
        match=match,
        table=status.occasion.table,
        of=_round(status.occasion),
        game=opened.game,
        edition=opened.version,
        seats=opened.seats,
        names=opened.names,
        parent=opened.parent,
        parent_at=opened.parent_at,
        opened=opened.at,
        entries=len(entries),
        last=status.last,
        acted=_find_last_action(entries),
        turn=status.turn,
        active=clock_of(entries).active,
        closed=closed,
        over=is_over(entries),
        result=status.result,
        occasion=status.occasion,
        announced=status.announced,
        broken=_count_broken(entries[number - 1] for number in line(entries)),
        calls=() if closed else tuple(calls),
        request=None if closed else request,
        disputes=() if closed else _list_disputes(entries),
        ending_steps=steps,
        endings=_list_endings(entries, steps),
        stops=list_stops(entries),
        timer=None if opened.parent else read_timer(entries),
    )


def describe_opening(match: str, opened: Opened) -> TableStatus:
    """Return what the opening of a match says about its table, round and players, with no entry seen and nothing of the
    play."""
    table = read_table_status(match, (opened,))
    return replace(table, entries=0, acted=0, turn=0, active=None, result=None, announced="", timer=None)


def update_table_status(
    now: TableStatus, news: Sequence[Entry], calls: Sequence[JudgeCall] = (), request: OpenRewindRequest | None = None
) -> TableStatus:
    """Return the state after further entries, which must not include a rewind."""
    facts = [fact for entry in news for _, fact in entry_facts(entry)]
    clock = next((fact.clock for fact in reversed(facts) if isinstance(fact, Clocked)), None)
    described = next((entry for entry in reversed(news) if isinstance(entry, Described)), now)
    closed = now.closed or any(isinstance(entry, Closed) for entry in news)
    return replace(
        now,
        table=described.occasion.table,
        of=_round(described.occasion),
        entries=now.entries + len(news),
        last=news[-1].at if news else now.last,
        acted=_find_last_action(news) or now.acted,
        turn=now.turn if clock is None else clock.turn,
        active=now.active if clock is None else clock.active,
        closed=closed,
        over=closed and not now.parent,
        result=next((fact.result for fact in reversed(facts) if isinstance(fact, Finished)), now.result),
        occasion=described.occasion,
        announced=described.announced,
        broken=now.broken + _count_broken(news),
        calls=() if closed else tuple(calls),
        request=None if closed else request,
        disputes=() if closed else _list_disputes(news, now.disputes, now.entries),
        endings=_list_endings(news, now.ending_steps, now.endings, now.entries),
        stops=list_stops(news, now.stops, now.entries),
        timer=None if now.parent else read_timer(news, now.timer),
    )


def _list_disputes(entries: Sequence[Entry], before: Sequence[JudgeCall] = (), after: int = 0) -> tuple[JudgeCall, ...]:
    waiting = list(before)
    for number, entry in enumerate(entries, start=after + 1):
        match entry:
            case D.Disputed(dispute=0):
                waiting.append(JudgeCall(number, entry.at))
            case D.Appealed(dispute=dispute):
                waiting.append(JudgeCall(dispute, entry.at))
            case D.Ruled(dispute=dispute) | D.Decided(dispute=dispute, outcome="upheld" | "overturned"):
                waiting = [other for other in waiting if other.entry != dispute]
            case _:
                pass
    return tuple(waiting)


def _ending_steps(opened: Opened) -> tuple[str, ...]:
    policy = policy_of(opened.policy)
    if not isinstance(policy, Policy) or len(opened.seats) != 2:
        return ()
    return tuple(name for name, step in policy.step.items() if step.ends_match)


def _list_endings(
    entries: Sequence[Entry], steps: Sequence[str], before: Sequence[tuple[int, int]] = (), after: int = 0
) -> tuple[tuple[int, int], ...]:
    """Return the penalties in force with these steps. `before` are those up to entry `after`."""
    endings = list(before)
    for number, entry in enumerate(entries, start=after + 1):
        match entry:
            case D.Penalised(penalty=penalty) if penalty.step in steps:
                endings.append((number, 0))
            case D.Ruled(dispute=dispute) | D.Decided(dispute=dispute, outcome="overturned" | "remanded"):
                endings = [each for each in endings if each[1] != dispute]
                if any(penalty.step in steps for penalty in entry.penalties):
                    endings.append((number, dispute))
            case _:
                pass
    return tuple(endings)


def _find_last_action(entries: Sequence[Entry]) -> int:
    return next((entry.at for entry in reversed(entries) if isinstance(entry, Opened | Played | Rewound | Closed)), 0)


def _round(occasion: Occasion) -> Round:
    return occasion.event, occasion.round


def _count_broken(entries: Iterable[Entry]) -> int:
    return sum(isinstance(entry, Played) and bool(entry.violations) for entry in entries)


def round_words(of: Round, lang: Lang) -> str:
    """Return the name of a round, after its event if that is given."""
    event, name = of
    if name:
        words = say("floor.round", lang, n=name) if name.isdecimal() else name
        return say("floor.event_round", lang, event=event, round=words) if event else words
    return event or say("floor.tables", lang)


def table_words(occasion: Occasion, lang: Lang, *, event: bool = False) -> str:
    """Return round and table of a match in words, '' if unknown. `event` adds the event's name."""
    of = (occasion.event if event else "", occasion.round)
    round_name = round_words(of, lang) if any(of) else ""
    if not occasion.table:
        return round_name
    if not round_name:
        return say("table.alone", lang, table=occasion.table)
    return say("table.of_round", lang, round=round_name, table=occasion.table)


def rounds(tables: Iterable[TableStatus]) -> tuple[Round, ...]:
    """Return the rounds of these tables, the newest first, ("", "") last. An event without a round, such as a paper
    sheet, comes after named rounds while one of these has an open table."""
    newest: dict[Round, tuple[int, int]] = {}
    playing = False
    for position, table in enumerate(tables):
        newest[table.of] = max(newest.get(table.of, (0, 0)), (table.opened, position))
        playing = playing or bool(table.of[1] and not table.ended)

    def order(of: Round) -> tuple[bool, bool, tuple[int, int]]:
        return any(of), bool(of[1]) or not playing, newest[of]

    return tuple(sorted(newest, key=order, reverse=True))


def tally(tables: Iterable[TableStatus]) -> dict[Round, Tally]:
    """Return the numbers of tables by state for each round."""
    tallies: dict[Round, Tally] = {}
    for table in tables:
        before = tallies.get(table.of, Tally())
        tallies[table.of] = Tally(
            before.open + (not table.ended),
            before.ended + table.ended,
            before.called + bool(table.judge_requests),
            before.disputed + bool(table.disputes),
            before.paused + (table.current_stop is not None),
            before.damaged + bool(table.damaged),
        )
    return tallies


def sort_by_need(tables: Iterable[TableStatus], *, judging: bool) -> tuple[TableStatus, ...]:
    """Return the tables by number. For a judge, the longest waiting come first, then those with problems."""

    def need(table: TableStatus) -> tuple[object, ...]:
        waiting = table.waiting_since
        wrong = table.damaged or table.ends_by or (table.broken and not table.closed)
        sort = (0 if waiting is not None else 1 if wrong else 2) if judging else 2
        return sort, waiting if sort == 0 else 0, table.closed, natural(table.table), table.opened, table.match

    return tuple(sorted(tables, key=need))


@lru_cache(maxsize=NAMES_MAX)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that orders table 9 before table 10, and empty names last."""
    parts = re.findall(r"\d+|\D+", name, re.ASCII)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts) or ((2, 0, ""),)
