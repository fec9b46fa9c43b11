"""The invariants of a game, held against whole records."""

from collections.abc import Sequence

from archive.verify.laws import broken_invariants
from archive.verify.steps import steps
from domain.law.entries import Entry
from domain.law.invariants import Invariant
from domain.law.law import Law


def first_broken(law: Law, entries: Sequence[Entry]) -> tuple[int, Invariant] | None:
    """The first entry of a record at which an invariant is broken, and that invariant; none if all of them hold."""
    failing = (
        (step.number, invariant) for step in steps(law.game, entries) for invariant in broken_invariants(law, step)
    )
    return next(failing, None)
