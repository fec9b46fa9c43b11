"""People page: invite by name and role with links and QR codes, list and revoke."""

import re
from operator import attrgetter
from typing import Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.table.table import Seat
from domain.words import LANGS, say
from projections.phrases import players_words
from projections.tables import TableStatus, round_words, rounds, sort_by_need, table_words
from recorder.keyring import PLAYER, Holder
from recorder.person_names import person_name
from service import payloads
from service.access import INVITABLE_ROLES, Role
from service.addresses import page_url
from service.context import InvitationLink
from service.floor.pages import tables
from service.pages import form_route, page_route, redirect, template_page, translate
from service.paging import AfterQuery, page_list
from service.problems import HttpProblem, http_problem
from service.requests import Request, Response
from service.sign_in import people
from service.sign_in.pages import NoFields
from service.sign_in.qr import draw_svg

LINES_MAX: Final = 500
"""People invited at once."""
TEXT_MAX: Final = 40_000
SEPARATOR: Final = re.compile(r"[,;\t、，]")


class InvitePeopleForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Invitation form: a person per line, their role, and the table and seat they are for, if any."""

    names: str
    role: Role
    match: str = ""
    seat: str = ""


class RoundIndexForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Index of the round whose players get QR codes."""

    round: int = 0


class Ticket(Struct, frozen=True):
    """One person's link to print. Without `url` the person is signed in already, or `wrong` says why there is none."""

    name: str
    role: str
    place: str = ""
    url: str = ""
    qr: Markup = Markup()
    until: str = ""
    wrong: str = ""


class PersonRow(Struct, frozen=True):
    """A person who is signed in or invited. Without `url` the session may not revoke them."""

    name: str
    role: str
    place: str
    by: str
    is_in: bool
    until: str
    url: str


def show_people(request: Request, query: AfterQuery, body: None) -> Response:
    return _draw(request, after=query.after)


def invite(request: Request, query: object, body: InvitePeopleForm) -> Response:
    lines = [line for line in body.names[:TEXT_MAX].splitlines() if line.strip()]
    if not lines or len(lines) > LINES_MAX or len(body.names) > TEXT_MAX:
        return _draw(request, body, translate(request, "people.lines", most=LINES_MAX))
    tickets = [_invite_line(request, body, line) for line in lines]
    wrong = [ticket for ticket in tickets if ticket.wrong]
    if len(wrong) == len(tickets) == 1:
        return _draw(request, body, wrong[0].wrong)
    return _draw_tickets(request, translate(request, "people.links"), tickets)


def show_round(request: Request, query: object, body: RoundIndexForm) -> Response:
    """Invite the players of a round who are not signed in, and show a sheet of QR codes to print."""
    summaries = tables(request)
    played = rounds(summaries)
    if not 0 <= body.round < len(played):
        raise http_problem("unknown")
    round_key = played[body.round]
    round_tables = sort_by_need(
        (table for table in summaries if table.of == round_key and not table.ended), judging=False
    )
    tickets: dict[str, Ticket] = {}
    printed: list[Ticket] = []
    for table in round_tables:
        for seat in table.seats:
            name = person_name(table.names.get(seat, ""))
            place = translate(request, "people.place", table=table.table or table.match, seat=seat)
            if name and name not in tickets:
                tickets[name] = _invite_player(request, name)
            known = tickets.get(name, Ticket("", "", wrong=translate(request, "people.nameless")))
            printed.append(replace(known, place=place))
    return _draw_tickets(request, round_words(round_key, request.lang), printed)


def show_person(request: Request, query: object, body: None) -> Response:
    person = people.find_person(request, request.path["number"])
    return template_page(
        request,
        "person.html",
        translate(request, "people.take_back"),
        row=_make_row(request, person),
        people=page_url(request.lang, "people"),
    )


def revoke(request: Request, query: object, body: NoFields) -> Response:
    """Revoke a person. Succeeds if they are already revoked."""
    try:
        people.revoke(request, request.path["number"])
    except HttpProblem as error:
        if error.problem.status != http_problem("unknown").problem.status:
            raise
    return redirect(page_url(request.lang, "people"))


