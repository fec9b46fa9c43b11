"""A tournament day in browsers only, from an empty store to a sealed record, with taps counted."""

import csv
import re
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from math import dist
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page, expect

from domain.judging.allowed import allowed
from domain.law import disputes as D
from domain.law.entries import Closed, Played, Rewound, opened_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from recorder.clock import pause, read_monotonic_seconds
from recorder.evidence.notes import Key, read_key
from recorder.evidence.unpacking import check_pack
from recorder.match_loader import LoadedMatch, load_match
from recorder.remarks import open_calls
from recorder.store import Store
from service.sign_in.people_pages import draw_svg
from tests.laws.leak_checks import never_known
from tests.places import place
from tests.service.journeys import HEIGHT, Look, visit
from tests.service.processes import Server, server, shinpan
from tools.cluster import free_port

pytestmark = [pytest.mark.browser, pytest.mark.process]

PHONE, JAPANESE, DESK = Look(390, "en"), Look(390, "ja"), Look(1280, "en")
PEOPLE = (
    ("Sato", "scorekeeper", PHONE), ("Mori", "scorekeeper", PHONE), ("Aoi", "seat", PHONE), ("Beni", "seat", PHONE),
    ("Kato", "floor", PHONE), ("Abe", "head", JAPANESE),
)  # fmt: skip
CLAIMS = {"p1": "Beni passed for me", "p2": "Aoi nodded first"}
APPEAL = "nobody asked me"
BOUNDS = {"record an action": 3, "undo": 2, "call a judge": 1, "take a call": 1, "rule from a finding": 8}
SETTLED = "body[data-ready=yes][data-waiting='0']"
OFFERED = "#offers [name=take]:visible"
TURNED_UP = ("CK", "S5", "H10", "D7")
PAIRINGS = ("table,p1,p2", "1,Aoi,Beni", "2,Chie,Dan")
SEATS = {"Aoi": Seat("p1"), "Beni": Seat("p2")}
MATCH_URL = re.compile(r"/(?:m|play|record)/([a-z0-9-]+)")
EVENT = "Kyoto Open"
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
ROLES_TYPED = {"scorekeeper": "Scorekeeper", "seat": "Player", "floor": "Floor judge", "head": "Head judge"}
GUARD_S, SPOT_PX = 0.8, 48
"""Milliseconds after which a second tap at the same spot counts; the guard ignores it for 700 ms."""


class Person(Struct):
    """A person with a browser and a tap counter, and the store in which hidden cards are looked up."""

    name: str
    role: str
    page: Page
    url: str
    store: Path
    lang: str = "en"
    taps: int = 0
    tapped_at: float = 0.0
    spot: tuple[float, float] = (0.0, 0.0)
    looked: int = 0

    def go(self, path: str) -> None:
        """Open a path below the language."""
        visit(self.page, f"{self.url}/{self.lang}/{path}")
        self.expect_no_hidden_face()

    def tap(self, selector: str, *, loads: bool = True) -> None:
        """Tap the first matching element, wait for the response, and count the tap."""
        target = self.page.locator(selector).first
        target.wait_for()
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if dist(spot, self.spot) < SPOT_PX:
            pause(max(0.0, self.tapped_at + GUARD_S - read_monotonic_seconds()))
        if loads:
            with self.page.expect_navigation(wait_until="load"):
                target.click()
        else:
            target.click()
        self.taps, self.tapped_at, self.spot = self.taps + 1, read_monotonic_seconds(), spot
        self.page.wait_for_selector("html[data-ready]")
        self.expect_no_hidden_face()

    def send(self, selector: str) -> None:
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.tap(selector, loads=False)

    def settle(self) -> None:
        """Wait until every input of the recorder is recorded."""
        self.page.locator(SETTLED).wait_for(state="attached")
        self.expect_no_hidden_face()

    def text(self) -> str:
        return self.page.inner_text("main")

    def expect_no_hidden_face(self) -> None:
        """Expect that a match page names no card hidden from the person."""
        if match := MATCH_URL.search(self.page.url):
            hidden = hidden_faces(read_match(self.store, match[1]), SEATS.get(self.name, SPECTATOR))
            assert find_faces(self.page.content(), hidden) == set(), (self.name, self.page.url)
            self.looked += 1 if hidden else 0


