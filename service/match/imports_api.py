"""API of imports: all records of a file or none."""

from typing import Final

from archive.corpus.texts import read_states
from domain.words import Text
from recorder.answers import BadRecord
from recorder.imports import import_records
from recorder.spool import Spool
from recorder.store import Conflict
from service import payloads
from service.problems import http_problem
from service.requests import Request, Response, Route


def import_file(request: Request, query: object, body: bytes) -> Response:
    """Import a record in notation, with its branches, or as JSON Lines."""
    context = request.context
    with Spool() as spool:
        branches = read_states(body, spool)
        imported = import_records(context.store, (spool, *branches))
    if isinstance(imported, BadRecord):
        raise http_problem(
            "unreadable",
            Text("problem.bad_record", {"entry": imported.entry, "what": imported.what}),
            entry=imported.entry,
        )
    if isinstance(imported, Conflict):
        raise http_problem("exists", Text("problem.other_record", {"match": imported.match, "actual": imported.actual}))
    for item in imported:
        if item.new:
            context.wake(item.match)
    matches = tuple(payloads.ImportedMatch(match=item.match, entries=item.version, new=item.new) for item in imported)
    return Response(payloads.ImportResult(matches=matches), 201 if any(item.new for item in matches) else 200)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/imports", operation="import", call=import_file, body=bytes,
        answer=payloads.ImportResult,
        status=201, large=True, again=True, limit="commands", says="Import records, all of a file or none.",
        problems=("unreadable", "exists", "too-large", "store-unavailable"),
    ),
)  # fmt: skip
