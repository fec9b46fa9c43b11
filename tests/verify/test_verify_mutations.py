"""The verifier is tried on engines made wrong in one line. All of them: `python -m tools.mutations`."""

import ast
from pathlib import Path

import pytest

from domain.games import GAMES
from tests.games import FINISHED
from tools.mutations import Mutation, Stale, attempt, main, mutate, mutations, source
from tools.trial import CASEBOOK, PERFT, VERIFY, trial

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
EVERY = mutations()


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.breaks)
def test_a_mutation_changes_one_line_that_is_still_there(one: Mutation) -> None:
    before = source(one).read_text(encoding="utf-8")
    after = mutate(before, one)
    changed = [pair for pair in zip(before.split("\n"), after.split("\n"), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1 and one.line != one.instead
    ast.parse(after)


def test_there_are_enough_of_both_games() -> None:
    assert len(EVERY) >= 30 and {one.game for one in EVERY} == set(FINISHED)
    assert len({(one.file, one.line, one.instead) for one in EVERY}) == len(EVERY)
    assert all(sum(one.game == key for one in EVERY) >= 10 for key in FINISHED)


def test_a_line_that_is_gone_is_named() -> None:
    with pytest.raises(Stale, match="stands 0 times"):
        mutate("pass\n", EVERY[0])
    with pytest.raises(Stale, match="stands 2 times"):
        mutate(f"{EVERY[0].line}\n    {EVERY[0].line}\n", EVERY[0])


def test_the_engine_as_it_is_has_nothing_against_it() -> None:
    assert trial(GAMES["grimoire"], ROOT / "fixtures" / "grimoire", (CASEBOOK,)) == {}
    assert trial(GAMES["blackpoker"], ROOT / "fixtures" / "blackpoker", (VERIFY,)) == {}


@pytest.mark.parametrize(
    ("breaks", "witness"),
    [
        ("one bulwark too many may be set in a turn", PERFT),
        ("requests of main timing are made on top of others", VERIFY),
        ("a resolved spell is not spended", CASEBOOK),
    ],
)
def test_a_broken_engine_is_found_out(breaks: str, witness: str) -> None:
    (one,) = (each for each in EVERY if each.breaks == breaks)
    caught = attempt(one).caught
    assert witness in caught, caught


def test_a_mutation_nobody_names_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no such file"]) == 1
    assert "0 mutations" in capsys.readouterr().out
