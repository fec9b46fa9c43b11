"""What other readings of ambiguous clauses make of one recorded entry."""

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
"""How many readings of one entry are tried."""


class OtherReading(Struct, frozen=True, omit_defaults=True):
    """An option at another value than the record's own, and what the law finds in the entry then.

    `finding` is empty where it finds nothing. Values are written as `--set` takes them.
    """

    option: str
    own: str
    value: str
    finding: str = ""
    clause: Clause = Clause("")


def read_otherwise(record: Record, number: int) -> tuple[OtherReading, ...]:
    """The readings under which something else, or nothing, is found in an entry, on the recorded table before it."""
    before = record.after(number - 1)
    own, current = _judge(record, record.rules, number, before), values(record.rules)
    told: list[OtherReading] = []
    for key, value, rules in islice(_others(record, current), READINGS_MAX):
        other = _judge(record, rules, number, before)
        if other != own:
            told.append(OtherReading(key, value_text(current[key]), value_text(value), *other))
    return tuple(told)


def _others(record: Record, current: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    """Every option that the record's rules know at every other value that is offered, and the rules with it."""
    for option in record.game.options:
        for text in option.values if option.key in current else ():
            value = read_setting(current[option.key], text)
            if value == current[option.key]:
                continue
            try:
                yield option.key, value, with_settings(record.game, record.rules, {option.key: value})
            except RulesetError:  # the other options contradict it
                continue


def _judge(record: Record, rules: object, number: int, before: Table) -> tuple[str, Clause]:
    judge = Judge(Law(record.game, rules), record.opening, pinned=False)
    finding = judge.entry(number, record.entries[number - 1], (before,)).finding
    return ("", Clause("")) if finding is None else (finding.kind, finding.clause)
