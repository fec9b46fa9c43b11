"""What is written down beside the actions: corrections, rewinds, notes, what people say of the match, the end."""

from collections.abc import Iterable
from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Written
from cli.values import By, CommandId, Expect, Match, OnOccasionEnded, Reason, Viewer
from domain.formats.errors import FormatError, unknown
from domain.formats.faces import read_learned
from domain.formats.facts import parse_fact
from domain.formats.typed import by_hand
from domain.law.clause import Telling, Told
from domain.table.table import JUDGE, Table
from projections.undoing import Priced
from recorder import matches
from recorder.answers import Cost
from recorder.clock import now
from recorder.loading import Match as Loaded
from recorder.store import Store


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
    with desk.changing(match) as (store, before):
        eyes = desk.eyes(before, viewer)
        told = read_facts(desk, store, before, facts, command_id)
        answer = matches.correct(store, before.id, by, reason, told, expected=expect, command_id=command_id, at=now())
        return outcome.answer_written(desk, store, before.id, answer, eyes)


def read_facts(desk: Desk, store: Store, before: Loaded, facts: Iterable[str], command_id: str | None) -> Told:
    """Facts in notation, on the table on which the command was given first. Raises Problem."""
    repeated = store.command(before.id, command_id) if command_id is not None else None
    table = before.table if repeated is None else before.after(repeated.first - 1)
    return tuple(_read_fact(desk, before, table, text) for text in facts)


def _read_fact(desk: Desk, loaded: Loaded, table: Table, text: str) -> Telling:
    """A fact as notation writes it. Raises Problem."""
    words = by_hand(text)
    try:
        clause, fact = read_learned(loaded.game, parse_fact(words, table, loaded.opened.schema, loaded.game.display))
    except FormatError as error:
        raise desk.mistyped(words, error) from None
    book = loaded.game.rulebook.clauses
    if clause and clause not in book:
        raise desk.refuse(unknown("clause", clause, book, lists=False))
    return clause, fact


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
    with desk.changing(match) as (store, before):
        at = 0 if about is None else desk.entry(before, about)
        answer = matches.note(store, before.id, by, text.strip(), command_id=command_id, at=now(), about=at)
        return outcome.answer_written(desk, store, before.id, answer, before.eyes(JUDGE))


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
    with desk.changing(match) as (store, before):
        answer = matches.close(
            store, before.id, by, reason, expected=expect, command_id=command_id, at=now(), abandon=abandon
        )
        return outcome.answer_written(desk, store, before.id, answer, before.eyes())


def describe(
    desk: Desk, match: Match, occasion: OnOccasionEnded, by: By = "judge", command_id: CommandId = None
) -> Answer[Written]:
    """Say on what occasion a match is played, or which result was announced; what is not given stays as it is."""
    with desk.changing(match) as (store, before):
        answer = matches.describe(store, before.id, by, occasion.texts, command_id=command_id, at=now())
        return outcome.answer_written(desk, store, before.id, answer, before.eyes(JUDGE))
