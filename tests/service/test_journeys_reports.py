"""A report in progress in a browser: its progress updates itself, and the report follows."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from archive.regress.counting import RegressionReport
from recorder.keyring import Holder, Keyring
from recorder.store import Store
from service.context import AppContext
from service.reports import job_runner
from service.reports.job_records import Regression
from service.reports.job_runner import run_rule_change
from tests.service.browsing import listening
from tests.service.harness import START, Clock
from tests.service.journeys import Look, hold, visit
from tests.service.working import archive

MATCHES, PATIENCE_S = 4, 60


def test_a_report_follows_its_progress_and_comes_by_itself(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: SimpleQueue[str] = SimpleQueue()

    def count_when_told(
        store: Store, task: Regression, matches: Any, work: Path, step: Callable[[], None]
    ) -> RegressionReport:
        while pieces.get(timeout=PATIENCE_S) != "end":
            step()
        return run_rule_change(store, task, matches, work, lambda: None)

    monkeypatch.setattr(job_runner, "run_rule_change", count_when_told)
    settings = archive(tmp_path, MATCHES)
    context = AppContext(Store.open(settings.store), Keyring.open(":memory:"), settings, Clock(START))
    invited = context.invite(Holder(role="designer", name="Abe")).token
    with listening(context) as url:
        context.settings = replace(context.settings, public=url)
        look = Look(390, "en")
        page = chromium.new_page(viewport={"width": look.width, "height": 844})
        page.goto(f"{url}/en/in#{invited}")
        page.wait_for_url("**/me")
        visit(page, f"{url}/en/r?game=blackpoker")
        page.select_option("#rules", "blackpoker@9.2-lite")
        page.click("main form button")
        page.wait_for_selector("[data-job][data-state=running]")
        page.evaluate("window.same = true")
        for done in range(1, MATCHES):
            pieces.put("step")
            page.wait_for_selector(f"[data-shows=done]:text-is('{done} / {MATCHES}')")
            assert page.eval_on_selector("progress", "(bar) => [bar.value, bar.max]") == [done, MATCHES]
        assert page.evaluate("window.same"), "the page is the same all the while"
        hold(page, look)
        pieces.put("end")
        page.wait_for_selector("#classes")
        assert page.locator("#classes").count() == 1
        hold(page, look)
