"""Journeys: people with browsers of their own at a service in a thread of the tests, and all bytes it sent to each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
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
from service.draw.film import CHUNK
from service.house import House
from service.settings import Settings
from tests.laws.watching import never_known
from tests.places import MEMORY, place
from tests.service.browsing import listening
from tests.service.serving import SECOND_MS, START, YEAR_MS, Clock
from tests.service.tees import Tee
from tests.service.twins import dealt_within

HEIGHT = 844
WATCHER = "watcher"
ELSEWHERE = "http://shinpan.example"
"""What both twins call themselves: each has a port of its own."""
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


class Look(Struct, frozen=True):
    """How somebody looks: on how wide a screen, in which language, by light or in the dark."""

    width: int
    lang: str
    theme: str = "light"

    def __str__(self) -> str:
        return f"{self.width}-{self.lang}-{self.theme}"


LOOKS = (Look(390, "ja"), Look(1280, "en"), Look(390, "en", "dark"), Look(1280, "ja"))
"""Both widths in both languages, one of them in the dark."""


class Stage(Struct, frozen=True):
    """A service that is asked by browsers."""

    house: House
    clock: Clock
    url: str
    browser: Browser
    tee: Tee

    def put(
        self,
        match: str,
        entries: Sequence[Entry],
        *,
        upto: int | None = None,
        closed: bool = False,
        secret: bytes | None = None,
    ) -> list[Entry]:
        """A match, one entry a second until now, and recorded up to an entry; what is recorded of it in all."""
        known = [entry for entry in entries if not isinstance(entry, Closed)]
        known += [Closed(by="judge", reason="time")] if closed else []
        last = len(known) if upto is None else upto
        began = self.clock.at - (last - 1) * SECOND_MS
        timed = [replace(entry, at=began + number * SECOND_MS) for number, entry in enumerate(known)]
        assert self.house.store.append(match, 0, timed[:last], secret=secret) == last
        return timed

    def invitation(self, lang: str, role: Role, *matches: str, name: str = "", seat: str = "") -> str:
        """The address by which somebody comes in."""
        token = self.house.invite(Holder(role=role, name=name or role, matches=matches, seat=Seat(seat))).token
        return f"/{lang}/in#{token}"

    def bearer(self, role: Role) -> dict[str, str]:
        """The header of a program that may do all that a role may."""
        token = self.house.keys.issue(Holder(role=role, name=role), self.clock.at + YEAR_MS)
        return {"Authorization": f"Bearer {token}"}

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
    def enter(self, look: Look, role: Role, *matches: str, name: str, seat: str = "") -> Iterator[Page]:
        """Somebody comes in by an invitation, in a browser of their own."""
        with self.come(look, self.invitation(look.lang, role, *matches, name=name, seat=seat), name) as page:
            page.wait_for_url("**/me")
            yield page


@contextmanager
def stage_of(browser: Browser, **settings: Any) -> Iterator[Stage]:
    """A service over an empty store of its own, or the one that is named, with a clock to be set."""
    clock, given = Clock(START), Settings(**{**settings, "store": place(settings.get("store", MEMORY))})
    house = House(Store.open(given.store), Keyring.open(":memory:"), given, clock)
    tees: list[Tee] = []

    def tee(app: Litestar) -> Tee:
        tees.append(Tee(app))
        return tees[0]

    with listening(house, tee) as url:
        house.settings = replace(house.settings, public=settings.get("public", url))
        yield Stage(house, clock, url, browser, tees[0])
        tees[0].over = True


def play_twice(
    play: Callable[[list[Entry]], tuple[Tee, Sequence[Entry]]], entries: list[Entry], *viewers: str
) -> list[Tee]:
    """Play on matches that differ only in cards that none of the viewers has known to the end; what was sent.

    `play` answers what was sent and what stands recorded in the end.
    """
    ours, played = play(entries)
    hidden = set.intersection(*(set(never_known(played, Seat(viewer))) for viewer in viewers))
    others = dealt_within(entries, hidden, Random(1))
    assert entries != others, "the twins do not differ: nothing is tried"
    theirs, _ = play(others)
    return [ours, theirs]


def play_on_twins(
    browser: Browser,
    journey: Callable[[Stage, list[Entry]], None],
    entries: list[Entry],
    *viewers: str,
    folder: Path | None = None,
    **settings: Any,
) -> list[Tee]:
    """A journey on two services, whose ids are the next number. `folder`: where their stores are files."""
    stores = count(1)

    def play(entries: list[Entry]) -> tuple[Tee, Sequence[Entry]]:
        store, numbers = (str(folder / f"{next(stores)}.sqlite") if folder else ":memory:"), count(1)
        with (
            pytest.MonkeyPatch.context() as patch,
            stage_of(browser, public=ELSEWHERE, **{"store": store, **settings}) as stage,
        ):
            patch.setattr("service.pages.recording.uuid4", lambda: UUID(int=next(numbers)))
            journey(stage, entries)
            return stage.tee, stage.house.match("M-1").entries

    return play_twice(play, entries, *viewers)


def look_on(url: str, head: dict[str, str]) -> None:
    """A spectator reads what is recorded, and so does the head judge, who breaks the seal for it."""
    watcher, judge = {"User-Agent": WATCHER}, {**head, "User-Agent": JUDGE}
    match, entries = f"{url}/en/m/M-1", f"{url}/api/v1/matches/M-1/entries?limit=500"
    seal = httpx.post(f"{url}/api/v1/matches/M-1/seal", json={"viewer": JUDGE}, headers=judge)
    answers = [httpx.get(path, headers=watcher) for path in (match, entries, f"{url}/ja/floor", f"{url}/ja/find")]
    answers += [httpx.get(path, headers=judge) for path in (f"{match}/as/judge", f"{entries}&as=judge")]
    assert [seal.status_code, *(answer.status_code for answer in answers)] == [201, *[200] * len(answers)]


def expect_alike(ours: Tee, theirs: Tee, *names: str) -> None:
    """Whoever may not know was sent the same of twins, and a judge who looked through was not."""
    for name in names:
        assert len(ours.sent[name]) > 3, name
        assert ours.parts_from(theirs, name) == [], name
    assert ours.parts_from(theirs, JUDGE), "what is looked for would be found"


def break_seal(page: Page, viewer: str = JUDGE) -> None:
    """Open the menu of eyes, and choose those of the judge or of somebody."""
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
"""Move the range to an entry."""


def visit(page: Page, url: str) -> None:
    """Open an address, until its scripts have done what they do at the beginning."""
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def rest(page: Page) -> int:
    """Wait until the player rests; the entry it is at."""
    page.wait_for_selector("body[data-state=rest]")
    return int(page.evaluate("document.body.dataset.at"))


def wait_for_film(stage: Stage, page: Page, name: str) -> None:
    """Wait until somebody has been sent all of a match's film, which a page asks for by itself."""
    film, head = page.evaluate("[document.body.dataset.film, +document.body.dataset.head]")
    for first in range(1, head + 1, CHUNK):
        stage.tee.wait(name, f"GET {film}&from={first}")


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
