"""Actions a seat may take, as templates: a verb, and slots with candidates and bounds, expanded on demand."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations, product
from typing import Any, Final, TypeVar

from msgspec import Struct

from domain.law.slots import Action, verb
from domain.table.table import Place

T = TypeVar("T")

RandomBelow = Callable[[int], int]
"""A source of chance: returns an integer from 0 up to, but excluding, its argument."""


def shuffle(row: Iterable[T], below: RandomBelow) -> tuple[T, ...]:
    order = list(row)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def draw_sample(row: Iterable[T], size: int, below: RandomBelow) -> tuple[T, ...]:
    """Return `size` random items of a row, in the order in which they were drawn."""
    order = list(row)
    for at in range(size):
        other = at + below(len(order) - at)
        order[at], order[other] = order[other], order[at]
    return tuple(order[:size])


ORDERED_MIN: Final = 5
"""Orders of at least this many values are too many to list; four values have 24."""


class SlotChoice(Struct, frozen=True):
    """A slot of a template: its candidates, and how many of them it takes.

    `many`: the field holds several values. `ordered`: their order matters. `once`: the candidates are pairs, and each
    first member may be used once. `places` are the destinations of ordered values, one each.
    """

    slot: str
    candidates: tuple[Any, ...]
    least: int = 1
    most: int = 1
    many: bool = False
    ordered: bool = False
    once: bool = False
    places: tuple[Place, ...] = ()

    @property
    def orders_all(self) -> bool:
        """True if the fillings of the slot differ only in the order of all candidates."""
        return self.many and self.ordered and self.least == self.most == len(self.candidates)

    def fillings(self) -> Iterator[object]:
        if not self.many:
            yield from self.candidates
        elif self.once:
            for picked in product(*((None, *pairs) for pairs in self._by_first())):
                yield tuple(pair for pair in picked if pair is not None)
        else:
            pick = permutations if self.ordered else combinations
            for size in range(self.least, min(self.most, len(self.candidates)) + 1):
                yield from pick(self.candidates, size)

    def sample(self, below: RandomBelow) -> object:
        """Return one random value of the slot; None if there are too few candidates."""
        if len(self.candidates) < (self.least if self.many else 1):
            return None
        if not self.many:
            return self.candidates[below(len(self.candidates))]
        if self.once:
            picked = [(None, *pairs)[below(len(pairs) + 1)] for pairs in self._by_first()]
            return tuple(pair for pair in picked if pair is not None)
        size = self.least + below(min(self.most, len(self.candidates)) - self.least + 1)
        if size == 1:
            return (self.candidates[below(len(self.candidates))],)
        indexes = draw_sample(range(len(self.candidates)), size, below)
        return tuple([self.candidates[at] for at in (indexes if self.ordered else sorted(indexes))])

    def _by_first(self) -> list[tuple[object, ...]]:
        firsts = dict.fromkeys(pair[0] for pair in self.candidates)
        return [tuple(pair for pair in self.candidates if pair[0] == first) for first in firsts]


def multiple_choice(slot: str, candidates: tuple[Any, ...], least: int, most: int, ordered: bool = False) -> SlotChoice:
    return SlotChoice(slot, candidates, least, most, many=True, ordered=ordered)


def placement_choice(slot: str, candidates: tuple[Any, ...], places: tuple[Place, ...]) -> SlotChoice:
    """Return a slot that takes all these values in an order, one for each place."""
    return SlotChoice(slot, candidates, len(candidates), len(candidates), many=True, ordered=True, places=places)


class Template(Struct, frozen=True):
    """An action with open slots. An expansion must still pass `checks`."""

    action: type[Action]
    choices: tuple[SlotChoice, ...] = ()
    fixed: tuple[tuple[str, object], ...] = ()

    @property
    def verb(self) -> str:
        return verb(self.action)

    @property
    def orders_all(self) -> bool:
        """True if its actions differ only in the order of the same values."""
        return len(self.choices) == 1 and self.choices[0].orders_all

    @property
    def orders_many(self) -> bool:
        """True if its actions only order values, and are too many to list."""
        return self.orders_all and not self.fixed and len(self.choices[0].candidates) >= ORDERED_MIN

    def expansions(self) -> Iterator[Action]:
        names = [choice.slot for choice in self.choices]
        fixed = dict(self.fixed)
        for values in _fill(self.choices):
            yield self.action(**fixed, **dict(zip(names, values, strict=True)))

    def sample(self, below: RandomBelow) -> Action | None:
        """Return a random action of this template; None if a slot cannot be filled."""
        values = {choice.slot: choice.sample(below) for choice in self.choices}
        if any(value is None for value in values.values()):
            return None
        return self.action(**dict(self.fixed), **values)


def _fill(choices: tuple[SlotChoice, ...]) -> Iterator[tuple[object, ...]]:
    """Yield combinations of fillings lazily, with the last slot changing fastest."""
    if not choices:
        yield ()
        return
    for value in choices[0].fillings():
        for others in _fill(choices[1:]):
            yield (value, *others)
