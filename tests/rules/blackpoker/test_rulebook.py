"""The rulebook as data: complete, in two languages, with words for everything the game names."""

import re
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest

from domain.games.blackpoker import clauses
from domain.games.blackpoker.actions import ACTION_TYPES, OTHER_FORMATS, TRIGGERED
from domain.games.blackpoker.rules import FRAMES, OPTIONS, SEED, VERSIONS, Rules
from domain.games.blackpoker.schema import schema
from domain.law.clause import Clause
from domain.law.rulebook import Lang, load_rulebook
from domain.law.slots import slots

PACKAGE = "domain.games.blackpoker"
LANGS: tuple[Lang, ...] = get_args(Lang)
BOOK = load_rulebook(PACKAGE)
VALUES: dict[str, Any] = msgspec.to_builtins(SEED)
NAMED = {name: value for name, value in vars(clauses).items() if name.isupper()}
KEY = re.compile(r"\{([^{}]*)\}")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
PER_CHAPTER = (10, 12, 13, 18, 15, 18, 41, 13, 20, 6, 10, 7, 7)
"""How many clauses each chapter has; ids are stable, so a number may only grow."""


def choices() -> dict[str, tuple[Any, ...]]:
    """Every field of Rules that is a choice between words, with all its values."""
    found: dict[str, tuple[Any, ...]] = {}
    for field in msgspec.structs.fields(Rules):
        if field.type is bool:
            found[field.encode_name] = (True, False)
        elif words := [word for word in get_args(field.type) if isinstance(word, str)]:
            found[field.encode_name] = tuple(words)
    return found


def plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_clause_has_one_name_and_every_name_a_clause() -> None:
    assert set(NAMED.values()) == set(BOOK.clauses)
    assert [value for value, times in Counter(NAMED.values()).items() if times > 1] == []


def test_no_clause_is_missing_and_all_stand_in_order() -> None:
    wanted = [f"BP-{chapter}.{n}" for chapter, most in enumerate(PER_CHAPTER, 1) for n in range(1, most + 1)]
    assert list(BOOK.clauses) == wanted
    assert list(NAMED.values()) == wanted
    assert list(BOOK.chapters) == [f"BP-{chapter}" for chapter in range(1, len(PER_CHAPTER) + 1)]


def test_ids_stand_once_in_the_file() -> None:
    raw = tomllib.loads(files(PACKAGE).joinpath("rulebook.toml").read_text(encoding="utf-8"))
    assert len({clause["id"] for clause in raw["clause"]}) == len(raw["clause"]) == len(BOOK.clauses)


@pytest.mark.parametrize("lang", LANGS)
def test_no_two_clauses_say_the_same(lang: Lang) -> None:
    texts = Counter(getattr(entry, lang) for entry in BOOK.clauses.values())
    assert [text for text, times in texts.items() if times > 1] == []


def test_both_languages_say_something_and_use_the_same_keys() -> None:
    for entry in BOOK.clauses.values():
        assert entry.en.strip() and entry.en.endswith("."), entry.id
        assert not JAPANESE.search(entry.en), entry.id
        assert JAPANESE.search(entry.ja) and entry.ja.endswith("。"), entry.id
        assert set(KEY.findall(entry.en)) == set(KEY.findall(entry.ja)), entry.id


def test_titles_and_words_are_in_both_languages() -> None:
    for code, word in {"title": BOOK.title, **BOOK.chapters, **BOOK.words}.items():
        assert word.en.strip() and word.ja.strip(), code
        assert "{" not in word.en + word.ja, code
        assert not JAPANESE.search(word.en), code


def test_keys_in_sentences_are_numbers_and_options_of_the_rules() -> None:
    used = {key for entry in BOOK.clauses.values() for key in KEY.findall(entry.en)}
    assert used <= set(VALUES)
    assert set(VALUES) - used == {"deck.list"}, "an option that no sentence mentions"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("lang", LANGS)
