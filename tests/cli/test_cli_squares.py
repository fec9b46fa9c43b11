"""Boards with named squares: same notation in input and output, drawn for the viewer, entered with keys."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.play import labels
from cli.play.actions import Asker
from cli.play.keys import Keys, LineKeySource
from cli.play.offers import ActorPosition
from cli.play.paper import Paper
from cli.play.picker import Item, Picker
from domain.formats.casebook.load import StartPosition
from domain.formats.casebook.start_position import build
from domain.games import GAMES
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.offers import SlotChoice, Template
from domain.law.slots import Action, Cards
from domain.table.physics import Physics
from recorder.simulate import simulate
from tests.cli.runs import fine, inside
from tests.cli.typist import lines, play
from tests.toys.chart import CHART, P1, Rules, schema
from tests.toys.stones import GAME as STONES


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setitem(GAMES.loaded, CHART.key, CHART)
    path = tmp_path / "chart.sqlite"
    fine(path, "new", "chart@1", "--match", "m")
    yield path


def export_lines(store: Path) -> list[str]:
    found = re.findall(r"^\d+\. (p\d: \w+[^@\n]*?) *(?:@|$)", fine(store, "export", "m", "--as", "judge").out, re.M)
    return [line.strip() for line in found]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_squares_are_shown_as_they_are_typed(store: Path, lang: str) -> None:
    fine(store, "do", "m", "p1: step a1 c4")
    fine(store, "do", "m", "p2: step unit:3,10 unit:2,5")
    for command in (("log", "m"), ("why", "m", "2"), ("diff", "m", "1", "3"), ("show", "m"), ("when", "m", "c4")):
        out = fine(store, *command, "--lang", lang).out
        assert "c4" in out and "unit:" not in out and "3,4" not in out, out
    assert "ground:" not in fine(store, "log", "m", "--lang", lang).out
    assert export_lines(store) == ["p1: step u1 c4", "p2: step S1 b5"]
    legal = fine(store, "legal", "m", "--as", "p1", "--limit", "100").out
    assert "p1: step u1 c10\n" in legal and "unit:" not in legal
    against = inside(store, "why-not", "m", "p2: step a10 c4", "--lang", lang)
    assert against.code == 1 and "unit:" not in against.out


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_path_is_told_square_by_square(store: Path, lang: str) -> None:
    fine(store, "do", "m", "p1: walk a1 b1,unit:2,2")
    for command in (("log", "m"), ("why", "m", "2")):
        out = fine(store, *command, "--lang", lang).out
        assert ("b1, b2" if lang == "en" else "b1、b2") in out and "unit:" not in out, out
    assert export_lines(store) == ["p1: walk u1 b1,b2"]
    told = fine(store, "log", "m", "--json").data["entries"][1]["action"]["slots"][1]
    assert told == {"name": "path", "kind": "places", "places": ["unit:2,1", "unit:2,2"]}
    against = inside(store, "why-not", "m", "p2: walk a10 c10", "--lang", lang)
    assert against.code == 1 and "c10" in against.out and "unit:" not in against.out
    legal = fine(store, "legal", "m", "--as", "p2", "--limit", "100").out
    assert "p2: walk u5 b10,c10\n" in legal
    assert "p1: walk u1 b1,b2 " in fine(store, "perft", "chart@1", "--depth", "1", "--divide").out


@pytest.mark.parametrize(
    ("keys", "walked"),
    [
        ("w 1 b1 b2", "b1,b2"),
        ("w 1 b1", "b1"),
        ("w 1 b1 < a2 a3", "a2,a3"),
    ],
)
def test_a_path_is_picked_square_by_square(store: Path, keys: str, walked: str) -> None:
    ran = play(store, "m", answers=lines(f"{keys}/."))
    assert export_lines(store)[:1] == [f"p1: walk u1 {walked}"], ran.out[-2500:]


def test_records_and_json_hold_places_as_they_were(store: Path) -> None:
    fine(store, "do", "m", "p1: step a1 c4")
    told = fine(store, "log", "m", "--json").data["entries"][1]
    assert told["action"]["slots"][1]["value"] == told["facts"][0]["place"] == "unit:3,4"
    shared = {place["place"]: place["called"] for place in fine(store, "show", "m", "--json").data["board"]["shared"]}
    assert shared["unit:3,4"] == "c4" and shared["ground:1,2"] == "ground:a2"
    exported = fine(store, "export", "m", "--as", "judge", "--format", "jsonl").out
    assert '"unit:3,4"' in exported and "called" not in exported


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p1: step a1 d4", "a1 %s c10"),
        ("p1: step a1 a11", "a1 %s c10"),
        ("p1: step d1 a4", "a1 %s c10"),
        ("p1: step a1 p1.f4", "p1.f1 %s p1.f3"),
    ],
)
def test_a_square_that_is_not_there_is_refused_with_those_that_are(
    store: Path, text: str, said: str, lang: str
) -> None:
    for command in (("do", "m", text), ("why-not", "m", text)):
        ran = inside(store, *command, "--lang", lang)
        assert ran.code == 2 and all(end in ran.message for end in said.split(" %s ")), ran.err
    wrong = text.split()[-1] if "d1" not in text else "d1"
    for command in (("when", "m", wrong), ("correct", "m", "--reason", "x", f"- move u1 {wrong}")):
        ran = inside(store, *command, "--lang", lang)
        assert ran.code == 2 and said.split()[-1] in ran.message, ran.err
    assert fine(store, "show", "m", "--json").data["board"]["entry"] == 1, "nothing was recorded"


def test_a_judge_enters_facts_on_squares(store: Path) -> None:
    fine(store, "correct", "m", "--reason", "slipped", "- move u1 c4 up")
    assert "a1 → c4" in fine(store, "log", "m").out


def test_show_draws_the_map_and_plain_tells_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = fine(store, "show", "m", "--as", "p1").out
    assert "|" in drawn and "[S1] p1" in drawn and "[?] p2" in drawn and "S1] p2" not in drawn
    told = [
        fine(store, "show", "m", "--as", "p1", "--plain").out,
        fine(store, "--plain", "show", "m", "--as", "p1").out,
    ]
    monkeypatch.setenv("SHINPAN_PLAIN", "1")
    told.append(fine(store, "show", "m", "--as", "p1").out)
    assert len(set(told)) == 1 and "|" not in told[0]
    assert "  c1 S1 Scout (u2) face down, of p1\n" in told[0] and "  c10 u6 face down, of p2\n" in told[0]


def test_watch_draws_the_same_map(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q"))
    watched, shown = fine(store, "watch", "m").out, fine(store, "show", "m").out
    drawing = [line for line in shown.splitlines() if "|" in line]
    assert drawing and all(line in watched for line in drawing)
    told = fine(store, "watch", "m", "--plain")
    assert "|" not in told.out and "  c1 u2 face down, of p1" in told.out


def test_play_draws_the_same_map(store: Path) -> None:
    ran = play(store, "m", "--as", "p1", answers=lines("=/."))
    drawing = [line for line in fine(store, "show", "m", "--as", "p1").out.splitlines() if "|" in line]
    assert drawing and all(line in ran.out for line in drawing)
    told = play(store, "m", "--as", "p1", "--plain", answers=lines("=/.")).out
    assert not any(line in told for line in drawing) and "  c1 S1 Scout (u2) face down, of p1" in told


CASE = """
game = "chart"
version = "1"
[[case]]
id = "wrong"
clauses = ["CH-3"]
[case.given]
turn = 1
active = "p1"
first = "p1"
phase = "play"
awaited = ["p1"]
[case.given.places]
c4 = ["G1 up owner=p1"]
a10 = ["S1 down owner=p2"]
[[case.step]]
when = ["p1: step c4 c5"]
then.places = { "c4" = ["G1 owner=p1"] }
"""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_assertion_that_fails_shows_the_map(store: Path, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "chart.cases.toml"
    file.write_text(CASE, encoding="utf-8")
    ran = inside(store, "case", "run", file, "--lang", lang)
    assert ran.code == 1 and "G1 p1" in next(line for line in ran.out.splitlines() if line.startswith(" 5 |"))
    assert "[S1] p2" in ran.out
    told = inside(store, "case", "run", file, "--lang", lang, "--plain").out
    assert "|" not in told and "  c5 " in told
    file.write_text(CASE.replace('"c4" = ["G1', '"c5" = ["G1'), encoding="utf-8")
    assert "|" not in fine(store, "case", "run", file, "--lang", lang).out


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_two_tables_beside_each_other_have_a_map_each(
    tmp_path: Path, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES.loaded, STONES.key, STONES)
    path = tmp_path / "stones.sqlite"
    fine(path, "new", "stones@1", "--match", "m")
    for line in ("p1: move b1 b2", "p2: move d4 d3", "p1: move b2 b3", "p2: move d3 d2", "p1: move b3 b4"):
        fine(path, "do", "m", line)
    asked = ("rejudge", "m", "--set", "goal=1", "--as", "judge", "--beside", "--lang", lang)
    ran = inside(path, *asked)
    recorded, rejudged = (row for row in ran.out.splitlines() if row.startswith("4 |"))
    assert ran.code == 1 and recorded == rejudged == "4 | W p2 | R p1 | W p2 |      |"
    told = inside(path, *asked, "--plain").out
    for out in (ran.out, told):
        rows = [line.split("  ", 2) for line in out.splitlines() if line.startswith(("≠", "   b4"))]
        assert {row[1].strip() for row in rows} >= {"b4"} and any(row[0] == "≠" for row in rows), rows
    assert "4 |" not in told


# -- keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "done"),
    [
        ("sa1c4", "p1: step u1 c4"),
        ("sc1b1\n", "p1: step S1 b1"),  # b1 is a prefix of b10
        ("sa1/c1\n", "p1: step u1 c1"),
        ("sc1 c10", "p1: step S1 c10"),
        ("sc1/b10", "p1: step S1 b10"),
        ("ss1/unit:2,2", "p1: step S1 b2"),
        ("s1/unit:3,4", "p1: step u1 c4"),
    ],
)
def test_a_square_is_typed_whole_and_names_the_piece_on_it(store: Path, typed: str, done: str) -> None:
    ran = play(store, "m", answers=lines(f"{typed}/."))
    assert ran.code == 0 and export_lines(store)[0] == done, ran.out[-1500:]


@pytest.mark.parametrize(("typed", "meant"), [("c4", "unit:3,4"), ("unit:c4", "unit:3,4"), ("b1", "unit:2,1")])
def test_a_unit_is_typed_by_its_square_whichever_layer_has_the_short_name(typed: str, meant: str) -> None:
    game = GAMES["skillbook"]
    rules = game.latest
    laid = {
        place: (f"S01 owner={seat}",) for place, seat in (("unit:3,4", "p1"), ("unit:2,1", "p1"), ("unit:7,7", "p2"))
    }
    given = StartPosition(
        phase="main", step="idle", places={**laid, "c4": ("plain up owner=p1",), "b1": ("plain owner=p1",)}
    )
    board = build(game.schema(rules), game.seats(rules), given, display=game.display).table
    paper = Paper(out := io.StringIO(), "en")
    asked = Picker(Keys(LineKeySource(io.StringIO(f"{typed}\n")), lambda _: None, paper.echo), paper, lambda _: False)
    units = [card for card, piece in board.pieces.items() if piece.place.startswith("unit")]
    offered = labels.items(ActorPosition(Law(game, rules), board, P1), Physics(game.schema(rules)), "card", units, "en")
    assert board.pieces[asked.one("unit", offered, False)].place == meant
    assert "S01 Ember Hound c4" in out.getvalue()


def test_pieces_and_squares_are_offered_by_their_names(store: Path) -> None:
    out = play(store, "m", answers=lines("sa1/."), lang="ja").out
    assert "G1 番兵 a1" in out and "S1 斥候 c1" in out and "unit:" not in out
    assert re.search(r"\[\d+\] c10\b", out)


def items(*codes: str) -> list[Item]:
    return [Item(code, code, (code,), True) for code in codes]


def test_no_number_of_the_list_is_taken_for_a_square_that_is_not_offered() -> None:
    paper = Paper(io.StringIO(), "en")
    asked = Picker(Keys(LineKeySource(io.StringIO("c2\nc4")), lambda _: None, paper.echo), paper, lambda _: False)
    assert asked.one("to", items("c1", "c4", "c5"), False) == "c4", "c2 is not the second"


def test_what_begins_a_longer_name_waits_for_enter() -> None:
    for typed, meant in (("c1\n", "c1"), ("c10", "c10"), ("c1 \n", "c1")):
        paper = Paper(io.StringIO(), "en")
        asked = Picker(Keys(LineKeySource(io.StringIO(typed)), lambda _: None, paper.echo), paper, lambda _: False)
        assert asked.one("to", items("c1", "c10"), False) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("c1 c10", ("c1", "c10")), ("c5", ("c5", "c4", "c1")), ("c1 < c5", ("c5", "c4", "c1")), ("c1", ("c1",))],
)
def test_of_rows_only_what_differs_is_asked(typed: str, meant: tuple[str, ...]) -> None:
    paper = Paper(io.StringIO(), "en")
    asked = Picker(Keys(LineKeySource(io.StringIO(f"{typed}\n")), lambda _: None, paper.echo), paper, lambda _: False)
    named = {item.value: item for item in items("c1", "c4", "c5", "c10")}
    assert asked.row("path", named, (("c1",), ("c1", "c10"), ("c5", "c4", "c1"))) == meant


class Swap(Action, frozen=True, tag="step"):
    """Two pieces; the first acts differently from the second."""

    cards: Cards = ()


def test_ordered_sets_of_cards_are_asked_for_card_by_card() -> None:
    law = Law(CHART, Rules())
    board = fold_entries(simulate(law, 1)[:1])
    first, scout, *_ = board.pieces
    orders = ((first, scout), (scout, first))
    for templates in (
        [Template(Swap, (SlotChoice("cards", orders),))],
        [Template(Swap, (), (("cards", cards),)) for cards in orders],
    ):
        out = io.StringIO()
        paper = Paper(out, "en")
        picker = Picker(Keys(LineKeySource(io.StringIO("2\n")), lambda _: None, paper.echo), paper, lambda _: False)
        asker = Asker(picker, Physics(schema(Rules())), ActorPosition(law, board, P1), "en")
        assert asker.action(templates, begun=True) == Swap((scout, first))
        assert "[1] G1 Guard a1" in out.getvalue() and "[2] S1 Scout c1" in out.getvalue()
