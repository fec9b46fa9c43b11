"""What judges do at a table beside a dispute that a finding led to, in browsers: without scripts, and from a card."""

import pytest
from playwright.sync_api import Browser

from domain.law import disputes as D
from tests.rotation import rotate
from tests.service.journeys import HEIGHT, LOOKS, Look, Stage, hold, stage_of, visit
from tests.service.serving import SECOND_MS
from tests.service.test_journeys_disputes import submit
from tests.service.test_journeys_floor import RECORDED, sit_at_table

FLOOR = "Kato"


def filed(stage: Stage) -> list[D.Filed]:
    return [entry for entry in stage.house.match("M-1").entries[RECORDED:] if isinstance(entry, D.FILED)]


def test_the_clock_penalties_and_disputes_need_no_scripts(chromium: Browser) -> None:
    with stage_of(chromium) as stage:
        stage.put("M-1", sit_at_table())
        narrow = {"width": LOOKS[0].width, "height": HEIGHT}
        opened = chromium.new_context(
            java_script_enabled=False, viewport=narrow, extra_http_headers=stage.bearer("floor")
        )
        page = opened.new_page()
        match = f"{stage.url}/ja/m/M-1"
        page.goto(match)
        page.click("#calling [name=pause]")
        stage.clock.at += SECOND_MS
        page.fill("#clock #extension", "30")
        page.click("#clock button[value=resume]")
        page.wait_for_selector("#calling [name=pause]")
        page.goto(f"{match}/penalties")
        page.select_option("#seat", "p1")
        page.fill("#step", "warning")
        page.click("button[value=check]")
        page.click("#preview button[value=give]")
        page.wait_for_url("**/penalties")
        page.goto(match)
        page.click("#pieces summary")
        page.locator("#pieces a").first.click()
        page.click("#thing a[href*='thing=']")
        page.fill("#claim-p1", "it was charged")
        page.click("main form button.first")
        page.wait_for_url(f"**/disputes/{RECORDED + 4}")
        opened.close()
        paused, resumed, penalised, disputed = filed(stage)
        assert isinstance(paused, D.Paused) and isinstance(resumed, D.Resumed)
        assert (resumed.at - paused.at, resumed.extension) == (SECOND_MS, 30 * SECOND_MS)
        assert isinstance(penalised, D.Penalised) and penalised.penalty.step == "warning"
        assert isinstance(disputed, D.Disputed) and disputed.matter == D.Matter(thing=disputed.matter.thing)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_dispute_is_opened_from_a_card_on_the_board_and_from_a_clause(chromium: Browser, look: Look) -> None:
    with stage_of(chromium) as stage, stage.enter(look, "floor", name=FLOOR) as page:
        stage.put("M-1", sit_at_table())
        visit(page, f"{stage.url}/{look.lang}/m/M-1")
        page.locator(".board [data-t]").first.click()
        page.click("#sheet[open] a[href*='thing=']")
        page.wait_for_selector("#claim-p1")
        hold(page, look)
        thing = page.input_value("#thing")
        submit(page, "main form button.first", look)
        page.locator(f".what a:text-is('u{thing}')").click()
        page.wait_for_url(f"**/thing/{thing}")
        visit(page, f"{stage.url}/{look.lang}/m/M-1/{RECORDED - 1}")
        page.locator("#happened a.clause").first.click()
        page.locator("a[href*='clause='][href$='#open']").click()
        page.wait_for_selector("#claim-p1")
        clause = page.input_value("#clause")
        submit(page, "main form button.first", look)
        about = [entry.matter for entry in filed(stage) if isinstance(entry, D.Disputed)]
        assert about == [D.Matter(thing=int(thing)), D.Matter(clause=clause)]  # type: ignore[arg-type]
