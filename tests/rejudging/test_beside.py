"""The recorded and the rejudged table next to each other: whole boards, every difference marked."""

from pathlib import Path
from typing import Any

from cli.layout import fold, width
from domain.judging.rejudging import rejudge
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.rulesets import with_settings
from domain.table.table import JUDGE
from projections.board import board
from projections.verdicts.board_comparison import BoardComparisonRow, Boards, boards, compare_boards
from tests.cli.runs import inside
from tests.rejudging.records import CHANGE, MATCHES, SMALL, law, load_records
from tests.rows import for_each
from tests.shelves import seen_by

FLIP = ("rejudge", f"{MATCHES}/changes/rc-01.spn", "--set", "throwing.damage_suit=spade", "--as", "judge")


def find_differences(change: dict[str, Any]) -> list[tuple[Any, ...]]:
    found = []
    for _, entries in load_records(SMALL)[:15]:
        game, own = law(entries)
        rules = with_settings(game, own, change)
        if (first := rejudge(game, entries, rules).first) is not None:
            found.append((game, entries, rules, first))
    return found


def test_the_recorded_side_is_the_board_of_the_record_and_the_other_that_of_the_rejudged_table() -> None:
    found = find_differences(CHANGE)
    assert found
    for game, entries, rules, first in found:
        both = boards(*seen_by(game, entries, JUDGE), Law(game, rules), first)
        assert both.recorded == board(*seen_by(game, entries, JUDGE), first.entry)
        sizes = {one.place: one.count for seat in both.rejudged.seats for one in seat.places}
        assert all(len(first.rejudged_table.places.get(place, ())) == count for place, count in sizes.items())


@for_each("lang", ["en", "ja"])
def test_lines_of_one_table_against_itself_are_the_same_and_none_is_lost(lang: Any) -> None:
    for _, entries in load_records(SMALL)[:4]:
        game, rules = law(entries)
        for at in range(1, len(entries), 17):
            one = board(*seen_by(game, entries, JUDGE), at)
            lines = compare_boards(Boards(one, one), Law(game, rules), game.schema(rules), lang)
            assert not any(line.differs for line in lines)
            names = [line.name for line in lines]
            assert len(names) == len(set(names)) and {"p1", "p2"} <= {name.split(" ")[0] for name in names}
            text = " ".join(line.recorded for line in lines)
            faces = [piece.face for piece in fold_entries(entries, at).pieces.values()]
            assert faces and all(face in text for face in faces if face is not None)


def test_what_stands_on_one_side_only_differs() -> None:
    assert BoardComparisonRow("asked", "r5", "").differs and not BoardComparisonRow("p1", "", "").differs


def test_the_command_marks_the_zones_that_differ(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", *FLIP, "--beside")
    marked = [line.split("  ")[1] for line in ran.out.splitlines() if line.startswith("≠")]
    assert marked == ["p1 grave", "p2 life", "p2 grave", "running", "asked", "result"]
    assert ran.code == 1 and "both tables after entry 6" in ran.out
    japanese = inside(tmp_path / "none", *FLIP, "--beside", "--lang", "ja")
    assert "記録6の後の両方の盤面" in japanese.out and japanese.out.count("≠") == len(marked)
    plain = inside(tmp_path / "none", *FLIP)
    assert "≠" not in plain.out and ran.out.startswith(plain.out)


def test_boards_are_in_the_json_only_if_asked_for(tmp_path: Path) -> None:
    data = inside(tmp_path / "none", *FLIP, "--beside", "--json").data
    assert data["boards"]["recorded"]["entry"] == data["boards"]["rejudged"]["entry"] == 6
    assert data["boards"]["rejudged"]["result"]["winners"] == ["p1"]
    assert "boards" not in inside(tmp_path / "none", *FLIP, "--json").data


def test_an_identical_match_has_nothing_to_lay_side_by_side(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", "rejudge", f"{MATCHES}/normal.spn", "--rules", "blackpoker@8.1-lite", "--beside")
    assert ran.code == 0 and "identical" in ran.out and "≠" not in ran.out


@for_each("text", ["", "one", "a b c d", "x" * 30, "記録した対戦 並べて 示す", "見えないカード" * 4])
def test_folded_text_fits_and_says_the_same(text: str) -> None:
    lines = fold(text, 10)
    assert all(0 < width(line) <= 10 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
