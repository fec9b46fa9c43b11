"""Those who look, on twins, whose matches differ in hidden cards alone: along a long match, at boards, at reports.

What they are sent is the same; what a judge is sent who has broken the seal is not.
"""

from itertools import cycle
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.law.entries import Entry, Rewound, opened_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from service.jobs import runner
from service.jobs.runner import count_changes
from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service import journeys as J
from tests.service.journeys import LOOKS, WATCHER, Look, Stage
from tests.service.listening import random_match
from tests.service.working import fill, put

PLAYER, DESIGNER = "Sato", "Rei"
LONG, BACK_TO = 1_000, 20
RECORDED, ARCHIVED, PATIENCE_S = 48, 3, 60
BOARDS = [*(f"{key}/normal" for key in SHELVES), "grimoire/two-teams"]
HOLD = """(times) => {
  for (let n = 0; n < times; n++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
  }
}"""


def prolong(entries: list[Entry], length: int) -> list[Entry]:
    again = [Rewound(to=BACK_TO, reason="once more", by=JUDGE), *entries[BACK_TO:]]
    return [*entries, *(again * (length // len(again)))][:length]


def scrub(stage: Stage, entries: list[Entry]) -> None:
    stage.put("M-1", entries)
    look = LOOKS[1]
    with stage.come(look, f"/{look.lang}/m/M-1/{LONG - 10}", WATCHER) as page:
        for way in (
            lambda: page.evaluate(HOLD, 60),
            lambda: page.evaluate(J.SLIDE, LONG // 3),
            lambda: page.keyboard.press("Control+ArrowRight"),
            lambda: page.keyboard.press("Home"),
            lambda: page.click("[data-go=next]"),
            lambda: page.click("[data-go=last]"),
        ):
            before = page.evaluate("document.body.dataset.at")
            way()
            at = J.rest(page)
            assert at != int(before)
            stage.tee.wait(WATCHER, f"GET /{look.lang}/m/M-1/{at}?")
        J.wait_for_film(stage, page, WATCHER)
    J.look_on(stage.url, stage.bearer("head"))


@pytest.mark.nightly
def test_who_goes_along_a_long_match_is_told_nothing_hidden(chromium: Browser) -> None:
    entries = prolong(random_match("grimoire", 1, LONG), LONG)
    ours, theirs = J.play_on_twins(chromium, scrub, entries, SPECTATOR)
    assert len({sent.asked for sent in ours.sent[WATCHER] if "/film?" in sent.asked}) == 8
    J.expect_alike(ours, theirs, WATCHER)


@pytest.mark.parametrize(("board", "look"), rotate([*zip(BOARDS, cycle(LOOKS), strict=False)], 1), ids=str)
def test_who_looks_at_a_board_is_told_nothing_hidden(chromium: Browser, board: str, look: Look) -> None:
    key, _, name = board.partition("/")
    entries = SHELVES[key].entries(name)[:RECORDED]
    seat = opened_of(entries).seats[0]

    def look_closely(stage: Stage, page: Page, name: str, eyes: str) -> None:
        J.visit(page, f"{stage.url}/{look.lang}/m/M-1/{RECORDED}{eyes}")
        page.click(".board [data-t]")
        page.wait_for_selector("#sheet[open] #thing")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowLeft")
        assert J.rest(page) == RECORDED - 1
        stage.tee.wait(name, f"GET /{look.lang}/m/M-1/{RECORDED - 1}{eyes}?")
        J.wait_for_film(stage, page, name)

    def play(stage: Stage, entries: list[Entry]) -> None:
        stage.put("M-1", entries)
        with stage.come(look, f"/{look.lang}/floor", WATCHER) as page:
            look_closely(stage, page, WATCHER, "")
        with stage.enter(look, "seat", "M-1", name=PLAYER, seat=seat) as page:
            look_closely(stage, page, PLAYER, f"/as/{seat}")
        J.look_on(stage.url, stage.bearer("head"))

    ours, theirs = J.play_on_twins(chromium, play, entries, SPECTATOR, seat)
    J.expect_alike(ours, theirs, WATCHER, PLAYER)


@pytest.mark.nightly
def test_a_designer_is_told_nothing_of_a_match_that_goes_on(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, begun = LOOKS[1], Event()

    def count_when_looked_at(store: Any, task: Any, matches: Any, work: Any, step: Any) -> Any:
        assert begun.wait(PATIENCE_S)
        return count_changes(store, task, matches, work, lambda: None)

    add = runner.Jobs.add

    def add_and_begin(jobs: runner.Jobs, *given: Any) -> Any:
        job, ends = add(jobs, *given), monotonic() + PATIENCE_S
        while jobs.job(job.id) == job:
            assert monotonic() < ends, "nobody does it"
            sleep(0.001)
        return job

    monkeypatch.setattr(runner, "count_changes", count_when_looked_at)
    monkeypatch.setattr(runner.Jobs, "add", add_and_begin)

    def play(stage: Stage, entries: list[Entry]) -> None:
        begun.clear()
        here = f"{stage.url}/{look.lang}"
        fill(stage.house.store, ARCHIVED)
        put(stage.house.store, "disputed", "disputed")
        stage.put("M-1", entries)
        with stage.enter(look, "designer", name=DESIGNER) as page:
            J.visit(page, f"{here}/r")
            page.fill("#settings", "judge.compare=printed")
            page.locator("form.card button").first.click()
            page.wait_for_selector("[data-job][data-state=running]")
            stage.tee.hear(DESIGNER, b'"running"')
            begun.set()
            page.wait_for_selector("#classes")
            report = page.url
            links = page.eval_on_selector_all("main a", "links => links.map(link => link.href)")
            of_report = sorted({link for link in links if link.startswith(f"{report}/")})
            assert of_report
            for url in (
                *of_report,
                report,
                f"{here}/floor",
                f"{here}/rules/blackpoker",
            ):
                J.visit(page, url)
            for path in ("m/M-1", f"m/M-1/{RECORDED}/why", f"m/M-1/{RECORDED}/as/judge"):
                answer = page.goto(f"{here}/{path}")
                assert answer is not None and answer.status == 403
        with stage.come(look, f"/{look.lang}/r", WATCHER) as page:
            for url in (report, f"{here}/find"):
                J.visit(page, url)
        J.look_on(stage.url, stage.bearer("head"))

    entries = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
    ours, theirs = J.play_on_twins(chromium, play, entries, SPECTATOR, folder=tmp_path)
    J.expect_alike(ours, theirs, DESIGNER, WATCHER)
