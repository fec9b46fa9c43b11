"""The recorder and the player page during a request: nothing moves, is lost, or is sent twice."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Page, Route, expect

from domain.games import GAMES
from domain.law.entries import Entry, Played
from domain.law.law import Law
from recorder.matches import open_match
from tests.service.journeys import Look, Stage, visit

pytestmark = pytest.mark.rotates(2)
MATCH = "M-1"
LOOK = Look(390, "en")
LATE_MS, KEY_MS, HELD_MS = 2_000, 40, 800
SETTLED = "body[data-ready=yes][data-waiting='0']"
PLACES = """() => [...document.querySelectorAll("#offers button, #keys button, #keys a")].map((each) => {
  const {x, y} = each.getBoundingClientRect();
  return [each.textContent, x, y];
})"""
"""Return the positions of the recorder's buttons."""


def open_table(stage: Stage, *, phones: bool = False, deal: bool = True) -> None:
    game = GAMES["blackpoker"]
    law = Law(game, game.versions["8.1-lite"])
    secret = (1).to_bytes(16, "big") if deal else None
    open_match(stage.context.store, law, "8.1-lite", {}, None, secret, MATCH, phones=phones, deal=deal)


def played(stage: Stage) -> list[Entry]:
    entries = stage.context.match(MATCH).entries
    return [each for each in entries if isinstance(each, Played) and each.actor != "chance"]


@contextmanager
def recorder(stage: Stage, name: str = "Kato") -> Iterator[Page]:
    with stage.enter(LOOK, "scorekeeper", name=name) as page:
        visit(page, f"{stage.url}/en/record/{MATCH}")
        page.locator(SETTLED).wait_for(state="attached")
        yield page


def delay(page: Page, ms: int = LATE_MS) -> None:
    network = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": ms, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)


def lose_answers(page: Page) -> Callable[[], None]:
    """Record requests but drop their responses. Return a function that stops this."""

    def lose(route: Route) -> None:
        if lost and route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    lost = [True]
    page.route(f"**/{MATCH}", lose)
    return lost.clear


def tap(page: Page, spot: dict[str, Any]) -> None:
    """Press at the middle of a box, on any element that is there by then."""
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)


def box(page: Page, selector: str) -> dict[str, Any]:
    found: Any = page.locator(selector).first.bounding_box()
    assert found is not None
    return dict(found)


def enter(page: Page, *lines: str) -> None:
    for line in lines:
        page.keyboard.type(line, delay=KEY_MS)
        page.keyboard.press("Enter")


def count_passes(entries: Sequence[Entry]) -> int:
    return sum(b"pass" in bytes(each.action) for each in entries if isinstance(each, Played))