def hidden_faces(match: LoadedMatch, viewer: Seat) -> set[str]:
    """Return the faces that the person has never known."""
    unknown = set(never_known(match.entries, viewer))
    faces = {card: piece.face for card, piece in match.table.pieces.items() if piece.face}
    known = {face for card, face in faces.items() if card not in unknown}
    return {face for card, face in faces.items() if card in unknown} - known


def find_faces(content: str, faces: Collection[str]) -> set[str]:
    """Return the faces that a text names, by letter or suit symbol."""
    names = {name: face for face in faces for name in (face, face.replace(face[0], SUITS.get(face[0], face[0]), 1))}
    return {face for name, face in names.items() if re.search(rf"(?<![0-9A-Za-z]){name}(?![0-9A-Za-z])", content)}


def read_match(store: Path, match: str) -> LoadedMatch:
    with Store.open(place(store)) as opened:
        loaded = load_match(opened, match)
    assert isinstance(loaded, LoadedMatch)
    return loaded


def list_matches(store: Path) -> list[str]:
    with Store.open(place(store)) as opened:
        occasions = {row.match: opened_of(opened.read(row.match)).occasion for row in opened.newest(100)}
    first = [match for match in occasions if occasions[match].table == "1"]
    return sorted(first, key=lambda match: occasions[match].round)


class Day(Struct):
    """A served store, the browsers of its people, and the taps of each step."""

    browser: Browser
    server: Server
    store: Path
    people: dict[str, Person]
    steps: list[tuple[str, str, int]]
    matches: list[str]

    def read(self, match: str) -> LoadedMatch:
        return read_match(self.store, match)

    def come(self, name: str, role: str, look: Look, path: str) -> Person:
        view = {"width": look.width, "height": HEIGHT}
        context = self.browser.new_context(viewport=view, locale=look.lang, accept_downloads=True)
        page = context.new_page()
        page.goto(path)
        self.people[name] = Person(name, role, page, self.server.url, self.store, look.lang)
        return self.people[name]

    @contextmanager
    def step(self, name: str, *people: Person) -> Iterator[None]:
        before = sum(person.taps for person in people)
        yield
        taps = sum(person.taps for person in people) - before
        self.steps.append((name, ", ".join(person.name for person in people), taps))
        assert taps <= BOUNDS.get(name, taps), (name, taps)


def let_people_in(day: Day, operator: Person) -> None:
    """Invite every person on the people page; each opens the link of their QR code."""
    operator.go("people")
    lines = [f"{name}, {ROLES_TYPED[role]}" for name, role, _ in PEOPLE]
    operator.page.fill("#names", "\n".join(lines))
    with day.step("let six people in", operator):
        operator.tap("main form button.first")
    tickets = operator.page.locator(".tickets li")
    links = dict(zip(tickets.locator("h2").all_inner_texts(), tickets.locator(".link").all_inner_texts(), strict=True))
    content = operator.page.content()
    for name, role, look in PEOPLE:
        drawn = re.search(r' d="([^"]+)"', draw_svg(links[name]))
        assert drawn is not None and drawn[1] in content, "the QR code holds the link that is printed under it"
        person = day.come(name, role, look, links[name])
        person.page.wait_for_url("**/me")
        assert name in person.text()
    day.come("Visitor", SPECTATOR, PHONE, f"{day.server.url}/en/floor")


def open_rounds(day: Day, operator: Person) -> None:
    for number, cards in enumerate(("dealt", "real", "phones"), start=1):
        operator.go("pairings")
        operator.page.select_option("#edition", "blackpoker@8.1-lite")
        operator.page.fill("#event", EVENT)
        operator.page.fill("#round", str(number))
        operator.page.check("[name=policy]")
        table = "".join(f"{line},{cards}\n" for line in PAIRINGS).replace(f",{cards}", ",cards", 1)
        file = {"name": f"round-{number}.csv", "mimeType": "text/csv", "buffer": table.encode()}
        with day.step(f"open round {number} ({cards})", operator):
            operator.page.set_input_files("#file", files=[file])  # type: ignore[list-item]
            operator.tap("main form button.first")
            assert "Aoi – Beni" in operator.text() and "Chie – Dan" in operator.text()
            operator.tap("form[action$='/open'] button.first")
        assert f"{EVENT}, Round {number}" in operator.text()
    operator.go("people")
    operator.tap("form[action$='/round'] button")
    assert operator.text().count("Already signed in") == 2, "Aoi and Beni are in; the round's sheet has the others"
    day.matches = list_matches(day.store)


