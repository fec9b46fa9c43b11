"""A dispute in browsers: opened from a finding, ruled on once its words were read, appealed and decided by the head
judge, who has looked at it with all eyes in their order; and its case files, opened from a disk."""

from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from tests.disputed import dispute
from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service.journeys import LOOKS, WATCHER, Look, Stage, hold, play_on_twins, stage_of, visit
from tests.service.test_journeys_seals import canaries, told
from tests.service.writing import uuid

RECORDED, WRONG = 48, 47
PLAYER, FLOOR, HEAD = "Sato", "Kato", "Abe"
CLAIM = "it was a club"


def submit(page: Page, button: str, look: Look) -> None:
    page.click(button)
    page.wait_for_load_state()
    page.wait_for_selector("html[data-ready]")
    page.evaluate("scrollTo(0, 0)")  # what is scrolled to stands where a bar may cover what is above it
    hold(page, look)


def settle(stage: Stage, look: Look, entries: list[Entry]) -> None:
    stage.put("M-1", entries)
    dispute = f"{stage.url}/{look.lang}/m/M-1/disputes/{RECORDED + 1}"
    with (
        stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
        stage.enter(look, "floor", "M-1", name=FLOOR) as floor,
        stage.enter(look, "head", name=HEAD) as head,
    ):
        visit(floor, f"{stage.url}/{look.lang}/m/M-1/findings")
        floor.locator(f"main a[href*='/{WRONG}/f/']").first.click()
        floor.locator("main a[href*='/disputes?about=']").click()
        floor.wait_for_selector("#claim-p1")
        assert floor.input_value("#about") == str(WRONG) and floor.input_value("#clause")
        floor.fill("#claim-p1", CLAIM)
        submit(floor, "main form button", look)
        assert floor.url == dispute and CLAIM in floor.inner_text("main"), "who took it down reads it again"
        floor.check("[name=verdict][value=not_allowed]")
        floor.fill("#reason", "seen by all")
        floor.press("#reason", "Enter")
        floor.wait_for_selector("#preview")
        hold(floor, look)
        assert stage.house.match("M-1").version == RECORDED + 1, "Enter rules nothing"
        says = floor.locator("#preview > p").first.inner_text()
        submit(floor, "button[value=rule]", look)
        visit(seat, dispute)
        assert says in seat.inner_text("main"), "players read what was shown"
        seat.fill("#reason", "the card was another")
        submit(seat, "button[value=appeal]", look)
        visit(watching, dispute)
        assert says in watching.inner_text("main") and CLAIM not in watching.content()
        visit(head, dispute)
        head.check("[name=outcome][value=overturned]")
        head.check("[name=verdict][value=no_fault]")
        head.fill("#reason", "the list says so")
        submit(head, "button[value=check]", look)
        submit(head, "button[value=rule]", look)
        visit(watching, dispute)
        hold(watching, look)
    came = stage.house.match("M-1").entries[RECORDED:]
    assert [type(entry) for entry in came] == [D.Disputed, D.Ruled, D.Appealed, D.Decided]


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_dispute_is_settled_in_browsers(chromium: Browser, look: Look) -> None:
    with stage_of(chromium) as stage:
        settle(stage, look, SHELVES["blackpoker"].entries("disputed")[:RECORDED])


@pytest.mark.nightly
def test_nobody_learns_by_a_dispute_what_they_may_not_know(chromium: Browser) -> None:
    entries = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
    ours, theirs = play_on_twins(
        chromium, lambda stage, entries: settle(stage, LOOKS[0], entries), entries, SPECTATOR, "p1"
    )
    for name in (WATCHER, PLAYER, FLOOR):
        assert len(ours.sent[name]) > 3 and ours.parts_from(theirs, name) == [], name


CITED = Clause("BP-10.6")
DISPUTE = RECORDED + 1
ROAD = f"m/M-1/disputes/{DISPUTE}"
RULING = {
    "kind": "rule", "dispute": DISPUTE, "verdict": "wrong_outcome", "clauses": [CITED], "reason": "a club, they say",
}  # fmt: skip
EARLY = """async ([url, id]) => (await fetch(url, {method: "POST", body: new URLSearchParams({
  id, do: "rule", as_decision: "true", outcome: "upheld", reason: "now",
})})).status"""
"""Send the form that decides before it is offered."""
SPOKEN = {
    "en": ("For players", "For officials only", "The other reading"), "ja": ("プレイヤー向け", "審判専用", "別の解釈"),
}  # fmt: skip


class Files(Struct):
    """The case files that were taken along in a journey, by who took them."""

    taken: dict[str, bytes] = {}
    hidden: frozenset[str] = frozenset()
    """Names of cards that players' files may not tell."""


def put_disputed(stage: Stage, entries: Sequence[Entry]) -> None:
    earlier, _ = dispute(SHELVES["blackpoker"].entries("disputed")[:RECORDED], WRONG, (CITED,))
    stage.put("M-0", earlier)
    opened = D.Disputed(by="p1", matter=D.Matter(entry=WRONG, clause=CITED), claims={Seat("p1"): CLAIM})
    stage.put("M-1", [*entries, opened])


def take_along(page: Page, audience: str) -> bytes:
    with page.expect_download() as loading:
        page.click(f"main a[href$='/casefile/{audience}']")
    file = loading.value
    assert file.suggested_filename == f"M-1-{DISPUTE}-{audience}.html"
    return Path(file.path()).read_bytes()


