"""A spectator with a delay: nothing reaches the browser early, and nothing is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from domain.law.entries import Entry
from tests.rotation import rotate
from tests.service import journeys as J
from tests.service.harness import SECOND_MS
from tests.service.journeys import LOOKS, WATCHER, Look, Stage
from tests.service.listening import random_match

DELAY = 5 * SECOND_MS
RECORDED, SEEN = 40, 35
SHOWN = "[...document.querySelectorAll('[data-strip]')].map((strip) => strip.outerHTML).join('')"
LOG = "[...document.querySelectorAll('#log li')].map((row) => +row.dataset.n)"


@pytest.fixture
def stage(chromium: Browser) -> Iterator[Stage]:
    with J.stage_of(chromium, delay=DELAY) as ready:
        yield ready


def until_head(page: Page, number: int) -> None:
    page.wait_for_selector(f'body[data-head="{number}"]', timeout=60_000)


def record(stage: Stage, entries: list[Entry], upto: int) -> None:
    version = stage.context.store.version("M-1")
    assert stage.context.store.append("M-1", version, entries[version:upto]) == upto
    stage.clock.at = entries[upto - 1].at
    stage.context.wake("M-1")


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_spectator_sees_nothing_before_its_time(stage: Stage, look: Look) -> None:
    entries = stage.record_match("M-1", random_match("skillbook", 1, 80), upto=RECORDED)
    with stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as page:
        assert page.evaluate("+document.body.dataset.head") == SEEN
        for ahead in range(1, 4):
            record(stage, entries, RECORDED + ahead)
            until_head(page, SEEN + ahead)
            assert J.rest(page) == SEEN + ahead
            stage.tee.wait(WATCHER, f"GET /{look.lang}/m/M-1/{SEEN + ahead}?")
        shown = page.evaluate(SHOWN)
        J.visit(page, f"{stage.url}/{look.lang}/m/M-1/{SEEN + 3}")
        assert page.evaluate(SHOWN) == shown
        answer = page.goto(f"{stage.url}/{look.lang}/m/M-1/{SEEN + 4}")
        assert answer is not None and answer.status == 404
        J.visit(page, f"{stage.url}/{look.lang}/floor")
        assert f"#{SEEN + 3}" in page.inner_text("#tables")
        sent = stage.tee.text_to(WATCHER)
    for number in range(SEEN + 5, RECORDED + 4):
        assert f'"n":{number}' not in sent and f'/{number}"' not in sent and f"#{number}<" not in sent


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_spectator_whose_line_was_cut_looks_back_and_goes_on_without_a_gap(stage: Stage, look: Look) -> None:
    """The spectator goes back while offline; after the reconnect every missed entry arrives."""
    entries = stage.record_match("M-1", random_match("blackpoker", 2, 80), upto=RECORDED)
    with stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as page:
        heard: list[int] = []

        def hear(number: int) -> None:
            heard.append(number)

        page.expose_function("hear", hear)
        page.evaluate("document.addEventListener('live', ({detail: {data}}) => hear(data.n))")
        page.context.set_offline(True)
        page.wait_for_selector("[data-stale]:not([hidden])")
        page.keyboard.press("ArrowLeft")
        assert J.rest(page) == SEEN - 1
        record(stage, entries, RECORDED + 3)
        before = page.evaluate(SHOWN)
        page.context.set_offline(False)
        until_head(page, SEEN + 3)
        record(stage, entries, RECORDED + 7)
        until_head(page, SEEN + 7)
        page.wait_for_selector("[data-news]:not([hidden]):has-text('8')")
        assert page.evaluate(SHOWN) == before and page.evaluate("+document.body.dataset.at") == SEEN - 1
        page.click("[data-news]")
        assert J.rest(page) == SEEN + 7
        assert heard == list(range(SEEN + 1, SEEN + 8))
        numbers = page.evaluate(LOG)
        assert numbers == list(range(SEEN + 7 - 8, SEEN + 8))
        shown = page.evaluate(SHOWN)
        stage.tee.wait(WATCHER, f"GET /{look.lang}/m/M-1/{SEEN + 7}?")
        J.visit(page, f"{stage.url}/{look.lang}/m/M-1/{SEEN + 7}")
        assert page.evaluate(SHOWN) == shown
