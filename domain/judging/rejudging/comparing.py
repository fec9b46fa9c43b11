"""Two readings of an ambiguous clause held against one recorded match: does it tell them apart, and where?"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.judging.rejudging.causes import Spares, spare_none
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.verdict import Verdict, winners
from domain.law.entries import Entry
from domain.law.game import Game, R
from domain.law.slots import A

SeparationKind = Literal["identical", "path", "illegal", "winner", "undecided", "base"]
"""The classes of a verdict; `base`: the record is identical under neither of the two."""


class Separation(Struct, frozen=True):
    """A match that tells two rulesets apart from entry `entry` on, and what each says of it."""

    entry: int
    one: Verdict
    other: Verdict

    @property
    def kind(self) -> SeparationKind:
        """Where the record agrees with one of the two: what a change to the other does to it, as `regress` says it."""
        if "identical" not in (self.one.kind, self.other.kind):
            return "base"
        return self.other.kind if self.one.kind == "identical" else self.one.kind

    @property
    def outcome_changes(self) -> bool:
        """Has the match another winner under the two? One that cannot go on under either of them has none at all."""
        return self.kind == "winner"


def separate(
    game: Game[R, A], entries: Sequence[Entry], one: R, other: R, spares: Spares = spare_none
) -> Separation | None:
    """Where a match tells two rulesets apart; None if it does not. Raises Unreadable.

    `spares` says which entries need not be decided under either, where that is known.
    """
    first, second = (rejudge(game, entries, rules, spared=spares(rules)) for rules in (one, other))
    here, there = _trace(first), _trace(second)
    if here == there:
        return None
    entry = min(number for number, *_ in here ^ there)
    return Separation(entry, first, second)


def _trace(verdict: Verdict) -> set[tuple[int, object]]:
    """What happens where, on the way of a verdict."""
    steps: set[tuple[int, object]] = {(verdict.rejudged_at, ("end", verdict.kind, winners(verdict.rejudged_result)))}
    if verdict.first is not None:
        steps.add((verdict.first.entry, ("facts", verdict.first.rejudged, verdict.first.recorded)))
    if verdict.entry:
        steps.add((verdict.entry, (verdict.kind, verdict.clause, verdict.why)))
    steps.update((note.entry, (note.how, note.actor)) for note in verdict.aligned)
    return steps
