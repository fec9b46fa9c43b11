"""What is said to people holds: hints are true, what is missing is named, and what they type is understood."""

import re
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.law.slots import slots
from tests.cli.runs import fine, inside


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A match of each game after set-up: p1's turn in the first."""
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--p1", "Aoi", "--p2", "Ren", "--seed", "2", "--match", "mine")
    fine(where, "new", "grimoire@1", "--p1", "Aya", "--p2", "Bo", "--seed", "4", "--match", "spells")
    return where


# A refusal's hint


@pytest.mark.parametrize(
    "action", ["p2: destroy_bulwark u55", "p2: set_bulwark", "p1: up", "p2: choose_twist_state charged"]
)
def test_a_hint_says_as_played_only_where_that_records(store: Path, action: str) -> None:
    refused = inside(store, "do", "mine", action)
    assert refused.code == 1
    promised = "--as-played records it all the same" in refused.err
    assert promised == (inside(store, "do", "mine", action, "--as-played").code == 0), refused.err
    if not promised:
        assert "`correct`" in refused.err


def test_a_physical_clause_behind_the_one_that_refuses_is_in_the_hint_too(store: Path) -> None:
    refused = inside(store, "do", "mine", "p2: destroy_bulwark")
    assert refused.message.startswith("shinpan: p2: destroy_bulwark is refused by BP-4.2")
    assert "--as-played" not in refused.err
    assert "leaves something out (no key cards named, no target named)" in refused.err
    japanese = inside(store, "do", "mine", "p2: destroy_bulwark", "--lang", "ja")
    assert "対象の指定がない" in japanese.err


def test_notation_promises_as_played_only_where_it_is_recorded(store: Path, tmp_path: Path) -> None:
    whole = fine(store, "export", "mine", "--as", "judge").out
    record = tmp_path / "one.spn"
    record.write_text(whole + "\n4. p2: destroy_bulwark\n", encoding="utf-8")
    refused = inside(store, "audit", record)
    assert refused.code == 2 and "%correct" in refused.message and "write !" not in refused.message


@pytest.mark.parametrize(("match", "key"), [("mine", "blackpoker"), ("spells", "grimoire")])
def test_an_action_that_names_nothing_is_told_what_is_missing(store: Path, match: str, key: str) -> None:
    game = GAMES[key]
    named = 0
    for one in game.action_types:
        if one in game.other_verbs.values() or any(slot.slot.kind in ("text", "word") for slot in slots(one)):
            continue
        told = inside(store, "why-not", match, f"p1: {one.__struct_config__.tag}", "--as", "judge")
        if told.code == 2:
            continue  # a required value is asked for by name
        assert not re.search(r"\[(.*, )?(\?|r0|#0)(,.*)?\]", told.out), told.out
        named += "named]" in told.out
    assert named >= 3


def test_what_is_missing_is_named_by_its_slot_in_both_languages(store: Path) -> None:
    told = inside(store, "why-not", "mine", "p1: equip", "--as", "p1")
    for line in ("[1, no bulwarks named]", "[no key cards named]", "[no target named]"):
        assert line in told.out
    assert "[対象の指定がない]" in inside(store, "why-not", "mine", "p1: equip", "--as", "p1", "--lang", "ja").out
