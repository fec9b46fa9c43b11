"""Player page: hand, offers, a call for a judge, and the board."""

from typing import Annotated, Final, Literal
from urllib.parse import urlencode
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.judging.trails import known_table
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words import Text
from projections import phrases as P
from projections.board import board_of
from projections.questions import Question
from projections.undo_plans import has_undo
from recorder.remarks import is_played_on_phones, open_calls
from recorder.usecases import commands as C
from service.access import may
from service.addresses import MatchUrls, page_url
from service.context import MatchView
from service.drawing import board
from service.floor.calls_page import read_call
from service.floor.clock_page import read_clock
from service.match.layout import clause_url, form_id, match_name, stream_of
from service.pages import form_route, page_route, problem_of, redirect, template_page, translate
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.recording.card_order import NO_ORDER, OrderQuery
from service.recording.notices import list_notices
from service.recording.offers import OfferedLine, VerbOffer, offers_of, order_step, order_urls
from service.recording.pages import UNCONFIRMED
from service.requests import Request, Response

OPEN_MAX: Final = 12
"""Lists with at most this many answers are expanded, since the player's hand is below them."""
Head = Annotated[int, Meta(ge=0, le=999_999_999)]
Line = Annotated[str, Meta(max_length=C.LINE_MAX)]


class PlayerForm(Struct, frozen=True, forbid_unknown_fields=True):
    """An action, taken from the offers or typed, or a call for a judge or its answer. `confirm`: it may end the
    match."""

    id: UUID
    head: Head
    line: Line = ""
    take: Line = ""
    do: Literal["", "call", "answered"] = ""
    answered: int = 0
    confirm: bool = False


class PlayerOffers(Struct, frozen=True):
    questions: tuple[Question, ...] = ()
    verbs: tuple[VerbOffer, ...] = ()
    endings: tuple[OfferedLine, ...] = ()


class PlayerPage(Struct, frozen=True):
    confirm: OfferedLine | None = None
    problem: Problem | None = None
    text: str = ""
    order: OrderQuery = NO_ORDER


def show_player(request: Request, query: OrderQuery, body: None) -> Response:
    return _draw(request, _look(request), PlayerPage(order=query))


def act(request: Request, query: object, body: PlayerForm) -> Response:
    """Record an action as the rules allow. An action that ends the match needs confirmation."""
    view, text = _look(request), (body.take or body.line).strip()
    try:
        if body.do:
            waiting = [call.entry for call in open_calls(view.match.entries)]
            if body.answered in waiting if body.do == "answered" else not waiting:
                R.write(request, "", C.CallJudge(id=body.id, text=text, answered=body.answered), "*")
            return redirect(page_url(request.lang, "play", view.match.id))
        if not text:
            return _draw(request, view)
        if not _may_act(view):
            raise http_problem("no-authority", _no_action_text(view))
        play = C.PlayAction(id=body.id, text=_own_line(view, text), mode="offer", confirm=body.confirm)
        R.write(request, "", play, f'"{body.head}"')
    except (HttpProblem, FormatError) as error:
        problem = problem_of(error)
        if problem.type == UNCONFIRMED and problem.sure is not None:
            ending = OfferedLine(_own_line(view, text), problem.sure.say(request.lang))
            return _draw(request, view, PlayerPage(confirm=ending), id=body.id)
        return replace(_draw(request, _look(request), PlayerPage(problem=problem, text=text)), status=problem.status)
    return redirect(page_url(request.lang, "play", view.match.id))


def play_url(request: Request, match: str) -> str:
    """Return the URL of the player's page of a match; '' for anyone else."""
    return page_url(request.lang, "play", match) if request.context.seat_of(request.session, match) else ""


def own_record_url(request: Request, match: str) -> str:
    """Return the URL of the player's own record as a file; '' for anyone else."""
    seat = request.context.seat_of(request.session, match)
    if not seat or not may(request.session, "export", match):
        return ""
    return f"/api/v1/matches/{match}/export.html?{urlencode({'as': seat})}"


