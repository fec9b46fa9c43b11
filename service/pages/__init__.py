"""The pages: each parses its address, calls, and is drawn from a template. One address, one whole page."""

from collections.abc import Mapping
from typing import Final

from service import asking
from service.asking import Ask, Reply, Route
from service.drawing import Sheet, draw
from service.problems import Halt, Problem

ROUTES: Final[tuple[Route, ...]] = ()


def answer(route: Route, ask: Ask, query: Mapping[str, str], body: bytes) -> Reply:
    """What a page answers: itself, drawn; or the page of a problem."""
    reply = asking.answer(route, ask, query, body)
    if isinstance(reply.value, Problem):
        return draw(ask, Sheet("problem.html", {"problem": reply.value}), reply.status, reply.headers)
    if isinstance(reply.value, Sheet):
        return draw(ask, reply.value, reply.status, reply.headers)
    return reply


def trouble(ask: Ask, stopped: Halt) -> Reply:
    """A problem as a page."""
    reply = asking.told(ask, stopped)
    return draw(ask, Sheet("problem.html", {"problem": reply.value}), reply.status, reply.headers)
