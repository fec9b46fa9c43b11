"""Grimoire's rulebook as data: complete, in two languages, with words for everything the game names."""

import re
from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from domain.games.grimoire import clauses
from domain.games.grimoire.actions import ACTION_TYPES
from domain.games.grimoire.meaning import COLOURS
from domain.games.grimoire.rules import MOST_SEATS, OPTIONS, VERSIONS, Rules, seats_of
from domain.games.grimoire.schema import schema
from domain.games.grimoire.text import Event, KeywordName
from domain.law.clause import Clause
from domain.law.rulebook import Lang, load_rulebook
from domain.law.slots import slots

LANGS: tuple[Lang, ...] = get_args(Lang)
BOOK = load_rulebook("domain.games.grimoire")
VALUES: dict[str, Any] = msgspec.to_builtins(Rules())
NAMED = {name: value for name, value in vars(clauses).items() if name.isupper()}
KEY = re.compile(r"\{([^{}]*)\}")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
PER_CHAPTER = (9, 15, 14, 7, 7, 8, 12, 15, 18, 10, 10, 7, 13, 14, 17, 15, 17, 14, 11)
"""How many clauses each chapter has; ids are stable, so a number may only grow."""
TERMS = {
    2: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13),
    3: (1, 2, 3, 4, 5, 9),
    4: (1, 2, 3, 4),
    7: (1, 2),
    8: (2,),
    9: (3,),
    13: (1, 2, 3, 4),
    14: (1, 7, 8, 11),
    16: (1, 11),
    17: (1,),
}
"""Definitions, and restatements of other clauses: all that nothing in play can break."""


def choices() -> dict[str, tuple[Any, ...]]:
    """Every field of Rules that is a choice between words, with all its values."""
    found: dict[str, tuple[Any, ...]] = {}
    for field in msgspec.structs.fields(Rules):
        if field.type is bool:
            found[field.encode_name] = (True, False)
        elif found_words := [one for one in get_args(field.type) if isinstance(one, str)]:
            found[field.encode_name] = tuple(found_words)
    return found


def test_every_clause_has_one_name_and_all_stand_in_order() -> None:
    wanted = [f"GR-{chapter}.{n}" for chapter, most in enumerate(PER_CHAPTER, 1) for n in range(1, most + 1)]
    assert len(wanted) == 233
    assert list(NAMED.values()) == wanted
    assert list(BOOK.clauses) == wanted


def test_every_chapter_has_a_title() -> None:
    assert list(BOOK.chapters) == [f"GR-{chapter}" for chapter in range(1, len(PER_CHAPTER) + 1)]
    assert {clause.rpartition(".")[0] for clause in BOOK.clauses} == set(BOOK.chapters)


def test_both_languages_say_something_and_use_the_same_keys() -> None:
    for entry in BOOK.clauses.values():
        assert entry.en.endswith(".") and not JAPANESE.search(entry.en), entry.id
        assert entry.ja.endswith("。") and JAPANESE.search(entry.ja), entry.id
        assert set(KEY.findall(entry.en)) == set(KEY.findall(entry.ja)), entry.id


@pytest.mark.parametrize("lang", LANGS)
def test_no_two_clauses_say_the_same(lang: Lang) -> None:
    texts = Counter(getattr(entry, lang) for entry in BOOK.clauses.values())
    assert [text for text, times in texts.items() if times > 1] == []


def test_titles_and_words_are_in_both_languages() -> None:
    for code, word in {"title": BOOK.title, **BOOK.chapters, **BOOK.words}.items():
        silent = code.startswith("column.") and not (word.en or word.ja)
        assert silent or (word.en.strip() and word.ja.strip()), code
        assert "{" not in word.en + word.ja, code
        assert not JAPANESE.search(word.en), code


def test_sentences_name_every_number_and_option_of_the_rules_and_nothing_else() -> None:
    used = {key for entry in BOOK.clauses.values() for key in KEY.findall(entry.en)}
    assert used == set(VALUES)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("lang", LANGS)
def test_published_rulesets_fill_every_sentence(version: str, lang: Lang) -> None:
    numbers = msgspec.to_builtins(VERSIONS[version])
    for clause in BOOK.clauses:
        assert not re.search(r"[{}]", BOOK.sentence(clause, lang, numbers)), clause


