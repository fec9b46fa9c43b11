"""People let in at a service, by whoever holds the token."""

from typing import Literal, cast

from cli import invitations as here
from cli.answer import Answer
from cli.context import Desk
from cli.invitations import Let, Listed
from cli.remote.backend import sending
from cli.remote.connection import service
from domain.table.table import Seat
from service import payloads
from service.access import Role


def invite(
    desk: Desk, role: str, names: list[str], match: str | None, seat: str, public: str, by: str
) -> Answer[tuple[Let, ...]]:
    """Invite people by name; print a link and a QR code for each."""
    if public or by != "operator":
        raise desk.problem("people.service_says")
    there = service(desk)

    def let_in(name: str) -> Let:
        wanted = payloads.Invite(
            role=cast(Role, role), name=name, matches=() if match is None else (match.strip(),), seat=Seat(seat)
        )
        with sending(desk, "people.maybe"):
            done = there.invite(wanted)
        return Let(name, role, done.url, done.ends, done.number)

    return here.answer_invited(desk, here.invite_each(desk, names, let_in))


def people(desk: Desk, back: str) -> Answer[tuple[Listed, ...]]:
    """List who is in or invited, or take one of them back."""
    there = service(desk)
    every = [_listed(person) for person in there.people()]
    if not back:
        return here.answer_people(desk, every)
    taken = here.find_number(desk, every, back)
    there.take_back(taken.number)
    return here.answer_taken(desk, taken)


def _listed(person: payloads.Person) -> Listed:
    state: Literal["in", "invited"] = person.state
    return Listed(person.name, person.role, state, person.ends, person.number, person.matches, person.seat, person.by)
