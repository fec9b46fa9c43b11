"""Every kind of page in a browser: accessible, with readable text, and no horizontal scrolling."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page

from domain.formats.sheets import read_sheet
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.disputes import Disputed, Matter, Paused, Verdict
from domain.law.entries import Entry
from domain.law.law import Law
from domain.law.record import record_of
from domain.table.table import Seat
from projections.casefile import case_file
from projections.html.casefile import to_html
from recorder import sheet_recording
from recorder.answers import RecordResult
from recorder.decisions import record_decision
from recorder.store import Store
from service.routes import PAGE_ROUTES
from tests.disputed import dispute
from tests.games import PLAYED
from tests.laws.samples import sample
from tests.pledged import open_pledged as pledged
from tests.projections.test_looking_back import at_the_table
from tests.rotation import rotate
from tests.service.journeys import LOOKS, SMALL, Look, Stage, hold, stage_of, visit
from tests.service.test_service_sheets import KANA
from tests.service.working import archive
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(6)

RECORDED, WRONG, MATCHES = 48, 47, 2
RULED: dict[str, Verdict] = {"M-3": "wrong_outcome", "M-4": "no_fault"}
"""Matches with contradicting rulings, so that each is a precedent of the other."""
FIXTURES = Path(__file__).parents[2] / "fixtures"
PATHS = (
    "floor?at=M-1&size=8", "pairings", "in", "me", "rules", "rules/blackpoker", "rules/blackpoker@8.1-lite/BP-7.15",
    "rules/blackpoker/cases/changes-editions",
    "find?clause=BP-7.15", "m/M-1", "m/M-1/30", "m/M-1/47/known", "m/M-1/30/why", "m/M-1/30/whynot?do=p2:+pass",
    "m/M-1/9/thing/64", "m/M-1/30/rewind", "m/M-1/disputes", "m/M-1/disputes/49",
    "m/M-3/disputes", "m/M-3/disputes/49", "m/M-3/disputes/49/case", "contradictions", "disputes", "m/M-1/findings",
    "m/M-1/10/f/BP-7.15", "m/M-7/findings",
    "record", "record/M-1", "record/M-5/after", "r", "r/R-1", "r/R-1/MATCH",
    "r/R-1/CLASS", "m/M-1/clock", "m/M-6/pledges", "m/M-6", "m/M-1/penalties", "m/M-1/evidence", "m/M-2", "m/M-9",
    "m/M-1/30/as/judge", "paper", "paper/compare",
    "people", "people/PERSON", "record/M-1/undo", "play/M-1",
)  # fmt: skip
"""One page of each kind, a closed match, a missing page, and a sealed page."""
NOT_SHOWN = {"m/M-9": 404, "m/M-1/30/as/judge": 403}
STATUS = "performance.getEntriesByType('navigation')[0].responseStatus"
HELD = [(path, look) for at, path in enumerate(PATHS) for look in rotate([*LOOKS[at % 4 :], *LOOKS[: at % 4]], 1)]
"""Each page on one screen, which rotates daily."""
FILED = "m/{match:str}/disputes/{n:str}"
ELSEWHERE = (
    "",
    "record/{match:str}/close",
    "t/{table:str}",
    "floor/{round:str}",
    f"{FILED}/case/file",
    f"{FILED}/casefile/{{audience:str}}",
)
"""Paths that redirect, repeat one of these pages, or return a file."""


class Site(Struct, frozen=True):
    """A service with matches and a report, a head judge who views it on every screen, and a player."""

    stage: Stage
    looking: dict[Look, Page]
    playing: dict[Look, Page]
    named: dict[str, str]
    """Values of the path parameters that the report determines."""

    def open(self, path: str, look: Look) -> Page:
        for name, found in self.named.items():
            path = path.replace(name, found)
        page = (self.playing if path.startswith("play/") else self.looking)[look]
        visit(page, f"{self.stage.url}/{look.lang}/{path}")
        return page


def from_paper() -> tuple[Entry, ...]:
    sheet = read_sheet(KANA, GAMES)
    with Store.open(":memory:") as store:
        assert sheet_recording.open_sheet(store, sheet, "M-7") == "M-7"
        assert all(
            isinstance(step, sheet_recording.LineEntries) for step in sheet_recording.record_sheet(store, sheet, "M-7")
        )
        return store.read("M-7")


@pytest.fixture(scope="module")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = archive(tmp_path_factory.mktemp("pages"), MATCHES)
    with ExitStack() as opened:
        stage = opened.enter_context(stage_of(chromium, store=settings.store, cases=str(FIXTURES)))
        with stage.enter(LOOKS[1], "designer", name="Abe") as designer:
            visit(designer, f"{stage.url}/en/r?game=blackpoker")
            designer.select_option("#rules", "blackpoker@9.2-lite")
            designer.click("main form button")
            designer.wait_for_selector("#classes")
        stage.record_match("M-1", SHELVES["blackpoker"].entries("disputed"), upto=RECORDED)
        disputed = Disputed(by="p1", matter=Matter(10, clause=Clause("BP-7.15")), claims={Seat("p1"): "I saw it"})
        assert isinstance(record_decision(stage.context.store, "M-1", disputed, at=stage.clock.at), RecordResult)
        assert isinstance(
            record_decision(stage.context.store, "M-1", Paused(by="floor Ueno"), at=stage.clock.at), RecordResult
        )
        stage.record_match("M-5", at_the_table(tmp_path_factory.mktemp("real")).entries)
        stage.record_match("M-2", SHELVES["blackpoker"].entries("disputed"), closed=True)
        for match, verdict in RULED.items():
            played = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
            stage.record_match(match, dispute(played, WRONG, ("BP-10.6",), verdict=verdict)[0], closed=True)
        law = Law(GAMES["blackpoker"], GAMES["blackpoker"].latest)
        assert pledged(stage.context.store, law, match="M-6") == "M-6"
        stage.record_match("M-7", from_paper(), closed=True)
        looking = {look: opened.enter_context(stage.enter(look, "head", name=f"Kato {look}")) for look in LOOKS}
        playing = {
            look: opened.enter_context(stage.enter(look, "seat", "M-1", name="Jun", seat="p1")) for look in LOOKS
        }
        visit(looking[LOOKS[1]], f"{stage.url}/en/people")
        person = looking[LOOKS[1]].locator("main a[href*='/people/']").first.get_attribute("href") or ""
        visit(looking[LOOKS[1]], f"{stage.url}/en/r/R-1")
        links = looking[LOOKS[1]].eval_on_selector_all("main a", "(links) => links.map((link) => link.pathname)")
        of_report = [path.partition("/R-1/")[2] for path in links if path.startswith("/en/r/R-1/")]
        named = {
            "MATCH": next(path for path in of_report if "/" not in path),
            "CLASS": next(path for path in of_report if "/" in path),
            "PERSON": person.rpartition("/")[2],
        }
        yield Site(stage, looking, playing, named)


def test_there_is_one_of_each_kind() -> None:
    begin = "/{lang:str}/"
    kinds = {route.path.removeprefix(begin) for route in PAGE_ROUTES if route.method == "GET" and begin in route.path}
    plain = {kind for kind in kinds if "/as/" not in kind and kind not in ELSEWHERE}
    read = [path.partition("?")[0].replace("CLASS", "kind/clause") for path in PATHS]
    patterns = {kind: re.sub(r"\{\w+:str\}", "[^/]+", kind) for kind in plain}
    assert [kind for kind, pattern in patterns.items() if not any(re.fullmatch(pattern, path) for path in read)] == []


def test_on_a_phone_each_match_of_a_person_has_a_line_of_its_own(stage: Stage) -> None:
    look = min(LOOKS, key=lambda each: each.width)
    matches = ("M-1", "M-2", "M-3")
    for match in matches:
        stage.record_match(match, SHELVES["blackpoker"].entries("normal"), upto=RECORDED)
    with stage.enter(look, "scorekeeper", *matches, name="Ueno") as page:
        lines = page.locator(".facts dd:has(a)")
        boxes = [lines.nth(number).bounding_box() for number in range(lines.count())]
        assert len(boxes) == 3 and all(box and box["width"] > look.width / 2 for box in boxes), boxes


@pytest.mark.parametrize(("path", "look"), HELD, ids=str)
def test_a_page_can_be_read_by_everybody(site: Site, path: str, look: Look) -> None:
    page = site.open(path, look)
    assert page.evaluate(STATUS) == NOT_SHOWN.get(path, 200)
    hold(page, look)


STRETCH = 60
PAPER = 688
LEAST = 10.6
"""Minimum text height on paper in pixels: eight points."""
AS_LARGE = """() => [...document.querySelectorAll("main :is(small, .soft, .fact)")].filter((part) =>
  parseFloat(getComputedStyle(part).fontSize) >= parseFloat(getComputedStyle(document.body).fontSize)
).map((part) => part.outerHTML)"""
BEYOND = (
    "[...document.querySelectorAll('*')].filter(part => part.getBoundingClientRect().right > innerWidth + 1).length"
)


@pytest.mark.parametrize("key", rotate(sorted(PLAYED), 1))
def test_it_opens_offline_fits_every_width_and_prints(chromium: Browser, tmp_path: Path, key: str) -> None:
    one = sample(key, 1)
    played = one.entries[:STRETCH]
    made, number = dispute(played, len(played) - 2)
    record = record_of(one.game, made)
    for lang in ("en", "ja"):
        path = tmp_path / f"{lang}.html"
        path.write_bytes(to_html(case_file(record, "m", "officials", number, ()), record, lang))
        for width, media in ((390, "screen"), (1280, "screen"), (PAPER, "print")):
            with chromium.new_context(viewport={"width": width, "height": 900}, offline=True) as context:
                page, asked = context.new_page(), list[str]()
                page.on("request", lambda request, asked=asked: asked.append(request.url))
                page.goto(path.as_uri())
                page.emulate_media(media=media)
                assert asked == [path.as_uri()]
                assert page.evaluate(BEYOND) == 0, (lang, width)
                shown = page.locator("main").inner_text()
                assert ("裁定と上訴" in shown) == (lang == "ja") and ("Ruling and appeal" in shown) == (lang == "en")
                if media == "print":
                    assert page.evaluate(SMALL, LEAST) == []
                    assert page.evaluate(AS_LARGE) == [], "what is told beside is told smaller"
                    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
                    assert not page.locator("label").first.is_visible()
