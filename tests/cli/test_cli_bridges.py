"""What can have happened in a gap, on the command line: who may see it, how sure it is, what a gap does not tell."""

import json
from pathlib import Path

import pytest

from domain.formats.facts import write_fact
from domain.law import entries as E
from domain.law.clause import BY_HAND
from domain.table import facts as F
from tests.cli.runs import fine, inside
from tests.cli.test_cli_paper import KANA, match

SEED = ("--seed", "5")


@pytest.fixture(scope="module")
def kana(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store: Path = tmp_path_factory.mktemp("kana") / "s.sqlite"
    fine(store, "paper", "take", KANA)
    return store


@pytest.fixture
def dealt(tmp_path: Path) -> tuple[Path, list[str]]:
    """A match that was just opened, and what the first pass leads to, as facts are written."""
    ahead, store = tmp_path / "ahead.sqlite", tmp_path / "s.sqlite"
    for each in (ahead, store):
        fine(each, "new", "blackpoker@8.1-lite", "--match", "t1", *SEED)
    before = match(store, "t1")
    (seat,) = before.law.awaited(before.table)
    fine(ahead, "do", "t1", f"{seat}: pass")
    told = E.told(match(ahead, "t1").entries[before.version])
    schema, display = before.opened.schema, before.game.display
    return store, [write_fact((BY_HAND, fact), before.table, schema, display).removeprefix("- ") for _, fact in told]


def test_the_bridge_of_a_sheet_is_written_as_one_would_record_it(kana: Path) -> None:
    ran = fine(kana, "paper", "bridge", "table-9", "--as", "judge")
    assert "  p2: set_bulwark (p2: Set bulwark)\n  p2: choose_bulwark_card u49 " in ran.out
    assert "    + mark p2 bulwarks_set 1 " in ran.out and "\npossible: one way of this length was" in ran.out
    data = json.loads(fine(kana, "paper", "bridge", "table-9", "17", "--as", "judge", "--json").out)
    assert (data["answer"], data["entry"], data["most"], data["count"]) == ("bridged", 17, 2, 1) and "only" not in data
    (way,) = data["ways"]
    assert [said["text"] for said in way["actions"]] == ["p2: set_bulwark", "p2: choose_bulwark_card u49"]
    japanese = fine(kana, "--lang", "ja", "paper", "bridge", "table-9", "--as", "judge")
    assert "可能性あり：この長さでは1通りだけ見つかりました" in japanese.out and "p2：防壁設置" in japanese.out


def test_what_a_bridge_is_made_of_is_for_judges_while_a_match_is_played(kana: Path) -> None:
    for viewer in ((), ("--as", "p1"), ("--as", "p2"), ("--as", "spectator")):
        for command in (("bridge", "table-9"), ("gap", "table-9", "turn u57 up", "--dry-run")):
            refused = inside(kana, "paper", *command, *viewer)
            assert (refused.code, refused.out) == (2, "") and "(--as judge)" in refused.message
            assert "u49" not in refused.err and "CK" not in refused.err


def test_what_is_no_gap_has_no_bridge(kana: Path, dealt: tuple[Path, list[str]]) -> None:
    assert "entry 18 of table-9 is no gap" in inside(kana, "paper", "bridge", "table-9", "18", "--as", "judge").message
    assert "no entry" in inside(kana, "paper", "bridge", "table-9", "99", "--as", "judge").message
    assert "t1 has no gap" in inside(dealt[0], "paper", "bridge", "t1", "--as", "judge").message


def test_facts_can_be_looked_at_before_they_are_recorded(dealt: tuple[Path, list[str]]) -> None:
    store, facts = dealt
    version = match(store, "t1").version
    ran = fine(store, "paper", "gap", "t1", *facts, "--most", "1", "--dry-run", "--as", "judge")
    assert "leads to just what is told" in ran.out and ": pass (" in ran.out and "\ncertain: " in ran.out
    refused = inside(store, "paper", "gap", "t1", "gone u9999", "--dry-run", "--as", "judge")
    assert refused.code == 2 and "u9999" in refused.message
    turned = inside(store, "paper", "gap", "t1", *facts, "mark p1 no_such 3", "--dry-run", "--as", "judge")
    assert turned.code == 2 and "physically impossible" in turned.message
    assert match(store, "t1").version == version


def test_a_gap_that_is_recorded_says_what_can_have_happened_to_judges_alone(dealt: tuple[Path, list[str]]) -> None:
    store, facts = dealt
    told = fine(store, "paper", "gap", "t1", *facts, "--most", "1", "--as", "judge", "--command-id", "c")
    assert "only this can have happened in the gap: " in told.err and ": pass" in told.err
    assert "happened" not in fine(store, "paper", "gap", "t1", *facts, "--most", "1", "--command-id", "c").err
    ran = fine(store, "paper", "bridge", "t1", "--as", "judge")
    assert "\ncertain: " in ran.out
    clock = next(fact for _, fact in E.told(match(store, "t1").entries[-1]) if isinstance(fact, F.Clocked)).clock
    wrong = f"clock turn={clock.turn + 5} active={clock.active} first={clock.first} phase={clock.phase} awaited=p1"
    told = fine(store, "paper", "gap", "t1", wrong, "--most", "1", "--as", "judge")
    assert "no allowed actions lead to what this gap tells" in told.err
    ran = inside(store, "paper", "bridge", "t1", "--as", "judge")
    assert (
        ran.code == 1
        and "no 1 allowed actions or fewer lead" in ran.out
        and f"+ clock turn={clock.turn + 5}" in ran.out
    )
    audited = inside(store, "audit", "t1", "--as", "judge")
    assert audited.code == 1 and "no allowed actions lead across" in audited.out
    assert "no allowed actions" not in inside(store, "audit", "t1").out
