"""Undo and redo on a page: what no longer counts, then one button, which asks a judge where one is necessary."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.differences import differences
from projections.reversal import restoring, reversals
from recorder.usecases import commands as C
from recorder.usecases.handling import obstacle_words
from service import recording as R
from service.access import may
from service.addresses import to
from service.asking import Ask, Reply
from service.house import Sight
from service.pages.paper import form, go, page, problem_of, said, tell_wrong, with_problem
from service.pages.playing import play_url
from service.pages.within import form_id, match_name, way_to, within
from service.problems import Halt, Problem, halt
from service.undoing import find_undo


class UndoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """An undo, or a redo."""

    redo: bool = False


class UndoForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The confirmed undo, on the head it was shown on. `ask`: a judge is called instead."""

    id: UUID
    head: int
    redo: bool = False
    ask: bool = False
    reason: str = ""


def show_undo(ask: Ask, query: UndoQuery, body: None) -> Reply:
    """What an undo would take back."""
    return _draw(ask, R.look(ask, "", "undo"), redo=query.redo)


def undo(ask: Ask, query: object, body: UndoForm) -> Reply:
    """Undo, or call a judge; then back to the recorder."""
    command = C.Undo(id=body.id, redo=body.redo, ask=body.ask, reason=body.reason)
    try:
        R.write(ask, "", command, f'"{body.head}"')
    except Halt as stopped:
        sight = R.look(ask, "", "undo")
        return _draw(ask, sight, redo=body.redo, reason=body.reason, problem=problem_of(stopped))
    return go(_home(ask, R.look(ask, "", "undo")))


def _home(ask: Ask, sight: Sight) -> str:
    """Return the address of the page that an undo is asked from: the recorder, or the player's own page."""
    match = sight.match.id
    if may(ask.session, "record", match):
        return to(ask.lang, "record", match)
    return play_url(ask, match) or way_to(ask, sight).live()


def _draw(ask: Ask, sight: Sight, *, redo: bool, reason: str = "", problem: Problem | None = None) -> Reply:
    match, lang, way = sight.match, ask.lang, way_to(ask, sight)
    if match.closed:
        raise halt("closed")
    plan = find_undo(ask.house.store, match, ask.session, redo=redo)
    if plan.obstacle == "nothing" and problem is None:
        raise halt("unreadable", obstacle_words(plan))
    shown = plan.restored if redo else plan.undone
    then = match.after(plan.to) if plan.to else match.table
    drawn = within(
        ask,
        sight,
        "undo.html",
        said(ask, "undo.title", match=match_name(match, ask.lang)),
        plan.to,
        plan=plan,
        entries=[
            (each.entry, way.moment(each.entry), each.what.say(lang)) for each in reversals(match, sight.eyes, shown)
        ],
        table=restoring(differences(sight.eyes, then, match.table), match.game, sight.eyes.physics, lang, match.names),
        reason=reason or said(ask, "redo.reason" if redo else "undo.reason"),
        id=form_id(ask, sight, "undo"),
        action=to(lang, "record", match.id, "undo"),
        judge=way.at(plan.to, "rewind") if may(ask.session, "ask_rewind", match.id) else "",
        keep=_home(ask, sight),
        wrong=tell_wrong(ask, problem),
    )
    return with_problem(drawn, problem)


ROUTES: Final = (
    page("/record/{match:str}/undo", show_undo, "What an undo or a redo would do.", "undo", UndoQuery),
    form("/record/{match:str}/undo", undo, "Undo, or ask a judge to.", "undo", UndoForm, "commands"),
)
