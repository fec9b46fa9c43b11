"""Frame of the pages of a match: header, viewer links and seal."""

from collections.abc import Callable
from typing import Literal
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Struct

from domain.law.clause import Clause
from domain.law.entries import last_described
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import Lang, say
from projections.phrases import seat_name
from projections.tables import table_words
from recorder.match_loader import LoadedMatch
from service.access import may, view_access
from service.addresses import MatchUrls, match_clause_url, match_urls_of, page_url
from service.context import MatchView
from service.pages import delay_words, template_page
from service.requests import Request, Response


class ViewerLink(Struct, frozen=True):
    """A viewer that the session may look as, at once or by breaking the seal."""

    viewer: Seat
    words: str
    url: str
    state: Literal["yes", "sealed"]
    current: bool


class BrokenSealNotice(Struct, frozen=True):
    """A broken seal: match, viewer, end, and milliseconds left."""

    match: str
    words: str
    until: str
    left: int


def form_id(request: Request, view: MatchView, *form: str) -> UUID:
    """Return the command id of a form. It is constant for a token until the next entry, so a repeat is one command. It
    cannot be computed without the token."""
    return uuid5(NAMESPACE_URL, " ".join((request.session.number, view.match.id, str(view.head), *form)))


def match_urls(request: Request, view: MatchView) -> MatchUrls:
    """Return the URLs of the match for the current viewer."""
    return match_urls_of(request.lang, view.match.id, view.eyes.viewer, request.own_seat)


def clause_url(request: Request, match: LoadedMatch, clause: Clause) -> str:
    """Return the URL of a clause in the match's edition; '' if no clause of the game is known here. It contains the
    match's id if the session may open a dispute there."""
    url = match_clause_url(request.lang, match, clause)
    disputable = url and not match.closed and may(request.session, "dispute", match.id)
    return f"{url}?{urlencode({'match': match.id})}" if disputable else url


def dispute_url(request: Request, view: MatchView, **about: object) -> str:
    """Return the URL of the new-dispute form, or '' if the session may not open one."""
    read_only = view.match.closed or view.damaged or view.lawless
    if read_only or not may(request.session, "dispute", view.match.id):
        return ""
    return f"{match_urls(request, view).match_url('disputes')}?{urlencode(about)}#open"


def match_page(
    request: Request,
    view: MatchView,
    template: str,
    title: str,
    /,
    number: int = 0,
    here: Callable[[MatchUrls], str] | None = None,
    **values: object,
) -> Response:
    """Return a page of a match. `number` is the current entry. The title is the same for all viewers. `here` returns
    the URL of this page for another viewer; the default is the match at this entry."""
    match = view.match
    opening, rulebook = match.opening, match.game.rulebook
    game = say(
        "moment.game",
        request.lang,
        game=rulebook.title.say(request.lang),
        edition=rulebook.word(opening.version, request.lang),
    )
    offered = list_viewer_links(request, view, number, here)
    players = tuple(seat_name(match.names, seat, request.lang) for seat in opening.seats)
    return template_page(
        request,
        template,
        title,
        say("moment.about", request.lang, game=game, players=say("moment.versus", request.lang).join(players)),
        match=match.id,
        table_name=match_name(match, request.lang),
        game=game,
        players=players,
        viewer=view.eyes.viewer,
        own=request.own_seat,
        viewer_words=seat_name(match.names, view.eyes.viewer, request.lang),
        looks=offered,
        breakable=view.lawless is None and any(look.state == "sealed" for look in offered),
        seal=seal_of(request, match),
        back=page_url(request.lang, "floor"),
        at=number,
        head=view.head,
        damaged=view.damaged,
        delayed="" if view.over else delay_words(request),
        lawless=view.lawless,
        stream=stream_of(request, view),
        **values,
    )


def stream_of(request: Request, view: MatchView) -> str:
    """Return the URL of the event stream, or '' if the match cannot go on."""
    if view.match.closed or view.damaged or view.lawless:
        return ""
    return f"/api/v1/matches/{view.match.id}/live?{urlencode({'lang': request.lang, 'as': view.eyes.viewer})}"


def match_name(match: LoadedMatch, lang: Lang) -> str:
    """Return the round and the table of a match, or its id if neither is known."""
    return table_words(last_described(match.entries).occasion, lang) or match.id


def list_viewer_links(
    request: Request, view: MatchView, number: int, here: Callable[[MatchUrls], str] | None = None
) -> tuple[ViewerLink, ...]:
    """Return the viewers that the session may look as, with the URL of this page for each."""
    match, context = view.match, request.context
    broken = context.seals.find_broken(request.session, match.id, context.clock())
    links: list[ViewerLink] = []
    own_seat = request.own_seat
    for viewer in (SPECTATOR, *match.opening.seats, JUDGE):
        state = view_access(
            request.session, match.id, viewer, broken, closed=view.over, published=context.settings.published
        )
        if state != "no":
            urls = match_urls_of(request.lang, match.id, viewer, own_seat)
            words = seat_name(match.names, viewer, request.lang)
            url = here(urls) if here is not None else urls.moment_url(number) if number else urls.live_url()
            links.append(ViewerLink(viewer, words, url, state, viewer == view.eyes.viewer))
    return tuple(links)


def seal_of(request: Request, match: LoadedMatch) -> BrokenSealNotice | None:
    """Return the seal that the session has broken in a match, or None."""
    broken = request.context.seals.find_broken(request.session, match.id, request.context.clock())
    if broken is None:
        return None
    left = max(0, broken.ends - request.context.clock())
    return BrokenSealNotice(
        match.id, seat_name(match.names, broken.viewer, request.lang), request.time(broken.ends, "minute"), left
    )
