"""The form on the floor by which the timer of a round is started, or its start taken back."""

from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from projections.tables import rounds
from service import timing
from service.asking import Ask, Reply
from service.opening import length_of
from service.pages.floor import Filter, draw_floor, tables, url_of
from service.pages.opening import TEXT_MAX
from service.pages.paper import form, go, problem_of
from service.problems import Halt
from service.wire import TimeRound

Name = Annotated[str, Meta(max_length=TEXT_MAX)]


class TimerForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The round that is started, or with `stop` its start taken back. `minutes` as typed."""

    id: UUID
    event: Name
    round: Name
    minutes: Name = ""
    stop: bool = False


def set_timer(ask: Ask, query: object, body: TimerForm) -> Reply:
    """Start the timer of a round, or take its start back; on to the floor of the round."""
    ask.require("pair")
    of = (body.event.strip(), body.round.strip())
    try:
        minutes = length_of(body.minutes) if body.minutes.strip() else None
        timing.time_round(ask, TimeRound(id=body.id, event=of[0], round=of[1], minutes=minutes, stop=body.stop))
    except (Halt, FormatError) as stopped:
        problem = problem_of(stopped)
        if problem.type == "/problem/unknown":
            raise
        drawn = draw_floor(ask, Filter(), of, wrong=problem.says(ask.lang))
        return replace(drawn, status=problem.status)
    played = rounds(tables(ask))
    return go(url_of(ask.lang, of, played))


ROUTES: Final = (
    form("/floor/timer", set_timer, "Start the timer of a round, or take it back.", "pair", TimerForm, "commands"),
)
