"""API of the floor: new matches, the round timer, results."""

from typing import Annotated, Final
from urllib.parse import quote

from msgspec import Meta, Struct

from projections.results import ResultRow, write_results
from service import payloads
from service.api import ListPageQuery, page_with_link
from service.floor import new_matches, round_timer
from service.floor.results import round_results
from service.payloads import TimedTable, TimeRound
from service.requests import Request, Response, Route
from service.security import NO_STORE


def open_match(request: Request, query: object, body: payloads.OpenMatch) -> Response:
    return new_matches.open_match(request, body)


def open_round(request: Request, query: object, body: payloads.OpenRound) -> Response:
    opened_tables = new_matches.open_round(request, body)
    tables = tuple(
        payloads.RoundTable(table=row.table, match=row.match, names=row.names, new=row.new, cards=row.cards)
        for row in opened_tables
    )
    return Response(tables, 201 if any(row.new for row in tables) else 200)


def time_round(request: Request, query: object, body: TimeRound) -> Response:
    return Response(round_timer.time_round(request, body))


CSV: Final = "text/csv"


class RoundQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    event: str = ""
    round: str = ""


class RoundPageQuery(ListPageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    event: str = ""
    round: str = ""


class CsvQuery(RoundQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    excel: Annotated[bool, Meta(description="with a byte order mark, so that Excel reads Japanese")] = False


def show_results(request: Request, query: RoundPageQuery, body: None) -> Response:
    rows = round_results(request, query.event.strip(), query.round.strip())
    page, more = page_with_link(request, query, rows, lambda row: row.match)
    return Response(page, headers={"Cache-Control": NO_STORE, **more})


def download_results(request: Request, query: CsvQuery, body: None) -> Response:
    rows = round_results(request, query.event.strip(), query.round.strip())
    name = quote("-".join(part for part in ("results", query.event.strip(), query.round.strip()) if part) + ".csv", "")
    disposition = f"attachment; filename=\"results.csv\"; filename*=UTF-8''{name}"
    headers = {"Cache-Control": NO_STORE, "Content-Disposition": disposition}
    return Response(write_results(rows, excel=query.excel).encode(), headers=headers, kind=CSV)


ROUTES: Final = (
    Route(
        method="POST",
        path="/api/v1/matches",
        operation="open",
        call=open_match,
        body=payloads.OpenMatch,
        answer=payloads.EntriesWithFlags,
        status=201,
        again=True,
        limit="commands",
        says="Open a match. The croupier deals.",
        problems=("not-allowed", "unreadable", "exists", "command-reused", "store-unavailable"),
    ),
    Route(
        method="POST",
        path="/api/v1/rounds",
        operation="pair",
        call=open_round,
        body=payloads.OpenRound,
        answer=tuple[payloads.RoundTable, ...],
        status=201,
        again=True,
        large=True,
        limit="commands",
        says="Open a match for each table of a round, all of them or none.",
        problems=("not-allowed", "unreadable", "exists", "too-large", "store-unavailable"),
    ),
    Route(
        method="POST",
        path="/api/v1/rounds/timer",
        operation="pair",
        call=time_round,
        body=TimeRound,
        answer=tuple[TimedTable, ...],
        limit="commands",
        says="Start the timer of a round at all its tables, or cancel its start.",
        problems=("unreadable", "unknown", "exists", "command-reused", "store-unavailable"),
    ),
    Route(
        method="GET",
        path="/api/v1/results",
        operation="pair",
        call=show_results,
        query=RoundPageQuery,
        answer=tuple[ResultRow, ...],
        paged=True,
        problems=("unreadable", "unknown", "store-unavailable"),
        says="List the matches of a round: winners, penalties, and the time to add.",
    ),
    Route(
        method="GET",
        path="/api/v1/results.csv",
        operation="pair",
        call=download_results,
        query=CsvQuery,
        kind=CSV,
        answer=bytes,
        problems=("unknown", "store-unavailable"),
        says="Return the results as CSV for the pairing program.",
    ),
)
