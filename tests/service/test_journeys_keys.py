"""Boards by keys alone: one tab stop, arrows to each piece, and a focus that is not lost when the match goes on."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.board import board_of
from projections.steps import table_after
from projections.things import things_on
from projections.viewing import look_at
from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service.journeys import Look, Stage, rest, stage_of

MATCHES = [*((key, "normal") for key in SHELVES), ("grimoire", "two-teams")]
LOOKS = {"narrow": Look(390, "ja"), "wide": Look(1280, "en")}
STOPS_MAX, TABS_MAX = 300, 10
TAB_STOPS = "[...document.querySelectorAll('.board *')].filter((part) => part.tabIndex >= 0).length"
STOP = """() => {
  const stop = document.activeElement, {y, height} = stop.getBoundingClientRect(), moved = stop !== window.before;
  window.before = stop;
  return {thing: stop.dataset.t, folded: stop.matches("summary") && !stop.parentElement.open, moved,
    within: Boolean(stop.closest(".board")), middle: y + height / 2};
}"""
"""Where the focus is, and whether it has moved since this was asked."""
FOCUS = "(thing) => Object.assign(document.querySelector(`#t${thing}`), {tabIndex: 0}).focus()"


@pytest.fixture(scope="module")
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium, published=True) as ready:
        for key, name in MATCHES:
            ready.put(f"{key}-{name}", SHELVES[key].entries(name), closed=True)
        yield ready


def press(page: Page, key: str) -> Any:
    """Press a key; where the focus is then."""
    page.keyboard.press(key)
    return page.evaluate(STOP)


def enter(page: Page) -> Any:
    """Come to the board by the tab key; where the focus is then."""
    page.focus("#scrub")
    return next(stop for stop in (press(page, "Tab") for _ in range(TABS_MAX)) if stop["within"])


def lying(stage: Stage, match: str, number: int, viewer: str) -> dict[str, Any]:
    record = stage.house.match(match)
    view = board_of(record, look_at(record, viewer), number, table_after(record, number, 0))
    return {str(card.thing): (place.place, card) for card, place in things_on(view)}


@pytest.mark.parametrize(("key", "name", "width"), rotate([(*match, width) for match in MATCHES for width in LOOKS], 1))
def test_a_board_is_one_tab_stop_and_arrows_reach_each_piece(stage: Stage, key: str, name: str, width: str) -> None:
    match, look = f"{key}-{name}", LOOKS[width]
    number = len(stage.house.match(match).entries) // 2
    # Who plays the second seat sees a grid from its other side.
    eyes = JUDGE if width == "narrow" else "p2"
    with stage.come(look, f"/{look.lang}/m/{match}/{number}/as/{eyes}") as page:
        assert page.evaluate(TAB_STOPS) == 1
        enter(page)
        assert not press(page, "Tab")["within"], "there is one way in and out"
        assert press(page, "Shift+Tab")["within"]
        stop, reached = press(page, "Home"), []
        for _ in range(STOPS_MAX):
            reached.append(stop["thing"])
            if stop["folded"]:
                page.keyboard.press("Enter")
            stop = press(page, "ArrowRight")
            if not stop["moved"]:
                break
        things = [thing for thing in reached if thing]
        assert set(things) == set(lying(stage, match, number, eyes)) and len(things) == len(set(things))
        assert page.evaluate(TAB_STOPS) == 1
        assert press(page, "Home")["thing"] == reached[0]
        assert press(page, "End")["thing"] == reached[-1]
        rows = [stop["middle"] for stop in (press(page, "ArrowUp") for _ in range(5)) if stop["moved"]]
        assert len(rows) > 1 and rows == sorted(rows, reverse=True), "up is up"
        assert press(page, "ArrowDown")["middle"] > rows[-1]
        assert page.evaluate("document.body.dataset.at") == str(number), "these arrows are no steps"


@pytest.mark.parametrize("key", rotate(sorted(SHELVES), 1))
def test_the_focus_stays_on_a_thing_that_changes_and_goes_to_the_nearest_where_one_is_gone(
    stage: Stage, key: str
) -> None:
    match = f"{key}-normal"
    last = len(stage.house.match(match).entries)
    lay = [lying(stage, match, number, SPECTATOR) for number in range(1, last)]
    steps = list(enumerate(pairwise(lay), start=1))
    kept = [(at, thing, old[thing], new[thing]) for at, (old, new) in steps for thing in old if thing in new]
    changed = next((at, thing) for at, thing, old, new in kept if old != new)
    moved = [(at, thing) for at, thing, (old, _), (new, _) in kept if old != new]  # on a map alone
    gone = next((at, thing) for at, (old, new) in steps for thing in old if new and thing not in new)
    for (number, thing), stays in ((changed, True), *((each, True) for each in moved[:1]), (gone, False)):
        with stage.come(LOOKS["wide"], f"/en/m/{match}/{number}") as page:
            page.evaluate(
                "(thing) => Object.assign(document.querySelector(`#t${thing}`), {tabIndex: 0}).focus()", thing
            )
            page.keyboard.press("j")
            assert rest(page) == number + 1
            stop = page.evaluate(STOP)
            assert stop["within"] and (stop["thing"] == thing) == stays
            assert page.evaluate(TAB_STOPS) == 1
            assert press(page, "ArrowLeft")["moved"] or press(page, "ArrowRight")["moved"]


def test_enter_opens_a_piece_escape_gives_the_focus_back_and_clicks_leave_it(
    stage: Stage,
) -> None:
    with stage.come(LOOKS["wide"], "/en/m/blackpoker-normal/30") as page:
        page.click(".board [data-t]")
        page.wait_for_selector("#sheet[open] #thing")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        assert rest(page) == 31
        stop = enter(page)
        while not stop["thing"]:
            stop = press(page, "ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sheet[open] #thing")
        page.keyboard.press("Escape")
        assert page.evaluate(STOP)["thing"] == stop["thing"]
        page.keyboard.press("Control+ArrowRight")
        assert rest(page) > 32, "with Ctrl they are the steps' own"
