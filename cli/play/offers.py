"""Legal actions by verb and slot. The rules check each expansion of an offer."""

from itertools import chain, islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.law.driver import accepts
from domain.law.law import Law
from domain.law.offers import SlotChoice, Template
from domain.law.slots import Action
from domain.table.table import Seat, Table
from projections.phrases import NO_NAMES, Names

LOOKED_MAX = 1_500
"""Most expansions of a template to check. Unchecked ones count as legal."""

ONE_DIGIT = 9
"""Most numbered items that take one key."""


class ActorPosition(Struct, frozen=True):
    """Position of an acting seat: rules, table and names."""

    law: Law
    table: Table
    actor: Seat
    names: Names = NO_NAMES

    def allows(self, action: Action) -> bool:
        return accepts(self.law, self.table, self.actor, action)


class OpenSlot(Struct, frozen=True):
    """First open slot of a template: its candidates, and every filling known to be legal."""

    choice: SlotChoice
    fillings: tuple[Any, ...]
    whole: bool
    """True if `fillings` is complete."""


def list_offered_templates(seen: ActorPosition) -> dict[str, list[Template]]:
    """Return the templates of all legal actions, by verb."""
    offers: dict[str, list[Template]] = {}
    for template in seen.law.offers(seen.table, seen.actor):
        if _is_possible(seen, template):
            offers.setdefault(template.verb, []).append(template)
    return offers


def _is_possible(seen: ActorPosition, template: Template) -> bool:
    looked = 0
    for action in islice(template.expansions(), LOOKED_MAX):
        looked += 1
        if seen.allows(action):
            return True
    return looked >= LOOKED_MAX


def first_slot(seen: ActorPosition, template: Template) -> OpenSlot:
    """Return the candidates of the first open slot that lead to a legal action."""
    choice = template.choices[0]
    good: list[Any] = []
    left = LOOKED_MAX
    for filling in choice.fillings():
        for action in islice(fill_first_slot(template, filling).expansions(), left):
            left -= 1
            if seen.allows(action):
                good.append(filling)
                break
        if left <= 0:
            return OpenSlot(choice, tuple(good), False)
    used = set(chain(*good)) if choice.many else set(good)
    legal = tuple(candidate for candidate in choice.candidates if candidate in used)
    return OpenSlot(replace(choice, candidates=legal), tuple(good), True)


def few_left(seen: ActorPosition, template: Template) -> tuple[tuple[str, ...], list[Template]]:
    """Return the combinations of the open slots, and the slots in which they differ.

    Return nothing unless there are several slots, each holds one thing, and one digit numbers the combinations.
    """
    names, few = few_wholes(seen, template)
    return (names, few) if len(template.choices) > 1 and len(names) > 1 else ((), [])


def few_wholes(
    seen: ActorPosition, template: Template, most: int = ONE_DIGIT, looked: int = LOOKED_MAX
) -> tuple[tuple[str, ...], list[Template]]:
    few: list[Template] = []
    if not template.choices or not all(_one_thing(choice) for choice in template.choices):
        return (), []
    names = [choice.slot for choice in template.choices]
    for values in islice(product(*(choice.fillings() for choice in template.choices)), looked):
        whole = Template(template.action, (), (*template.fixed, *zip(names, values, strict=True)))
        if seen.allows(build_action(whole)):
            few.append(whole)
            if len(few) > most:
                return (), []
    return tuple(name for name in names if len({dict(whole.fixed)[name] for whole in few}) > 1), few


def _one_thing(choice: SlotChoice) -> bool:
    return not choice.many or choice.least == choice.most == 1


def fill_first_slot(template: Template, value: object) -> Template:
    first, *rest = template.choices
    return Template(template.action, tuple(rest), (*template.fixed, (first.slot, value)))


def build_action(template: Template) -> Action:
    return template.action(**dict(template.fixed))
