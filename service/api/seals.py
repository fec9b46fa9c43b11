"""Seals: a judge looks at hidden cards only after saying so in the record, and not for long."""

from typing import Final

from domain.law.disputes import Sealed, Unsealed
from domain.law.entries import Closed
from domain.table.redact import SPECTATOR
from domain.words import Text
from projections.viewing import NotInMatch, look_at
from recorder.answers import Recorded
from recorder.filing import file
from service import commands as C
from service.access import Broken
from service.asking import NOTHING, Ask, Reply, Route
from service.problems import halt
from service.recording import trouble, writer


def break_seal(ask: Ask, query: object, body: C.BreakSeal) -> Reply:
    """Look with a judge's or a seat's eyes from now on, for a while; who does so stands in the record."""
    house, match = ask.house, ask.path["match"]
    sight = ask.look(operation="break_seal")
    if isinstance(sight.match.entries[-1], Closed):
        raise halt("closed", Text("problem.no_seal"))
    try:
        viewer = look_at(sight.match, body.viewer).viewer
    except NotInMatch as error:
        raise halt("unreadable", error.text) from None
    if viewer == SPECTATOR:
        raise halt("unreadable", Text("problem.open_eyes"))
    at = house.clock()
    ends = at + house.settings.seal_ms
    broken = house.seals.broken(ask.session, match, at)
    if broken is not None and broken.viewer != viewer:
        _seal(ask, match, broken)
    done = file(house.store, match, Unsealed(by=writer(ask.session), eyes=viewer, until=ends), at=at)
    if not isinstance(done, Recorded):
        raise trouble(done)
    house.seals.break_open(ask.session, match, viewer, ends)
    house.wake(match)
    return Reply(C.Unsealed(match=match, viewer=viewer, ends=ends), 201)


def seal(ask: Ask, query: object, body: None) -> Reply:
    """Put the seal back before its time."""
    match = ask.look(operation="break_seal").match.id
    broken = ask.house.seals.broken(ask.session, match, ask.house.clock())
    ask.house.seals.seal(ask.session, match)
    if broken is not None:
        _seal(ask, match, broken)
    ask.house.wake(match)
    return Reply(NOTHING)


def _seal(ask: Ask, match: str, broken: Broken) -> None:
    """Record that somebody looks no more. The seal is back whether that can be recorded or not: the match may be
    closed, and whoever looked on two devices may have said so already."""
    sealed = Sealed(by=writer(ask.session), eyes=broken.viewer)
    file(ask.house.store, match, sealed, at=ask.house.clock())


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=break_seal,
        body=C.BreakSeal, answer=C.Unsealed, status=201, limit="commands",
        says="Look with other eyes for a while; the record says so.",
        problems=("closed", "unknown", "unreadable", "store-unavailable"),
    ),
    Route(
        method="DELETE", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=seal, limit="commands",
        says="Put the seal back.", problems=("unknown",),
    ),
)  # fmt: skip
