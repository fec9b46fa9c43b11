"""The recorder in a real browser: two people at one table, sixty actions by keys, ten of them offline."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from domain.games import GAMES
from domain.judging.allowed import allowed
from domain.law.entries import Corrected, Entry, Noted, Played
from domain.law.record import Record, record_of
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, JUDGE
from recorder.match_loader import LoadedMatch, load_match
from recorder.store import Store
from tests.rotation import rotate
from tests.service.processes import Server, bearer, server
from tests.shelves import SHELVES
from tools.cluster import free_port

pytestmark = [pytest.mark.rotates(2), pytest.mark.process]
THREE, SHARE = 3, 0.95
"""Most keys for an action, and the share of nameable actions that must stay within it."""
WIDE, NARROW, SMALL = (1280, 900), (390, 844), (360, 780)
VERSION, ACTIONS = "8.1-lite", 60
"""A version whose cards are mostly open, and the number of actions to enter."""
QUIET_MS = 750
"""Milliseconds after which a click at the same spot counts again, also on the next page."""
ENDING = ": concede"
ALL_PASS = """() => {
  const button = Object.assign(document.createElement("button"), {name: "do", value: "pass"});
  document.getElementById("keys").append(button);
  button.click();
}"""
"""Press the button for a pass of all players, which the page does not offer here."""
SETTLED = "body[data-ready=yes][data-waiting='0']"


class Table(Struct, frozen=True):
    """A match on a service, its store, and the head judge's token."""

    url: str
    match: str
    head: dict[str, str]
    store: Path

    def invite(self, role: str, name: str) -> str:
        body = {"role": role, "name": name}
        answer = httpx.post(f"{self.url}/api/v1/invitations", json=body, headers=self.head)
        assert answer.status_code in (200, 201), answer.text
        invitation: str = answer.json()["invitation"]
        return invitation

    def entries(self) -> list[dict[str, Any]]:
        answer = httpx.get(f"{self.url}/api/v1/matches/{self.match}/entries?limit=500", headers=self.head)
        listed: list[dict[str, Any]] = answer.json() if isinstance(answer.json(), list) else answer.json()["entries"]
        return listed

    def stored_entries(self) -> list[Entry]:
        """Return the entries of the store, with the text of notes."""
        with Store.open(self.store) as kept:
            return list(kept.read(self.match))

    def line(self) -> str:
        """Return a legal line for a judge's view, other than conceding."""
        with Store.open(self.store) as kept:
            match = load_match(kept, self.match)
            assert isinstance(match, LoadedMatch)
            lines = [doable.actions[0] for doable in allowed(match, match.eyes(JUDGE), match.version, 1)]
            return next(line for line in lines if not line.endswith(ENDING))


class Phone(Struct):
    """A recorder in a browser of its own, and the number of keys pressed."""

    context: BrowserContext
    page: Page
    of: Table
    pressed: int = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.pressed += len(text)

    def settle(self) -> None:
        self.page.locator(SETTLED).wait_for(state="attached")

    def note(self) -> None:
        """Record the unread line as a note, by key: a second click at the same spot is ignored."""
        self.page.locator("[data-resolve=note]").press("Enter")

    def offers(self, where: str) -> list[tuple[str, str]]:
        """Return the offered lines of a list, each with the key of its verb."""
        found: list[tuple[str, str]] = self.page.eval_on_selector_all(
            f"#{where} [name=take]", "all => all.map(each => [each.value, each.dataset.key])"
        )
        return [(value, key) for value, key in found]

    def take(self, line: str) -> None:
        """Enter a line by its digit, after its verb key if the line is not in the first list."""
        first = [value for value, _ in self.offers("offers")]
        if line in first:
            self.press(str(first.index(line) + 1))
            return
        key = dict(self.offers("all"))[line]
        self.press(key)
        self.press(str([value for value, _ in self.offers("offers")].index(line) + 1))

    def reachable(self) -> list[str]:
        """Return lines that a digit selects: the first nine of each verb, except those that end the match."""
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
    **more: Any,
) -> Iterator[Phone]:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, user_agent=name, **more)
    page = context.new_page()
    page.goto(f"{of.url}/{lang}/in#{of.invite('scorekeeper', name)}")
    page.wait_for_url("**/me")
    page.goto(f"{of.url}/{lang}/record/{of.match}")
    page.locator(SETTLED).wait_for(state="attached")
    yield Phone(context, page, of)
    context.close()


