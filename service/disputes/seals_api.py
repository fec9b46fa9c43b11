"""Seals: a judge looks at hidden cards for a limited time, after an entry records it."""

from typing import Final
from uuid import UUID

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.law.disputes import Sealed, Unsealed
from domain.law.entries import Closed
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Text
from projections.viewing import NotInMatch, find_viewer
from recorder.answers import RecordResult
from recorder.commands import Command
from recorder.decisions import record_decision
from recorder.matches import answered_before
from service import payloads
from service.access import BrokenSeal
from service.context import MatchView
from service.idempotency import author_of, bind, key_of
from service.problems import http_problem
from service.recording.refusals import problem_of_result
from service.requests import Request, Response, Route

MINUTE_MS: Final = 60_000


class ResealRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Viewer to seal again; any by default."""

    viewer: Seat = Seat("")


def break_seal(request: Request, query: object, body: payloads.BreakSeal) -> Response:
    """Look as a judge or a seat for a limited time. The record names the session."""
    context, match = request.context, request.path["match"]
    view = request.look(operation="break_seal")
    command = _make_command(request, body.id, to_builtins(replace(body, id=None)))
    before = _find_earlier(request, command)
    if before is not None:
        assert isinstance(before.entry, Unsealed)
        return Response(payloads.SealBreak(match=match, viewer=before.entry.eyes, ends=before.entry.until))
    if isinstance(view.match.entries[-1], Closed):
        raise http_problem("closed", Text("problem.no_seal"))
    viewer = _find_viewer(view, body.viewer)
    if viewer == SPECTATOR:
        raise http_problem("unreadable", Text("problem.open_eyes"))
    at = context.clock()
    ends = at + _duration_ms(request, body.minutes)
    broken = context.seals.find_broken(request.session, match, at)
    if broken is not None and broken.viewer != viewer:
        _record_seal(request, broken, None)
    result = record_decision(
        context.store, match, Unsealed(by=author_of(request.session), eyes=viewer, until=ends), at=at, command=command
    )
    if not isinstance(result, RecordResult):
        raise problem_of_result(result)
    context.seals.break_open(request.session, match, viewer, ends)
    context.wake(match)
    return Response(payloads.SealBreak(match=match, viewer=viewer, ends=ends), 201)


def seal(request: Request, query: ResealRequest, body: None) -> Response:
    """Restore the seal early. Raises HttpProblem if the session does not look as this viewer."""
    view = request.look(operation="break_seal")
    match, viewer = view.match.id, _find_viewer(view, query.viewer) if query.viewer else ""
    command = _make_command(request, None, viewer)
    before = _find_earlier(request, command)
    if before is not None:
        return Response(payloads.Resealed(match=match, entry=before.version))
    broken = request.context.seals.find_broken(request.session, match, request.context.clock())
    if viewer and (broken is None or broken.viewer != viewer):
        raise http_problem("unreadable", Text("docket.sealed", {"by": author_of(request.session), "eyes": viewer}))
    request.context.seals.seal(request.session, match)
    entry = 0 if broken is None else _record_seal(request, broken, command)
    request.context.wake(match)
    return Response(payloads.Resealed(match=match, entry=entry))


def _find_viewer(view: MatchView, viewer: Seat) -> Seat:
    try:
        return find_viewer(view.match, viewer).viewer
    except NotInMatch as error:
        raise http_problem("unreadable", error.text) from None


def _make_command(request: Request, given: UUID | None, *asked: object) -> Command | None:
    """Return the command id from the body or the header, bound to this session and payload."""
    key = key_of(request, given)
    return None if key is None else bind(request, key, "seal", author_of(request.session), *asked)


def _find_earlier(request: Request, command: Command | None) -> RecordResult | None:
    """Return the earlier result of a command. Raises HttpProblem if the id belongs to another command."""
    before = None if command is None else answered_before(request.context.store, request.path["match"], command)
    if before is None or isinstance(before, RecordResult):
        return before
    raise problem_of_result(before)


def _duration_ms(request: Request, minutes: int) -> int:
    most = request.context.settings.seal_ms
    if minutes * MINUTE_MS > most:
        raise http_problem("unreadable", Text("problem.seal_long", {"most": most // MINUTE_MS}))
    return minutes * MINUTE_MS or most


def _record_seal(request: Request, broken: BrokenSeal, command: Command | None) -> int:
    """Record that a seal is restored and return the entry's number, or 0. The seal is restored even if recording fails:
    the match may be closed, or another device has recorded it."""
    sealed = Sealed(by=author_of(request.session), eyes=broken.viewer)
    result = record_decision(
        request.context.store, request.path["match"], sealed, at=request.context.clock(), command=command
    )
    return result.version if isinstance(result, RecordResult) else 0


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=break_seal,
        body=payloads.BreakSeal, answer=payloads.SealBreak, status=201, again=True, limit="commands",
        says="Break a seal: look as another viewer for a limited time. The record notes it.",
        problems=("closed", "command-reused", "unknown", "unreadable", "store-unavailable"),
    ),
    Route(
        method="DELETE", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=seal, limit="commands",
        query=ResealRequest, answer=payloads.Resealed, says="Restore the seal.",
        problems=("command-reused", "unknown"),
    ),
)  # fmt: skip
