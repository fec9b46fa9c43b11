"""Gaps, cards named late, and earlier entries, in a browser with and without scripts."""

import pytest

from domain.law.entries import Corrected, Gap, Played
from tests.projections.test_looking_back import PASSED, SET, SHUFFLED, at_the_table, bulwark
from tests.rotation import rotate
from tests.service.journeys import LOOKS, Look, Stage, hold

pytestmark = pytest.mark.rotates(2)

SAID = {"en": "unknown then; H9 by entry", "ja": "この時点では不明。記録"}


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
@pytest.mark.parametrize("scripts", [True, False])
def test_a_gap_a_card_found_out_and_the_look_back(
    stage: Stage, tmp_path_factory: pytest.TempPathFactory, look: Look, scripts: bool
) -> None:
    table = at_the_table(tmp_path_factory.mktemp("s"))
    _, thing = bulwark(table)
    stage.record_match("m", table.entries[:PASSED])
    with stage.show(look, "head", f"/{look.lang}/record/m", scripts=scripts) as page:
        page.click("a[href$='/record/m/after']")
        page.fill("#gap-reason", "the picture was gone")
        page.fill("#gap-most", "some")
        page.press("#gap-most", "Enter")
        page.wait_for_selector("#wrong[role=alert]")
        assert page.get_attribute("#gap-most", "aria-invalid") == "true"
        if scripts:
            hold(page, look)
        page.fill("#gap-most", "2")
        page.fill("#gap-facts", f"stance u{thing} driven")
        page.press("#gap-reason", "Enter")
        page.wait_for_url("**/record/m")
        page.click("a[href$='/record/m/after']")
        page.select_option("#late-thing", f"u{thing}")
        page.fill("#late-face", "H9")
        page.fill("#late-reason", "turned over after the match")
        page.press("#late-reason", "Enter")
        page.wait_for_url("**/record/m")
        gap, late = stage.context.match("m").entries[PASSED:]
        assert isinstance(gap, Gap) and gap.most == 2 and isinstance(late, Corrected)
        page.goto(f"{stage.url}/{look.lang}/m/m/{SET}")
        page.click("#eyes summary")
        page.check("#eyes input[value=judge]")
        page.click("#eyes form button")
        page.wait_for_url(f"**/m/m/{SET}/as/judge")
        said = page.get_attribute(f"#t{thing}", "aria-label") or ""
        assert SAID[look.lang] in said and page.inner_text(f"#t{thing} .later") == "→♥9"
        page.goto(f"{stage.url}/{look.lang}/m/m/{SET}")
        assert SAID[look.lang] not in page.content(), "the spectator's eyes see nothing of it"


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
@pytest.mark.parametrize("scripts", [True, False])
def test_the_recorder_asks_what_a_card_is_that_shows(
    stage: Stage, tmp_path_factory: pytest.TempPathFactory, look: Look, scripts: bool
) -> None:
    table = at_the_table(tmp_path_factory.mktemp("s"))
    stage.record_match("m", table.entries[:SHUFFLED])
    with stage.show(look, "head", f"/{look.lang}/record/m", scripts=scripts) as page:
        page.fill("#line", "set_bulwark")
        page.press("#line", "Enter")
        page.wait_for_selector("#asked h2")
        if scripts:
            hold(page, look)
        page.fill("#face", "D7")
        page.press("#face", "Enter")
        page.wait_for_selector("#asked-wrong")
        assert stage.context.match("m").version == SHUFFLED, "that one lies open elsewhere"
        page.fill("#face", "C6")
        page.press("#face", "Enter")
        page.wait_for_selector("#asked:not(:has(h2))", state="attached")
        assert isinstance(stage.context.match("m").entries[SHUFFLED], Played)
        assert stage.context.match("m").version == SHUFFLED + 1