def _invite_line(request: Request, body: InvitePeopleForm, line: str) -> Ticket:
    """Invite the person of a line: a name, and perhaps a role after a comma."""
    name, *named = (part.strip() for part in SEPARATOR.split(line, maxsplit=1))
    role = _read_role(named[0]) if named and named[0] else body.role
    if role is None:
        return Ticket(name, "", wrong=translate(request, "people.no_role", role=named[0][:80]))
    matches = (body.match,) if body.match else ()
    return _make_ticket(request, payloads.Invite(role=role, name=name, matches=matches, seat=Seat(body.seat)))


def _invite_player(request: Request, name: str) -> Ticket:
    """Invite a player for the event. An unused invitation is replaced, since its link cannot be shown again."""
    issued = request.context.keys.player_alike(Holder(role=PLAYER, name=name), request.context.clock())
    if issued is not None and issued.holder.name == name:
        if not issued.invitation:
            return Ticket(name, translate(request, "role.seat"))
        people.revoke(request, issued.number)
    return _make_ticket(request, payloads.Invite(role="seat", name=name))


def _make_ticket(request: Request, invite: payloads.Invite) -> Ticket:
    role = translate(request, f"role.{invite.role}")
    try:
        invited: InvitationLink = people.invite(request, invite)
    except HttpProblem as error:
        return Ticket(invite.name, role, wrong=error.problem.says(request.lang))
    place = " ".join((*invite.matches, invite.seat)).strip()
    return Ticket(
        invite.name, role, place, invited.url, Markup(draw_svg(invited.url)), request.time(invited.ends, "date")
    )


def _read_role(words: str) -> Role | None:
    wanted = words.casefold()
    roles = INVITABLE_ROLES["operator"]
    return next((role for role in roles if wanted in (role, *_role_words(role))), None)


def _role_words(role: Role) -> tuple[str, ...]:
    return tuple(say(f"role.{role}", lang).casefold() for lang in LANGS)


def _make_row(request: Request, person: payloads.Person) -> PersonRow:
    return PersonRow(
        name=person.name,
        role=translate(request, f"role.{person.role}"),
        place=" ".join((*person.matches, person.seat)).strip(),
        by=person.by,
        is_in=person.state == "in",
        until=request.time(person.ends, "date"),
        url=page_url(request.lang, "people", person.number) if people.may_end(request.session, person) else "",
    )


def _draw_tickets(request: Request, title: str, tickets: list[Ticket]) -> Response:
    return template_page(
        request, "tickets.html", title, heading=title, tickets=tickets, people=page_url(request.lang, "people")
    )


def _draw(request: Request, form: InvitePeopleForm | None = None, wrong: str = "", *, after: str = "") -> Response:
    every = sorted(people.people_of(request), key=attrgetter("role", "name"))
    page = page_list(every, after, attrgetter("number"))
    summaries = tables(request)
    open_tables = sort_by_need((table for table in summaries if not table.ended and not table.damaged), judging=False)
    response = template_page(
        request,
        "people.html",
        translate(request, "people.title"),
        given=form or InvitePeopleForm("", "seat"),
        wrong=wrong,
        roles=INVITABLE_ROLES[request.session.role],
        tables=[(table.match, _table_words(request, table)) for table in open_tables],
        seats=sorted({seat for table in open_tables for seat in table.seats}),
        rounds=[(place, round_words(of, request.lang)) for place, of in enumerate(rounds(summaries))],
        people=[_make_row(request, person) for person in page.rows],
        page=page,
        text_max=TEXT_MAX,
        url=page_url(request.lang, "people"),
    )
    return replace(response, status=400) if wrong else response


def _table_words(request: Request, table: TableStatus) -> str:
    players = players_words(table.names, table.seats, request.lang)
    return f"{table_words(table.occasion, request.lang) or table.match}: {players}"


ROUTES: Final = (
    page_route("/people", show_people, "List people, with the form to invite.", "people", AfterQuery),
    form_route("/people", invite, "Invite people, and show their links.", "people", InvitePeopleForm, "commands"),
    form_route(
        "/people/round", show_round, "Show QR codes for the players of a round.", "people", RoundIndexForm, "commands"
    ),
    page_route("/people/{number:str}", show_person, "Confirm the revocation of a person.", "people"),
    form_route("/people/{number:str}/back", revoke, "Revoke a person.", "people", NoFields),
)
