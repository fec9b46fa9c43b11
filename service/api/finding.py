"""Finding matches by what was told, found, seen and said in them; and how hot each clause of a game is."""

from typing import Final

from domain.formats.errors import unknown
from domain.games import GAMES
from recorder.finding.rows import Found
from service import wire
from service.api.seeing import link_next, tell_hashed
from service.asking import Ask, Reply, Route
from service.problems import halt
from service.seeking import Sought, heat_of, seek


def find(ask: Ask, query: Sought, body: None) -> Reply:
    """A page of matches, the newest in the store first."""
    page = seek(ask, query)
    headers = link_next(ask, query, after=page.rows[-1].match) if page.more else {}
    matches = tuple(map(_match, page.rows))
    return tell_hashed(ask, wire.Found(matches=matches, complete=page.complete, share=page.share), headers)


def heat(ask: Ask, query: object, body: None) -> Reply:
    """How hot each clause of a game is."""
    game = ask.path["game"]
    if game not in GAMES:
        raise halt("unknown", unknown("game", game, GAMES))
    rows, complete = heat_of(ask, game)
    clauses = tuple(
        wire.ClauseHeat(clause=row.clause, uses=row.uses, matches=row.matches, findings=row.findings) for row in rows
    )
    return tell_hashed(ask, wire.Heat(game=game, clauses=clauses, complete=complete), {})


def _match(found: Found) -> wire.FoundMatch:
    return wire.FoundMatch(
        match=found.match,
        game=found.game,
        version=found.version,
        names=found.names,
        event=found.event,
        at=found.at,
        closed=found.closed,
        entries=found.entries,
        uses=found.uses,
        findings=tuple(
            wire.FoundFinding(entry=hit.entry, kind=hit.kind, clause=hit.clause, undone=hit.undone)
            for hit in found.hits
        ),
        deeds=tuple(wire.FoundDeed(entry=deed.entry, verb=deed.verb) for deed in found.deeds),
        rulings=tuple(
            wire.FoundRuling(entry=ruling.entry, verdict=ruling.verdict, outcome=ruling.outcome)
            for ruling in found.rulings
        ),
    )


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/find", operation="public", call=find, query=Sought, answer=wire.Found, paged=True,
        tagged=True, problems=("unreadable",),
        says="Find matches by clause, verdict, card, player, event, game, day, ruling, and deeds.",
    ),
    Route(
        method="GET", path="/api/v1/games/{game:str}/heat", operation="public", call=heat, answer=wire.Heat,
        tagged=True, says="How often each clause was told and found against in closed matches.", problems=("unknown",),
    ),
)  # fmt: skip
