"""Which of a game's invariants do not hold at a step of a match."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from domain.law.entries import Played, told
from domain.law.invariants import Deed, Invariant, OfFact, match_of
from domain.law.law import Law
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import FACTS
from verify.steps import Step

OfFacts = dict[type, tuple[tuple[Invariant, OfFact[Any]], ...]]


@cache
def _of_facts(every: tuple[Invariant, ...]) -> OfFacts:
    """The invariants of facts by the types of fact they are about."""
    asked = [(invariant, invariant.fact) for invariant in every if invariant.fact is not None]
    return {kind: tuple((rule, holds) for rule, holds in asked if kind in (rule.about or FACTS)) for kind in FACTS}


def broken_invariants(law: Law, step: Step) -> Iterator[Invariant]:
    """The invariants that a step breaks; those of whole matches are looked at with the last one."""
    every = law.invariants()
    of_facts = _of_facts(every)
    draft = Draft(step.before)
    for clause, fact in told(step.entry):
        for invariant, holds in of_facts[type(fact)]:
            if not holds(law.rules, draft, clause, fact):
                yield invariant
        EVOLVE[type(fact)](draft, fact)
    yield from (rule for rule in every if rule.table is not None and not rule.table(law.rules, step.after))
    if step.action is not None and isinstance(step.entry, Played):
        deed = Deed(step.actor, step.action, step.entry.told, step.before, step.after)
        yield from (rule for rule in every if rule.deed is not None and not rule.deed(law.rules, deed))
    if step.last:
        match = match_of(law.game.decoder(), step.entries)
        yield from (rule for rule in every if rule.match is not None and not rule.match(law.rules, match))
