"""In a browser: the button of an unseen card says and sends where the card went."""

from tests.recorder.test_recorder_unseen import block_soldier
from tests.service.journeys import LOOKS, Stage, hold, visit


def test_an_unseen_card_is_answered_by_where_it_went(stage: Stage) -> None:
    block_soldier(stage.context.store)
    before = stage.context.match("m").version
    with stage.enter(LOOKS[0], "scorekeeper", name="Ueno") as page:
        visit(page, f"{stage.url}/{LOOKS[0].lang}/record/m")
        page.locator("body[data-ready=yes]").wait_for()
        page.fill("#line", "p1: pass")
        page.keyboard.press("Enter")
        for answered, press in (("", "CJ"), ("CJ", "?grave"), ("CJ,?grave", "?hand")):
            page.locator(f"#asked .note:has-text('{answered}')").wait_for()
            if press.startswith("?"):
                hold(page, LOOKS[0])
                page.click(f"#asked button[value='{press}']")
            else:
                page.fill("#face", press)
                page.keyboard.press("Enter")
        page.locator("#asked:not(.card)").wait_for(state="attached")
    assert stage.context.match("m").version == before + 1
