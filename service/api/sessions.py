"""Coming in and going out: an invitation is exchanged for a token, held by a browser's cookie or shown by a program."""

from typing import Final

from service import door, wire
from service.asking import NOTHING, Ask, Reply, Route
from service.people import end, let_in, people_of


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
    session, event = ask.session, ask.session.holder.for_event
    return Reply(
        wire.Me(
            role=session.role,
            name=session.name,
            matches=session.matches,
            seat=session.seat,
            ends=session.ends,
            seats=dict(ask.house.list_matches(session)) if event else {},
        )
    )


def invite(ask: Ask, query: object, body: wire.Invite) -> Reply:
    """Invite somebody; the invitation is said once."""
    invited = let_in(ask, body)
    value = wire.Invited(invitation=invited.token, url=invited.url, ends=invited.ends, number=invited.number)
    return Reply(value, 201)


def list_people(ask: Ask, query: object, body: None) -> Reply:
    """Who is in, and who is invited."""
    return Reply(wire.People(people=people_of(ask)))


def take_back(ask: Ask, query: object, body: None) -> Reply:
    """Take an invitation or a sign-in back."""
    end(ask, ask.path["number"])
    return Reply(NOTHING)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/sessions", operation="sign", call=sign_in, body=wire.SignIn,
        answer=wire.SignedIn, status=201, says="Exchange an invitation for a token.",
        problems=("unknown", "invitation-used", "invitation-expired", "invitation-revoked"),
    ),
    Route(
        method="DELETE", path="/api/v1/sessions", operation="sign", call=sign_out, says="Give the token back.",
    ),
    Route(method="GET", path="/api/v1/sessions", operation="sign", call=who, answer=wire.Me, says="Who one is."),
    Route(
        method="POST", path="/api/v1/invitations", operation="invite", call=invite, body=wire.Invite,
        answer=wire.Invited, status=201, says="Invite somebody.", problems=("no-authority", "exists"),
    ),
    Route(
        method="GET", path="/api/v1/people", operation="people", call=list_people, answer=wire.People,
        says="Who is in or invited, until when.",
    ),
    Route(
        method="DELETE", path="/api/v1/people/{number:str}", operation="people", call=take_back,
        says="Take an invitation or a sign-in back.", problems=("unknown", "no-authority"),
    ),
)  # fmt: skip
