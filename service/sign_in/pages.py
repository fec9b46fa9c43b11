"""Pages of sign-in: language, invitation, own session and sign-out."""

from operator import itemgetter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.table import Seat
from projections.phrases import listed, players_words, seats_words
from projections.tables import table_words
from recorder.match_list import damage_in
from recorder.troubles import StoreError
from service.access import may
from service.addresses import MatchUrls, page_url
from service.pages import FOUND, form_route, page_route, preferred_language, redirect, template_page, translate
from service.paging import AfterQuery, page_list
from service.problems import HttpProblem
from service.recording.player_page import own_record_url, play_url
from service.requests import HTML, Request, Response, Route
from service.sign_in import sessions


class InvitationForm(Struct, frozen=True, forbid_unknown_fields=True):
    invitation: str


class NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """A form without fields, only a button."""


def choose_language(request: Request, query: object, body: None) -> Response:
    """Redirect to the floor or sign-in page in the browser's language."""
    lang = preferred_language(request.headers.get("accept-language", ""))
    return redirect(page_url(lang, "in" if request.url == "/in" else "floor"), {"Vary": "Accept-Language"}, FOUND)


def go_to_floor(request: Request, query: object, body: None) -> Response:
    return redirect(page_url(request.lang, "floor"), status=FOUND)


def choose_clause_language(request: Request, query: object, body: None) -> Response:
    """Redirect from a clause URL without a language, as the API gives it, to the browser's language."""
    lang = preferred_language(request.headers.get("accept-language", ""))
    return redirect(
        page_url(lang, "rules", request.path["book"], request.path["clause"]), {"Vary": "Accept-Language"}, FOUND
    )


def show_sign_in(request: Request, query: object, body: None) -> Response:
    return _draw_sign_in(request)


def sign_in(request: Request, query: object, body: InvitationForm) -> Response:
    """Exchange an invitation. The whole link is accepted too."""
    given = body.invitation.strip().rpartition("#")[2]
    try:
        entered = sessions.sign_in(request, given)
    except HttpProblem as error:
        problem = error.problem
        return replace(_draw_sign_in(request, problem.says(request.lang), body.invitation), status=problem.status)
    return redirect(page_url(request.lang, "me"), entered.headers)


def _draw_sign_in(request: Request, wrong: str = "", given: str = "") -> Response:
    return template_page(request, "in.html", translate(request, "in.title"), wrong=wrong, given=given)


def show_me(request: Request, query: AfterQuery, body: None) -> Response:
    """Show the caller's session and what this device stores."""
    session = request.session
    page = page_list(request.context.list_matches(session)[::-1], query.after, itemgetter(0))
    matches = [_own_match(request, match, seat) for match, seat in page.rows]
    ends = request.time(session.ends, "date")
    return template_page(
        request,
        "me.html",
        translate(request, "web.me"),
        matches=matches,
        page=page,
        ends=ends,
        records=may(session, "record"),
        may_see_people=may(session, "people"),
        changes=may(session, "run_jobs"),
    )


def _own_match(request: Request, match: str, seat: Seat) -> tuple[str, str, str, str]:
    """Return the URLs of a match and of the player's record, the round and table, and the opponents. The match id
    replaces the table if the session may see no more."""
    home, lang = own_record_url(request, match), request.lang
    url = play_url(request, match) or MatchUrls(lang, match).live_url()
    try:
        summary = request.context.read_table_summary(request.context.in_match(request.session, match), match)
    except StoreError as error:
        damage_in(match, error)
        summary = None
    if summary is None:
        return url, home, match, ""
    others = [other for other in summary.seats if other != seat]
    names = (
        translate(request, "player.against", names=seats_words(summary.names, others, lang))
        if seat in summary.seats
        else ""
    )
    place = table_words(summary.occasion, lang, event=True) or match
    game = GAMES.get(summary.game)
    state = [
        game.rulebook.title.say(lang) if game is not None else summary.game,
        *([translate(request, "floor.done")] if summary.ended else []),
    ]
    return url, home, place, f"{names or players_words(summary.names, summary.seats, lang)} ({listed(state, lang)})"


class SignOutForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The sign-out form. `keep`: unsent lines stay on the device."""

    keep: bool = False


def sign_out(request: Request, query: object, body: SignOutForm) -> Response:
    return redirect(page_url(request.lang, "me" if body.keep else "floor"), sessions.sign_out(request, keep=body.keep))


ROUTES: Final = (
    Route(method="GET", path="/", operation="public", call=choose_language, says="Redirect to the floor.", kind=HTML),
    Route(method="GET", path="/in", operation="public", call=choose_language, says="Redirect to sign-in.", kind=HTML),
    Route(
        method="GET", path="/rules/{book:str}/{clause:str}", operation="public", call=choose_clause_language,
        says="Redirect to a clause.", kind=HTML,
    ),
    page_route("", go_to_floor, "Redirect to the floor.", "public"),
    page_route("/in", show_sign_in, "Show the sign-in form.", "public"),
    form_route("/in", sign_in, "Sign in by an invitation.", "sign", InvitationForm),
    page_route("/me", show_me, "Show the caller's session.", "public", AfterQuery),
    form_route("/me/out", sign_out, "Sign out.", "sign", SignOutForm),
)  # fmt: skip
