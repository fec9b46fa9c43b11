"""The words of a directive: those that have a place, and behind them `name=value`."""

from collections.abc import Collection, Sequence

from domain.formats.errors import unknown
from domain.formats.tokens import Token, field
from domain.words import Text


def take(line: list[Token], what: str) -> Token:
    """The next of the words behind a directive's name, taken away from them. Raises FormatError where none is left."""
    if len(line) < 2:
        raise line[0].error(Text("format.needs", {"what": line[0].text, "needed": Text(f"need.{what}")}))
    return line.pop(1)


def take_fields(line: list[Token], names: Sequence[str], repeated: Collection[str] = ()) -> dict[str, list[Token]]:
    """The values of all words `name=value` that are left, by their names. Raises FormatError for a name that is none of
    these, or that stands there twice and is none of the `repeated`."""
    fields: dict[str, list[Token]] = {}
    while len(line) > 1:
        token = line.pop(1)
        named = field(token)
        left = [name for name in names if name not in fields or name in repeated]
        if named is None or named[0] not in left:
            what = Text("noun.part_of", {"what": line[0].text})
            raise token.error(unknown(what, token.text.partition("=")[0], left))
        fields.setdefault(named[0], []).append(named[1])
    return fields
