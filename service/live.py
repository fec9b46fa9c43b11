"""Matches as they go on: who watches is woken, each position is drawn once, and the same bytes go to all who see it."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler


def handlers() -> Sequence[ControllerRouterHandler]:
    """What serves streams."""
    return ()
