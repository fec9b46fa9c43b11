"""Form on the floor that starts or cancels the timer of a round."""

from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from projections.tables import rounds
from service.floor import round_timer
from service.floor.new_match_pages import TEXT_MAX
from service.floor.new_matches import read_round_minutes
from service.floor.pages import Filter, draw_floor, tables, url_of
from service.pages import form_route, problem_of, redirect
from service.payloads import TimeRound
from service.problems import HttpProblem
from service.requests import Request, Response

Name = Annotated[str, Meta(max_length=TEXT_MAX)]


class TimerForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A round to start, or with `stop` to cancel. `minutes` is as typed."""

    id: UUID
    event: Name
    round: Name
    minutes: Name = ""
    stop: bool = False


def set_timer(request: Request, query: object, body: TimerForm) -> Response:
    request.require("pair")
    round_key = (body.event.strip(), body.round.strip())
    try:
        minutes = read_round_minutes(body.minutes) if body.minutes.strip() else None
        round_timer.time_round(
            request, TimeRound(id=body.id, event=round_key[0], round=round_key[1], minutes=minutes, stop=body.stop)
        )
    except (HttpProblem, FormatError) as error:
        problem = problem_of(error)
        if problem.type == "/problem/unknown":
            raise
        response = draw_floor(request, Filter(), round_key, wrong=problem.says(request.lang))
        return replace(response, status=problem.status)
    played = rounds(tables(request))
    return redirect(url_of(request.lang, round_key, played))


ROUTES: Final = (
    form_route("/floor/timer", set_timer, "Start or cancel the timer of a round.", "pair", TimerForm, "commands"),
)
