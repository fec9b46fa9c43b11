"""Grids drawn as maps: visible content, columns, and the text used where no map fits."""

import io
from typing import Any

import msgspec
from msgspec.structs import replace

from cli.drawing import Screen
from cli.layout import width
from domain.formats.casebook.load import StartPosition
from domain.formats.casebook.start_position import build
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE
from domain.words import Lang
from projections.board import arrange_view, render_board
from projections.maps import layers_of, render_maps
from projections.rows import Row, plain
from tests.rows import for_each
from tests.toys.chart import CHART, P1, P2, SEATS, Rules, schema
from tests.toys.stones import GAME as STONES

FIVE, SEVEN = Rules(columns=5, rows=7), Rules(columns=7, rows=7)
LAID = {
    "c4": ("guard = G1 up owner=p1 steps=2", "S1 down owner=p2"),
    "b1": ("S1 down owner=p1",),
    "b5": ("G1 up owner=p2", "+S1 up owner=p2"),
    "ground:c4": ("MIRE down owner=p2",),
    "ground:a2": ("MIRE up owner=p1",),
    "p1.f2": ("F1",),
    "p2.f2": ("S1",),
}


def rows(viewer: str, lang: Lang = "en", rules: Rules = FIVE, **places: tuple[str, ...]) -> list[Row]:
    table = build(schema(rules), SEATS, StartPosition(places={**LAID, **places}), display=CHART.display).table
    law, eyes = Law(CHART, rules), TableViewer(Physics(schema(rules)), viewer)  # type: ignore[arg-type]
    return render_maps(arrange_view(law, eyes, table), law, schema(rules), lang)


def draw(viewer: str, lang: Lang = "en", columns: int | None = 80, told: bool = False, **more: Any) -> str:
    screen = Screen(io.StringIO(), io.StringIO())
    screen.columns, screen.lang, screen.plain = columns, lang, told
    screen.rows(rows(viewer, lang, **more))
    return screen.out.getvalue()  # type: ignore[attr-defined, no-any-return]


SPECTATORS = """\
chart over ground (a1 to e7) row 1: p1's edge, row 7: p2's
  +---------+---------+---------+---------+---------+
7 |         |         |         |         |         |  p2 home
  +---------+---------+---------+---------+---------+
6 |         |         |         |         |         |
  +---------+---------+---------+---------+---------+
5 |         | G1+ p2  |         |         |         |
  +---------+---------+---------+---------+---------+
4 |         |         | G1 p1   |         |         |
  |         |         | [?] p2  |         |         |
  |         |         | [?] p2  |         |         |
  +---------+---------+---------+---------+---------+
3 |         |         |         |         |         |
  +---------+---------+---------+---------+---------+
2 | MIRE p1 |         |         |         |         |
  +---------+---------+---------+---------+---------+
1 |         | [?] p1  |         |         |         |  p1 home
  +---------+---------+---------+---------+---------+
    a         b         c         d         e
  b5: ford
  b1 u3 face down, of p1
  a2 Mire (u7) of p1
  c4 G1 Guard (u1) of p1, steps 2, force 3 | u2 face down, of p2 | u6 face down,
      of p2
  b5 G1 Guard (u4) of p2, force 3 +S1 Scout (u5) of p2
"""


def test_a_map_is_drawn_with_its_layers_two_pieces_a_square_and_backs() -> None:
    assert draw(SPECTATOR) == SPECTATORS
    assert draw(SPECTATOR, columns=None).splitlines()[:-4] == SPECTATORS.splitlines()[:-5], "a pipe has any width"


def test_own_backs_show_their_face_to_their_owner_and_all_to_a_judge() -> None:
    assert "[S1] p1" in draw(P1) and "[S1] p2" not in draw(P1) and "[MIRE]" not in draw(P1)
    assert "[S1] p2" in draw(P2) and "[MIRE] p2" in draw(P2) and "[?] p1" in draw(P2)
    assert "[S1] p1" in draw(JUDGE) and "[MIRE] p2" in draw(JUDGE) and "[?]" not in draw(JUDGE)


@for_each("viewer", [P1, P2, SPECTATOR])
@for_each("lang", ["en", "ja"])
def test_no_byte_of_a_map_depends_on_what_is_hidden(viewer: str, lang: Lang) -> None:
    other = {"c4": ("guard = G1 up owner=p1 steps=2", "G1 down owner=p2")} if viewer != P2 else {}
    mire = {"ground:c4": ("F1 down owner=p2",)} if viewer != P2 else {}
    scout = {"b1": ("G1 down owner=p1",)} if viewer != P1 else {}
    again = {**other, **mire, **scout}
    assert again and msgspec.json.encode(rows(viewer, lang)) == msgspec.json.encode(rows(viewer, lang, **again))
    for told in (False, True):
        assert draw(viewer, lang, told=told) == draw(viewer, lang, told=told, **again)


