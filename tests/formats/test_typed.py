"""Typed actions and actions given in parts, resolved with full knowledge or with a viewer's."""

from typing import Any

import pytest

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.formats.typed import read_seen, read_shown, read_typed, with_clause, write_mapping
from domain.games import GAMES
from domain.law.law import Law
from domain.law.record import record_of
from domain.law.slots import cards_of, slots, verb
from domain.table.redact import SPECTATOR
from domain.table.table import Place, Seat
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import open_match
from recorder.store import Store
from tests.laws.samples import moments, sample
from tests.rows import for_each

BP = GAMES["blackpoker"]


@pytest.fixture(scope="module")
def match() -> LoadedMatch:
    version = tuple(BP.versions)[-1]
    with Store.open(":memory:") as store:
        law = Law(BP, BP.versions[version])
        assert open_match(store, law, version, {}, seed=(1).to_bytes(16, "big"), match_id="t0") == "t0"
        loaded = load_match(store, "t0")
    assert isinstance(loaded, LoadedMatch)
    return loaded


@pytest.mark.parametrize(
    "parts, line",
    [
        ({"do": "pass"}, "pass"),
        ({"do": "summon_ace", "keys": [34]}, "summon_ace keys=u34"),
        ({"do": "equip", "keys": ["DQ"], "bulwarks": [47], "target": 48}, "equip keys=DQ bulwarks=u47 target=u48"),
        ({"do": "equip", "keys": [], "target": None}, "equip keys=- target=-"),
    ],
)
def test_an_action_in_parts_is_the_line_that_says_it(match: LoadedMatch, parts: dict[str, Any], line: str) -> None:
    assert write_mapping(BP, parts) == line
    actor, action = parse_action(BP, match.table, line, actor=Seat("p1"))
    assert parse_action(BP, match.table, write_action(BP, match.table, actor, action)) == (actor, action)


@for_each(
    "parts",
    [
        {},
        {"do": 1},
        {"do": "none"},
        {"do": "equip", "no": 1},
        {"do": "equip", "target": [1]},
        {"do": "equip", "target": True},
        {"do": "equip", "target": 1.0},
        {"do": "equip", "target": "u1 u2"},
        {"do": "equip", "target": ""},
        {"do": "equip", "keys": {"a": 1}},
        {"do": "equip", "keys": [None]},
        {"do": "equip", "keys": ["a,b"]},
    ],
)
def test_parts_that_are_none_are_refused_by_name(parts: dict[str, Any]) -> None:
    with pytest.raises(FormatError) as caught:
        write_mapping(BP, parts)
    assert caught.value.message.say("en") and caught.value.message.say("ja")


@for_each("key", GAMES)
def test_every_kind_of_slot_of_every_game_can_be_given_in_parts(key: str) -> None:
    game = GAMES[key]
    empty = {"cards": [], "order": [], "pairs": [], "frames": [], "places": []}
    given = {
        "number": 3,
        "flag": True,
        "text": "a b",
        "word": "x",
        "seat": "p1",
        "place": "p1.hand",
        "card": 4,
        "frame": 2,
    }
    for action in game.action_types:
        parts = {slot.name: (empty | given)[slot.slot.kind] for slot in slots(action)}
        line = write_mapping(game, {"do": verb(action), **parts})
        assert line.split(" ")[0] == verb(action) and line.count("=") >= len(parts)
        nothing = write_mapping(game, {"do": verb(action), **dict.fromkeys(parts)})
        assert nothing.count("=-") == len(parts)


def test_pairs_are_lists_of_two() -> None:
    block = next(action for action in BP.action_types if any(slot.slot.kind == "pairs" for slot in slots(action)))
    name = next(slot.name for slot in slots(block) if slot.slot.kind == "pairs")
    assert write_mapping(BP, {"do": verb(block), name: [[1, 2], ["a", 3]]}).endswith(f"{name}=u1>u2,a>u3")
    for wrong in ([[1]], [[1, 2, 3]], [1, 2], "1>2"):
        with pytest.raises(FormatError):
            write_mapping(BP, {"do": verb(block), name: wrong})


def test_a_scorekeeper_names_hidden_cards_and_a_viewer_names_what_they_see(match: LoadedMatch) -> None:
    text = "p1: equip DQ C6 D5"
    actor, action = read_typed(match, match.table, text, match.eyes(), {})
    assert actor == "p1" and read_seen(match, match.table, text, match.eyes(Seat("p1"))) == (actor, action)
    for viewer in ("spectator", "p2"):
        with pytest.raises(FormatError):
            read_seen(match, match.table, "p1: equip CA C6 D5", match.eyes(Seat(viewer)))


def test_what_is_wrong_with_a_text_is_said_from_what_the_viewer_sees(match: LoadedMatch) -> None:
    text = "p1: equip DQ C6 S9"
    with pytest.raises(FormatError) as typed:
        read_typed(match, match.table, text, match.eyes(), {})
    with pytest.raises(FormatError) as seen:
        read_seen(match, match.table, text, match.eyes())
    assert str(typed.value) == str(seen.value) and "DQ" in str(typed.value)
    with pytest.raises(FormatError) as known:
        read_typed(match, match.table, text, match.eyes(Seat("judge")), {})
    assert "S9" in str(known.value)


@for_each(
    "text, line",
    [
        ("stance u4 driven", "- stance u4 driven"),
        (" + BP-1.1 move u4 x", "BP-1.1 move u4 x"),
        ("- move u4 x", "- move u4 x"),
    ],
)
def test_a_bare_fact_is_by_hand(text: str, line: str) -> None:
    assert with_clause(text) == line


@for_each("game, kind", [("dea", "choose_cards"), ("blackpoker", "choose_discards")])
def test_a_hidden_card_that_answers_a_question_is_one_of_those_asked_about(game: str, kind: str) -> None:
    """The deck holds cards with equal faces, and the viewer sees neither."""
    tried = 0
    for seed in range(6):
        record = record_of(sample(game, seed).game, sample(game, seed).entries)
        for moment in moments(game, seed):
            asked = [each for each in moment.after.asked if each.kind == kind and each.words != ("look",)]
            for question in asked:
                hand = moment.after.places[Place(f"{question.by}.hand")]
                face = moment.after.pieces[hand[-1]].face
                typed = read_shown(record, moment.after, f"{kind} {face}", record.eyes(SPECTATOR), question.by)
                assert typed.hidden and set(cards_of(typed.action)) <= {*hand}, (seed, moment.number)
                tried += 1
    assert tried
