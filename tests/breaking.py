"""Check the invariants of a game against whole records."""

from collections.abc import Sequence

from archive.verify.laws import broken_invariants
from archive.verify.steps import steps
from domain.law.entries import Entry
from domain.law.invariants import Invariant
from domain.law.law import Law


def first_broken(law: Law, entries: Sequence[Entry]) -> tuple[int, Invariant] | None:
    """Return the number of the first entry at which an invariant fails and that invariant; None if all hold."""
    failing = (
        (step.number, invariant) for step in steps(law.game, entries) for invariant in broken_invariants(law, step)
    )
    return next(failing, None)