def test_published_rulesets_fill_every_sentence(version: str, lang: Lang) -> None:
    numbers = msgspec.to_builtins(VERSIONS[version])
    for clause in BOOK.clauses:
        sentence = BOOK.sentence(clause, lang, numbers)
        assert "{" not in sentence and "}" not in sentence, clause


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, found in choices().items() for value in found])
@pytest.mark.parametrize("lang", LANGS)
def test_every_option_is_put_in_by_its_words(key: str, value: Any, lang: Lang) -> None:
    assert f"{key}={plain(value)}" in BOOK.words
    phrase = BOOK.setting(key, value, lang)
    told = [
        BOOK.sentence(clause, lang, VALUES | {key: value})
        for clause, entry in BOOK.clauses.items()
        if key in KEY.findall(entry.en)
    ]
    assert told
    assert all(phrase in sentence and "{" not in sentence for sentence in told)


def test_the_values_of_one_option_read_differently() -> None:
    for key, found in choices().items():
        for lang in LANGS:
            assert len({BOOK.setting(key, value, lang) for value in found}) == len(found), key


def test_numbers_in_force_stand_in_the_sentences() -> None:
    other = VALUES | {"hand.limit": 8, "throwing.damage_suit": "spade"}
    limit, throwing = Clause("BP-7.2"), Clause("BP-10.6")
    assert "7" in BOOK.sentence(limit, "ja", VALUES) and "8" in BOOK.sentence(limit, "ja", other)
    assert "♣" in BOOK.sentence(throwing, "en", VALUES) and "♠" in BOOK.sentence(throwing, "en", other)


def codes() -> dict[str, list[str]]:
    """Everything of the game that people read, by what it is."""
    table = schema(SEED)
    listed = [f"{option.key}={value}" for option in OPTIONS for value in option.values]
    return {
        "verbs": [str(action.__struct_config__.tag) for action in ACTION_TYPES],
        "actions nobody may request": [*TRIGGERED, *OTHER_FORMATS],
        "slots": [one.name for action in ACTION_TYPES for one in slots(action)],
        "slot words": [word for action in ACTION_TYPES for one in slots(action) for word in one.slot.words if word],
        "areas": [area.name for area in table.areas],
        "stances": list(table.stances),
        "marks": [mark.name for mark in table.marks],
        "kinds": [kind.name for kind in table.kinds],
        "steps": [step for kind in table.kinds for step in kind.steps],
        "effects": list(table.effects),
        "durations": [f"until.{until}" for until in table.untils],
        "phases": list(table.phases),
        "actors": ["p1", "p2", "chance", "judge", "spectator"],
        "suits": [f"suit.{suit}" for suit in "SHDC"],
        "characters": ["common_soldier", "hero", "ace", "armed_soldier", "bulwark"],
        "labels": ["attacker", "blocker", "haste"],
        "readings": ["component", "size", "labels"],
        "reasons": ["reason.life", "reason.preset", "reason.concede"],
        "endings of frames": ["resolved", "nullified", "answered", "skipped", "discarded", "done", "over"],
        "rulesets": list(VERSIONS),
        "option keys": [*VALUES, *(option.key for option in OPTIONS)],
        "option values": listed + [f"frame={frame}" for frame in FRAMES],
    }


@pytest.mark.parametrize(("what", "named"), codes().items())
def test_people_read_words_and_no_codes(what: str, named: list[str]) -> None:
    assert named
    assert [code for code in named if code not in BOOK.words] == []


def test_kinds_say_what_can_be_repaired_and_what_cannot() -> None:
    physical = {clause for clause, entry in BOOK.clauses.items() if entry.kind == "physical"}
    assert {"BP-1.9", "BP-4.14", "BP-4.17", "BP-4.18", "BP-5.7", "BP-5.9", "BP-13.6"} <= physical
    flow = {clause for clause, entry in BOOK.clauses.items() if entry.kind == "flow"}
    assert {"BP-4.2", "BP-4.4", "BP-4.15"} <= flow
    assert sum(entry.kind == "term" for entry in BOOK.clauses.values()) <= 10
