"""Which of a game's invariants do not hold: at one step of a match, or anywhere in a record."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from domain.law.entries import Entry, Played, told
from domain.law.game import Game
from domain.law.invariants import Deed, Invariant, OfFact, match_of
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import FACTS
from verify.steps import Step, steps

OfFacts = dict[type, tuple[tuple[Invariant, OfFact], ...]]


@cache
def _of_facts(every: tuple[Invariant, ...]) -> OfFacts:
    """The invariants of facts by the types of fact they are about."""
    asked = [(one, one.fact) for one in every if one.fact is not None]
    return {kind: tuple((one, holds) for one, holds in asked if not one.about or kind in one.about) for kind in FACTS}


def broken(game: Game, rules: Any, step: Step) -> Iterator[Invariant]:
    """The invariants that a step breaks; those of whole matches are looked at with the last one."""
    every = game.invariants(rules)
    of_facts = _of_facts(every)
    draft = Draft(step.before)
    for clause, fact in told(step.entry):
        for one, holds in of_facts[type(fact)]:
            if not holds(rules, draft, clause, fact):
                yield one
        EVOLVE[type(fact)](draft, fact)
    yield from (one for one in every if one.table is not None and not one.table(rules, step.after))
    if step.action is not None and isinstance(step.entry, Played):
        deed = Deed(step.actor, step.action, step.entry.told, step.before, step.after)
        yield from (one for one in every if one.deed is not None and not one.deed(rules, deed))
    if step.last:
        match = match_of(game.decoder(), step.entries)
        yield from (one for one in every if one.match is not None and not one.match(rules, match))


def first_broken(game: Game, rules: Any, entries: Sequence[Entry]) -> tuple[int, Invariant] | None:
    """The first entry of a record at which an invariant is broken, and that invariant; none if all of them hold."""
    found = ((step.number, one) for step in steps(game, entries) for one in broken(game, rules, step))
    return next(found, None)
