"""Matches opened by programs, one at a time or those of a round."""

from typing import Final

from service import opening, timing, wire
from service.asking import Ask, Reply, Route
from service.wire import TimedTable, TimeRound


def open_match(ask: Ask, query: object, body: wire.OpenMatch) -> Reply:
    """Open a match; asked once more under the same id, the same match is answered."""
    return opening.open_match(ask, body)


def open_round(ask: Ask, query: object, body: wire.OpenRound) -> Reply:
    """Open the matches of a round; asked once more, what is open already is answered."""
    done = opening.open_round(ask, body)
    paired = tuple(
        wire.Paired(table=row.table, match=row.match, names=row.names, new=row.new, cards=row.cards) for row in done
    )
    return Reply(paired, 201 if any(row.new for row in paired) else 200)


def time_round(ask: Ask, query: object, body: TimeRound) -> Reply:
    """Start the timer of a round, or take its start back; asked once more, what is done already is answered."""
    return Reply(timing.time_round(ask, body))


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches", operation="open", call=open_match, body=wire.OpenMatch,
        answer=wire.Entered, status=201, again=True, limit="commands",
        says="Open a match and let the croupier lay it out.",
        problems=("not-allowed", "unreadable", "exists", "command-reused", "store-unavailable"),
    ),
    Route(
        method="POST", path="/api/v1/rounds", operation="pair", call=open_round, body=wire.OpenRound,
        answer=tuple[wire.Paired, ...], status=201, again=True, large=True, limit="commands",
        says="Open a match for each table of a round, all of them or none.",
        problems=("not-allowed", "unreadable", "exists", "too-large", "store-unavailable"),
    ),
    Route(
        method="POST", path="/api/v1/rounds/timer", operation="pair", call=time_round, body=TimeRound,
        answer=tuple[TimedTable, ...], limit="commands",
        says="Start the timer of a round at all its tables, or take its start back.",
        problems=("unreadable", "unknown", "exists", "command-reused", "store-unavailable"),
    ),
)  # fmt: skip
