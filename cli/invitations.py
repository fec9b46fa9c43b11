"""Invitations to a store or to a service. The store's service need not run."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Final, Literal, Protocol

from msgspec import Struct

from cli.answer import Answer
from cli.context import CommandContext
from cli.drawing import is_terminal
from cli.problems import CommandError
from cli.values import By
from domain.law.entries import opened_of
from domain.table.table import Seat
from domain.words import Text, listed
from projections.moments import stamp
from recorder import people as recorder_people
from recorder.clock import read_wall_clock
from recorder.extras import MissingExtra, load_extra
from recorder.keyring import Holder, Issued, Keyring
from recorder.people import Invitation
from recorder.store import Store
from service.settings import INVITATION_MS, PUBLIC

Role = Annotated[Literal["seat", "scorekeeper", "floor", "head", "designer", "operator"], "ROLE"]
Names = Annotated[list[str], "NAME..."]
ForMatch = Annotated[str | None, "--match MATCH"]
AtSeat = Annotated[str, "--seat SEAT"]
NUMBER_MIN: Final = 6
"""Fewest digits that identify a person's number."""
SHOWN: Final = 8
UNTIL: Final = "%Y-%m-%d %H:%M UTC"
OPERATOR: Final = "operator"
LOCAL, HTTP = "cli.invitations:open_local", "cli.remote.invitations:open_http"


class NewInvitation(Struct, frozen=True):
    """A new invitation: a link that works once and until `ends`, and the number that revokes it."""

    name: str
    role: str
    url: str
    ends: int
    number: str


class PersonStatus(Struct, frozen=True, omit_defaults=True):
    """A person who is signed in or invited, until when, and who invited them."""

    name: str
    role: str
    state: Literal["in", "invited"]
    ends: int
    number: str
    matches: tuple[str, ...] = ()
    seat: str = ""
    by: str = ""


class Place(Struct, frozen=True):
    """Role, match and seat of an invitation, with the service's URL and the inviter."""

    role: Role
    match: str | None
    seat: str
    public: str
    by: str


class PeopleBackend(Protocol):
    def invite(self, name: str, place: Place) -> NewInvitation:
        """Invite a person by name and role. Raises CommandError."""

    def people(self) -> Sequence[PersonStatus]:
        """Return the people who are signed in or invited."""

    def take_back(self, number: str) -> None:
        """Revoke an invitation or a session by its full number."""


def invite(
    ctx: CommandContext,
    role: Role,
    names: Names,
    match: ForMatch = None,
    seat: AtSeat = "",
    public: Annotated[str, "--public URL"] = "",
    by: By = OPERATOR,
) -> Answer[tuple[NewInvitation, ...]]:
    """Invite people by name; print a link and a QR code for each.

    If one is refused, the links of the earlier ones are printed.
    """
    place, invited = Place(role, match, seat, public, by), list[NewInvitation]()
    with _open_backend(ctx) as backend:
        for name in names:
            try:
                invited.append(backend.invite(name, place))
            except CommandError:
                _draw(ctx, invited)
                raise
    return Answer(lambda: tuple(invited), lambda: _draw(ctx, invited))


def people(ctx: CommandContext, back: Annotated[str, "--take-back NUMBER"] = "") -> Answer[tuple[PersonStatus, ...]]:
    with _open_backend(ctx) as backend:
        every = backend.people()
        if not back:
            return Answer(lambda: tuple(every), lambda: _draw_people(ctx, every))
        taken = _find_number(ctx, every, back)
        backend.take_back(taken.number)
    return Answer(lambda: (taken,), lambda: ctx.print_message("people.taken", name=taken.name))


class LocalPeople(Struct, frozen=True):
    ctx: CommandContext
    store: Store
    keys: Keyring

    def invite(self, name: str, place: Place) -> NewInvitation:
        ctx, store, at = self.ctx, self.store, read_wall_clock()
        matches = () if place.match is None else (ctx.match_id(store, place.match),)
        _require_place(ctx, store, place.role, matches, place.seat)
        holder = Holder(role=place.role, name=name, matches=matches, seat=Seat(place.seat), by=place.by)
        done = recorder_people.invite(store, self.keys, holder, at, at + INVITATION_MS)
        if not isinstance(done, Invitation):
            raise ctx.refuse(done)
        address = place.public.rstrip("/") or self.keys.read_public_address() or PUBLIC
        return NewInvitation(name, place.role, recorder_people.link_of(address, done.token), done.ends, done.number)

    def people(self) -> Sequence[PersonStatus]:
        return [_person_status(issued) for issued in self.keys.list_issued(read_wall_clock())]

    def take_back(self, number: str) -> None:
        self.keys.revoke_number(number)


@contextmanager
def open_local(ctx: CommandContext) -> Iterator[LocalPeople]:
    with ctx.store(writing=True) as store, Keyring.open_for_store(store.local_prefix) as keys:
        yield LocalPeople(ctx, store, keys)


def _open_backend(ctx: CommandContext) -> AbstractContextManager[PeopleBackend]:
    opened: AbstractContextManager[PeopleBackend] = ctx.backend(LOCAL, HTTP)(ctx)
    return opened


def _find_number(ctx: CommandContext, every: Sequence[PersonStatus], number: str) -> PersonStatus:
    known = [each for each in every if each.number.startswith(number.strip().lower())]
    if len(number.strip()) < NUMBER_MIN or len(known) != 1:
        raise ctx.problem("people.which", number=repr(number[:80]), least=NUMBER_MIN)
    return known[0]


def _draw_people(ctx: CommandContext, every: Sequence[PersonStatus]) -> None:
    heads = [ctx.say(f"people.head_{name}") for name in ("name", "role", "state", "until", "place", "number")]
    rows = [
        [
            each.name,
            ctx.say(f"role.{each.role}"),
            ctx.say("people.in" if each.state == "in" else "people.invited"),
            stamp(each.ends, UNTIL),
            " ".join((*each.matches, each.seat)).strip(),
            each.number[:SHOWN],
        ]
        for each in sorted(every, key=lambda each: (each.role, each.name))
    ]
    ctx.screen.table(heads, rows)


def _draw(ctx: CommandContext, invited: Sequence[NewInvitation]) -> None:
    for each in invited:
        ctx.print_message(
            "people.link", name=each.name, role=ctx.say(f"role.{each.role}"), until=stamp(each.ends, UNTIL)
        )
        ctx.screen.line(f"  {each.url}")
        if is_terminal(ctx.screen.out):
            try:
                draw_text = load_extra("service.sign_in.qr:draw_text", "serve")
            except MissingExtra as missing:
                ctx.warn(missing.text.say(ctx.lang))
                continue
            for line in draw_text(each.url).splitlines():
                ctx.screen.line(line)


def _person_status(issued: Issued) -> PersonStatus:
    holder = issued.holder
    state: Literal["in", "invited"] = "invited" if issued.invitation else "in"
    return PersonStatus(
        holder.name, holder.role, state, issued.ends, issued.number, holder.matches, holder.seat, holder.by
    )


def _require_place(ctx: CommandContext, store: Store, role: str, matches: tuple[str, ...], seat: str) -> None:
    if bool(seat) != (role == "seat" and bool(matches)):
        raise ctx.refuse(Text("problem.seat_invited"))
    for match in matches if seat else ():
        seats = opened_of(store.read(match, upto=1)).seats
        if seat not in seats:
            named = {"seat": repr(seat[:80]), "match": match, "seats": listed(seats)}
            raise ctx.refuse(Text("problem.no_seat", named))
