"""Keyboard use of boards: one tab stop, arrow keys to each piece, and a focus that survives new entries."""

from collections.abc import Iterator
from itertools import cycle, pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.board import board_of
from projections.steps import table_after
from projections.things import things_on
from projections.viewing import find_viewer
from tests.rotation import rotate
from tests.service.journeys import LEAST_PX, LOOKS, SMALL, Look, Stage, hold, rest, stage_of
from tests.service.matches import viewers
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(3)

MATCHES = [*((key, "normal") for key in SHELVES), ("grimoire", "two-teams")]
WIDTHS = {"narrow": Look(390, "ja"), "wide": Look(1280, "en")}
STOPS_MAX, TABS_MAX = 300, 10
TAB_STOPS = "[...document.querySelectorAll('.board *')].filter((part) => part.tabIndex >= 0).length"
STOP = """() => {
  const stop = document.activeElement, {y, height} = stop.getBoundingClientRect(), moved = stop !== window.before;
  window.before = stop;
  return {thing: stop.dataset.t, folded: stop.matches("summary") && !stop.parentElement.open, moved,
    within: Boolean(stop.closest(".board")), middle: y + height / 2};
}"""
"""Return the focus, and whether it has moved since the last call."""
FOCUS = "(thing) => Object.assign(document.querySelector(`#t${thing}`), {tabIndex: 0}).focus()"


@pytest.fixture(scope="module")
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium, published=True) as ready:
        for key, name in MATCHES:
            ready.record_match(f"{key}-{name}", SHELVES[key].entries(name), closed=True)
        yield ready


def press(page: Page, key: str) -> Any:
    page.keyboard.press(key)
    return page.evaluate(STOP)


def enter(page: Page) -> Any:
    page.focus("#scrub")
    return next(stop for stop in (press(page, "Tab") for _ in range(TABS_MAX)) if stop["within"])


def lying(stage: Stage, match: str, number: int, viewer: str) -> dict[str, Any]:
    record = stage.context.match(match)
    view = board_of(record, find_viewer(record, viewer), number, table_after(record, number, 0))
    return {str(card.thing): (place.place, card) for card, place in things_on(view)}


@pytest.mark.parametrize(
    ("key", "name", "width"), rotate([(*match, width) for match in MATCHES for width in WIDTHS], 1)
)
def test_a_board_is_one_tab_stop_and_arrows_reach_each_piece(stage: Stage, key: str, name: str, width: str) -> None:
    match, look = f"{key}-{name}", WIDTHS[width]
    number = len(stage.context.match(match).entries) // 2
    # the second seat sees a grid rotated
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
    last = len(stage.context.match(match).entries)
    lay = [lying(stage, match, number, SPECTATOR) for number in range(1, last)]
    steps = list(enumerate(pairwise(lay), start=1))
    kept = [(at, thing, old[thing], new[thing]) for at, (old, new) in steps for thing in old if thing in new]
    changed = next((at, thing) for at, thing, old, new in kept if old != new)
    moved = [(at, thing) for at, thing, (old, _), (new, _) in kept if old != new]
    gone = next((at, thing) for at, (old, new) in steps for thing in old if new and thing not in new)
    for (number, thing), stays in ((changed, True), *((each, True) for each in moved[:1]), (gone, False)):
        with stage.come(WIDTHS["wide"], f"/en/m/{match}/{number}") as page:
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
    with stage.come(WIDTHS["wide"], "/en/m/blackpoker-normal/30") as page:
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


