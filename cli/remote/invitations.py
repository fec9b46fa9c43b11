"""Invitations at a service."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from msgspec import convert

from cli.context import CommandContext
from cli.invitations import OPERATOR, NewInvitation, PersonStatus, Place
from cli.remote.backend import sending
from cli.remote.connection import open_service
from domain.table.table import Seat
from service import payloads


class HttpPeople:
    def __init__(self, ctx: CommandContext) -> None:
        self.ctx, self.service = ctx, open_service(ctx)

    def invite(self, name: str, place: Place) -> NewInvitation:
        if place.public or place.by != OPERATOR:
            raise self.ctx.problem("people.service_says")
        matches = () if place.match is None else (place.match.strip(),)
        wanted = payloads.Invite(role=place.role, name=name, matches=matches, seat=Seat(place.seat))
        with sending(self.ctx, "people.maybe"):
            done = self.service.invite(wanted)
        return NewInvitation(name, place.role, done.url, done.ends, done.number)

    def people(self) -> Sequence[PersonStatus]:
        return [convert(person, PersonStatus, from_attributes=True) for person in self.service.people()]

    def take_back(self, number: str) -> None:
        self.service.revoke(number)


def open_http(ctx: CommandContext) -> AbstractContextManager[HttpPeople]:
    return nullcontext(HttpPeople(ctx))
