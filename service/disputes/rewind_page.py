"""Rewind page: the cost, the steps at the table, and forms to ask, apply or refuse. A rewind deletes no entries."""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.proposals import count_learned, explain_rewind_excess, list_undone
from domain.law.entries import RECORD_ENTRIES
from domain.law.policy import Policy, policy_of
from projections.differences import differences, frame_text
from projections.docket_words import matter_words
from projections.knowledge import sights
from projections.phrases import place_words, seat_name
from projections.reversal import Reversal, chance, list_restore_steps, reversals
from recorder.answers import Impossible, RecordResult, RewindCost, Unavailable
from recorder.match_writer import Answer, Terms
from recorder.matches import rewind_cost
from recorder.remarks import RewindRequest, find_rewind_request
from recorder.store import Conflict
from recorder.usecases import commands as C
from recorder.usecases.handlers import handle
from service.access import Operation, may
from service.addresses import MatchUrls
from service.context import MatchView
from service.disputes.api import list_disputes
from service.disputes.finding_pages import list_findings
from service.idempotency import author_of
from service.match.clause_trail import list_learned
from service.match.layout import match_name, match_page, match_urls
from service.pages import form_route, page_route, redirect, translate
from service.problems import STATUS, Type, http_problem
from service.requests import EmptyPayload, Request, Response

SHOWN_MAX: Final = 60
RewindAction = Literal["ask", "apply", "refuse"]
OPERATIONS: Final[dict[RewindAction, Operation]] = {
    "ask": "ask_rewind",
    "apply": "approve_rewind",
    "refuse": "approve_rewind",
}
RequestState = Literal["open", "void", "expired"]
FormErrors = tuple[tuple[str, str], ...]
"""Errors of a form: the field, or '' for none, and the message."""


class RewindForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Form of a rewind: the action, the expected head, the reason, and the steps ticked as done at the table."""

    do: RewindAction
    head: int
    reason: str = ""
    tick: tuple[int, ...] = ()
    no_table: bool = False


class ReversalRow(Struct, frozen=True):
    """An undone entry: its words and URL, and the changes it takes back."""

    entry: int
    url: str
    what: str
    back: tuple[str, ...]


class RewindRequestSummary(Struct, frozen=True):
    """A rewind request: target entry and URL, author, reason, and when it was made and expires."""

    to: int
    url: str
    by: str
    reason: str
    at: str
    until: str
    state: RequestState


def show_rewind(request: Request, query: EmptyPayload, body: None) -> Response:
    view = request.look(request.viewer, "ask_rewind")
    return _draw(request, view, request.number("moment", view.head))


def decide_rewind(request: Request, query: EmptyPayload, body: RewindForm) -> Response:
    view = request.look(request.viewer, OPERATIONS[body.do])
    to = request.number("moment", view.head)
    _require_cost(request, view, to)
    if not 0 <= body.head <= view.head or not all(
        isinstance(entry, RECORD_ENTRIES) for entry in view.match.entries[body.head :]
    ):
        return _draw_conflict(request, view, to, body)
    if errors := _list_errors(request, view, to, body):
        return _draw_again(request, view, to, body, errors, "not-allowed")
    result = _record(request, view, to, body)
    if isinstance(result, Conflict):
        return _draw_conflict(request, request.look(request.viewer), to, body)
    assert isinstance(result, RecordResult), result
    request.context.wake(view.match.id)
    urls = match_urls(request, view)
    return redirect(urls.entry_url(to, "rewind") if body.do == "ask" else urls.moment_url(result.version))


def _list_errors(request: Request, view: MatchView, to: int, body: RewindForm) -> FormErrors:
    errors: list[tuple[str, str]] = []
    if not _final_reason(view, to, body):
        errors.append(("reason", translate(request, "rewind.no_reason")))
    if body.do == "apply" and _is_laid_by_people(view) and not body.no_table:
        unticked = [at for at in range(len(_list_manual_steps(request, view, to))) if at not in body.tick]
        if unticked:
            errors.append((f"tick-{unticked[0]}", translate(request, "rewind.not_ticked", n=len(unticked))))
    if body.do == "refuse" and _pending_at(view, to) is None:
        errors.append(("", translate(request, "rewind.nothing_asked")))
    return tuple(errors)


def _record(request: Request, view: MatchView, to: int, body: RewindForm) -> Answer | Impossible:
    pending, reason = _pending_at(view, to), _final_reason(view, to, body)
    commands: dict[RewindAction, C.Direct] = {
        "ask": C.AskRewind(to=to, reason=reason),
        "refuse": C.RefuseRewind(request=0 if pending is None else pending.entry, reason=reason),
        "apply": C.Rewind(to=to, reason=reason),
    }
    if body.do == "ask":
        request.count("rewinds")
    terms = Terms(expected=view.head, at=request.context.clock())
    return handle(request.context.store, view.match, commands[body.do], author_of(request.session), terms=terms)


def _final_reason(view: MatchView, to: int, body: RewindForm) -> str:
    """Return the reason to record: the one entered, or the request's own when it is applied."""
    pending = _pending_at(view, to)
    request_reason = "" if body.do != "apply" or pending is None else pending.reason
    return body.reason.strip() or request_reason


