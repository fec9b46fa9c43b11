"""What people say about a match: where it stands in a tournament, and what was announced as its result."""

from typing import Annotated

import typer
from msgspec.structs import fields

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Written
from cli.values import By, CommandId, Match
from domain.law.occasion import Occasion
from recorder import matches
from recorder.clock import now

Event = Annotated[str | None, typer.Option("--event", metavar="TEXT", show_default=False)]
Site = Annotated[str | None, typer.Option("--site", metavar="TEXT", show_default=False)]
Date = Annotated[str | None, typer.Option("--date", metavar="TEXT", show_default=False)]
Round = Annotated[str | None, typer.Option("--round", metavar="TEXT", show_default=False)]
Table = Annotated[str | None, typer.Option("--table", metavar="TEXT", show_default=False)]
Start = Annotated[str | None, typer.Option("--start", metavar="TEXT", show_default=False)]
TimeLimit = Annotated[str | None, typer.Option("--limit", metavar="TEXT", show_default=False)]
Announced = Annotated[str | None, typer.Option("--result", metavar="TEXT", show_default=False)]


def describe(
    desk: Desk,
    match: Match,
    event: Event = None,
    site: Site = None,
    date: Date = None,
    round_: Round = None,
    table: Table = None,
    start_time: Start = None,
    time_limit: TimeLimit = None,
    announced: Announced = None,
    by: By = "judge",
    command_id: CommandId = None,
) -> Answer[Written]:
    """Say on what occasion a match is played, or which result was announced; what is not given stays as it is."""
    texts = occasion(event, site, date, round_, table, start_time, time_limit)
    if announced is not None:
        texts["announced"] = announced
    with desk.changing(match) as (store, before):
        answer = matches.describe(store, before.id, by, texts, command_id=command_id, at=now())
        return outcome.written(desk, store, before.id, answer, "judge")


def occasion(*texts: str | None) -> dict[str, str]:
    """The fields of an occasion that were given, in their order."""
    names = [field.name for field in fields(Occasion)][: len(texts)]
    return {name: text for name, text in zip(names, texts, strict=True) if text is not None}
