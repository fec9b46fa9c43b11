"""People: let in by name and role, with links and QR codes; who is in and until when; taken back."""

import re
from typing import Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.table.table import Seat
from domain.words import LANGS, say
from projections.phrases import players_words
from projections.tables import TableNow, by_need, round_words, rounds, table_words
from recorder.keyring import PLAYER, Holder
from recorder.person_names import person_name
from service import people, wire
from service.access import INVITED, Role
from service.addresses import to
from service.asking import Ask, Reply
from service.house import Invitation
from service.pages.entrance import NoFields
from service.pages.floor import tables
from service.pages.paper import form, go, page, said, sheet
from service.problems import Halt, halt
from service.qr import draw_svg

LINES_MAX: Final = 500
"""People invited at once."""
TEXT_MAX: Final = 40_000
SEPARATOR: Final = re.compile(r"[,;\t、，]")


class Invited(Struct, frozen=True, forbid_unknown_fields=True):
    """The form: a person a line, their role, and the table and seat they are for, if any."""

    names: str
    role: Role
    match: str = ""
    seat: str = ""


class OfRound(Struct, frozen=True, forbid_unknown_fields=True):
    """The round whose players get QR codes, by its place among those that are played."""

    round: int = 0


class Ticket(Struct, frozen=True):
    """One person's link as it is printed; without one they are signed in already, or `wrong` says why not."""

    name: str
    role: str
    place: str = ""
    url: str = ""
    qr: Markup = Markup()
    until: str = ""
    wrong: str = ""


class PersonRow(Struct, frozen=True):
    """A person in the list of those who are in or invited. No `url`: the session may not take them back."""

    name: str
    role: str
    place: str
    by: str
    is_in: bool
    until: str
    url: str


def show_people(ask: Ask, query: object, body: None) -> Reply:
    """Show who is in and who is invited, and the form to invite."""
    return _draw(ask)


def invite(ask: Ask, query: object, body: Invited) -> Reply:
    """Invite everybody named, and show their links."""
    lines = [line for line in body.names[:TEXT_MAX].splitlines() if line.strip()]
    if not lines or len(lines) > LINES_MAX or len(body.names) > TEXT_MAX:
        return _draw(ask, body, said(ask, "people.lines", most=LINES_MAX))
    tickets = [_invite_line(ask, body, line) for line in lines]
    wrong = [ticket for ticket in tickets if ticket.wrong]
    if len(wrong) == len(tickets) == 1:
        return _draw(ask, body, wrong[0].wrong)
    return _tickets(ask, said(ask, "people.links"), tickets)


def show_round(ask: Ask, query: object, body: OfRound) -> Reply:
    """Invite the players of a round who are not signed in, and show a sheet of QR codes to print."""
    seen = tables(ask)
    played = rounds(seen)
    if not 0 <= body.round < len(played):
        raise halt("unknown")
    of = played[body.round]
    here = by_need((table for table in seen if table.of == of and not table.ended), judging=False)
    tickets: dict[str, Ticket] = {}
    sheet_of: list[Ticket] = []
    for table in here:
        for seat in table.seats:
            name = person_name(table.names.get(seat, ""))
            place = said(ask, "people.place", table=table.table or table.match, seat=seat)
            if name and name not in tickets:
                tickets[name] = _invite_player(ask, name)
            known = tickets.get(name, Ticket("", "", wrong=said(ask, "people.nameless")))
            sheet_of.append(replace(known, place=place))
    return _tickets(ask, round_words(of, ask.lang), sheet_of)


def show_person(ask: Ask, query: object, body: None) -> Reply:
    """Ask whether to take somebody back."""
    person = people.find_person(ask, ask.path["number"])
    return sheet(
        ask,
        "person.html",
        said(ask, "people.take_back"),
        row=_row(ask, person),
        people=to(ask.lang, "people"),
    )


def take_back(ask: Ask, query: object, body: NoFields) -> Reply:
    """Take somebody back. One who is gone already stays so."""
    try:
        people.end(ask, ask.path["number"])
    except Halt as stopped:
        if stopped.problem.status != halt("unknown").problem.status:
            raise
    return go(to(ask.lang, "people"))


