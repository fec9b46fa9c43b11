"""A table of real cards in a browser: the question has the focus and blocks other input."""

import pytest

from tests.rotation import rotate
from tests.service.journeys import LOOKS, Look, Stage, hold, visit

MATCH = "table-17"
FOCUSED = "document.activeElement.id"


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_card_that_is_asked_for_has_the_cursor(stage: Stage, look: Look) -> None:
    with stage.enter(look, "scorekeeper", name="Ueno") as page:
        visit(page, f"{stage.url}/{look.lang}/record")
        page.select_option("#edition", "blackpoker@8.1-lite")
        page.check("[name=cards][value=real]")
        page.click(".opening > details > summary")
        page.fill("#match", MATCH)
        page.click("form.opening button.first")
        page.wait_for_url(f"**/record/{MATCH}")
        page.locator("body[data-ready=yes]").wait_for()
        assert page.evaluate(FOCUSED) == "line"
        page.keyboard.press("Enter")
        page.locator("#line").wait_for(state="hidden")
        page.locator("#offers").wait_for(state="hidden")
        page.wait_for_function(f"{FOCUSED} === 'face'")
        hold(page, look)
        before = stage.context.match(MATCH).version
        for _ in range(2):
            card = page.locator("#faces option").first.get_attribute("value") or ""
            page.keyboard.type(card)
            page.keyboard.press("Enter")
            page.locator(f"#asked .note:has-text('{card}')").wait_for()
            page.wait_for_function(f"{FOCUSED} === 'face'")
        page.locator("#asked a.button").last.click()
        page.locator("#asked:not(.card)").wait_for(state="attached")
        page.locator("#line").wait_for()
        assert stage.context.match(MATCH).version == before