def start_round(day: Day, operator: Person) -> None:
    operator.go("floor")
    with day.step("start the round's timer", operator):
        operator.tap("#timer summary", loads=False)
        operator.page.fill("#minutes", "50")
        operator.tap("#timer form button")
    left = operator.page.locator("#timer [data-end]")
    expect(left).to_have_text(re.compile(r"^(50:00|4\d:\d\d) left$"))
    before = left.inner_text()
    expect(left).not_to_have_text(before)


def record_dealt(day: Day, match: str) -> None:
    """Record an action, undo it, and record an action out of turn as played."""
    sato = day.people["Sato"]
    sato.go(f"record/{match}")
    sato.settle()
    answer_questions(sato, match)
    version = day.read(match).version
    with day.step("record an action", sato):
        sato.tap("#offers [name=take]", loads=False)
        sato.settle()
    assert day.read(match).version > version
    with day.step("undo", sato):
        sato.tap("#keys a:has-text('Undo')")
        sato.tap("main form button.first")
    assert isinstance(day.read(match).entries[-1], Rewound)
    sato.go(f"record/{match}")
    sato.settle()
    awaited = sato.page.locator("#offers [name=take]").first.get_attribute("value") or ""
    other = "p2" if awaited.startswith("p1") else "p1"
    sato.page.fill("#line", f"{other}: pass")
    with day.step("record an illegal action as played", sato):
        sato.tap("#entry .typing button", loads=False)
        sato.page.locator("#rows .flag").first.wait_for()
        sato.settle()


def answer_questions(person: Person, match: str) -> None:
    """Answer the questions about hidden cards before the first action."""
    page, field = person.page, "#question form.answer input[name=line]"
    page.locator(f"#offers [name=take], {field}").first.wait_for()
    while page.locator(field).count() and not page.locator("#offers [name=take]").count():
        record = read_match(person.store, match)
        answers = [doable.actions[0] for doable in allowed(record, record.eyes(JUDGE), record.version, 1)]
        page.fill("#line", next(answer for answer in answers if not answer.endswith(": concede")))
        person.tap("#entry .typing button", loads=False)
        page.locator("#rows .n", has_text=str(record.version + 1)).wait_for()
        person.settle()
        page.locator(f"#offers [name=take], {field}").first.wait_for()


def call_and_take(day: Day, match: str) -> None:
    """Call a judge from a player's phone and accept the call from the floor page."""
    aoi, kato = day.people["Aoi"], day.people["Kato"]
    aoi.go(f"play/{match}")
    with day.step("call a judge", aoi):
        aoi.tap("#call button")
    assert "A judge has been called" in aoi.text()
    kato.go("floor?round=1")
    kato.tap(".rounds a:has-text('Round 1')")
    assert "◆" in kato.page.locator("a.tile", has_text="Aoi").inner_text()
    with day.step("take a call", kato):
        kato.tap("form[action$='/call'] button")
    assert not open_calls(day.read(match).entries)


def rule_from_finding(day: Day, match: str) -> int:
    """Go from the table to its finding, take claims, and rule with a rewind request. Return the dispute."""
    kato = day.people["Kato"]
    with day.step("reach the finding", kato):
        kato.tap("a.tile:has-text('Aoi')")
        kato.tap("main a[href$='/findings']")
        kato.tap("main ol.acts a")
    with day.step("rule from a finding", kato):
        kato.tap("main a[href*='/disputes?about=']")
        for seat, words in CLAIMS.items():
            kato.page.fill(f"#claim-{seat}", words)
        kato.tap("main form button.first")
        dispute = int(kato.page.url.rpartition("/")[2])
        assert kato.page.input_value("#clauses") and kato.page.input_value("#to"), "the form knows the finding"
        assert kato.page.is_checked("[name=verdict][value=not_allowed]")
        kato.page.check("[name=mend][value=ask]")
        kato.page.fill("#reason", "Beni passed out of turn")
        kato.tap("button[value=check]")
        kato.tap("button[value=rule]")
    return dispute


