"""A dispute in browsers: opened from a finding, ruled on once its words were read, appealed and decided by the head
judge, who has looked at it with all eyes in their order; and its case files, opened from a disk."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from tests.disputed import dispute
from tests.recorded import SHELVES
from tests.rotation import rotate
from tests.service.journeys import LOOKS, WATCHER, Look, Stage, hold, visit
from tests.service.test_journeys_seals import canaries, told
from tests.service.writing import uuid

RECORDED, WRONG = 48, 47
PLAYER, FLOOR, HEAD = "Sato", "Kato", "Abe"
CLAIM = "it was a club"


def submit(page: Page, button: str, look: Look) -> None:
    page.click(button)
    page.wait_for_load_state()
    page.wait_for_selector("html[data-ready]")
    hold(page, look)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_dispute_is_settled_in_browsers(stage: Stage, look: Look) -> None:
    stage.put("M-1", SHELVES["blackpoker"].entries("disputed"), upto=RECORDED)
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


def put_disputed(stage: Stage) -> None:
    earlier, _ = dispute(SHELVES["blackpoker"].entries("disputed")[:RECORDED], WRONG, (CITED,))
    stage.put("M-0", earlier)
    opened = D.Disputed(by="p1", matter=D.Matter(entry=WRONG, clause=CITED), claims={Seat("p1"): CLAIM})
    stage.put("M-1", [*SHELVES["blackpoker"].entries("disputed")[:RECORDED], opened])


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


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_an_appeal_is_decided_after_all_views_and_its_files_open_from_a_disk(
    stage: Stage, tmp_path: Path, look: Look
) -> None:
    """The whole journey: nothing is decided before somebody ruled; then views, decision, files."""
    put_disputed(stage)
    hidden, taken = canaries(stage, look.lang), dict[str, bytes]()  # type: ignore[arg-type]
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
        taken[HEAD] = take_along(head, "officials")
        for name, somebody in ((PLAYER, seat), (WATCHER, watching)):
            visit(somebody, page)
            hold(somebody, look)
            assert somebody.locator("main a[href$='/officials']").count() == 0
            taken[name] = take_along(somebody, "players")
    assert taken[PLAYER] == taken[WATCHER]
    players, officials, other = SPOKEN[look.lang]
    shown = {name: open_from_disk(stage.browser, tmp_path, look, file) for name, file in taken.items()}
    assert players in shown[WATCHER] and officials not in shown[WATCHER] and other not in shown[WATCHER]
    assert officials in shown[HEAD] and other in shown[HEAD] and CLAIM in shown[HEAD]
    assert "the list says so" in shown[WATCHER] and f"head {HEAD}" in shown[WATCHER]
    assert told(hidden, taken[HEAD].decode()), "what is looked for would be found"
    assert told({*hidden, CLAIM, "the card was another"}, taken[WATCHER].decode()) == set()