@pytest.mark.parametrize(("key", "name"), rotate(MATCHES, 1))
def test_a_board_is_whole_and_readable_for_everybody(stage: Stage, key: str, name: str) -> None:
    match = f"{key}-{name}"
    record, random, looks = stage.context.match(match), Random(match), cycle(LOOKS)
    for viewer in viewers(record):
        look, number = next(looks), random.randrange(len(record.entries) // 4, len(record.entries))
        view = board_of(record, find_viewer(record, viewer), number, table_after(record, number, 0))
        things = {str(card.thing) for card, _ in things_on(view)}
        eyes = "" if viewer == SPECTATOR else f"/as/{viewer}"
        with stage.come(look, f"/{look.lang}/m/{match}/{number}{eyes}") as page:
            drawn = page.eval_on_selector_all(".board [data-t]", "found => found.map(piece => piece.dataset.t)")
            assert set(drawn) == things and len(drawn) == len(things)
            hold(page, look)


PHONE = {"width": 390, "height": 3000}
"""A height at which no bar of the page covers the board."""
MANY = 6


def put_once(stage: Stage, key: str, name: str) -> str:
    match = f"{key}-{name}"
    if not stage.context.store.version(match):
        stage.record_match(match, SHELVES[key].entries(name), closed=True)
    return match


BOARDS = [
    ("blackpoker", "normal", 49, "", "ja"),
    ("blackpoker", "search-full54", 60, "judge", "en"),
    ("dea", "normal", 56, "", "en"),
    ("dea", "stack-hooks", 40, "judge", "ja"),
    ("grimoire", "two-teams", 40, "", "ja"),
    ("grimoire", "stack-fight", 40, "judge", "en"),
    ("skillbook", "normal", 63, "", "en"),
    ("skillbook", "ends-book", 60, "judge", "ja"),
]

LAID_OUT = """() => {
  const EDGE = 1.5, LIFT = 6, wrong = [];
  const box = (part) => part.getBoundingClientRect();
  const seen = (part) => part.checkVisibility({visibilityProperty: true}) && box(part).width * box(part).height > 0;
  const board = document.querySelector(".board");
  const all = (selector, over = board) => [...over.querySelectorAll(selector)].filter(seen);
  const name = (part) => part.dataset.strip || part.ariaLabel || `${part.localName} ${part.textContent}`;
  const say = (what, ...parts) => wrong.push([what, ...parts.map(name)].join(": "));
  const within = (inner, outer, by) => inner.left >= outer.left - by && inner.right <= outer.right + by
    && inner.top >= outer.top - by && inner.bottom <= outer.bottom + by;
  const apart = (a, b) => a.right <= b.left + EDGE || b.right <= a.left + EDGE
    || a.bottom <= b.top + EDGE || b.bottom <= a.top + EDGE;
  const alone = (part, others) => {
    for (const other of others) if (other !== part && !apart(box(part), box(other))) say("overlap", part, other);
  };

  const strips = all("[data-strip]"), pieces = all(".c");
  const screen = {left: 0, right: innerWidth, top: 0, bottom: innerHeight};
  for (const part of [...strips, ...pieces]) if (!within(box(part), screen, 0)) say("off the screen", part);
  for (const strip of strips) alone(strip, strips);
  for (const piece of pieces) {
    const strip = piece.closest("[data-strip]");
    if (!within(box(piece), box(strip), LIFT)) say("out of its strip", piece, strip);
    if (!piece.closest(".fan, .q")) alone(piece, all(":scope > .c", piece.parentElement));
    for (const said of all(":scope > :is(b, i)", piece)) {
      const {left, right, top, bottom} = box(said), ends = [left + EDGE, (left + right) / 2, right - EDGE];
      const there = ends.map((x) => document.elementFromPoint(x, (top + bottom) / 2));
      if (!there.every((part) => piece.contains(part))) say("covered", piece, said);
    }
  }
  const range = document.createRange();
  for (const part of all("*")) {
    if (part.closest(".q b")) continue;  // a long name in a square is cut, and stands whole in its sheet
    const holder = part.closest(".c:not(.q .c, :has(> sup)), .q, .strip, .grid");
    for (const node of part.childNodes) if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      range.selectNodeContents(node);
      if (!within(box(range), box(holder), LIFT)) say("sticks out", part, holder);
    }
    const cut = part.scrollHeight > part.clientHeight + LIFT || part.scrollWidth > part.clientWidth + LIFT;
    if (cut && getComputedStyle(part).overflow !== "visible") say("cut off", part);
  }
  const order = (a, b) => Math.round(box(a).top - box(b).top) || box(a).left - box(b).left;
  const facing = board.matches(".facing"), read = [...strips].sort(order);
  if (facing && read.some((strip, i) => strip !== strips[i])) say("not read as it lies", ...read);
  return {wrong, strips: strips.map(name), pieces: pieces.length};
}"""
"""Return layout errors of a board, its strips, and the number of its pieces."""


@pytest.mark.parametrize(("key", "name", "number", "eyes", "lang"), rotate(BOARDS, 2))
def test_a_board_lies_whole_on_a_phone(stage: Stage, key: str, name: str, number: int, eyes: str, lang: str) -> None:
    path = f"/{lang}/m/{put_once(stage, key, name)}/{number}" + (f"/as/{eyes}" if eyes else "")
    with stage.come(Look(PHONE["width"], lang), path) as page:
        page.set_viewport_size(PHONE)
        laid: Any = page.evaluate(LAID_OUT)
        assert laid["wrong"] == []
        assert len(laid["strips"]) > MANY and laid["pieces"] > MANY
        assert page.evaluate(SMALL, LEAST_PX) == []


def test_what_is_laid_out_wrong_is_found(stage: Stage) -> None:
    """The check itself finds overlapping strips, cut-off cards and cards off the screen."""
    with stage.come(Look(PHONE["width"], "en"), "/en/m/blackpoker-normal/49") as page:
        page.set_viewport_size(PHONE)
        for selector, spoilt, what in (
            ("[data-strip='p1.hand']", {"marginLeft": "-5rem"}, "overlap: "),
            (".board [data-t]", {"width": "1px", "overflow": "hidden"}, "cut off: "),
            (".board [data-t]", {"marginLeft": "400px"}, "off the screen: "),
        ):
            page.eval_on_selector(selector, "(part, spoilt) => Object.assign(part.style, spoilt)", spoilt)
            assert any(wrong.startswith(what) for wrong in page.evaluate(LAID_OUT)["wrong"]), what
            page.eval_on_selector(selector, "part => part.removeAttribute('style')")
        assert page.evaluate(LAID_OUT)["wrong"] == []
