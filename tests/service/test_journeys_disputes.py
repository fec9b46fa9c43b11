"""A dispute in browsers: opened from a finding, ruled on once its words were read, appealed and decided by the head."""

import pytest
from playwright.sync_api import Browser, Page

from domain.law import disputes as D
from domain.law.entries import Entry
from domain.table.redact import SPECTATOR
from tests.recorded import SHELVES
from tests.service.journeys import LOOKS, WATCHER, Look, Stage, hold, play_on_twins, stage_of, visit

pytestmark = pytest.mark.deep
RECORDED, WRONG = 48, 47
PLAYER, FLOOR, HEAD = "Sato", "Kato", "Abe"
CLAIM = "it was a club"


def submit(page: Page, button: str, look: Look) -> None:
    """Send a form by one of its buttons, and read what it is answered with."""
    page.click(button)
    page.wait_for_load_state()
    page.wait_for_selector("html[data-ready]")
    page.evaluate("scrollTo(0, 0)")  # what is scrolled to stands where a bar may cover what is above it
    hold(page, look)


def settle(stage: Stage, look: Look, entries: list[Entry]) -> None:
    """The whole journey."""
    stage.put("M-1", entries)
    dispute = f"{stage.url}/{look.lang}/m/M-1/disputes/{RECORDED + 1}"
    with (
        stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
        stage.enter(look, "floor", "M-1", name=FLOOR) as floor,
        stage.enter(look, "head", name=HEAD) as head,
    ):
        visit(floor, f"{stage.url}/{look.lang}/m/M-1/findings")
        floor.locator(f"main a[href*='/{WRONG}/f/']").first.click()
        floor.locator("main a[href*='/disputes?about=']").click()
        floor.wait_for_selector("#claim-p1")
        assert floor.input_value("#about") == str(WRONG) and floor.input_value("#clause")
        floor.fill("#claim-p1", CLAIM)
        submit(floor, "main form button", look)
        assert floor.url == dispute and CLAIM in floor.inner_text("main"), "who took it down reads it again"
        floor.check("[name=verdict][value=not_allowed]")
        floor.fill("#reason", "seen by all")
        floor.press("#reason", "Enter")
        floor.wait_for_selector("#preview")
        hold(floor, look)
        assert stage.house.match("M-1").version == RECORDED + 1, "Enter rules nothing"
        says = floor.locator("#preview > p").first.inner_text()
        submit(floor, "button[value=rule]", look)
        visit(seat, dispute)
        assert says in seat.inner_text("main"), "players read what was shown"
        seat.fill("#reason", "the card was another")
        submit(seat, "button[value=appeal]", look)
        visit(watching, dispute)
        assert says in watching.inner_text("main") and CLAIM not in watching.content()
        visit(head, dispute)
        head.check("[name=outcome][value=overturned]")
        head.check("[name=verdict][value=no_fault]")
        head.fill("#reason", "the list says so")
        submit(head, "button[value=check]", look)
        submit(head, "button[value=rule]", look)
        visit(watching, dispute)
        hold(watching, look)
    came = stage.house.match("M-1").entries[RECORDED:]
    assert [type(entry) for entry in came] == [D.Disputed, D.Ruled, D.Appealed, D.Decided]


@pytest.mark.parametrize("look", LOOKS[1:3], ids=str)
def test_a_dispute_is_settled_in_browsers(chromium: Browser, look: Look) -> None:
    with stage_of(chromium) as stage:
        settle(stage, look, SHELVES["blackpoker"].entries("disputed")[:RECORDED])


def test_nobody_learns_by_a_dispute_what_they_may_not_know(chromium: Browser) -> None:
    entries = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
    ours, theirs = play_on_twins(
        chromium, lambda stage, entries: settle(stage, LOOKS[0], entries), entries, SPECTATOR, "p1"
    )
    for name in (WATCHER, PLAYER, FLOOR):
        assert len(ours.sent[name]) > 3 and ours.parts_from(theirs, name) == [], name
