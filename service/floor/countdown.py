"""Countdowns on pages: the end as a time of day, and the numbers for the page's script."""

from collections.abc import Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

from markupsafe import Markup
from msgspec import Struct

from domain.law.docket import SECOND
from domain.words import say
from domain.words.lines import clock_time
from projections.clocks import Countdown, count_down
from projections.tables import Round, TableStatus
from service.access import may
from service.floor.round_timer import round_minutes, running_timer
from service.requests import Request


class CountdownWords(Struct, frozen=True):
    """The time left at a table or in a round. `end` is empty before the start. `stopped_at_ms` is the time at which the
    clock stopped (0: it runs). `left` is written without a script too, since it is constant while the clock is stopped.
    """

    minutes: int
    end: Markup
    end_ms: int = 0
    stopped_at_ms: int = 0
    left: str = ""


def countdown_words(request: Request, countdown: Countdown | None) -> CountdownWords | None:
    if countdown is None:
        return None
    if not countdown.start:
        return CountdownWords(countdown.minutes, Markup())
    left = ""
    if countdown.stands:
        seconds = countdown.remaining_ms(countdown.stands) // SECOND
        left = say("timer.over" if seconds < 0 else "timer.left", request.lang, time=clock_time(abs(seconds)))
    end = request.time(countdown.end, "minute")
    return CountdownWords(countdown.minutes, end, countdown.end, countdown.stands, left)


class RoundClock(Struct, frozen=True):
    """The timer of a round. Its end does not include the extra time of single tables.

    `waiting`: tables where the session may still start it. `minutes`: the suggested length. `stops`: the session may
    cancel the start. `id`: the command id of the next form, which changes with the timer.
    """

    event: str
    round: str
    countdown: CountdownWords | None
    waiting: int
    minutes: int
    stops: bool
    id: UUID


def read_round_clock(request: Request, round_key: Round, tables: Sequence[TableStatus]) -> RoundClock | None:
    """Return the timer of a round; None if it has none and the session cannot start one."""
    played = [table for table in tables if not (table.ended or table.parent)]
    running = running_timer(tables)
    sets = any(round_key) and may(request.session, "pair")
    waiting = sum(table.timer is None or not table.timer.start for table in played) if sets else 0
    if not (waiting or (running and played)):
        return None
    state = sorted((table.match, table.timer.start if table.timer is not None else 0) for table in played)
    return RoundClock(
        *round_key,
        countdown_words(request, count_down(running, ())),
        waiting,
        round_minutes(tables),
        sets and running is not None,
        uuid5(NAMESPACE_URL, f"{request.session.number} timer {round_key} {state}"),
    )
