"""Eight fixed boards as a browser lays them out on a phone: nothing overlaps, leaves the screen, or is cut off.

Boxes are compared and never pixels, for machines have different fonts.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service.journeys import LEAST_PX, SMALL, Look, Stage, stage_of

PHONE = {"width": 390, "height": 3000}
"""So high that no bar of the page lies over the board."""
MANY = 6
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
"""Of each a game, a match, an entry, whose eyes, and the language."""

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
"""What is wrong with how a board is laid out; its strips, and how many pieces lie on it."""


@pytest.fixture(scope="module")
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium, published=True) as ready:
        yield ready


def put(stage: Stage, key: str, name: str) -> str:
    """A match of the repository, unless it is there; its id."""
    match = f"{key}-{name}"
    if not stage.house.store.version(match):
        stage.put(match, SHELVES[key].entries(name), closed=True)
    return match


@pytest.mark.parametrize(("key", "name", "number", "eyes", "lang"), rotate(BOARDS, 2))
def test_a_board_lies_whole_on_a_phone(stage: Stage, key: str, name: str, number: int, eyes: str, lang: str) -> None:
    path = f"/{lang}/m/{put(stage, key, name)}/{number}" + (f"/as/{eyes}" if eyes else "")
    with stage.come(Look(PHONE["width"], lang), path) as page:
        page.set_viewport_size(PHONE)
        laid: Any = page.evaluate(LAID_OUT)
        assert laid["wrong"] == []
        assert len(laid["strips"]) > MANY and laid["pieces"] > MANY
        assert page.evaluate(SMALL, LEAST_PX) == []


def test_what_is_laid_out_wrong_is_found(stage: Stage) -> None:
    """The measure can fail: a strip pulled over another, a card too small for what it says, one out of the screen."""
    with stage.come(Look(PHONE["width"], "en"), f"/en/m/{put(stage, 'blackpoker', 'normal')}/49") as page:
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
