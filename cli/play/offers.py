"""What may be done now, verb by verb and slot by slot. Offers propose, the law has the last word on each."""

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
"""How many expansions of a template are put to the law; what is not known after that is offered all the same."""

ONE_DIGIT = 9
"""What is numbered from 1 up to this takes one key."""


class ActorPosition(Struct, frozen=True):
    """Who may do something on which table under which law."""

    law: Law
    table: Table
    actor: Seat
    names: Names = NO_NAMES

    def allows(self, action: Action) -> bool:
        """Would it be accepted?"""
        return accepts(self.law, self.table, self.actor, action)


class OpenSlot(Struct, frozen=True):
    """The first open slot of a template: what may stand there, and every whole filling that is known to do."""

    choice: SlotChoice
    fillings: tuple[Any, ...]
    whole: bool
    """Are these all there are?"""


def list_offered_templates(seen: ActorPosition) -> dict[str, list[Template]]:
    """The templates of everything the actor may do, by verb."""
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
    """What may stand in the first open slot, so that something allowed can come of it."""
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
    kept = tuple(candidate for candidate in choice.candidates if candidate in used)
    return OpenSlot(replace(choice, candidates=kept), tuple(good), True)


def few_left(seen: ActorPosition, template: Template) -> tuple[tuple[str, ...], list[Template]]:
    """Everything the open slots leave together, and the slots in which it differs.

    Nothing, unless these are several, each holds one thing, and one digit can number what they leave.
    """
    names, few = few_wholes(seen, template)
    return (names, few) if len(template.choices) > 1 and len(names) > 1 else ((), [])


def few_wholes(
    seen: ActorPosition, template: Template, most: int = ONE_DIGIT, looked: int = LOOKED_MAX
) -> tuple[tuple[str, ...], list[Template]]:
    """Every whole action a template leaves, if there are no more than so many, and the slots in which they differ."""
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
    """The template with its first open slot filled."""
    first, *rest = template.choices
    return Template(template.action, tuple(rest), (*template.fixed, (first.slot, value)))


def build_action(template: Template) -> Action:
    """The action of a template without open slots."""
    return template.action(**dict(template.fixed))