def _invite_line(ask: Ask, body: Invited, line: str) -> Ticket:
    """Invite the person of a line: a name, and perhaps a role after a comma."""
    name, *named = (part.strip() for part in SEPARATOR.split(line, maxsplit=1))
    role = _role(named[0]) if named and named[0] else body.role
    if role is None:
        return Ticket(name, "", wrong=said(ask, "people.no_role", role=named[0][:80]))
    matches = (body.match,) if body.match else ()
    return _ticket(ask, wire.Invite(role=role, name=name, matches=matches, seat=Seat(body.seat)))


def _invite_player(ask: Ask, name: str) -> Ticket:
    """Invite a player for the event; in place of an invitation nobody used yet, whose link is known no more."""
    issued = ask.house.keys.player_alike(Holder(role=PLAYER, name=name), ask.house.clock())
    if issued is not None and issued.holder.name == name:
        if not issued.invitation:
            return Ticket(name, said(ask, "role.seat"))
        people.end(ask, issued.number)
    return _ticket(ask, wire.Invite(role="seat", name=name))


def _ticket(ask: Ask, wanted: wire.Invite) -> Ticket:
    role = said(ask, f"role.{wanted.role}")
    try:
        invited: Invitation = people.let_in(ask, wanted)
    except Halt as stopped:
        return Ticket(wanted.name, role, wrong=stopped.problem.says(ask.lang))
    place = " ".join((*wanted.matches, wanted.seat)).strip()
    return Ticket(wanted.name, role, place, invited.url, Markup(draw_svg(invited.url)), ask.time(invited.ends, "date"))


def _role(words: str) -> Role | None:
    """Return the role of this name, in either language."""
    wanted = words.casefold()
    roles = INVITED["operator"]
    return next((role for role in roles if wanted in (role, *_role_words(role))), None)


def _role_words(role: Role) -> tuple[str, ...]:
    return tuple(say(f"role.{role}", lang).casefold() for lang in LANGS)


def _row(ask: Ask, person: wire.Person) -> PersonRow:
    return PersonRow(
        name=person.name,
        role=said(ask, f"role.{person.role}"),
        place=" ".join((*person.matches, person.seat)).strip(),
        by=person.by,
        is_in=person.state == "in",
        until=ask.time(person.ends, "date"),
        url=to(ask.lang, "people", person.number) if people.may_end(ask.session, person) else "",
    )


def _tickets(ask: Ask, title: str, tickets: list[Ticket]) -> Reply:
    return sheet(ask, "tickets.html", title, heading=title, tickets=tickets, people=to(ask.lang, "people"))


def _draw(ask: Ask, given: Invited | None = None, wrong: str = "") -> Reply:
    every = people.people_of(ask)
    seen = tables(ask)
    open_tables = by_need((table for table in seen if not table.ended and not table.damaged), judging=False)
    drawn = sheet(
        ask,
        "people.html",
        said(ask, "people.title"),
        given=given or Invited("", "seat"),
        wrong=wrong,
        roles=INVITED[ask.session.role],
        tables=[(table.match, _table_words(ask, table)) for table in open_tables],
        seats=sorted({seat for table in open_tables for seat in table.seats}),
        rounds=[(place, round_words(of, ask.lang)) for place, of in enumerate(rounds(seen))],
        people=[_row(ask, person) for person in sorted(every, key=lambda one: (one.role, one.name))],
        text_max=TEXT_MAX,
        url=to(ask.lang, "people"),
    )
    return replace(drawn, status=400) if wrong else drawn


def _table_words(ask: Ask, table: TableNow) -> str:
    """Return a table as it is chosen from: its name and its players."""
    players = players_words(table.names, table.seats, ask.lang)
    return f"{table_words(table.occasion, ask.lang) or table.match}: {players}"


ROUTES: Final = (
    page("/people", show_people, "Who is in or invited, and the form to invite.", "people"),
    form("/people", invite, "Invite people, and show their links.", "people", Invited, "commands"),
    form("/people/round", show_round, "QR codes for the players of a round.", "people", OfRound, "commands"),
    page("/people/{number:str}", show_person, "Ask whether to take a person back.", "people"),
    form("/people/{number:str}/back", take_back, "Take a person back.", "people", NoFields),
)
