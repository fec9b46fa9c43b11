"""The player in a real browser: at every stop it shows the board that the server draws."""

from contextlib import AbstractContextManager
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Page, Route

from domain.games import GAMES
from domain.law.entries import Entry, Played
from domain.law.law import Law
from domain.words import Text
from recorder.matches import note, open_match
from recorder.remarks import write_remark
from tests.rotation import rotate
from tests.service.journeys import SLIDE, Look, Stage, break_seal, rest, visit
from tests.service.listening import random_match
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(3)

LENGTH, BEGUN = 1000, 900
STOPS = 12
LONG_MS, SHORT_MS = 600_000, 1_000


class Table(Struct, frozen=True):
    stage: Stage
    entries: list[Entry]

    def record(self, upto: int) -> None:
        context = self.stage.context
        version = context.store.version("M-1")
        assert context.store.append("M-1", version, self.entries[version:upto]) == upto
        context.wake("M-1")

    def open(self, path: str) -> AbstractContextManager[Page]:
        return self.stage.come(Look(390, "en"), path)


@pytest.fixture
def table(stage: Stage) -> Table:
    return Table(stage, stage.record_match("M-1", random_match("dea", 1, LENGTH), upto=BEGUN))


SHOWN = """() => ({
  strips: Object.fromEntries([...document.querySelectorAll("[data-strip]")].map((s) => [
    s.dataset.strip, s.outerHTML.replace(/ tabindex="-?[01]"/g, "")])),
  log: [...document.querySelectorAll("#log li")].map((row) => row.outerHTML.replace(' aria-current="true"', "")),
  at: document.querySelector("[data-shows=at]").textContent, range: document.querySelector("#scrub").value,
  path: location.pathname,
})"""


@pytest.mark.nightly
def test_every_stop_is_what_the_server_draws_afresh(table: Table) -> None:
    random = Random(1)
    with table.open("/en/m/M-1/880") as page, table.open("/en/m/M-1/1") as fresh:
        films: list[str] = []
        page.on("request", lambda asked: films.append(asked.url) if "/film?" in asked.url else None)
        page.reload()
        page.wait_for_selector("html[data-ready]")
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
            fresh.goto(table.stage.url + shown["path"])
            fresh.wait_for_selector("html[data-ready]")
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
"""Return the numbers of changed and of replaced squares since the last call, and whether the log row is in view."""


def test_a_step_puts_in_only_what_is_otherwise_and_its_row_stays_in_view(table: Table) -> None:
    with table.open("/en/m/M-1/300") as page:
        page.evaluate(SQUARES, False)
        turned = 0
        for _ in range(STOPS):
            page.keyboard.press("ArrowRight")
            rest(page)
            shown = page.evaluate(SQUARES, True)
            assert shown["replaced"] == 0 and shown["seen"], shown
            turned += shown["turned"]
        assert turned


def test_news_moves_the_board_only_of_who_looks_at_the_newest(table: Table) -> None:
    with table.open("/en/m/M-1/900") as live, table.open("/ja/m/M-1/850") as back:
        before = back.evaluate(SHOWN)["strips"]
        table.record(908)
        live.wait_for_selector('body[data-at="908"]')
        assert rest(live) == 908
        back.wait_for_selector("[data-news]:has-text('58')")
        assert back.evaluate(SHOWN)["strips"] == before
        back.keyboard.press(".")
        assert rest(back) == 908
        with table.open("/ja/m/M-1/908") as fresh:
            assert back.evaluate(SHOWN) == fresh.evaluate(SHOWN)
        with table.open("/en/m/M-1/908") as fresh:
            assert live.evaluate(SHOWN) == fresh.evaluate(SHOWN)


def test_steps_leave_notes_about_seats_out_of_the_log_as_the_server_does(table: Table) -> None:
    for _ in range(10):
        note(
            table.stage.context.store,
            "M-1",
            "kato",
            write_remark("seat", Text("remark.seat", {"name": "Aoi", "seat": "p1"})),
        )
    with table.open(f"/en/m/M-1/{BEGUN + 10}") as page, table.open(f"/en/m/M-1/{BEGUN + 3}") as fresh:
        for _ in range(7):
            page.keyboard.press("ArrowLeft")
        assert rest(page) == BEGUN + 3
        shown = page.evaluate(SHOWN)
        assert shown == fresh.evaluate(SHOWN) and len(shown["log"]) == 8


