"""Rendering of pages from Jinja templates. Values are escaped, and a missing value is an error."""

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
from service.drawing.markup import say_markup
from service.problems import STATUS, HttpProblem, Problem, http_problem
from service.requests import HTML, Request, Response, Route

PACKAGE: Final = Path(__file__).parent
TEMPLATES: Final = (PACKAGE / "templates", *sorted(PACKAGE.glob("*/templates")))
"""Template folders: the shared one, and one for each feature. File names are unique."""
STATIC: Final = PACKAGE / "static"
HASH_DIGITS = 12
SECTIONS: Final = ("floor", "rules", "find", "me")


class TemplatePage(Struct, frozen=True):
    """A page to render: its template and values. `title` and `about` appear in tabs, histories and link previews, so
    they must not reveal more than a spectator sees."""

    template: str
    values: dict[str, Any] = {}
    title: str = ""
    about: str = ""


@cache
def environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def assets() -> dict[str, str]:
    """Return the URL of each static file by name. It contains a hash of the content."""
    files = sorted(path for path in STATIC.iterdir() if path.is_file())
    return {path.name: f"/static/{path.name}?v={sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]}" for path in files}


@cache
def read_style(name: str) -> str:
    """Return the text of a style sheet, for a self-contained page."""
    return (STATIC / name).read_text(encoding="utf-8")


def draw(request: Request, page: TemplatePage, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return the page in the language of its URL."""

    def t(key: str, **values: object) -> str:
        if any(isinstance(value, Markup) for value in values.values()):
            return say_markup(key, request.lang, **{name: escape(value) for name, value in values.items()})
        return say(key, request.lang, **values)

    text = (
        environment()
        .get_template(page.template)
        .render(
            t=t,
            lang=request.lang,
            session=request.session,
            here=request.url,
            other=language_urls(request),
            assets=assets(),
            sections=SECTIONS,
            public=request.context.settings.public,
            title=page.title,
            about=page.about,
            **page.values,
        )
    )
    return Response(text.encode(), status, headers or {}, HTML)


def language_urls(request: Request) -> dict[Lang, str]:
    """Return the current URL in each language."""
    parts = request.url.split("/", 2)
    rest = parts[2] if len(parts) > 2 and parts[1] in LANGS else ""
    query = f"?{request.query}" if request.query else ""
    return {lang: f"/{lang}/{rest}{query}" if rest else f"/{lang}/floor" for lang in LANGS}


def answer_page(route: Route, request: Request, body: bytes) -> Response:
    if request.path.get("lang", request.lang) != request.lang:
        return draw_problem_page(request, http_problem("unknown"))
    response = requests.answer(route, replace(request, reads=route.method == "GET"), body)
    match response.value:
        case Problem() as problem:
            return _draw_problem(request, problem, response)
        case TemplatePage() as page:
            return draw(request, page, response.status, response.headers)
        case _:
            return response


def draw_problem_page(request: Request, error: HttpProblem) -> Response:
    return _draw_problem(request, error.problem, requests.problem_response(request, error))


def _draw_problem(request: Request, problem: Problem, response: Response) -> Response:
    # The page omits its own URL: the response must not depend on what the viewer may not see.
    match = request.path.get("match", "") if problem.status == STATUS["sealed"] else ""
    page = TemplatePage("problem.html", {"problem": problem, "match": match}, problem.says(request.lang))
    return draw(replace(request, url="", query=""), page, response.status, response.headers)
