"""The occasion of a match: its position in a tournament. For people and for search; no rule reads it."""

import unicodedata
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from domain.words import Text

TEXT_MAX: Final = 200
_UNSAFE_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that break a line or are invisible, and so could disguise a line."""


class Occasion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The description of a match, as text; '' for a missing part. `title` is the match's title in a file of
    notation. Lists and headings omit it."""

    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    start: str = ""
    limit: str = ""
    title: str = ""


NO_OCCASION: Final = Occasion()
"""The default, so that an entry without an occasion is encoded without the field."""


def occasion_of(texts: dict[str, str]) -> Occasion:
    return Occasion(**texts) if any(texts.values()) else NO_OCCASION


def check_occasion(occasion: Occasion, announced: str = "") -> Text | None:
    """Return what is wrong with the first text that is too long or not plain text on one line."""
    texts = {**asdict(occasion), "announced": announced}
    return next((wrong for name, text in texts.items() if (wrong := check_text(name, text)) is not None), None)


def check_text(name: str, text: str) -> Text | None:
    """Return why a text is too long or not plain text on one line."""
    if len(text) > TEXT_MAX:
        return Text("occasion.long", {"field": name, "most": TEXT_MAX, "given": len(text)})
    if any(unicodedata.category(character) in _UNSAFE_CATEGORIES for character in text):
        return Text("occasion.forging", {"field": name})
    return None