def look_through(head: Page, stage: Stage, look: Look) -> None:
    """Open the views of the disputed moment one after the other: what all see, what each seat sees, all of it."""
    page, judge = f"{stage.url}/{look.lang}/{ROAD}", f"/{look.lang}/m/M-1/{WRONG}"
    order = head.eval_on_selector_all("main [data-view]", "views => views.map(view => view.dataset.view)")
    assert order == [SPECTATOR, "p1", "p2", JUDGE]
    head.click(f"main [data-view={SPECTATOR}] a")
    head.wait_for_url(f"**{judge}")
    for number, eyes in enumerate(order[1:], start=1):
        visit(head, page)
        waiting = head.locator("main [data-view]:not(:has(a, form))").count()
        assert waiting == len(order) - 1 - number, "those behind it wait"
        before = stage.house.match("M-1").version
        head.click(f"main [data-view={eyes}] button")
        head.wait_for_url(f"**{judge}/as/{eyes}")
        head.wait_for_selector("html[data-ready]")
        hold(head, look)
        opened = stage.house.match("M-1").entries[before:]
        assert [(entry.by, entry.eyes) for entry in opened if isinstance(entry, D.Unsealed)] == [(f"head {HEAD}", eyes)]
        visit(head, page)
        timeline = head.inner_text("section:has(> #timeline)")
        assert f"#{stage.house.match('M-1').version}" in timeline and f"head {HEAD}" in timeline
    hold(head, look)


def appeal(stage: Stage, look: Look, entries: Sequence[Entry], files: Files) -> None:
    """The whole journey: nothing is decided before somebody ruled; then views, decision, files."""
    put_disputed(stage, entries)
    files.hidden = frozenset(canaries(stage, look.lang))  # type: ignore[arg-type]
    page = f"{stage.url}/{look.lang}/{ROAD}"
    with (
        stage.come(look, f"/{look.lang}/{ROAD}", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
        stage.enter(look, "head", name=HEAD) as head,
    ):
        visit(head, page)
        assert head.locator("[name=outcome]").count() == 0
        assert head.evaluate(EARLY, [page, uuid(7)]) == 409 and stage.house.match("M-1").version == DISPUTE
        ruled = httpx.post(
            f"{stage.url}/api/v1/matches/M-1/entries",
            json={"id": uuid(8), **RULING},
            headers={**stage.bearer("floor"), "If-Match": f'"{DISPUTE}"', "User-Agent": FLOOR},
        )
        assert ruled.status_code == 201, ruled.text
        visit(seat, page)
        seat.fill("#reason", "the card was another")
        submit(seat, "button[value=appeal]", look)
        visit(head, page)
        assert head.locator("[name=outcome]").count() == 3
        look_through(head, stage, look)
        visit(head, f"{page}/as/{JUDGE}")
        assert "M-0" in head.inner_text("section:has(> #precedents)")
        assert head.locator("section:has(> #others) li").count() > 0
        head.check("[name=outcome][value=overturned]")
        head.check("[name=verdict][value=no_fault]")
        head.fill("#reason", "the list says so")
        submit(head, "button[value=check]", look)
        submit(head, "button[value=rule]", look)
        assert isinstance(stage.house.match("M-1").entries[-1], D.Decided)
        files.taken[HEAD] = take_along(head, "officials")
        for name, somebody in ((PLAYER, seat), (WATCHER, watching)):
            visit(somebody, page)
            hold(somebody, look)
            assert somebody.locator("main a[href$='/officials']").count() == 0
            files.taken[name] = take_along(somebody, "players")


def open_from_disk(browser: Browser, folder: Path, look: Look, file: bytes) -> str:
    path = folder / "file.html"
    path.write_bytes(file)
    view = {"width": look.width, "height": 844}
    with browser.new_context(viewport=view, java_script_enabled=False, offline=True) as context:
        page, asked = context.new_page(), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        assert asked == [path.as_uri()] and b"<script" not in file
        return page.inner_text("main")


def expect_files(browser: Browser, folder: Path, look: Look, files: Files) -> None:
    """Each audience has its own file: players none of what lies hidden, officials all that bears on the dispute."""
    assert files.taken[PLAYER] == files.taken[WATCHER]
    players, officials, other = SPOKEN[look.lang]
    shown = {name: open_from_disk(browser, folder, look, file) for name, file in files.taken.items()}
    assert players in shown[WATCHER] and officials not in shown[WATCHER] and other not in shown[WATCHER]
    assert officials in shown[HEAD] and other in shown[HEAD] and CLAIM in shown[HEAD]
    assert "the list says so" in shown[WATCHER] and f"head {HEAD}" in shown[WATCHER]
    assert told(set(files.hidden), files.taken[HEAD].decode()), "what is looked for would be found"
    assert told({*files.hidden, CLAIM, "the card was another"}, files.taken[WATCHER].decode()) == set()


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_an_appeal_is_decided_after_all_views_and_its_files_open_from_a_disk(
    chromium: Browser, tmp_path: Path, look: Look
) -> None:
    files = Files()
    with stage_of(chromium) as stage:
        appeal(stage, look, SHELVES["blackpoker"].entries("disputed")[:RECORDED], files)
    expect_files(chromium, tmp_path, look, files)


@pytest.mark.nightly
def test_files_for_players_of_twins_are_equal_byte_for_byte(chromium: Browser, tmp_path: Path) -> None:
    entries, both = SHELVES["blackpoker"].entries("disputed")[:RECORDED], [Files(), Files()]
    runs = iter(both)
    ours, theirs = play_on_twins(
        chromium, lambda stage, entries: appeal(stage, LOOKS[0], entries, next(runs)), entries, SPECTATOR, "p1"
    )
    expect_files(chromium, tmp_path, LOOKS[0], both[0])
    for name in (WATCHER, PLAYER):
        assert both[0].taken[name] == both[1].taken[name], name
        assert len(ours.sent[name]) > 3 and ours.parts_from(theirs, name) == [], name
    assert both[0].taken[HEAD] != both[1].taken[HEAD] and ours.parts_from(theirs, HEAD), "the twins do differ"
