"""A designer tests a rule change: report, shortest matches, approval with a reason, and equal files."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from domain.judging.rejudging.causes import ENGINE
from tests.cli.runs import inside
from tests.rotation import rotate
from tests.service.journeys import LOOKS, Look, hold, stage_of, visit
from tests.service.working import add_match, archive

CHANGE, MATCHES, READ_FIRST = "judge.compare=printed", 16, 3
NAME, REASON = "Rei", "the new limit"
SEND = "async ([url, fields]) => (await fetch(url, {method: 'POST', body: new URLSearchParams(fields)})).status"
COUNTS = "all => all.map(each => [each.id.replace('class-', ''), +each.querySelector('.count').innerText])"
TEXT = "async (url) => (await fetch(url)).text()"


def start(page: Page, url: str, look: Look) -> str:
    visit(page, f"{url}/{look.lang}/r?game=blackpoker")
    option, _, value = CHANGE.partition("=")
    page.locator("main form summary").click()
    page.locator(f"main form input[value='{option}'] ~ select").first.select_option(value)
    page.locator("main form button.first").click()
    page.wait_for_selector("#classes")
    return page.url


def read_classes(page: Page) -> dict[str, int]:
    shown = page.eval_on_selector_all("section.class", COUNTS)
    return {kind: number for kind, number in shown if number}


def read_files(page: Page) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the outcome of each match in the JUnit file, and the results of the SARIF file."""
    junit, sarif = (
        page.evaluate(TEXT, page.get_attribute(f".links a[href*='results.{name}']", "href"))
        for name in ("junit.xml", "sarif")
    )
    (suite,) = ElementTree.fromstring(junit)
    return [child.tag for case in suite for child in case], msgspec.json.decode(sarif)["runs"][0]["results"]


def agree(page: Page, code: int, approved: int) -> None:
    classes = read_classes(page)
    assert sum(classes.values()) == MATCHES + 1
    differing = sum(number for kind, number in classes.items() if kind != "identical")
    tags, results = read_files(page)
    assert (tags.count("failure"), tags.count("skipped")) == (differing - approved, approved)
    assert len(results) == differing and sum(bool(result["suppressions"]) for result in results) == approved
    assert page.locator(".answer").count() == 1 and page.locator(".answer.bad").count() == code


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_designer_reads_the_shortest_and_approves_a_class(chromium: Browser, tmp_path: Path, look: Look) -> None:
    store = archive(tmp_path, MATCHES).store
    with stage_of(chromium, store=store) as stage, stage.enter(look, "designer", name=NAME) as page:
        add_match(stage.context.store, "disputed", "disputed")
        report = start(page, stage.url, look)
        hold(page, look)
        told = inside(store, "regress", "--set", CHANGE, "--json")
        assert read_classes(page) == {kind: number for kind, number in told.data["by_class"].items() if number}
        agree(page, told.code, 0)

        row = page.locator(".of-class > li:not(:has(.bad)) > a").first
        kind, clause = (row.get_attribute("href") or "").split("/")[-2:]
        row.click()
        page.wait_for_url(f"**/{kind}/{clause}")
        assert page.locator("[name=reason]").count() == 0, "approving is earned by reading"
        visit(page, report)
        unread = page.locator(f"#class-{kind} .shortest form button")
        to_read = min(READ_FIRST, read_classes(page)[kind])
        assert unread.count() == to_read
        for left in range(to_read, 0, -1):
            assert unread.count() == left
            unread.first.click()
            page.wait_for_url(f"{report}/*")
            assert page.locator(".beside .differs").count() > 0, "what is recorded stands beside what would be"
            visit(page, report)

        page.locator(f".of-class > li:not(:has(.bad)) > a[href$='/{kind}/{clause}']").click()
        page.wait_for_url(f"**/{kind}/{clause}")
        form = page.locator("form:has([name=reason])").first
        approved = int(page.locator("section.card:has([name=reason]) .count").first.inner_text())
        form.locator("[name=reason]").fill(REASON)
        with page.expect_navigation():
            form.locator("button").click()
        hold(page, look)
        visit(page, report)
        assert page.locator("section.card", has_text=REASON).filter(has_text=NAME).count() == 1
        agree(page, told.code, approved)


@pytest.mark.nightly
def test_what_the_engine_causes_is_not_to_be_approved(chromium: Browser, tmp_path: Path) -> None:
    look, store = LOOKS[0], archive(tmp_path, 1).store
    with stage_of(chromium, store=store) as stage, stage.enter(look, "designer", name=NAME) as page:
        add_match(stage.context.store, "disputed", "disputed")
        report = start(page, stage.url, look)
        page.locator(".of-class > li:has(.bad) > a").first.click()
        page.wait_for_url("**/base/*")
        assert page.locator(".bad").inner_text().startswith("▲") and page.locator("[name=reason]").count() == 0
        assert page.evaluate(SEND, [page.url, {"cause": ENGINE.key, "reason": REASON}]) == 422
        visit(page, report)
        assert page.locator("section.card", has_text=REASON).count() == 0
