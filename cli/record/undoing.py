"""Undo without a judge, and the request to go back, as commands."""

from typing import Annotated

from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Written
from cli.values import By, CommandId, Expect, Match, Reason, Viewer
from domain.table.table import JUDGE
from domain.words import Text
from projections.undoing import PendingRewind, plan_redo, plan_undo
from recorder import matches
from recorder.clock import now
from recorder.commands import read_roles
from recorder.loading import cut
from recorder.remarks import asked_rewind, remark
from recorder.writing import Terms


def undo(
    desk: Desk,
    match: Match,
    at: Annotated[int | None, "--at N"] = None,
    redo: Annotated[bool, "--redo"] = False,
    ask: Annotated[bool, "--ask"] = False,
    reason: Reason = "",
    by: By = JUDGE,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Take back the last thing entered, or an entry and all that followed; or take the last undo back."""
    with desk.changing(match) as (store, before):
        eyes = desk.eyes(before, viewer)
        repeated = store.command(before.id, command_id) if command_id is not None else None
        then = before if repeated is None else cut(before, repeated.first - 1)
        entry = 0 if at is None else desk.entry(then, at)
        roles = read_roles(store, then.id, 0)
        plan = plan_redo(then, then.id, by) if redo else plan_undo(then, then.id, by, roles, entry)
        words = reason.strip() or desk.say("redo.reason" if redo else "undo.reason")
        terms = Terms(expected=expect, command_id=command_id, at=now())
        if plan.obstacle == "nothing":
            raise desk.problem("play.redo_nothing" if redo else "play.undo_nothing")
        if plan.obstacle and not ask:
            raise desk.refuse(Text("undo.needs_judge", {"why": Text(f"undo.why_{plan.obstacle}")}))
        if plan.obstacle:
            answer = matches.ask_rewind(store, before.id, plan.to, words, by, calls=True, **terms)
        else:
            answer = matches.rewind(store, before.id, plan.to, words, by, **terms)
        return outcome.answer_written(desk, store, before.id, answer, eyes)


def request(
    desk: Desk,
    match: Match,
    refuse: Annotated[bool, "--refuse"] = False,
    reason: Reason = "",
    by: By = JUDGE,
    command_id: CommandId = None,
) -> Answer[PendingRewind | Written]:
    """Show the request to go back that waits for an answer, or refuse it."""
    with desk.store(writing=refuse) as store:
        before = desk.match(store, match)
        asked = asked_rewind(before.entries)
        if not refuse:
            told = PendingRewind(match=before.id, **({} if asked is None else asdict(asked)))
            return tell_request(desk, told)
        if not reason.strip():
            raise desk.problem("cli.no_reason_refused")
        if asked is None:
            raise desk.problem("rewind.nothing_asked")
        says = remark("refused", Text("remark.refused", {"to": asked.to}), reason.strip())
        answer = matches.note(store, before.id, by, says, about=asked.entry, command_id=command_id, at=now())
        return outcome.answer_written(desk, store, before.id, answer, before.eyes(JUDGE))


def tell_request(desk: Desk, told: PendingRewind) -> Answer[PendingRewind | Written]:
    """A request in a line."""
    key = "request.line" if told.entry else "request.none"
    values = {"entry": told.entry, "by": told.by, "to": told.to, "reason": told.reason}
    line = desk.say(key, **values) + (f" {desk.say('request.void')}" if told.void else "")
    return Answer(lambda: told, lambda: desk.screen.line(line))
