"""Corrections, rewinds, notes, the description of a match, and its end."""

from typing import Annotated

from msgspec import convert

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import Desk
from cli.record.outcome import Written
from cli.values import By, CommandId, Entering, Expect, Match, OnOccasionEnded, Reason, Viewer
from domain.formats.typed import by_hand
from projections.undoing import Priced
from recorder.usecases import commands as C


def correct(
    desk: Desk,
    match: Match,
    facts: Annotated[list[str], "FACT..."],
    reason: Reason,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Enter facts by hand, as a judge; they trigger nothing."""
    typed = by_hand(facts[0]) if len(facts) == 1 else ""
    with open_backend(desk, match, Entering(by, expect, command_id), viewer) as backend:
        command = C.Correct(facts=tuple(facts), reason=reason)
        return backend.execute(command, typed)


def rewind(
    desk: Desk,
    match: Match,
    to: Annotated[int, "--to N"],
    reason: Reason = "",
    by: By = "judge",
    dry_run: Annotated[bool, "--dry-run"] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[Written | Priced]:
    """Go on from an earlier entry; nothing is deleted. What it costs is shown first."""
    if not dry_run and not reason.strip():
        raise desk.problem("cli.no_reason")
    with open_backend(desk, match, Entering(by, expect, command_id), viewer, writing=not dry_run) as backend:
        if dry_run:
            return backend.price(to, aside=False)
        command = C.Rewind(to=to, reason=reason)
        if (before := backend.repeat(command)) is not None:
            return before
        backend.price(to, aside=True).draw()
        return backend.execute(command)


def note(
    desk: Desk,
    match: Match,
    text: Annotated[str, "TEXT"],
    about: Annotated[int | None, "--at N"] = None,
    by: By = "judge",
    command_id: CommandId = None,
) -> Answer[Written]:
    """Record something said or seen that changes nothing, about one entry if it is named."""
    with open_backend(desk, match, Entering(by, None, command_id)) as backend:
        at = 0 if about is None else backend.entry(about)
        return backend.execute(C.Note(text=text, about=at))


def close(
    desk: Desk,
    match: Match,
    reason: Reason = "",
    abandon: Annotated[bool, "--abandon"] = False,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
) -> Answer[Written]:
    """Complete the record for good; the croupier's seed is published with it."""
    with open_backend(desk, match, Entering(by, expect, command_id)) as backend:
        command = C.Close(reason=reason, abandon=abandon, confirm=True)
        return backend.execute(command)


def describe(
    desk: Desk, match: Match, occasion: OnOccasionEnded, by: By = "judge", command_id: CommandId = None
) -> Answer[Written]:
    """Say at which event a match is played, or which result was announced; what is not given stays as it is."""
    with open_backend(desk, match, Entering(by, None, command_id)) as backend:
        return backend.execute(convert(occasion.texts, C.Describe))
