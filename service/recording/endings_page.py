"""End of a match by a penalty: the offer to a judge, and the form."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.judging.proposals import propose_end
from domain.law.actions import JUDGE_END
from domain.table.table import JUDGE
from projections.docket_words import penalty_words
from projections.penalties import see_penalties
from projections.phrases import seat_name
from recorder.usecases import commands as C
from service.access import may
from service.addresses import page_url
from service.context import MatchView
from service.match.layout import form_id, match_urls
from service.pages import form_route, redirect
from service.problems import http_problem
from service.recording import commands as R
from service.requests import EmptyPayload, Request, Response


class EndingForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The confirmed end of a match by the penalty of an entry, on the head of the offer."""

    id: UUID
    head: int
    penalty: int


class EndingOffer(Struct, frozen=True):
    """An offered end: the penalty in words, the winner, and the form's URL, id and head."""

    entry: int
    url: str
    penalty: str
    winner: str
    action: str
    id: UUID
    head: int


def offer_ending(request: Request, view: MatchView) -> EndingOffer | None:
    """Return the end that a judge may record now because of a penalty; else None."""
    match, lang = view.match, request.lang
    if match.closed or view.damaged or view.lawless or not _may_end(request, match.id):
        return None
    end = propose_end(match, match.table)
    if end is None:
        return None
    (seen,) = see_penalties(match.opening.policy, (end.penalty,))
    return EndingOffer(
        end.entry,
        match_urls(request, view).moment_url(end.entry),
        penalty_words(seen, lang, match.names),
        seat_name(match.names, end.winner, lang),
        page_url(lang, "m", match.id, "penalties", "end"),
        form_id(request, view, "end", str(end.entry)),
        view.head,
    )


def _may_end(request: Request, match: str) -> bool:
    return may(request.session, "rule", match) and may(request.session, "record", match)


def end_match(request: Request, query: EmptyPayload, body: EndingForm) -> Response:
    view = R.look(request, "", "record")
    urls = match_urls(request, view)
    if view.match.table.result is not None:
        return redirect(urls.live_url())
    end = propose_end(view.match, view.match.table)
    if end is None or end.entry != body.penalty:
        raise http_problem("out-of-order")
    action = {"do": JUDGE_END, "winner": end.winner, "reason": end.reason}
    R.write(
        request, "", C.PlayAction(id=body.id, by=JUDGE, action=action, mode="record", confirm=True), f'"{body.head}"'
    )
    return redirect(urls.live_url())


ROUTES: Final = (
    form_route("/m/{match:str}/penalties/end", end_match, "End a match by a penalty.", "rule", EndingForm, "commands"),
)