def go_back(day: Day, match: str) -> None:
    abe = day.people["Abe"]
    abe.go("floor")
    abe.tap(".rounds a >> nth=-1")
    with day.step("go back by request", abe):
        abe.tap("a[href$='/rewind']")
        for box in abe.page.locator("input[name=tick]").all():
            box.check()
        abe.tap("button[value=apply]")
    assert isinstance(day.read(match).entries[-1], Rewound)


def appeal(day: Day, match: str, dispute: int) -> None:
    """Appeal as a player, and decide as head judge with all statements shown."""
    beni, abe, path = day.people["Beni"], day.people["Abe"], f"m/{match}/disputes/{dispute}"
    beni.go(path)
    beni.page.fill("#reason", APPEAL)
    with day.step("appeal", beni):
        beni.tap("button[value=appeal]")
    abe.go(path)
    abe.page.check("[name=outcome][value=upheld]")
    abe.page.fill("#reason", "the log says so")
    with day.step("decide an appeal", abe):
        abe.tap("button[value=check]")
        abe.tap("button[value=rule]")
    assert isinstance(day.read(match).entries[-1], D.Decided)
    words = [*CLAIMS.values(), APPEAL]
    for name in ("Kato", "Abe", "Sato", "Mori", "Visitor"):
        person = day.people[name]
        person.go(path)
        reads = [each for each in words if each in person.page.content()]
        assert reads == (words if person.role in ("floor", "head") else []), name
    assert not any(isinstance(entry, D.Unsealed) for entry in day.read(match).entries)


def kill_and_restart(day: Day, restart: Callable[[], None]) -> None:
    before = {match: day.read(match).entries for match in day.matches}
    restart()
    assert {match: day.read(match).entries for match in day.matches} == before
    for person in day.people.values():
        person.go("me")
        assert person.role == SPECTATOR or person.name in person.text()


def record_real(day: Day, match: str) -> None:
    """Set up a table of real cards, answering the questions about faces."""
    mori = day.people["Mori"]
    mori.go(f"record/{match}")
    mori.settle()
    with day.step("set up a table of real cards", mori):
        mori.tap("#offers [name=take]", loads=False)
        for number, face in enumerate(TURNED_UP):
            shown = f"({','.join(TURNED_UP[:number])})" if number else "chance: auto"
            mori.page.locator("#asked .note", has_text=shown).wait_for()
            mori.page.fill("#face", face)
            mori.tap("#asked button.first", loads=False)
    mori.settle()
    with day.step("record an action", mori):
        mori.tap("#offers [name=take]", loads=False)
        mori.settle()
    assert isinstance(day.read(match).entries[-1], Played), "the table of real cards goes on by what is offered"


def play_on_phones(day: Day, match: str) -> None:
    players = [day.people[name] for name in SEATS]
    for player in players:
        player.go(f"play/{match}")
    for _ in range(4):
        player = next(each for each in players if each.page.locator("#turn[data-own]").count())
        version = day.read(match).version
        with day.step("act on an own phone", player):
            while not player.page.locator(OFFERED).count():
                player.tap("#offers details:not([open]) > summary:visible", loads=False)
            player.send(OFFERED)
        assert day.read(match).version > version
        for other in players:
            other.page.wait_for_selector(f"#call [name=head][value='{day.read(match).version}']", state="attached")
            other.expect_no_hidden_face()
    own, theirs = (hidden_faces(day.read(match), seat) for seat in SEATS.values())
    assert find_faces(players[0].page.content(), theirs - own), "a player sees their own hand"
    loser = players[1]
    with day.step("concede on an own phone", loser):
        loser.tap("#endings summary", loads=False)
        loser.send("#endings button[value$=': concede']")
        loser.send("#confirm button[name=confirm]")
    with day.step("take the own record home", loser):
        file = download(loser, "main a[download]")
    assert find_faces(file.decode(), hidden_faces(day.read(match), SEATS[loser.name])) == set()
    read_offline(day.browser, file)


