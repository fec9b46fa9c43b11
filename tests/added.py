"""What a game that was added can change among the tests. It is worked out from their code, not listed: a test that
neither names such a game nor reaches what holds it finds what it finds without it."""

import ast
import inspect
import os
import re
import sys
from collections.abc import Iterator, Mapping, Set as AbstractSet
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from msgspec import Struct

from domain.games import GAMES
from domain.law.game import Game
from tests.games import TOYS

ROOT = Path(__file__).parents[1]
HOUSE = Path(__file__).parent
"""What stands here itself, in no folder, is about the house as a whole."""
RULES = "domain.games."
EVERY = frozenset(GAMES)
DEPTH = 3
"""How deep a value is looked into for games."""
LARGE = 400
"""How many members of a value are looked at."""
BEYOND = 1
"""How many calls into the program are followed: far enough to see that one goes over the games itself."""


def concerned(item: pytest.Item, games: AbstractSet[str]) -> bool:
    """May a test say something else since these games were added?"""
    given = getattr(item, "callspec", None)
    values = list(given.params.values()) if given else []
    if item.path.parent == HOUSE or "same_as_file" in getattr(item, "fixturenames", ()):
        return True
    if any(held(value) & games for value in [item.nodeid, *values]):
        return True
    if any(isinstance(value, str) and value in TOYS for value in values):
        return False
    reached = frozenset[str]().union(*(reach(function) for function in functions_of(item)))
    return bool(reached & games) or reached >= EVERY - games


def functions_of(item: pytest.Item) -> Iterator[Any]:
    """A test and the fixtures it asks for."""
    yield getattr(item, "function", None)
    for definitions in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]
        yield from (definition.func for definition in definitions)


@cache
def named(text: str) -> frozenset[str]:
    """The games that a text names."""
    return EVERY.intersection(re.split(r"[^a-z0-9]+", text.lower()))


def held(value: object, depth: int = DEPTH) -> frozenset[str]:
    """The games that a value is, names or holds."""
    if isinstance(value, Game):
        return frozenset({value.key})
    if isinstance(value, str | Path):
        return named(str(value))
    if isinstance(value, ModuleType):
        return named(value.__name__) if value.__name__.startswith(RULES) else frozenset()
    if isinstance(value, Struct):
        return held([getattr(value, name, None) for name in ("key", "game")], depth)
    if depth == 0 or not isinstance(value, Mapping | AbstractSet | list | tuple):
        return frozenset()
    parts = [part for pair in value.items() for part in pair] if isinstance(value, Mapping) else list(value)
    return frozenset().union(*(held(part, depth - 1) for part in parts[:LARGE]))


@cache
def reach(function: Any) -> frozenset[str]:
    """The games that a function touches, in its own code or in what it calls of the tests' code."""
    found, seen = set[str](), set[Any]()
    pending = [(function, BEYOND)]
    while pending:
        called, beyond = pending.pop()
        plain = inspect.unwrap(getattr(getattr(called, "hypothesis", None), "inner_test", called))
        if not isinstance(plain, FunctionType | type) or plain in seen:
            continue
        seen.add(plain)
        if plain.__module__.startswith(RULES):
            found |= named(plain.__module__)
        if not is_ours(plain):
            continue
        left = beyond if plain.__module__.startswith("tests") else beyond - 1
        if left < 0:
            continue
        for value in touched(plain):
            found |= held(value)
            pending.append((value, left))
    return frozenset(found)


def is_ours(called: Any) -> bool:
    """Does it stand in this repository? What stands elsewhere knows no game."""
    return (ROOT / called.__module__.partition(".")[0]).is_dir()


@cache
def touched(called: Any) -> tuple[Any, ...]:
    """Whatever a function's or class's own code names: texts, and values of its module. Who asks a table of all games
    for one names that one elsewhere."""
    space = vars(sys.modules[called.__module__]) if called.__module__ in sys.modules else {}
    node = written(called)
    if node is None:
        return ()
    lookups = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Subscript)}
    lookups |= {id(part.comparators[-1]) for part in ast.walk(node) if isinstance(part, ast.Compare)}
    values: list[Any] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            values.append(part.value)
        elif isinstance(part, ast.Name) and part.id in space:
            value = space[part.id]
            if value is os.environ:  # it names what whoever began the tests asked for
                continue
            if not (id(part) in lookups and isinstance(value, Mapping | AbstractSet)):
                values.append(value)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            room = space.get(part.value.id)
            if isinstance(room, ModuleType) and id(part) not in lookups:
                value = getattr(room, part.attr, None)
                values += [] if value is os.environ else [value]
    return tuple(values)


def written(called: Any) -> ast.AST | None:
    """The code of a function or a class, without the decorators that name what it is tried with one by one."""
    code = called.__code__ if isinstance(called, FunctionType) else None
    file = code.co_filename if code else getattr(sys.modules.get(called.__module__), "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    return definitions(file).get((called.__name__, code.co_firstlineno if code else 0))


@cache
def definitions(file: str) -> dict[tuple[str, int], ast.AST]:
    """Functions and classes of a file by their names and first lines; a class stands without a line."""
    found: dict[tuple[str, int], ast.AST] = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            node.decorator_list = [one for one in node.decorator_list if "parametrize" not in ast.dump(one)]
            if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
                node.body = node.body[1:]
            found[node.name, 0 if isinstance(node, ast.ClassDef) else first] = node
        elif isinstance(node, ast.Lambda):
            found["<lambda>", node.lineno] = node
    return found
