"""Compare people's names and detect confusable ones."""

import unicodedata
from collections.abc import Iterable, Mapping

from domain.table.table import Seat
from domain.words import Text


def person_name(name: str) -> str:
    """Return a name as pairings and sign-ins compare it: NFC, stripped."""
    return unicodedata.normalize("NFC", name).strip()


def is_alike(one: str, other: str) -> bool:
    return skeleton(one) == skeleton(other)


def seat_names(names: Mapping[Seat, str]) -> dict[Seat, str] | Text:
    """Return the names of a new match as recorded, or why they are refused: blank, doubled, or confusable."""
    known = {seat: person_name(name) for seat, name in names.items()}
    for seat, name in known.items():
        if not skeleton(name):
            return Text("pairings.name_blank", {"seat": seat})
        for first, other in known.items():
            if first == seat:
                break
            if is_alike(name, other):
                key = "match.name_doubled" if name == other else "match.name_alike"
                return Text(key, {"name": name, "other": other, "first": first, "second": seat})
    return known


class RoundNames:
    """The players of a round. A player has one table, and no two names are confusable."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, str, int]] = {}

    def add(self, names: Iterable[str], table: str, line: int) -> Text | None:
        """Add the players of a table, with its line of the pairings, or return why one is refused."""
        for name in names:
            other, at, first_line = self._seen.setdefault(skeleton(name), (name, table, line))
            if first_line != line:
                key = "pairings.name_doubled" if other == name else "pairings.name_alike"
                return Text(key, {"name": name, "other": other, "table": at, "line": first_line})
        return None


_ALIKE = str.maketrans("аеорсухіјѕһкмтαοντυικρ", "aeopcyxijshkmtaovtuikp")
"""Cyrillic and Greek letters that look like Latin ones."""


def skeleton(name: str) -> str:
    """Return a name without differences that people overlook: width, case, spaces, invisible and similar characters."""
    visible = (sign for sign in unicodedata.normalize("NFKC", name).casefold() if unicodedata.category(sign) != "Cf")
    return "".join("".join(visible).translate(_ALIKE).split())
