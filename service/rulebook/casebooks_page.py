"""A casebook as a page: each case with what it decides, the clauses it shows, and as it is written."""

from typing import Final

from msgspec import Struct

from domain.formats.errors import unknown
from domain.words import say
from projections.casebooks import ruling_words
from service.addresses import to
from service.pages import page, sheet
from service.problems import halt
from service.requests import Nothing, Request, Response
from service.rulebook.casebooks import Written, anchor
from service.rulebook.editions import edition_of


class Shown(Struct, frozen=True):
    """A case as it is drawn: chosen language first."""

    id: str
    anchor: str
    says: str
    twin: str
    ruling: str
    clauses: tuple[tuple[str, str], ...]
    text: str


def show_casebook(request: Request, query: Nothing, body: None) -> Response:
    """The cases of one file that are about a game."""
    key, _, version = request.path["book"].partition("@")
    game, _, _ = edition_of(key, version)
    books = request.context.casebooks.of(game.key)
    book = books.get(request.path["casebook"])
    if book is None:
        raise halt("unknown", unknown("casebook", request.path["casebook"], tuple(books)))
    title = say("cases.title", request.lang, book=book.name, game=game.rulebook.title.say(request.lang))
    return sheet(
        request,
        "casebook.html",
        title,
        heading=title,
        head=book.head,
        cases=[_shown(request, written) for written in book.cases],
        book_url=to(request.lang, "rules", request.path["book"]),
    )


def _shown(request: Request, written: Written) -> Shown:
    case, lang = written.case, request.lang
    says, twin = (case.ja, case.en) if lang == "ja" else (case.en, case.ja)
    clauses = tuple((clause, to(lang, "rules", request.path["book"], clause)) for clause in case.clauses)
    return Shown(case.id, anchor(case), says, twin, ruling_words(case, lang), clauses, written.text)


ROUTES: Final = (
    page("/rules/{book:str}/cases/{casebook:str}", show_casebook, "The cases of one file about a game.", "public"),
)
