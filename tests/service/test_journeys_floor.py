"""A floor judge, called to a table: from its number to the finding in a few taps, with the eyes of a spectator."""

from collections.abc import Iterator
from time import monotonic

import pytest
from msgspec.structs import replace

from domain.law.entries import Noted, Opened
from domain.law.occasion import Occasion
from domain.words import Text
from recorder.remarks import remark
from tests.recorded import SHELVES
from tests.service.browsing import browser
from tests.service.journeys import LOOKS, Look, Stage, hold, stage_of, visit

pytestmark = pytest.mark.deep
RECORDED, TABLE, TAPS_MOST = 48, "17", 8


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """At table 17 something was recorded against the rules, and a judge is called."""
    with browser() as opened, stage_of(opened) as ready:
        first, *entries = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
        assert isinstance(first, Opened)
        called = Noted(by="p1", text=remark("call", Text("remark.call")), about=RECORDED)
        ready.put("M-1", [replace(first, occasion=Occasion(table=TABLE)), *entries, called])
        ready.put("M-2", SHELVES["dea"].entries("normal"), upto=RECORDED)
        yield ready


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_judge_who_is_called_reaches_the_finding_in_a_few_taps(stage: Stage, look: Look) -> None:
    with stage.come(look, "/en/floor") as page:
        page.goto(stage.url + stage.invitation(look.lang, "floor", "M-1", name="Kato"))
        page.wait_for_url("**/me")
        visit(page, f"{stage.url}/{look.lang}/floor")
        taps, began = 0, monotonic()
        tile = page.locator("a.tile").first
        assert TABLE in tile.inner_text() and "◆" in tile.inner_text(), "who waits for a judge stands first"
        page.fill("#table", TABLE)
        for target, url in (
            ("form.to-table button", "**/m/M-1"),
            ("main a[href$='/findings']", "**/findings"),
            ("main a[href*='/f/']", "**/f/*"),
        ):
            page.locator(target).first.click()
            page.wait_for_url(url)
            page.wait_for_selector("html[data-ready]")
            taps += 1
            assert page.query_selector("body[data-broken]") is None
            assert page.get_attribute("body", "data-viewer") in (None, "spectator")
        print(f"{look}: {taps} taps and a number typed, {monotonic() - began:.1f} s")
        assert taps + 1 + len(TABLE) <= TAPS_MOST
        said, twin = page.locator(".sentences > p").all_inner_texts()[:2]
        rules = SHELVES["blackpoker"].game.rulebook
        clause = page.locator(".by .clause").inner_text()
        assert said and twin and said != twin and clause in rules.clauses
        hold(page, look)
    assert len(stage.house.match("M-1").entries) == RECORDED + 1, "to look is not to write"