def _look(request: Request) -> MatchView:
    request.require("offer", request.path["match"])
    return request.look(request.session.seat, "offer")


def _may_act(view: MatchView) -> bool:
    """True if the player acts on this page."""
    return is_played_on_phones(view.match.entries) and not view.match.undealt


def _no_action_text(view: MatchView) -> Text:
    return Text("player.real" if view.match.undealt else "player.scored")


def _own_line(view: MatchView, text: str) -> str:
    """Return a line with its seat, which the player may leave out."""
    named = any(text.startswith(f"{seat}:") for seat in view.match.opening.seats)
    return text if named else f"{view.eyes.viewer}: {text}"


def _may_undo(request: Request, view: MatchView) -> bool:
    match = view.match
    return _may_act(view) and not match.closed and has_undo(match) and may(request.session, "undo", match.id)


def _list_offers(request: Request, view: MatchView) -> PlayerOffers:
    if not _may_act(view):
        return PlayerOffers()
    offers, seat = offers_of(request.context, view, request.lang), view.eyes.viewer
    return PlayerOffers(
        tuple(each for each in offers.questions if each.seat == seat),
        tuple(each for each in offers.verbs if each.seat == seat and (each.lines or each.order)),
        tuple(line for each in offers.endings if each.seat == seat for line in each.lines),
    )


def _draw(request: Request, view: MatchView, shown: PlayerPage | None = None, id: UUID | None = None) -> Response:
    match, lang, seat = view.match, request.lang, view.eyes.viewer
    shown, url = shown or PlayerPage(), page_url(lang, "play", match.id)
    offers = PlayerOffers() if match.closed else _list_offers(request, view)
    setting = request.context.drawing_context(view, lang)
    table_view = board_of(match, view.eyes, view.head, match.table, setting.place_cache)
    awaited = () if match.closed else match.law.awaited(known_table(match, view.eyes, view.head))
    return template_page(
        request,
        "play.html",
        translate(request, "player.title", match=match_name(match, request.lang)),
        match=match.id,
        table_name=match_name(match, lang),
        seat=seat,
        opponents=P.listed((_player_name(view, other) for other in match.opening.seats if other != seat), lang),
        stream=stream_of(request, view),
        head=view.head,
        closed=match.closed,
        clock=read_clock(request, view),
        notices=list_notices(request, view),
        calling=read_call(request, match),
        undo=page_url(lang, "record", match.id, "undo") if _may_undo(request, view) else "",
        result=P.result_words(match.game, match.table.result, lang, match.names) if match.table.result else "",
        acts=_may_act(view),
        why="" if _may_act(view) else _no_action_text(view).say(lang),
        own=seat in awaited,
        awaited=P.listed((_player_name(view, other) for other in awaited), lang) if awaited else "",
        offers=offers,
        few=sum(len(each.lines) for each in offers.verbs) <= OPEN_MAX,
        order=order_step(offers.verbs, url, shown.order),
        order_urls=order_urls(offers.verbs, url),
        shown=shown,
        wrong="" if shown.problem is None else shown.problem.says(lang),
        clause=_problem_clause(shown.problem),
        clause_url=clause_url(request, match, Clause(_problem_clause(shown.problem)))
        if _problem_clause(shown.problem)
        else "",
        id=id or form_id(request, view, "play"),
        call_id=form_id(request, view, "call"),
        line_max=C.LINE_MAX,
        url=url,
        live=MatchUrls(lang, match.id, seat).live_url(),
        board=board.frame_in(table_view, setting, seat),
        home=own_record_url(request, match.id),
    )


def _problem_clause(problem: Problem | None) -> str:
    clause = None if problem is None else problem.clause
    return clause or ""


def _player_name(view: MatchView, seat: Seat) -> str:
    return view.match.opening.names.get(seat) or seat


ROUTES: Final = (
    page_route("/play/{match:str}", show_player, "Show a player's own table.", "offer", OrderQuery),
    form_route("/play/{match:str}", act, "Record a player's action.", "offer", PlayerForm, "commands"),
)
