"""API of branches: what-if matches that start from an entry of a parent."""

from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

from domain.table.table import JUDGE
from recorder import branches, matches
from recorder.answers import RecordResult
from recorder.match_ids import opened_by
from recorder.store import Conflict
from service import payloads
from service.idempotency import author_of, bind, key_of
from service.problems import http_problem
from service.recording.refusals import etag, problem_of_result
from service.requests import Request, Response, Route


def open_branch(request: Request, query: object, body: payloads.OpenBranch) -> Response:
    """Open a branch. The same id opens one branch only. A branch shows cards that are hidden in its parent, so it needs
    a judge's view."""
    context, parent = request.context, request.look(JUDGE, "branch").match
    key = key_of(request, body.id)
    command = None if key is None else bind(request, key, parent.id, to_builtins(replace(body, id=None)))
    match = body.match or (None if command is None else opened_by(context.store, parent.game, command))
    before = None if command is None or match is None else matches.answered_before(context.store, match, command)
    if before is None:
        result: Any = branches.branch(
            context.store,
            parent.id,
            body.at,
            match,
            now=context.clock(),
            by=author_of(request.session),
            command=command,
        )
        if isinstance(result, Conflict):
            raise http_problem("exists")
        if isinstance(result, branches.NoBranch):
            raise http_problem("unreadable", result.what)
        if not isinstance(result, branches.Branched):
            raise problem_of_result(result)
        match, head = result.match, result.version
        context.wake(match)
    elif isinstance(before, RecordResult):
        head = before.last
    else:
        raise problem_of_result(before)
    assert match is not None
    value = payloads.BranchHead(match=match, parent=parent.id, at=body.at, head=head, parent_open=not parent.closed)
    headers = {**etag(head), "Location": f"/api/v1/matches/{match}"}
    if before is not None:
        return Response(value, 200, {**headers, "Idempotent-Replay": "1"})
    return Response(value, 201, headers)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/branches", operation="branch", call=open_branch,
        body=payloads.OpenBranch, answer=payloads.BranchHead, status=201, again=True, limit="commands",
        says="Open an unofficial match that shares the entries of this one up to an entry and then goes on.",
        problems=("unknown", "sealed", "not-your-eyes", "exists", "command-reused", "store-unavailable"),
    ),
)  # fmt: skip
