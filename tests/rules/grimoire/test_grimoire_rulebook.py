"""Grimoire's words and sentences. Requirements of every rulebook are tested in the parent folder."""

from typing import Any, get_args

import msgspec

from domain.games.grimoire.meaning import COLOURS
from domain.games.grimoire.rules import SEATS_MAX, Rules, seats_of
from domain.games.grimoire.schema import schema
from domain.games.grimoire.text import Event, KeywordName
from domain.law.clause import Clause
from domain.law.rulebook import load_rulebook
from tests.rows import for_each

BOOK = load_rulebook("domain.games.grimoire")
VALUES: dict[str, Any] = msgspec.to_builtins(Rules())
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
"""Definitions and restatements of other clauses, which play cannot violate."""


def test_every_clause_is_of_a_chapter_with_a_title() -> None:
    assert len(BOOK.clauses) == 233
    assert {clause.rpartition(".")[0] for clause in BOOK.clauses} == set(BOOK.chapters)


def test_numbers_in_force_stand_in_the_sentences() -> None:
    other = VALUES | {"initial_od": 9, "lethal": "exceeding", "copy_limit": 0}
    od, lethal, copies = Clause("GR-15.9"), Clause("GR-5.4"), Clause("GR-2.14")
    assert "4" in BOOK.sentence(od, "ja", VALUES) and "9" in BOOK.sentence(od, "ja", other)
    assert BOOK.sentence(lethal, "ja", VALUES) == "耐久以上のダメージは致死。"
    assert BOOK.sentence(lethal, "ja", other) == "耐久を超えるダメージは致死。"
    assert "4" in BOOK.sentence(copies, "en", VALUES) and "any number" in BOOK.sentence(copies, "en", other)


def codes() -> dict[str, list[str]]:
    table = schema(Rules())
    return {
        "marks": [f"chroma.{colour}" for colour in COLOURS] + ["used.0"],
        "colours": list(COLOURS),
        "steps of phases": [step for steps in table.steps.values() for step in steps],
        "events": list(get_args(Event)),
        "keywords": list(get_args(KeywordName)),
        "readings": ["power", "toughness"],
        "reasons": [f"reason.{reason}" for reason in ("last_side", "judge", "compare", "draw")],
        "actors": [*seats_of(SEATS_MAX)],
    }


@for_each("what, named", codes().items())
def test_people_read_words_and_no_codes(what: str, named: list[str]) -> None:
    assert named
    assert [code for code in named if code not in BOOK.words] == []


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
