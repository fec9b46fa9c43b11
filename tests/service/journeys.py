"""Browser journeys: several people at one service in a thread of the tests, with every byte recorded by person."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import Any
from zlib import MAX_WBITS, decompressobj

from axe_playwright_python.sync_playwright import Axe
from litestar import Litestar
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from domain.law.entries import Closed, Entry
from domain.table.table import JUDGE, Seat
from recorder.keyring import Holder, Keyring
from recorder.store import Store
from service.access import Role
from service.context import AppContext
from service.live.event_stream import PING
from service.settings import Settings
from tests.places import MEMORY, place
from tests.service.browsing import listening
from tests.service.harness import SECOND_MS, START, YEAR_MS, Clock
from tests.service.processes import PATIENCE

HEIGHT = 844
WATCHER = "watcher"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


class Look(Struct, frozen=True):
    """A screen: its width in pixels, language and colour theme."""

    width: int
    lang: str
    theme: str = "light"

    def __str__(self) -> str:
        return f"{self.width}-{self.lang}-{self.theme}"


LOOKS = (Look(390, "ja"), Look(1280, "en"), Look(390, "en", "dark"), Look(1280, "ja"))


class Exchange(Struct):
    """A response by its request; `ended` is true once it is complete."""

    asked: str
    head: str = ""
    body: bytes = b""
    ended: bool = False

    @property
    def text(self) -> str:
        """The decompressed body so far, without keep-alive pings."""
        packed = self.body.startswith(b"\x1f\x8b")
        plain = decompressobj(MAX_WBITS | 16).decompress(self.body) if packed else self.body
        return plain.replace(PING, b"").decode(errors="replace")


class Tee:
    """ASGI middleware that records every response by person. Each browser sends the person's name as its user agent."""

    def __init__(self, app: Litestar) -> None:
        self.app = app
        self.sent: dict[str, list[Exchange]] = defaultdict(list)
        self.ended = Condition()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent = Exchange(f"{scope['method']} {scope['path']}?{scope['query_string'].decode()}")
        self.sent[dict(scope["headers"]).get(b"user-agent", b"").decode()].append(sent)

        async def write(message: Any) -> None:
            if message["type"] == "http.response.start":
                sent.head = f"{message['status']} {message['headers']}"
            else:
                sent.body += message.get("body", b"")
                with self.ended:
                    sent.ended = not message.get("more_body", False)
                    self.ended.notify_all()
            await send(message)

        await self.app(scope, receive, write)

    def wait(self, name: str, asked: str) -> None:
        """Wait until a background request of a person is answered."""
        with self.ended:
            assert self.ended.wait_for(
                lambda: any(each.ended and each.asked == asked for each in self.sent[name]), PATIENCE
            )

    def text_to(self, name: str, within: str = "") -> str:
        """Return the responses to a person from paths that contain a text, headers included."""
        texts = (f"{sent.asked} {sent.head} {sent.text}" for sent in self.sent[name] if within in sent.asked)
        return "\n".join(texts)


class Stage(Struct, frozen=True):
    context: AppContext
    clock: Clock
    url: str
    browser: Browser
    tee: Tee

    def record_match(
        self,
        match: str,
        entries: Sequence[Entry],
        *,
        upto: int | None = None,
        closed: bool = False,
        secret: bytes | None = None,
    ) -> list[Entry]:
        """Record a match up to an entry and return all its entries.

        Times are one second apart, and the last one is now.
        """
        known = [entry for entry in entries if not isinstance(entry, Closed)]
        known += [Closed(by="judge", reason="time")] if closed else []
        last = len(known) if upto is None else upto
        began = self.clock.at - (last - 1) * SECOND_MS
        timed = [replace(entry, at=began + number * SECOND_MS) for number, entry in enumerate(known)]
        assert self.context.store.append(match, 0, timed[:last], secret=secret) == last
        return timed

    def invitation(self, lang: str, role: Role, *matches: str, name: str = "", seat: str = "") -> str:
        holder = Holder(role=role, name=name or role, matches=matches, seat=Seat(seat))
        token = self.context.keys.invite(
            holder, self.clock.at + YEAR_MS
        )  # written to the keyring, not the record, so entry numbers stay
        return f"/{lang}/in#{token}"

    def bearer(self, role: Role) -> dict[str, str]:
        """Return the header of a program with the rights of a role."""
        token = self.context.keys.issue(Holder(role=role, name=role), self.clock.at + YEAR_MS)
        return {"Authorization": f"Bearer {token}"}

    @contextmanager
    def come(self, look: Look, path: str, name: str = "somebody") -> Iterator[Page]:
        """Open a page in a new browser context. Script errors and policy violations fail the test."""
        opened = self.browser.new_context(
            viewport={"width": look.width, "height": HEIGHT},
            color_scheme="dark" if look.theme == "dark" else "light",
            locale=look.lang,
            user_agent=name,
        )
        errors: list[str] = []
        try:
            page = opened.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
            visit(page, self.url + path)
            yield page
        finally:
            opened.close()
        assert errors == []

    @contextmanager
    def enter(self, look: Look, role: Role, *matches: str, name: str, seat: str = "") -> Iterator[Page]:
        """Sign in by an invitation in a new browser context."""
        with self.come(look, self.invitation(look.lang, role, *matches, name=name, seat=seat), name) as page:
            page.wait_for_url("**/me")
            yield page

    @contextmanager
    def show(self, look: Look, role: Role, path: str, *, scripts: bool = True) -> Iterator[Page]:
        """Open a page without scripts, with a token in the header of each request."""
        view = {"width": look.width, "height": HEIGHT}
        headers = self.bearer(role)
        with self.browser.new_context(
            viewport=view,  # type: ignore[arg-type]
            java_script_enabled=scripts,
            extra_http_headers=headers,
        ) as opened:
            page = opened.new_page()
            page.goto(self.url + path)
            yield page


