"""Page of a casebook: each case with its decision, clauses and source text."""

from typing import Final

from msgspec import Struct

from domain.formats.errors import explain_unknown
from domain.words import say
from projections.casebooks import ruling_words
from service.addresses import page_url
from service.pages import page_route, template_page
from service.problems import http_problem
from service.requests import EmptyPayload, Request, Response
from service.rulebook.casebooks import CaseSource, make_anchor
from service.rulebook.editions import edition_of


class CaseRow(Struct, frozen=True):
    """A case as drawn; `says` is in the chosen language."""

    id: str
    anchor: str
    says: str
    twin: str
    ruling: str
    clauses: tuple[tuple[str, str], ...]
    text: str


def show_casebook(request: Request, query: EmptyPayload, body: None) -> Response:
    key, _, version = request.path["book"].partition("@")
    game, _, _ = edition_of(key, version)
    books = request.context.casebooks.of(game.key)
    book = books.get(request.path["casebook"])
    if book is None:
        raise http_problem("unknown", explain_unknown("casebook", request.path["casebook"], tuple(books)))
    title = say("cases.title", request.lang, book=book.name, game=game.rulebook.title.say(request.lang))
    return template_page(
        request,
        "casebook.html",
        title,
        heading=title,
        head=book.head,
        cases=[_make_case_row(request, written) for written in book.cases],
        book_url=page_url(request.lang, "rules", request.path["book"]),
    )


def _make_case_row(request: Request, written: CaseSource) -> CaseRow:
    case, lang = written.case, request.lang
    says, twin = (case.ja, case.en) if lang == "ja" else (case.en, case.ja)
    clauses = tuple((clause, page_url(lang, "rules", request.path["book"], clause)) for clause in case.clauses)
    return CaseRow(case.id, make_anchor(case), says, twin, ruling_words(case, lang), clauses, written.text)


ROUTES: Final = (
    page_route(
        "/rules/{book:str}/cases/{casebook:str}", show_casebook, "Show the cases of one file about a game.", "public"
    ),
)
