"""Matches opened by programs, one at a time or those of a round."""

from typing import Final

from service import payloads
from service.floor import new_matches, round_timer
from service.payloads import TimedTable, TimeRound
from service.requests import Request, Response, Route


def open_match(request: Request, query: object, body: payloads.OpenMatch) -> Response:
    """Open a match; asked once more under the same id, the same match is answered."""
    return new_matches.open_match(request, body)


def open_round(request: Request, query: object, body: payloads.OpenRound) -> Response:
    """Open the matches of a round; asked once more, what is open already is answered."""
    done = new_matches.open_round(request, body)
    paired = tuple(
        payloads.Paired(table=row.table, match=row.match, names=row.names, new=row.new, cards=row.cards) for row in done
    )
    return Response(paired, 201 if any(row.new for row in paired) else 200)


def time_round(request: Request, query: object, body: TimeRound) -> Response:
    """Start the timer of a round, or take its start back; asked once more, what is done already is answered."""
    return Response(round_timer.time_round(request, body))


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches", operation="open", call=open_match, body=payloads.OpenMatch,
        answer=payloads.Entered, status=201, again=True, limit="commands",
        says="Open a match and let the croupier lay it out.",
        problems=("not-allowed", "unreadable", "exists", "command-reused", "store-unavailable"),
    ),
    Route(
        method="POST", path="/api/v1/rounds", operation="pair", call=open_round, body=payloads.OpenRound,
        answer=tuple[payloads.Paired, ...], status=201, again=True, large=True, limit="commands",
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
