"""Helpers for pages: routes, redirects, titles and form errors."""

from typing import Any

from domain.formats.errors import FormatError
from domain.law.docket import SECOND
from domain.words import Lang, TextError, say
from domain.words.lines import clock_time
from service.access import Operation, is_delayed
from service.limits import Bucket
from service.problems import HttpProblem, Problem, http_problem
from service.rendering import TemplatePage
from service.requests import HTML, Call, EmptyPayload, Request, Response, Route

FOUND, SEE_OTHER = 302, 303


def page_route(
    path: str,
    call: Call,
    says: str,
    operation: Operation = "see",
    query: Any = EmptyPayload,
    limit: Bucket | None = None,
) -> Route:
    """Return the route of a page in both languages."""
    return Route(
        method="GET",
        path=f"/{{lang:str}}{path}",
        operation=operation,
        call=call,
        says=says,
        query=query,
        kind=HTML,
        limit=limit,
    )


def form_route(path: str, call: Call, says: str, operation: Operation, body: Any, limit: Bucket | None = None) -> Route:
    """Return the route of a form whose fields decode to `body`."""
    return Route(
        method="POST",
        path=f"/{{lang:str}}{path}",
        operation=operation,
        call=call,
        says=says,
        body=body,
        kind=HTML,
        limit=limit,
    )


def template_page(request: Request, template: str, title: str, about: str = "", /, **values: Any) -> Response:
    """Return a page to render. Title and description must not reveal more than a spectator sees."""
    return Response(TemplatePage(template, values, title, about))


def redirect(url: str, headers: dict[str, str] | None = None, status: int = SEE_OTHER) -> Response:
    return Response(b"", status, {"Location": url, **(headers or {})}, HTML)


def problem_of(error: HttpProblem | FormatError | TextError) -> Problem:
    match error:
        case HttpProblem():
            return error.problem
        case FormatError():
            return http_problem("unreadable", error.message).problem
        case TextError():
            return http_problem("unreadable", error.text).problem


def form_errors(request: Request, problem: Problem | None) -> list[tuple[str, str]]:
    """Return a problem as a form error without a field."""
    return [] if problem is None else [("", problem.says(request.lang))]


def with_problem(drawn: Response, problem: Problem | None) -> Response:
    """Return the page of a form with the status of its problem."""
    return drawn if problem is None else Response(drawn.value, problem.status, drawn.headers, drawn.kind)


def translate(request: Request, key: str, **values: object) -> str:
    return say(key, request.lang, **values)


def preferred_language(header: str) -> Lang:
    """Return the language that a browser prefers; English if it names neither."""
    wanted: list[tuple[float, Lang]] = []
    for part in header.split(",")[:20]:
        tag, _, quality = part.partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        lang = tag.strip().lower().partition("-")[0]
        if lang in ("en", "ja") and weight > 0:
            wanted.append((weight, "ja" if lang == "ja" else "en"))
    return max(wanted, key=lambda each: each[0])[1] if wanted else "en"


def delay_words(request: Request) -> str:
    """Return how late the session sees the play; '' without a delay."""
    delay = request.context.settings.delay if is_delayed(request.session) else 0
    return say("floor.delayed", request.lang, time=clock_time(delay // SECOND)) if delay else ""
