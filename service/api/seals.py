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
from recorder.answers import Recorded
from recorder.commands import Command
from recorder.filing import file
from recorder.matches import answered_before
from service import wire
from service.access import Broken
from service.asking import Ask, Reply, Route
from service.command_ids import bind, key_of, writer
from service.house import Sight
from service.problems import halt
from service.refusals import trouble

MINUTE_MS: Final = 60_000


class Whose(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose eyes are to be sealed again; whichever they are, where none are named."""

    viewer: Seat = Seat("")


def break_seal(ask: Ask, query: object, body: wire.BreakSeal) -> Reply:
    """Look with a judge's or a seat's eyes from now on, for a while; who does so stands in the record."""
    house, match = ask.house, ask.path["match"]
    sight = ask.look(operation="break_seal")
    command = _name(ask, body.id, to_builtins(replace(body, id=None)))
    before = _recorded_before(ask, command)
    if before is not None:
        assert isinstance(before.entry, Unsealed)
        return Reply(wire.Unsealed(match=match, viewer=before.entry.eyes, ends=before.entry.until))
    if isinstance(sight.match.entries[-1], Closed):
        raise halt("closed", Text("problem.no_seal"))
    viewer = _eyes(sight, body.viewer)
    if viewer == SPECTATOR:
        raise halt("unreadable", Text("problem.open_eyes"))
    at = house.clock()
    ends = at + _lasts(ask, body.minutes)
    broken = house.seals.broken(ask.session, match, at)
    if broken is not None and broken.viewer != viewer:
        _seal(ask, broken, None)
    done = file(house.store, match, Unsealed(by=writer(ask.session), eyes=viewer, until=ends), at=at, command=command)
    if not isinstance(done, Recorded):
        raise trouble(done)
    house.seals.break_open(ask.session, match, viewer, ends)
    house.wake(match)
    return Reply(wire.Unsealed(match=match, viewer=viewer, ends=ends), 201)


def seal(ask: Ask, query: Whose, body: None) -> Reply:
    """Put the seal back before its time. Halts where eyes are named that whoever asks does not look with."""
    sight = ask.look(operation="break_seal")
    match, viewer = sight.match.id, _eyes(sight, query.viewer) if query.viewer else ""
    command = _name(ask, None, viewer)
    before = _recorded_before(ask, command)
    if before is not None:
        return Reply(wire.Resealed(match=match, entry=before.version))
    broken = ask.house.seals.broken(ask.session, match, ask.house.clock())
    if viewer and (broken is None or broken.viewer != viewer):
        raise halt("unreadable", Text("docket.sealed", {"by": writer(ask.session), "eyes": viewer}))
    ask.house.seals.seal(ask.session, match)
    entry = 0 if broken is None else _seal(ask, broken, command)
    ask.house.wake(match)
    return Reply(wire.Resealed(match=match, entry=entry))


def _eyes(sight: Sight, named: Seat) -> Seat:
    """Whose eyes are meant. Halts where they are nobody's of this match."""
    try:
        return look_at(sight.match, named).viewer
    except NotInMatch as error:
        raise halt("unreadable", error.text) from None


def _name(ask: Ask, given: UUID | None, *asked: object) -> Command | None:
    """The command of this id, by its body or by the header that stands for it, if it has one; another's is another."""
    key = key_of(ask, given)
    return None if key is None else bind(ask, key, "seal", writer(ask.session), *asked)


def _recorded_before(ask: Ask, command: Command | None) -> Recorded | None:
    """What a command led to if it was recorded before. Halts where its id was another's."""
    before = None if command is None else answered_before(ask.house.store, ask.path["match"], command)
    if before is None or isinstance(before, Recorded):
        return before
    raise trouble(before)


def _lasts(ask: Ask, minutes: int) -> int:
    """For how long a seal is broken. Halts where that is longer than the house lets."""
    most = ask.house.settings.seal_ms
    if minutes * MINUTE_MS > most:
        raise halt("unreadable", Text("problem.seal_long", {"most": most // MINUTE_MS}))
    return minutes * MINUTE_MS or most


def _seal(ask: Ask, broken: Broken, command: Command | None) -> int:
    """Record that somebody looks no more, as an entry of this number; 0 for none. The seal is back whether that can be
    recorded or not: the match may be closed, and whoever looked on two devices may have said so already."""
    sealed = Sealed(by=writer(ask.session), eyes=broken.viewer)
    done = file(ask.house.store, ask.path["match"], sealed, at=ask.house.clock(), command=command)
    return done.version if isinstance(done, Recorded) else 0


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=break_seal,
        body=wire.BreakSeal, answer=wire.Unsealed, status=201, again=True, limit="commands",
        says="Look with other eyes for a while; the record says so.",
        problems=("closed", "command-reused", "unknown", "unreadable", "store-unavailable"),
    ),
    Route(
        method="DELETE", path="/api/v1/matches/{match:str}/seal", operation="break_seal", call=seal, limit="commands",
        query=Whose, answer=wire.Resealed, says="Put the seal back.", problems=("command-reused", "unknown"),
    ),
)  # fmt: skip
