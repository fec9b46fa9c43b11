"""The pages: each parses its address, calls, and is drawn from a template. One address, one whole page."""

from typing import Final

from msgspec.structs import replace

from service import asking
from service.asking import Ask, Reply, Route
from service.drawing import Sheet, draw
from service.pages import (
    afterwards,
    calls,
    casebooks,
    casefiles,
    clock,
    disputes,
    entrance,
    evidence,
    finding,
    floor,
    known,
    match,
    match_endings,
    opening,
    pairings,
    penalties,
    people,
    playing,
    pledges,
    recording,
    reports,
    rewind,
    rule_changes,
    rules,
    seals,
    seek,
    sheets,
    thing,
    timer,
    undoing,
    why,
)  # fmt: skip
from service.problems import STATUS, Halt, Problem, halt

ROOMS: Final = (
    afterwards, calls, casebooks, casefiles, clock, disputes, entrance, evidence, finding, floor, known, match,
    match_endings, opening, pairings, penalties, people, playing, pledges, recording, reports, rewind, rule_changes,
    rules, seals, seek, sheets, thing, timer, undoing, why,
)  # fmt: skip
ROUTES: Final[tuple[Route, ...]] = tuple(route for room in ROOMS for route in room.ROUTES)


def answer(route: Route, ask: Ask, body: bytes) -> Reply:
    """What a page answers: itself, drawn; or the page of a problem."""
    if ask.path.get("lang", ask.lang) != ask.lang:
        return trouble(ask, halt("unknown"))
    reply = asking.answer(route, replace(ask, reads=route.method == "GET"), body)
    if isinstance(reply.value, Problem):
        return _problem(ask, reply)
    if isinstance(reply.value, Sheet):
        return draw(ask, reply.value, reply.status, reply.headers)
    return reply


def trouble(ask: Ask, stopped: Halt) -> Reply:
    """A problem as a page."""
    return _problem(ask, asking.told(ask, stopped))


def _problem(ask: Ask, reply: Reply) -> Reply:
    """The page of a problem. It says nothing of its own address: whoever may not look is told the same everywhere."""
    problem: Problem = reply.value
    match = ask.path.get("match", "") if problem.status == STATUS["sealed"] else ""
    told = Sheet("problem.html", {"problem": problem, "match": match}, problem.says(ask.lang))
    return draw(replace(ask, url="", query=""), told, reply.status, reply.headers)
