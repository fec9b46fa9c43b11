"""The recorder in a browser: a line without a target is asked about, and both answers are recorded once."""

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from domain.law.entries import Played
from tests.service.harness import Served
from tests.service.journeys import Stage
from tests.service.test_incomplete_lines import NEEDED, empty as empty_value, played_with, write
from tests.service.test_real_tables import START, at_the_table
from tests.service.test_recorder_waiting import MATCH, SETTLED, recorder

pytestmark = pytest.mark.rotates(2)


def begin(stage: Stage, game: str, named: str, slot: str) -> tuple[str, int]:
    """Open a match just before an action. Return its line without the value of the slot, and the entries."""
    one, number, entry, action = next(played_with(game, named, slot))
    stage.context.store.append(MATCH, 0, one.entries[:number])
    return write(one, number, entry, replace(action, **{slot: empty_value(action, slot)})), number


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_a_tap_on_a_candidate_completes_the_line(stage: Stage, game: str, named: str, slot: str) -> None:
    short, number = begin(stage, game, named, slot)
    with recorder(stage) as page:
        page.fill("#line", short)
        page.press("#line", "Enter")
        expect(page.locator("#unread h2")).to_contain_text("Which ")
        expect(page.locator("#line")).to_have_value(short)
        assert stage.context.match(MATCH).version == number
        page.locator("#unread [data-answer] button").first.click()
        expect(page.locator("#unread h2")).to_have_count(0)
        expect(page.locator("#line")).to_have_value("")
        expect(page.locator(f"[name=head][value='{number + 1}']").first).to_be_attached()
    done = stage.context.match(MATCH).entries[number]
    assert isinstance(done, Played) and not done.violations


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_a_tap_records_the_line_as_it_stands(stage: Stage, game: str, named: str, slot: str) -> None:
    short, number = begin(stage, game, named, slot)
    with recorder(stage) as page:
        page.fill("#line", short)
        page.press("#line", "Enter")
        page.get_by_role("button", name="Record as it stands").click()
        expect(page.locator("#told")).to_contain_text("⚑")
        expect(page.locator("body[data-waiting='0']")).to_have_count(1)
    done = stage.context.match(MATCH).entries[number]
    assert isinstance(done, Played) and done.violations


def test_a_verb_alone_is_asked_about_where_its_button_opens_a_field(stage: Stage) -> None:
    """The only line that the page lists is not all that the verb can mean: a bookmark card may pay too."""
    one, number, entry, _ = next(played_with("grimoire", "od_explosion", "mode"))
    stage.context.store.append(MATCH, 0, one.entries[:number])
    with recorder(stage) as page:
        listed = page.locator("#all [name=take][value*='od_explosion']")
        expect(listed).to_have_count(1)
        page.fill("#line", f"{entry.actor}: od_explosion")
        page.press("#line", "Enter")
        expect(page.locator("#unread h2")).to_contain_text("Which ")
    assert stage.context.match(MATCH).version == number


@pytest.mark.parametrize("button", ["[data-answer] button", "[data-resolve=note]"])
def test_the_face_that_a_line_asked_for_is_not_asked_again_with_its_target(
    stage: Stage, served: Served, button: str
) -> None:
    table = at_the_table(served, "dea")
    START["dea"](table)
    entries = served.context.match(table.match).entries
    stage.context.store.append(MATCH, 0, entries)
    with recorder(stage) as page:
        page.fill("#line", "play_event ?")
        page.press("#line", "Enter")
        page.fill("#face", "G05")
        page.press("#face", "Enter")
        expect(page.locator("#unread h2")).to_have_text("Which targets?")
        page.locator(f"#unread {button}").first.click()
        expect(page.locator(SETTLED)).to_have_count(1)
        expect(page.locator("#unread h2")).to_have_count(0)
    done = stage.context.match(MATCH).entries[len(entries)]
    assert isinstance(done, Played) and bool(done.violations) == ("note" in button)
