"""Legal actions at one moment, written in notation. The list holds only what the viewer can know to be allowed."""

from collections.abc import Iterator
from itertools import islice, product

from msgspec import Struct

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.judging.trails import known_table
from domain.law.driver import accepts
from domain.law.entries import Undealt
from domain.law.offers import Template
from domain.law.record import Record
from domain.law.slots import Action, slots, verb
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import CHANCE, JUDGE, Seat, Table

CHECKED_MAX = 1_500
"""Maximum actions of one template to check. A choice of a few cards from a large table stays within it."""
ORDERS_CHECKED_MAX = 25
"""Maximum actions to check for a template that asks for many values in order."""
CROUPIER = f"{CHANCE}: auto"
"""The action that makes the croupier answer for chance."""


class AllowedActions(Struct, frozen=True):
    """Actions of one actor with one verb. `more` counts those not listed. `whole` is False if the search was cut
    off."""

    actor: Seat
    verb: str
    actions: tuple[str, ...]
    more: int = 0
    whole: bool = True


def allowed(record: Record, eyes: TableViewer, at: int, most: int) -> tuple[AllowedActions, ...]:
    """Return the legal actions after entry `at`, with at most `most` actions per verb.

    A seat gets its own actions, a judge those of every seat, other viewers those of the awaited seats. The law is asked
    about the table as the viewer knows it. An action that depends on hidden cards is missing, and a listed one may
    still be refused.
    """
    table = known_table(record, eyes, at)
    law = record.law
    awaited = law.awaited(table)
    doables = [
        doable
        for actor in _actors(table, eyes, awaited)
        if not _is_secret(eyes, table, actor)
        for doable in _list_by_verb(record, eyes, table, actor, most)
    ]
    if CHANCE in awaited:
        doables += _list_chance_actions(record, table)
    return tuple(doables)


def _list_chance_actions(record: Record, table: Table) -> Iterator[AllowedActions]:
    """Yield the actions of chance. With real cards these are a shuffle or the outcome named by hand."""
    asked = next((frame for frame in table.asked if frame.by == CHANCE), None)
    if isinstance(record.opening, Undealt) and asked is not None:
        answer = record.game.display.answers.get(asked.kind, asked.kind)
        (kind,) = (kind for kind in record.game.action_types if verb(kind) == answer)
        if all(named.slot.kind != "order" for named in slots(kind)):
            yield AllowedActions(CHANCE, answer, tuple(_list_outcomes(record, table, kind)))
            return
    yield AllowedActions(CHANCE, "auto", (CROUPIER,))


def _list_outcomes(record: Record, table: Table, kind: type[Action]) -> Iterator[str]:
    """Yield all outcomes of a chance action whose slots are seats or words."""
    values = [table.seats if named.slot.kind == "seat" else named.slot.words for named in slots(kind)]
    for value in product(*values):
        action = kind(**{named.name: each for named, each in zip(slots(kind), value, strict=True)})
        if accepts(record.law, table, CHANCE, action):
            yield write_action(record.game, table, CHANCE, action, schema=record.opening.schema)


def _actors(table: Table, eyes: TableViewer, awaited: tuple[Seat, ...]) -> list[Seat]:
    if eyes.viewer == JUDGE:
        return [*table.seats]
    return [seat for seat in table.seats if seat == eyes.viewer or (eyes.viewer == SPECTATOR and seat in awaited)]


def _is_secret(eyes: TableViewer, table: Table, actor: Seat) -> bool:
    """True if the seat is asked a secret question. Its possible answers are not shown to others."""
    if eyes.viewer in (actor, JUDGE):
        return False
    kinds = (eyes.physics.kinds.get(frame.kind) for frame in table.asked if frame.by == actor)
    return any(kind is not None and kind.secret for kind in kinds)


def _list_by_verb(record: Record, eyes: TableViewer, table: Table, actor: Seat, most: int) -> Iterator[AllowedActions]:
    """Yield one `Doable` per verb, in the order of the law's offers."""
    lines: dict[str, dict[str, None]] = {}
    cut: set[str] = set()
    for template in record.law.offers(table, actor):
        name = template.verb
        known = lines.setdefault(name, {})
        checked, checked_max = 0, ORDERS_CHECKED_MAX if template.orders_many else CHECKED_MAX
        for action in islice(template.expansions(), checked_max):
            checked += 1
            if (text := _write_allowed(record, eyes, table, actor, action)) is not None:
                known[text] = None
            elif template.orders_all and accepts(record.law, table, actor, action):
                break  # the same cards in another order cannot be named either
        if checked == checked_max and _has_more(template, checked_max):
            cut.add(name)
    for name, known in lines.items():
        if known:
            shown = tuple(islice(known, most))
            yield AllowedActions(actor, name, shown, len(known) - len(shown), name not in cut)


def _has_more(template: Template, checked: int) -> bool:
    return next(islice(template.expansions(), checked, None), None) is not None


def _write_allowed(record: Record, eyes: TableViewer, table: Table, actor: Seat, action: Action) -> str | None:
    """Return an allowed action in notation; None if it is refused, or if its notation does not parse back to it."""
    if not accepts(record.law, table, actor, action):
        return None
    schema = record.opening.schema
    text = write_action(record.game, table, actor, action, schema=schema)
    try:
        return text if parse_action(record.game, table, text, eyes=eyes, schema=schema) == (actor, action) else None
    except FormatError:
        return None
