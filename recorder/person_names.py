"""Names of people at an event: how they are compared, and when two of them could be taken for one another."""

import unicodedata
from collections.abc import Iterable, Mapping

from domain.table.table import Seat
from domain.words import Text


def person_name(name: str) -> str:
    """Return a name as pairings and sign-ins compare it: NFC, without spaces around it."""
    return unicodedata.normalize("NFC", name).strip()


def is_alike(one: str, other: str) -> bool:
    """True if two names differ only in what people do not tell apart (see `skeleton`)."""
    return skeleton(one) == skeleton(other)


def seat_names(names: Mapping[Seat, str]) -> dict[Seat, str] | Text:
    """Return the names of a new match as they are recorded; or why they cannot be: blank, doubled, or alike."""
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
    """The players of a round so far: nobody has two tables, and no two could be taken for one another."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, str, int]] = {}

    def add(self, names: Iterable[str], table: str, line: int) -> Text | None:
        """Add the players of a table, in its line of the pairings; or return why one cannot play there."""
        for name in names:
            other, at, there = self._seen.setdefault(skeleton(name), (name, table, line))
            if there != line:
                key = "pairings.name_doubled" if other == name else "pairings.name_alike"
                return Text(key, {"name": name, "other": other, "table": at, "line": there})
        return None


_ALIKE = str.maketrans("аеорсухіјѕһкмтαοντυικρ", "aeopcyxijshkmtaovtuikp")
"""Cyrillic and Greek letters that look like Latin ones."""


def skeleton(name: str) -> str:
    """Return a name without what people do not tell apart: width, capitals, spaces, invisible signs, alike letters."""
    shown = (sign for sign in unicodedata.normalize("NFKC", name).casefold() if unicodedata.category(sign) != "Cf")
    return "".join("".join(shown).translate(_ALIKE).split())
