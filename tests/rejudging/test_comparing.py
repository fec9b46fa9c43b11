"""Comparison of two readings: the matches that differ, and the entry where they diverge."""

import pytest

from domain.games import GAMES
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.comparing import separate
from domain.law.law import Law
from domain.law.rulesets import pin_cards, with_settings
from recorder.simulate import simulate


@pytest.mark.parametrize(
    ("key", "version", "option"),
    [
        ("blackpoker", "8.1-lite", ("throwing.damage_suit", "spade", "club")),
        ("blackpoker", "8.1-lite", ("judge.unblocked_snapshot", "at_start", "at_step3")),
        ("grimoire", "1", ("first_turn_draw", "true", "false")),
    ],
)
def test_the_matches_that_differ_are_told_apart_where_they_part(
    key: str, version: str, option: tuple[str, str, str]
) -> None:
    game = GAMES[key]
    name, here, there = option
    rules = game.versions[version]
    one, other = (with_settings(game, pin_cards(game, rules), {name: value}) for value in (here, there))
    apart = alike = 0
    for seed in range(40 if key == "blackpoker" else 4):
        record = simulate(Law(game, rules), seed)
        found = separate(game, record, one, other)
        verdict = rejudge(game, record, other)
        assert (found is None) == (verdict.kind == "identical")
        if found is None:
            alike += 1
            continue
        apart += 1
        assert found.one.kind == "identical"
        first = verdict.first.entry if verdict.first is not None else verdict.entry
        assert found.entry <= max(first, 1) and 1 <= found.entry <= len(record)
        back = separate(game, record, other, one)
        assert back is not None and (back.entry, back.outcome_changes) == (found.entry, found.outcome_changes)
    assert apart and (alike or key == "grimoire")


@pytest.mark.smoke
def test_one_reading_is_never_apart_from_itself() -> None:
    game = GAMES["blackpoker"]
    rules = game.versions["8.1-lite-seed"]
    assert separate(game, simulate(Law(game, game.versions["8.1-lite"]), 3), rules, rules) is None
