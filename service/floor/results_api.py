"""The results of a round, as JSON and as CSV for the pairing program."""

from typing import Annotated, Final
from urllib.parse import quote

from msgspec import Meta, Struct

from projections.results import ResultRow, write_results
from service.floor.results import round_results
from service.requests import Request, Response, Route
from service.security import NO_STORE

CSV: Final = "text/csv"


class RoundQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of which round of which event."""

    event: str = ""
    round: str = ""


class CsvQuery(RoundQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The same, and for whom."""

    excel: Annotated[bool, Meta(description="with a byte order mark, so that Excel reads Japanese")] = False


def show_results(request: Request, query: RoundQuery, body: None) -> Response:
    """The matches of a round as they stand."""
    rows = round_results(request, query.event.strip(), query.round.strip())
    return Response(rows, headers={"Cache-Control": NO_STORE})


def download_results(request: Request, query: CsvQuery, body: None) -> Response:
    """The same as a file."""
    rows = round_results(request, query.event.strip(), query.round.strip())
    name = quote("-".join(part for part in ("results", query.event.strip(), query.round.strip()) if part) + ".csv", "")
    disposition = f"attachment; filename=\"results.csv\"; filename*=UTF-8''{name}"
    headers = {"Cache-Control": NO_STORE, "Content-Disposition": disposition}
    return Response(write_results(rows, excel=query.excel).encode(), headers=headers, kind=CSV)


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/results", operation="pair", call=show_results, query=RoundQuery,
        answer=tuple[ResultRow, ...], problems=("unknown", "store-unavailable"),
        says="The matches of a round: winners, penalties, and the time to add.",
    ),
    Route(
        method="GET", path="/api/v1/results.csv", operation="pair", call=download_results, query=CsvQuery, kind=CSV,
        answer=bytes, problems=("unknown", "store-unavailable"),
        says="The same as CSV for the pairing program.",
    ),
)  # fmt: skip