@for_each("lang, said", [("en", "force 3, with F1 Pit (u8)"), ("ja", "強さ 3、付加：F1 落とし穴(u8)")])
def test_what_is_tied_to_a_piece_and_lies_elsewhere_is_told_with_it(lang: Lang, said: str) -> None:
    shown = draw(P1, lang, columns=100, **{"p1.f2": ("F1 tied=guard",)})
    assert "G1+ p1" in shown and said in shown
    others = draw(SPECTATOR, lang, **{"p1.f2": ("F1 tied=guard",)})
    assert "G1+ p1" in others and "F1" not in others


def test_row_1_is_the_lowest_for_everybody() -> None:
    for viewer in (P1, P2, SPECTATOR):
        lines = [line for line in draw(viewer).splitlines() if line[:1].isdigit()]
        assert [line[0] for line in lines] == list("7654321")
    japanese = draw(P2, "ja")
    assert "盤・地面 （a1〜e7） 1段目がp1側、7段目がp2側" in japanese and "p2の陣地" in japanese


@for_each("lang", ["en", "ja"])
@for_each("rules", [FIVE, SEVEN])
@for_each("columns", [60, 80, 120])
def test_a_map_fits_its_columns_and_its_borders_stand_below_each_other(lang: Lang, rules: Rules, columns: int) -> None:
    lines = draw(JUDGE, lang, columns, rules=rules).splitlines()
    assert all(width(line) <= columns for line in lines)
    grid = [line for line in lines if "|" in line and "(u" not in line]
    ends = {tuple(at for at, letter in enumerate(_columns(line)) if letter == "|") for line in grid}
    assert len(ends) == 1


def _columns(line: str) -> str:
    return "".join(letter * width(letter) for letter in line)


def test_what_is_known_of_rows_stands_below_where_there_is_no_room_beside() -> None:
    beside, below = draw(SPECTATOR, columns=80), draw(SPECTATOR, columns=58)
    assert "|  p2 home\n" in beside and "row 7" not in beside.partition("\n")[2]
    assert "|  p2 home" not in below and "  row 7: p2 home\n  row 1: p1 home\n  b5: ford\n" in below


def test_without_room_for_a_map_its_squares_are_told() -> None:
    narrow = draw(SPECTATOR, columns=30)
    assert "+--" not in narrow and "row 7: p2 home" in narrow and "  b1 u3 face down, of p1" in narrow
    assert draw(SPECTATOR, columns=None, told=True).splitlines()[1:5] == [
        "  row 7: p2 home",
        "  row 1: p1 home",
        "  b5: ford",
        "  b1 u3 face down, of p1",
    ]


@for_each("lang", ["en", "ja"])
def test_a_told_map_has_a_line_for_each_square_that_is_not_empty_and_no_drawing(lang: Lang) -> None:
    told = draw(SPECTATOR, lang, told=True)
    squares = [line.split()[0] for line in told.splitlines() if line.startswith("  ") and "(" in line + "(u"]
    assert [name for name in squares if name in ("b1", "a2", "c4", "b5")] == ["b1", "a2", "c4", "b5"]
    assert "+-" not in told and ("裏向き" if lang == "ja" else "face down") in told


def test_an_empty_map_is_drawn_and_one_without_names_has_numbers() -> None:
    rules = STONES.latest
    stones = replace(STONES, display=replace(STONES.display, squares={}))
    law = Law(stones, rules)
    table = build(STONES.schema(rules), SEATS, StartPosition(places={"board:2,3": ("W owner=p2",)})).table
    for laid in (table, table.with_changes(pieces={}, places={})):
        eyes = TableViewer(Physics(STONES.schema(rules)), SPECTATOR)
        text = plain(render_board(arrange_view(law, eyes, laid), law, STONES.schema(rules), "en"))
        assert "stones (1,1 to 4,4) row 1: p1's edge, row 4: p2's" in text
        assert ("2,3 Walker (u1) of p2" in text) == bool(laid.pieces)
    (layers,) = layers_of(STONES.schema(rules))
    assert [area.name for area in layers] == ["board"]
