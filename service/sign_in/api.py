"""API of sign-in: exchange an invitation for a token, sign out, invite and revoke."""

from typing import Final

from service import payloads
from service.api import ListPageQuery, page_with_link
from service.requests import NOTHING, Request, Response, Route
from service.sign_in import sessions
from service.sign_in.people import invite, people_of, revoke


def sign_in(request: Request, query: object, body: payloads.SignIn) -> Response:
    entered = sessions.sign_in(request, body.invitation)
    session = entered.session
    value = payloads.SignedIn(token=entered.token, role=session.role, name=session.name, ends=session.ends)
    return Response(value, 201, entered.headers)


def sign_out(request: Request, query: object, body: None) -> Response:
    return Response(NOTHING, 200, sessions.sign_out(request))


def show_session(request: Request, query: object, body: None) -> Response:
    session, event = request.session, request.session.holder.for_event
    return Response(
        payloads.Me(
            role=session.role,
            name=session.name,
            matches=session.matches,
            seat=session.seat,
            ends=session.ends,
            seats=dict(request.context.list_matches(session)) if event else {},
        )
    )


def post_invitation(request: Request, query: object, body: payloads.Invite) -> Response:
    invited = invite(request, body)
    value = payloads.Invited(invitation=invited.token, url=invited.url, ends=invited.ends, number=invited.number)
    return Response(value, 201)


def list_people(request: Request, query: ListPageQuery, body: None) -> Response:
    page, more = page_with_link(request, query, people_of(request), lambda person: person.number)
    return Response(payloads.People(people=page), headers=more)


def delete_key(request: Request, query: object, body: None) -> Response:
    revoke(request, request.path["number"])
    return Response(NOTHING)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/sessions", operation="sign", call=sign_in, body=payloads.SignIn,
        answer=payloads.SignedIn, status=201, says="Exchange an invitation for a token.",
        problems=("unknown", "invitation-used", "invitation-expired", "invitation-revoked"),
    ),
    Route(
        method="DELETE", path="/api/v1/sessions", operation="sign", call=sign_out,
        says="Sign out and revoke the token.",
    ),
    Route(
        method="GET", path="/api/v1/sessions", operation="sign", call=show_session, answer=payloads.Me,
        says="Return the caller's session.",
    ),
    Route(
        method="POST", path="/api/v1/invitations", operation="invite", call=post_invitation, body=payloads.Invite,
        answer=payloads.Invited, status=201, says="Invite a person.", problems=("no-authority", "exists"),
    ),
    Route(
        method="GET", path="/api/v1/people", operation="people", call=list_people, answer=payloads.People,
        query=ListPageQuery, paged=True, problems=("unreadable",),
        says="List who is signed in or invited, and until when.",
    ),
    Route(
        method="DELETE", path="/api/v1/people/{number:str}", operation="people", call=delete_key,
        says="Revoke an invitation or a sign-in.", problems=("unknown", "no-authority"),
    ),
)  # fmt: skip