def _pending_at(view: MatchView, to: int) -> RewindRequest | None:
    pending = find_rewind_request(view.match.entries)
    return pending if pending is not None and pending.to == to else None


def _draw_conflict(request: Request, view: MatchView, to: int, body: RewindForm) -> Response:
    """Show the page again with a conflict: the match went on, so the cost has changed."""
    errors = (("", translate(request, "rewind.moved_on", n=view.head)),)
    return _draw_again(request, view, to, body, errors, "conflict")


def _draw_again(
    request: Request, view: MatchView, to: int, body: RewindForm, errors: FormErrors, type: Type
) -> Response:
    ticked = body if type != "conflict" else replace(body, tick=())
    return replace(_draw(request, view, to, ticked, errors), status=STATUS[type])


def _require_cost(request: Request, view: MatchView, to: int) -> RewindCost:
    cost = rewind_cost(request.context.store, view.match.id, to)
    if isinstance(cost, Unavailable):
        raise http_problem("closed", cost.why)
    if not isinstance(cost, RewindCost):
        raise http_problem("unknown", cost.what)
    return cost


def _is_laid_by_people(view: MatchView) -> bool:
    """True unless the program dealt the cards. Then nothing lies on a table that could be put back."""
    return not view.match.opening.commitment


def _list_manual_steps(request: Request, view: MatchView, to: int) -> tuple[str, ...]:
    match, target = view.match, view.match.after(to)
    difference = differences(view.eyes, target, match.table)
    return list_restore_steps(difference, match.game, view.eyes.physics, request.lang, match.names)


def _draw(
    request: Request, view: MatchView, to: int, sent: RewindForm | None = None, wrong: FormErrors = ()
) -> Response:
    match, eyes, lang, urls = view.match, view.eyes, request.lang, match_urls(request, view)
    cost = _require_cost(request, view, to)
    approves = may(request.session, "approve_rewind", match.id)
    target = match.after(to)
    lots = chance(match, eyes, match.table, target, cost.undone)
    undone, stays = list_undone(match, to)
    policy = policy_of(match.opening.policy)
    far = explain_rewind_excess(policy, match, to) if isinstance(policy, Policy) else None
    difference = differences(eyes, target, match.table)
    return match_page(
        request,
        view,
        "rewind.html",
        translate(request, "rewind.title", match=match_name(match, request.lang), n=to),
        to,
        lambda viewer_urls: viewer_urls.entry_url(to, "rewind"),
        goes=len(undone),
        stays=[(number, urls.moment_url(number)) for number in stays],
        count=count_learned(match, to),
        far="" if far is None else far.say(lang),
        asked=[
            frame_text(each.one, match.game, lang, match.names) for each in difference.frames if each.one is not None
        ],
        restored=[(number, urls.moment_url(number)) for number in cost.restored],
        gone=[_make_reversal_row(request, view, urls, each) for each in reversals(match, eyes, undone)[:SHOWN_MAX]],
        more=max(0, len(undone) - SHOWN_MAX),
        learned=list_learned(request, view, sights(match, eyes, cost.undone)),
        steps=_list_manual_steps(request, view, to),
        ticks=approves and _is_laid_by_people(view),
        again=lots.again,
        shuffled=[(number, urls.moment_url(number)) for number in lots.shuffled],
        which=[
            translate(request, _shuffle_key(view), place=place_words(match.game, place, lang, match.names), n=n)
            for place, n in lots.which
        ],
        request=read_request(request, view),
        asks_here=_pending_at(view, to) is not None,
        approves=approves,
        reason=_suggest_reason(request, view, to) if sent is None else sent.reason,
        ticked=sent.tick if sent is not None else (),
        no_table=sent is not None and sent.no_table,
        wrong=wrong,
        wrong_fields={field for field, _ in wrong},
        action=urls.entry_url(to, "rewind"),
        moment=urls.moment_url(to),
        newest=urls.moment_url(view.head),
    )


