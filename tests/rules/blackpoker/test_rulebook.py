"""BlackPoker's words and sentences. Requirements of every rulebook are tested in the parent folder."""

from typing import Any

import msgspec

from domain.games.blackpoker import GAME
from domain.games.blackpoker.actions import OTHER_FORMATS, TRIGGERED
from domain.games.blackpoker.rules import REGULATIONS, RULES_8_1_SEED, VERSIONS
from domain.law.clause import Clause
from domain.law.rulebook import load_rulebook
from tests.rows import for_each

BOOK = load_rulebook("domain.games.blackpoker")
VALUES: dict[str, Any] = msgspec.to_builtins(RULES_8_1_SEED)


def test_numbers_in_force_stand_in_the_sentences() -> None:
    other = VALUES | {"hand.limit": 8, "throwing.damage_suit": "spade"}
    limit, throwing = Clause("BP-7.2"), Clause("BP-10.6")
    assert "7" in BOOK.sentence(limit, "ja", VALUES) and "8" in BOOK.sentence(limit, "ja", other)
    assert "♣" in BOOK.sentence(throwing, "en", VALUES) and "♠" in BOOK.sentence(throwing, "en", other)


def codes() -> dict[str, list[str]]:
    return {
        "actions nobody may request": [*TRIGGERED, *OTHER_FORMATS],
        "actors": ["p1", "p2", "chance", "judge", "spectator"],
        "suits": [f"suit.{suit}" for suit in "SHDC"],
        "characters": ["common_soldier", "hero", "ace", "armed_soldier", "bulwark"],
        "labels": ["attacker", "blocker", "haste"],
        "readings": ["component", "size", "labels"],
        "reasons": ["reason.life", "reason.preset", "reason.concede"],
        "endings of frames": ["resolved", "nullified", "answered", "skipped", "discarded", "done", "over"],
        "rulesets": list(VERSIONS),
        "option values": [f"{option.key}={value}" for option in GAME.options for value in option.values],
        "frames": [f"frame={frame}" for frame in REGULATIONS],
    }


@for_each("what, named", codes().items())
def test_people_read_words_and_no_codes(what: str, named: list[str]) -> None:
    assert named
    assert [code for code in named if code not in BOOK.words] == []


def test_kinds_say_what_can_be_repaired_and_what_cannot() -> None:
    physical = {clause for clause, entry in BOOK.clauses.items() if entry.kind == "physical"}
    assert {"BP-1.9", "BP-4.14", "BP-4.17", "BP-4.18", "BP-5.7", "BP-5.9", "BP-13.6"} <= physical
    flow = {clause for clause, entry in BOOK.clauses.items() if entry.kind == "flow"}
    assert {"BP-4.2", "BP-4.4", "BP-4.15"} <= flow
    assert sum(entry.kind == "term" for entry in BOOK.clauses.values()) <= 10
