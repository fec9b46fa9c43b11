"""The commands `verify` and `perft`, and their errors for bad input."""

from pathlib import Path

import pytest

from archive.verify import verifying
from archive.verify.laws import LAWS
from archive.verify.match_runner import STUMBLES
from archive.verify.steering import ExerciseCounts
from archive.verify.verifying import measure_reach
from domain.games import GAMES
from domain.law.law import Law
from domain.words import LANGS, load_messages
from tests.cli.runs import CASES, DISPUTED, ROOT, fine, inside
from tests.rows import for_each

pytestmark = pytest.mark.random

STORE = "unused.sqlite"
BOOK = CASES / "e48-e58.cases.toml"


def test_verify_answers_in_words_and_in_json() -> None:
    arguments = ("verify", "blackpoker@8.1-lite", "--matches", "1", "--steer")
    for lang in LANGS:
        out = fine(STORE, *arguments, "--lang", lang).out
        key = "head.plain"
        assert (load_messages()[key].ja if lang == "ja" else load_messages()[key].en) in out
    data = fine(STORE, *arguments, "--json").data
    assert data["matches"] == 1 and data["failures"] == []
    assert data["reached"].keys() == data["plain"].keys()
    assert 0 < data["reached"]["told"]["reached"] < data["reached"]["told"]["of"]
    assert fine(STORE, *arguments, "--json").data == data


def test_every_law_and_everything_reached_has_its_words() -> None:
    assert {f"law.{name}" for name in (*(law.name for law in LAWS), STUMBLES)} <= set(load_messages())
    game = GAMES["blackpoker"]
    assert {f"reached.{what}" for what in measure_reach(game, ExerciseCounts())} <= set(load_messages())


def test_a_failure_says_how_to_replay_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.table.physics.Physics.overfull", lambda self, table: iter((("p1.hand", 1),)))
    out = tmp_path / "out"
    ran = inside(STORE, "verify", "blackpoker@8.1-lite", "--matches", "1", "--seed", "3", "--out", out)
    assert ran.code == 1
    (match,) = out.glob("*.spn")
    assert str(match) in ran.out and "--record" in ran.out
    assert inside(STORE, "verify", "blackpoker@8.1-lite", "--record", match).code == 1
    monkeypatch.undo()
    assert inside(STORE, "verify", "blackpoker@8.1-lite", "--record", match).code == 0


def test_where_a_failure_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.table.physics.Physics.overfull", lambda self, table: iter((("p1.hand", 1),)))
    (tmp_path / "file").write_text("")
    ran = inside(STORE, "verify", "blackpoker@8.1-lite", "--matches", "1", "--out", tmp_path / "file")
    assert ran.code == 2 and str(tmp_path / "file")[:40] in ran.message
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_perft_counts_depth_by_depth() -> None:
    data = fine(STORE, "perft", BOOK, "--case", "E56b", "--depth", "3", "--divide", "--json").data
    assert data["counts"][-1] == sum(data["divide"].values()) and len(data["counts"]) == 3
    assert str(data["counts"][-1]) in fine(STORE, "perft", BOOK, "--case", "E56b", "--depth", "3").out
    other = fine(STORE, "perft", "blackpoker@8.1-lite", "--depth", "1", "--set", "grave_top=auto_last", "--json").data
    assert other["position"] == "blackpoker@8.1-lite" and other["counts"][0] > 1


def test_perft_divides_by_the_first_action_and_leaves_verbs_out() -> None:
    arguments = ("perft", BOOK, "--case", "E56b", "--depth", "2", "--divide")
    whole = fine(STORE, *arguments, "--json").data
    assert whole["divide"]["p1: concede"] == 0, "no entry comes after it"
    without = fine(STORE, *arguments, "--without", "concede", "--without", "pass", "--json").data
    verbs = {action.split()[1] for action in whole["divide"]}
    assert {action.split()[1] for action in without["divide"]} == verbs - {"concede", "pass"}
    assert len(without["divide"]) == without["counts"][0] < whole["counts"][0]
    assert sum(without["divide"].values()) == without["counts"][1] < whole["counts"][1]
    for lang, head in (("en", "action"), ("ja", "アクション")):
        assert head in fine(STORE, *arguments, "--lang", lang).out


