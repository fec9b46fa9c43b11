"""The soak: a few matches, its output, and its response to a failure and to Ctrl-C."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.invariants import of_table
from tests import soak
from tests.laws import samples, soundness
from tests.rows import for_each
from tests.rules.dea import matches as dea
from tests.rules.grimoire import matches as grimoire

KEY = "blackpoker"
ROOT = Path(__file__).parents[1]


def one_game(*arguments: str) -> list[str]:
    return ["--game", KEY, "--jobs", "1", *arguments]


@pytest.mark.nightly
def test_a_few_matches_are_sound_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--matches", "6", "--every", "6", "--jobs", "2"]) == 0
    said = capsys.readouterr().out
    assert f"matches: {6 * len(GAMES)} in " in said and "failures: 0" in said
    assert re.search(r"frames: .*entry20 [1-9].*full54 [1-9]", said)
    assert re.search(rf"{KEY}: of \d+ clauses [1-9]\d* told facts, [1-9]\d* were consulted", said)
    assert re.search(
        rf"matches held against every invariant {6 * len(GAMES)}, records dealt anew [1-9]\d*, tables dealt anew [1-9]",
        said,
    )
    assert re.search(rf"slowest match: ({'|'.join(GAMES)}) [0-5], \d+ entries, ", said)


@pytest.mark.nightly
def test_grimoire_is_played_by_all_kinds_of_tables_with_random_decks(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "grimoire", "--matches", "4", "--seed", "18", "--every", "0", "--jobs", "2"]
    assert soak.main(arguments) == 0
    said = capsys.readouterr().out
    assert "matches: 4 in " in said and "failures: 0" in said and "blackpoker" not in said
    for table in ("grimoire 2 players", "grimoire 3 players", "grimoire 4 players in teams"):
        assert re.search(rf"{table} [1-9]", said), table
    assert re.search(r"cards cast: \d{2,}, \d{2} different ones; least of all S\d\d 1", said)
    assert re.search(r"actions: [\d,]+ \(activate \d+, cast [1-9].*od_explosion [1-9].*trance_hand [1-9]", said)
    assert "matches held against every invariant 4" in said


@pytest.mark.nightly
def test_dea_is_played_on_all_maps_with_random_plots(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "dea", "--matches", "8", "--seed", "3", "--every", "0", "--jobs", "2"]
    assert soak.main(arguments) == 0
    said = capsys.readouterr().out
    assert "matches: 8 in " in said and "failures: 0" in said
    for size in ("3x5", "5x5", "5x7"):
        assert re.search(rf"dea {size} [1-9]", said), size
    assert re.search(r"actions: [\d,]+ \(attack \d+, .*convert_hand [1-9].*use_foreshadow [1-9]", said)
    assert "matches held against every invariant 8" in said


def test_a_broken_invariant_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    once, played = of_table(31, lambda rules, t: t.clock.turn < 2), soak.play_sample
    wrong = replace(GAMES[KEY], invariants=lambda rules: (once,))
    monkeypatch.setattr(soak, "play_sample", lambda key, seed: replace(played(key, seed), game=wrong))
    assert soak.main(one_game("--matches", "1")) == 1
    said = capsys.readouterr().out
    assert re.search(rf"FAILED: {KEY}, match 0: AssertionError: entry \d+: invariant 31 is broken: <lambda>", said)


def test_without_a_number_every_game_is_played_up_to_its_own() -> None:
    asked = soak._parse_arguments(["--from", "4990"])
    work = list(soak.batches(asked))
    assert {key for key, *_ in work} == set(GAMES)
    assert max(numbers.stop for key, _, numbers, _ in work if key == "grimoire") == 5_000
    assert max(numbers.stop for key, _, numbers, _ in work if key == KEY) == 10_000
    done = sum(len(numbers) for _, _, numbers, _ in work[:5])
    assert soak.left_over(asked, done) == f"--seed 0 --from {work[5][2].start}"


@pytest.mark.nightly
def test_one_process_and_two_see_the_same() -> None:
    seen = [soak.Tally(), soak.Tally()]
    for jobs, total in zip(("1", "2"), seen, strict=True):
        asked = soak._parse_arguments(["--matches", "7", "--from", "3", "--jobs", jobs, "--every", "0"])
        for found in soak.results(asked):
            total.add(found)
    assert seen[0].matches == 7 * len(GAMES)
    for name in ("matches", "entries", "facts", "clauses", "options", "frames", "longest"):
        assert getattr(seen[0], name) == getattr(seen[1], name), name


def test_a_failure_names_the_match_and_how_to_play_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = soundness._whole
    monkeypatch.setattr(soundness, "_whole", lambda table: whole(table) and table.clock.turn < 2)
    assert soak.main(one_game("--matches", "1", "--from", "4", "--seed", "8")) == 1
    said = capsys.readouterr().out
    assert f"FAILED: {KEY}, match 4: AssertionError: entry " in said and "a card is missing" in said
    assert f"again: python -m tests.soak --game {KEY} --seed 8 --from 4 --matches 1 --jobs 1 --every 0" in said
    assert "failures: 1" in said


def test_ctrl_c_ends_with_the_figures_and_where_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    batches = iter([soak.Tally(matches=soak.BATCH)])

    def interrupted(*_: object) -> soak.Tally:
        try:
            return next(batches)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(soak, "batch", interrupted)
    assert soak.main(one_game("--matches", "40", "--from", "10")) == 130
    said = capsys.readouterr().out
    assert f"stopped; go on with --seed 0 --from {10 + soak.BATCH} --matches {40 - soak.BATCH}" in said


@pytest.mark.nightly
def test_nothing_is_kept_of_a_match() -> None:
    soak.soak(KEY, 0, 1, search=False)
    soak.soak("grimoire", 0, 2, search=False)
    soak.soak("dea", 0, 3, search=False)
    own = (kept for game in (dea, grimoire) for kept in (game.match, game.rules_of))
    for kept in (samples.sample, samples.moments, samples.rules_of, *own):
        assert kept.cache_info().currsize == 0


@for_each(
    "wrong", [["--matches", "0"], ["--jobs", "none"], ["--game", "no-such-game"], ["--from", "-1"], ["--from", "5000"]]
)
def test_bad_arguments_are_told(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        soak.main(wrong)
    assert stopped.value.code == 2 and wrong[0] in capsys.readouterr().err


def test_make_soak_runs_it() -> None:
    assert "\n\t$(BIN)/python -m tests.soak\n" in (ROOT / "Makefile").read_text(encoding="utf-8")
