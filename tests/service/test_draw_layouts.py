"""Where things lie on a drawn table: what a layout names is there, and a game without one is drawn all the same."""

import msgspec
import pytest

from domain.games import GAMES
from domain.law.layout import Layer, Layout, Slot, plain_layout, unknown_names
from domain.law.rulesets import ruleset

VERSIONS = [(key, version) for key, game in sorted(GAMES.items()) for version in game.versions]

LAID_OUT = ("blackpoker", "dea", "grimoire", "skillbook")
"""Games that say where things lie; the table of another is drawn as its schema lies."""


@pytest.mark.parametrize(("key", "version"), VERSIONS)
def test_a_layout_names_what_the_table_has_and_the_game_has_words_for(key: str, version: str) -> None:
    game = GAMES[key]
    layout = game.layout()
    assert layout is not None or key not in LAID_OUT
    for regulation in game.regulations_in(version) or ("",):
        schema = game.schema(ruleset(game, version, regulation))
        layout = layout or plain_layout(schema)
        assert unknown_names(layout, schema) == unknown_names(plain_layout(schema), schema) == []
        assert {slot.area for band in plain_layout(schema).own for slot in band} == {
            area.name for area in schema.areas if area.per_seat
        }
    assert layout is not None
    named = {shown.area for shown in layout.placed()} | {mark for shown in layout.placed() for mark in shown.figures}
    assert named - set(game.rulebook.words) == set()


def test_what_the_table_does_not_have_is_named() -> None:
    game = GAMES[min(GAMES)]
    schema = game.schema(game.latest)
    wrong = Layout(
        own=((Slot(area="attic", badges=("luck",)),),),
        grids=((Layer(area="attic"),), (Layer(area=schema.areas[0].name),), ()),
        looks={"asleep": "dashed"},
    )
    assert unknown_names(wrong, schema) == [
        "area attic",
        "area attic",
        "mark luck",
        "stance asleep",
        "grid attic",
        f"grid {schema.areas[0].name}",
        "grid ",
    ]


@pytest.mark.parametrize(
    "text",
    ['{"own": [], "bands": []}', '{"own": [[{"area": "a", "shape": "ring"}]]}', '{"own": [[{"areas": "a"}]]}', "{}"],
)
def test_a_layout_with_anything_else_in_it_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Layout)
