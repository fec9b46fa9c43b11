"""Corrections, rewinds, notes, the description of a match, and its end."""

from typing import Annotated

from msgspec import convert

from cli.answer import Answer
from cli.backends import changing
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Written
from cli.values import By, CommandId, Entering, Expect, Match, OnOccasionEnded, Reason, Viewer
from domain.formats.typed import by_hand
from projections.undoing import Priced
from recorder import matches
from recorder.answers import Cost
from recorder.clock import now
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
    with changing(desk, match, viewer) as backend:
        command = C.Correct(facts=tuple(facts), reason=reason)
        return backend.execute(command, Entering(by, expect, command_id), typed)


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
    require_reason(desk, reason, dry_run=dry_run)
    with desk.store(writing=not dry_run) as store:
        before = desk.match(store, match)
        eyes = desk.eyes(before, viewer)
        if dry_run or command_id is None or store.command(before.id, command_id) is None:
            cost = matches.rewind_cost(store, before.id, desk.entry(before, to))
            if not isinstance(cost, Cost):
                raise outcome.trouble(desk, store, cost)
            price = outcome.answer_cost(desk, before, eyes, cost, aside=not dry_run)
            if dry_run:
                return price
            price.draw()
        answer = matches.rewind(store, before.id, to, reason, by, expected=expect, command_id=command_id, at=now())
        recorded = outcome.require_recorded(desk, store, answer)
        outcome.hint_undrawn(desk, store, before, recorded.table)
        return outcome.answer_written(desk, store, before.id, answer, eyes)


def require_reason(desk: Desk, reason: str, *, dry_run: bool) -> None:
    """Raises Problem for a rewind without a reason that is not only looked at."""
    if not dry_run and not reason.strip():
        raise desk.problem("cli.no_reason")


def note(
    desk: Desk,
    match: Match,
    text: Annotated[str, "TEXT"],
    about: Annotated[int | None, "--at N"] = None,
    by: By = "judge",
    command_id: CommandId = None,
) -> Answer[Written]:
    """Record something said or seen that changes nothing, about one entry if it is named."""
    with changing(desk, match) as backend:
        at = 0 if about is None else backend.entry(about)
        return backend.execute(C.Note(text=text, about=at), Entering(by, None, command_id))


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
    with changing(desk, match) as backend:
        command = C.Close(reason=reason, abandon=abandon, confirm=True)
        return backend.execute(command, Entering(by, expect, command_id))


def describe(
    desk: Desk, match: Match, occasion: OnOccasionEnded, by: By = "judge", command_id: CommandId = None
) -> Answer[Written]:
    """Say at which event a match is played, or which result was announced; what is not given stays as it is."""
    with changing(desk, match) as backend:
        return backend.execute(convert(occasion.texts, C.Describe), Entering(by, None, command_id))
