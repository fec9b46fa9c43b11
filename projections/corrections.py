"""Corrections by a judge, outcomes of chance entered by hand, and gaps of a record."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.law.clause import BY_HAND, CitedFacts
from domain.law.entries import Corrected, Entry, Gap, Played, line
from domain.law.game import Game
from domain.table.facts import FlowFact


class Correction(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A correction by a judge, with its number of facts.

    `as_play` is True if its facts cite rules of play or change frames or the clock. This is not a finding, but a sign
    that a refused action was entered as a correction.
    """

    entry: int
    by: str
    reason: str
    facts: int
    as_play: bool = False
    undone: bool = False


def corrections(game: Game, entries: Iterable[Entry], standing: frozenset[int]) -> tuple[Correction, ...]:
    """Return all corrections of a record; `standing` are the entries that count."""
    return tuple(
        Correction(
            entry=number,
            by=entry.by,
            reason=entry.reason,
            facts=len(entry.told),
            as_play=_as_play(game, entry.told),
            undone=number not in standing,
        )
        for number, entry in enumerate(entries, start=1)
        if isinstance(entry, Corrected)
    )


def list_manual_outcomes(entries: Iterable[Entry]) -> tuple[int, ...]:
    """Return the entries whose outcome of chance was entered by hand."""
    return tuple(n for n, entry in enumerate(entries, start=1) if isinstance(entry, Played) and entry.by_hand)


def list_gaps(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the numbers of the gaps that count. The actions missing there are not judged."""
    return tuple(number for number in line(entries) if isinstance(entries[number - 1], Gap))


def _as_play(game: Game, told: CitedFacts) -> bool:
    return any(clause not in (BY_HAND, game.by_hand) or isinstance(fact, FlowFact) for clause, fact in told)
