"""Those who record at a table: the match on a service, phones whose keys are counted, and what they do there."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from domain.judging.allowed import allowed
from domain.law.entries import Entry, Noted, Played
from domain.table.table import JUDGE
from recorder.loading import Match, load_match
from recorder.store import Store
from tests.service.processes import Server, server
from tests.service.serving import SECOND_MS, Clock

WIDE, NARROW, SMALL = (1280, 900), (390, 844), (360, 780)
VERSION, ACTIONS = "8.1-lite", 60
"""A game whose cards mostly lie open, and how many of its actions are entered."""
ENDING = ": concede"
SETTLED = "body[data-ready=yes][data-waiting='0']"
IDS = """URL.createObjectURL = () => {
  const made = sessionStorage.ids = +(sessionStorage.ids || 0) + 1;
  return `NUMBER-0000-4000-8000-${String(made).padStart(12, "0")}`;
};"""
"""Each command's id is the next number behind that of its phone."""


class Table(Struct, frozen=True):
    """A match on a service, its store, and the head judge's token. `clock`: what goes on a second with each line."""

    url: str
    match: str
    head: dict[str, str]
    store: Path
    clock: Clock | None = None

    def invited(self, role: str, name: str) -> str:
        """What lets somebody in."""
        body = {"role": role, "name": name}
        answer = httpx.post(f"{self.url}/api/v1/invitations", json=body, headers=self.head)
        assert answer.status_code in (200, 201), answer.text
        invitation: str = answer.json()["invitation"]
        return invitation

    def entries(self) -> list[dict[str, Any]]:
        """What the service says is recorded."""
        answer = httpx.get(f"{self.url}/api/v1/matches/{self.match}/entries?limit=500", headers=self.head)
        listed: list[dict[str, Any]] = answer.json() if isinstance(answer.json(), list) else answer.json()["entries"]
        return listed

    def recorded(self) -> list[Entry]:
        """What stands in the store, where a note's text can be read."""
        with Store.open(self.store) as kept:
            return list(kept.read(self.match))

    def line(self) -> str:
        """What may be done now by who sees every card: where only hidden cards could be named, nothing is offered."""
        with Store.open(self.store) as kept:
            match = load_match(kept, self.match)
            assert isinstance(match, Match)
            lines = [doable.actions[0] for doable in allowed(match, match.eyes(JUDGE), match.version, 1)]
            return next(line for line in lines if not line.endswith(ENDING))


class Phone(Struct):
    """Somebody who records in a browser of their own, and how many keys they have pressed."""

    context: BrowserContext
    page: Page
    of: Table
    pressed: int = 0

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def type(self, text: str) -> None:
        """Type a text."""
        self.page.keyboard.type(text)
        self.pressed += len(text)

    def settle(self) -> None:
        """Wait until all that was entered is recorded."""
        self.page.locator(SETTLED).wait_for(state="attached")
        if self.of.clock is not None:
            self.of.clock.at += SECOND_MS

    def offers(self, where: str) -> list[tuple[str, str]]:
        """The lines that are offered there, each with the key of its verb."""
        found: list[tuple[str, str]] = self.page.eval_on_selector_all(
            f"#{where} [name=take]", "all => all.map(each => [each.value, each.dataset.key])"
        )
        return [(value, key) for value, key in found]

    def take(self, line: str) -> None:
        """Enter a line by its number, behind the key of its verb where it is not among the first."""
        first = [value for value, _ in self.offers("offers")]
        if line in first:
            self.press("Enter" if line == first[0] else str(first.index(line) + 1))
            return
        key = dict(self.offers("all"))[line]
        self.press(key)
        self.press(str([value for value, _ in self.offers("offers")].index(line) + 1))

    def reachable(self) -> list[str]:
        """Lines that a digit takes, the first nine of each verb, but for those that would end the match."""
        by_key: dict[str, list[str]] = {}
        for value, key in self.offers("all"):
            by_key.setdefault(key, []).append(value)
        return [line for key, lines in by_key.items() for line in lines[:9] if key and not line.endswith(ENDING)]


@contextmanager
def phone(
    chromium: Browser,
    of: Table,
    name: str = "Kato",
    lang: str = "en",
    size: tuple[int, int] = NARROW,
    number: int = 0,
    **more: Any,
) -> Iterator[Phone]:
    """A scorekeeper comes in and opens the recorder. `number`: by it the ids of all commands are known beforehand."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, user_agent=name, **more)
    page = context.new_page()
    if number:
        page.add_init_script(IDS.replace("NUMBER", f"{number:08}"))
    page.goto(f"{of.url}/{lang}/in#{of.invited('scorekeeper', name)}")
    page.wait_for_url("**/me")
    page.goto(f"{of.url}/{lang}/record/{of.match}")
    page.locator(SETTLED).wait_for(state="attached")
    yield Phone(context, page, of)
    context.close()


def lose(route: Route) -> None:
    """Let nothing out that would change something."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


# -- journeys ----------------------------------------------------------------------------------------------------------


