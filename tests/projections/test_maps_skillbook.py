"""Skillbook's board of two layers: terrains, units and their attachments, for each viewer."""

import io

import msgspec

from cli.drawing import Screen
from cli.layout import width
from domain.formats.casebook.load import StartPosition
from domain.formats.casebook.start_position import build
from domain.games.skillbook import GAME
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE
from domain.words import Lang
from projections.board import arrange_view
from projections.maps import render_maps
from projections.rows import Row
from tests.rows import for_each

RULES = GAME.latest
SCHEMA = GAME.schema(RULES)
P1, P2 = SEATS = GAME.seats(RULES)
BASIC = ("mountain", "forest", "plain", "spring", "town", "T01", "T11")
GROUNDS = {
    f"{column}{row}": (f"{BASIC[at]} owner=p1" if row < 4 else f"{BASIC[-at - 1]} owner=p2",)
    for row in (1, 2, 3, 5, 6, 7)
    for at, column in enumerate("abcdefg")
} | {f"{column}4": ("wasteland up owner=-",) for column in "abcdefg"}
LAID = {
    **GROUNDS,
    "b2": ("start up owner=p1",),
    "c3": ("plain up owner=p1",),
    "c5": ("T11 up owner=p2",),
    "unit:b2": ("H01 owner=p1 exhausted damage=3 moved=9",),
    "unit:c3": ("hound = S01 owner=p1 damage=1",),
    "unit:c5": ("S09 owner=p2 resting",),
    "unit:d6": ("H04 owner=p2 used.0=8",),
    "bound": ("S52 owner=p2 tied=hound",),
}


def rows(viewer: str, lang: Lang, **places: tuple[str, ...]) -> list[Row]:
    table = build(
        SCHEMA, SEATS, StartPosition(phase="main", step="idle", places={**LAID, **places}), display=GAME.display
    ).table
    law, eyes = Law(GAME, RULES), TableViewer(Physics(SCHEMA), viewer)  # type: ignore[arg-type]
    return render_maps(arrange_view(law, eyes, table), law, SCHEMA, lang)


def draw(viewer: str, lang: Lang = "en", told: bool = False, columns: int = 80, **places: tuple[str, ...]) -> str:
    screen = Screen(io.StringIO(), io.StringIO())
    screen.columns, screen.lang, screen.plain = columns, lang, told
    screen.rows(rows(viewer, lang, **places))
    return screen.out.getvalue()  # type: ignore[attr-defined, no-any-return]


BOARD = """\
unit over terrain (a1 to g7) row 1: p1's edge, row 7: p2's
  +----------+----------+----------+----------+----------+----------+----------+
7 | [?]      | [?]      | [?]      | [?]      | [?]      | [?]      | [?]      |
  +----------+----------+----------+----------+----------+----------+----------+
6 | [?]      | [?]      | [?]      | H04 p2   | [?]      | [?]      | [?]      |
  |          |          |          | HP10 SP2 |          |          |          |
  |          |          |          | [?]      |          |          |          |
  +----------+----------+----------+----------+----------+----------+----------+
5 | [?]      | [?]      | S09 p2   | [?]      | [?]      | [?]      | [?]      |
  |          |          | DF1 SP4  |          |          |          |          |
  |          |          | resting  |          |          |          |          |
  |          |          | T11 fire |          |          |          |          |
  |          |          | wind     |          |          |          |          |
  +----------+----------+----------+----------+----------+----------+----------+
4 | wasteland| wasteland| wasteland| wasteland| wasteland| wasteland| wasteland|
  +----------+----------+----------+----------+----------+----------+----------+
3 | [fire]   | [earth]  | S01+ p1  | [water]  | [dark]   | [T01     | [T11 fire|
  |          |          | DF1/2 SP2|          |          | fire]    | wind]    |
  |          |          | wind     |          |          |          |          |
  +----------+----------+----------+----------+----------+----------+----------+
2 | [fire]   | H01 p1   | [wind]   | [water]  | [dark]   | [T01     | [T11 fire|
  |          | HP9 SP2  |          |          |          | fire]    | wind]    |
  |          | exhausted|          |          |          |          |          |
  |          | start    |          |          |          |          |          |
  +----------+----------+----------+----------+----------+----------+----------+
1 | [fire]   | [earth]  | [wind]   | [water]  | [dark]   | [T01     | [T11 fire|
  |          |          |          |          |          | fire]    | wind]    |
  +----------+----------+----------+----------+----------+----------+----------+
    a          b          c          d          e          f          g
  row 7: p2 area, p1 goal line
  row 6, 5: p2 area
  row 4: neutral area
  row 3, 2: p1 area
  row 1: p1 area, p2 goal line
  b2 H01 Brannoc Forgehand (u50) exhausted, of p1, damage 3, moved in turn 9, AT
      3, HP 9, SP 2 | start Start Point (u9) of p1
  c3 S01 Ember Hound (u51) of p1, damage 1, AT 2, DF 2, SP 2, with S52 Ice
      Fetters (u54) | plain Plain (u17) of p1, elements wind
  c5 S09 Gale Swallow (u52) resting, of p2, AT 1, DF 1, SP 4 | T11 Twin
      Peaks (u24) of p2, elements fire wind
  d6 H04 Merrow of the Pools (u53) of p2, ability 0 used in turn 8, AT 1, HP 10,
      SP 2 | u32 face down, of p2
"""


def test_a_board_of_two_layers_is_drawn_with_owners_figures_and_status() -> None:
    assert draw(P1) == BOARD


@for_each("lang", ["en", "ja"])
@for_each("viewer", [P1, P2, SPECTATOR, JUDGE])
def test_it_fits_eighty_columns_in_both_languages(viewer: str, lang: Lang) -> None:
    lines = draw(viewer, lang).splitlines()
    assert sum(line.startswith("  +-") for line in lines) == RULES.board_width + 1
    assert all(width(line) <= 80 for line in lines)


def test_a_terrain_face_down_is_a_back_but_to_its_owner_and_a_judge() -> None:
    assert "[earth]" in draw(P1) and "[火]" in draw(P1, "ja")
    assert [draw(viewer).count("[?]") for viewer in (P1, P2, SPECTATOR)] == [20, 19, 39]
    assert "[?]" not in draw(JUDGE)


@for_each("viewer", [P2, SPECTATOR])
@for_each("lang", ["en", "ja"])
def test_no_byte_of_it_depends_on_a_terrain_that_is_hidden(viewer: str, lang: Lang) -> None:
    other = {"a1": ("T09 owner=p1",), "e3": ("start owner=p1",)}
    assert msgspec.json.encode(rows(viewer, lang)) == msgspec.json.encode(rows(viewer, lang, **other))
    assert draw(P1, lang) != draw(P1, lang, **other)


@for_each("lang, said", [("en", "S52 Ice Fetters"), ("ja", "S52 氷の足枷")])
def test_told_square_by_square_it_says_all_of_them(lang: Lang, said: str) -> None:
    told = draw(P1, lang, told=True, columns=200)
    squares = [
        line[2:4] for line in told.splitlines() if line[:2] == "  " and line[2:3].isalpha() and line[3:4].isdigit()
    ]
    assert len(squares) == 49 and "+--" not in told and said in told and said in draw(P1, lang, columns=200)
