"""Page of what each seat knew after an entry."""

from typing import Final

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.words import say
from projections.knowledge import Ledger, face_words, group_cards, knowledge, row_where_words
from projections.log_knowledge import LogCard, read_log_knowledge
from projections.phrases import place_words, seat_name, word
from service.context import MatchView
from service.match.clause_trail import turn_at
from service.match.layout import match_name, match_page, match_urls
from service.pages import page_route, translate
from service.requests import EmptyPayload, Request, Response


class KnownCardRow(Struct, frozen=True):
    """A known card: face, owner, the entry that showed it, and its last known place."""

    face: str
    owner: str
    entry: int
    url: str
    where: str
    history: str


class SeatKnowledge(Struct, frozen=True):
    """Cards that a player has seen. `public`: only those that everyone has seen are listed."""

    who: str
    cards: tuple[KnownCardRow, ...]
    public: bool


class LogKnowledge(Struct, frozen=True):
    """Faces the log knew of real cards, and those it learned later, with the entry."""

    cards: tuple[KnownCardRow, ...]
    later: tuple[KnownCardRow, ...]
    unknown: int


def show_known(request: Request, query: EmptyPayload, body: None) -> Response:
    view = request.look(request.viewer, bare=True)
    number = request.number("moment", view.head)
    urls, ledgers = match_urls(request, view), knowledge(view.match, view.eyes, number)
    return match_page(
        request,
        view,
        "known.html",
        translate(request, "known.title", match=match_name(view.match, request.lang), n=number),
        number,
        lambda viewer_urls: viewer_urls.entry_url(number, "known"),
        minds=[_make_seat_knowledge(request, view, ledger, number) for ledger in ledgers],
        log=_log_knowledge(request, view, number),
        moment=urls.moment_url(number),
        previous=urls.entry_url(number - 1, "known") if number > 1 else "",
        following=urls.entry_url(number + 1, "known") if number < view.head else "",
        turn=turn_at(request, view, number),
    )


def _make_seat_knowledge(request: Request, view: MatchView, ledger: Ledger, number: int) -> SeatKnowledge:
    urls, game, lang, names = match_urls(request, view), view.match.game, request.lang, view.match.names
    who = say("who.everyone", lang) if ledger.who == SPECTATOR else seat_name(names, ledger.who, lang)
    cards = tuple(
        KnownCardRow(
            face_words(row, game, lang),
            seat_name(names, row[0].owner, lang),
            row[0].entry,
            urls.moment_url(row[0].entry),
            row_where_words(row, game, lang, names),
            urls.entry_url(number, "thing", row[0].thing) if row[0].thing and len(row) == 1 else "",
        )
        for row in group_cards(ledger.cards)
    )
    return SeatKnowledge(who, cards, ledger.public)


def _log_knowledge(request: Request, view: MatchView, number: int) -> LogKnowledge | None:
    """Return what the log knew, for a judge of a match with real cards; else None."""
    log = read_log_knowledge(view.match, view.eyes, number)
    if log is None:
        return None
    urls, game, lang, names = match_urls(request, view), view.match.game, request.lang, view.match.names

    def card(held: LogCard) -> KnownCardRow:
        entry = held.entry if held.later is None else held.later.entry
        place = place_words(game, held.place, lang, names)
        return KnownCardRow(
            word(game, held.face if held.later is None else held.later.face, lang),
            seat_name(names, held.owner, lang),
            entry,
            urls.moment_url(entry),
            say("knows.there", lang, place=place, thing=f"u{held.thing}"),
            urls.entry_url(number, "thing", held.thing),
        )

    return LogKnowledge(tuple(map(card, log.known)), tuple(map(card, log.later)), log.unknown)


ROUTES: Final = (
    page_route("/m/{match:str}/{moment:str}/known", show_known, "Show what each seat knew after an entry."),
    page_route("/m/{match:str}/{moment:str}/known/as/{viewer:str}", show_known, "As another viewer."),
)
