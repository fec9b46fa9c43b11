"""What all pages do alike: how their routes and redirections look, and what they are called."""

from typing import Any

from domain.formats.errors import FormatError
from domain.words import Lang, TextError, say
from service.access import Operation
from service.limits import Bucket
from service.problems import HttpProblem, Problem, http_problem
from service.rendering import TemplatePage
from service.requests import HTML, Call, EmptyPayload, Request, Response, Route

FOUND, SEE_OTHER = 302, 303


def page(
    path: str,
    call: Call,
    says: str,
    operation: Operation = "see",
    query: Any = EmptyPayload,
    limit: Bucket | None = None,
) -> Route:
    """The route of a page in both languages."""
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


def form(path: str, call: Call, says: str, operation: Operation, body: Any, limit: Bucket | None = None) -> Route:
    """The route of a form that is sent, with its fields as the type that it names."""
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


def sheet(request: Request, template: str, title: str, about: str = "", /, **values: Any) -> Response:
    """A page, drawn later. Title and description say what a spectator sees."""
    return Response(TemplatePage(template, values, title, about))


def go(url: str, headers: dict[str, str] | None = None, status: int = SEE_OTHER) -> Response:
    """Somewhere else."""
    return Response(b"", status, {"Location": url, **(headers or {})}, HTML)


def problem_of(stopped: HttpProblem | FormatError | TextError) -> Problem:
    """What stands against what a form says."""
    match stopped:
        case HttpProblem():
            return stopped.problem
        case FormatError():
            return http_problem("unreadable", stopped.message).problem
        case TextError():
            return http_problem("unreadable", stopped.text).problem


def tell_wrong(request: Request, problem: Problem | None) -> list[tuple[str, str]]:
    """A problem as it stands on the page of its form."""
    return [] if problem is None else [("", problem.says(request.lang))]


def with_problem(drawn: Response, problem: Problem | None) -> Response:
    """The page of a form, answered as the problem that stands on it is."""
    return drawn if problem is None else Response(drawn.value, problem.status, drawn.headers, drawn.kind)


def translate(request: Request, key: str, **values: object) -> str:
    """A text in the language of the page."""
    return say(key, request.lang, **values)


def preferred(header: str) -> Lang:
    """The language that a browser would rather read; English if it names neither."""
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
