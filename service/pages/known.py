"""What each seat knew after an entry; and a thing looked at backwards: what changed it, the newest first."""

from typing import Final

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.words import say
from projections.knowledge import Ledger, face_words, gather, knowledge, row_where_words
from projections.log_knowledge import InLog, log_knew
from projections.phrases import place_words, seat_name, word
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.paper import page, said
from service.pages.trail import turn_at
from service.pages.within import match_name, way_to, within


class Card(Struct, frozen=True):
    """A card that somebody has seen: what, whose, since which entry, and where it lies as far as they can tell."""

    face: str
    owner: str
    entry: int
    url: str
    where: str
    history: str


class Mind(Struct, frozen=True):
    """What somebody has seen; `public`: of that only what everybody has is told."""

    who: str
    cards: tuple[Card, ...]
    public: bool


class Book(Struct, frozen=True):
    """What the log itself knew of real cards, and what it learned later, with the entry that told it."""

    cards: tuple[Card, ...]
    later: tuple[Card, ...]
    unknown: int


def show_known(ask: Ask, query: Nothing, body: None) -> Reply:
    """Who had seen which faces by an entry."""
    sight = ask.look(ask.viewer, bare=True)
    number = ask.number("moment", sight.head)
    way, ledgers = way_to(ask, sight), knowledge(sight.match, sight.eyes, number)
    return within(
        ask,
        sight,
        "known.html",
        said(ask, "known.title", match=match_name(sight.match, ask.lang), n=number),
        number,
        lambda eyes: eyes.at(number, "known"),
        minds=[_mind(ask, sight, ledger, number) for ledger in ledgers],
        log=_log(ask, sight, number),
        moment=way.moment(number),
        previous=way.at(number - 1, "known") if number > 1 else "",
        following=way.at(number + 1, "known") if number < sight.head else "",
        turn=turn_at(sight, number, ask.lang),
    )


def _mind(ask: Ask, sight: Sight, ledger: Ledger, number: int) -> Mind:
    way, game, lang, names = way_to(ask, sight), sight.match.game, ask.lang, sight.match.names
    who = say("who.everyone", lang) if ledger.who == SPECTATOR else seat_name(names, ledger.who, lang)
    cards = tuple(
        Card(
            face_words(row, game, lang),
            seat_name(names, row[0].owner, lang),
            row[0].entry,
            way.moment(row[0].entry),
            row_where_words(row, game, lang, names),
            way.at(number, "thing", row[0].thing) if row[0].thing and len(row) == 1 else "",
        )
        for row in gather(ledger.cards)
    )
    return Mind(who, cards, ledger.public)


def _log(ask: Ask, sight: Sight, number: int) -> Book | None:
    """What the log itself knew, for a judge of a match with real cards."""
    knew = log_knew(sight.match, sight.eyes, number)
    if knew is None:
        return None
    way, game, lang, names = way_to(ask, sight), sight.match.game, ask.lang, sight.match.names

    def card(held: InLog) -> Card:
        told = held.entry if held.later is None else held.later.entry
        place = place_words(game, held.place, lang, names)
        return Card(
            word(game, held.face if held.later is None else held.later.face, lang),
            seat_name(names, held.owner, lang),
            told,
            way.moment(told),
            say("knows.there", lang, place=place, thing=f"u{held.thing}"),
            way.at(number, "thing", held.thing),
        )

    return Book(tuple(map(card, knew.known)), tuple(map(card, knew.later)), knew.unknown)


ROUTES: Final = (
    page("/m/{match:str}/{moment:str}/known", show_known, "Who knew what after an entry."),
    page("/m/{match:str}/{moment:str}/known/as/{viewer:str}", show_known, "The same with other eyes."),
)
