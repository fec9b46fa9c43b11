"""Recording at the table, key by key: only what may be done now is offered, and whatever happens can be recorded."""

from typing import Annotated

import typer

from cli.context import Desk
from cli.play.running import record
from cli.values import By, Match

Seats = Annotated[str | None, typer.Option("--as", metavar="SEATS", show_default=False)]
ByHand = Annotated[bool, typer.Option("--chance-by-hand")]
Count = Annotated[bool, typer.Option("--count")]


def play(
    desk: Desk,
    match: Match,
    seats: Seats = None,
    by_hand: ByHand = False,
    count: Count = False,
    by: By = "scorekeeper",
) -> int:
    """Record a match as it is played; every action is on disk before the next is asked for."""
    return record(desk, match, seats, by_hand, count, by)
