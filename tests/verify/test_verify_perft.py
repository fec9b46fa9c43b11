"""Frozen counts of action sequences, so that the set of legal actions cannot change unnoticed."""

from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from archive.verify import perft as counting
from archive.verify.perft import TooMany, count_by_action, moves_of, opening_table, perft, settled_tables
from domain.formats.actions import write_action
from domain.games import GAMES
from domain.law.driver import decide
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table.table import CHANCE
from tests.games import FINISHED
from tests.rotation import rotate
from tests.toy import TOY
from tests.toys.stones import GAME as STONES
from tools.frozen import changes, count_anew, file_text, lay_out, positions

pytestmark = pytest.mark.random

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("key", rotate(FINISHED, 2))
def test_as_many_sequences_as_were_counted_before(key: str) -> None:
    counted = {one.name: count_anew(GAMES[key], FIXTURES / key, one) for one in positions(FIXTURES / key)}
    frozen = {one.name: one.divide for one in positions(FIXTURES / key)}
    assert counted == frozen, "python -m tools.frozen writes the numbers anew"


def test_every_game_has_positions_with_many_verbs() -> None:
    for key in FINISHED:
        own = positions(FIXTURES / key)
        assert len(own) >= 6
        reached = {verb for one in own for verb, number in one.divide.items() if number}
        assert len(reached) >= min(9, len(GAMES[key].action_types) // 2), "what nobody awaited may do is not counted"
    text = file_text([(one, one.divide) for one in positions(FIXTURES / "grimoire")])
    assert text == (FIXTURES / "grimoire" / "perft.toml").read_text(encoding="utf-8")


def test_a_changed_number_is_named(tmp_path: Path) -> None:
    (tmp_path / "cases").symlink_to(FIXTURES / "blackpoker" / "cases")
    one = min(positions(FIXTURES / "blackpoker"), key=lambda each: sum(each.divide.values()))
    verb = next(iter(one.divide))
    (tmp_path / "perft.toml").write_text(file_text([(one, {**one.divide, verb: one.divide[verb] + 1})]))
    ((position, found),) = changes(GAMES["blackpoker"], tmp_path)
    assert position.name == one.name and found == one.divide


@pytest.mark.parametrize("key", FINISHED)
def test_a_count_is_the_sum_of_the_counts_behind_each_action(key: str) -> None:
    game = GAMES[key]
    one = min(positions(FIXTURES / key), key=lambda each: sum(each.divide.values()))
    rules, table = lay_out(game, FIXTURES / key, one)
    (start,) = settled_tables(Law(game, rules), table)
    behind = 0
    for actor, action in moves_of(Law(game, rules), start):
        outcome = decide(Law(game, rules), start, actor, action)
        assert isinstance(outcome, Accepted)
        behind += sum(perft(Law(game, rules), after, 1) for after in settled_tables(Law(game, rules), outcome.table))
    assert perft(Law(game, rules), table, 2) == behind == sum(count_by_action(Law(game, rules), table, 2).values())
    assert perft(Law(game, rules), table, 1) == len(list(moves_of(Law(game, rules), start)))
    assert perft(Law(game, rules), table, 0) == 1


def test_chance_is_gone_through_where_it_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["blackpoker"]
    rules = next(iter(game.versions.values()))
    table = opening_table(Law(game, rules))
    assert CHANCE in game.awaited(table)
    begun = list(settled_tables(Law(game, rules), table))
    assert len(begun) == 2, "of shuffled decks the first order stands for all; then a coin falls in both ways"
    assert {one.clock.first for one in begun} == set(game.seats(rules))
    assert len(list(islice(counting._enumerate_chance(Law(game, rules), table), 10))) == counting.OUTCOMES_MAX + 1
    coins = list(counting._enumerate_chance(with_chance(lambda below: (below(2), below(3))), table))
    assert coins == [(a, b) for a in range(2) for b in range(3)]
    same = list(counting._enumerate_chance(with_chance(lambda below: below(4) // 2), table))
    assert same == [0, 1]


def test_verbs_can_be_left_out_and_first_actions_told_apart() -> None:
    """There are ten steps from either bank, and the awaited seat may concede, so the counts can be checked by hand."""
    law = Law(STONES, STONES.latest)
    table = opening_table(law)
    assert [perft(law, table, depth) for depth in (1, 2)] == [11, 110]
    assert [perft(law, table, depth, {"concede"}) for depth in (1, 2)] == [10, 100]
    named = partial(write_action, STONES)
    split = count_by_action(law, table, 2, {"concede"}, named)
    assert len(split) == 10 and set(split.values()) == {10}
    assert count_by_action(law, table, 2) == {"concede": 0, "move": 110}
    assert perft(law, table, 1, {"concede", "move"}) == 0


def with_chance(draw: object) -> object:
    class Coins:
        @staticmethod
        def chance(table: object, below: object) -> object:
            return draw(below)  # type: ignore[operator]

    return Coins()


def test_too_many_sequences_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = next(iter(TOY.versions.values()))
    table = opening_table(Law(TOY, rules))
    assert perft(Law(TOY, rules), table, 2) > 1
    monkeypatch.setattr(counting, "SEQUENCES_MAX", 1)
    with pytest.raises(TooMany):
        perft(Law(TOY, rules), table, 2)
