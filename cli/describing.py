"""What people say about a match: where it stands in a tournament, and what was announced as its result."""

from typing import Annotated

import typer

from cli import answers
from cli.context import Desk
from cli.registry import By, Command, CommandId, Json, Match

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
    as_json: Json = False,
) -> None:
    """Say on what occasion a match is played, or which result was announced; what is not given stays as it is."""
    from recorder.clock import now
    from recorder.matches import describe as described

    texts = occasion(event, site, date, round_, table, start_time, time_limit)
    if announced is not None:
        texts["announced"] = announced
    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        recorded = answers.recorded(desk, store, described(store, found.id, by, texts, command_id, now()))
        answers.followed(desk, store, found.id, recorded.version, (recorded.entry,), "judge", as_json)


def occasion(*texts: str | None) -> dict[str, str]:
    """The fields of an occasion that were given, in their order."""
    from msgspec.structs import fields

    from domain.law.occasion import Occasion

    names = [one.name for one in fields(Occasion)][: len(texts)]
    return {name: text for name, text in zip(names, texts, strict=True) if text is not None}


COMMANDS: dict[str, Command] = {"describe": describe}
