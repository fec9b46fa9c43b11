"""Pages within a match: what all of them show around their own, and whose eyes they are seen with."""

from collections.abc import Callable
from typing import Any, Literal
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
from recorder.loading import Match
from service.access import may, may_look
from service.addresses import Way, clause_of, to, way_of
from service.asking import Ask, Reply
from service.house import Sight
from service.pages.paper import sheet


class Look(Struct, frozen=True):
    """Eyes that somebody could look with: at once, or by breaking the seal."""

    viewer: Seat
    words: str
    url: str
    state: Literal["yes", "sealed"]
    current: bool


class Seal(Struct, frozen=True):
    """A seal that is broken: of which match, with whose eyes one looks, until what time, and for how long still
    (milliseconds)."""

    match: str
    words: str
    until: str
    left: int


def form_id(ask: Ask, sight: Sight, *form: str) -> UUID:
    """The id of a form's command: the same for a token until something is recorded, so that a form that is sent twice
    is one command. Nobody without the token can compute it."""
    return uuid5(NAMESPACE_URL, " ".join((ask.session.number, sight.match.id, str(sight.head), *form)))


def way_to(ask: Ask, sight: Sight) -> Way:
    """Addresses of the match that is looked at, with the same eyes."""
    return way_of(ask.lang, sight.match.id, sight.eyes.viewer, ask.own)


def clause_url(ask: Ask, match: Match, clause: Clause) -> str:
    """A clause in the edition that a match pins; nowhere, if no clause of its game is known here.

    Whoever may open a dispute in the match is led there from it.
    """
    url = clause_of(ask.lang, match, clause)
    disputable = url and not match.closed and may(ask.session, "dispute", match.id)
    return f"{url}?{urlencode({'match': match.id})}" if disputable else url


def dispute_url(ask: Ask, sight: Sight, **about: object) -> str:
    """Where somebody opens a dispute about this; nowhere, if they may not."""
    kept = sight.match.closed or sight.damaged or sight.lawless
    if kept or not may(ask.session, "dispute", sight.match.id):
        return ""
    return f"{way_to(ask, sight).all('disputes')}?{urlencode(about)}#open"


def within(
    ask: Ask,
    sight: Sight,
    template: str,
    title: str,
    number: int = 0,
    here: Callable[[Way], str] | None = None,
    **values: Any,
) -> Reply:
    """A page of a match; `number`: of the entry after which one looks. Its title is the same for all eyes.

    `here` is where the page itself stands, that other eyes may be led there; else they are led to the moment.
    """
    match = sight.match
    opened, rulebook = match.opened, match.game.rulebook
    game = say(
        "moment.game", ask.lang, game=rulebook.title.say(ask.lang), edition=rulebook.word(opened.version, ask.lang)
    )
    offered = looks(ask, sight, number, here)
    players = tuple(seat_name(match.names, seat, ask.lang) for seat in opened.seats)
    return sheet(
        ask,
        template,
        title,
        say("moment.about", ask.lang, game=game, players=say("moment.versus", ask.lang).join(players)),
        match=match.id,
        table_name=match_name(match, ask.lang),
        game=game,
        players=players,
        viewer=sight.eyes.viewer,
        own=ask.own,
        viewer_words=seat_name(match.names, sight.eyes.viewer, ask.lang),
        looks=offered,
        breakable=sight.lawless is None and any(look.state == "sealed" for look in offered),
        seal=seal_of(ask, match),
        back=to(ask.lang, "floor"),
        at=number,
        head=sight.head,
        damaged=sight.damaged,
        lawless=sight.lawless,
        stream=stream_of(ask, sight),
        **values,
    )


def stream_of(ask: Ask, sight: Sight) -> str:
    """What tells a page that its match goes on, or that its seal is back; nothing where it cannot go on."""
    if sight.match.closed or sight.damaged or sight.lawless:
        return ""
    return f"/api/v1/matches/{sight.match.id}/live?{urlencode({'lang': ask.lang, 'as': sight.eyes.viewer})}"


def match_name(match: Match, lang: Lang) -> str:
    """Return the round and the table of a match; its id where neither is known."""
    return table_words(last_described(match.entries).occasion, lang) or match.id


def looks(ask: Ask, sight: Sight, number: int, here: Callable[[Way], str] | None = None) -> tuple[Look, ...]:
    """All eyes that whoever asks could look with, at the same page."""
    match, house = sight.match, ask.house
    broken = house.seals.broken(ask.session, match.id, house.clock())
    known: list[Look] = []
    own = ask.own
    for viewer in (SPECTATOR, *match.opened.seats, JUDGE):
        state = may_look(ask.session, match.id, viewer, broken, closed=sight.over, published=house.settings.published)
        if state != "no":
            way = way_of(ask.lang, match.id, viewer, own)
            words = seat_name(match.names, viewer, ask.lang)
            url = here(way) if here is not None else way.moment(number) if number else way.live()
            known.append(Look(viewer, words, url, state, viewer == sight.eyes.viewer))
    return tuple(known)


def seal_of(ask: Ask, match: Match) -> Seal | None:
    """The seal of a match that whoever asks has broken, while it stays so."""
    broken = ask.house.seals.broken(ask.session, match.id, ask.house.clock())
    if broken is None:
        return None
    left = max(0, broken.ends - ask.house.clock())
    return Seal(match.id, seat_name(match.names, broken.viewer, ask.lang), ask.time(broken.ends, "minute"), left)
