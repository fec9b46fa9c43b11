"""The clock of a match: stopped and started again by judges, and for how long it stood still, for everybody."""

from typing import Final, Literal
from uuid import UUID

from markupsafe import Markup
from msgspec import Struct

from domain.formats.errors import FormatError
from domain.law.docket import SECOND
from domain.law.timers import read_timer
from domain.words.lines import clock_time
from projections.clocks import Stop, given_back, list_stops, read_countdown
from projections.phrases import seat_name
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.counting import CountdownWords, say_countdown
from service.pages.paper import form, go, page, problem_of, said, tell_wrong, with_problem
from service.pages.within import form_id, match_name, way_to, within
from service.problems import Halt, Problem


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is done with the clock. `extension`: time to add, as in 3:00 or in seconds; `dispute`: on whose page."""

    do: Literal["pause", "resume"]
    id: UUID
    reason: str = ""
    extension: str = ""
    dispute: int = 0


class Stood(Struct, frozen=True):
    """A time the clock stood still, in words; what came of it is empty where it still does."""

    url: str
    entry: int
    since: str
    lasts: str
    by: str
    reason: str
    until: str = ""
    extension: str = ""


class Clock(Struct, frozen=True):
    """The clock of a match that is played: how it stands, the time given back so far, what a judge may do with it."""

    url: str
    stands: Stood | None
    back: str
    back_says: str
    sets: bool
    command: UUID
    countdown: CountdownWords | None = None


def read_clock(ask: Ask, sight: Sight) -> Clock:
    """The clock as whoever asks may see it now. In a match that is over it does not stand still."""
    way, match = way_to(ask, sight), sight.match
    stops, now = list_stops(match.entries), _now(ask, sight)
    stopped, extended = (time // SECOND for time in given_back(stops, now, read_timer(match.entries)))
    stands = stops[-1] if stops and not stops[-1].until and not match.closed else None
    return Clock(
        way.all("clock"),
        None if stands is None else _stood(ask, sight, stands),
        clock_time(stopped + extended) if stops else "",
        said(ask, "floor.back", stopped=clock_time(stopped), extended=clock_time(extended)),
        not (match.closed or sight.damaged or sight.lawless) and may(ask.session, "rule", match.id),
        form_id(ask, sight, "clock"),
        countdown_of(ask, sight),
    )


def countdown_of(ask: Ask, sight: Sight) -> CountdownWords | None:
    """Return the time left in a match that goes on in a round with a timer."""
    match = sight.match
    return say_countdown(ask, read_countdown(match.entries, ended=match.table.result is not None))


def _now(ask: Ask, sight: Sight) -> int:
    return sight.match.entries[-1].at if sight.match.closed else ask.house.read_clock(ask.session)


def _stood(ask: Ask, sight: Sight, stop: Stop) -> Stood:
    url, by = way_to(ask, sight).moment(stop.entry), seat_name(sight.match.names, stop.by, ask.lang)
    ended = (ask.time(stop.ended, "second"), clock_time(stop.extension // SECOND)) if stop.until else ()
    since = ask.time(stop.at, "second") or Markup(f"#{stop.entry}")
    return Stood(url, stop.entry, since, clock_time(stop.lasted(_now(ask, sight)) // SECOND), by, stop.reason, *ended)


def show_clock(ask: Ask, query: Nothing, body: None) -> Reply:
    """How the clock stands, and all times it stood still."""
    return _draw(ask, ask.look(ask.viewer, bare=True))


def set_clock(ask: Ask, query: Nothing, body: Setting) -> Reply:
    """Stop the clock, or let play go on; back to where that was done."""
    viewer = ask.viewer
    sight = ask.look(viewer)
    try:
        R.write(ask, viewer, _command(body), "*")
    except (Halt, FormatError) as stopped:
        return _draw(ask, ask.look(viewer), body, problem_of(stopped))
    way = way_to(ask, sight)
    return go(way.at("disputes", body.dispute) if body.dispute else way.live())


def _command(body: Setting) -> C.Pause | C.Resume:
    """What a form comes to."""
    if body.do == "pause":
        return C.Pause(id=body.id, reason=body.reason)
    return C.Resume(id=body.id, extension=body.extension.strip())


def _draw(ask: Ask, sight: Sight, sent: Setting | None = None, problem: Problem | None = None) -> Reply:
    clock = read_clock(ask, sight)
    over = [
        stop for stop in list_stops(sight.match.entries) if clock.stands is None or stop.entry != clock.stands.entry
    ]
    drawn = within(
        ask,
        sight,
        "clock.html",
        said(ask, "pause.title", match=match_name(sight.match, ask.lang)),
        0,
        lambda eyes: eyes.all("clock"),
        clock=clock,
        stops=[_stood(ask, sight, stop) for stop in over],
        sent=sent,
        wrong=tell_wrong(ask, problem),
    )
    return with_problem(drawn, problem)


ROUTES: Final = (
    page("/m/{match:str}/clock", show_clock, "The clock of a match, and when it stood still."),
    page("/m/{match:str}/clock/as/{viewer:str}", show_clock, "The same with other eyes."),
    form("/m/{match:str}/clock", set_clock, "Stop the clock, or let play go on.", "rule", Setting, "commands"),
    form("/m/{match:str}/clock/as/{viewer:str}", set_clock, "The same.", "rule", Setting, "commands"),
)
