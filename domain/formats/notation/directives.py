"""Read and write entries as directives (`%rule` and others) by the annotations of their fields.

A field without a default is positional. A sentence may be anywhere. Other fields are `name=value` in any order, omitted
at their default. A struct with a default is written field by field. Fact lines and times are not part of a directive.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin

from msgspec import NODEFAULT, Struct

from domain.formats.errors import explain_unknown, quote_input
from domain.formats.tokens import (
    Token,
    field,
    quote,
    read_integer,
    read_word,
    read_words,
    unquote,
    write_word,
    write_words,
)
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import ENTRIES, Entry
from domain.law.logged import EntryField, Logged, entry_fields
from domain.law.occasion import Occasion, occasion_of
from domain.table.table import Seat
from domain.words import Text

DIRECTIVES: Final[dict[str, type[Logged]]] = {kind.directive: kind for kind in ENTRIES if "directive" in vars(kind)}
"""The entry type of each directive. The reader distinguishes types that inherit a directive."""
UNWRITTEN_FIELDS: Final = ("at", "told")
MISSING_WORDS: Final = {"by": "who", "to": "entry_number"}
"""Keys of words for missing fields, if different from the field's name."""
CLAIM_WORDS: Final = (2,)
PENALTY_WORDS: Final = (2, 3)

Fields = Mapping[str, Sequence[Token]]


def take(line: list[Token], what: str) -> Token:
    """Remove and return the next word after a directive's name. Raises FormatError if there is none."""
    if len(line) < 2:
        raise line[0].error(Text("format.needs", {"what": line[0].text, "needed": Text(f"need.{what}")}))
    return line.pop(1)


def write_directive(entry: Entry) -> str:
    """Write an entry as a directive, without its time."""
    return " ".join((f"%{entry.directive}", *_write_positional(entry), *_write_named(entry)))


def read_directive(kind: type[Logged], line: list[Token], at: int) -> Any:
    """Parse the entry of a directive. Raises FormatError, also for excess words."""
    values = {part.name: _read_positional(part, line) for part in _list_fields(kind) if not _is_named(part)}
    if names := dict(list_names(kind)):
        values |= _read_named(kind, _take_fields(line, names))
    if len(line) > 1:
        raise line[1].error(Text("format.nothing_more", {"what": line[0].text}))
    return kind(at=at, **values)


def _list_fields(kind: type[Struct]) -> Iterator[EntryField]:
    return (part for part in entry_fields(kind) if part.name not in UNWRITTEN_FIELDS)


def _is_named(part: EntryField) -> bool:
    return part.default is not NODEFAULT and part.directive.form != "sentence"


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _may_repeat(kind: object) -> bool:
    return kind in (tuple[D.Penalty, ...], dict[Seat, str])


def _list_named_fields(kind: type[Struct]) -> list[EntryField]:
    """Return the fields written by name. Fields with a value per seat are last."""
    return sorted(filter(_is_named, _list_fields(kind)), key=lambda part: get_origin(part.kind) is dict)


def list_names(kind: type[Struct]) -> Iterator[tuple[str, Any]]:
    """Yield the names and value types of named fields, including those of nested structs."""
    for part in _list_named_fields(kind):
        if _is_struct(part.kind):
            yield from list_names(part.kind)
        else:
            yield part.directive.name or part.name, part.kind


def needed_word(part: EntryField) -> str:
    """Return the key of the word for a missing field, in the `need` messages."""
    return "seat" if part.kind is Seat else MISSING_WORDS.get(part.name, part.name)


# -- write ------------------------------------------------------------------------------------------------------------


def _write_positional(entry: Entry) -> Iterator[str]:
    for part in _list_fields(type(entry)):
        value = getattr(entry, part.name)
        if not _is_named(part) and (value or part.default is NODEFAULT):
            yield _write_value(part, value)


