"""Branches of matches, opened by programs."""

from typing import Final

from service import branching, commands as C
from service.asking import Ask, Reply, Route


def open_branch(ask: Ask, query: object, body: C.OpenBranch) -> Reply:
    """Open a what-if match that shares the past of another one."""
    return branching.open_branch(ask, body)


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/branches", operation="branch", call=open_branch,
        body=C.OpenBranch, answer=C.Branched, status=201, again=True, limit="commands",
        says="Open an unofficial match that shares the entries of this one up to one of them, and goes on by itself.",
        problems=("unknown", "sealed", "not-your-eyes", "exists", "command-reused", "store-unavailable"),
    ),
)  # fmt: skip
