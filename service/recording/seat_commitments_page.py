"""Page of seat commitments for the shuffles: their state, and the forms that reveal them."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from domain.formats.errors import FormatError
from domain.law.docket import Docket, docket_of
from domain.table.table import Seat
from domain.words import Text
from projections.phrases import seat_name
from recorder.usecases import commands as C
from service.access import may
from service.context import MatchView
from service.match.layout import form_id, match_name, match_page, match_urls
from service.pages import form_errors, form_route, page_route, problem_of, redirect, translate, with_problem
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.requests import EmptyPayload, Request, Response

Short = Annotated[str, Meta(max_length=200)]


class RevealForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A secret of a seat, or the reason why it is missing."""

    do: Literal["reveal", "missing"]
    id: UUID
    seat: Short
    secret: Short = ""
    reason: Short = ""


class SeatCommitmentRow(Struct, frozen=True):
    """A seat commitment in words. `entry` revealed it, 0 while it is awaited. `reveals`: the session may reveal it now,
    under the id `command`."""

    seat: Seat
    player: str
    pledge: str
    words: str
    entry: int
    url: str
    reveals: bool
    command: UUID


class SeatCommitments(Struct, frozen=True):
    """Seat commitments of a match. `waits` names the awaited seats. `judges`: the session may declare one missing."""

    url: str
    commitment: str
    parts: tuple[SeatCommitmentRow, ...]
    waits: str
    judges: bool


def list_seat_commitments(request: Request, view: MatchView, docket: Docket) -> SeatCommitments:
    """Return the seat commitments as the session may act on them now."""
    match = view.match
    writes = not (match.closed or view.damaged or view.lawless) and may(request.session, "reveal", match.id)
    comma = translate(request, "list.comma")
    return SeatCommitments(
        match_urls(request, view).match_url("pledges"),
        match.opening.commitment,
        tuple(_make_row(request, view, docket, seat, writes) for seat in docket.seats if seat in docket.pledges),
        "" if match.closed else comma.join(seat_name(match.names, seat, request.lang) for seat in docket.unrevealed),
        may(request.session, "rule", match.id),
    )


def _make_row(request: Request, view: MatchView, docket: Docket, seat: Seat, writes: bool) -> SeatCommitmentRow:
    entry, revealed = docket.revealed.get(seat, (0, None))
    state = "awaited" if revealed is None else "revealed" if revealed.secret else "missing"
    return SeatCommitmentRow(
        seat,
        seat_name(view.match.names, seat, request.lang),
        docket.pledges[seat],
        translate(request, f"fairness.part_{state}", seat=seat_name(view.match.names, seat, request.lang)),
        entry,
        match_urls(request, view).moment_url(entry) if entry else "",
        writes and revealed is None and request.session.seat in ("", seat),
        form_id(request, view, "pledge", seat),
    )


def show_pledges(request: Request, query: EmptyPayload, body: None) -> Response:
    return _draw(request, request.look(request.viewer, bare=True))


def reveal_secret(request: Request, query: EmptyPayload, body: RevealForm) -> Response:
    viewer = request.viewer
    view = request.look(viewer)
    try:
        R.write(request, viewer, _make_command(body), "*")
    except (HttpProblem, FormatError) as error:
        return _draw(request, request.look(viewer), problem_of(error))
    return redirect(match_urls(request, view).live_url())


def _make_command(body: RevealForm) -> C.RevealSecret:
    """Return the command of a form. Raises HttpProblem without a secret or, for a missing one, a reason."""
    secret, reason = body.secret.strip(), body.reason.strip()
    if not (secret if body.do == "reveal" else reason):
        raise http_problem("unreadable", Text("docket.secret_or_reason", {"seat": body.seat}))
    if body.do == "reveal":
        return C.RevealSecret(id=body.id, seat=Seat(body.seat), secret=secret)
    return C.RevealSecret(id=body.id, seat=Seat(body.seat), reason=reason)


def _draw(request: Request, view: MatchView, problem: Problem | None = None) -> Response:
    response = match_page(
        request,
        view,
        "pledges.html",
        translate(request, "pledge.title", match=match_name(view.match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("pledges"),
        pledges=list_seat_commitments(request, view, docket_of(view.match.entries)),
        real=view.match.undealt,
        wrong=form_errors(request, problem),
    )
    return with_problem(response, problem)


ROUTES = (
    page_route("/m/{match:str}/pledges", show_pledges, "Show the seat commitments and their state."),
    page_route("/m/{match:str}/pledges/as/{viewer:str}", show_pledges, "As another viewer."),
    form_route(
        "/m/{match:str}/pledges", reveal_secret, "Reveal the secret of a seat.", "reveal", RevealForm, "commands"
    ),
    form_route(
        "/m/{match:str}/pledges/as/{viewer:str}", reveal_secret, "As another viewer.", "reveal", RevealForm, "commands"
    ),
)
