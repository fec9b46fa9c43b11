"""API of the match search and of clause usage."""

from typing import Final

from domain.formats.errors import explain_unknown
from domain.games import GAMES
from recorder.finding.rows import MatchHit
from service import payloads
from service.api import hashed_response, link_next
from service.problems import http_problem
from service.requests import Request, Response, Route
from service.search.queries import SearchQuery, find_page, heat_of


def find_matches(request: Request, query: SearchQuery, body: None) -> Response:
    page = find_page(request, query)
    headers = link_next(request, query, after=page.rows[-1].match) if page.more else {}
    matches = tuple(map(_match, page.rows))
    return hashed_response(
        request, payloads.MatchSearchPage(matches=matches, complete=page.complete, share=page.share), headers
    )


def show_heat(request: Request, query: object, body: None) -> Response:
    game = request.path["game"]
    if game not in GAMES:
        raise http_problem("unknown", explain_unknown("game", game, GAMES))
    rows, complete = heat_of(request, game)
    clauses = tuple(
        payloads.ClauseHeat(clause=row.clause, uses=row.uses, matches=row.matches, findings=row.findings)
        for row in rows
    )
    return hashed_response(request, payloads.RulebookHeat(game=game, clauses=clauses, complete=complete), {})


def _match(match_hit: MatchHit) -> payloads.FoundMatch:
    return payloads.FoundMatch(
        match=match_hit.match,
        game=match_hit.game,
        version=match_hit.version,
        names=match_hit.names,
        event=match_hit.event,
        at=match_hit.at,
        closed=match_hit.closed,
        entries=match_hit.entries,
        uses=match_hit.uses,
        findings=tuple(
            payloads.FoundFinding(entry=hit.entry, kind=hit.kind, clause=hit.clause, undone=hit.undone)
            for hit in match_hit.hits
        ),
        deeds=tuple(payloads.FoundDeed(entry=deed.entry, verb=deed.verb) for deed in match_hit.deeds),
        rulings=tuple(
            payloads.FoundRuling(entry=ruling.entry, verdict=ruling.verdict, outcome=ruling.outcome)
            for ruling in match_hit.rulings
        ),
    )


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/find", operation="public", call=find_matches, query=SearchQuery,
        answer=payloads.MatchSearchPage,
        paged=True, tagged=True, problems=("unreadable",),
        says="Find matches by clause, verdict, card, player, event, game, day, ruling, and deeds.",
    ),
    Route(
        method="GET", path="/api/v1/games/{game:str}/heat", operation="public", call=show_heat,
        answer=payloads.RulebookHeat, tagged=True,
        says="Return how often each clause was used and broken in closed matches.", problems=("unknown",),
    ),
)  # fmt: skip
