"""Options, the named readings of ambiguous clauses, from a rulebook and the fields of a ruleset."""

from collections.abc import Mapping
from typing import Final, get_args

import msgspec
from msgspec import Struct

from domain.law.rulebook import OptionRow, value_text

WORDED_TIER: Final = 1
FIXED_TIER: Final = 2


class Option(Struct, frozen=True):
    """A named reading of an ambiguous clause, default first. `unoffered` values occur in the dossier only and are
    refused on loading. `numbers` allows any other integer of the ruleset's type."""

    key: str
    row: str
    tier: int
    values: tuple[str, ...]
    unoffered: tuple[str, ...] = ()
    numbers: bool = False


def list_options(rules_type: type[Struct], rows: Mapping[str, str | OptionRow]) -> tuple[Option, ...]:
    """Return the options of a rulebook in its order. The ruleset's field gives the allowed words of an option. Raises
    ValueError for an option that has neither a field nor values, such as a misspelt key."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(rules_type)}
    return tuple(_option(key, row, fields.get(key)) for key, row in rows.items())


def _option(key: str, row: str | OptionRow, field: msgspec.structs.FieldInfo | None) -> Option:
    option = OptionRow(row) if isinstance(row, str) else row
    if field is None:
        if not option.values:
            raise ValueError(f"option {key}: the ruleset has no field {key}, and the row names no values")
        return Option(key, option.row, option.tier or FIXED_TIER, option.values, option.unoffered)
    numbers = field.type is not bool and not _literal_words(field.type)
    values = option.values or _default_first(field)
    return Option(key, option.row, option.tier or WORDED_TIER, values, option.unoffered, numbers)


def _literal_words(kind: object) -> tuple[str, ...]:
    words = get_args(kind)
    return words if all(isinstance(word, str) for word in words) else ()


def _default_first(field: msgspec.structs.FieldInfo) -> tuple[str, ...]:
    default = value_text(field.default)
    words = ("true", "false") if field.type is bool else _literal_words(field.type)
    return (default, *(word for word in words if word != default))
