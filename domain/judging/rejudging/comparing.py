"""Compare two readings of an ambiguous clause on one recorded match."""

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
"""The classes of a verdict, and `base`: the record is identical under neither ruleset."""


class Separation(Struct, frozen=True):
    """A match that distinguishes two rulesets, the first entry where it does, and both verdicts."""

    entry: int
    one: Verdict
    other: Verdict

    @property
    def kind(self) -> SeparationKind:
        """The effect of changing to the other ruleset, if the record is identical under one, in the words of
        `regress`."""
        if "identical" not in (self.one.kind, self.other.kind):
            return "base"
        return self.other.kind if self.one.kind == "identical" else self.one.kind

    @property
    def outcome_changes(self) -> bool:
        """True if the match has another winner under the second ruleset."""
        return self.kind == "winner"


def separate(
    game: Game[R, A], entries: Sequence[Entry], one: R, other: R, spares: Spares = spare_none
) -> Separation | None:
    """Return where a match distinguishes two rulesets; None if it does not. Raises Unreadable. `spares` gives, for any
    rules, the entries that need not be decided."""
    first, second = (rejudge(game, entries, rules, spared=spares(rules)) for rules in (one, other))
    one_trace, other_trace = _trace(first), _trace(second)
    if one_trace == other_trace:
        return None
    entry = min(number for number, *_ in one_trace ^ other_trace)
    return Separation(entry, first, second)


def _trace(verdict: Verdict) -> set[tuple[int, object]]:
    """Return the events of a verdict's line, each with its entry."""
    steps: set[tuple[int, object]] = {(verdict.rejudged_at, ("end", verdict.kind, winners(verdict.rejudged_result)))}
    if verdict.first is not None:
        steps.add((verdict.first.entry, ("facts", verdict.first.rejudged, verdict.first.recorded)))
    if verdict.entry:
        steps.add((verdict.entry, (verdict.kind, verdict.clause, verdict.why)))
    steps.update((note.entry, (note.how, note.actor)) for note in verdict.aligned)
    return steps
