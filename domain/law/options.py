"""Named readings of ambiguous clauses, read from the rows of a rulebook and the fields of a ruleset."""

from collections.abc import Mapping
from typing import Final, get_args

import msgspec
from msgspec import Struct

from domain.law.rulebook import OptionRow, value_text

WORDED_TIER: Final = 1
FIXED_TIER: Final = 2


class Option(Struct, frozen=True):
    """A named reading of an ambiguous clause, default first.

    Only `values` are offered; `unoffered` are named by the dossier and refused when a ruleset is loaded. `numbers` says
    that any other whole number will do as well, as far as the ruleset's own type allows.
    """

    key: str
    row: str
    tier: int
    values: tuple[str, ...]
    unoffered: tuple[str, ...] = ()
    numbers: bool = False


def list_options(rules_type: type[Struct], rows: Mapping[str, str | OptionRow]) -> tuple[Option, ...]:
    """Return the options of a rulebook in its order. A field of the ruleset says what words its option may have.

    Raises ValueError for an option that has neither a field nor values, as one with a misspelt key.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(rules_type)}
    return tuple(_option(key, row, fields.get(key)) for key, row in rows.items())


def _option(key: str, row: str | OptionRow, field: msgspec.structs.FieldInfo | None) -> Option:
    said = OptionRow(row) if isinstance(row, str) else row
    if field is None:
        if not said.values:
            raise ValueError(f"option {key}: the ruleset has no field {key}, and the row names no values")
        return Option(key, said.row, said.tier or FIXED_TIER, said.values, said.unoffered)
    numbers = field.type is not bool and not _words(field.type)
    values = said.values or _default_first(field)
    return Option(key, said.row, said.tier or WORDED_TIER, values, said.unoffered, numbers)


def _words(kind: object) -> tuple[str, ...]:
    """The words of a literal; none of any other type."""
    words = get_args(kind)
    return words if all(isinstance(word, str) for word in words) else ()


def _default_first(field: msgspec.structs.FieldInfo) -> tuple[str, ...]:
    default = value_text(field.default)
    words = ("true", "false") if field.type is bool else _words(field.type)
    return (default, *(word for word in words if word != default))
