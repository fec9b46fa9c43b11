"""A thing on the table: what is printed on it, where it lies and how, and what happened to it, the newest first."""

from typing import Final

from msgspec import Struct

from domain.law.clause import Clause
from domain.table.redact import SeenCard, SeenPlace, View
from domain.words import Text
from projections import phrases as P
from projections.cards import card_cells
from projections.steps import board_after
from projections.things import things_on
from projections.viewing import NotInMatch
from projections.when import Happened, NotFound, history
from service.asking import Ask, Reply, read_moment
from service.house import Sight
from service.pages.paper import page, said
from service.pages.within import clause_url, dispute_url, match_name, way_to, within
from service.problems import halt

THING_DIGITS = 9


class Touched(Struct, frozen=True):
    """Something that happened to it."""

    words: str
    entry: int
    url: str
    clause: Clause
    clause_url: str


def show_thing(ask: Ask, query: object, body: None) -> Reply:
    """A thing after an entry. One that the viewer cannot point at is not there."""
    sight = ask.look(ask.viewer, bare=True)
    number, fact = read_moment(ask.path["moment"], sight.head)
    thing, match, lang = _thing(ask), sight.match, ask.lang
    try:
        view = board_after(match, sight.eyes, number, fact)
    except NotInMatch as error:
        raise halt("unknown", error.text) from None
    traced = history(match, sight.eyes, f"u{thing}", number)
    card, place = _find(view, thing)
    if isinstance(traced, NotFound) or (card is None and not traced.last):
        raise halt("unknown", Text("thing.none", {"thing": thing}))
    face = (card.face if card is not None else None) or traced.face or ""
    later = (card.later if card is not None else None) or traced.later
    return within(
        ask,
        sight,
        "thing.html",
        said(ask, "moment.at", match=match_name(match, ask.lang), n=number),
        number,
        heading=P.card_words(match.game, SeenCard(thing=thing, face=face or None, later=later), lang),
        learned=way_to(ask, sight).moment(later.entry) if later is not None else "",
        learned_at=later.entry if later is not None else 0,
        printed=match.game.display.card(face, lang) if face else (),
        place=P.place_words(match.game, place.place, lang, match.names) if place is not None else "",
        states=[cell.text for cell in card_cells(card, match.game, lang, match.names)[1:]] if card is not None else [],
        last=[_touched(ask, sight, happened) for happened in traced.last],
        was=[(before, way_to(ask, sight).at(number, "thing", before)) for before in traced.was],
        dispute=_dispute(ask, sight, number, thing) if card is not None else "",
        board_url=f"{way_to(ask, sight).moment(number, fact)}#t{thing}",
    )


def _dispute(ask: Ask, sight: Sight, number: int, thing: int) -> str:
    """Where a dispute is opened about the thing as it lies now, or as it lay after an earlier entry."""
    if number == sight.head:
        return dispute_url(ask, sight, thing=thing)
    return dispute_url(ask, sight, about=number, thing=thing)


def _thing(ask: Ask) -> int:
    text = ask.path["thing"]
    if not (text.isascii() and text.isdecimal() and len(text) <= THING_DIGITS and int(text)):
        raise halt("unknown")
    return int(text)


def _find(view: View, thing: int) -> tuple[SeenCard | None, SeenPlace | None]:
    return next(((card, place) for card, place in things_on(view) if card.thing == thing), (None, None))


def _touched(ask: Ask, sight: Sight, happened: Happened) -> Touched:
    return Touched(
        P.fact_words(sight.match.game, happened.fact, ask.lang, sight.match.names),
        happened.entry,
        way_to(ask, sight).moment(happened.entry),
        Clause(happened.clause),
        clause_url(ask, sight.match, Clause(happened.clause)),
    )


ROUTES: Final = (
    page("/m/{match:str}/{moment:str}/thing/{thing:str}", show_thing, "A thing on the table, and what happened to it."),
    page("/m/{match:str}/{moment:str}/thing/{thing:str}/as/{viewer:str}", show_thing, "The same with other eyes."),
)
