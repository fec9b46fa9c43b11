"""Reading of card files of any game, with errors by card and field and the allowed values. A card file is TOML with a
list of `cards`, each with an `id`. Its model is a struct of the game."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, get_args

import msgspec
import tomli
from msgspec import Struct, inspect
from msgspec.structs import fields

from domain.law.pools import PoolError
from domain.words import Text, Texts
from domain.words.foreign import explain_decode_error, quoted

T = TypeVar("T")

NOTHING: Final = Text("card.allowed.nothing")
POSITIVE: Final = Text("card.allowed.number", {"least": 1, "most": 99})

Misfit = tuple[str, Text, Any]
"""A field, the error and the allowed values."""
Checks = Callable[[T], Iterator[tuple[int, Misfit]]]
"""Checks that types cannot express: they yield the index of a card and its error."""


class CardError(PoolError):
    """A card file that cannot be loaded."""


def load(source: str | bytes, file: str, model: type[T], checks: Checks[T], unwritten: frozenset[str]) -> T:
    """Return the file as its model. Words in `unwritten` belong to the law: no card may use them, and they are not
    listed as allowed. Raises CardError."""
    raw = _parse_toml(source, file)
    try:
        loaded = msgspec.convert(raw, model)
    except (msgspec.ValidationError, RecursionError) as error:
        raise CardError(_file_error(error, raw, model, file, unwritten), _likeness(raw, model)) from None
    for place, wrong in checks(loaded):
        raise CardError(_card_error(file, raw["cards"], place, wrong), 1.0)
    return loaded


def unprintable(**texts: str) -> Iterator[Misfit]:
    """Yield an error for each field with unprintable characters."""
    for field, words in texts.items():
        if not words.isprintable():
            yield field, Text("card.why.unprintable"), Text("card.allowed.printable")


def words_of(words: object) -> Iterator[str]:
    """Yield the words of a literal, or the tags of a union of structs."""
    for member in get_args(words):
        if get_args(member):
            yield from words_of(member)
        else:
            yield member if isinstance(member, str) else tag(member)


def other_words(words: object, *but: str | type[Struct]) -> Texts:
    """Return the words or tags except those in `but`, which may be structs."""
    names = {name if isinstance(name, str) else tag(name) for name in but}
    return Texts(tuple(word for word in words_of(words) if word not in names))


def tag(piece: Struct | type[Struct]) -> str:
    return str(piece.__struct_config__.tag)


def tags(kinds: Iterable[type[Struct]]) -> Texts | Text:
    words = tuple(map(tag, kinds))
    return Texts(words) if words else NOTHING


def out_of_place(word: str, type: str) -> Text:
    """Return the error for a word that a type of card cannot have."""
    return Text("card.why.out_of_place", {"word": word, "type": type})


def _parse_toml(source: str | bytes, file: str) -> dict[str, Any]:
    try:
        return tomli.loads(source.decode() if isinstance(source, bytes) else source)
    except UnicodeDecodeError as error:
        raise CardError(Text("card.not_utf8", {"file": file, "byte": error.start})) from None
    except ValueError as error:
        raise CardError(Text("card.not_toml", {"file": file, "why": quoted(error)})) from None
    except RecursionError:
        raise CardError(Text("card.file_deep", {"file": file})) from None


def _likeness(raw: dict[str, Any], model: type) -> float:
    """Return the share of a file's keys and values that fit the game's cards, from 0 to 1."""
    cards = raw.get("cards")
    keys_and_values = (
        [item for card in cards if isinstance(card, dict) for item in card.items()] if isinstance(cards, list) else []
    )
    card = _item_type(_field_type(inspect.type_info(model), {}, "cards"))
    types = {field.encode_name: field.type for field in fields(_struct(card, {}).cls)}
    alike = sum((key in types) + (key in types and _fits(value, types[key])) for key, value in keys_and_values)
    return alike / (2 * len(keys_and_values)) if keys_and_values else 0.0


def _fits(value: Any, wanted: object) -> bool:
    try:
        msgspec.convert(value, wanted)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<place>\d+|\.\.\.)\]")
_KEY: Final = "key` in `"
_CARD: Final = re.compile(r"\$\.cards\[(?P<place>\d+)\]\.?(?P<field>.*)", re.DOTALL)


def _file_error(error: Exception, raw: dict[str, Any], model: type, file: str, unwritten: frozenset[str]) -> Text:
    if isinstance(error, RecursionError):
        return Text("card.file_deep", {"file": file})
    reason = explain_decode_error(error)
    path, why = (reason.values["path"], reason.values["what"]) if reason.key == "misfit.at" else ("$", reason)
    keyed = path.startswith(_KEY)
    path = path.removeprefix(_KEY)
    allowed = _drop_unwritten(_allowed_at(inspect.type_info(model), raw, path, why, keyed), unwritten)
    on_card = _CARD.fullmatch(path)
    named = why.values.get("field", "") if why.key in ("misfit.missing", "misfit.field") else ""
    within = on_card["field"] if on_card else path.removeprefix("$").removeprefix(".")
    field = ".".join(part for part in (within, named) if part) or path.removeprefix("$.")
    if not on_card:
        return Text("card.file", {"file": file, "field": field, "why": why, "allowed": allowed})
    return _card_error(file, raw["cards"], int(on_card["place"]), (field, why, allowed))


def _card_error(file: str, cards: list[Any], place: int, wrong: Misfit) -> Text:
    named = cards[place].get("id") if isinstance(cards[place], dict) else None
    card = named if isinstance(named, str) and named.isprintable() else f"#{place + 1}"
    field, why, allowed = wrong
    return Text("card.wrong", {"file": file, "card": card, "field": field, "why": why, "allowed": allowed})


def _drop_unwritten(allowed: Texts, unwritten: frozenset[str]) -> Texts:
    return Texts(tuple(part for part in allowed.parts if not (isinstance(part, str) and part in unwritten)))


def _allowed_at(info: inspect.Type, raw: Any, path: str, why: Text, keyed: bool) -> Texts:
    for step in _STEP.finditer(path):
        name = step["name"]
        if name is None:
            info, raw = _item_type(info), _item_at(raw, step["place"])
            continue
        tagged = [struct for struct in _structs(info) if struct.tag_field == name]
        if tagged:
            return _tags(tagged)
        info, raw = _field_type(info, raw, name), raw.get(name)
    if why.key in ("misfit.missing", "misfit.field"):
        structs = _structs(info)
        if why.values["field"] in {struct.tag_field for struct in structs}:
            return _tags(structs)
        return _names(_struct(info, raw))
    if keyed:
        mapping = next(member for member in _members(info) if isinstance(member, inspect.DictType))
        return _values(mapping.key_type)
    return _values(info)


def _members(info: inspect.Type) -> tuple[inspect.Type, ...]:
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def _structs(info: inspect.Type) -> list[inspect.StructType]:
    return [member for member in _members(info) if isinstance(member, inspect.StructType)]


def _item_type(info: inspect.Type) -> inspect.Type:
    for member in _members(info):
        if isinstance(member, inspect.VarTupleType):
            return member.item_type
        if isinstance(member, inspect.DictType):
            return member.value_type
    raise AssertionError(info)


def _item_at(raw: Any, place: str) -> Any:
    return raw[int(place)] if place.isdecimal() else None


def _struct(info: inspect.Type, raw: Any) -> inspect.StructType:
    """Return the member of the union that the data belongs to, by its tag."""
    structs = _structs(info)
    tagged = (struct for struct in structs if struct.tag_field and raw.get(struct.tag_field) == struct.tag)
    return next(tagged, structs[0])


def _field_type(info: inspect.Type, raw: Any, name: str) -> inspect.Type:
    return next(field.type for field in _struct(info, raw).fields if field.encode_name == name)


def _tags(structs: Iterable[inspect.StructType]) -> Texts:
    return Texts(tuple(str(struct.tag) for struct in structs))


def _names(struct: inspect.StructType) -> Texts:
    tag = (struct.tag_field,) if struct.tag_field else ()
    return Texts((*tag, *(field.encode_name for field in struct.fields)))


def _values(info: inspect.Type) -> Texts:
    parts: list[Any] = []
    for member in _members(info):
        match member:
            case inspect.LiteralType(values=values):
                parts += [str(value) for value in values]
            case inspect.IntType(ge=least, le=most):
                parts.append(Text("card.allowed.number", {"least": least, "most": most}))
            case inspect.StrType(pattern=pattern):
                parts.append(
                    Text("card.allowed.pattern", {"pattern": pattern}) if pattern else Text("card.allowed.text")
                )
            case inspect.BoolType():
                parts += ["true", "false"]
            case inspect.StructType():
                parts.append(Text("card.allowed.table", {"fields": _names(member)}))
            case inspect.DictType(key_type=keys):
                parts.append(Text("card.allowed.table", {"fields": _values(keys)}))
            case inspect.VarTupleType(min_length=least):
                parts.append(Text("card.allowed.some" if least else "card.allowed.list"))
            case inspect.NoneType():
                pass  # an omitted field
            case _:
                raise AssertionError(member)
    return Texts(tuple(parts))
