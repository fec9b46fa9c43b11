"""Page of penalties, with a form for penalties outside a dispute."""

from operator import itemgetter
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.formats.errors import FormatError
from domain.law.docket import docket_of
from domain.law.policy import Policy, policy_of
from domain.table.table import Seat
from domain.words import Text
from projections.docket_words import list_words, penalty_words
from projections.penalties import see_penalties
from projections.phrases import seat_name
from recorder import matches
from recorder.usecases import commands as C
from service.access import may
from service.context import MatchView
from service.disputes.previews import Preview, make_preview
from service.idempotency import name_command
from service.match.layout import form_id, match_name, match_page, match_urls
from service.pages import form_errors, form_route, page_route, problem_of, redirect, translate, with_problem
from service.paging import AfterQuery, page_list
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.recording.endings_page import offer_ending
from service.requests import EmptyPayload, Request, Response


class PenaltyForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A penalty. It is previewed with `check`, then given if `checked` identifies the preview and `head` is current."""

    do: Literal["check", "give"]
    id: UUID
    head: int = 0
    seat: Seat = Seat("")
    infraction: str = ""
    step: str = ""
    reason: str = ""
    departure: str = ""
    checked: str = ""


class PenaltyRow(Struct, frozen=True):
    entry: int
    url: str
    words: str


def show_penalties(request: Request, query: AfterQuery, body: None) -> Response:
    return _draw(request, request.look(request.viewer), after=query.after)


def give_penalty(request: Request, query: EmptyPayload, body: PenaltyForm) -> Response:
    """Give a penalty after a preview. The preview is repeated if another penalty was given meanwhile."""
    viewer = request.viewer
    view = request.look(viewer)
    preview = problem = None
    try:
        command = _make_command(body)
        if body.do == "give" and _was_given(request, view, command):
            R.write(request, viewer, command, "*")
            return redirect(match_urls(request, view).match_url("penalties"))
        preview = make_preview(request, view, command, checks=True)
        if body.do == "give" and any(number > body.head for number, _ in docket_of(view.match.entries).penalties):
            problem = http_problem("conflict", Text("penalties.meanwhile")).problem
        elif body.do == "give" and body.checked == preview.checked:
            R.write(request, viewer, command, "*")
            return redirect(match_urls(request, view).match_url("penalties"))
    except (HttpProblem, FormatError) as error:
        problem, preview = problem_of(error), None
    return _draw(request, view, body, preview, problem)


def _was_given(request: Request, view: MatchView, command: C.Penalise) -> bool:
    return matches.answered_before(request.context.store, view.match.id, name_command(request, command)) is not None


def _make_command(body: PenaltyForm) -> C.Penalise:
    if not body.seat:
        raise http_problem("unreadable", Text("penalties.nobody"))
    penalty = C.PenaltyInput(seat=body.seat, step=body.step.strip(), infraction=body.infraction.strip())
    return C.Penalise(id=body.id, penalty=penalty, reason=body.reason, departure=body.departure)


def _draw(
    request: Request,
    view: MatchView,
    sent: PenaltyForm | None = None,
    preview: Preview | None = None,
    problem: Problem | None = None,
    after: str = "",
) -> Response:
    match, urls, policy = view.match, match_urls(request, view), policy_of(view.match.opening.policy)
    command = form_id(request, view, "penalties")
    known = policy if isinstance(policy, Policy) else None
    penalties = docket_of(match.entries).penalties
    visible = see_penalties(match.opening.policy, (penalty for _, penalty in penalties))
    numbered = [(str(at), *row) for at, row in enumerate(zip(penalties, visible, strict=True), start=1)]
    page = page_list(numbered, after, itemgetter(0))
    response = match_page(
        request,
        view,
        "penalties.html",
        translate(request, "penalties.title", match=match_name(match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("penalties"),
        penalties=[
            PenaltyRow(number, urls.moment_url(number), penalty_words(penalty, request.lang, match.names))
            for _, (number, _), penalty in page.rows
        ],
        page=page,
        gives=not match.closed and not view.damaged and may(request.session, "rule", match.id),
        action=urls.match_url("penalties"),
        ending=offer_ending(request, view),
        sent=sent if sent is not None else PenaltyForm(do="check", id=command),
        command=command,
        preview=preview,
        seats=[(seat, seat_name(match.names, seat, request.lang)) for seat in match.opening.seats],
        steps=list_words(known.step, request.lang) if known else [],
        infractions=list_words(known.infraction, request.lang) if known else [],
        wrong=form_errors(request, problem),
    )
    return with_problem(response, problem)


ROUTES: Final = (
    page_route("/m/{match:str}/penalties", show_penalties, "Show the penalties of a match.", query=AfterQuery),
    page_route("/m/{match:str}/penalties/as/{viewer:str}", show_penalties, "As another viewer.", query=AfterQuery),
    form_route("/m/{match:str}/penalties", give_penalty, "Give a penalty.", "rule", PenaltyForm, "commands"),
    form_route(
        "/m/{match:str}/penalties/as/{viewer:str}", give_penalty, "As another viewer.", "rule", PenaltyForm, "commands"
    ),
)
