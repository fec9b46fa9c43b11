"""Matches opened by programs."""

from typing import Final

from service import commands as C, opening
from service.asking import Ask, Reply, Route


def open_match(ask: Ask, query: object, body: C.OpenMatch) -> Reply:
    """Open a match; asked once more under the same id, the same match is answered."""
    return opening.open_match(ask, body)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches", operation="open", call=open_match, body=C.OpenMatch,
        answer=C.Entered, status=201, again=True, limit="commands",
        says="Open a match and let the croupier lay it out.",
        problems=("not-allowed", "unreadable", "exists", "command-reused", "store-unavailable"),
    ),
)  # fmt: skip
