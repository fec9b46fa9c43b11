"""Differences by what happens otherwise first, and then by what comes of it: one root, one group."""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from archive.regress.counting import BY_SIZE, NOTHING, Difference
from archive.regress.summary import FactKind, First, Kind, Summary
from domain.words import Message

Sort = tuple[str, str, str]
"""What sorts of facts are told apart by; empty where that side tells nothing."""


class Part(Struct, frozen=True):
    """Differences of one class by one clause, and of one action if one becomes illegal; the shortest match first."""

    kind: Kind
    clause: str
    verb: str
    differences: tuple[Difference, ...]

    @property
    def sentence(self) -> Message:
        """What the clause says by which they differ."""
        return self.differences[0].match.sentence or NOTHING

    @property
    def was(self) -> Message | None:
        """What it said before, if it said something else."""
        return self.differences[0].match.was


class Group(Struct, frozen=True):
    """Differences that begin with the same sorts of facts; with none where an action is refused before any differs."""

    game: str
    base: bool
    """Do they differ before the change already?"""
    first: First | None
    parts: tuple[Part, ...]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All of them."""
        return tuple(difference for part in self.parts for difference in part.differences)


def group_by_root(differences: Iterable[Difference]) -> tuple[Group, ...]:
    """The groups, that with the most matches first."""
    sorts: defaultdict[tuple[str, bool, Sort, Sort], list[Difference]] = defaultdict(list)
    for difference in sorted(differences, key=lambda difference: BY_SIZE(difference.match)):
        match = difference.match
        first = match.first or First(0)
        sorts[match.game, match.kind == "base", _sort(first.recorded), _sort(first.rejudged)].append(difference)
    groups = [Group(game, base, some[0].match.first, _parts(some)) for (game, base, _, _), some in sorts.items()]
    return tuple(sorted(groups, key=lambda group: -len(group.differences)))


def _sort(fact: FactKind | None) -> Sort:
    return ("", "", "") if fact is None else (fact.clause, fact.tag, fact.about)


def _parts(differences: Iterable[Difference]) -> tuple[Part, ...]:
    came: defaultdict[tuple[Kind, str, str], list[Difference]] = defaultdict(list)
    for difference in differences:
        came[_came(difference.match)].append(difference)
    parts = [Part(*what, tuple(some)) for what, some in came.items()]
    return tuple(sorted(parts, key=lambda part: -len(part.differences)))


def _came(match: Summary) -> tuple[Kind, str, str]:
    return *match.key, match.verb if match.kind == "illegal" else ""
