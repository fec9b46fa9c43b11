"""All matches of a round opened at once from the command line."""

from pathlib import Path

import pytest

from domain.law.timers import RoundTimer, timer_note
from recorder import matches
from recorder.answers import RecordResult
from recorder.store import Store
from tests.cli.runs import fine, inside

pytestmark = pytest.mark.random
ROUND = ("--event", "春の大会", "--round", "1")
LITE = "blackpoker@8.1-lite"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "round.csv"
    path.write_text("table,p1,p2\n1,Ann,Bo\n2,Cy,Di\n", encoding="utf-8")
    return path


def test_a_round_is_opened_and_opened_again_only_where_it_is_not(tmp_path: Path, file: Path) -> None:
    store = tmp_path / "cup.sqlite"
    first = fine(store, "pairings", LITE, file, *ROUND, "--policy", "standard", "--json").data
    assert [(row["table"], row["names"], row["new"]) for row in first] == [
        ("1", {"p1": "Ann", "p2": "Bo"}, True),
        ("2", {"p1": "Cy", "p2": "Di"}, True),
    ]
    file.write_text(file.read_text(encoding="utf-8") + "3,Eve,Flo\n", encoding="utf-8")
    again = fine(store, "pairings", LITE, file, *ROUND, "--policy", "standard", "--json").data
    assert [row["match"] for row in again[:2]] == [row["match"] for row in first]
    assert [row["new"] for row in again] == [False, False, True]
    listed = fine(store, "matches", "--json").data
    assert [(row["names"]["p1"], row["occasion"]["table"], row["occasion"]["event"]) for row in listed[::-1]] == [
        ("Ann", "1", "春の大会"), ("Cy", "2", "春の大会"), ("Eve", "3", "春の大会"),
    ]  # fmt: skip
    other = fine(store, "pairings", LITE, file, "--event", "春の大会", "--round", "2", "--json").data
    assert all(row["new"] for row in other) and not {row["match"] for row in other} & {row["match"] for row in again}
    assert (
        "opened: 0, already open: 3" in fine(store, "pairings", LITE, file, "--event", "春の大会", "--round", "2").out
    )


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("1,Ann,Cy\n3,Eve,Flo\n", "table 1 of this round already has a different pairing"),
        ("3,Eve,Flo\n3,Gil,Hal\n", "round.csv:3"),
        ("3,Eve\n", "2 cells"),
    ],
)
def test_a_round_is_opened_whole_or_not_at_all(tmp_path: Path, file: Path, rows: str, words: str) -> None:
    store = tmp_path / "cup.sqlite"
    fine(store, "pairings", LITE, file, *ROUND)
    before = fine(store, "matches", "--json").data
    file.write_text("table,p1,p2\n" + rows, encoding="utf-8")
    ran = inside(store, "pairings", LITE, file, *ROUND)
    assert (ran.code, ran.out) == (2, "") and words in ran.message
    assert fine(store, "matches", "--json").data == before


def test_decks_are_brought_along_and_a_wrong_one_opens_nothing(tmp_path: Path, file: Path) -> None:
    store = tmp_path / "cup.sqlite"
    file.write_text("table,p1,p2,p1_deck\n1,Ann,Bo,\n2,Cy,Di,gone.toml\n", encoding="utf-8")
    ran = inside(store, "pairings", LITE, file, *ROUND)
    assert ran.code == 2 and "gone.toml" in ran.message and not store.exists()
    file.write_bytes(b"table,p1\n1,\xff\n")
    broken = inside(store, "pairings", LITE, file, *ROUND)
    assert broken.code == 2 and "round.csv" in broken.message
    assert inside(store, "pairings", LITE, tmp_path / "none.csv", *ROUND).code == 2


def test_a_round_is_opened_with_a_length_for_its_timer(tmp_path: Path, file: Path) -> None:
    store = str(tmp_path / "m.db")
    for given in ("0", "-5", "1441", "fifty"):
        wrong = inside(store, "pairings", LITE, file, *ROUND, f"--minutes={given}")
        assert wrong.code == 2 and f"1 to 1440 whole minutes, not {given}" in wrong.message
    fine(store, "pairings", LITE, file, *ROUND, "--minutes", "50")
    rows = fine(store, "matches", "--json").data
    assert rows and all(row["countdown"] == {"minutes": 50} for row in rows)
    note = timer_note(RoundTimer(50, 60_000), "timer_start")
    with Store.open(store) as opened:
        assert isinstance(matches.note(opened, rows[0]["match"], "head Abe", note), RecordResult)
    begun = {"minutes": 50, "start": 60_000, "end": 51 * 60_000}
    assert fine(store, "matches", "--json").data[0]["countdown"] == begun
    moved = fine(store, "export", rows[0]["match"], "--as", "judge").out
    assert "[timer minutes=50]" in moved


def test_a_round_of_real_cards_and_phones_is_opened_by_option_and_column(tmp_path: Path, file: Path) -> None:
    store = tmp_path / "cup.sqlite"
    file.write_bytes("卓;選手1;選手2;カード\r\n1;佐藤;鈴木;\r\n2;Cy;Di;スマホ\r\n".encode("cp932"))
    opened = fine(store, "pairings", LITE, file, *ROUND, "--no-deal", "--json").data
    assert [(row["names"]["p1"], row.get("cards", "dealt")) for row in opened] == [("佐藤", "real"), ("Cy", "phones")]
    both = inside(store, "pairings", LITE, file, *ROUND, "--no-deal", "--phones")
    assert both.code == 2 and "not both" in both.message
    new = fine(store, "new", LITE, "--p1", "Ann", "--p2", "Bo", "--phones", "--match", "own").out
    assert new == "own\n" and "players act on their own phones" in fine(store, "log", "own", "--as", "judge").out
    alike = inside(store, "new", LITE, "--p1", "Ann", "--p2", "ａｎｎ")
    assert alike.code == 2 and "looks like Ann" in alike.message


def test_results_are_listed_and_written_to_a_file(tmp_path: Path, file: Path) -> None:
    store, out = tmp_path / "cup.sqlite", tmp_path / "results.csv"
    first, _ = fine(store, "pairings", LITE, file, *ROUND, "--json").data
    fine(store, "do", first["match"], "p1: concede", "--as-played", "--confirm")
    shown = fine(store, "results", *ROUND).out
    assert shown.splitlines()[0].startswith("table,player1,player2,winner,result,turns")
    assert "1,Ann,Bo,Bo,won," in shown and "2,Cy,Di,,not finished," in shown
    written = fine(store, "results", *ROUND, "--out", out, "--excel")
    assert "2 matches, 1 unfinished" in written.out and out.read_bytes().startswith(b"\xef\xbb\xbftable")
    assert fine(store, "results", *ROUND, "--json").data[0]["winners"] == ["Bo"]
    assert inside(store, "results", "--event", "x", "--round", "1").code == 2
