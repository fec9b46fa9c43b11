"""Rulebooks of every game: complete, in both languages, with words for everything the game names."""

import re
import tomllib
from collections import Counter
from importlib import import_module
from importlib.resources import files
from typing import Any, Literal, get_args

import msgspec
import pytest

from domain.law.options import list_options
from domain.law.rulebook import Lang, OptionRow, Rulebook, load_rulebook
from domain.law.slots import slots
from tests.games import PLAYED, tried
from tests.rows import for_each

LANGS: tuple[Lang, ...] = get_args(Lang)
KEY = re.compile(r"\{([^{}]*)\}")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")

PACKAGES: dict[str, str] = {key: game.settle.__module__.rpartition(".")[0] for key, game in PLAYED.items()}
BOOKS: dict[str, Rulebook] = {key: load_rulebook(package) for key, package in PACKAGES.items()}
VALUES: dict[str, dict[str, Any]] = {key: msgspec.to_builtins(game.rules_type()) for key, game in PLAYED.items()}

of_each_game = for_each("key", sorted(PLAYED))
in_both_languages = for_each("lang", LANGS)


def choices(key: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for field in msgspec.structs.fields(PLAYED[key].rules_type):
        if field.type is bool:
            found[field.encode_name] = (True, False)
        elif words := [word for word in get_args(field.type) if isinstance(word, str)]:
            found[field.encode_name] = tuple(words)
    return found


def plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@of_each_game
def test_every_clause_has_one_name_and_all_stand_in_order(key: str) -> None:
    named = {name: value for name, value in vars(import_module(f"{PACKAGES[key]}.clauses")).items() if name.isupper()}
    assert list(named.values()) == list(BOOKS[key].clauses)
    chapters = list(BOOKS[key].chapters)
    per_chapter = Counter(clause.rpartition(".")[0] for clause in BOOKS[key].clauses)
    assert list(per_chapter) == chapters, "each chapter has clauses, and each clause is of a chapter"
    sizes = tried(key).per_chapter
    if not sizes:
        return  # nothing is declared about this game
    prefix = chapters[0].partition("-")[0]
    assert chapters == [f"{prefix}-{chapter}" for chapter, _ in enumerate(sizes, 1)]
    wanted = [f"{one}.{n}" for one, most in zip(chapters, sizes, strict=True) for n in range(1, most + 1)]
    assert list(BOOKS[key].clauses) == wanted


@of_each_game
def test_ids_stand_once_in_the_file(key: str) -> None:
    raw = tomllib.loads(files(PACKAGES[key]).joinpath("rulebook.toml").read_text(encoding="utf-8"))
    assert len({clause["id"] for clause in raw["clause"]}) == len(raw["clause"]) == len(BOOKS[key].clauses)


@of_each_game
@in_both_languages
def test_no_two_clauses_say_the_same(key: str, lang: Lang) -> None:
    texts = Counter(getattr(entry, lang) for entry in BOOKS[key].clauses.values())
    assert [text for text, times in texts.items() if times > 1] == []


@of_each_game
def test_both_languages_say_something_and_use_the_same_keys(key: str) -> None:
    for entry in BOOKS[key].clauses.values():
        assert entry.en.endswith(".") and not JAPANESE.search(entry.en), entry.id
        assert entry.ja.endswith("。") and JAPANESE.search(entry.ja), entry.id
        assert set(KEY.findall(entry.en)) == set(KEY.findall(entry.ja)), entry.id


@of_each_game
def test_titles_and_words_are_in_both_languages(key: str) -> None:
    book = BOOKS[key]
    for code, word in {"title": book.title, **book.chapters, **book.words}.items():
        begins = tried(key).silent
        silent = begins and code.startswith(begins) and not (word.en or word.ja)
        assert silent or (word.en.strip() and word.ja.strip()), code
        assert "{" not in word.en + word.ja, code
        assert not JAPANESE.search(word.en), code


@of_each_game
def test_no_word_stands_in_the_way_of_a_number(key: str) -> None:
    """Numbers to choose from are also looked up as words."""
    assert [code for code in BOOKS[key].words if code.isdecimal()] == []


@of_each_game
def test_sentences_name_every_number_and_option_of_the_rules_and_nothing_else(key: str) -> None:
    used = {name for entry in BOOKS[key].clauses.values() for name in KEY.findall(entry.en)}
    assert used == set(VALUES[key]) - tried(key).unsaid


@for_each("key, version", [(key, version) for key, game in PLAYED.items() for version in game.versions])
@in_both_languages
def test_published_rulesets_fill_every_sentence(key: str, version: str, lang: Lang) -> None:
    numbers = msgspec.to_builtins(PLAYED[key].versions[version])
    for clause in BOOKS[key].clauses:
        assert not re.search(r"[{}]", BOOKS[key].sentence(clause, lang, numbers)), clause


@for_each(
    "key, option, value",
    [(key, option, value) for key in PLAYED for option, found in choices(key).items() for value in found],
)
@in_both_languages
def test_every_option_is_put_in_by_its_words(key: str, option: str, value: Any, lang: Lang) -> None:
    book = BOOKS[key]
    assert f"{option}={plain(value)}" in book.words
    phrase = book.setting(option, value, lang)
    citing = [clause for clause, entry in book.clauses.items() if option in KEY.findall(entry.en)]
    sentences = [book.sentence(clause, lang, VALUES[key] | {option: value}) for clause in citing]
    assert sentences and all(phrase in sentence and "{" not in sentence for sentence in sentences)


@of_each_game
@in_both_languages
def test_the_values_of_one_option_read_differently(key: str, lang: Lang) -> None:
    for option, found in choices(key).items():
        assert len({BOOKS[key].setting(option, value, lang) for value in found}) == len(found), option


def codes(key: str) -> dict[str, list[str]]:
    game = PLAYED[key]
    rules = game.rules_type()
    table = game.schema(rules)
    return {
        "verbs": [str(action.__struct_config__.tag) for action in game.action_types],
        "slots": [one.name for action in game.action_types for one in slots(action)],
        "slot words": [
            word for action in game.action_types for one in slots(action) for word in one.slot.words if word
        ],
        "areas": [area.name for area in table.areas],
        "stances": list(table.stances),
        "marks": [mark.name for mark in table.marks],
        "kinds": [kind.name for kind in table.kinds],
        "steps": [step for kind in table.kinds for step in kind.steps],
        "effects": list(table.effects),
        "durations": [f"until.{until}" for until in table.untils],
        "phases": list(table.phases),
        "actors": [*game.seats(rules), "chance", "judge", "spectator"],
        "option keys": [*VALUES[key], *(option.key for option in game.options)],
        "option values": [f"{one.key}={value}" for one in game.options if not one.numbers for value in one.values],
    }


@for_each("key, what, named", [(key, what, named) for key in PLAYED for what, named in codes(key).items()])
def test_people_read_words_and_no_codes(key: str, what: str, named: list[str]) -> None:
    assert named or tried(key).lacks != frozenset(), what
    assert [code for code in named if code not in BOOKS[key].words] == []


class _Rules(msgspec.Struct, frozen=True):
    order: Literal["first", "last"] = "first"


def test_an_option_says_what_it_may_be_or_is_refused() -> None:
    row = OptionRow("A-1", unoffered=("random",))
    (option,) = list_options(_Rules, {"order": row})
    assert (option.values, option.unoffered) == (("first", "last"), ("random",))
    with pytest.raises(ValueError, match="no field ordr"):
        list_options(_Rules, {"ordr": "A-1"})
