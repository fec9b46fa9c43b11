"""Strips of two boards beside each other: those that are not the same on both."""

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.law.game import Game
from domain.table.table import Place
from domain.words import Lang, say
from projections.phrases import place_words
from service.draw.markup import NOTHING, element
from service.draw.strips import CLOCK, EFFECTS, LANES_KEY, RESULT

NAMED: Final = re.compile(r' id="[^"]*"')
"""What a page holds twice may be called by no name there."""
EMPTY: Final = re.compile(r"<\w+[^>]* hidden>")
"""A strip on which there is nothing."""
OWN: Final = (CLOCK, LANES_KEY, EFFECTS, RESULT)


class Pair(Struct, frozen=True):
    """A strip on either board, and where it is; `wide`: it needs a line of its own."""

    name: str
    one: Markup
    other: Markup
    wide: bool


def differing(
    one: Mapping[str, Markup], other: Mapping[str, Markup], game: Game, lang: Lang, leave_out: tuple[str, ...] = ()
) -> tuple[Pair, ...]:
    """The strips that differ, by where they are, in the order of the board."""
    return tuple(
        _pair(key, strip, other.get(key, NOTHING), game, lang)
        for key, strip in one.items()
        if key not in leave_out and strip != other.get(key, NOTHING)
    )


def _pair(key: str, one: Markup, other: Markup, game: Game, lang: Lang) -> Pair:
    seat, dot, part = key.partition(".")
    line = bool(dot) and part.isdecimal()
    name = _name(key, game, lang) if not line else say("strip.line", lang, area=place_words(game, Place(seat), lang))
    grid = name if line else ""
    return Pair(
        f"{name} {part}" if line else name,
        _alone(one, grid, lang),
        _alone(other, grid, lang),
        wide=line or key in OWN,
    )


def _alone(strip: Markup, grid: str, lang: Lang) -> Markup:
    """A strip outside its board, with a name on no more than one side."""
    if not strip or EMPTY.match(strip):
        return element("p", "note", say("diff.nothing", lang))
    strip = Markup(NAMED.sub("", strip))
    return element("div", "grid", strip, role="grid", aria_label=grid) if grid else strip


def _name(key: str, game: Game, lang: Lang) -> str:
    if key in OWN:
        return say(f"strip.{key}", lang)
    seat, _, part = key.partition(".")
    return seat if part == "res" else place_words(game, Place(key), lang)
