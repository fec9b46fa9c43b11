"""A floor judge on a call, from the stopped clock to the resumed match.

The judge reaches the finding, estimates the rewind, gets the head judge's approval and rules. Play continues with a
time extension.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry, Noted, Opened
from domain.law.occasion import Occasion
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import say
from projections.clocks import list_stops
from projections.findings import sentence
from recorder.remarks import kind_of
from tests.disputed import dispute
from tests.rotation import rotate
from tests.service.commands import uuid
from tests.service.harness import SECOND_MS
from tests.service.journeys import LOOKS, WATCHER, Look, Stage, break_seal, hold, rest, visit
from tests.service.test_journeys_seals import canaries, names_in
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(3)

RECORDED, TABLE, TAPS_MOST = 48, "17", 8
WRONG = 47
FLAGGED, BACK_TO = 30, 29
"""An entry flagged when it was recorded, so that all judges see the finding during the match."""
RENEWED_MS = 15_000
PLAYER, FLOOR, HEAD, KEEPER = "Sato", "Kato", "Abe", "Ueno"
CALL, PAUSE, DISPUTED, APPROVED = (RECORDED + behind for behind in (1, 2, 3, 6))
DISPUTE = RECORDED + 1
CLAIM, STOOD_S = "it was a club", 95


def sit_at_table() -> list[Entry]:
    first, *entries = SHELVES["blackpoker"].entries("disputed")[:RECORDED]
    assert isinstance(first, Opened)
    return [replace(first, occasion=Occasion(table=TABLE)), *entries]


def expect_sealed(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    assert page.query_selector("body[data-broken]") is None
    assert page.get_attribute("body", "data-viewer") in (None, "spectator")


def take_call(page: Page) -> None:
    with page.expect_navigation():
        page.click("#calling [name=pause]")
    page.wait_for_selector("#clock .notice")


def reach_finding(page: Page) -> int:
    """Go from the floor page to a finding of a table, accepting its call, and return the number of taps."""
    tile = page.locator("a.tile").first
    assert TABLE in tile.inner_text() and "◆" in tile.inner_text(), "who waiting for a judge stands first"
    page.fill("#table", TABLE)
    taps = 1 + len(TABLE)
    for target, url in (
        ("form.to-table button", "**/m/M-1"),
        ("main a[href$='/findings']", "**/findings"),
        (f"main a[href*='/{FLAGGED}/f/']", "**/f/*"),
    ):
        page.locator(target).first.click()
        page.wait_for_url(url)
        expect_sealed(page)
        taps += 1
        if url.endswith("/m/M-1"):
            take_call(page)
            expect_sealed(page)
            taps += 1
    return taps


def read_finding(page: Page, stage: Stage, look: Look) -> None:
    match = stage.context.match("M-1")
    both = sentence(match.law, Clause(page.locator(".by .clause").inner_text()))
    said, twin = (both.ja, both.en) if look.lang == "ja" else (both.en, both.ja)
    assert said and twin
    assert page.locator(".sentences > p").first.inner_text() == said
    assert page.locator(f".sentences > p.twin:not([lang={look.lang}])").first.inner_text() == twin


def take_down(page: Page, stage: Stage, look: Look) -> Clause:
    clause = Clause(page.locator(".by .clause").inner_text())
    page.locator("main a[href*='/disputes?about=']").click()
    page.wait_for_selector("#claim-p1")
    page.fill("#claim-p1", CLAIM)
    submit(page, "main form button.first", look)
    assert page.url == f"{stage.url}/{look.lang}/m/M-1/disputes/{DISPUTED}"
    assert page.query_selector("button[value=resume]") is None, "play goes on once it is ruled on"
    page.locator(f"main a[href*='/{FLAGGED}/f/']").first.click()
    page.wait_for_url("**/f/*")
    return clause


def rule(page: Page, stage: Stage, look: Look, clause: Clause) -> None:
    visit(page, f"{stage.url}/{look.lang}/m/M-1/disputes/{DISPUTED}")
    expect_sealed(page)
    page.check("[name=verdict][value=not_allowed]")
    page.fill("#clauses", clause)
    page.fill("#reason", "gone back by leave of the head judge")
    submit(page, "button[value=check]", look)
    says = page.locator("#preview > p").all_inner_texts()
    assert len(set(says[:2])) == 2 and all(clause in text for text in says[:2])
    submit(page, "button[value=rule]", look)
    assert says[0] in page.inner_text("main")


def resume(page: Page, stage: Stage, look: Look) -> None:
    assert f"{STOOD_S // 60}:{STOOD_S % 60:02}" in page.inner_text("section.notice")
    submit(page, "button[value=resume]", look)
    expect_sealed(page)
    assert page.url == f"{stage.url}/{look.lang}/m/M-1/disputes/{DISPUTED}"
    assert page.query_selector("section.notice") is None


def go_on(stage: Stage, look: Look) -> None:
    with stage.enter(look, "scorekeeper", "M-1", name=KEEPER) as keeper:
        visit(keeper, f"{stage.url}/{look.lang}/record/M-1")
        settled = keeper.locator("body[data-ready=yes][data-waiting='0']")
        settled.wait_for(state="attached")
        head = keeper.locator("#rows .n").first.inner_text()
        keeper.locator("#offers button").first.press("Enter")
        keeper.locator(f"#rows .n:text-is('{int(head) + 1}')").wait_for()
        settled.wait_for(state="attached")


def decide(stage: Stage, look: Look, follow: Callable[[], None]) -> None:
    path = f"/{look.lang}/m/M-1/{BACK_TO}/rewind"
    with stage.enter(look, "head", name=HEAD) as page:
        visit(page, stage.url + path)
        expect_sealed(page)
        assert FLOOR in page.locator("[role=status]").first.inner_text()
        break_seal(page)
        follow()
        visit(page, f"{stage.url}{path}/as/judge")
        assert page.query_selector("body[data-broken]")
        ticks = page.locator("input[name=tick]")
        assert ticks.count() > 1
        for box in ticks.all():
            box.check()
        assert "counted wrong" in page.locator("main [role=status]").first.inner_text(), "the reason of who asked"
        assert page.input_value("#reason") == "", "a request is applied with its own reason"
        page.click("button[value=apply]")
        page.wait_for_url(f"**/m/M-1/{APPROVED}/as/judge")
    follow()


def wait_for_followers(stage: Stage, look: Look, followers: Sequence[Page]) -> None:
    last = stage.context.match("M-1").version
    for page in followers:
        page.wait_for_selector(f'body[data-head="{last}"]')
        page.wait_for_selector(f'#log [data-n="{last - 1}"]')
        assert rest(page) == last


def list_recorded(stage: Stage) -> list[tuple[str, str, str]]:
    """Return kind, author and subject of each new entry."""
    told = []
    for entry in stage.context.match("M-1").entries[RECORDED:]:
        sort = kind_of(entry.text) if isinstance(entry, Noted) else type(entry).__name__.lower()
        fields = ("about", "eyes", "to", "dispute", "extension")
        about = next((str(getattr(entry, name)) for name in fields if hasattr(entry, name)), "")
        about = str(entry.matter.entry) if isinstance(entry, D.Disputed) else about
        told.append((sort or "", getattr(entry, "by", ""), about))
    return told


CAME_OF_IT = [
    ("call", "p1", f"{RECORDED}"),
    ("paused", f"floor {FLOOR}", ""),
    ("disputed", f"floor {FLOOR}", f"{FLAGGED}"),
    ("rewind", f"floor {FLOOR}", f"{BACK_TO}"),
    ("unsealed", f"head {HEAD}", JUDGE),
    ("rewound", f"head {HEAD}", f"{BACK_TO}"),
    ("ruled", f"floor {FLOOR}", f"{DISPUTED}"),
    ("resumed", f"floor {FLOOR}", "0"),
    ("played", "", ""),
]


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_judge_who_is_called_finds_what_was_wrong_and_play_goes_on(stage: Stage, look: Look) -> None:
    stage.record_match("M-1", sit_at_table())
    stage.record_match("M-2", SHELVES["dea"].entries("normal"), upto=RECORDED)
    with (
        stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
        stage.enter(look, "floor", "M-1", name=FLOOR) as judge,
    ):
        followers = [watching]
        follow = partial(wait_for_followers, stage, look, followers)
        visit(seat, f"{stage.url}/{look.lang}/m/M-1/{RECORDED - 1}/as/p1")
        seat.click("#calling button")
        seat.wait_for_url("**/m/M-1")
        seat.wait_for_selector("#calling [name=answered]", state="attached")
        follow()
        followers.append(seat)
        visit(judge, f"{stage.url}/{look.lang}/floor")
        taps = reach_finding(judge)
        assert taps <= TAPS_MOST
        read_finding(judge, stage, look)
        hold(judge, look)
        assert len(stage.context.match("M-1").entries) == PAUSE, "to look is not to write"
        follow()
        for page in followers:
            assert page.is_visible("#clock .notice") and page.query_selector("#clock form") is None
        clause = take_down(judge, stage, look)
        follow()
        judge.click(".may a[href$='/rewind']")
        judge.wait_for_url(f"**/m/M-1/{BACK_TO}/rewind")
        expect_sealed(judge)
        hold(judge, look)
        judge.fill("#reason", "counted wrong")
        judge.click("button[value=ask]")
        judge.wait_for_selector(f"[role=status]:has-text('{FLOOR}')")
        expect_sealed(judge)
        follow()
        stage.clock.at += STOOD_S * SECOND_MS
        decide(stage, look, follow)
        rule(judge, stage, look, clause)
        follow()
        resume(judge, stage, look)
        follow()
        for page in followers:
            page.wait_for_selector("#clock:not(:has(.notice))", state="attached")
        go_on(stage, look)
        follow()
        visit(judge, f"{stage.url}/{look.lang}/floor")
        assert "◆" not in judge.locator("a.tile", has_text=TABLE).inner_text()
    assert list_recorded(stage) == CAME_OF_IT
    entries = stage.context.match("M-1").entries
    (stop,) = list_stops(entries)
    assert (stop.entry, stop.until) == (PAUSE, RECORDED + len(CAME_OF_IT) - 1)
    assert entries[CALL - 1].at == stop.at and stop.lasted(0) == STOOD_S * SECOND_MS


def test_a_call_is_heard_on_the_floor_and_answered_by_one_tap(stage: Stage) -> None:
    look = LOOKS[2]
    with stage.enter(look, "floor", name=FLOOR) as judge:
        stage.record_match("M-1", sit_at_table())
        judge.clock.install()
        visit(judge, f"{stage.url}/{look.lang}/floor")
        judge.click("[data-alarm]")
        judge.wait_for_selector("[data-alarm][aria-pressed=true]")
        call = Noted(by="p1", text="[call] a judge is called / 審判の呼び出し", about=1, at=stage.clock.at)
        stage.context.store.append("M-1", stage.context.store.version("M-1"), [call])
        assert judge.get_attribute("html", "data-rang") is None
        judge.clock.run_for(RENEWED_MS)
        judge.wait_for_selector(f"html[data-rang='{TABLE}']")
        judge.locator("form[action$='/m/M-1/call'] button").first.click()
        judge.wait_for_selector(f"a.tile:not(.waits):has(.at:text-is('{TABLE}'))")
        judge.wait_for_selector("[data-alarm][aria-pressed=true]")
        assert [kind for kind, _, _ in list_recorded(stage)] == ["call", "answered"]


def test_tables_and_their_counts_follow_what_is_recorded_by_themselves(stage: Stage) -> None:
    with stage.come(LOOKS[1], "/en/floor") as page:
        stage.record_match("M-1", sit_at_table())
        page.clock.install()
        visit(page, f"{stage.url}/en/floor")
        version = stage.context.store.version("M-1")
        stage.context.store.append("M-1", version, [D.Paused(by="kato", at=stage.clock.at)])
        stopped = page.locator("#counts a:has-text('clock stopped') b")
        assert stopped.inner_text() == "0" and page.locator("a.tile").count() == 1
        page.clock.run_for(RENEWED_MS)
        page.wait_for_selector("a.tile.stands")
        assert stopped.inner_text() == "1"


def filed_entries(stage: Stage) -> list[D.Filed]:
    return [entry for entry in stage.context.match("M-1").entries[RECORDED:] if isinstance(entry, D.Filed)]


def test_the_clock_penalties_and_disputes_need_no_scripts(stage: Stage) -> None:
    stage.record_match("M-1", sit_at_table())
    match = f"{stage.url}/ja/m/M-1"
    with stage.show(LOOKS[0], "floor", "/ja/m/M-1", scripts=False) as page:
        page.click("#calling [name=pause]")
        stage.clock.at += SECOND_MS
        page.fill("#clock #extension", "30")
        page.click("#clock button[value=resume]")
        page.wait_for_selector("#calling [name=pause]")
        page.goto(f"{match}/penalties")
        page.select_option("#seat", "p1")
        page.fill("#step", "warning")
        page.click("button[value=check]")
        page.click("#preview button[value=give]")
        page.wait_for_url("**/penalties")
        page.goto(match)
        page.click("#pieces summary")
        page.locator("#pieces a").first.click()
        page.click("#thing a[href*='thing=']")
        page.fill("#claim-p1", "it was charged")
        page.click("main form button.first")
        page.wait_for_url(f"**/disputes/{RECORDED + 4}")
    paused, resumed, penalised, disputed = filed_entries(stage)
    assert isinstance(paused, D.Paused) and isinstance(resumed, D.Resumed)
    assert (resumed.at - paused.at, resumed.extension) == (SECOND_MS, 30 * SECOND_MS)
    assert isinstance(penalised, D.Penalised) and penalised.penalty.step == "warning"
    assert isinstance(disputed, D.Disputed) and disputed.matter == D.Matter(thing=disputed.matter.thing)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_dispute_is_opened_from_a_card_on_the_board_and_from_a_clause(stage: Stage, look: Look) -> None:
    with stage.enter(look, "floor", name=FLOOR) as page:
        stage.record_match("M-1", sit_at_table())
        visit(page, f"{stage.url}/{look.lang}/m/M-1")
        page.locator(".board [data-t]").first.click()
        page.click("#sheet[open] a[href*='thing=']")
        page.wait_for_selector("#claim-p1")
        hold(page, look)
        thing = page.input_value("#thing")
        submit(page, "main form button.first", look)
        page.locator(f".what a:text-is('u{thing}')").click()
        page.wait_for_url(f"**/thing/{thing}")
        visit(page, f"{stage.url}/{look.lang}/m/M-1/{RECORDED - 1}")
        page.locator("#happened a.clause").first.click()
        page.locator("a[href*='clause='][href$='#open']").click()
        page.wait_for_selector("#claim-p1")
        clause = page.input_value("#clause")
        submit(page, "main form button.first", look)
        about = [entry.matter for entry in filed_entries(stage) if isinstance(entry, D.Disputed)]
        assert about == [D.Matter(thing=int(thing)), D.Matter(clause=clause)]  # type: ignore[arg-type]


def submit(page: Page, button: str, look: Look) -> None:
    """Submit by key, since a second click at the same spot within 700 ms is ignored."""
    page.locator(button).press("Enter")
    page.wait_for_load_state()
    page.wait_for_selector("html[data-ready]")
    hold(page, look)


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_dispute_is_settled_in_browsers(stage: Stage, look: Look) -> None:
    stage.record_match("M-1", SHELVES["blackpoker"].entries("disputed"), upto=RECORDED)
    dispute = f"{stage.url}/{look.lang}/m/M-1/disputes/{RECORDED + 1}"
    with (
        stage.come(look, f"/{look.lang}/m/M-1", WATCHER) as watching,
        stage.enter(look, "seat", "M-1", name=PLAYER, seat="p1") as seat,
        stage.enter(look, "floor", "M-1", name=FLOOR) as floor,
        stage.enter(look, "head", name=HEAD) as head,
    ):
        visit(floor, f"{stage.url}/{look.lang}/m/M-1/findings")
        floor.locator(f"main a[href*='/{FLAGGED}/f/']").first.click()
        floor.locator("main a[href*='/disputes?about=']").click()
        floor.wait_for_selector("#claim-p1")
        assert floor.input_value("#about") == str(FLAGGED) and floor.input_value("#clause")
        floor.fill("#claim-p1", CLAIM)
        submit(floor, "main form button", look)
        assert floor.url == dispute and CLAIM in floor.inner_text("main"), "who took it down reads it again"
        floor.check("[name=verdict][value=not_allowed]")
        floor.fill("#reason", "seen by all")
        floor.press("#reason", "Enter")
        floor.wait_for_selector("#preview")
        hold(floor, look)
        assert stage.context.match("M-1").version == RECORDED + 1, "Enter rules nothing"
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
    came = stage.context.match("M-1").entries[RECORDED:]
    assert [type(entry) for entry in came] == [D.Disputed, D.Ruled, D.Appealed, D.Decided]


CITED = Clause("BP-10.6")
ROAD = f"m/M-1/disputes/{DISPUTE}"
RULING = {
    "kind": "rule", "dispute": DISPUTE, "verdict": "wrong_outcome", "clauses": [CITED], "reason": "a club, they say",
}  # fmt: skip
EARLY = """async ([url, id]) => (await fetch(url, {method: "POST", body: new URLSearchParams({
  id, do: "rule", as_decision: "true", outcome: "upheld", reason: "now",
})})).status"""
SPOKEN = {
    "en": ("For players", "For officials only", "The other reading"), "ja": ("プレイヤー向け", "審判専用", "別の解釈"),
}  # fmt: skip


def put_disputed(stage: Stage) -> None:
    earlier, _ = dispute(SHELVES["blackpoker"].entries("disputed")[:RECORDED], WRONG, (CITED,))
    stage.record_match("M-0", earlier)
    opened = D.Disputed(by="p1", matter=D.Matter(entry=WRONG, clause=CITED), claims={Seat("p1"): CLAIM})
    stage.record_match("M-1", [*SHELVES["blackpoker"].entries("disputed")[:RECORDED], opened])


def take_along(page: Page, audience: str) -> bytes:
    with page.expect_download() as loading:
        page.click(f"main a[href$='/casefile/{audience}']")
    file = loading.value
    assert file.suggested_filename == f"M-1-{DISPUTE}-{audience}.html"
    return Path(file.path()).read_bytes()


def look_through(head: Page, stage: Stage, look: Look) -> None:
    """Open the views of the disputed moment in order: spectator, each seat, judge."""
    page, judge = f"{stage.url}/{look.lang}/{ROAD}", f"/{look.lang}/m/M-1/{WRONG}"
    order = head.eval_on_selector_all("main [data-view]", "views => views.map(view => view.dataset.view)")
    assert order == [SPECTATOR, "p1", "p2", JUDGE]
    head.click(f"main [data-view={SPECTATOR}] a")
    head.wait_for_url(f"**{judge}")
    for number, eyes in enumerate(order[1:], start=1):
        visit(head, page)
        waiting = head.locator("main [data-view]:not(:has(a, form))").count()
        assert waiting == len(order) - 1 - number, "those behind it wait"
        before = stage.context.match("M-1").version
        head.click(f"main [data-view={eyes}] button")
        head.wait_for_url(f"**{judge}/as/{eyes}")
        head.wait_for_selector("html[data-ready]")
        hold(head, look)
        opened = stage.context.match("M-1").entries[before:]
        assert [(entry.by, entry.eyes) for entry in opened if isinstance(entry, D.Unsealed)] == [(f"head {HEAD}", eyes)]
        visit(head, page)
        timeline = head.inner_text("section:has(> #timeline)")
        who = say("by.head", look.lang, name=HEAD)
        assert f"#{stage.context.match('M-1').version}" in timeline and who in timeline
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
    """The whole appeal: a decision needs a ruling first, then views, other readings, decision and files."""
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
        assert head.evaluate(EARLY, [page, uuid(7)]) == 409 and stage.context.match("M-1").version == DISPUTE
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
        assert isinstance(stage.context.match("M-1").entries[-1], D.Decided)
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
    assert "the list says so" in shown[WATCHER] and say("by.head", look.lang, name=HEAD) in shown[WATCHER]
    assert names_in(hidden, taken[HEAD].decode()), "what is looked for would be found"
    assert names_in({*hidden, CLAIM, "the card was another"}, taken[WATCHER].decode()) == set()