def read_offline(browser: Browser, file: bytes) -> None:
    """Expect that a downloaded record shows board and log offline, without any request."""
    with TemporaryDirectory() as folder, browser.new_context(viewport={"width": 390, "height": 844}) as context:
        path = Path(folder) / "home.html"
        path.write_bytes(file)
        context.set_offline(True)
        page, asked = context.new_page(), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        for lang in ("en", "ja"):
            section = page.locator(f"section#{lang}")
            assert section.locator(".board [data-strip]:visible").count() and section.locator("ol > li:visible").count()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert asked == [path.as_uri()] and wide <= 0


def end_match(day: Day, match: str) -> None:
    sato = day.people["Sato"]
    sato.go(f"record/{match}")
    sato.settle()
    with day.step("record a concession and close", sato):
        sato.tap("#endings summary", loads=False)
        sato.tap("#endings button[value='p1: concede']", loads=False)
        sato.tap("#ending button[value=end]", loads=False)
        sato.settle()
        sato.tap("details:has(#close) summary", loads=False)
        sato.tap("#close button")
        sato.tap("#close:has([name=confirm]) button")
    assert isinstance(day.read(match).entries[-1], Closed)


def download(person: Person, selector: str) -> bytes:
    with person.page.expect_download() as loading:
        person.page.locator(selector).first.click()
    person.taps += 1
    return Path(loading.value.path()).read_bytes()


def take_results(day: Day, operator: Person) -> None:
    operator.go("floor")
    with day.step("results of a round", operator):
        file = download(operator, "a[download]")
    results = [*csv.DictReader(StringIO(file.decode("utf-8-sig")))]
    assert [(row["table"], row["winner"], row["result"]) for row in results] == [
        ("1", "Aoi", "won"), ("2", "", "not finished"),
    ]  # fmt: skip


def seal_and_pack(day: Day, operator: Person, match: str, key: Key) -> None:
    """Sign a checkpoint and download a pack that another machine can verify."""
    operator.go(f"m/{match}/evidence")
    with day.step("seal", operator):
        operator.tap("form[action$='/evidence'] button")
    visitor = day.people["Visitor"]
    visitor.go(f"m/{match}/evidence")
    with day.step("take a pack along", visitor):
        pack = download(visitor, "section[aria-labelledby=packs] a.button")
    checked = check_pack(pack, [key])
    assert checked.check.match == match and not checked.log.wrong and checked.log.trusted


@contextmanager
def served_day(chromium: Browser, folder: Path) -> Iterator[tuple[Day, Callable[[], None], Key]]:
    """Serve an empty store with a signing key.

    Yield the day, a function that kills and restarts the service, and the key.
    """
    store, file, port = folder / "cup.sqlite", folder / "seal.key", free_port()
    made = shinpan(store, "keygen", str(file), "--name", "kyoto-open")
    options = ("--seal-key", str(file), "--timezone", "Asia/Tokyo")
    with ExitStack() as started:
        first = started.enter_context(server(*options, store=store, port=port))

        def restart() -> None:
            first.end(signal.SIGKILL)
            started.enter_context(server(*options, store=store, port=port))

        day = Day(chromium, first, store, {}, [], [])
        started.callback(lambda: [person.page.context.close() for person in day.people.values()])
        yield day, restart, read_key(made.stdout.strip())


def test_a_whole_day_from_an_empty_store_to_a_sealed_record(chromium: Browser, tmp_path: Path) -> None:
    with served_day(chromium, tmp_path) as (day, restart, key):
        operator = day.come("Operator", "operator", DESK, day.server.links["Operator"])
        operator.page.wait_for_url("**/me")
        let_people_in(day, operator)
        open_rounds(day, operator)
        start_round(day, operator)
        dealt, real, phones = day.matches
        record_dealt(day, dealt)
        call_and_take(day, dealt)
        dispute = rule_from_finding(day, dealt)
        kill_and_restart(day, restart)
        go_back(day, dealt)
        appeal(day, dealt, dispute)
        record_real(day, real)
        play_on_phones(day, phones)
        end_match(day, dealt)
        take_results(day, operator)
        seal_and_pack(day, operator, dealt, key)
        for person in day.people.values():
            assert person.looked or person.name in ("Operator", "Mori"), f"{person.name} looked at no hidden card"
        for name, who, taps in day.steps:
            print(f"{name:38} {who:10} {taps}")
