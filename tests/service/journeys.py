"""Journeys: people with browsers of their own at a service in a thread of the tests, and all bytes it sent to each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from gzip import decompress
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from litestar import Litestar
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from domain.law.entries import Closed, Entry
from recorder.keyring import Holder, Keyring
from recorder.store import Store
from service.access import Role
from service.house import House
from service.settings import Settings
from tests.service.browsing import listening
from tests.service.serving import SECOND_MS, START, Clock

HEIGHT = 844
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LEFT_OUT = frozenset((b"date", b"set-cookie"))


class Look(Struct, frozen=True):
    """How somebody looks: on how wide a screen, in which language, by light or in the dark."""

    width: int
    lang: str
    theme: str = "light"

    def __str__(self) -> str:
        return f"{self.width}-{self.lang}-{self.theme}"


LOOKS = (Look(390, "ja"), Look(1280, "en"), Look(390, "en", "dark"), Look(1280, "ja"))
"""Both widths in both languages, one of them in the dark."""


class Tee:
    """The application, and every byte that it sends, by who asked: a browser says its person's name as its own."""

    def __init__(self, app: Litestar) -> None:
        self.app = app
        self.sent: dict[str, list[dict[str, Any]]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve, and write down what is sent."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name = dict(scope["headers"]).get(b"user-agent", b"").decode()
        query = scope["query_string"].decode()
        answer = {"asked": f"{scope['method']} {scope['path']}?{query}", "status": 0, "headers": (), "body": b""}
        self.sent.setdefault(name, []).append(answer)

        async def write(message: Any) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].lower() not in LEFT_OUT]
                answer.update(status=message["status"], headers=tuple(sorted(map(tuple, kept))))
            elif message["type"] == "http.response.body":
                answer["body"] += message.get("body", b"")
            await send(message)

        await self.app(scope, receive, write)

    def bytes_to(self, name: str) -> list[tuple[str, int, tuple[Any, ...], bytes]]:
        """All that somebody was sent, by what they asked for: pages ask for several things at once."""
        return sorted(
            (it["asked"], it["status"], it["headers"], unpacked(it["body"])) for it in self.sent.get(name, [])
        )

    def text_to(self, name: str) -> str:
        """The same as one text, the headers too."""
        return "\n".join(
            f"{asked} {status} {headers} {body.decode(errors='replace')}"
            for asked, status, headers, body in self.bytes_to(name)
        )


def unpacked(body: bytes) -> bytes:
    """A body as it was before it was packed."""
    return decompress(body) if body.startswith(b"\x1f\x8b") else body


class Stage(Struct, frozen=True):
    """A service that is asked by browsers."""

    house: House
    clock: Clock
    url: str
    browser: Browser
    tee: Tee

    def put(
        self, match: str, entries: Sequence[Entry], *, upto: int | None = None, closed: bool = False
    ) -> list[Entry]:
        """A match, one entry a second until now, and recorded up to an entry; what is recorded of it in all."""
        known = [entry for entry in entries if not isinstance(entry, Closed)]
        known += [Closed(by="judge", reason="time")] if closed else []
        last = len(known) if upto is None else upto
        began = self.clock.at - (last - 1) * SECOND_MS
        timed = [replace(entry, at=began + number * SECOND_MS) for number, entry in enumerate(known)]
        assert self.house.store.append(match, 0, timed[:last]) == last
        return timed

    def invitation(self, lang: str, role: Role, *matches: str, name: str = "") -> str:
        """The address by which somebody comes in."""
        token = self.house.invite(Holder(role=role, name=name or role, matches=matches)).token
        return f"/{lang}/in#{token}"

    @contextmanager
    def come(self, look: Look, path: str, name: str = "somebody") -> Iterator[Page]:
        """Somebody opens a page in a browser of their own. An error of its scripts or its policy fails the test."""
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
def stage_of(browser: Browser, **settings: Any) -> Iterator[Stage]:
    """A service over an empty store in memory, with a clock to be set."""
    clock = Clock(START)
    house = House(Store.open(":memory:"), Keyring.open(":memory:"), Settings(store=":memory:", **settings), clock)
    tees: list[Tee] = []

    def tee(app: Litestar) -> Tee:
        tees.append(Tee(app))
        return tees[0]

    with listening(house, tee) as url:
        house.settings = replace(house.settings, public=url)
        yield Stage(house, clock, url, browser, tees[0])


def visit(page: Page, url: str) -> None:
    """Open an address, until its scripts have done what they do at the beginning."""
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def rest(page: Page) -> int:
    """Wait until the player rests; the entry it is at."""
    page.wait_for_selector("body[data-state=rest]")
    return int(page.evaluate("document.body.dataset.at"))


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
    """A page can be read by everybody: nothing that axe finds, no text too small, no way sideways."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": list(TAGS)}, "resultTypes": ["violations"]})
    wrong = [
        (rule["id"], [(node["html"], node["failureSummary"]) for node in rule["nodes"]][:3])
        for rule in found.response["violations"]
    ]
    assert wrong == [], f"{page.url} {look}: {wrong}"
    assert page.evaluate(SMALL, LEAST_PX) == [], f"{page.url} {look}"
    wide = {"width": look.width, "height": HEIGHT}
    for width in {NARROWEST, look.width}:
        page.set_viewport_size({**wide, "width": width})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{page.url} at {width}"
    page.set_viewport_size(wide)
