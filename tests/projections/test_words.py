"""The message table: complete in both languages, without unused texts, and the only source of sentences."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal, get_origin

import pytest
from msgspec import NODEFAULT

from domain.formats.notation.directives import DIRECTIVES, list_names, needed_word
from domain.games import GAMES
from domain.law.logged import entry_fields
from domain.table.facts import FACTS
from domain.table.forms import fact_fields
from domain.table.table import Result
from domain.words import LANGS, Message, Text, Texts, load_messages, say, spoken
from domain.words.foreign import explain_decode_error, explain_system_error, quoted, reword
from projections.verb_keys import answer_to
from tests.rows import for_each
from tools.architecture import PACKAGES as EVERY_PACKAGE

ROOT = Path(__file__).parents[2]
PACKAGES = tuple(package for package in EVERY_PACKAGE if package != "tools")
"""Packages whose output must come from the message table; the tools address developers."""
SAYERS = ("say", "problem", "print_message", "hint", "Text")
PREFIXED = {
    "explain_unknown": ("noun.", 0),
    "_read_words": ("need.", 1),
    "take": ("need.", 1),
}
"""Functions with an argument that is the key without its prefix: the prefix and the position of the argument."""
ERRORS = (
    *("FormatError", "RulesetError", "StoreError", "CodecError", "NotInMatch", "Unopened"),
    *("Unfit", "Unavailable", "BadRecord", "NoBranch", "NotFound"),
)


@cache
def sources() -> tuple[tuple[Path, tuple[ast.AST, ...]], ...]:
    files = sorted(file for folder in PACKAGES for file in (ROOT / folder).rglob("*.py"))
    return tuple((file, tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))) for file in files)


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for file, found in sources():
        yield from ((file, node) for node in found)


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    for file, node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield file, node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def constant(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_say_the_same_with_the_same_values() -> None:
    wrong = [
        key
        for key, message in load_messages().items()
        if not (message.en.strip() and message.ja.strip())
        or places(message.en) != places(message.ja)
        or "" in places(message.en) | places(message.ja)
    ]
    assert wrong == []


def test_japanese_is_japanese() -> None:
    """English words in a text have Japanese counterparts, except for symbols, forms and commands."""
    letters = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
    words = re.compile(r"[A-Za-z]{3,}")

    def plain(text: str) -> str:
        return re.sub(r"\{\w*\}|`[^`]*`", "", text)

    wrong = [
        key
        for key, message in load_messages().items()
        if words.search(plain(message.en))
        and not letters.search(message.ja)
        and not key.startswith("example.")
        and key not in ("help.value.action", "play.enter")
        and key not in ("web.name", "web.title", "web.to_en")  # a name, and the link to the other language
    ]
    assert wrong == []


def keyed() -> Iterator[tuple[str, str]]:
    for file, name, call in calls():
        prefix, at = PREFIXED.get(name, ("", 0))
        given = call.args[at] if len(call.args) > at else None
        if name == "say" and ((file.parent / "wording.toml").exists() or file.name == "wording.py"):
            continue  # printed text has its own table
        for one in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
            first = constant(one)
            if first is None or first in LANGS:
                continue
            if name in SAYERS or name in PREFIXED:
                yield prefix + first, file.name
    for said in (*FACTS, Result):
        for part in fact_fields(said):
            if not part.form.named and part.form.kind not in ("at", "flag", "struct"):
                yield f"need.{part.form.needs or part.name}", "forms.py"
    for kind in DIRECTIVES.values():
        placed = [field for field in entry_fields(kind) if field.default is NODEFAULT]
        yield from ((f"need.{needed_word(field)}", "directives.py") for field in placed)
        for name, values in (*list_names(kind), *((field.name, field.kind) for field in placed)):
            if get_origin(values) is Literal:
                yield f"noun.{name}", "directives.py"


def in_templates() -> Iterator[tuple[str, str]]:
    for file in sorted(
        file for package in ("projections/html", "service") for file in (ROOT / package).rglob("templates/*.html")
    ):
        for key in re.findall(r"""["']([a-z]+\.[\w.]*)["']""", file.read_text(encoding="utf-8")):
            if not key.endswith((".html", ".css", ".js", ".svg")):
                yield key, file.name


def test_every_key_that_is_said_exists() -> None:
    drawn = [(key, file) for key, file in in_templates() if not key.endswith((".", "_"))]
    assert len(drawn) > 30
    said = {*keyed(), *drawn}
    assert len(said) > 300
    assert sorted((key, file) for key, file in said if key not in load_messages()) == []


@pytest.mark.parametrize("key", GAMES)
def test_every_question_has_a_sentence_of_its_own_in_both_languages(key: str) -> None:
    game = GAMES[key]
    schemas = [game.schema(rules) for rules in game.versions.values()]
    kinds = {kind.name for schema in schemas for kind in schema.kinds if "asked" in kind.lanes}
    answers = {answer_to(game, kind) for kind in kinds} | set(game.display.steps.values())
    assert kinds and [each for each in answers if f"question.{key}.{each}" not in load_messages()] == []


@pytest.mark.parametrize("key", GAMES)
def test_every_purpose_of_a_card_turned_up_has_a_question(key: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path("domain/games", key).rglob("*.py")]
    purposes = {found for text in texts for found in re.findall(r'\b(?:face_of|FaceAsked)\([^()]*, "(\w+)"\)', text)}
    assert [each for each in purposes if f"face.{each}" not in load_messages()] == []
    assert purposes or key == "skillbook", "cards are turned up for something"


def test_every_key_is_used() -> None:
    whole = {text for _, node in nodes() if (text := constant(node)) is not None} | {key for key, _ in keyed()}
    begun = {
        text
        for _, node in nodes()
        if isinstance(node, ast.JoinedStr)
        and node.values
        and (text := constant(node.values[0])) is not None
        and re.fullmatch(r"[a-z]+[.].*", text)
    } - {prefix for prefix, _ in PREFIXED.values()}
    whole |= {key for key, _ in in_templates()}
    begun |= {key for key, _ in in_templates() if key.endswith((".", "_"))}
    assert [key for key in load_messages() if key not in whole and not key.startswith(tuple(begun))] == []


def test_a_text_is_given_the_values_it_takes() -> None:
    wrong = []
    for file, name, call in calls():
        key = constant(call.args[0]) if call.args else None
        if name != "Text" or key is None:
            continue
        given: set[str] = set()
        if len(call.args) > 1:
            if not isinstance(call.args[1], ast.Dict) or None in call.args[1].keys:
                continue
            given = {str(constant(one)) for one in call.args[1].keys}
        if given != places(load_messages()[key].en):
            wrong.append((file.name, call.lineno, key, sorted(given)))
    assert wrong == []


def logged(call: ast.Call) -> bool:
    return ast.unparse(call.func).startswith("LOG.")


def test_no_error_is_a_sentence_written_where_it_is_raised() -> None:
    wrong = [
        (file.name, call.lineno, name)
        for file, name, call in calls()
        if name in ERRORS or (name == "error" and ast.unparse(call.func).endswith(".error") and not logged(call))
        for given in call.args
        if isinstance(given, ast.JoinedStr)
        or ((text := constant(given)) is not None and " " in text)
        or (name in ERRORS and isinstance(given, ast.Call) and getattr(given.func, "id", "") == "str")
    ]
    assert wrong == []


def test_a_missing_key_or_value_is_our_bug() -> None:
    with pytest.raises(KeyError):
        say("no.such.key", "en")
    with pytest.raises(KeyError):
        say("card.thing", "en")
    assert [say("card.thing", lang, thing=7) for lang in LANGS] == ["u7", "u7"]


def test_a_text_inside_a_text_is_said_in_the_same_language() -> None:
    inner = Text("wrong.seat", {"seat": "'p9'"})
    text = Text("format.within", {"where": Message("here", "ここ"), "what": inner})
    assert str(text) == text.say("en") == "here: there is no seat 'p9'"
    assert text.say("ja") == "ここ：席'p9'はありません"
    assert say("cli.unavailable", "ja", match="m", detail=ValueError(inner)).endswith("席'p9'はありません")
    assert [spoken(Texts((inner, 3)), lang) for lang in LANGS] == ["there is no seat 'p9', 3", "席'p9'はありません、3"]
    assert spoken(ValueError("as it is"), "ja") == "as it is"
    assert "no seat" in text and "席" not in text


SAID = {
    "Expected `int`, got `str` - at `$.turn`": "`$.turn`で`int`のはずが`str`です",
    "Expected `int` >= 0": "`int` >= 0 でなければなりません",
    "Expected `array` of length 2, got 3": "`array`の長さは2のはずが3です",
    "Object missing required field `by`": "項目`by`がありません",
    "Object contains unknown field `what` - at `$`": "`$`で不明な項目`what`があります",
    "Invalid enum value 'x'": "値'x'は使えません",
    "Input data was truncated": "データが途中で切れています",
    "JSON is malformed: invalid character (byte 3)": "3バイト目でJSONが壊れています（「invalid character」）",
    "something new": "「something new」",
}


@for_each("said", SAID)
def test_what_a_library_says_is_said_in_our_words(said: str) -> None:
    assert str(reword(said)) == said.replace("enum ", "")
    assert reword(said).say("ja") == SAID[said]


def test_what_the_system_says() -> None:
    assert explain_system_error(FileNotFoundError(2, "No such file or directory")) == Text("system.ENOENT")
    assert explain_system_error(OSError(90, "Message too long")) == quoted("Message too long")
    assert explain_decode_error(RecursionError("deep")).say("ja") == "入れ子が深すぎます"