def lose(route: Route) -> None:
    """Block every write request."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


@contextmanager
def server_to_kill(store: Path, port: int, **more: Any) -> Iterator[tuple[Server, Callable[[], None]]]:
    """Yield a server, and a function that kills and replaces it."""
    with ExitStack() as started:
        first = started.enter_context(server(store=store, port=port, **more))

        def kill() -> None:
            first.end(signal.SIGKILL)
            started.enter_context(server(store=store, port=port, **more))

        yield first, kill


def entry_is_ours(entry: Entry) -> bool:
    return isinstance(entry, Played) and entry.actor != "chance"


def sit_down(url: str, store: Path | str) -> Table:
    """Open a match of mostly open cards that does not start with a hidden choice, as head judge."""
    head = bearer(store, "head", name="Abe")
    while True:
        match = f"M-{uuid4().hex[:8]}"
        body = {"game": "blackpoker", "version": VERSION, "match": match, "occasion": {"table": "17"}}
        opened = httpx.post(f"{url}/api/v1/matches", json=body, headers=head)
        assert opened.status_code == 201, opened.text
        table = Table(url, match, head, Path(store))
        if table.line().endswith(": pass"):
            return table


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(store=tmp_path_factory.mktemp("recorder") / "s.db") as ready:
        yield ready


@pytest.fixture
def of(served: Server) -> Table:
    return sit_down(served.url, served.store)


def test_two_phones_at_one_table(chromium: Browser, of: Table) -> None:
    with (
        phone(chromium, of, "Kato") as first,
        phone(chromium, of, "Ito", "ja") as second,
    ):
        before = len(of.entries())
        acts = of.line().partition(":")[0]
        other = "p2" if acts == "p1" else "p1"
        second.type(f"{other} pass")
        first.type(f"{acts} pass")
        first.press("Enter")
        first.settle()
        assert len(of.entries()) == before + 1
        first.type(f"{acts} pass")
        second.press("Enter")
        expect(second.page.locator("#conflict")).to_contain_text("ほかの人の記録の後でも成り立ちます")
        assert len(of.entries()) == before + 1
        assert second.page.locator("#conflict .rows li").count() == 1
        assert second.page.locator("#conflict .mine li").all_inner_texts() == [f"{other} pass"]
        second.page.get_by_text("自分の入力を記録する").click()
        second.settle()
        recorded = of.entries()[before:]
        assert [entry.get("actor") for entry in recorded[:2]] == [acts, other]
        first.press("Enter")
        expect(first.page.locator("#conflict")).to_be_visible()
        first.page.locator("#conflict").get_by_text("Discard mine").click()
        first.page.locator("#conflict [data-resolve=drop]").click()
        first.settle()
        expect(first.page.locator("#conflict .sides")).to_have_count(0)
        assert len(of.entries()) == before + len(recorded), "dropped, and nothing doubled"


def test_a_key_and_enter_record_none_of_several_lines(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        before, lines = len(of.entries()), user.offers("all")
        kept = [key for _, key in lines if key and [each for _, each in lines].count(key) > 1]
        open_verbs = user.page.eval_on_selector_all(
            "#keys [data-put] kbd", "all => all.map(each => [each.textContent, each.parentElement.dataset.put])"
        )
        assert open_verbs and {key for key, _ in open_verbs} >= {*kept}
        for key, begins in open_verbs:
            user.page.fill("#line", key)
            user.page.press("#line", "Enter")
            assert user.page.input_value("#line") == begins, "the key does what its button does"
            user.page.press("#line", "Escape")
        user.page.fill("#line", lines[0][0][:2])
        user.page.press("#line", "Enter")
        expect(user.page.locator("#state")).to_contain_text("Several actions match")
        user.settle()
        assert len(of.entries()) == before


def test_a_second_click_takes_nothing_and_no_single_step_ends_a_match(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        before = len(of.entries())
        user.press("Enter")
        user.page.locator("#offers button").first.dblclick()
        user.settle()
        assert len(of.entries()) == before + 1, "one entry: an empty Enter took nothing, a second click neither"
        user.page.fill("#line", user.offers("endings")[0][0])
        user.page.press("#line", "Enter")
        ending = user.page.locator("#ending")
        expect(ending).to_contain_text("This ends the match")
        assert len(of.entries()) == before + 1
        ending.get_by_role("button").click()
        expect(user.page.locator("#question h2")).to_have_count(0)
        assert len(of.entries()) == before + 2


STAYS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#keys [value=call] { position: fixed; inset: 0 auto auto 0; z-index: 99 }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""A button at a fixed position on every page."""


