"""Commands that record entries: actions, corrections, rewinds, notes, descriptions and the end."""

from typing import Annotated

from msgspec import convert

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import CommandContext
from cli.record.outcome import ActionRefusal, RecordedEntries
from cli.values import Action, By, CommandId, Entering, Expect, Match, OnOccasionEnded, Reason, Viewer
from domain.formats.typed import with_clause
from domain.table.table import JUDGE
from projections.undo_plans import PendingRewind, RewindPreview
from recorder.usecases import commands as C


def do(
    ctx: CommandContext,
    match: Match,
    action: Action,
    as_played: Annotated[bool, "--as-played"] = False,
    confirm: Annotated[bool, "--confirm"] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    shows: Annotated[str, "--shows FACE,..."] = "",
) -> Answer[RecordedEntries | ActionRefusal]:
    """Record an action, and print its consequences as the viewer sees them. Names are resolved as the scorekeeper sees
    them."""
    command = C.PlayAction(
        text=" ".join(action),
        shows=(shows,) if shows.strip() else (),
        mode="record" if as_played else None,
        confirm=confirm,
    )
    with open_backend(ctx, match, Entering(expect=expect, command_id=command_id), viewer) as backend:
        return backend.play(command)


def correct(
    ctx: CommandContext,
    match: Match,
    facts: Annotated[list[str], "FACT..."],
    reason: Reason,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    """Record manual facts as a judge. They trigger nothing."""
    typed = with_clause(facts[0]) if len(facts) == 1 else ""
    with open_backend(ctx, match, Entering(by, expect, command_id), viewer) as backend:
        command = C.Correct(facts=tuple(facts), reason=reason)
        return backend.execute(command, typed)


def rewind(
    ctx: CommandContext,
    match: Match,
    to: Annotated[int, "--to N"],
    reason: Reason = "",
    by: By = "judge",
    dry_run: Annotated[bool, "--dry-run"] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries | RewindPreview]:
    """Continue from an earlier entry, after showing the cost. Nothing is deleted."""
    if not dry_run and not reason.strip():
        raise ctx.problem("cli.no_reason")
    with open_backend(ctx, match, Entering(by, expect, command_id), viewer, writing=not dry_run) as backend:
        if dry_run:
            return backend.price(to, aside=False)
        command = C.Rewind(to=to, reason=reason)
        if (before := backend.repeat(command)) is not None:
            return before
        backend.price(to, aside=True).draw()
        return backend.execute(command)


def note(
    ctx: CommandContext,
    match: Match,
    text: Annotated[str, "TEXT"],
    about: Annotated[int | None, "--at N"] = None,
    by: By = "judge",
    command_id: CommandId = None,
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, Entering(by, None, command_id)) as backend:
        at = 0 if about is None else backend.entry(about)
        return backend.execute(C.AddNote(text=text, about=at))


def close(
    ctx: CommandContext,
    match: Match,
    reason: Reason = "",
    abandon: Annotated[bool, "--abandon"] = False,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
) -> Answer[RecordedEntries]:
    """Close the record for good and publish the croupier's seed."""
    with open_backend(ctx, match, Entering(by, expect, command_id)) as backend:
        command = C.Close(reason=reason, abandon=abandon, confirm=True)
        return backend.execute(command)


def describe(
    ctx: CommandContext, match: Match, occasion: OnOccasionEnded, by: By = "judge", command_id: CommandId = None
) -> Answer[RecordedEntries]:
    """Record the event of a match or the announced result. Values not given stay unchanged."""
    with open_backend(ctx, match, Entering(by, None, command_id)) as backend:
        return backend.execute(convert(occasion.texts, C.Describe))


def undo(
    ctx: CommandContext,
    match: Match,
    at: Annotated[int | None, "--at N"] = None,
    redo: Annotated[bool, "--redo"] = False,
    ask: Annotated[bool, "--ask"] = False,
    reason: Reason = "",
    by: By = JUDGE,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, Entering(by, expect, command_id), viewer) as backend:
        entry = 0 if at is None else backend.entry(at)
        command = C.UndoEntries(entry=entry, redo=redo, ask=ask, reason=reason)
        return backend.execute(command)


def request(
    ctx: CommandContext,
    match: Match,
    refuse: Annotated[bool, "--refuse"] = False,
    reason: Reason = "",
    by: By = JUDGE,
    command_id: CommandId = None,
) -> Answer[PendingRewind | RecordedEntries]:
    with open_backend(ctx, match, Entering(by, None, command_id), writing=refuse) as backend:
        asked = backend.request()
        if not refuse:
            return tell_request(ctx, asked)
        if not reason.strip():
            raise ctx.problem("cli.no_reason_refused")
        if not asked.entry:
            raise ctx.problem("rewind.nothing_asked")
        return backend.execute(C.RefuseRewind(request=asked.entry, reason=reason))


def tell_request(ctx: CommandContext, told: PendingRewind) -> Answer[PendingRewind | RecordedEntries]:
    key = "request.line" if told.entry else "request.none"
    values = {"entry": told.entry, "by": told.by, "to": told.to, "reason": told.reason}
    line = ctx.say(key, **values) + (f" {ctx.say('request.void')}" if told.void else "")
    return Answer(lambda: told, lambda: ctx.screen.line(line))
