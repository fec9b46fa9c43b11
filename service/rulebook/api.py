"""API of games, rulebooks and rulesets. Responses are public and change only with the program."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulesets import digest, make_ruleset, pin_cards, values
from projections.rulebooks import (
    Book,
    ClauseText,
    GameListing,
    describe_clause,
    describe_rulebook,
    list_game,
    list_numbers,
)
from service.api import REVALIDATE_PUBLIC, ROOT, hashed_response
from service.payloads import Ruleset
from service.problems import http_problem
from service.requests import EmptyPayload, Request, Response, Route
from service.rulebook.editions import edition_of

NAME_MAX: Final = 100
LASTING: Final = "public, max-age=31536000, immutable"
"""Cache header of a ruleset, which its hash identifies."""


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """Edition of a game (the newest by default) and its regulation."""

    version: Annotated[str, Meta(max_length=NAME_MAX, description="the newest by default")] = ""
    frame: Annotated[str, Meta(max_length=NAME_MAX, description="a regulation of the edition")] = ""


def list_games(request: Request, query: object, body: None) -> Response:
    return public_response(request, lambda: tuple(map(list_game, GAMES.values())))


def show_game(request: Request, query: Edition, body: None) -> Response:
    game, version, rules = _edition(request, query)
    return public_response(request, lambda: describe_rulebook(game, version, values(rules)))


def show_clause(request: Request, query: Edition, body: None) -> Response:
    game, _, rules = _edition(request, query)
    clause, known = Clause(request.path["clause"]), game.rulebook.clauses
    if clause not in known:
        raise http_problem("unknown", explain_unknown("clause", clause, known, lists=False))
    return public_response(request, lambda: describe_clause(game, clause, values(rules)))


def show_ruleset(request: Request, query: object, body: None) -> Response:
    published = _rulesets().get(request.path["ruleset"])
    if published is None:
        raise http_problem("unknown")
    return public_response(request, lambda: published, LASTING)


def public_response(request: Request, make: Callable[[], Any], cache_control: str = REVALIDATE_PUBLIC) -> Response:
    return hashed_response(request, make(), {"Cache-Control": cache_control})


def _edition(request: Request, query: Edition) -> tuple[Game, str, Any]:
    return edition_of(request.path["game"], query.version, query.frame)


@cache
def _rulesets() -> dict[str, Ruleset]:
    return {each.id: each for game in GAMES.values() for each in _list_published(game)}


def _list_published(game: Game) -> Iterator[Ruleset]:
    for version in game.versions:
        for frame in ("", *game.regulations_in(version)):
            rules = pin_cards(game, make_ruleset(game, version, frame))
            rule_values = values(rules)
            numbers = list_numbers(game.under(rules), rule_values)
            yield Ruleset(
                id=digest(rules), game=game.key, version=version, frame=frame, rules=rule_values, numbers=numbers
            )


ROUTES: Final = (
    Route(
        method="GET", path=f"{ROOT}/games", operation="public", call=list_games, query=EmptyPayload,
        answer=tuple[GameListing, ...], says="List the games with their editions, regulations and decks.", tagged=True,
    ),
    Route(
        method="GET", path=f"{ROOT}/games/{{game:str}}", operation="public", call=show_game, query=Edition,
        answer=Book, says="Return the rulebook of an edition.", problems=("unknown",), tagged=True,
    ),
    Route(
        method="GET", path=f"{ROOT}/games/{{game:str}}/clauses/{{clause:str}}", operation="public", call=show_clause,
        query=Edition, answer=ClauseText, says="Return a clause as it reads in an edition, in both languages.",
        problems=("unknown",), tagged=True,
    ),
    Route(
        method="GET", path=f"{ROOT}/rulesets/{{ruleset:str}}", operation="public", call=show_ruleset,
        answer=Ruleset, says="Return a published ruleset by its hash. Custom rules are in the opening"
                             " of their match.",
        problems=("unknown",), tagged=True,
    ),
)  # fmt: skip
