"""Undo and redo page: the affected entries, and a button that undoes or asks a judge."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.differences import differences
from projections.reversal import list_restore_steps, reversals
from recorder.usecases import commands as C
from recorder.usecases.handlers import obstacle_words
from service.access import may
from service.addresses import page_url
from service.context import MatchView
from service.match.layout import form_id, match_name, match_page, match_urls
from service.pages import form_errors, form_route, page_route, problem_of, redirect, translate, with_problem
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.recording.player_page import play_url
from service.recording.undo import find_undo
from service.requests import Request, Response


class UndoPageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    redo: bool = False


class UndoForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The confirmed undo, on the head it was shown on. `ask`: call a judge instead."""

    id: UUID
    head: int
    redo: bool = False
    ask: bool = False
    reason: str = ""


def show_undo(request: Request, query: UndoPageQuery, body: None) -> Response:
    return _draw(request, R.look(request, "", "undo"), redo=query.redo)


def undo(request: Request, query: object, body: UndoForm) -> Response:
    command = C.UndoEntries(id=body.id, redo=body.redo, ask=body.ask, reason=body.reason)
    try:
        R.write(request, "", command, f'"{body.head}"')
    except HttpProblem as error:
        view = R.look(request, "", "undo")
        return _draw(request, view, redo=body.redo, reason=body.reason, problem=problem_of(error))
    return redirect(_origin_url(request, R.look(request, "", "undo")))


def _origin_url(request: Request, view: MatchView) -> str:
    """Return the URL of the page that the undo came from: the recorder, or the player's own page."""
    match = view.match.id
    if may(request.session, "record", match):
        return page_url(request.lang, "record", match)
    return play_url(request, match) or match_urls(request, view).live_url()


def _draw(
    request: Request, view: MatchView, *, redo: bool, reason: str = "", problem: Problem | None = None
) -> Response:
    match, lang, urls = view.match, request.lang, match_urls(request, view)
    if match.closed:
        raise http_problem("closed")
    plan = find_undo(request.context.store, match, request.session, redo=redo)
    if plan.obstacle == "nothing" and problem is None:
        raise http_problem("unreadable", obstacle_words(plan))
    shown = plan.restored if redo else plan.undone
    target = match.after(plan.to) if plan.to else match.table
    response = match_page(
        request,
        view,
        "undo.html",
        translate(request, "undo.title", match=match_name(match, request.lang)),
        plan.to,
        plan=plan,
        entries=[
            (each.entry, urls.moment_url(each.entry), each.what.say(lang))
            for each in reversals(match, view.eyes, shown)
        ],
        table=list_restore_steps(
            differences(view.eyes, target, match.table), match.game, view.eyes.physics, lang, match.names
        ),
        reason=reason or translate(request, "redo.reason" if redo else "undo.reason"),
        id=form_id(request, view, "undo"),
        action=page_url(lang, "record", match.id, "undo"),
        judge=urls.entry_url(plan.to, "rewind") if may(request.session, "ask_rewind", match.id) else "",
        keep=_origin_url(request, view),
        wrong=form_errors(request, problem),
    )
    return with_problem(response, problem)


ROUTES: Final = (
    page_route("/record/{match:str}/undo", show_undo, "Show the effect of an undo or a redo.", "undo", UndoPageQuery),
    form_route("/record/{match:str}/undo", undo, "Undo, or ask a judge to.", "undo", UndoForm, "commands"),
)
