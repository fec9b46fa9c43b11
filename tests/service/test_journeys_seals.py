"""A broken seal that is restored or expires: no hidden data remains in the browser."""

from collections.abc import Iterator
from html import unescape

import pytest
from playwright.sync_api import Browser, Page

from domain.law.disputes import Sealed, Unsealed
from domain.law.entries import Played
from domain.table.redact import SPECTATOR
from domain.words import Lang
from projections import phrases as P
from projections.board import board
from projections.things import things_on
from projections.viewing import find_viewer
from tests.disputed import dispute
from tests.laws.leak_checks import never_known
from tests.rotation import rotate
from tests.service.journeys import LOOKS, WATCHER, Look, Stage, break_seal, rest, stage_of, visit
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(3)

RECORDED, DISPUTED = 40, 48
JUDGE = "judge"
EVERYTHING = """async () => {
  const kept = [document.documentElement.outerHTML, location.href, document.title];
  for (const form of document.querySelectorAll("input, textarea")) kept.push(form.value);
  for (const template of document.querySelectorAll("template")) kept.push(template.innerHTML);
  for (const store of [localStorage, sessionStorage]) kept.push(JSON.stringify({...store}));
  for (const name of await caches.keys()) for (const asked of await (await caches.open(name)).keys())
    kept.push(asked.url, await (await caches.match(asked)).text());
  const wait = (asked) => new Promise((go, stop) => {
    Object.assign(asked, {onsuccess: () => go(asked.result), onerror: stop});
  });
  for (const {name} of await indexedDB.databases()) {
    const base = await wait(indexedDB.open(name));
    kept.push(name);
    for (const store of base.objectStoreNames) {
      kept.push(JSON.stringify(await wait(base.transaction(store).objectStore(store).getAll())));
    }
    base.close();
  }
  kept.push(JSON.stringify(history.state), performance.getEntries().map((entry) => entry.name).join(" "));
  return kept.join("\\n");
}"""
"""Return all data of a page: the document and every kind of storage."""
FRAME = "parseInt(getComputedStyle(document.body, '::after').borderTopWidth) || 0"
"""Width of the frame around the page, in pixels."""
HIDE = """(is) => {
  Object.defineProperty(document, "hidden", {value: is, configurable: true});
  window.drawing ??= window.requestAnimationFrame;
  window.requestAnimationFrame = is ? () => 0 : window.drawing;
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Simulate a background tab, in which nothing is drawn, or its return to the front."""
PLAYER = "Sato"


@pytest.fixture
def stage(chromium: Browser) -> Iterator[Stage]:
    with stage_of(chromium) as ready:
        ready.record_match("M-1", SHELVES["grimoire"].entries("normal"), upto=RECORDED)
        yield ready


def canaries(stage: Stage, lang: Lang, match: str = "M-1") -> set[str]:
    record = stage.context.match(match)
    unknown = set(never_known(record.entries, SPECTATOR))
    faces = {card: piece.face for card, piece in record.table.pieces.items() if piece.face}
    known = {face for card, face in faces.items() if card not in unknown}
    seen = board(record, find_viewer(record, "judge"), record.version)
    hidden = {card.face for card, _ in things_on(seen) if card.face} - known
    return {P.word(record.game, face, lang).removeprefix(face).strip() or face for face in hidden}


def names_in(names: set[str], text: str) -> set[str]:
    plain = unescape(text)
    return {name for name in names if name in plain}


def come_in(page: Page, stage: Stage, look: Look, match: str = "M-1") -> None:
    page.goto(stage.url + stage.invitation(look.lang, "head", name="Abe"))
    page.wait_for_url("**/me")
    visit(page, f"{stage.url}/{look.lang}/m/{match}/{RECORDED}")


def step_about(page: Page) -> int:
    """Step back and forward, which loads the timeline, and return the entry."""
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    return rest(page)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_seal_that_is_put_back_leaves_nothing_behind(stage: Stage, look: Look) -> None:
    names = canaries(stage, look.lang)  # type: ignore[arg-type]
    assert len(names) > 5
    with stage.come(look, "/en/floor", JUDGE) as page:
        come_in(page, stage, look)
        assert names_in(names, page.evaluate(EVERYTHING)) == set(), "a judge looks as a spectator does"
        assert page.query_selector("body[data-broken]") is None
        assert names_in(names, stage.tee.text_to(JUDGE)) == set()
        break_seal(page)
        noted = stage.context.match("M-1").entries[-1]
        assert isinstance(noted, Unsealed) and noted.by == "head Abe"
        assert page.query_selector("body[data-broken]") and page.is_visible("form.broken")
        assert page.evaluate(FRAME) > 0, "a frame around everything says so"
        assert step_about(page) < RECORDED
        assert names_in(names, page.evaluate(EVERYTHING)) == names, "what is looked for would be found"
        assert names_in(names, stage.tee.text_to(JUDGE)) == names
        page.click("form.broken button")
        page.wait_for_selector("body[data-viewer=spectator]")
        page.wait_for_selector("html[data-ready]")
        put_back = stage.context.match("M-1").entries[-1]
        assert isinstance(put_back, Sealed) and (put_back.by, put_back.eyes) == (noted.by, noted.eyes)
        assert page.evaluate(FRAME) == 0
        step_about(page)
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        page.go_back()
        page.wait_for_load_state()
        assert names_in(names, page.evaluate(EVERYTHING)) == set(), "the page before is not there any more"
        visit(page, f"{stage.url}/{look.lang}/me")
        page.click("form[action$='/me/out'] button")
        page.wait_for_url("**/floor")
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        answer = page.goto(f"{stage.url}/{look.lang}/m/M-1/{RECORDED}/as/judge")
        assert answer is not None and answer.status == 403
        assert names_in(names, page.evaluate(EVERYTHING)) == set()


