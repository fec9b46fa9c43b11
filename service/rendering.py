"""Pages drawn from templates: what is put in is escaped, what is missing is an error, and words come from the table."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from domain.words import LANGS, Lang, say
from service import requests
from service.drawing.markup import linked
from service.problems import STATUS, HttpProblem, Problem, http_problem
from service.requests import HTML, Request, Response, Route

PACKAGE: Final = Path(__file__).parent
TEMPLATES: Final = (PACKAGE / "templates", *sorted(PACKAGE.glob("*/templates")))
"""Folders of templates: those that several features share, and those of each feature. Names are unique."""
STATIC: Final = PACKAGE / "static"
HASH_DIGITS = 12
SECTIONS: Final = ("floor", "rules", "find", "me")
"""The pages that every page leads to."""


class TemplatePage(Struct, frozen=True):
    """A page to be drawn: its template and what stands in it.

    `title` and `about` go into lists of tabs, histories and previews of links: they say what a spectator sees, whoever
    looks.
    """

    template: str
    values: dict[str, Any] = {}
    title: str = ""
    about: str = ""


@cache
def environment() -> Environment:
    """Where templates come from and how they are filled."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def assets() -> dict[str, str]:
    """The address of each static file, by its name. It is another one as soon as the file is."""
    files = sorted(path for path in STATIC.iterdir() if path.is_file())
    return {path.name: f"/static/{path.name}?v={sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]}" for path in files}


@cache
def read_style(name: str) -> str:
    """Return the text of a style sheet, for a page that loads nothing."""
    return (STATIC / name).read_text(encoding="utf-8")


def draw(request: Request, sheet: TemplatePage, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A page in the language of its address."""

    def t(key: str, **values: object) -> str:
        if any(isinstance(value, Markup) for value in values.values()):
            return linked(key, request.lang, **{name: escape(value) for name, value in values.items()})
        return say(key, request.lang, **values)

    text = (
        environment()
        .get_template(sheet.template)
        .render(
            t=t,
            lang=request.lang,
            session=request.session,
            here=request.url,
            other=other(request),
            assets=assets(),
            sections=SECTIONS,
            public=request.context.settings.public,
            title=sheet.title,
            about=sheet.about,
            **sheet.values,
        )
    )
    return Response(text.encode(), status, headers or {}, HTML)


def other(request: Request) -> dict[Lang, str]:
    """The same address in each language."""
    parts = request.url.split("/", 2)
    rest = parts[2] if len(parts) > 2 and parts[1] in LANGS else ""
    query = f"?{request.query}" if request.query else ""
    return {lang: f"/{lang}/{rest}{query}" if rest else f"/{lang}/floor" for lang in LANGS}


def answer_page(route: Route, request: Request, body: bytes) -> Response:
    """Answer a route of a page as HTML: the page itself, or the page of a problem."""
    if request.path.get("lang", request.lang) != request.lang:
        return draw_problem_page(request, http_problem("unknown"))
    response = requests.answer(route, replace(request, reads=route.method == "GET"), body)
    match response.value:
        case Problem() as problem:
            return _draw_problem(request, problem, response)
        case TemplatePage() as sheet:
            return draw(request, sheet, response.status, response.headers)
        case _:
            return response


def draw_problem_page(request: Request, stopped: HttpProblem) -> Response:
    """Return the page of a problem."""
    return _draw_problem(request, stopped.problem, requests.problem_response(request, stopped))


def _draw_problem(request: Request, problem: Problem, response: Response) -> Response:
    # The page does not say its own address: an answer must not differ by what a viewer may not see.
    match = request.path.get("match", "") if problem.status == STATUS["sealed"] else ""
    page = TemplatePage("problem.html", {"problem": problem, "match": match}, problem.says(request.lang))
    return draw(replace(request, url="", query=""), page, response.status, response.headers)
