"""The time left, as pages show it: the end as a time of day, and numbers from which the page's script counts down."""

from collections.abc import Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

from markupsafe import Markup
from msgspec import Struct

from domain.law.docket import SECOND
from domain.words import say
from domain.words.lines import clock_time
from projections.clocks import Countdown, count_down
from projections.tables import Round, TableNow
from service.access import may
from service.floor.round_timer import round_minutes, running_timer
from service.requests import Request


class CountdownWords(Struct, frozen=True):
    """The time left at a table or in a round. `end` is empty before the start.

    `left` stands there without a script too, while the clock is stopped: it does not change then.
    """

    minutes: int
    end: Markup
    end_ms: int = 0
    stands_ms: int = 0
    left: str = ""


def say_countdown(request: Request, countdown: Countdown | None) -> CountdownWords | None:
    """Return the time left in words."""
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
    """The timer of a round on the floor: its end without what single tables are given back, and what may be done.

    `waiting`: tables where it is not started, for who may start it. `minutes`: the length suggested then. `stops`: may
    the start be taken back? `id`: the command of the next form; it changes when the timer does.
    """

    event: str
    round: str
    countdown: CountdownWords | None
    waiting: int
    minutes: int
    stops: bool
    id: UUID


def read_round_clock(request: Request, of: Round, tables: Sequence[TableNow]) -> RoundClock | None:
    """Return the timer of a round with these tables; None where there is nothing to show and nothing to do."""
    played = [table for table in tables if not (table.ended or table.parent)]
    running = running_timer(tables)
    sets = any(of) and may(request.session, "pair")
    waiting = sum(table.timer is None or not table.timer.start for table in played) if sets else 0
    if not (waiting or (running and played)):
        return None
    state = sorted((table.match, table.timer.start if table.timer is not None else 0) for table in played)
    return RoundClock(
        *of,
        say_countdown(request, count_down(running, ())),
        waiting,
        round_minutes(tables),
        sets and running is not None,
        uuid5(NAMESPACE_URL, f"{request.session.number} timer {of} {state}"),
    )
