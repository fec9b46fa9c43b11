"""The player in a real browser: it shows at every stop what the server draws for that entry."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from domain.law.entries import Entry
from recorder.keyring import Holder, Keyring
from recorder.store import Store
from service.access import session_of
from service.house import House
from service.settings import Settings
from tests.rotation import rotate
from tests.service.browsing import listening
from tests.service.journeys import SLIDE, rest
from tests.service.listening import random_match
from tests.service.serving import START, YEAR_MS, Clock

LENGTH, BEGUN = 1000, 900
STOPS = 12
LONG_MS, SHORT_MS = 600_000, 1_000
NARROW = {"width": 390, "height": 844}


class Stage(Struct, frozen=True):
    """A server with a long match, and a browser."""

    house: House
    clock: Clock
    url: str
    browser: Browser
    entries: list[Entry]

    def record(self, upto: int) -> None:
        version = self.house.store.version("M-1")
        assert self.house.store.append("M-1", version, self.entries[version:upto]) == upto
        self.house.wake("M-1")

    @contextmanager
    def open(self, path: str, **context: Any) -> Iterator[Page]:
        opened = self.browser.new_context(viewport=NARROW, **context)  # type: ignore[arg-type]
        errors: list[str] = []
        try:
            page = opened.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
            page.goto(self.url + path)
            wait_ready(page)
            yield page
        finally:
            opened.close()
        assert errors == []


def wait_ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")


@pytest.fixture
def stage(chromium: Browser) -> Iterator[Stage]:
    clock = Clock()
    house = House(Store.open(":memory:"), Keyring.open(":memory:"), Settings(store=":memory:"), clock)
    entries = [replace(entry, at=START) for entry in random_match("dea", 1, LENGTH)]
    assert house.store.append("M-1", 0, entries[:BEGUN]) == BEGUN
    with listening(house) as url:
        yield Stage(house, clock, url, chromium, entries)


SHOWN = """() => ({
  strips: Object.fromEntries([...document.querySelectorAll("[data-strip]")].map((s) => [
    s.dataset.strip, s.outerHTML.replace(/ tabindex="-?[01]"/g, "")])),
  log: [...document.querySelectorAll("#log li")].map((row) => row.outerHTML.replace(' aria-current="true"', "")),
  at: document.querySelector("[data-shows=at]").textContent, range: document.querySelector("#scrub").value,
  path: location.pathname,
})"""


def test_every_stop_is_what_the_server_draws_afresh(stage: Stage) -> None:
    random = Random(1)
    with stage.open("/en/m/M-1/880") as page, stage.open("/en/m/M-1/1") as fresh:
        films: list[str] = []
        page.on("request", lambda asked: films.append(asked.url) if "/film?" in asked.url else None)
        page.reload()
        wait_ready(page)
        stops: list[int] = []
        for turn in range(STOPS):
            if turn % 3 == 0:
                page.keyboard.down(key := random.choice(("ArrowLeft", "ArrowLeft", "ArrowRight")))
                for _ in range(random.randrange(20, 90)):
                    page.keyboard.down(key)
                page.keyboard.up(key)
            elif turn % 3 == 1:
                page.evaluate(SLIDE, random.randrange(1, BEGUN))
            else:
                page.click(f"[data-go={random.choice(('back', 'next', 'first', 'last', 'turn-next'))}]")
            stops.append(rest(page))
            shown = page.evaluate(SHOWN)
            fresh.goto(stage.url + shown["path"])
            wait_ready(fresh)
            assert shown == fresh.evaluate(SHOWN), stops
        assert len(set(stops)) > STOPS // 2
        assert len(films) <= 9, films


SQUARES = """(last) => {
  const squares = [...document.querySelectorAll(".q")];
  const text = (square) => square.outerHTML.replace(/ tabindex="-?[01]"/g, "");
  const alike = last ? squares.filter((square, i) => text(square) === window.told[i]) : [];
  const kept = alike.filter((square) => window.squares.includes(square)).length;
  const turned = last ? squares.length - alike.length : 0;
  [window.squares, window.told] = [squares, squares.map(text)];
  const box = document.querySelector("#log"), row = box.querySelector("[aria-current]").getBoundingClientRect();
  const {top, bottom} = box.getBoundingClientRect();
  return {turned, replaced: alike.length - kept, seen: row.top >= top - 1 && row.bottom <= bottom + 1};
}"""
"""How many squares look otherwise than when this was asked last; how many others were put in anew; and whether the row
of the log is in view."""


def test_a_step_puts_in_only_what_is_otherwise_and_its_row_stays_in_view(stage: Stage) -> None:
    with stage.open("/en/m/M-1/300") as page:
        page.evaluate(SQUARES, False)
        turned = 0
        for _ in range(STOPS):
            page.keyboard.press("ArrowRight")
            rest(page)
            shown = page.evaluate(SQUARES, True)
            assert shown["replaced"] == 0 and shown["seen"], shown
            turned += shown["turned"]
        assert turned


def test_news_moves_the_board_only_of_who_looks_at_the_newest(stage: Stage) -> None:
    with stage.open("/en/m/M-1/900") as live, stage.open("/ja/m/M-1/850") as back:
        before = back.evaluate(SHOWN)["strips"]
        stage.record(908)
        live.wait_for_selector('body[data-at="908"]')
        assert rest(live) == 908
        back.wait_for_selector("[data-news]:has-text('58')")
        assert back.evaluate(SHOWN)["strips"] == before
        back.keyboard.press(".")
        assert rest(back) == 908
        with stage.open("/ja/m/M-1/908") as fresh:
            assert back.evaluate(SHOWN) == fresh.evaluate(SHOWN)
        with stage.open("/en/m/M-1/908") as fresh:
            assert live.evaluate(SHOWN) == fresh.evaluate(SHOWN)


def test_jumps_go_into_the_history_and_steps_do_not(stage: Stage) -> None:
    with stage.open("/en/m/M-1/500") as page:
        page.keyboard.press("ArrowRight")
        assert rest(page) == 501
        page.keyboard.press("j")
        assert rest(page) == 502
        page.keyboard.press("Home")
        assert rest(page) == 1
        page.go_back()
        page.wait_for_selector('body[data-at="502"]')
        assert rest(page) == 502
        page.evaluate("document.documentElement.dataset.keys = 'off'")
        page.keyboard.press("j")
        page.keyboard.press("ArrowLeft")
        assert rest(page) == 501


def test_a_page_goes_on_where_the_line_was_cut(stage: Stage) -> None:
    with stage.open("/en/m/M-1/900") as page:
        page.context.set_offline(True)
        page.wait_for_selector("[data-stale]:not([hidden])")
        page.keyboard.press("ArrowLeft")
        assert rest(page) == 899
        stage.record(903)
        page.context.set_offline(False)
        page.wait_for_selector('body[data-head="903"]', timeout=60_000)
        page.keyboard.press("End")
        assert rest(page) == 903
        with stage.open("/en/m/M-1/903") as fresh:
            assert page.evaluate(SHOWN) == fresh.evaluate(SHOWN)


@pytest.mark.parametrize(("how", "seal_ms"), rotate([("live", LONG_MS), ("away", LONG_MS), ("by itself", SHORT_MS)], 1))
def test_a_broken_seal_that_ends_leaves_nothing_behind(stage: Stage, how: str, seal_ms: int) -> None:
    token = stage.house.keys.issue(Holder(role="head", name="Abe"), stage.clock.at + YEAR_MS)
    key = stage.house.keys.key(token, stage.clock.at)
    assert key is not None
    session = session_of(key)
    stage.house.seals.break_open(session, "M-1", "judge", stage.clock.at + seal_ms)  # type: ignore[arg-type]
    headers = {"Authorization": f"Bearer {token}"}
    with stage.open("/en/m/M-1/880/as/judge", extra_http_headers=headers) as page:
        if how != "by itself":
            page.keyboard.press("ArrowLeft")
            rest(page)
        if how == "away":
            page.context.set_offline(True)
            page.wait_for_selector("[data-stale]:not([hidden])")
        if how != "by itself":
            stage.clock.at += seal_ms
        if how == "away":
            page.context.set_offline(False)
        page.wait_for_selector("[data-sealed]:not([hidden])", timeout=60_000)
        page.keyboard.press("ArrowLeft")
        assert (
            page.evaluate("[...document.querySelectorAll('[data-strip], #log')].map((s) => s.textContent).join('')")
            == ""
        )
        assert page.evaluate("caches.keys()") == []


def test_a_spectator_who_looks_away_lets_go_of_the_stream(stage: Stage) -> None:
    hide = """(is) => {
      Object.defineProperty(document, "hidden", {value: is, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with stage.open("/en/m/M-1/900") as page:
        streams: list[str] = []
        page.on("request", lambda asked: streams.append(asked.url) if "/live?" in asked.url else None)
        page.evaluate(hide, True)
        stage.record(902)
        page.evaluate(hide, False)
        page.wait_for_selector('body[data-at="902"]')
        assert [url.rpartition("&")[2] for url in streams] == ["after=900"]
