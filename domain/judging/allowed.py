"""Legal actions at one moment, written in notation. The list holds only what the viewer can know to be allowed."""

from collections.abc import Iterator, Sequence
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
    found = [
        allowed_actions
        for actor in _actors(record, eyes, table)
        for allowed_actions in _list_by_verb(record, eyes, table, actor, most)
    ]
    if CHANCE in record.law.awaited(table):
        found += _list_chance_actions(record, table)
    return tuple(found)


def suggest_lines(record: Record, eyes: TableViewer, at: int, most: int) -> tuple[str, ...]:
    """Return the first lines of `allowed`: one for each verb, then second ones, up to `most`. Other actions are not
    checked."""
    table = known_table(record, eyes, at)
    by_verb = [
        _yield_lines(record, eyes, table, actor, templates)
        for actor in _actors(record, eyes, table)
        for templates in _group_by_verb(record, table, actor).values()
    ]
    if CHANCE in record.law.awaited(table):
        by_verb += [iter(chance.actions) for chance in _list_chance_actions(record, table)]
    return interleave(by_verb, most)


def interleave(by_verb: Sequence[Iterator[str]], most: int) -> tuple[str, ...]:
    """Return the first line of each verb, then the second ones, up to `most`. Further lines are not computed."""
    found: list[str] = []
    while by_verb and len(found) < most:
        left: list[Iterator[str]] = []
        for lines in by_verb:
            if len(found) < most and (line := next(lines, None)) is not None:
                found.append(line)
                left.append(lines)
        by_verb = left
    return tuple(found)


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


def _actors(record: Record, eyes: TableViewer, table: Table) -> list[Seat]:
    """Return the seats whose actions a viewer may see listed."""
    if eyes.viewer == JUDGE:
        return [*table.seats]
    seats = record.law.awaited(table) if eyes.viewer == SPECTATOR else (eyes.viewer,)
    return [seat for seat in table.seats if seat in seats and not _is_secret(eyes, table, seat)]


def _is_secret(eyes: TableViewer, table: Table, actor: Seat) -> bool:
    """True if the seat is asked a secret question. Its possible answers are not shown to others."""
    if eyes.viewer == actor:
        return False
    kinds = (eyes.physics.kinds.get(frame.kind) for frame in table.asked if frame.by == actor)
    return any(kind is not None and kind.secret for kind in kinds)


def _group_by_verb(record: Record, table: Table, actor: Seat) -> dict[str, list[Template]]:
    """Return the law's offers by verb, in their order."""
    grouped: dict[str, list[Template]] = {}
    for template in record.law.offers(table, actor):
        grouped.setdefault(template.verb, []).append(template)
    return grouped


def _list_by_verb(record: Record, eyes: TableViewer, table: Table, actor: Seat, most: int) -> Iterator[AllowedActions]:
    """Yield one `AllowedActions` per verb, in the order of the law's offers."""
    for name, templates in _group_by_verb(record, table, actor).items():
        unchecked: list[Template] = []
        if known := tuple(_yield_lines(record, eyes, table, actor, templates, unchecked)):
            yield AllowedActions(actor, name, known[:most], max(0, len(known) - most), not unchecked)


def _yield_lines(
    record: Record,
    eyes: TableViewer,
    table: Table,
    actor: Seat,
    templates: Sequence[Template],
    unchecked: list[Template] | None = None,
) -> Iterator[str]:
    """Yield the allowed actions of some templates in notation, each once. `unchecked` collects templates with more
    actions than are checked."""
    known: set[str] = set()
    for template in templates:
        checked_max = ORDERS_CHECKED_MAX if template.orders_many else CHECKED_MAX
        for action in islice(template.expansions(), checked_max):
            text = _write_allowed(record, eyes, table, actor, action)
            if text is not None and text not in known:
                known.add(text)
                yield text
            elif text is None and template.orders_all and accepts(record.law, table, actor, action):
                break  # the same cards in another order cannot be named either
        else:
            if unchecked is not None and _has_more(template, checked_max):
                unchecked.append(template)


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
