"""What may be done, as templates: a verb and its slots with candidates and bounds, expanded only when asked."""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

from msgspec import Struct

from domain.law.slots import Action

EXPANSIONS_MAX = 100_000
"""Bound on the candidates one template is expanded to; beyond it only sampling is sensible."""


class Choice(Struct, frozen=True):
    """One slot of a template: what may stand there, and how many.

    `many` says that the field holds several. `ordered` that their order is part of the meaning.
    """

    slot: str
    candidates: tuple[Any, ...]
    least: int = 1
    most: int = 1
    many: bool = False
    ordered: bool = False

    def fillings(self) -> Iterator[Any]:
        """Everything the slot can hold, shortest first."""
        if not self.many:
            yield from self.candidates
            return
        pick = permutations if self.ordered else combinations
        for size in range(self.least, min(self.most, len(self.candidates)) + 1):
            yield from pick(self.candidates, size)


class Template(Struct, frozen=True):
    """An action somebody may take, its slots still open. Every expansion is still to pass `checks`."""

    action: type[Action]
    choices: tuple[Choice, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()

    def expansions(self) -> Iterator[Action]:
        """The actions this template stands for, lazily."""
        names = [choice.slot for choice in self.choices]
        fixed = dict(self.fixed)
        for values in product(*(tuple(choice.fillings()) for choice in self.choices)):
            yield self.action(**fixed, **dict(zip(names, values, strict=True)))