def test_of_quick_taps_at_one_spot_those_count_that_come_late_enough(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        before = len(of.entries())
        user.page.evaluate(STAYS)
        for wait_ms in (300, 1_200, 0):  # the second is too soon after the first, the third is not
            user.page.mouse.click(10, 10)
            user.page.wait_for_timeout(wait_ms)
        user.settle()
        assert len(of.entries()) == before + 2


def first_offered(game: str) -> Record:
    """Return the prefix of a recorded match after which a spectator knows a legal action."""
    of = SHELVES[game]
    entries = of.entries("disputed")
    for last in range(1, len(entries)):
        record = record_of(of.game, entries[:last])
        known = allowed(record, record.eyes(SPECTATOR), last, 1)
        if any(doable.actor != CHANCE and doable.verb != "concede" for doable in known):
            return record
    raise AssertionError(game)


def test_a_second_click_at_an_offer_takes_nothing_in_any_game(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        for game in GAMES:
            table = replace(of, match=f"M-{uuid4().hex[:8]}")
            with Store.open(table.store) as kept:
                kept.append(table.match, 0, first_offered(game).entries)
            user.page.goto(f"{of.url}/en/record/{table.match}")
            user.settle()
            user.page.wait_for_timeout(QUIET_MS)  # the previous page had a click at this spot a moment ago
            before = sum(map(entry_is_ours, table.stored_entries()))
            button = user.page.locator("#offers button").first
            line = button.get_attribute("value")
            button.dblclick()
            user.settle()
            assert sum(map(entry_is_ours, table.stored_entries())) == before + 1, (game, line)


@pytest.mark.nightly
def test_sixty_actions_by_three_keys_each(chromium: Browser, of: Table) -> None:
    with phone(chromium, of, size=WIDE) as user:
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
                user.page.fill("#line", of.line())
                user.page.keyboard.press("Enter")
            user.settle()
            assert user.page.locator("#rows .n").first.inner_text() != head, "nothing is refused"
            counts += [user.pressed] if user.pressed else []
        for out_of_turn in ("p1 pass", "p2 pass"):
            user.type(out_of_turn)
            user.press("Enter")
            user.settle()
        expect(user.page.locator("#rows .flag").first).to_contain_text("⚑")
        assert sum(count <= THREE for count in counts) >= SHARE * len(counts) >= SHARE * ACTIONS / 2, counts
        user.press("ArrowUp")
        assert user.page.input_value("#line") == "p2 pass"
        user.press("Escape")
        assert user.page.input_value("#line") == ""
        kept = of.stored_entries()
        assert any(isinstance(entry, Noted) and "end_of_everything" in entry.text for entry in kept)
        assert any(isinstance(entry, Played) and entry.violations for entry in kept)
        assert any(isinstance(entry, Corrected | Noted) for entry in kept)


def test_enter_while_an_input_method_composes_sends_nothing(chromium: Browser, of: Table) -> None:
    with phone(chromium, of, lang="ja") as user:
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
        user.page.locator("#unread h2").wait_for()
        assert user.page.input_value("#line") == "遅刻" and len(of.entries()) == before, (
            "asked first, the text still there"
        )
        user.note()
        user.settle()
        user.page.fill("#line", "ｆｉｘ ＃２")
        user.press("Enter")
        user.page.locator("#unread h2").wait_for()
        user.page.fill("#line", "pass")
        user.press("Enter")
        user.settle()
        late, instead = of.stored_entries()[before:]
        assert isinstance(late, Noted) and late.text.endswith("遅刻")
        assert isinstance(instead, Played), "what was typed instead is sent in its place"
        user.page.fill("#line", "")
        user.type("１")
        user.press("Enter")
        user.settle()
        assert isinstance(of.stored_entries()[-1], Played), "a full-width digit takes an offer too"


def test_ten_actions_offline_survive_a_server_that_is_killed(chromium: Browser, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    with server_to_kill(store, free_port()) as (served, kill):
        of = sit_down(served.url, store)
        with phone(chromium, of) as user:
            lines = [f"something {number}" if number % 2 else "pass" for number in range(10)]
            before = len(of.entries())
            user.context.set_offline(True)
            for line in lines:
                user.type(line)
                user.press("Enter")
            expect(user.page.locator("#state")).to_contain_text("not checked yet, 10")
            waiting = user.page.locator("#stuck .mine li")
            shown = user.page.locator("#stuck .mine li > span").all_inner_texts()
            assert shown[1:] == lines[1:] and shown[0].endswith(lines[0]), shown
            for number in (5, 0):
                waiting.nth(number).locator("summary").click()
                user.page.evaluate("dispatchEvent(new Event('online'))")
                expect(waiting.nth(number).get_by_role("button")).to_be_visible()
                assert waiting.count() == len(lines), "asked first, and still asked after another try"
                waiting.nth(number).get_by_role("button").click()
                del lines[number]
                expect(waiting).to_have_count(len(lines))
            assert len(of.entries()) == before
            kill()
            user.context.set_offline(False)
            for line in (each for each in lines if each != "pass"):
                expect(user.page.locator("#unread > .note")).to_have_text(line)
                user.note()
            user.settle()
            expect(user.page.locator("#state")).to_have_text("")
            mine = of.entries()[before:]
            kept = [entry for entry in of.stored_entries()[before:] if isinstance(entry, Noted) or entry_is_ours(entry)]
            assert len(mine) == len(of.stored_entries()) - before
            said = [entry.text.removeprefix("[unread] ") if isinstance(entry, Noted) else "pass" for entry in kept]
            assert said == lines


@pytest.mark.nightly
def test_what_was_not_sent_survives_a_reload_and_meets_what_others_entered(chromium: Browser, of: Table) -> None:
    with (
        phone(chromium, of, "Kato") as user,
        phone(chromium, of, "Ito") as other,
    ):
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
        user.page.get_by_text("Record mine").click()
        for line in ("first", "second"):
            expect(user.page.locator("#unread > .note")).to_have_text(line)
            user.note()
        user.settle()
        notes = [entry.text for entry in of.stored_entries()[before:] if isinstance(entry, Noted)]
        assert [text.partition("] ")[2] for text in notes] == ["first; second", "first", "second"]
        user.page.reload()
        user.settle()
        assert len(of.stored_entries()) == before + 4, "nothing is sent twice"


def test_a_line_taken_back_leaves_nothing_on_the_device_after_sign_out(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        user.page.route("**/record/**", lose)
        user.type("mine alone")
        user.press("Enter")
        expect(user.page.locator("#state")).to_contain_text("1")
        user.page.locator("#stuck li summary").click()
        user.page.get_by_role("button", name="Yes, withdraw it").click()
        expect(user.page.locator("#state")).to_have_text("")
        user.page.goto(f"{of.url}/en/me")
        user.page.get_by_role("button", name="Sign out").click()
        user.page.wait_for_url("**/floor")
        kept = user.page.evaluate("indexedDB.databases().then(all => all.map(each => each.name))")
        assert kept == []


def test_a_line_that_cannot_be_read_can_be_dropped_and_those_after_it_are_seen_waiting(
    chromium: Browser, of: Table
) -> None:
    with phone(chromium, of) as user:
        before = len(of.entries())
        user.page.route("**/record/**", lose)
        for text in ("something else", of.line()):
            user.type(text)
            user.press("Enter")
        expect(user.page.locator("#state")).to_contain_text("2")
        user.page.unroute("**/record/**")
        user.page.locator("#unread h2").wait_for()
        expect(user.page.locator("#stuck [data-mine] li")).to_have_count(2)
        assert len(of.entries()) == before, "what comes after waits"
        user.page.fill("#line", "")
        user.press("Enter")
        expect(user.page.locator("#unread details[open] summary")).to_be_focused()
        assert len(of.entries()) == before, "asked once more"
        user.page.locator("[data-resolve=unrecorded]").press("Enter")
        user.settle()
        expect(user.page.locator("#unread h2")).to_have_count(0)
        assert len(of.entries()) > before
        assert not any(isinstance(entry, Noted) for entry in of.stored_entries()[before:])


def test_taking_back_an_unread_line_closes_its_card_and_keeps_the_line_after_it(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        before = len(of.stored_entries())
        user.page.route("**/record/**", lose)
        for text in ("something else", "another thing"):
            user.type(text)
            user.press("Enter")
        expect(user.page.locator("#state")).to_contain_text("2")
        user.page.unroute("**/record/**")
        expect(user.page.locator("#unread .note").first).to_have_text("something else")
        first = user.page.locator("#stuck li").first
        first.locator("summary").press("Enter")
        first.get_by_role("button").press("Enter")
        expect(user.page.locator("#unread .note").first).to_have_text("another thing")
        expect(user.page.locator("#line")).to_have_value("another thing")
        user.page.reload()
        expect(user.page.locator("#unread .note").first).to_have_text("another thing")
        user.note()
        user.settle()
        noted = [
            entry.text.removeprefix("[unread] ") for entry in of.stored_entries()[before:] if isinstance(entry, Noted)
        ]
        assert noted == ["another thing"]


def test_passing_in_place_of_an_unread_line_calls_no_judge(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        posts: list[str] = []
        user.page.on("request", lambda asked: posts.append(asked.post_data or "") if asked.method == "POST" else None)
        user.type("something else")
        user.press("Enter")
        user.page.locator("#unread h2").wait_for()
        user.page.evaluate(ALL_PASS)
        user.settle()
        assert ["do=pass" in post for post in posts] == [False, True] and "do=call" not in posts[1]


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    rotate([(size, *look) for size in (SMALL, NARROW, WIDE) for look in (("en", "light"), ("ja", "dark"))], 1),
)
def test_the_recorder_is_accessible_and_fits(
    chromium: Browser, of: Table, lang: str, scheme: str, size: tuple[int, int]
) -> None:
    with phone(chromium, of, lang=lang, size=size, color_scheme=scheme) as user:
        user.type("p2 pass")
        user.press("Enter")
        user.settle()
        user.type("p1: nonsense")
        user.press("Enter")
        user.page.locator("#unread h2").wait_for()
        found = Axe().run(user.page)
        assert found.violations_count == 0, found.generate_report()
        user.note()
        user.settle()
        for path in (f"/{lang}/record/{of.match}", f"/{lang}/record"):
            if not user.page.url.endswith(path):
                user.page.goto(of.url + path)
            found = Axe().run(user.page)
            assert found.violations_count == 0, found.generate_report()
            assert user.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def revoke(of: Table, name: str) -> None:
    for person in httpx.get(f"{of.url}/api/v1/people", headers=of.head).json()["people"]:
        if person["name"] == name:
            httpx.delete(f"{of.url}/api/v1/people/{person['number']}", headers=of.head)


def test_lines_that_wait_outlive_a_sign_in_that_is_taken_back_and_a_sign_out(chromium: Browser, of: Table) -> None:
    with phone(chromium, of) as user:
        page, before = user.page, len(of.entries())
        revoke(of, "Kato")
        user.type("one thing")
        user.press("Enter")
        expect(page.locator("#state")).to_contain_text("Unsent lines on this device: 1")
        expect(page.locator("#stuck .mine li > span")).to_have_text("one thing")
        page.goto(f"{of.url}/en/in#{of.invite('scorekeeper', 'Kato')}")
        page.wait_for_url("**/me")
        expect(page.locator("[data-kept] li")).to_have_text(f"{of.match}: 1 by scorekeeper Kato")
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="Sign out and keep them").click()
        expect(page.locator("[data-kept]")).to_be_visible()
        assert len(of.entries()) == before
        page.goto(f"{of.url}/en/in#{of.invite('scorekeeper', 'Kato')}")
        page.wait_for_url("**/me")
        page.goto(f"{of.url}/en/record/{of.match}")
        page.locator("#unread h2").wait_for()
        user.note()
        user.settle()
        kept = of.stored_entries()[before:]
        assert [entry.text.removeprefix("[unread] ") for entry in kept if isinstance(entry, Noted)] == ["one thing"]
        page.goto(f"{of.url}/en/me")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/floor")
        assert page.evaluate("indexedDB.databases().then(all => all.map(each => each.name))") == []
