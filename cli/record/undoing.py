"""Undo without a judge, and the request to go back, as commands."""

from typing import Annotated

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import Desk
from cli.record.outcome import Written
from cli.values import By, CommandId, Entering, Expect, Match, Reason, Viewer
from domain.table.table import JUDGE
from projections.undoing import PendingRewind
from recorder.usecases import commands as C


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
    with open_backend(desk, match, Entering(by, expect, command_id), viewer) as backend:
        entry = 0 if at is None else backend.entry(at)
        command = C.Undo(entry=entry, redo=redo, ask=ask, reason=reason)
        return backend.execute(command)


def request(
    desk: Desk,
    match: Match,
    refuse: Annotated[bool, "--refuse"] = False,
    reason: Reason = "",
    by: By = JUDGE,
    command_id: CommandId = None,
) -> Answer[PendingRewind | Written]:
    """Show the request to go back that waits for an answer, or refuse it."""
    with open_backend(desk, match, Entering(by, None, command_id), writing=refuse) as backend:
        asked = backend.request()
        if not refuse:
            return tell_request(desk, asked)
        if not reason.strip():
            raise desk.problem("cli.no_reason_refused")
        if not asked.entry:
            raise desk.problem("rewind.nothing_asked")
        return backend.execute(C.RefuseRewind(request=asked.entry, reason=reason))


def tell_request(desk: Desk, told: PendingRewind) -> Answer[PendingRewind | Written]:
    """A request in a line."""
    key = "request.line" if told.entry else "request.none"
    values = {"entry": told.entry, "by": told.by, "to": told.to, "reason": told.reason}
    line = desk.say(key, **values) + (f" {desk.say('request.void')}" if told.void else "")
    return Answer(lambda: told, lambda: desk.screen.line(line))
