"""Score sheets on pages without scripts: preview with errors by line, recording, comparison and merge."""

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from domain.formats.sheets import read_sheet
from domain.games import GAMES
from recorder import sheet_recording
from service.access import ROLES, Role
from tests.rotation import rotate
from tests.service.harness import Served
from tests.service.journeys import LOOKS, Look, Stage, break_seal, hold, visit
from tests.service.page_parser import Page
from tests.service.test_journeys_seals import FRAME
from tests.service.test_service_sheets import JUN, KANA, LINES, PAPER, nothing, sheet_of, take

pytestmark = pytest.mark.rotates(2)

OURS = {"Origin": "http://testserver.local"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def post(served: Served, path: str, fields: dict[str, str], role: Role = "scorekeeper", lang: str = "en") -> Any:
    headers = OURS | served.person(role) | FORM
    url = f"/{lang}/paper{path}"
    return served.client.post(url, content=urlencode(fields), headers=headers, follow_redirects=False)


def send(
    served: Served, path: str, fields: dict[str, str], role: Role = "scorekeeper", lang: str = "en", **files: bytes
) -> Any:
    parts = {name: (None, value.encode()) for name, value in fields.items()}
    parts |= {name: ("x.sheet", data, "text/plain") for name, data in files.items()}  # type: ignore[misc]
    headers = OURS | served.person(role)
    return served.client.post(f"/{lang}/paper{path}", files=parts, headers=headers, follow_redirects=False)


def field(text: str, name: str) -> str:
    area = re.search(rf'<textarea[^>]* name="{name}"[^>]*>\n?(.*?)</textarea>', text, re.S)
    found = area or re.search(rf'<input[^>]* name="{name}" value="([^"]*)"', text)
    assert found is not None, name
    return html.unescape(found[1])


def test_a_sheet_is_looked_at_and_then_recorded_once(served: Served) -> None:
    for look in (send(served, "", {"text": KANA.replace("\n", "\r\n")}), send(served, "", {}, file=KANA.encode())):
        assert look.status_code == 200 and nothing(served), look.text
        assert "new match table-9" in look.text and "Lines to record: 57, already recorded: 0" in look.text
        assert 'href="/en/rules/blackpoker@8.1-lite/BP-8.2"' in look.text and ">Record 57 lines<" in look.text
        assert field(look.text, "text") == KANA
    fields = {name: field(look.text, name) for name in ("text", "match", "mend")}
    for _ in range(2):
        done = post(served, "/take", fields)
        assert (done.status_code, done.headers["location"]) == (303, "/en/record/table-9")
        assert served.context.match("table-9").version == 59
    again = send(served, "", {"text": KANA}, lang="ja").text
    assert "これから記録：0行、記録済み：57行" in again and "この対戦へ" in again


def test_every_line_that_cannot_be_read_is_named_and_what_was_typed_stays(served: Served) -> None:
    lines = (*LINES[:2], "Ren: psas", "Aoi: pass", "gap x", "Zoe: pass", "<b>: x")
    wrong = send(served, "", {"text": sheet_of(*lines)})
    assert wrong.status_code == 400 and nothing(served)
    assert [int(n) for n in re.findall(r"Line (\d+): ", wrong.text)] == [10, 12, 13, 14]
    assert '<code translate="no">Ren: psas</code>' in wrong.text and "&lt;b&gt;: x" in wrong.text
    assert field(wrong.text, "text") == sheet_of(*lines) and "Nothing was recorded" in wrong.text
    played = send(served, "", {"text": sheet_of(*LINES[:1], "Ren: summon_ace HA")}, lang="ja")
    assert played.status_code == 400 and "9行目：" in played.text and nothing(served)


def test_a_late_header_is_named_with_the_errors_of_the_lines_before_it(served: Served) -> None:
    late = '[Date "2026.11.28"]'
    lines = (LINES[0], "Ren: psas", LINES[1], late, "gap x")
    wrong = send(served, "", {"text": sheet_of(*lines)})
    assert wrong.status_code == 400 and nothing(served)
    assert [int(n) for n in re.findall(r"Line (\d+): ", wrong.text)] == [9, 11]
    assert "move this line to the top" in wrong.text and html.escape(late) in wrong.text.replace("&#34;", "&quot;")
    only = send(served, "", {"text": sheet_of(LINES[0], late)}, lang="ja")
    assert only.status_code == 400 and "9行目：" in only.text and "この行を先頭へ移してください" in only.text
    assert nothing(served)


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        (b"\xff" + KANA.encode(), 400, "Line 1: "),
        (KANA.encode() + b"; " + b"x" * 5_000_000, 413, "too large"),
        (b"", 400, ""),
        (KANA.replace("blackpoker", "chess", 1).encode(), 400, "chess"),
        (KANA.replace('"p2" "Ren"', '"p9" "Ren"').encode(), 400, "p9"),
    ],
)
def test_a_file_that_is_none_is_told_above_the_form(served: Served, data: bytes, status: int, said: str) -> None:
    answer = send(served, "", {}, file=data)
    assert answer.status_code == status and said in answer.text and 'role="alert"' in answer.text
    assert nothing(served)


