"""Boards of all games in a browser, as everybody who may look sees them: whole, readable, and reached by keys."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

import pytest
from playwright.sync_api import Browser

from domain.table.redact import SPECTATOR
from projections.board import board_of
from projections.steps import table_after
from projections.things import things_on
from projections.viewing import look_at
from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service.journeys import LOOKS, Stage, hold, stage_of
from tests.service.matches import viewers

MATCHES = [*((key, "normal") for key in SHELVES), ("grimoire", "two-teams")]


@pytest.fixture(scope="module")
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium, published=True) as ready:
        yield ready


@pytest.mark.parametrize(("key", "name"), rotate(MATCHES, 1))
def test_a_board_is_whole_and_readable_for_everybody(stage: Stage, key: str, name: str) -> None:
    match = f"{key}-{name}"
    stage.put(match, SHELVES[key].entries(name), closed=True)
    record, random, looks = stage.house.match(match), Random(match), cycle(LOOKS)
    for viewer in viewers(record):
        look, number = next(looks), random.randrange(len(record.entries) // 4, len(record.entries))
        view = board_of(record, look_at(record, viewer), number, table_after(record, number, 0))
        things = {str(card.thing) for card, _ in things_on(view)}
        eyes = "" if viewer == SPECTATOR else f"/as/{viewer}"
        with stage.come(look, f"/{look.lang}/m/{match}/{number}{eyes}") as page:
            drawn = page.eval_on_selector_all(".board [data-t]", "found => found.map(piece => piece.dataset.t)")
            assert set(drawn) == things and len(drawn) == len(things)
            hold(page, look)
