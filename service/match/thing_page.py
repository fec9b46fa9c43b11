"""Page of a thing: its printed text, place and state, and its events, the newest first."""

from typing import Final

from msgspec import Struct

from domain.law.clause import Clause
from domain.table.redact import SeenCard, SeenPlace, View
from domain.words import Text
from projections import phrases as P
from projections.cards import card_cells
from projections.steps import board_after
from projections.thing_history import NotFound, ThingFact, history
from projections.things import things_on
from projections.viewing import NotInMatch
from service.context import MatchView
from service.match.layout import clause_url, dispute_url, match_name, match_page, match_urls
from service.pages import page_route, translate
from service.problems import http_problem
from service.requests import Request, Response, read_moment

THING_DIGITS = 9


class ThingEventRow(Struct, frozen=True):
    words: str
    entry: int
    url: str
    clause: Clause
    clause_url: str


def show_thing(request: Request, query: object, body: None) -> Response:
    """Show a thing after an entry. Raises HttpProblem if the viewer cannot point at it."""
    view = request.look(request.viewer, bare=True)
    number, fact = read_moment(request.path["moment"], view.head)
    thing, match, lang = _thing_number(request), view.match, request.lang
    try:
        table_view = board_after(match, view.eyes, number, fact)
    except NotInMatch as error:
        raise http_problem("unknown", error.text) from None
    traced = history(match, view.eyes, f"u{thing}", number)
    card, place = _find(table_view, thing)
    if isinstance(traced, NotFound) or (card is None and not traced.last):
        raise http_problem("unknown", Text("thing.none", {"thing": thing}))
    face = (card.face if card is not None else None) or traced.face or ""
    later = (card.later if card is not None else None) or traced.later
    return match_page(
        request,
        view,
        "thing.html",
        translate(request, "moment.at", match=match_name(match, request.lang), n=number),
        number,
        heading=P.card_words(match.game, SeenCard(thing=thing, face=face or None, later=later), lang),
        learned=match_urls(request, view).moment_url(later.entry) if later is not None else "",
        learned_at=later.entry if later is not None else 0,
        printed=match.game.display.card(face, lang) if face else (),
        place=P.place_words(match.game, place.place, lang, match.names) if place is not None else "",
        states=[cell.text for cell in card_cells(card, match.game, lang, match.names)[1:]] if card is not None else [],
        last=[_make_event_row(request, view, happened) for happened in traced.last],
        was=[(before, match_urls(request, view).entry_url(number, "thing", before)) for before in traced.was],
        dispute=_dispute(request, view, number, thing) if card is not None else "",
        board_url=f"{match_urls(request, view).moment_url(number, fact)}#t{thing}",
    )


def _dispute(request: Request, view: MatchView, number: int, thing: int) -> str:
    """Return the new-dispute URL for the thing now, or as it was after an earlier entry."""
    if number == view.head:
        return dispute_url(request, view, thing=thing)
    return dispute_url(request, view, about=number, thing=thing)


def _thing_number(request: Request) -> int:
    text = request.path["thing"]
    if not (text.isascii() and text.isdecimal() and len(text) <= THING_DIGITS and int(text)):
        raise http_problem("unknown")
    return int(text)


def _find(table_view: View, thing: int) -> tuple[SeenCard | None, SeenPlace | None]:
    return next(((card, place) for card, place in things_on(table_view) if card.thing == thing), (None, None))


def _make_event_row(request: Request, view: MatchView, happened: ThingFact) -> ThingEventRow:
    return ThingEventRow(
        P.fact_words(view.match.game, happened.fact, request.lang, view.match.names),
        happened.entry,
        match_urls(request, view).moment_url(happened.entry),
        Clause(happened.clause),
        clause_url(request, view.match, Clause(happened.clause)),
    )


ROUTES: Final = (
    page_route(
        "/m/{match:str}/{moment:str}/thing/{thing:str}", show_thing, "Show a thing on the table and its events."
    ),
    page_route("/m/{match:str}/{moment:str}/thing/{thing:str}/as/{viewer:str}", show_thing, "As another viewer."),
)
