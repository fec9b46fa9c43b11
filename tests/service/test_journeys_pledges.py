"""Seat commitments in a browser: a match opened with them, and secrets revealed on its page."""

import pytest

from domain.law.disputes import Revealed
from domain.law.entries import Played, Pledged
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.rotation import rotate
from tests.service.journeys import LOOKS, Look, Stage, hold, visit

pytestmark = pytest.mark.rotates(2)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_two_players_shuffle_together_in_a_browser(stage: Stage, look: Look) -> None:
    with stage.enter(look, "head", name="Abe") as page:
        visit(page, f"{stage.url}/{look.lang}/record")
        page.select_option("#edition", "blackpoker@8.1-lite")
        page.click(".opening > details > summary")
        page.fill("#match", MATCH)
        for field, pledge in zip(("#g1", "#g2"), pledges_of().values(), strict=True):
            page.fill(field, pledge)
        hold(page, look)
        page.click("form.opening button.first")
        page.wait_for_url(f"**/record/{MATCH}")
        assert isinstance(stage.context.match(MATCH).opening, Pledged)
    with stage.enter(look, "seat", MATCH, name="Aoi", seat="p1") as page:
        visit(page, f"{stage.url}/{look.lang}/m/{MATCH}")
        hold(page, look)
        assert page.locator("#secret-p2").count() == 0
        page.fill("#secret-p1", SECRETS[P2].hex())
        page.click("#pledges button[value=reveal]")
        page.wait_for_selector(".errors")
        hold(page, look)
        page.fill("#secret-p1", SECRETS[P1].hex())
        page.click("button[value=reveal]")
        page.wait_for_url(f"**/m/{MATCH}**")
    with stage.enter(look, "floor", name="Kato") as page:
        visit(page, f"{stage.url}/{look.lang}/m/{MATCH}/pledges")
        page.fill("#reason-p2", "gone home")
        page.click("button[value=missing]")
        page.wait_for_url(f"**/m/{MATCH}")
        assert page.locator("#pledges a").count() == 0
    said = stage.context.match(MATCH).entries
    assert [type(entry) for entry in said[1:4]] == [Revealed, Revealed, Played]
