"""The pages: each parses its address, calls, and is drawn from a template. One address, one whole page."""

from typing import Final

from service import asking
from service.asking import Ask, Reply, Route
from service.drawing import Sheet, draw
from service.pages import entrance, floor
from service.problems import Halt, Problem, halt

ROUTES: Final[tuple[Route, ...]] = (*entrance.ROUTES, *floor.ROUTES)


def answer(route: Route, ask: Ask, body: bytes) -> Reply:
    """What a page answers: itself, drawn; or the page of a problem."""
    if ask.path.get("lang", ask.lang) != ask.lang:
        return trouble(ask, halt("unknown"))
    reply = asking.answer(route, ask, body)
    if isinstance(reply.value, Problem):
        return _problem(ask, reply)
    if isinstance(reply.value, Sheet):
        return draw(ask, reply.value, reply.status, reply.headers)
    return reply


def trouble(ask: Ask, stopped: Halt) -> Reply:
    """A problem as a page."""
    return _problem(ask, asking.told(ask, stopped))


def _problem(ask: Ask, reply: Reply) -> Reply:
    problem: Problem = reply.value
    told = Sheet("problem.html", {"problem": problem}, problem.says(ask.lang))
    return draw(ask, told, reply.status, reply.headers)
