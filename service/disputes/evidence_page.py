"""Evidence page of a match: the last checkpoint, the proof, and the packs."""

from typing import Final, Literal

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.phrases import seat_name
from recorder.evidence.checkpoints import read_checkpoint
from service.access import may, view_access
from service.context import MatchView
from service.disputes import evidence
from service.match.layout import match_name, match_page, match_urls
from service.pages import form_route, page_route, redirect, translate
from service.problems import STATUS, HttpProblem
from service.requests import EmptyPayload, Request, Response


class Pack(Struct, frozen=True):
    """A downloadable pack. `sealed`: the seal must be broken first."""

    words: str
    url: str
    sealed: bool = False


class CheckpointStatus(Struct, frozen=True):
    """The last checkpoint: its note, its size in leaves, and the last entry it covers. `upto` is 0 if it covers none,
    or if this viewer may not know."""

    note: str = ""
    leaves: int = 0
    upto: int = 0


def show_evidence(request: Request, query: EmptyPayload, body: None) -> Response:
    view = request.look(request.viewer)
    urls = match_urls(request, view)
    return match_page(
        request,
        view,
        "evidence.html",
        translate(request, "evidence.title", match=match_name(view.match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("evidence"),
        checkpoint=_checkpoint_status(request, view),
        entries=view.head,
        proof=_api_url(view, "proof", view.eyes.viewer),
        packs=[] if view.damaged else _list_packs(request, view),
        seals=request.context.signer is not None and may(request.session, "seal_log"),
        action=urls.match_url("evidence"),
    )


def seal_log(request: Request, query: EmptyPayload, body: EmptyPayload) -> Response:
    view = request.look(request.viewer)
    evidence.seal_log(request.context)
    return redirect(match_urls(request, view).match_url("evidence"))


def _checkpoint_status(request: Request, view: MatchView) -> CheckpointStatus:
    try:
        note = evidence.read_checkpoint(request.context)
    except HttpProblem as error:
        if error.problem.status != STATUS["unknown"]:
            raise
        return CheckpointStatus()
    try:
        upto = evidence.prove_match(request.context, view).leaf.entries
    except HttpProblem:
        upto = 0
    return CheckpointStatus(note, read_checkpoint(note).size, upto)


def _list_packs(request: Request, view: MatchView) -> list[Pack]:
    match, context = view.match, request.context
    if not may(request.session, "export", match.id, closed=view.over):
        return []
    broken = context.seals.find_broken(request.session, match.id, context.clock())
    packs: list[Pack] = []
    for viewer in (SPECTATOR, *match.opening.seats, JUDGE):
        view_state = view_access(
            request.session, match.id, viewer, broken, closed=view.over, published=context.settings.published
        )
        is_offered = viewer in (SPECTATOR, JUDGE) or viewer == request.session.seat
        if view_state != "no" and is_offered:
            packs.append(
                Pack(_pack_words(request, view, viewer), _api_url(view, "dossier", viewer), view_state == "sealed")
            )
    return packs


def _pack_words(request: Request, view: MatchView, viewer: Seat) -> str:
    names: dict[str, Literal["players", "officials"]] = {SPECTATOR: "players", JUDGE: "officials"}
    if viewer in names:
        return translate(request, f"evidence.pack_{names[viewer]}")
    return translate(request, "evidence.pack_seat", seat=seat_name(view.match.names, viewer, request.lang))


def _api_url(view: MatchView, what: str, viewer: str) -> str:
    return f"/api/v1/matches/{view.match.id}/{what}?as={viewer}"


PATH: Final = "/m/{match:str}/evidence"
ROUTES: Final = (
    page_route(PATH, show_evidence, "Show the evidence of a match for download.", limit="tries"),
    page_route(f"{PATH}/as/{{viewer:str}}", show_evidence, "As another viewer.", limit="tries"),
    form_route(PATH, seal_log, "Sign a checkpoint.", "seal_log", EmptyPayload, "commands"),
    form_route(f"{PATH}/as/{{viewer:str}}", seal_log, "As another viewer.", "seal_log", EmptyPayload, "commands"),
)