@contextmanager
def stage_of(browser: Browser, **settings: Any) -> Iterator[Stage]:
    """Serve a store, by default a new one in memory, with an adjustable clock."""
    clock, given = Clock(START), Settings(**{**settings, "store": place(settings.get("store", MEMORY))})
    context = AppContext(Store.open(given.store), Keyring.open(":memory:"), given, clock)
    tees: list[Tee] = []

    def tee(app: Litestar) -> Tee:
        tees.append(Tee(app))
        return tees[0]

    with listening(context, tee) as url:
        context.settings = replace(context.settings, public=settings.get("public", url))
        yield Stage(context, clock, url, browser, tees[0])


def break_seal(page: Page, viewer: str = JUDGE) -> None:
    page.click("#eyes summary")
    page.check(f"#eyes input[value={viewer}]")
    page.click("#eyes form button")
    page.wait_for_url(f"**/as/{viewer}")
    page.wait_for_selector("html[data-ready]")


SLIDE = """(n) => {
  const range = document.querySelector("#scrub");
  range.value = n;
  range.dispatchEvent(new Event("input"));
}"""


def visit(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def rest(page: Page) -> int:
    """Wait until the player stops and return its entry."""
    page.wait_for_selector("body[data-state=rest]")
    return int(page.evaluate("document.body.dataset.at"))


BELOW = """[...document.querySelectorAll("body > :not(main) .notice")]
  .filter((notice) => notice.getClientRects().length
    && notice.getBoundingClientRect().top > document.querySelector("main").getBoundingClientRect().top)
  .map((notice) => notice.innerText)"""
"""Notices about the whole page that appear below its start."""
SMALL = """(least) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
  while (texts.nextNode()) {
    const text = texts.currentNode, over = text.parentElement, box = over.getBoundingClientRect();
    if (text.data.trim() && box.width > 1 && parseFloat(getComputedStyle(over).fontSize) < least)
      small.push(`${over.tagName}.${over.className}: ${text.data.trim()}`);
  }
  return small;
}"""
LEAST_PX, NARROWEST = 12, 360


def hold(page: Page, look: Look) -> None:
    """Assert that a page is accessible: no findings of axe, no small text, no horizontal scrolling."""
    page.evaluate("scrollTo(0, 0)")  # the scroll position decides what a fixed bar covers
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": list(TAGS)}, "resultTypes": ["violations"]})
    wrong = [
        (rule["id"], [(node["html"], node["failureSummary"]) for node in rule["nodes"]][:3])
        for rule in found.response["violations"]
    ]
    assert wrong == [], f"{page.url} {look}: {wrong}"
    assert page.evaluate(SMALL, LEAST_PX) == [], f"{page.url} {look}"
    assert page.evaluate(BELOW) == [], f"{page.url} {look}"
    wide = {"width": look.width, "height": HEIGHT}
    for width in {NARROWEST, look.width}:
        page.set_viewport_size({**wide, "width": width})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{page.url} at {width}"
    page.set_viewport_size(wide)
