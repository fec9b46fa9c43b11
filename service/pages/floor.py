"""The floor: the tables of a round now."""

from typing import Final

from service.asking import Ask, Reply
from service.pages.paper import page, said, sheet


def show_floor(ask: Ask, query: object, body: None) -> Reply:
    """The tables."""
    return sheet(ask, "floor.html", said(ask, "web.floor"))


ROUTES: Final = (page("/floor", show_floor, "The tables of a round now.", "public"),)
