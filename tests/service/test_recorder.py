"""The recorder in a real browser on a real server: two at one table, sixty actions by keys, ten of them offline."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from domain.law.entries import Corrected, Noted, Played
from tests.service import phones as P
from tests.service.phones import NARROW, SMALL, WIDE, Table, phone
from tests.service.processes import bearer, server
from tools.cluster import free_port

pytestmark = pytest.mark.process
THREE, SHARE = 3, 0.95
"""Of the actions that can be named without seeing hidden cards nearly all are entered by so many keys."""


def sit_down(url: str, store: Path) -> Table:
    head = bearer(store, "head", name="Abe")
    body = {"game": "blackpoker", "version": P.VERSION, "match": "M-1", "occasion": {"table": "17"}}
    opened = httpx.post(f"{url}/api/v1/matches", json=body, headers=head)
    assert opened.status_code == 201, opened.text
    return Table(url, "M-1", head, store)


@contextmanager
def table(store: Path) -> Iterator[Table]:
    with server(store=store) as served:
        yield sit_down(served.url, store)


def test_two_phones_at_one_table(chromium: Browser, tmp_path: Path) -> None:
    with (
        table(tmp_path / "s.db") as of,
        phone(chromium, of, "Kato") as first,
        phone(chromium, of, "Ito", "ja") as second,
    ):
        P.meet(first, second, of)


@pytest.mark.nightly
def test_sixty_actions_by_three_keys_each(chromium: Browser, tmp_path: Path) -> None:
    with table(tmp_path / "s.db") as of, phone(chromium, of, size=WIDE) as user:
        counts = P.enter_sixty(user, of.line)
        assert sum(count <= THREE for count in counts) >= SHARE * len(counts) >= SHARE * P.ACTIONS / 2, counts
        user.press("ArrowUp")
        assert user.page.input_value("#line") == "p2 pass"
        user.press("Escape")
        assert user.page.input_value("#line") == ""
        kept = of.recorded()
        assert any(isinstance(entry, Noted) and "end_of_everything" in entry.text for entry in kept)
        assert any(isinstance(entry, Played) and entry.violations for entry in kept)
        assert any(isinstance(entry, Corrected | Noted) for entry in kept)


def test_enter_while_an_input_method_composes_sends_nothing(chromium: Browser, tmp_path: Path) -> None:
    with table(tmp_path / "s.db") as of, phone(chromium, of, lang="ja") as user:
        before = len(of.entries())
        user.page.locator("#line").focus()
        method = user.context.new_cdp_session(user.page)
        method.send("Input.imeSetComposition", {"text": "ちこく", "selectionStart": 3, "selectionEnd": 3})
        assert user.page.input_value("#line") == "ちこく"
        user.page.evaluate(
            """() => { const line = document.getElementById("line");
            for (const made of [{isComposing: true}, {keyCode: 229}]) {
              line.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", cancelable: true, ...made}));
            } }"""
        )
        assert user.page.evaluate("document.body.dataset.waiting") == "0" and len(of.entries()) == before
        method.send("Input.insertText", {"text": "遅刻"})
        assert user.page.input_value("#line") == "遅刻"
        user.press("Enter")
        user.settle()
        user.page.fill("#line", "fix ＃２")
        user.press("Enter")
        user.settle()
        late, fix = of.recorded()[before:]
        assert isinstance(late, Noted) and late.text.endswith("遅刻")
        assert isinstance(fix, Noted) and fix.about == 2
        user.page.fill("#line", "")
        user.type("１")
        user.press("Enter")
        user.settle()
        assert isinstance(of.recorded()[-1], Played), "a full-width digit takes an offer too"


def test_ten_actions_offline_survive_a_server_that_is_killed(chromium: Browser, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    with P.server_to_kill(store, free_port()) as (served, kill):
        of = sit_down(served.url, store)
        with phone(chromium, of) as user:
            P.record_offline(user, of, kill)


@pytest.mark.nightly
def test_what_was_not_sent_survives_a_reload_and_meets_what_others_entered(chromium: Browser, tmp_path: Path) -> None:
    with (
        table(tmp_path / "s.db") as of,
        phone(chromium, of, "Kato") as user,
        phone(chromium, of, "Ito") as other,
    ):
        P.meet_others(user, other, of)


def test_the_queue_is_wiped_at_sign_out(chromium: Browser, tmp_path: Path) -> None:
    with table(tmp_path / "s.db") as of, phone(chromium, of) as user:
        user.page.route("**/record/**", P.lose)
        user.type("mine alone")
        user.press("Enter")
        expect(user.page.locator("#state")).to_contain_text("1")
        user.page.goto(f"{of.url}/en/me")
        user.page.get_by_text("Sign out").click()
        user.page.wait_for_url("**/floor")
        kept = user.page.evaluate("indexedDB.databases().then(all => all.map(each => each.name))")
        assert kept == []


@pytest.mark.parametrize("size", [SMALL, NARROW, WIDE], ids=str)
@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("ja", "dark")])
def test_the_recorder_is_accessible_and_fits(
    chromium: Browser, tmp_path: Path, lang: str, scheme: str, size: tuple[int, int]
) -> None:
    with table(tmp_path / "s.db") as of, phone(chromium, of, lang=lang, size=size, color_scheme=scheme) as user:
        for line in ("p2 pass", "p1: nonsense"):
            user.type(line)
            user.press("Enter")
            user.settle()
        for path in (f"/{lang}/record/{of.match}", f"/{lang}/record"):
            if not user.page.url.endswith(path):
                user.page.goto(of.url + path)
            found = Axe().run(user.page)
            assert found.violations_count == 0, found.generate_report()
            assert user.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
