"""Other rules by name, by change notes or from a file: laid over a record's own, or refused with a reason."""

from typing import Any

import pytest

from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.judging.rejudging.target import RulesTarget, probe, read_target, rules_for, target_named
from domain.law.rulesets import RulesetError, values
from tests.rows import for_each

GAME = GAMES["blackpoker"]
OWN = GAME.versions["8.1-lite"]


def target(text: str) -> RulesTarget:
    return read_target(text.encode(), "new.toml", GAMES)


def differing(one: Any, other: Any) -> set[str]:
    before, after = values(one), values(other)
    return {key for key in before if before[key] != after[key]}


def test_a_version_keeps_the_frame_of_the_record_where_it_is_played_in_it() -> None:
    nine = target_named("blackpoker@9.0-lite", GAMES)
    whole = rules_for(nine, GAME, GAME.in_regulation(OWN, "full54"))
    assert values(whole)["frame"] == "full54"
    assert values(rules_for(nine, GAME, OWN))["frame"] == values(GAME.versions["9.0-lite"])["frame"]


def test_change_notes_and_options_leave_all_else_of_a_record_as_it_is() -> None:
    own = GAME.in_regulation(OWN, "full54")
    notes = rules_for(target_named("blackpoker@7.0-lite", GAMES), GAME, own)
    assert differing(own, notes) <= set(GAME.change_notes["7.0-lite"])
    assert differing(own, rules_for(RulesTarget(settings={"hand.limit": "5"}), GAME, own)) == {"hand.limit"}
    assert rules_for(RulesTarget(), GAME, own) == own


def test_a_file_names_a_version_and_options_or_every_value() -> None:
    file = target('version = "blackpoker@9.0-lite"\nframe = "full54"\nset = { "hand.limit" = 5, block.mixed = true }')
    assert (file.game, file.version, file.frame) == ("blackpoker", "9.0-lite", "full54")
    rules = values(rules_for(file, GAME, OWN))
    assert (rules["hand.limit"], rules["block.mixed"], rules["frame"]) == (5, True, "full54")
    full = target('game = "blackpoker"\n[rules]\nframe = "entry20"\n"hand.limit" = 4')
    assert values(rules_for(full, GAME, OWN))["hand.limit"] == 4
    assert target('set = { "hand.limit" = 5 }').game == ""


@for_each(
    "text, said",
    [
        ("version = ", "not TOML"),
        ("", "no rules given"),
        ("version = 5", "`$.version`"),
        ('verison = "9.0-lite"', "unknown field"),
        ('game = "whist"\nversion = "1"', "no game 'whist'"),
        ('version = "blackpoker@9.9"', "no version '9.9'"),
        ('game = "grimoire"\nversion = "blackpoker@9.0-lite"', "two games"),
        ('version = "9.0-lite"\n[rules]\n"hand.limit" = 5', "every value"),
        ('version = "blackpoker@8.1-lite"\nframe = "entry99"', "frame 'entry99'"),
        ('game = "blackpoker"\nset = { "hand.limitt" = 5 }', "did you mean hand.limit"),
        ('game = "blackpoker"\nset = { "hand.limit" = "many" }', "hand.limit"),
        ('game = "blackpoker"\nset = { "hand.limit" = 400 }', "hand.limit"),
        ('game = "blackpoker"\nset = { "judge.compare" = "weight" }', "judge.compare"),
        ('game = "blackpoker"\nset = { "block.mixed" = 5 }', "block.mixed"),
        ('game = "blackpoker"\nset = { "fog.enabled" = false, "fog.end_scope" = "own_card_active" }', "fog.end_scope"),
        ('game = "blackpoker"\n[rules]\n"hand.limitt" = 5', "hand.limitt"),
    ],
)
def test_what_is_wrong_with_other_rules_is_said_with_its_key(text: str, said: str) -> None:
    with pytest.raises((FormatError, RulesetError)) as caught:
        found = target(text)
        probe(found, GAMES[found.game or "blackpoker"])
    assert said in str(caught.value), str(caught.value)


def test_rules_of_one_game_are_refused_for_a_record_of_another() -> None:
    with pytest.raises(RulesetError, match="blackpoker"):
        rules_for(
            RulesTarget(game="blackpoker", version="9.0-lite"), GAMES["grimoire"], GAMES["grimoire"].versions["1"]
        )


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(FormatError):
        read_target(b"\xff\xfe", "new.toml", GAMES)


@for_each("key", ["set", "rules"])
def test_an_option_stands_in_a_file_once_with_quotes_or_without(key: str) -> None:
    assert target(f"{key} = {{ hand.limit = 5 }}") == target(f'{key} = {{ "hand.limit" = 5 }}')
    with pytest.raises(FormatError, match=r"'hand\.limit' is given twice"):
        target(f'{key} = {{ "hand.limit" = 5, hand.limit = 6 }}')


@for_each("text", ['version = "blackpoker@"', 'version = "@9.0-lite"', 'version = "@"'])
def test_half_a_version_is_not_taken_for_the_rules_of_the_record(text: str) -> None:
    with pytest.raises(RulesetError, match=r"there is no (version|game) ''"):
        target(text)


def test_no_option_at_all_is_no_rules_but_no_value_at_all_is_every_default() -> None:
    with pytest.raises(FormatError, match="no rules given"):
        target("set = { hand = {} }")
    assert rules_for(target('game = "blackpoker"\n[rules]'), GAME, OWN) == GAME.rules_type()


def test_however_deep_a_file_is_nested_it_is_one_clear_error() -> None:
    with pytest.raises(FormatError, match="not readable TOML"):
        target("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(FormatError, match="a key has 16"):
        target('game = "blackpoker"\nset.' + ".".join("a" * 3000) + " = 1")
