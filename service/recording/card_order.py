"""An answer that puts many cards in an order, chosen card by card: each step is an address, and nothing is recorded."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import urlencode

from msgspec import Meta, Struct

from domain.law.law import Law
from domain.law.offers import Template
from domain.table.table import Seat, Table
from recorder.usecases.commands import LINE_MAX


class OrderQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The order that is chosen: the seat and verb of the answer, and what was picked so far, in notation."""

    order: Annotated[str, Meta(max_length=LINE_MAX)] = ""
    pick: tuple[Annotated[str, Meta(max_length=LINE_MAX)], ...] = ()


NO_ORDER: Final = OrderQuery()


class OrderItem(Struct, frozen=True):
    """A value to be put in the order: in notation, in words, and its face, by which values are alike."""

    value: str
    words: str
    face: str = ""


class OrderChoice(Struct, frozen=True):
    """A value that may come next, how many alike are left, and the address of the next step."""

    words: str
    left: int
    url: str


class OrderedPick(Struct, frozen=True):
    """A value that was picked, and the place it comes to, in words; '' where the order decides no places."""

    words: str
    place: str


class OrderStep(Struct, frozen=True):
    """A step of the choice: what was picked, what may come next, and the whole line once all are picked.

    `place` is where the next value comes to, in words. `rest_url` picks all that are left as they lie, `back_url` drops
    the last pick ('' if there is none).
    """

    words: str
    picked: tuple[OrderedPick, ...]
    size: int
    place: str
    choices: tuple[OrderChoice, ...]
    line: str
    rest_url: str
    back_url: str


def find_order(law: Law, table: Table, actor: Seat, verb: str) -> Template | None:
    """Return the template of a verb that puts many values in an order; None for any other verb."""
    return next((each for each in law.offers(table, actor) if each.verb == verb and each.orders_many), None)


def order_url(url: str, begins: str, picks: Sequence[str] = ()) -> str:
    """Return the address of a step of the choice."""
    return f"{url}?{urlencode([('order', begins.strip()), *(('pick', pick) for pick in picks)])}"


def choose_next(
    url: str, begins: str, words: str, items: Sequence[OrderItem], places: Sequence[str], picks: Sequence[str]
) -> OrderStep:
    """Return the step after some picks; picks end at the first value that is not there to be picked."""
    left = {item.value: item for item in items}
    picked: list[OrderItem] = []
    for pick in picks:
        if pick not in left:
            break
        picked.append(left.pop(pick))
    values, at = [item.value for item in picked], dict(enumerate(places))
    alike = Counter(item.face or item.value for item in left.values())
    first = {item.face or item.value: item for item in reversed(left.values())}
    choices = tuple(
        OrderChoice(first[key].words, number, order_url(url, begins, [*values, first[key].value]))
        for key, number in alike.items()
    )
    return OrderStep(
        words=words,
        picked=tuple(OrderedPick(item.words, at.get(number, "")) for number, item in enumerate(picked)),
        size=len(items),
        place=at.get(len(picked), ""),
        choices=choices,
        line="" if left else f"{begins}{','.join(values)}",
        rest_url=order_url(url, begins, [*values, *left]) if left else "",
        back_url=order_url(url, begins, values[:-1]) if values else "",
    )
