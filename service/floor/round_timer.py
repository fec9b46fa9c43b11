"""Timer of a round: its matches, and start or cancel in all of them."""

from collections import Counter
from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from domain.law.timers import RoundTimer
from domain.words import Text
from projections.tables import Round, TableStatus, natural
from recorder.match_list import DamagedMatch
from recorder.store import Conflict
from recorder.timing import TimedMatch, Timing, set_timer
from recorder.troubles import UNREAD, StoreError
from service.floor.new_matches import read_round_minutes
from service.floor.results import MATCHES_MAX
from service.idempotency import author_of, bind, key_of
from service.payloads import TimedTable, TimeRound
from service.problems import busy, http_problem
from service.recording.refusals import problem_of_result
from service.requests import LOCKED_SECONDS, Request


def time_round(request: Request, body: TimeRound) -> tuple[TimedTable, ...]:
    """Start the timer of a round in all its open matches, or cancel the start. Raises HttpProblem if there is no such
    round or its timer runs with another length. Raises FormatError for an invalid length, and StoreError."""
    request.require("pair")
    context, round_key = request.context, (body.event.strip(), body.round.strip())
    minutes = None if body.minutes is None else read_round_minutes(body.minutes)
    tables = round_tables(request, round_key)
    if not tables:
        raise http_problem("unknown", Text("floor.no_round"))
    running, length = running_timer(tables), round_minutes(tables)
    if not body.stop and running is not None and minutes not in (None, running.minutes):
        raise http_problem("exists", Text("timer.running", {"minutes": running.minutes}))
    if minutes is None and not length:
        raise http_problem("unreadable", Text("timer.none"))
    key = key_of(request, body.id)
    at = context.clock()
    changed = set_timer(
        context.store,
        [TimedMatch(table.match, table.timer) for table in tables if not table.ended],
        Timing(
            timer=running or RoundTimer(minutes or length, at),
            by=author_of(request.session),
            at=at,
            command=None if key is None else bind(request, key, to_builtins(replace(body, id=None))),
            stop=body.stop,
        ),
    )
    if isinstance(changed, Conflict):
        raise busy("store-unavailable", LOCKED_SECONDS)
    if not isinstance(changed, tuple):
        raise problem_of_result(changed)
    for match in changed:
        context.wake(match)
    listed = (context.read_listed_table(request.session, table.match) for table in tables)
    return tuple(
        TimedTable(table=table.table, match=table.match, changed=table.match in changed, countdown=table.countdown)
        for table in listed
        if table is not None and not table.ended
    )


def round_tables(request: Request, round_key: Round) -> tuple[TableStatus, ...]:
    """Return the matches of a round, without branches and damaged ones. Raises StoreError."""
    if not any(round_key):
        return ()
    found: list[TableStatus] = []
    for row in request.context.store.newest(MATCHES_MAX):
        if isinstance(row, DamagedMatch):
            continue
        try:
            summary = request.context.match_summaries.read(row.match, row.entries)
        except StoreError as error:
            if error.trouble not in UNREAD:
                raise
            continue
        if summary is not None and summary.of == round_key and not summary.parent and not summary.damaged:
            found.append(summary)
    return tuple(sorted(found, key=lambda table: (natural(table.table), table.match)))


def running_timer(tables: Sequence[TableStatus]) -> RoundTimer | None:
    """Return the timer that most tables of a round run by; None before the start."""
    return _most_common([table.timer for table in tables if table.timer is not None and table.timer.start])


def round_minutes(tables: Sequence[TableStatus]) -> int:
    """Return the length that most tables of a round have; 0 if none has one."""
    common = _most_common([RoundTimer(table.timer.minutes) for table in tables if table.timer is not None])
    return 0 if common is None else common.minutes


def _most_common(timers: Sequence[RoundTimer]) -> RoundTimer | None:
    return Counter(timers).most_common(1)[0][0] if timers else None