def test_a_match_of_that_id_is_left_as_it_is(served: Served) -> None:
    served.open("blackpoker", "8.1-lite", match="t1")
    before = served.context.store.read_bytes("t1")
    for answer in (send(served, "", {"text": sheet_of(*LINES)}), post(served, "/take", {"text": sheet_of(*LINES)})):
        assert answer.status_code == 403 and "already recorded, by another person" in answer.text
    assert served.context.store.read_bytes("t1") == before


def test_only_who_opens_matches_is_led_there_and_let_in(served: Served) -> None:
    may: tuple[Role, ...] = ("scorekeeper", "floor", "head")
    for role in ROLES:
        for path in ("", "/compare"):
            assert served.get(f"/en/paper{path}", role).status_code == (200 if role in may else 403), (role, path)
        if role in may:
            tables = served.get("/en/record", role).text
            assert 'href="/en/paper"' in tables and 'href="/en/paper/compare"' in tables
        elif role != "spectator":
            for answer in (
                send(served, "", {"text": KANA}, role),
                post(served, "/take", {"text": KANA}, role),
                send(served, "/compare", {"a": KANA, "b": JUN}, role),
                post(served, "/settle", {"a": KANA, "b": JUN}, role),
            ):
                assert answer.status_code == 403 and "table-9" not in answer.text
    assert nothing(served)


def test_two_sheets_are_answered_one_by_one_and_made_into_one(served: Served) -> None:
    page = send(served, "/compare", {"b": JUN}, a_file=KANA.encode())
    assert page.status_code == 200 and "differences: 6; to answer: 4" in page.text
    assert "Follow a (Kana)" in page.text and "Follow b (Jun)" in page.text
    taps = {"2=a": "2=a", "3=b": "2=a,3=b", "2=b": "3=b,2=b", "3=": "2=b", "3=a": "2=b,3=a"}
    for given, answers in taps.items():
        fields = {name: field(page.text, name) for name in ("a", "b", "a_match", "b_match", "answers")}
        page = post(served, "/settle", fields | {"answer": given})
        assert page.status_code == 200 and field(page.text, "answers") == answers
    assert ">Make one sheet, 2 questions open<" in page.text
    pressed = re.findall(r'value="(\d=[ab]?)"[^>]* aria-pressed="true"', page.text)
    assert pressed == ["2=b", "3=a", "4=", "6="]
    fields = {name: field(page.text, name) for name in ("a", "b", "a_match", "b_match", "answers")}
    made = post(served, "/settle", fields | {"make": "true"})
    text = field(made.text, "text")
    sheet = read_sheet(text, GAMES)
    assert sum("question" in line for line in text.splitlines()) == 2 and len(sheet.lines) > 50
    assert "Answered: 2, combined: 2, open: 2" in made.text and nothing(served)
    looked = send(served, "", {"text": text, "match": "settled"})
    assert looked.status_code == 200 and "new match settled" in looked.text
    assert "2枚" in post(served, "/settle", fields, lang="ja").text


