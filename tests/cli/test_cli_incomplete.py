"""An action typed without its target in the terminal: what it lacks is asked, and it can be recorded as it stands."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.law.entries import Entry, Played
from recorder.store import Store
from tests.cli.runs import inside
from tests.cli.test_cli_play import stored
from tests.cli.typist import lines, play
from tests.service.test_incomplete_lines import NEEDED, empty, played_with, write


def begin(folder: Path, game: str, named: str, slot: str) -> tuple[Path, str, str, int]:
    """Store a match just before an action. Return the store, the line, the line without a value, and the entries."""
    one, number, entry, action = next(played_with(game, named, slot))
    store = folder / "s.sqlite"
    with Store.open(store) as opened:
        opened.append("t1", 0, one.entries[:number])
    short = write(one, number, entry, replace(action, **{slot: empty(action, slot)}))
    return store, write(one, number, entry, action), short, number


def newest(store: Path, number: int) -> Entry:
    entries = stored(store).entries
    assert len(entries) > number
    return entries[number]


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_play_lists_the_lines_that_complete_an_action(tmp_path: Path, game: str, named: str, slot: str) -> None:
    store, _, short, number = begin(tmp_path, game, named, slot)
    ran = play(store, "t1", answers=lines(f"!a/{short}/1/"))
    assert "The action lacks" in ran.out
    done = newest(store, number)
    assert isinstance(done, Played) and not done.violations


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_play_records_an_incomplete_action_as_it_stands(tmp_path: Path, game: str, named: str, slot: str) -> None:
    store, _, short, number = begin(tmp_path, game, named, slot)
    ran = play(store, "t1", answers=lines(f"!a/{short}///"))
    assert "Record as it stands" in ran.out
    done = newest(store, number)
    assert isinstance(done, Played) and done.violations


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_do_names_the_lines_that_complete_an_action(tmp_path: Path, game: str, named: str, slot: str) -> None:
    store, complete, short, number = begin(tmp_path, game, named, slot)
    refused = inside(store, "do", "t1", short, "--as", "judge")
    assert refused.code == 1 and f"  {complete}\n" in refused.err and "--as-played" in refused.err
    assert len(stored(store).entries) == number
    assert inside(store, "do", "t1", short, "--as-played").code == 0
    done = newest(store, number)
    assert isinstance(done, Played) and done.violations
