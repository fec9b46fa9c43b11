"""API of score sheets: record one, compare and merge two."""

from typing import Final

from projections.sheets import SheetComparison
from service.recording import sheet_forms as F, sheets
from service.recording.refusals import etag
from service.requests import Request, Response, Route


def take(request: Request, query: F.SheetQuery, body: bytes) -> Response:
    return _make_sheet_response(sheets.record_sheet(request, sheets.read_text(body), query))


def take_with_faces(request: Request, query: object, body: F.SheetWithFaces) -> Response:
    terms = F.SheetQuery(body.match, body.mend)
    text = sheets.unix_endings(body.text)
    sheets.require_length(text.count("\n"))
    return _make_sheet_response(sheets.record_sheet(request, text, terms, body.shows))


def _make_sheet_response(result: F.SheetResult) -> Response:
    headers = {**etag(result.head), "Location": f"/api/v1/matches/{result.match}"}
    new = result.opened or not all(line.known for line in result.lines)
    return Response(result, 201, headers) if new else Response(result, 200, {**headers, "Idempotent-Replay": "1"})


def compare(request: Request, query: object, body: F.Both) -> Response:
    return Response(sheets.compare(request, body))


def settle(request: Request, query: object, body: F.SettleSheetsRequest) -> Response:
    return Response(sheets.settle(request, body))


SHEET_PROBLEMS: Final = (
    "unreadable", "not-allowed", "physically-impossible", "exists", "command-reused", "closed", "sealed",
    "not-your-eyes", "too-large", "store-unavailable",
)  # fmt: skip
COMPARE_PROBLEMS: Final = ("unreadable", "unknown", "not-your-eyes", "sealed", "too-large", "store-unavailable")
ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/sheets", operation="open", call=take, query=F.SheetQuery, body=bytes,
        answer=F.SheetResult, status=201, again=True, large=True, limit="commands",
        says="Record a score sheet as a match, all of it or nothing.",
        problems=SHEET_PROBLEMS,
    ),
    Route(
        method="POST", path="/api/v1/sheets:take", operation="open", call=take_with_faces, body=F.SheetWithFaces,
        answer=F.SheetResult, status=201, again=True, large=True, limit="commands",
        says="Record a score sheet, with faces that were asked for.", problems=SHEET_PROBLEMS,
    ),
    Route(
        method="POST", path="/api/v1/sheets:compare", operation="hold_sheets", call=compare, body=F.Both,
        answer=SheetComparison, large=True, limit="commands", says="Compare two score sheets of a match.",
        problems=COMPARE_PROBLEMS,
    ),
    Route(
        method="POST", path="/api/v1/sheets:settle", operation="hold_sheets", call=settle, body=F.SettleSheetsRequest,
        answer=F.Settled, large=True, limit="commands", says="Merge two score sheets by answers to their differences.",
        problems=COMPARE_PROBLEMS,
    ),
)  # fmt: skip