def test_a_line_whose_answer_was_lost_is_recorded_once_and_the_next_one_follows(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page:
        restore = lose_answers(page)
        page.locator("#offers button").first.click()
        expect(page.locator("#state")).to_contain_text("No connection")
        enter(page, "p")
        expect(page.locator("#stuck .mine li")).to_have_count(2)
        restore()
        page.locator(SETTLED).wait_for(state="attached")
        assert count_passes(played(stage)) == len(played(stage)) == 2


def test_nothing_moves_while_a_tap_waits_and_another_tap_is_not_taken(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page:
        before = page.evaluate(PLACES)
        delay(page)
        last, first = (box(page, each) for each in ("#offers li:last-child", "#offers li"))
        tap(page, last)
        expect(page.locator("#state")).to_contain_text("sending 1")
        assert page.evaluate(PLACES) == before
        tap(page, first)
        expect(page.locator("#state")).to_contain_text("Ignored")
        page.locator(SETTLED).wait_for(state="attached")
        assert len(played(stage)) == 1 and not count_passes(played(stage))


def test_a_tap_just_after_an_answer_does_not_take_what_came_under_it(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page:
        enter(page, "p")
        page.locator("#keys a").wait_for()
        page.wait_for_timeout(HELD_MS)
        spots = [box(page, each) for each in ("#offers li:last-child", "#offers li", "#keys a")]
        tap(page, spots[0])
        page.locator(SETTLED).wait_for(state="attached")
        for spot in spots:
            tap(page, spot)
        expect(page.locator("#state")).to_contain_text("Ignored")
        page.locator(SETTLED).wait_for(state="attached")
        assert page.url.endswith(f"/record/{MATCH}") and len(played(stage)) == 2


def test_a_second_tap_without_a_network_is_not_kept(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page:
        enter(page, "p")
        page.locator("#keys a").wait_for()
        page.context.set_offline(True)
        page.locator("#keys [name=take]").first.press("Enter")
        for button in ("#keys [name=take]", "#keys a"):
            expect(page.locator("#state")).to_contain_text("No connection")
            page.locator(button).first.press("Enter")
            expect(page.locator("#state")).to_contain_text("Ignored")
        expect(page.locator("#stuck .mine li")).to_have_count(1)
        page.context.set_offline(False)
        page.locator(SETTLED).wait_for(state="attached")
        assert count_passes(played(stage)) == len(played(stage)) == 2


@pytest.mark.parametrize("network", [True, False])
def test_keys_typed_ahead_are_read_when_their_turn_comes(stage: Stage, network: bool) -> None:
    open_table(stage)
    with recorder(stage) as page:
        page.context.set_offline(not network)
        enter(page, "p", "p")
        if not network:
            expect(page.locator("#stuck .mine li")).to_have_count(2)
        page.context.set_offline(False)
        page.locator(SETTLED).wait_for(state="attached")
        assert count_passes(played(stage)) == len(played(stage)) == 2
        assert {each.actor for each in played(stage) if isinstance(each, Played)} == {"p1", "p2"}


def test_a_key_and_values_in_one_line_are_the_action_of_the_button(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page:
        put = page.locator("#keys [data-put]:has(kbd)").first
        begins, key = put.get_attribute("data-put"), put.locator("kbd").inner_text()
        with page.expect_request(lambda request: request.method == "POST") as sent:
            enter(page, f"{key} no such card")
        assert f"{begins}no such card" in unquote_plus(sent.value.post_data or "")


def ask_for_cards(page: Page) -> list[str]:
    page.keyboard.press("Enter")
    page.locator("#face").wait_for()
    faces: list[str] = page.eval_on_selector_all("#faces option", "all => all.map((each) => each.value)")
    return faces


def test_answers_typed_ahead_are_sent_in_order_and_half_an_answer_stays(stage: Stage) -> None:
    open_table(stage, deal=False)
    with recorder(stage) as page:
        faces = ask_for_cards(page)[:3]
        delay(page)
        enter(page, *faces[:2])
        page.keyboard.type(faces[2][:1])
        expect(page.locator("#asked .note")).to_contain_text(f"({','.join(faces[:2])})")
        page.locator(SETTLED).wait_for(state="attached")
        assert page.input_value("#face") == faces[2][:1]
        enter(page, faces[2][1:])
        expect(page.locator("#asked .note")).to_contain_text(f"({','.join(faces)})")


def test_an_answer_typed_ahead_waits_if_the_one_before_it_is_refused(stage: Stage) -> None:
    open_table(stage, deal=False)
    with recorder(stage) as page:
        right, one, two = ask_for_cards(page)[:3]
        delay(page)
        enter(page, "nothing", one)
        page.keyboard.type(two)
        page.locator("#asked-wrong").wait_for()
        left = page.locator("#stuck .mine li > span")
        expect(left).to_have_text([one, two])
        expect(page.locator("#state")).to_contain_text("Not sent: 2 typed ahead")
        expect(page.locator("#again")).to_be_hidden()
        enter(page, right)
        expect(page.locator("#asked .note")).to_contain_text(f"({right},{one},{two})")
        expect(left).to_have_count(0)


def test_answers_that_are_taken_back_leave_the_recorder_free(stage: Stage) -> None:
    open_table(stage, deal=False)
    with recorder(stage) as page:
        one, two = ask_for_cards(page)[:2]
        delay(page)
        enter(page, "nothing", one, two)
        page.locator("#asked-wrong").wait_for()
        left = page.locator("#stuck .mine li > span")
        expect(left).to_have_text([one, two])
        page.locator("#stuck [data-back]").first.evaluate("each => each.click()")
        expect(left).to_have_text([two])
        page.locator("#stuck [data-back]").first.evaluate("each => each.click()")
        expect(page.locator("#state")).to_have_text("")
        enter(page, one)
        expect(page.locator("#asked .note")).to_contain_text(f"({one})")


def test_the_recorder_follows_what_others_record_and_keeps_what_is_typed(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page, recorder(stage, "Ito") as other:
        page.keyboard.type("p1 pa")
        enter(other, "p")
        page.locator("#rows li:nth-child(2)").wait_for()
        head = str(stage.context.store.version(MATCH))
        expect(page.locator("#rows .n").first).to_have_text(head)
        assert page.input_value("#line") == "p1 pa"
        enter(page, "ss")
        expect(page.locator("#conflict")).to_contain_text("Recorded by others")
        page.locator("#conflict summary").click()
        page.locator("#conflict [data-resolve=drop]").press("Enter")
        page.locator("#conflict:not(.conflict)").wait_for(state="attached")
        page.locator(SETTLED).wait_for(state="attached")
        enter(other, "p")
        page.locator("body[data-held]").wait_for(state="attached")
        expect(page.locator("#rows .n").first).to_have_text(str(stage.context.store.version(MATCH)))
        enter(page, "p1 pass")
        page.locator(SETTLED).wait_for(state="attached")
        assert len(played(stage)) == 3, "on the table that was seen"


def test_an_empty_enter_just_after_others_recorded_takes_nothing(stage: Stage) -> None:
    open_table(stage)
    with recorder(stage) as page, recorder(stage, "Ito") as other:
        rows = page.locator("#rows .n").first
        before = rows.inner_text()
        enter(other, "p")
        expect(rows).not_to_have_text(before)
        page.keyboard.type("1")
        expect(page.locator("#state")).to_contain_text("just changed")
        assert len(played(stage)) == 1


def test_a_players_tap_is_seen_to_be_taken_at_once_and_a_second_one_not_to_be(stage: Stage) -> None:
    open_table(stage, phones=True)
    (awaited,) = stage.context.match(MATCH).law.awaited(stage.context.match(MATCH).table)
    with stage.enter(LOOK, "seat", MATCH, name="Aoi", seat=awaited) as page:
        visit(page, f"{stage.url}/en/play/{MATCH}")
        offer = "form:not([inert]) .offer >> visible=true"
        page.wait_for_selector(offer)
        first, second = box(page, offer), page.locator(offer).nth(1).bounding_box()
        assert second is not None
        delay(page)
        tap(page, first)
        busy = page.locator(".offer[aria-busy=true]")
        expect(busy).to_contain_text("sending", timeout=LATE_MS)
        tap(page, dict(second))
        assert busy.evaluate("(button) => button.getAnimations().length") == 1
        page.locator("#turn:not([data-own])").wait_for(state="attached")
        expect(busy).to_have_count(0)
        assert len(played(stage)) == 1
