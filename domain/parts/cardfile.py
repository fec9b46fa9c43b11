"""Card files of any game: read, and what is wrong with one said by card and field, with what is allowed there.

A card file is TOML with a list of `cards`, each a struct with an `id`; its model is a struct of the game's own.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, get_args

import msgspec
import tomli
from msgspec import Struct, inspect
from msgspec.structs import fields

from domain.law.pools import PoolError
from domain.words import Text, Texts
from domain.words.foreign import misfit, quoted

T = TypeVar("T")

NOTHING: Final = Text("card.allowed.nothing")
POSITIVE: Final = Text("card.allowed.number", {"least": 1, "most": 99})

Misfit = tuple[str, Text, Any]
"""A field, what is wrong with it, what is allowed there."""
Checks = Callable[[T], Iterator[tuple[int, Misfit]]]
"""What the types of a file cannot say: the places of its cards that are wrong, and in what."""


class CardError(PoolError):
    """A card file that cannot be loaded; `text` names file, card, field and what is allowed."""


def load(source: str | bytes, file: str, model: type[T], checks: Checks[T], unwritten: frozenset[str]) -> T:
    """The file as its model. `unwritten` are words of the law's own that no card may use, and that are not named among
    those allowed. Raises CardError naming file, card, field and what is allowed there."""
    raw = _plain(source, file)
    try:
        loaded = msgspec.convert(raw, model)
    except (msgspec.ValidationError, RecursionError) as error:
        raise CardError(_misfit(error, raw, model, file, unwritten), _likeness(raw, model)) from None
    for place, wrong in checks(loaded):
        raise CardError(_wrong(file, raw["cards"], place, wrong), 1.0)
    return loaded


def unprintable(**said: str) -> Iterator[Misfit]:
    """The fields whose words could not be shown as they are."""
    for field, words in said.items():
        if not words.isprintable():
            yield field, Text("card.why.unprintable"), Text("card.allowed.printable")


def words_of(words: object) -> Iterator[str]:
    """The words of a literal, or the tags of a union of structs."""
    for member in get_args(words):
        if get_args(member):
            yield from words_of(member)
        else:
            yield member if isinstance(member, str) else tag(member)


def others(words: object, *but: str | type[Struct]) -> Texts:
    """The words or tags that may stand there instead of those, which may be named by their structs."""
    names = {one if isinstance(one, str) else tag(one) for one in but}
    return Texts(tuple(word for word in words_of(words) if word not in names))


def tag(piece: Struct | type[Struct]) -> str:
    """The word by which a piece of text is told from others."""
    return str(piece.__struct_config__.tag)


def tags(kinds: Iterable[type[Struct]]) -> Texts | Text:
    """The words of these pieces of text."""
    words = tuple(map(tag, kinds))
    return Texts(words) if words else NOTHING


def out_of_place(word: str, type: str) -> Text:
    """Why a word cannot stand on a type of card."""
    return Text("card.why.out_of_place", {"word": word, "type": type})


def _plain(source: str | bytes, file: str) -> dict[str, Any]:
    try:
        return tomli.loads(source.decode() if isinstance(source, bytes) else source)
    except UnicodeDecodeError as error:
        raise CardError(Text("card.not_utf8", {"file": file, "byte": error.start})) from None
    except ValueError as error:
        raise CardError(Text("card.not_toml", {"file": file, "why": quoted(error)})) from None
    except RecursionError:
        raise CardError(Text("card.file_deep", {"file": file})) from None


def _likeness(raw: dict[str, Any], model: type) -> float:
    """How many of the keys of a file's cards are fields of the game's, and how many of the values fit there."""
    cards = raw.get("cards")
    said = (
        [item for card in cards if isinstance(card, dict) for item in card.items()] if isinstance(cards, list) else []
    )
    card = _inside(_field(inspect.type_info(model), {}, "cards"))
    types = {field.encode_name: field.type for field in fields(_struct(card, {}).cls)}
    alike = sum((key in types) + (key in types and _fits(value, types[key])) for key, value in said)
    return alike / (2 * len(said)) if said else 0.0


def _fits(value: Any, wanted: object) -> bool:
    try:
        msgspec.convert(value, wanted)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<place>\d+|\.\.\.)\]")
_KEY: Final = "key` in `"
_CARD: Final = re.compile(r"\$\.cards\[(?P<place>\d+)\]\.?(?P<field>.*)", re.DOTALL)


def _misfit(error: Exception, raw: dict[str, Any], model: type, file: str, unwritten: frozenset[str]) -> Text:
    """Why the file does not fit its type, by card and field, with what is allowed there."""
    if isinstance(error, RecursionError):
        return Text("card.file_deep", {"file": file})
    told = misfit(error)
    path, why = (told.values["path"], told.values["what"]) if told.key == "misfit.at" else ("$", told)
    keyed = path.startswith(_KEY)
    path = path.removeprefix(_KEY)
    allowed = _drop_unwritten(_allowed_at(inspect.type_info(model), raw, path, why, keyed), unwritten)
    on_card = _CARD.fullmatch(path)
    named = why.values.get("field", "") if why.key in ("misfit.missing", "misfit.field") else ""
    within = on_card["field"] if on_card else path.removeprefix("$").removeprefix(".")
    field = ".".join(part for part in (within, named) if part) or path.removeprefix("$.")
    if not on_card:
        return Text("card.file", {"file": file, "field": field, "why": why, "allowed": allowed})
    return _wrong(file, raw["cards"], int(on_card["place"]), (field, why, allowed))


def _wrong(file: str, cards: list[Any], place: int, wrong: Misfit) -> Text:
    named = cards[place].get("id") if isinstance(cards[place], dict) else None
    card = named if isinstance(named, str) and named.isprintable() else f"#{place + 1}"
    field, why, allowed = wrong
    return Text("card.wrong", {"file": file, "card": card, "field": field, "why": why, "allowed": allowed})


def _drop_unwritten(allowed: Texts, unwritten: frozenset[str]) -> Texts:
    """What is allowed, but for words that no card may use."""
    return Texts(tuple(part for part in allowed.parts if not (isinstance(part, str) and part in unwritten)))


def _allowed_at(info: inspect.Type, raw: Any, path: str, why: Text, keyed: bool) -> Texts:
    """What may stand at a path of the file."""
    for step in _STEP.finditer(path):
        name = step["name"]
        if name is None:
            info, raw = _inside(info), _part(raw, step["place"])
            continue
        tagged = [struct for struct in _structs(info) if struct.tag_field == name]
        if tagged:
            return _tags(tagged)
        info, raw = _field(info, raw, name), raw.get(name)
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


def _inside(info: inspect.Type) -> inspect.Type:
    for member in _members(info):
        if isinstance(member, inspect.VarTupleType):
            return member.item_type
        if isinstance(member, inspect.DictType):
            return member.value_type
    raise AssertionError(info)


def _part(raw: Any, place: str) -> Any:
    return raw[int(place)] if place.isdecimal() else None


def _struct(info: inspect.Type, raw: Any) -> inspect.StructType:
    """The member of the union the data is of, by its tag."""
    structs = _structs(info)
    tagged = (struct for struct in structs if struct.tag_field and raw.get(struct.tag_field) == struct.tag)
    return next(tagged, structs[0])


def _field(info: inspect.Type, raw: Any, name: str) -> inspect.Type:
    return next(field.type for field in _struct(info, raw).fields if field.encode_name == name)


def _tags(structs: Iterable[inspect.StructType]) -> Texts:
    return Texts(tuple(str(struct.tag) for struct in structs))


def _names(struct: inspect.StructType) -> Texts:
    tag = (struct.tag_field,) if struct.tag_field else ()
    return Texts((*tag, *(field.encode_name for field in struct.fields)))


def _values(info: inspect.Type) -> Texts:
    """What a type allows, in words."""
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
                pass  # a field left out
            case _:
                raise AssertionError(member)
    return Texts(tuple(parts))