def test_a_match_is_laid_beside_a_sheet_only_by_who_may_see_all_of_it(served: Served) -> None:
    assert take(served, sheet_of(*LINES)).status_code == 201
    other = sheet_of(*LINES[:5], "Ren: choose_bulwark_card S3")
    for role in ("scorekeeper", "floor", "head"):
        answer = send(served, "/compare", {"a_match": "t1", "b": other}, role)  # type: ignore[arg-type]
        assert answer.status_code == 403 and "Sheet a: " in answer.text and "C6" not in answer.text
    headers = OURS | served.bearer("head")
    served.client.post("/api/v1/matches/t1/seal", json={"viewer": "judge"}, headers=headers)
    parts = {"a_match": (None, "t1"), "b": (None, other)}
    shown = served.client.post("/en/paper/compare", files=parts, headers=headers)
    assert shown.status_code == 200 and "choose_bulwark_card C6" in shown.text
    assert "t1" not in re.findall("<title>(.*?)</title>", shown.text)[0]


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "Hidden cards visible in the view of judge, until"), ("ja", "非公開のカードが見えています。視点：審判（")],
)
def test_hidden_cards_are_framed_where_two_sheets_lie_as_on_every_page(served: Served, lang: str, told: str) -> None:
    other = sheet_of(*LINES[:5], "Ren: choose_bulwark_card S3")
    headers = OURS | served.bearer("head") | FORM
    for match in ("t1", "t2"):
        assert take(served, sheet_of(*LINES), match=match).status_code == 201

    def lay(**fields: str) -> Any:
        return served.client.post(f"/{lang}/paper/settle", content=urlencode(fields), headers=headers)

    typed = lay(a=sheet_of(*LINES), b=other)
    assert typed.status_code == 200 and "data-broken" not in typed.text and told not in typed.text
    for match, begins in (("t1", 0), ("t2", 60_000)):
        served.clock.at += begins
        served.client.post(f"/en/m/{match}/seal", content="viewer=judge", headers=headers)
    for fields in ({"a_match": "t1", "b": other}, {"a_match": "t1", "b": other, "make": "true"}):
        shown = lay(**fields)
        assert "choose_bulwark_card C6" in shown.text and shown.text.count(told) == 1
        (body,) = Page(shown.text, "/").all("body")
        assert (body["data-viewer"], body["data-seal-in"]) == ("judge", "540000") and "data-broken" in body
        assert body["data-live"].startswith("/api/v1/matches/t1/live?")
        assert ("post", f"/{lang}/m/t1/seal/again") in Page(shown.text, "/").forms
    both = lay(a_match="t2", b_match="t1")
    assert both.text.count(told) == 2 and 'data-seal-in="540000"' in both.text, "the first that runs out"
    twice = lay(a_match="t1", b_match="t1")
    assert twice.status_code == 200 and twice.text.count(told) == 1
    served.clock.at += 540_001
    over = lay(a_match="t1", b=other)
    assert over.status_code == 403 and "data-broken" not in over.text and "C6" not in over.text


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({}, 400, "Sheet a: "),
        ({"a": KANA, "b": JUN.replace("Ren: pass", "Ren: psas", 1)}, 400, "Sheet b: Line "),
        ({"a": KANA, "b_match": "gone"}, 404, "Sheet b: "),
        ({"a": KANA, "b": JUN.replace("8.1-lite", "9.2-lite")}, 400, "for different games"),
        ({"a": KANA, "b": JUN, "answers": "2=c"}, 400, ""),
        ({"a": KANA, "b": JUN, "answers": "x"}, 400, ""),
        ({"a": KANA, "b": JUN, "answers": "99=a", "make": "true"}, 400, "99"),
        ({"a": KANA, "b": JUN, "answer": "9" * 40}, 400, ""),
        ({"a": "x" * 300_000, "b": JUN}, 413, ""),
    ],
)
def test_what_cannot_be_laid_side_by_side_is_told(
    served: Served, fields: dict[str, str], status: int, said: str
) -> None:
    answer = post(served, "/settle", fields)
    assert answer.status_code == status and said in answer.text, answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_two_sheets_become_a_match_in_a_browser(stage: Stage, look: Look) -> None:
    with stage.enter(look, "scorekeeper", name="Kato") as page:
        visit(page, f"{stage.url}/{look.lang}/record")
        page.click("a[href$='/paper/compare']")
        page.wait_for_selector("#a_file")
        page.set_input_files("#a_file", str(PAPER / "kana.sheet"))
        page.fill("#b", JUN)
        page.click("main form button")
        page.wait_for_selector("#d6")
        hold(page, look)
        for answer in ("2=b", "3=a", "4=a", "6=a"):
            page.press(f"button[value='{answer}']", "Enter")
            page.wait_for_selector(f"button[value='{answer}'][aria-pressed=true]")
            assert page.url.endswith(f"#d{answer[0]}")
        page.click("button[name=make]")
        page.wait_for_selector("#text")
        hold(page, look)
        page.fill("#match", "settled")
        page.click("#text ~ button")
        page.wait_for_selector("table.pairs")
        hold(page, look)
        page.click("form[action$='/paper/take'] button")
        page.wait_for_url("**/record/settled")
        assert stage.context.match("settled").version == 64


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_two_sheets_are_emptied_when_the_seal_runs_out(stage: Stage, look: Look) -> None:
    with stage.enter(look, "head", name="Kato") as page:
        sheet = read_sheet(sheet_of(*LINES), GAMES)
        assert sheet_recording.open_sheet(stage.context.store, sheet, "t1") == "t1"
        assert len(list(sheet_recording.record_sheet(stage.context.store, sheet, "t1"))) == len(LINES)
        visit(page, f"{stage.url}/{look.lang}/m/t1")
        break_seal(page)
        visit(page, f"{stage.url}/{look.lang}/paper/compare?match=t1")
        page.fill("#b", sheet_of(*LINES[:5], "Ren: choose_bulwark_card S3"))
        with page.expect_response(lambda answer: "/live?" in answer.url):
            page.click("main form button")
            page.wait_for_selector("#d1")
        assert page.evaluate(FRAME) > 0 and page.is_visible("form.broken") and "C6" in page.inner_text("main")
        hold(page, look)
        stage.clock.at += stage.context.settings.seal_ms
        stage.context.wake("t1")
        page.wait_for_selector("body[data-state=sealed]")
        assert page.is_visible("[data-sealed]") and page.query_selector("body[data-broken], form.broken") is None
        assert page.inner_text("main").strip() == "" and "C6" not in page.content()
        page.click("[data-sealed] a")
        page.wait_for_selector("#a_file")