def _suggest_reason(request: Request, view: MatchView, to: int) -> str:
    """Return the initial reason of the form: the dispute or findings on the first entry to undo. Empty for a session
    that applies rewinds, because a request is applied with its own reason."""
    if may(request.session, "approve_rewind", view.match.id):
        return ""
    about = [each for each in list_disputes(request, view) if each.matter.entry == to + 1]
    if about:
        return translate(
            request, "rewind.for_dispute", n=about[-1].dispute, matter=matter_words(about[-1].matter, request.lang)
        )
    found = [each.finding.clause for each in list_findings(request, view) if each.finding.entry == to + 1]
    clauses = " ".join(dict.fromkeys(clause for clause in found if clause))
    return translate(request, "rewind.for_finding", n=to + 1, clauses=clauses) if clauses else ""


def _shuffle_key(view: MatchView) -> str:
    return "rewind.which_nobody" if view.match.undealt else "rewind.which_sealed"


def _make_reversal_row(request: Request, view: MatchView, urls: MatchUrls, reversal: Reversal) -> ReversalRow:
    match = view.match
    back = list_restore_steps(reversal.back, match.game, view.eyes.physics, request.lang, match.names)
    return ReversalRow(reversal.entry, urls.moment_url(reversal.entry), reversal.what.say(request.lang), back)


def read_request(request: Request, view: MatchView) -> RewindRequestSummary | None:
    """Return the open rewind request for a judge; None for others."""
    pending = find_rewind_request(view.match.entries)
    if pending is None or view.match.closed or not may(request.session, "ask_rewind", view.match.id):
        return None
    until = pending.at + request.context.settings.rewind_ms
    url, by = (
        match_urls(request, view).entry_url(pending.to, "rewind"),
        seat_name(view.match.names, pending.by, request.lang),
    )
    at, ends = request.time(pending.at, "minute"), request.time(until, "minute")
    return RewindRequestSummary(pending.to, url, by, pending.reason, at, ends, request_state(request, pending))


def request_state(request: Request, pending: RewindRequest) -> RequestState:
    if pending.void:
        return "void"
    until = pending.at + request.context.settings.rewind_ms
    return "expired" if pending.at and until <= request.context.clock() else "open"


ROUTES: Final = (
    page_route("/m/{match:str}/{moment:str}/rewind", show_rewind, "Show the cost of going back.", "ask_rewind"),
    page_route("/m/{match:str}/{moment:str}/rewind/as/{viewer:str}", show_rewind, "As another viewer.", "ask_rewind"),
    form_route(
        "/m/{match:str}/{moment:str}/rewind",
        decide_rewind,
        "Ask for a rewind, apply or refuse it.",
        "ask_rewind",
        RewindForm,
    ),
    form_route(
        "/m/{match:str}/{moment:str}/rewind/as/{viewer:str}",
        decide_rewind,
        "As another viewer.",
        "ask_rewind",
        RewindForm,
    ),
)