@pytest.mark.parametrize(("key", "values"), choices().items())
@pytest.mark.parametrize("lang", LANGS)
def test_every_option_is_put_in_by_words_that_differ(key: str, values: tuple[Any, ...], lang: Lang) -> None:
    phrases = [BOOK.setting(key, value, lang) for value in values]
    assert all(f"{key}={str(value).lower() if value in (True, False) else value}" in BOOK.words for value in values)
    assert len(set(phrases)) == len(values)
    citing = [clause for clause, entry in BOOK.clauses.items() if key in KEY.findall(entry.en)]
    for value, phrase in zip(values, phrases, strict=True):
        assert all(phrase in BOOK.sentence(clause, lang, VALUES | {key: value}) for clause in citing)


def test_numbers_in_force_stand_in_the_sentences() -> None:
    other = VALUES | {"initial_od": 9, "lethal": "exceeding", "copy_limit": 0}
    od, lethal, copies = Clause("GR-15.9"), Clause("GR-5.4"), Clause("GR-2.14")
    assert "4" in BOOK.sentence(od, "ja", VALUES) and "9" in BOOK.sentence(od, "ja", other)
    assert BOOK.sentence(lethal, "ja", VALUES) == "耐久以上のダメージは致死。"
    assert BOOK.sentence(lethal, "ja", other) == "耐久を超えるダメージは致死。"
    assert "4" in BOOK.sentence(copies, "en", VALUES) and "any number" in BOOK.sentence(copies, "en", other)


def codes() -> dict[str, list[str]]:
    """Everything of the game that people read, by what it is."""
    table = schema(Rules())
    return {
        "verbs": [str(action.__struct_config__.tag) for action in ACTION_TYPES],
        "slots": [one.name for action in ACTION_TYPES for one in slots(action)],
        "slot words": [word for action in ACTION_TYPES for one in slots(action) for word in one.slot.words if word],
        "areas": [area.name for area in table.areas],
        "stances": list(table.stances),
        "marks": [mark.name for mark in table.marks] + [f"chroma.{colour}" for colour in COLOURS] + ["used.0"],
        "colours": list(COLOURS),
        "kinds": [kind.name for kind in table.kinds],
        "steps": [step for kind in table.kinds for step in kind.steps],
        "phases": list(table.phases),
        "steps of phases": [step for steps in table.steps.values() for step in steps],
        "effects": list(table.effects),
        "durations": [f"until.{until}" for until in table.untils],
        "events": list(get_args(Event)),
        "keywords": list(get_args(KeywordName)),
        "readings": ["power", "toughness"],
        "reasons": [f"reason.{reason}" for reason in ("last_side", "judge", "compare", "draw")],
        "actors": [*seats_of(MOST_SEATS), "chance", "judge", "spectator"],
        "option keys": [*VALUES, *(option.key for option in OPTIONS)],
        "option values": [f"{one.key}={value}" for one in OPTIONS if not one.numbers for value in one.values],
    }


@pytest.mark.parametrize(("what", "named"), codes().items())
def test_people_read_words_and_no_codes(what: str, named: list[str]) -> None:
    assert named
    assert [code for code in named if code not in BOOK.words] == []


def test_no_word_stands_in_the_way_of_a_number() -> None:
    """Numbers to choose from are looked up as words too."""
    assert [code for code in BOOK.words if code.isdecimal()] == []


def test_kinds_say_what_binds_and_what_cannot_be_carried_out() -> None:
    kinds = {clause.partition("-")[2]: entry.kind for clause, entry in BOOK.clauses.items()}
    assert [number for number, kind in kinds.items() if kind == "term"] == [
        f"{chapter}.{n}" for chapter, found in TERMS.items() for n in found
    ]
    for number in ("7.9", "8.1", "15.7", "16.6", "16.8", "19.8"):
        assert kinds[number] == "physical"
    for number in ("9.1", "9.4", "16.5", "17.11", "19.9"):
        assert kinds[number] == "flow"
    for number in ("7.3", "7.4", "8.4", "8.13", "10.3", "18.3"):
        assert kinds[number] == "rule"
