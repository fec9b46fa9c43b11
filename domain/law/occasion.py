"""On what occasion a match is played: where it stands in a tournament. For people and for search; no rule reads it."""

import unicodedata
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from domain.words import Text

TEXT_MAX: Final = 200
"""How many characters each of these texts has at most."""
_FORGING: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Kinds of characters that break a line or are not seen: with them one line could be made to look like others."""


class Occasion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What people say about a match: all is text as it was given, and empty where nothing was.

    `title` is what a file in notation calls its match; lists and headings leave it out.
    """

    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    start: str = ""
    limit: str = ""
    title: str = ""


NO_OCCASION: Final = Occasion()
"""The default of a field: an entry in which nothing is said is written as if it had no such field."""


def occasion_of(texts: dict[str, str]) -> Occasion:
    """The occasion with these texts, by field."""
    return Occasion(**texts) if any(texts.values()) else NO_OCCASION


def misfit(occasion: Occasion, announced: str = "") -> Text | None:
    """The first text that is too long or holds what does not belong in one line."""
    texts = {**asdict(occasion), "announced": announced}
    return next((wrong for name, text in texts.items() if (wrong := misfit_text(name, text)) is not None), None)


def misfit_text(name: str, text: str) -> Text | None:
    """Why a text of this name is too long, or no line for people."""
    if len(text) > TEXT_MAX:
        return Text("occasion.long", {"field": name, "most": TEXT_MAX, "given": len(text)})
    if any(unicodedata.category(character) in _FORGING for character in text):
        return Text("occasion.forging", {"field": name})
    return None
