"""Invitations and their revocation, for the API and the pages."""

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.law import Law
from domain.table.table import Seat
from domain.words import Text, listed
from recorder.codec import MATCH_ID
from recorder.keyring import Holder, Issued
from service import access, payloads
from service.access import Session
from service.context import InvitationLink
from service.idempotency import author_of
from service.problems import http_problem
from service.requests import Request


def invite(request: Request, invited: payloads.Invite) -> InvitationLink:
    """Invite a person. Raises HttpProblem if the session may not, or if a match or seat is invalid."""
    if invited.role not in access.INVITABLE_ROLES.get(request.session.role, ()):
        raise http_problem("no-authority")
    for match in invited.matches or (access.ANY_MATCH,):
        request.require("invite", match)
    _require_place(request, invited)
    holder = Holder(
        role=invited.role, name=invited.name, matches=invited.matches, seat=invited.seat, by=author_of(request.session)
    )
    return request.context.invite(holder)


def people_of(request: Request) -> tuple[payloads.Person, ...]:
    """Return all people who are signed in or invited. Raises HttpProblem without the right to know."""
    request.require("people", access.ANY_MATCH)
    return tuple(_make_person(issued) for issued in request.context.keys.list_issued(request.context.clock()))


def find_person(request: Request, number: str) -> payloads.Person:
    """Return the person with a key number. Raises HttpProblem if there is none, or if the session may not revoke it."""
    person = next((person for person in people_of(request) if person.number == number), None)
    if person is None:
        raise http_problem("unknown", Text("people.gone"))
    if not may_end(request.session, person):
        raise http_problem("no-authority", Text("people.not_yours"))
    return person


def may_end(session: Session, person: payloads.Person) -> bool:
    """True if the session may revoke this person: someone whom it could invite, and not itself."""
    return person.number != session.number and person.role in access.INVITABLE_ROLES.get(session.role, ())


def revoke(request: Request, number: str) -> payloads.Person:
    """Revoke an invitation or a sign-in and return its person. Raises HttpProblem as `find_person` does."""
    person = find_person(request, number)
    request.context.keys.revoke_number(number)
    return person


def _make_person(issued: Issued) -> payloads.Person:
    holder = issued.holder
    return payloads.Person(
        role=holder.role,  # type: ignore[arg-type]
        name=holder.name,
        number=issued.number,
        ends=issued.ends,
        state="invited" if issued.invitation else "in",
        matches=holder.matches,
        seat=holder.seat,
        by=holder.by,
    )


def _require_place(request: Request, invited: payloads.Invite) -> None:
    """Raise HttpProblem for invalid matches or seats. A player has a seat in each match, or neither match nor seat."""
    if bool(invited.seat) != (invited.role == "seat" and bool(invited.matches)):
        raise http_problem("unreadable", Text("problem.seat_invited"))
    for match in invited.matches:
        if MATCH_ID.fullmatch(match) is None:
            raise http_problem("unreadable", Text("branch.bad_id", {"match": repr(match[:80])}))
        if invited.seat and invited.seat not in (seats := _seats_of(request, match)):
            named = {"seat": repr(invited.seat[:80]), "match": match, "seats": listed(seats)}
            raise http_problem("unreadable", Text("problem.no_seat", named))


def _seats_of(request: Request, match: str) -> tuple[Seat, ...]:
    if entries := request.context.store.read(match, upto=1):
        return opened_of(entries).seats
    laws = (Law(game, rules) for game in GAMES.values() for rules in game.versions.values())
    return tuple(sorted({seat for law in laws for seat in law.seats()}))
