"""Coming in and going out: an invitation is exchanged for a token, held by a browser's cookie or shown by a program."""

from typing import Final

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.law import Law
from domain.table.table import Seat
from domain.words import Text, listed
from recorder.codec import MATCH_ID
from recorder.keyring import Holder
from recorder.seating import person_name
from service import access, door, wire
from service.asking import NOTHING, Ask, Reply, Route
from service.command_ids import writer
from service.problems import halt
from service.seats import record_invited


def sign_in(ask: Ask, query: object, body: wire.SignIn) -> Reply:
    """Exchange an invitation."""
    entered = door.come_in(ask, body.invitation)
    session = entered.session
    value = wire.SignedIn(token=entered.token, role=session.role, name=session.name, ends=session.ends)
    return Reply(value, 201, entered.headers)


def sign_out(ask: Ask, query: object, body: None) -> Reply:
    """Give the token back."""
    return Reply(NOTHING, 200, door.go_out(ask))


def who(ask: Ask, query: object, body: None) -> Reply:
    """Who one is here."""
    session = ask.session
    return Reply(
        wire.Me(role=session.role, name=session.name, matches=session.matches, seat=session.seat, ends=session.ends)
    )


def invite(ask: Ask, query: object, body: wire.Invite) -> Reply:
    """Invite somebody; the invitation is said once."""
    if body.role not in access.INVITED.get(ask.session.role, ()):
        raise halt("no-authority")
    for match in body.matches or (access.ANY_MATCH,):
        ask.require("invite", match)
    _require_place(ask, body)
    by = writer(ask.session)
    holder = Holder(role=body.role, name=person_name(body.name), matches=body.matches, seat=body.seat, by=by)
    record_invited(ask.house, holder, by)
    invited = ask.house.invite(holder)
    return Reply(wire.Invited(invitation=invited.token, url=invited.url, ends=invited.ends), 201)


def _require_place(ask: Ask, body: wire.Invite) -> None:
    """Halt unless the invitation names matches that can be. A player's names a seat of each, or neither match nor
    seat."""
    if bool(body.seat) != (body.role == "seat" and bool(body.matches)):
        raise halt("unreadable", Text("problem.seat_invited"))
    for match in body.matches:
        if MATCH_ID.fullmatch(match) is None:
            raise halt("unreadable", Text("branch.bad_id", {"match": repr(match[:80])}))
        if body.seat and body.seat not in (seats := _seats_of(ask, match)):
            named = {"seat": repr(body.seat[:80]), "match": match, "seats": listed(seats)}
            raise halt("unreadable", Text("problem.no_seat", named))


def _seats_of(ask: Ask, match: str) -> tuple[Seat, ...]:
    """The seats of a match; those of all games if it is not open yet."""
    if entries := ask.house.store.read(match, upto=1):
        return opened_of(entries).seats
    laws = (Law(game, rules) for game in GAMES.values() for rules in game.versions.values())
    return tuple(sorted({seat for law in laws for seat in law.seats()}))


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/sessions", operation="sign", call=sign_in, body=wire.SignIn,
        answer=wire.SignedIn, status=201, says="Exchange an invitation for a token.", problems=("unknown",),
    ),
    Route(
        method="DELETE", path="/api/v1/sessions", operation="sign", call=sign_out, says="Give the token back.",
    ),
    Route(method="GET", path="/api/v1/sessions", operation="sign", call=who, answer=wire.Me, says="Who one is."),
    Route(
        method="POST", path="/api/v1/invitations", operation="invite", call=invite, body=wire.Invite,
        answer=wire.Invited, status=201, says="Invite somebody.", problems=("no-authority",),
    ),
)  # fmt: skip
