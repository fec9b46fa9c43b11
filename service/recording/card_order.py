"""Answers that put many cards in an order, chosen card by card. Each step is a URL, and nothing is recorded."""

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
    """State of the choice: the seat and verb of the answer, and the picks so far, in notation."""

    order: Annotated[str, Meta(max_length=LINE_MAX)] = ""
    pick: tuple[Annotated[str, Meta(max_length=LINE_MAX)], ...] = ()


NO_ORDER: Final = OrderQuery()


class OrderItem(Struct, frozen=True):
    """A value to order: notation, words, and face. Values with the same face are interchangeable."""

    value: str
    words: str
    face: str = ""


class OrderChoice(Struct, frozen=True):
    """A value that may come next, how many alike are left, and the URL of the next step."""

    words: str
    left: int
    url: str


class OrderedPick(Struct, frozen=True):
    """A picked value and its place in words; '' if the order assigns no places."""

    words: str
    place: str


class OrderStep(Struct, frozen=True):
    """A step of the choice: the picks, the next choices, and the whole line once all are picked.

    `place` is the place of the next value, in words. `rest_url` picks all that are left in their current order.
    `back_url` drops the last pick ('' if there is none).
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
    return f"{url}?{urlencode([('order', begins.strip()), *(('pick', pick) for pick in picks)])}"


def choose_next(
    url: str, begins: str, words: str, items: Sequence[OrderItem], places: Sequence[str], picks: Sequence[str]
) -> OrderStep:
    """Return the step after some picks. Picks after the first unavailable value are ignored."""
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
