"""Coming in and going out: an invitation is exchanged for a token, held by a browser's cookie or shown by a program."""

from typing import Final

from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, JUDGE
from domain.words import Text
from recorder.keyring import Holder
from service import access, door, wire
from service.asking import NOTHING, Ask, Reply, Route
from service.problems import halt

NO_SEATS: Final = ("", CHANCE, JUDGE, SPECTATOR)
"""As whom nobody sits at a table."""


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
    sits = body.seat not in NO_SEATS and bool(body.matches)
    if not (sits if body.role == "seat" else body.seat == ""):
        raise halt("unreadable", Text("problem.seat_invited"))
    invited = ask.house.invite(Holder(role=body.role, name=body.name, matches=body.matches, seat=body.seat))
    return Reply(wire.Invited(invitation=invited.token, url=invited.url, ends=invited.ends), 201)


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
