"""All possible card text of a game: values of its types with every alternative of every field."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, inspect

Plainest = Mapping[type, Struct]
"""Simplest text by base class, for the end of the nesting."""


def everything(union: Any, deep: int, plainest: Plainest) -> list[Any]:
    """Return the values of a union with every alternative of every field; below depth `deep`, only the simplest."""
    return list(dict.fromkeys(_values(inspect.type_info(union), deep, plainest)))


def _values(info: inspect.Type, deep: int, plainest: Plainest) -> Iterator[Any]:
    match info:
        case inspect.UnionType(types=types):
            for one in types:
                yield from _values(one, deep, plainest)
        case inspect.LiteralType(values=words):
            yield from words
        case inspect.IntType(ge=least):
            yield from (3, 1, -2) if least is not None and least < 0 else (3, 1)
        case inspect.BoolType():
            yield from (False, True)
        case inspect.StrType(pattern=pattern, min_length=least):
            yield from ("yours", "S01", "Q1") if pattern or least else ("", "yours", "S01", "Q1")
        case inspect.NoneType():
            yield None
        case inspect.VarTupleType(item_type=inside):
            yield from ((one,) for one in _values(inside, deep, plainest))
        case inspect.StructType(cls=cls):
            yield from _structs(cls, info, deep, plainest)
        case _:
            raise AssertionError(info)


def _structs(cls: type, info: inspect.StructType, deep: int, plainest: Plainest) -> Iterator[Any]:
    plain = next((one for base, one in plainest.items() if issubclass(cls, base)), None)
    if plain is not None and deep <= 0:
        yield plain
        return
    choices = {one.name: list(dict.fromkeys(_values(one.type, deep - 1, plainest))) for one in info.fields}
    first = {key: some[0] for key, some in choices.items()}
    yield cls(**first)
    for key, some in choices.items():
        yield from (cls(**{**first, key: one}) for one in some[1:])


def nested(said: Any) -> Iterator[Struct]:
    if isinstance(said, tuple):
        for one in said:
            yield from nested(one)
    elif isinstance(said, Struct):
        yield said
        for field in said.__struct_fields__:
            yield from nested(getattr(said, field))


def members(info: inspect.Type, seen: set[type]) -> Iterator[inspect.StructType]:
    match info:
        case inspect.StructType(cls=cls, fields=fields):
            if cls not in seen:
                seen.add(cls)
                yield info
                for field in fields:
                    yield from members(field.type, seen)
        case inspect.UnionType(types=types):
            for one in types:
                yield from members(one, seen)
        case inspect.VarTupleType(item_type=inside):
            yield from members(inside, seen)
        case _:
            pass
