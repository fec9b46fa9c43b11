"""The way in: the language, the invitation, who one is here, and the way out."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.table.table import Seat
from projections.phrases import players_words, seats_words
from projections.tables import table_words
from recorder.listing import damage_in
from recorder.troubles import StoreError
from service import door
from service.access import may
from service.addresses import Way, to
from service.asking import HTML, Ask, Reply, Route
from service.pages.paper import FOUND, form, go, page, preferred, said, sheet
from service.pages.playing import home_url, play_url
from service.problems import Halt


class Invitation(Struct, frozen=True, forbid_unknown_fields=True):
    """What the form takes."""

    invitation: str


class NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """A form that is nothing but its button."""


def choose_language(ask: Ask, query: object, body: None) -> Reply:
    """Go on in the language that the browser asks for."""
    lang = preferred(ask.headers.get("accept-language", ""))
    return go(to(lang, "in" if ask.url == "/in" else "floor"), {"Vary": "Accept-Language"}, FOUND)


def go_to_floor(ask: Ask, query: object, body: None) -> Reply:
    """Go from the address of a language to the floor."""
    return go(to(ask.lang, "floor"), status=FOUND)


def choose_clause_language(ask: Ask, query: object, body: None) -> Reply:
    """The address of a clause that programs are told is in no language: go on in the one the browser asks for."""
    lang = preferred(ask.headers.get("accept-language", ""))
    return go(to(lang, "rules", ask.path["book"], ask.path["clause"]), {"Vary": "Accept-Language"}, FOUND)


def ask_in(ask: Ask, query: object, body: None) -> Reply:
    """Where an invitation is given."""
    return _entrance(ask)


def come_in(ask: Ask, query: object, body: Invitation) -> Reply:
    """Exchange the invitation; a link may be given whole."""
    given = body.invitation.strip().rpartition("#")[2]
    try:
        entered = door.come_in(ask, given)
    except Halt as stopped:
        problem = stopped.problem
        return replace(_entrance(ask, problem.says(ask.lang), body.invitation), status=problem.status)
    return go(to(ask.lang, "me"), entered.headers)


def _entrance(ask: Ask, wrong: str = "", given: str = "") -> Reply:
    return sheet(ask, "in.html", said(ask, "in.title"), wrong=wrong, given=given)


def show_me(ask: Ask, query: object, body: None) -> Reply:
    """Who one is here, and what is kept on this device."""
    session = ask.session
    matches = [_own_match(ask, match, seat) for match, seat in ask.house.list_matches(session)[::-1]]
    ends = ask.time(session.ends, "date")
    return sheet(
        ask,
        "me.html",
        said(ask, "web.me"),
        matches=matches,
        ends=ends,
        records=may(session, "record"),
        lets_in=may(session, "people"),
        changes=may(session, "run_jobs"),
    )


def _own_match(ask: Ask, match: str, seat: Seat) -> tuple[str, str, str, str]:
    """Return the addresses of a match and of its record to take home, its round and table, and the opponents.

    The id stands for the table where that is all one may see.
    """
    home, url, lang = home_url(ask, match), play_url(ask, match) or Way(ask.lang, match).live(), ask.lang
    try:
        now = ask.house.glance(ask.house.in_match(ask.session, match), match)
    except StoreError as error:
        damage_in(match, error)
        now = None
    if now is None:
        return url, home, match, ""
    others = [other for other in now.seats if other != seat]
    names = said(ask, "player.against", names=seats_words(now.names, others, lang)) if seat in now.seats else ""
    return url, home, table_words(now.occasion, lang) or match, names or players_words(now.names, now.seats, lang)


class Leaving(Struct, frozen=True, forbid_unknown_fields=True):
    """The form that signs out. `keep`: lines that were not sent yet stay on the device."""

    keep: bool = False


def go_out(ask: Ask, query: object, body: Leaving) -> Reply:
    """Give the token back."""
    return go(to(ask.lang, "me" if body.keep else "floor"), door.go_out(ask, keep=body.keep))


ROUTES: Final = (
    Route(method="GET", path="/", operation="public", call=choose_language, says="The floor.", kind=HTML),
    Route(method="GET", path="/in", operation="public", call=choose_language, says="Come in.", kind=HTML),
    Route(
        method="GET", path="/rules/{book:str}/{clause:str}", operation="public", call=choose_clause_language,
        says="A clause.", kind=HTML,
    ),
    page("", go_to_floor, "The floor in a language.", "public"),
    page("/in", ask_in, "Come in by an invitation.", "public"),
    form("/in", come_in, "Exchange an invitation.", "sign", Invitation),
    page("/me", show_me, "Who one is.", "public"),
    form("/me/out", go_out, "Give the token back.", "sign", Leaving),
)  # fmt: skip