def meet(first: Phone, second: Phone, of: Table) -> None:
    """Two enter what comes next on the same head: the later one is shown both, and goes on; the first drops a line."""
    before = len(of.entries())
    acts = first.offers("offers")[0][0].partition(":")[0]
    other = "p2" if acts == "p1" else "p1"
    first.type(f"{acts} pass")
    first.press("Enter")
    first.settle()
    assert len(of.entries()) == before + 1
    second.type(f"{other} pass")
    second.press("Enter")
    expect(second.page.locator("#conflict")).to_contain_text("ほかの人の記録の後でも成り立ちます")
    assert len(of.entries()) == before + 1
    assert second.page.locator("#conflict .rows li").count() == 1
    assert second.page.locator("#conflict .mine li").all_inner_texts() == [f"{other} pass"]
    second.page.get_by_text("後に加える").click()
    second.settle()
    recorded = of.entries()[before:]
    assert [entry.get("actor") for entry in recorded[:2]] == [acts, other]
    first.press("Enter")
    expect(first.page.locator("#conflict")).to_be_visible()
    first.page.locator("#conflict").get_by_text("Drop mine").click()
    first.settle()
    expect(first.page.locator("#conflict .sides")).to_have_count(0)
    assert len(of.entries()) == before + len(recorded), "dropped, and nothing doubled"


def enter_sixty(user: Phone, line: Callable[[], str]) -> list[int]:
    """A script of actions, one that cannot be read, and one that is mended; how many keys each took that was offered.

    `line`: what may be done where nothing is offered.
    """
    random, counts = Random(7), []
    for number in range(ACTIONS):
        lines = user.reachable()
        user.pressed = 0
        head = user.page.locator("#rows .n").first.inner_text()
        if number == 20:
            user.type("p1 end_of_everything")
            user.press("Enter")
        elif number == 40:
            user.type(f"fix {head} ")
            user.type("stance u1 driven")
            user.press("Enter")
        elif lines:
            user.take(random.choice(lines))
        else:
            user.page.fill("#line", line())
            user.page.keyboard.press("Enter")
        user.settle()
        assert user.page.locator("#rows .n").first.inner_text() != head, "nothing is refused"
        counts += [user.pressed] if user.pressed else []
    for out_of_turn in ("p1 pass", "p2 pass"):
        user.type(out_of_turn)
        user.press("Enter")
        user.settle()
    expect(user.page.locator("#rows .flag").first).to_contain_text("⚑")
    return counts


@contextmanager
def server_to_kill(store: Path, port: int, **more: Any) -> Iterator[tuple[Server, Callable[[], None]]]:
    """A server, and what kills it and starts another in its place."""
    with ExitStack() as started:
        first = started.enter_context(server(store=store, port=port, **more))

        def kill() -> None:
            first.end(signal.SIGKILL)
            started.enter_context(server(store=store, port=port, **more))

        yield first, kill


def record_offline(user: Phone, of: Table, kill: Callable[[], None]) -> None:
    """Ten actions are entered off the net, the server is killed and started anew: all are recorded, in order."""
    lines = [f"something {number}" if number % 2 else "pass" for number in range(10)]
    before = len(of.entries())
    user.context.set_offline(True)
    for line in lines:
        user.type(line)
        user.press("Enter")
    expect(user.page.locator("#state")).to_contain_text("not checked yet, 10")
    assert len(of.entries()) == before
    kill()
    user.context.set_offline(False)
    user.settle()
    expect(user.page.locator("#state")).to_have_text("")
    mine = of.entries()[before:]
    kept = [entry for entry in of.recorded()[before:] if isinstance(entry, Noted) or entry_is_ours(entry)]
    assert len(mine) == len(of.recorded()) - before
    said = [entry.text.rpartition(": ")[2] if isinstance(entry, Noted) else "pass" for entry in kept]
    assert said == lines


def entry_is_ours(entry: Entry) -> bool:
    """An action of a seat, not what chance answered."""
    return isinstance(entry, Played) and entry.actor != "chance"


def meet_others(user: Phone, other: Phone, of: Table) -> None:
    """Lines that do not get out survive a reload, and meet what somebody else entered: a judge is called."""
    before = len(of.entries())
    user.page.route("**/record/**", lose)
    for line in ("first", "second"):
        user.type(line)
        user.press("Enter")
    expect(user.page.locator("#state")).to_contain_text("2")
    other.page.focus("#line")
    other.press("Enter")
    other.settle()
    user.page.reload()
    expect(user.page.locator("#state")).to_contain_text("2")
    user.page.unroute("**/record/**")
    expect(user.page.locator("#conflict .mine li")).to_have_text(["first", "second"])
    user.page.locator("#conflict").get_by_text("Call a judge").click()
    expect(user.page.locator("#state")).to_contain_text("judge has been called")
    user.page.reload()
    expect(user.page.locator("#conflict .mine li")).to_have_text(["first", "second"])
    user.page.get_by_text("Append mine").click()
    user.settle()
    notes = [entry.text for entry in of.recorded()[before:] if isinstance(entry, Noted)]
    assert [text.rpartition(": ")[2] for text in notes] == ["first; second", "first", "second"]
    user.page.reload()
    user.settle()
    assert len(of.recorded()) == before + 4, "nothing is sent twice"
