"""Seals: a judge looks at hidden cards only after saying so in the record, and not for long."""

from typing import Final
from uuid import UUID

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.law.disputes import Sealed, Unsealed
from domain.law.entries import Closed
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Text
from projections.viewing import NotInMatch, look_at
from recorder.answers import RecordResult
from recorder.commands import Command
from recorder.filing import file
from recorder.matches import answered_before
from service import payloads
from service.access import BrokenSeal
from service.context import MatchView
from service.idempotency import bind, key_of, writer
from service.problems import http_problem
from service.recording.refusals import trouble
from service.requests import Request, Response, Route

MINUTE_MS: Final = 60_000


class ResealRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose eyes are to be sealed again; whichever they are, where none are named."""

    viewer: Seat = Seat("")


def break_seal(request: Request, query: object, body: payloads.BreakSeal) -> Response:
    """Look with a judge's or a seat's eyes from now on, for a while; who does so stands in the record."""
    context, match = request.context, request.path["match"]
    view = request.look(operation="break_seal")
    command = _name(request, body.id, to_builtins(replace(body, id=None)))
    before = _recorded_before(request, command)
    if before is not None:
        assert isinstance(before.entry, Unsealed)
        return Response(payloads.SealBreak(match=match, viewer=before.entry.eyes, ends=before.entry.until))
    if isinstance(view.match.entries[-1], Closed):
        raise http_problem("closed", Text("problem.no_seal"))
    viewer = _eyes(view, body.viewer)
    if viewer == SPECTATOR:
        raise http_problem("unreadable", Text("problem.open_eyes"))
    at = context.clock()
    ends = at + _lasts(request, body.minutes)
    broken = context.seals.broken(request.session, match, at)
    if broken is not None and broken.viewer != viewer:
        _seal(request, broken, None)
    done = file(
        context.store, match, Unsealed(by=writer(request.session), eyes=viewer, until=ends), at=at, command=command
    )
    if not isinstance(done, RecordResult):
        raise trouble(done)
    context.seals.break_open(request.session, match, viewer, ends)
    context.wake(match)
    return Response(payloads.SealBreak(match=match, viewer=viewer, ends=ends), 201)


def seal(request: Request, query: ResealRequest, body: None) -> Response:
    """Put the seal back before its time. Halts where eyes are named that whoever asks does not look with."""
    view = request.look(operation="break_seal")
    match, viewer = view.match.id, _eyes(view, query.viewer) if query.viewer else ""
    command = _name(request, None, viewer)
    before = _recorded_before(request, command)
    if before is not None:
        return Response(payloads.Resealed(match=match, entry=before.version))
    broken = request.context.seals.broken(request.session, match, request.context.clock())
    if viewer and (broken is None or broken.viewer != viewer):
        raise http_problem("unreadable", Text("docket.sealed", {"by": writer(request.session), "eyes": viewer}))
    request.context.seals.seal(request.session, match)
    entry = 0 if broken is None else _seal(request, broken, command)
    request.context.wake(match)
    return Response(payloads.Resealed(match=match, entry=entry))


def _eyes(view: MatchView, named: Seat) -> Seat:
    """Whose eyes are meant. Halts where they are nobody's of this match."""
    try:
        return look_at(view.match, named).viewer
    except NotInMatch as error:
        raise http_problem("unreadable", error.text) from None


def _name(request: Request, given: UUID | None, *asked: object) -> Command | None:
    """The command of this id, by its body or by the header that stands for it, if it has one; another's is another."""
    key = key_of(request, given)
    return None if key is None else bind(request, key, "seal", writer(request.session), *asked)


def _recorded_before(request: Request, command: Command | None) -> RecordResult | None:
    """What a command led to if it was recorded before. Halts where its id was another's."""
    before = None if command is None else answered_before(request.context.store, request.path["match"], command)
    if before is None or isinstance(before, RecordResult):
        return before
    raise trouble(before)


def _lasts(request: Request, minutes: int) -> int:
    """Return for how many milliseconds a seal is broken. Raises HttpProblem for more than the settings allow."""
    most = request.context.settings.seal_ms
    if minutes * MINUTE_MS > most:
        raise http_problem("unreadable", Text("problem.seal_long", {"most": most // MINUTE_MS}))
    return minutes * MINUTE_MS or most


def _seal(request: Request, broken: BrokenSeal, command: Command | None) -> int:
    """Record that somebody looks no more, as an entry of this number; 0 for none. The seal is back whether that can be
    recorded or not: the match may be closed, and whoever looked on two devices may have said so already."""
    sealed = Sealed(by=writer(request.session), eyes=broken.viewer)
    done = file(request.context.store, request.path["match"], sealed, at=request.context.clock(), command=command)
    return done.version if isinstance(done, RecordResult) else 0


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=break_seal,
        body=payloads.BreakSeal, answer=payloads.SealBreak, status=201, again=True, limit="commands",
        says="Look with other eyes for a while; the record says so.",
        problems=("closed", "command-reused", "unknown", "unreadable", "store-unavailable"),
    ),
    Route(
        method="DELETE", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=seal, limit="commands",
        query=ResealRequest, answer=payloads.Resealed, says="Put the seal back.",
        problems=("command-reused", "unknown"),
    ),
)  # fmt: skip
