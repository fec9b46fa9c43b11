"""Undo without a judge, for whoever records: one plan for the page, the API and the commands."""

from typing import Any

from msgspec.structs import replace

from domain.words import LANGS, Text, say
from projections.undoing import Undo, plan_redo, plan_undo
from recorder import matches
from recorder.commands import read_roles
from recorder.loading import Match
from recorder.store import Store
from recorder.writing import Terms
from service import commands as C
from service.access import Session
from service.asking import Ask
from service.command_ids import writer
from service.house import Sight
from service.problems import halt


def find_undo(store: Store, match: Match, session: Session, *, entry: int = 0, redo: bool = False) -> Undo:
    """Return what an undo or a redo by this session would do. A player always asks a judge."""
    by = writer(session)
    plan = (
        plan_redo(match, match.id, by)
        if redo
        else plan_undo(match, match.id, by, read_roles(store, match.id, 0), entry)
    )
    return replace(plan, obstacle="seat") if session.seat and plan.obstacle != "nothing" else plan


def undo(ask: Ask, sight: Sight, command: C.Undo, terms: Terms) -> Any:
    """Record an undo; or, where a judge is necessary and may be asked, the call and the request."""
    store, match, by = ask.house.store, sight.match, writer(ask.session)
    plan = find_undo(store, match, ask.session, entry=command.entry, redo=command.redo)
    reason = command.reason.strip() or " / ".join(
        say("redo.reason" if plan.redo else "undo.reason", lang) for lang in LANGS
    )
    if plan.obstacle == "nothing":
        raise halt("unreadable", nothing_words(plan))
    if plan.is_free:
        return matches.rewind(store, match.id, plan.to, reason, by, **terms)
    if not command.ask:
        raise halt("no-authority", Text("undo.needs_judge", {"why": Text(f"undo.why_{plan.obstacle}")}))
    ask.take("rewinds")
    return matches.ask_rewind(store, match.id, plan.to, reason, by, calls=True, **terms)


def nothing_words(plan: Undo) -> Text:
    """Return the sentence that there is nothing to undo or to redo."""
    return Text("play.redo_nothing" if plan.redo else "play.undo_nothing")