def wait_for_seal(stage: Stage, look: Look, page: Page, name: str) -> None:
    page.wait_for_selector(f'body[data-head="{RECORDED + 1}"]')
    rest(page)
    stage.tee.wait(name, f"GET /{look.lang}/m/M-1/{RECORDED + 1}?")


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_seal_that_runs_out_empties_the_page_and_what_it_remembers(stage: Stage, look: Look) -> None:
    names = canaries(stage, look.lang)  # type: ignore[arg-type]
    with (
        stage.come(look, "/en/floor", JUDGE) as page,
        stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
    ):
        visit(seat, f"{stage.url}/{look.lang}/m/M-1/as/p1")
        come_in(page, stage, look)
        break_seal(page)
        step_about(page)
        page.click(".board [data-t]")
        page.wait_for_selector("#sheet[open] #thing")
        assert names_in(names, page.evaluate(EVERYTHING)) == names
        assert page.evaluate(FRAME) > 0
        wait_for_seal(stage, look, watching, WATCHER)
        wait_for_seal(stage, look, seat, PLAYER)
        page.evaluate(HIDE, True)
        stage.clock.at += stage.context.settings.seal_ms
        stage.context.wake("M-1")
        page.wait_for_selector("body[data-state=sealed]")
        page.wait_for_selector("[data-sealed]:not([hidden])")
        for key in ("ArrowLeft", "End"):
            page.keyboard.press(key)
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        assert page.inner_text("#log").strip() == "" and page.evaluate(FRAME) == 0
        page.evaluate(HIDE, False)
        assert names_in(names, page.evaluate(EVERYTHING)) == set(), "nothing comes back with the tab"
        page.click("[data-sealed] a")
        page.wait_for_selector("body[data-viewer=spectator]")
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        page.go_back()
        page.wait_for_load_state()
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        for name in (WATCHER, PLAYER):
            heard = stage.tee.text_to(name, "/live?")
            assert heard.count("event: ") == 1, "that the seal is broken, and nothing else"
        assert names_in(names, watching.evaluate(EVERYTHING) + stage.tee.text_to(WATCHER)) == set()


@pytest.mark.parametrize(
    ("what", "look"),
    rotate([*zip(("known", "rewind", "thing", "why", "finding"), (*LOOKS, LOOKS[0]), strict=True)], 1),
    ids=str,
)
def test_a_page_that_explains_is_emptied_when_the_seal_runs_out(stage: Stage, what: str, look: Look) -> None:
    match = "M-2" if what == "finding" else "M-1"
    entries = stage.record_match("M-2", SHELVES["blackpoker"].entries("disputed"), upto=DISPUTED)
    played = ((at, entry) for at, entry in enumerate(entries, start=1) if isinstance(entry, Played))
    finding = next(f"{at}/f/{entry.violations[0]}" for at, entry in played if entry.violations)
    names = canaries(stage, look.lang, match)  # type: ignore[arg-type]
    with stage.come(look, "/en/floor", JUDGE) as page:
        come_in(page, stage, look, match)
        break_seal(page)
        card = page.get_attribute(".board .fan [data-t]", "data-t")
        number = 30 if what == "rewind" else RECORDED
        of_match = {"thing": f"{number}/thing/{card}", "finding": finding}.get(what, f"{number}/{what}")
        visit(page, f"{stage.url}/{look.lang}/m/{match}/{of_match}/as/judge")
        said = page.inner_text("main")
        if what in ("rewind", "known", "thing"):
            assert names_in(names, page.evaluate(EVERYTHING)), "what is looked for would be found"
        with page.expect_response(lambda answer: "/live?" in answer.url):
            page.reload()
        stage.clock.at += stage.context.settings.seal_ms
        stage.context.wake(match)
        page.wait_for_selector("body[data-state=sealed]")
        assert page.is_visible("[data-sealed]") and page.query_selector("body[data-broken], form.broken") is None
        assert said and page.inner_text("main").strip() == ""
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
        page.click("[data-sealed] a")
        page.wait_for_load_state()
        assert "/as/" not in page.url and names_in(names, page.evaluate(EVERYTHING)) == set()
        page.go_back()
        page.wait_for_load_state()
        assert names_in(names, page.evaluate(EVERYTHING)) == set(), "the page before is not there any more"


@pytest.mark.nightly
def test_a_ruling_written_as_a_case_is_emptied_when_the_seal_runs_out(stage: Stage) -> None:
    look, played = LOOKS[0], SHELVES["blackpoker"].entries("disputed")[:DISPUTED]
    ruled, number = dispute(played, DISPUTED - 1, ("BP-10.6",))
    stage.record_match("M-3", ruled)
    names = canaries(stage, "ja", "M-3")
    with stage.come(look, "/en/floor", JUDGE) as page:
        come_in(page, stage, look, "M-3")
        break_seal(page)
        with page.expect_response(lambda answer: "/live?" in answer.url):
            visit(page, f"{stage.url}/{look.lang}/m/M-3/disputes/{number}/case")
        assert names_in(names, page.inner_text("pre.written")), "what is looked for would be found"
        stage.clock.at += stage.context.settings.seal_ms
        stage.context.wake("M-3")
        page.wait_for_selector("body[data-state=sealed]")
        assert page.inner_text("main").strip() == "" and names_in(names, page.evaluate(EVERYTHING)) == set()
        page.click("[data-sealed] a")
        page.wait_for_selector("body[data-viewer=spectator]")
        assert page.url.endswith(f"/m/M-3/disputes/{number}")
        assert names_in(names, page.evaluate(EVERYTHING)) == set()
