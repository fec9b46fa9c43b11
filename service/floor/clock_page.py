"""Clock page of a match: its stops, and the form with which a judge stops and starts it."""

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
from service.access import may
from service.context import MatchView
from service.floor.countdown import CountdownWords, countdown_words
from service.match.layout import form_id, match_name, match_page, match_urls
from service.pages import form_errors, form_route, page_route, problem_of, redirect, translate, with_problem
from service.problems import HttpProblem, Problem
from service.recording import commands as R
from service.requests import EmptyPayload, Request, Response


class ClockForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stop or start of the clock. `extension` is 3:00 or seconds; `dispute` is the page to return to."""

    do: Literal["pause", "resume"]
    id: UUID
    reason: str = ""
    extension: str = ""
    dispute: int = 0


class ClockStop(Struct, frozen=True):
    """A stop of the clock, in words. `until` and `extension` are empty while it lasts."""

    url: str
    entry: int
    since: str
    lasts: str
    by: str
    reason: str
    until: str = ""
    extension: str = ""


class ClockPanel(Struct, frozen=True):
    """State of a match's clock, the time given back so far, and whether the session may set it."""

    url: str
    current_stop: ClockStop | None
    back: str
    back_says: str
    sets: bool
    command: UUID
    countdown: CountdownWords | None = None


def read_clock(request: Request, view: MatchView) -> ClockPanel:
    """Return the clock as the session may see it. The clock of a finished match is never stopped."""
    urls, match = match_urls(request, view), view.match
    stops, at = list_stops(match.entries), _read_time(request, view)
    stopped, extended = (time // SECOND for time in given_back(stops, at, read_timer(match.entries)))
    stands = stops[-1] if stops and not stops[-1].until and not match.closed else None
    return ClockPanel(
        urls.match_url("clock"),
        None if stands is None else _make_clock_stop(request, view, stands),
        clock_time(stopped + extended) if stops else "",
        translate(request, "floor.back", stopped=clock_time(stopped), extended=clock_time(extended)),
        not (match.closed or view.damaged or view.lawless) and may(request.session, "rule", match.id),
        form_id(request, view, "clock"),
        countdown_of(request, view),
    )


def countdown_of(request: Request, view: MatchView) -> CountdownWords | None:
    """Return the time left in a match that goes on in a round with a timer."""
    match = view.match
    return countdown_words(request, read_countdown(match.entries, ended=match.table.result is not None))


def _read_time(request: Request, view: MatchView) -> int:
    return view.match.entries[-1].at if view.match.closed else request.context.visible_until(request.session)


def _make_clock_stop(request: Request, view: MatchView, stop: Stop) -> ClockStop:
    url, by = match_urls(request, view).moment_url(stop.entry), seat_name(view.match.names, stop.by, request.lang)
    ended = (request.time(stop.ended, "second"), clock_time(stop.extension // SECOND)) if stop.until else ()
    since = request.time(stop.at, "second") or Markup(f"#{stop.entry}")
    return ClockStop(
        url, stop.entry, since, clock_time(stop.lasted(_read_time(request, view)) // SECOND), by, stop.reason, *ended
    )


def show_clock(request: Request, query: EmptyPayload, body: None) -> Response:
    return _draw(request, request.look(request.viewer, bare=True))


def set_clock(request: Request, query: EmptyPayload, body: ClockForm) -> Response:
    viewer = request.viewer
    view = request.look(viewer)
    try:
        R.write(request, viewer, _make_command(body), "*")
    except (HttpProblem, FormatError) as error:
        return _draw(request, request.look(viewer), body, problem_of(error))
    urls = match_urls(request, view)
    return redirect(urls.entry_url("disputes", body.dispute) if body.dispute else urls.live_url())


def _make_command(body: ClockForm) -> C.Pause | C.Resume:
    if body.do == "pause":
        return C.Pause(id=body.id, reason=body.reason)
    return C.Resume(id=body.id, extension=body.extension.strip())


def _draw(request: Request, view: MatchView, sent: ClockForm | None = None, problem: Problem | None = None) -> Response:
    clock = read_clock(request, view)
    ended = [
        stop
        for stop in list_stops(view.match.entries)
        if clock.current_stop is None or stop.entry != clock.current_stop.entry
    ]
    response = match_page(
        request,
        view,
        "clock.html",
        translate(request, "pause.title", match=match_name(view.match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("clock"),
        clock=clock,
        stops=[_make_clock_stop(request, view, stop) for stop in ended],
        sent=sent,
        wrong=form_errors(request, problem),
    )
    return with_problem(response, problem)


ROUTES: Final = (
    page_route("/m/{match:str}/clock", show_clock, "Show the clock of a match and its stops."),
    page_route("/m/{match:str}/clock/as/{viewer:str}", show_clock, "As another viewer."),
    form_route("/m/{match:str}/clock", set_clock, "Stop or start the clock.", "rule", ClockForm, "commands"),
    form_route("/m/{match:str}/clock/as/{viewer:str}", set_clock, "As another viewer.", "rule", ClockForm, "commands"),
)
