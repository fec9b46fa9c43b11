"""Findings for one entry under other readings of ambiguous clauses."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from domain.judging.audit.judge import Judge
from domain.law.clause import Clause
from domain.law.law import Law
from domain.law.record import Record
from domain.law.rulebook import value_text
from domain.law.rulesets import RulesetError, read_setting, values, with_settings
from domain.table.table import Table

READINGS_MAX: Final = 256
"""Maximum number of readings to try for one entry."""


class OtherReading(Struct, frozen=True, omit_defaults=True):
    """The finding if one option had another value, or '' if there is none. Values are written as in `--set`."""

    option: str
    own: str
    value: str
    finding: str = ""
    clause: Clause = Clause("")


def find_other_readings(record: Record, number: int) -> tuple[OtherReading, ...]:
    """Return the readings that change the finding in an entry, judged on the recorded table before it."""
    before = record.after(number - 1)
    recorded, current = _judge(record, record.rules, number, before), values(record.rules)
    readings: list[OtherReading] = []
    for key, value, rules in islice(_list_other_values(record, current), READINGS_MAX):
        other = _judge(record, rules, number, before)
        if other != recorded:
            readings.append(OtherReading(key, value_text(current[key]), value_text(value), *other))
    return tuple(readings)


def _list_other_values(record: Record, current: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    """Yield each known option at each other value offered, with the resulting rules."""
    for option in record.game.options:
        for text in option.values if option.key in current else ():
            value = read_setting(current[option.key], text)
            if value == current[option.key]:
                continue
            try:
                yield option.key, value, with_settings(record.game, record.rules, {option.key: value})
            except RulesetError:  # the value contradicts other options
                continue


def _judge(record: Record, rules: object, number: int, before: Table) -> tuple[str, Clause]:
    judge = Judge(Law(record.game, rules), record.opening, pinned=False)
    finding = judge.entry(number, record.entries[number - 1], (before,)).finding
    return ("", Clause("")) if finding is None else (finding.kind, finding.clause)
