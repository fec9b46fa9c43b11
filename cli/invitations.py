"""People let in to a store, whether its service runs or not. `cli.remote.invitations` does so at a service."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk
from cli.drawing import is_terminal
from cli.problems import Problem
from cli.values import By
from domain.law.entries import opened_of
from domain.table.table import Seat
from domain.words import Text, listed
from projections.moments import stamp
from recorder import people as recorder_people
from recorder.clock import now
from recorder.extras import MissingExtra, load_extra
from recorder.keyring import Holder, Issued, Keyring
from recorder.people import Invitation
from recorder.store import Store, StoreError
from service.settings import INVITATION_MS, PUBLIC

Role = Annotated[Literal["seat", "scorekeeper", "floor", "head", "designer", "operator"], "ROLE"]
Names = Annotated[list[str], "NAME..."]
ForMatch = Annotated[str | None, "--match MATCH"]
AtSeat = Annotated[str, "--seat SEAT"]
NUMBER_MIN: Final = 6
"""Digits of a number that name it."""
SHOWN: Final = 8
UNTIL: Final = "%Y-%m-%d %H:%M UTC"


class Let(Struct, frozen=True):
    """Somebody who was invited: the link, good once and until `ends`, and the number that takes it back."""

    name: str
    role: str
    url: str
    ends: int
    number: str


class Listed(Struct, frozen=True, omit_defaults=True):
    """Somebody who is in or invited, until when, and by whom they were let in."""

    name: str
    role: str
    state: Literal["in", "invited"]
    ends: int
    number: str
    matches: tuple[str, ...] = ()
    seat: str = ""
    by: str = ""


def invite(
    desk: Desk,
    role: Role,
    names: Names,
    match: ForMatch = None,
    seat: AtSeat = "",
    public: Annotated[str, "--public URL"] = "",
    by: By = "operator",
) -> Answer[tuple[Let, ...]]:
    """Invite people by name; print a link and a QR code for each."""
    with _keys(desk) as (store, keys):
        chosen = () if match is None else (desk.match_id(store, match),)
        _require_place(desk, store, role, chosen, seat)
        address = public.rstrip("/") or keys.public() or PUBLIC

        def let_in(name: str) -> Let:
            at = now()
            holder = Holder(role=role, name=name, matches=chosen, seat=Seat(seat), by=by)
            done = recorder_people.invite(store, keys, holder, at, at + INVITATION_MS)
            if not isinstance(done, Invitation):
                raise desk.refuse(done)
            return Let(name, role, recorder_people.link_of(address, done.token), done.ends, done.number)

        return answer_invited(desk, invite_each(desk, names, let_in))


def people(desk: Desk, back: Annotated[str, "--take-back NUMBER"] = "") -> Answer[tuple[Listed, ...]]:
    """List who is in or invited, or take one of them back."""
    with _keys(desk) as (_, keys):
        every = [_listed(issued) for issued in keys.list_issued(now())]
        if back:
            taken = find_number(desk, every, back)
            keys.revoke_number(taken.number)
            return answer_taken(desk, taken)
    return answer_people(desk, every)


def invite_each(desk: Desk, names: Sequence[str], let_in: Callable[[str], Let]) -> tuple[Let, ...]:
    """Invite each; if one is refused, print the links of those who were invited before, and raise Problem."""
    done: list[Let] = []
    for name in names:
        try:
            done.append(let_in(name))
        except Problem:
            _draw(desk, done)
            raise
    return tuple(done)


def find_number(desk: Desk, every: Sequence[Listed], number: str) -> Listed:
    """Return who has a number that begins so. Raises Problem unless that is one person."""
    known = [each for each in every if each.number.startswith(number.strip().lower())]
    if len(number.strip()) < NUMBER_MIN or len(known) != 1:
        raise desk.problem("people.which", number=repr(number[:80]), least=NUMBER_MIN)
    return known[0]


def answer_invited(desk: Desk, invited: tuple[Let, ...]) -> Answer[tuple[Let, ...]]:
    """The links of people who were invited."""
    return Answer(lambda: invited, lambda: _draw(desk, invited))


def answer_people(desk: Desk, every: Sequence[Listed]) -> Answer[tuple[Listed, ...]]:
    """A table of who is in or invited."""

    def draw() -> None:
        heads = [desk.say(f"people.head_{name}") for name in ("name", "role", "state", "until", "place", "number")]
        rows = [
            [
                each.name,
                desk.say(f"role.{each.role}"),
                desk.say("people.in" if each.state == "in" else "people.invited"),
                stamp(each.ends, UNTIL),
                " ".join((*each.matches, each.seat)).strip(),
                each.number[:SHOWN],
            ]
            for each in sorted(every, key=lambda each: (each.role, each.name))
        ]
        desk.screen.table(heads, rows)

    return Answer(lambda: tuple(every), draw)


def answer_taken(desk: Desk, taken: Listed) -> Answer[tuple[Listed, ...]]:
    """Who was taken back."""
    return Answer(lambda: (taken,), lambda: desk.tell("people.taken", name=taken.name))


def _draw(desk: Desk, invited: Sequence[Let]) -> None:
    for each in invited:
        desk.tell("people.link", name=each.name, role=desk.say(f"role.{each.role}"), until=stamp(each.ends, UNTIL))
        desk.screen.line(f"  {each.url}")
        if is_terminal(desk.screen.out):
            try:
                draw_text = load_extra("service.sign_in.qr:draw_text", "serve")
            except MissingExtra as missing:
                desk.warn(missing.text.say(desk.lang))
                continue
            for line in draw_text(each.url).splitlines():
                desk.screen.line(line)


def _listed(issued: Issued) -> Listed:
    holder = issued.holder
    state: Literal["in", "invited"] = "invited" if issued.invitation else "in"
    return Listed(holder.name, holder.role, state, issued.ends, issued.number, holder.matches, holder.seat, holder.by)


def _require_place(desk: Desk, store: Store, role: str, matches: tuple[str, ...], seat: str) -> None:
    if bool(seat) != (role == "seat" and bool(matches)):
        raise desk.refuse(Text("problem.seat_invited"))
    for match in matches if seat else ():
        seats = opened_of(store.read(match, upto=1)).seats
        if seat not in seats:
            named = {"seat": repr(seat[:80]), "match": match, "seats": listed(seats)}
            raise desk.refuse(Text("problem.no_seat", named))


@contextmanager
def _keys(desk: Desk) -> Iterator[tuple[Store, Keyring]]:
    """The store and its keys. Raises Problem."""
    with desk.store(writing=True) as store:
        try:
            with Keyring.beside(store.beside) as keys:
                yield store, keys
        except StoreError as error:
            raise desk.refuse(error.text) from None