def test_jumps_go_into_the_history_and_steps_do_not(table: Table) -> None:
    with table.open("/en/m/M-1/500") as page:
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


@pytest.mark.parametrize(("how", "seal_ms"), rotate([("away", LONG_MS), ("by itself", SHORT_MS)], 1))
def test_a_broken_seal_that_ends_leaves_nothing_behind(table: Table, how: str, seal_ms: int) -> None:
    stage = table.stage
    stage.context.settings = replace(stage.context.settings, seal_ms=seal_ms)
    with stage.enter(Look(390, "en"), "head", name="Abe") as page:
        visit(page, f"{stage.url}/en/m/M-1/880")
        break_seal(page)
        if how == "away":
            page.keyboard.press("ArrowLeft")
            rest(page)
            page.context.set_offline(True)
            page.wait_for_selector("[data-stale]:not([hidden])")
            stage.clock.at += seal_ms
            page.context.set_offline(False)
        page.wait_for_selector("[data-sealed]:not([hidden])", timeout=60_000)
        page.keyboard.press("ArrowLeft")
        shown = "[...document.querySelectorAll('[data-strip], #log')].map((s) => s.textContent).join('')"
        assert page.evaluate(shown) == "" and page.evaluate("caches.keys()") == []


def test_a_spectator_who_looks_away_lets_go_of_the_stream(table: Table) -> None:
    hide = """(is) => {
      Object.defineProperty(document, "hidden", {value: is, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with table.open("/en/m/M-1/900") as page:
        streams: list[str] = []
        page.on("request", lambda asked: streams.append(asked.url) if "/live?" in asked.url else None)
        page.evaluate(hide, True)
        table.record(902)
        page.evaluate(hide, False)
        page.wait_for_selector('body[data-at="902"]')
        assert [url.rpartition("&")[2] for url in streams] == ["after=900"]


@pytest.mark.smoke
def test_lines_that_are_recorded_are_seen_on_the_page_of_the_match(stage: Stage) -> None:
    stage.record_match("M-1", SHELVES["blackpoker"].entries("normal"), upto=12)
    with stage.enter(Look(390, "en"), "scorekeeper", name="Kato") as page:
        visit(page, f"{stage.url}/en/record/M-1")
        for number, line in enumerate(("p2 designate_blockers", "p1 pass"), start=13):
            page.fill("#line", line)
            page.press("#line", "Enter")
            page.locator(f"#rows .n:text-is('{number}')").wait_for()
        visit(page, f"{stage.url}/en/m/M-1")
        assert page.locator("#log [data-n='13'], #log [data-n='14']").count() == 2


def test_a_tap_outlives_a_sign_in_that_is_taken_back_and_a_sign_out(stage: Stage) -> None:
    game = GAMES["blackpoker"]
    law = Law(game, game.versions["8.1-lite"])
    open_match(stage.context.store, law, "8.1-lite", {}, None, (1).to_bytes(16, "big"), "M-1", phones=True)
    (awaited,) = law.awaited(stage.context.match("M-1").table)
    look, before = Look(390, "en"), stage.context.store.version("M-1")
    with stage.enter(look, "seat", "M-1", name="Aoi", seat=awaited) as page:
        visit(page, f"{stage.url}/en/play/M-1")
        page.wait_for_selector("form:not([inert]) .offer >> visible=true")
        (aoi,) = (each for each in stage.context.keys.list_issued(stage.clock.at) if each.holder.name == "Aoi")
        page.context.set_offline(True)
        stage.context.keys.revoke_number(aoi.number)
        page.locator("form:not([inert]) .offer >> visible=true").first.click()
        page.locator("#unsent:not([hidden])").wait_for()
        page.context.set_offline(False)
        page.locator("#unsent:has-text('signed out')").wait_for()
        assert "You are signed out" in page.inner_text("#unsent")
        for _ in range(2):
            page.goto(stage.url + stage.invitation("en", "seat", "M-1", name="Aoi", seat=awaited))
            page.wait_for_url("**/me")
            page.locator("[data-kept] li").wait_for()
            page.get_by_role("button", name="Sign out").press("Enter")
            page.get_by_role("button", name="Sign out and keep them").press("Enter")
            page.locator("form[data-out]").wait_for(state="detached")
        assert stage.context.store.version("M-1") == before
        page.goto(stage.url + stage.invitation("en", "seat", "M-1", name="Aoi", seat=awaited))
        page.wait_for_url("**/me")
        visit(page, f"{stage.url}/en/play/M-1")
        page.locator("#turn:not([data-own])").wait_for(state="attached")
        assert stage.context.store.version("M-1") > before and page.evaluate("sessionStorage.tap") is None


@pytest.mark.parametrize(("recorded", "says"), [(True, "has been recorded"), (False, "stays on this device")])
def test_answer_to_a_tap_after_a_sign_out_is_told_without_its_words(stage: Stage, recorded: bool, says: str) -> None:
    game = GAMES["blackpoker"]
    law = Law(game, game.versions["8.1-lite"])
    open_match(stage.context.store, law, "8.1-lite", {}, None, (1).to_bytes(16, "big"), "M-1", phones=True)
    (awaited,) = law.awaited(stage.context.match("M-1").table)
    before = stage.context.store.version("M-1")
    with stage.enter(Look(390, "en"), "seat", "M-1", name="Aoi", seat=awaited) as page:
        visit(page, f"{stage.url}/en/play/M-1")
        (aoi,) = (each for each in stage.context.keys.list_issued(stage.clock.at) if each.holder.name == "Aoi")
        offer = page.locator("form:not([inert]) .offer >> visible=true").first
        offer.wait_for()
        posts: list[Route] = []
        page.route(
            "**/play/M-1", lambda route: posts.append(route) if route.request.method == "POST" else route.continue_()
        )
        words = offer.inner_text()
        with page.expect_request("**/play/M-1"):
            offer.press("Enter")
        answer = posts[0].fetch(max_redirects=0) if recorded else None
        stage.context.keys.revoke_number(aoi.number)
        page.evaluate("document.dispatchEvent(new CustomEvent('live', {detail: {kind: 'sealed'}}))")
        assert "You are signed out" in page.inner_text("main")
        if answer:
            posts[0].fulfill(response=answer)
        else:
            posts[0].continue_()
        page.locator(f"main:has-text('{says}')").wait_for()
        assert words not in page.inner_text("main")
        assert (page.evaluate("sessionStorage.tap") is None) == recorded
        assert (stage.context.store.version("M-1") > before) == recorded


def test_a_tap_without_a_network_stays_on_the_page_and_is_recorded_once(stage: Stage) -> None:
    game = GAMES["blackpoker"]
    law = Law(game, game.versions["8.1-lite"])
    open_match(stage.context.store, law, "8.1-lite", {}, None, (1).to_bytes(16, "big"), "M-1", phones=True)
    (awaited,) = law.awaited(stage.context.match("M-1").table)
    with stage.enter(Look(390, "en"), "seat", "M-1", name="Aoi", seat=awaited) as page:
        visit(page, f"{stage.url}/en/play/M-1")
        before = stage.context.store.version("M-1")
        page.wait_for_selector("form:not([inert]) .offer >> visible=true")
        page.context.set_offline(True)
        page.locator("form:not([inert]) .offer >> visible=true").first.click()
        page.locator("#unsent:not([hidden])").wait_for()
        assert "Not sent yet" in page.inner_text("#unsent") and page.url.endswith("/en/play/M-1")
        assert page.locator("form:not([inert]) .offer").count() == 0, "no other tap is taken meanwhile"
        assert stage.context.store.version("M-1") == before
        page.context.set_offline(False)
        page.locator("#unsent[hidden]").wait_for(state="attached")
        page.locator("#turn:not([data-own])").wait_for(state="attached")
        done = [entry for entry in stage.context.store.read("M-1")[before:] if isinstance(entry, Played)]
        assert [entry.actor for entry in done] == [awaited]
        assert page.evaluate("sessionStorage.tap") is None
