"""The table of texts: both languages, nothing missing, nothing left over."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from projections.words import LANGS, MESSAGES, say

ROOT = Path(__file__).parents[2]
SOURCES = sorted(file for folder in ("projections", "cli") for file in (ROOT / folder).rglob("*.py"))
SAYERS = ("say", "problem")
"""Functions whose first argument is a key."""


def places(text: str) -> set[str]:
    """The names of the values a text takes."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", MESSAGES)
def test_both_languages_say_the_same_with_the_same_values(key: str) -> None:
    message = MESSAGES[key]
    assert message.en.strip() and message.ja.strip()
    assert places(message.en) == places(message.ja), key
    assert "" not in places(message.en) | places(message.ja)


def constants() -> Iterator[tuple[Path, ast.AST]]:
    for file in SOURCES:
        yield from ((file, node) for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def test_every_key_that_is_said_exists() -> None:
    said = {
        (node.args[0].value, file.name)
        for file, node in constants()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in SAYERS
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(said) > 50
    assert sorted((str(key), file) for key, file in said if key not in MESSAGES) == []


def test_every_key_is_used() -> None:
    whole = {node.value for _, node in constants() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    begun = tuple(
        first.value
        for _, node in constants()
        if isinstance(node, ast.JoinedStr)
        and node.values
        and isinstance(first := node.values[0], ast.Constant)
        and isinstance(first.value, str)
        and first.value.endswith(".")
    )
    assert [key for key in MESSAGES if key not in whole and not key.startswith(begun)] == []


def test_a_missing_key_or_value_is_our_bug() -> None:
    with pytest.raises(KeyError):
        say("no.such.key", "en")
    with pytest.raises(KeyError):
        say("card.thing", "en")
    assert [say("card.thing", lang, thing=7) for lang in LANGS] == ["u7", "u7"]
