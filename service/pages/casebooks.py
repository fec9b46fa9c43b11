"""A casebook as a page: each case with what it decides, the clauses it shows, and as it is written."""

from typing import Final

from msgspec import Struct

from domain.formats.errors import unknown
from domain.words import say
from projections.casebooks import ruling_words
from service.addresses import to
from service.asking import Ask, Nothing, Reply
from service.casebooks import Written, anchor
from service.editions import edition_of
from service.pages.paper import page, sheet
from service.problems import halt


class Shown(Struct, frozen=True):
    """A case as it is drawn: chosen language first."""

    id: str
    anchor: str
    says: str
    twin: str
    ruling: str
    clauses: tuple[tuple[str, str], ...]
    text: str


def show_casebook(ask: Ask, query: Nothing, body: None) -> Reply:
    """The cases of one file that are about a game."""
    key, _, version = ask.path["book"].partition("@")
    game, _, _ = edition_of(key, version)
    books = ask.house.casebooks.of(game.key)
    book = books.get(ask.path["casebook"])
    if book is None:
        raise halt("unknown", unknown("casebook", ask.path["casebook"], tuple(books)))
    title = say("cases.title", ask.lang, book=book.name, game=game.rulebook.title.say(ask.lang))
    return sheet(
        ask,
        "casebook.html",
        title,
        heading=title,
        head=book.head,
        cases=[_shown(ask, written) for written in book.cases],
        book_url=to(ask.lang, "rules", ask.path["book"]),
    )


def _shown(ask: Ask, written: Written) -> Shown:
    case, lang = written.case, ask.lang
    says, twin = (case.ja, case.en) if lang == "ja" else (case.en, case.ja)
    clauses = tuple((clause, to(lang, "rules", ask.path["book"], clause)) for clause in case.clauses)
    return Shown(case.id, anchor(case), says, twin, ruling_words(case, lang), clauses, written.text)


ROUTES: Final = (
    page("/rules/{book:str}/cases/{casebook:str}", show_casebook, "The cases of one file about a game.", "public"),
)