def test_perft_counts_a_case_under_another_reading() -> None:
    arguments = ("perft", CASES / "options-a30-a39.cases.toml", "--case", "A-30/legal", "--depth", "1", "--divide")
    legal = fine(STORE, *arguments, "--json").data["divide"]
    illegal = fine(STORE, *arguments, "--set", "attack.empty=illegal", "--json").data["divide"]
    assert legal == {**illegal, "p1: attack": 1} and "p1: attack" not in illegal


BAD: dict[str, tuple[tuple[object, ...], tuple[str, ...]]] = {
    "no game": (("verify", "no-such-game@1"), ("'no-such-game'", "blackpoker")),
    "no version": (("verify", "blackpoker@7"), ("'7'",)),
    "no jobs": (("verify", "blackpoker@8.1-lite", "--jobs", "0"), ("--jobs 0", "256")),
    "no matches": (("verify", "blackpoker@8.1-lite", "--matches", "0"), ("--matches 0", "100000")),
    "bad seed": (("verify", "blackpoker@8.1-lite", "--seed", "-1"), ("-1",)),
    "bad option": (("verify", "blackpoker@8.1-lite", "--set", "grave_top=never"), ("grave_top", "'never'")),
    "no record": (("verify", "blackpoker@8.1-lite", "--record", "nowhere.spn"), ("nowhere.spn",)),
    "record and matches": (
        ("verify", "grimoire@1", "--record", DISPUTED, "--matches", "20"),
        ("--matches", "--record"),
    ),
    "record and seed": (("verify", "grimoire@1", "--record", DISPUTED, "--seed", "1"), ("--seed", "--record")),
    "record and jobs": (("verify", "grimoire@1", "--record", DISPUTED, "--jobs", "1"), ("--jobs", "--record")),
    "record and steer": (("verify", "grimoire@1", "--record", DISPUTED, "--steer"), ("--steer", "--record")),
    "other game": (("verify", "grimoire@1", "--record", DISPUTED), ("blackpoker", "grimoire")),
    "depth nothing": (("perft", "blackpoker@8.1-lite", "--depth", "0"), ("depth 0", "8")),
    "depth much": (("perft", "blackpoker@8.1-lite", "--depth", "9"), ("depth 9", "8")),
    "no case": (("perft", BOOK, "--case", "E5", "--depth", "1"), ("'E5'", "E58")),
    "which case": (("perft", BOOK, "--depth", "1"), ("e48-e58", "--case")),
    "no file": (("perft", "nowhere.cases.toml", "--depth", "1"), ("nowhere.cases.toml",)),
    "case of no file": (("perft", "blackpoker@8.1-lite", "--case", "E5", "--depth", "1"), ("--case",)),
    "frame of a case": (("perft", BOOK, "--case", "E56b", "--depth", "1", "--frame", "full54"), ("--frame",)),
    "bad set of a case": (
        ("perft", BOOK, "--case", "E56b", "--depth", "1", "--set", "grave_top=never"),
        ("grave_top", "'never'"),
    ),
    "no such verb": (
        ("perft", "blackpoker@8.1-lite", "--depth", "1", "--without", "conced"),
        ("'conced'", "concede"),
    ),
    "no such version": (("perft", "grimoire@9", "--depth", "1"), ("'9'",)),
    "no deck": (
        ("verify", "grimoire@1", "--set", "grimoire_max=70", "--set", "grimoire_min=60", "--jobs", "2"),
        ("GR-2.11",),
    ),
    "no law": (("perft", ROOT / "fixtures/dea/positions/hard.cases.toml", "--depth", "1"), ("hard.cases.tom",)),
}


@for_each("name", BAD)
def test_bad_input_is_named_in_both_languages(name: str) -> None:
    arguments, named = BAD[name]
    ran = inside(STORE, *map(str, arguments))
    assert (ran.code, ran.out) == (2, ""), ran
    assert all(word in ran.message for word in named), ran.message
    japanese = inside(STORE, *map(str, arguments), "--lang", "ja")
    assert japanese.code == 2 and japanese.message != ran.message


def test_more_sequences_than_can_be_counted_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.verify.perft.SEQUENCES_MAX", 50)
    ran = inside(STORE, "perft", str(BOOK), "--case", "E56b", "--depth", "3")
    assert ran.code == 2 and "E56b" in ran.message and "depth 2" in ran.message


def test_a_run_with_many_failures_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.table.physics.Physics.overfull", lambda self, table: iter((("p1.hand", 1),)))
    game = GAMES["blackpoker"]
    report = verifying.verify(Law(game, game.versions["8.1-lite"]), 40)
    assert len(report.failures) == report.matches < 40