def _write_named(struct: Struct, *, is_quoted: bool = False) -> Iterator[str]:
    for part in _list_named_fields(type(struct)):
        value, name = getattr(struct, part.name), part.directive.name or part.name
        if _is_struct(part.kind):
            yield from _write_named(value, is_quoted=part.directive.form == "quoted")
        elif _may_repeat(part.kind):
            yield from (f"{name}={each}" for each in _write_list(value))
        elif value != part.default:
            yield f"{name}={quote(value) if is_quoted else _write_value(part, value)}"


def _write_value(part: EntryField, value: Any) -> str:
    match value:
        case int():
            return f"{value}"
        case tuple():
            return write_words(value)
        case D.Penalty():
            return _write_penalty(value)
        case _:
            return write_word(value) if part.directive.form == "word" else quote(value)


def _write_list(values: Iterable[D.Penalty] | Mapping[Seat, str]) -> Iterator[str]:
    if isinstance(values, Mapping):
        return (f"{write_word(seat)},{quote(text)}" for seat, text in values.items())
    return map(_write_penalty, values)


def _write_penalty(penalty: D.Penalty) -> str:
    return write_words((penalty.seat, penalty.step, *filter(None, (penalty.infraction,))))


# -- read -------------------------------------------------------------------------------------------------------------


def _take_fields(line: list[Token], names: Mapping[str, object]) -> dict[str, list[Token]]:
    """Remove all `name=value` words and return the values by name. Only lists may repeat a name."""
    fields: dict[str, list[Token]] = {}
    while len(line) > 1:
        token = line.pop(1)
        named = field(token)
        remaining = [name for name, kind in names.items() if name not in fields or _may_repeat(kind)]
        if named is None or named[0] not in remaining:
            what = Text("noun.part_of", {"what": line[0].text})
            raise token.error(explain_unknown(what, token.text.partition("=")[0], remaining))
        fields.setdefault(named[0], []).append(named[1])
    return fields


def _read_positional(part: EntryField, line: list[Token]) -> object:
    if part.default is NODEFAULT:
        return _read_value(part, part.name, [take(line, needed_word(part))])
    at = next((at for at, token in enumerate(line) if token.text.startswith('"')), None)
    return part.default if at is None else unquote(line.pop(at))


def _read_named(kind: type[Struct], fields: Fields) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _list_named_fields(kind):
        name = part.directive.name or part.name
        if _is_struct(part.kind):
            nested = _read_named(part.kind, fields)
            values[part.name] = occasion_of(nested) if part.kind is Occasion else part.kind(**nested)
        elif name in fields:
            values[part.name] = _read_value(part, name, fields[name])
    return values


def _read_value(part: EntryField, name: str, words: Sequence[Token]) -> object:
    token, kind = words[0], part.kind
    if part.directive.form == "sentence":
        return unquote(token)
    if get_origin(kind) is Literal:
        return _choose(token, name, get_args(kind))
    if kind == dict[Seat, str]:
        return _read_claims(words)
    if kind == tuple[D.Penalty, ...]:
        return tuple(map(_read_penalty, words))
    if kind == tuple[Clause, ...]:
        return read_words(token)
    read_token: Callable[[Token], object] = {int: read_integer, D.Penalty: _read_penalty}.get(kind, read_word)
    return read_token(token)


def _read_claims(words: Iterable[Token]) -> dict[Seat, str]:
    claims: dict[Seat, str] = {}
    for token in words:
        seat, text = _read_words(token, "claim", CLAIM_WORDS)
        if seat in claims:
            raise token.error(Text("line.claim_twice", {"seat": seat}))
        claims[Seat(seat)] = text
    return claims


def _read_penalty(token: Token) -> D.Penalty:
    seat, *named = _read_words(token, "penalty", PENALTY_WORDS)
    return D.Penalty(Seat(seat), *named)


def _read_words(token: Token, noun: str, counts_allowed: Collection[int]) -> tuple[str, ...]:
    words = read_words(token)
    if len(words) not in counts_allowed:
        raise token.error(Text("format.needs", {"what": quote_input(token.text), "needed": Text(f"need.{noun}")}))
    return words


def _choose(token: Token, noun: str, allowed: Sequence[str]) -> str:
    text = read_word(token)
    if text not in allowed:
        raise token.error(explain_unknown(noun, text, allowed))
    return text
