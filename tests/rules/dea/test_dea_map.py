"""DEA's map as displayed: names of cells, owners of areas and lines, and a drawing of every preset."""

import io

from cli.drawing import Screen
from cli.layout import width
from domain.formats.actions import parse_action, write_action
from domain.games.dea import GAME
from domain.games.dea.actions import PlaceCharacter
from domain.games.dea.rules import Rules
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.table.redact import SPECTATOR
from domain.table.table import Place
from domain.words import Lang
from projections.board import board, render_board
from recorder.simulate import simulate
from tests.rows import for_each
from tests.shelves import seen_by

PRESETS = {"5x5": "e5", "5x6": "e6", "3x5": "c5", "5x7": "e7"}


def words(rules: Rules) -> dict[str, list[tuple[str, str | None]]]:
    return {place: [tuple(word) for word in known] for place, known in GAME.display.known_of(rules).items()}


@for_each("preset", PRESETS)
def test_every_cell_lies_in_one_area_and_the_outermost_are_last_lines(preset: str) -> None:
    rules = Rules(map_preset=preset)  # type: ignore[arg-type]
    known = words(rules)
    columns, rows = rules.size
    assert len(known) == columns * rows
    for place, said in known.items():
        row = int(place.partition(",")[2])
        area = ("home_area", "p1") if row <= rules.home else ("home_area", "p2") if row > rows - rules.home else None
        lines = [("last_line", "p2")] if row == 1 else [("last_line", "p1")] if row == rows else []
        assert said == [area or ("centre", None), *lines]


@for_each("lang", ["en", "ja"])
@for_each("preset", PRESETS)
def test_the_map_of_every_preset_is_drawn_in_eighty_columns(preset: str, lang: Lang) -> None:
    law = Law(GAME, Rules(map_preset=preset))  # type: ignore[arg-type]
    entries = simulate(law, 3)
    for viewer, at in ((SPECTATOR, 10), ("p1", 10), ("p2", min(70, len(entries)))):
        drawn = board(*seen_by(GAME, entries, viewer), at)
        rows = render_board(drawn, law, law.schema(), lang)
        for told in (False, True):
            screen = Screen(io.StringIO(), io.StringIO())
            screen.columns, screen.lang, screen.plain = 80, lang, told
            screen.rows(rows)
            lines = screen.out.getvalue().splitlines()  # type: ignore[attr-defined]
            assert all(width(line) <= 80 for line in lines)
            assert any("|" in line and line.startswith("1 ") for line in lines) != told
            assert any(PRESETS[preset] in line for line in lines)
            assert sum("自陣エリア" in line or "home area" in line for line in lines) == 2 * law.rules.home


def test_a_cell_is_typed_and_written_by_its_name_and_recorded_as_its_place() -> None:
    law = Law(GAME, Rules())
    table = fold_entries(simulate(law, 3), 2)
    actor, action = parse_action(GAME, table, "p1: place_character C01 c2", schema=law.schema())
    assert isinstance(action, PlaceCharacter) and action.cell == Place("map:3,2")
    assert write_action(GAME, table, actor, action, schema=law.schema()) == "p1: place_character C01 c2"
