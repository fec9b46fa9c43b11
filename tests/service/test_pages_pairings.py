"""A round opened on pages from a pairings file: previewed first, then recorded whole or not at all."""

from typing import Any
from urllib.parse import urlencode

import pytest

from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.law.entries import opened_of
from service.access import ROLES, Role
from service.floor.pairings_page import FILE_MAX
from tests.rotation import rotate
from tests.service.harness import Served
from tests.service.journeys import LOOKS, Look, Stage, hold, visit
from tests.service.page_parser import Page

LITE = {"edition": "blackpoker@8.1-lite", "event": "春の大会", "round": "1"}
TABLE = "table,p1,p2\r\n1,Ann,Bo\r\n2,Cy <b>,Di\r\n"
OURS = {"Origin": "http://testserver.local"}


def look(served: Served, table: str | bytes = TABLE, lang: str = "en", role: Role = "head", **fields: str) -> Any:
    file = {"file": ("round.csv", table if isinstance(table, bytes) else table.encode(), "text/csv")}
    headers = OURS | served.bearer(role)
    return served.client.post(f"/{lang}/pairings", data=LITE | fields, files=file, headers=headers)


def open_looked(served: Served, shown: str, role: Role = "head") -> Any:
    page = Page(shown, "/en/pairings")
    assert ("post", "/en/pairings/open") in page.forms
    fields = {known["name"]: known["value"] for known in page.all("input", type="hidden")}
    return send(served, fields | {"pairings": TABLE}, role)


def send(served: Served, fields: dict[str, str], role: Role = "head") -> Any:
    headers = OURS | served.bearer(role) | {"Content-Type": "application/x-www-form-urlencoded"}
    return served.client.post(
        "/en/pairings/open", content=urlencode(fields), headers=headers, follow_redirects=False
    )  # fmt: skip


def list_opened(served: Served) -> list[tuple[str, str, list[str]]]:
    firsts = [opened_of(served.context.store.read(row.match)) for row in served.context.store.newest(100)]
    return sorted((first.occasion.event, first.occasion.table, [*first.names.values()]) for first in firsts)


def listed(game: str, deck: str, name: str) -> str:
    return "\n".join((f"[{name}]", *GAMES[game].named_decks()[deck].main)) + "\n"


def test_players_bring_deck_lists_of_their_own(served: Served) -> None:
    lists = listed("dea", "lantern_lane", "Ann") + listed("dea", "clockwork_marsh", "tempo")
    table, round = "table,p1,p2,p2_deck\r\n1,Ann,Bo,tempo\r\n", {"edition": "dea@1", "lists": lists}
    assert "lantern_lane" in served.get("/en/pairings", "head").text, "sample decks are named beside the form"
    shown = look(served, table, **round)
    assert shown.status_code == 200 and "p1: Ann" in shown.text and "p2: tempo" in shown.text, shown.text
    answer = send(served, LITE | round | {"pairings": table, "cards": "dealt"})
    assert answer.status_code == 303, answer.text
    (row,) = served.context.store.newest(9)
    samples = GAMES["dea"].named_decks()
    assert opened_of(served.context.store.read(row.match)).decks == {
        "p1": samples["lantern_lane"].faces,
        "p2": samples["clockwork_marsh"].faces,
    }
    astray = look(served, table, **(round | {"lists": lists.replace("[Ann]", "[Anne]")}))
    assert astray.status_code == 400 and "uses the deck Anne" in astray.text, "a mistyped name is told"
    for lang, says in (("en", "Deck lists, line 2:"), ("ja", "デッキのリストの2行目：")):
        wrong = look(served, table, lang, **(round | {"lists": "[Ann]\n4 nobody\n"}))
        assert wrong.status_code == 400 and says in wrong.text and "4 nobody" in wrong.text


def test_columns_of_a_third_player_open_tables_of_three(served: Served) -> None:
    table, round = "table,p1,p2,Player 3\r\n1,Ann,Bo,Cy\r\n", {"edition": "grimoire@1"}
    assert look(served, table, **round).status_code == 200
    assert send(served, LITE | round | {"pairings": table, "cards": "dealt"}).status_code == 303
    (row,) = served.context.store.newest(9)
    first = opened_of(served.context.store.read(row.match))
    assert [*first.names.values()] == ["Ann", "Bo", "Cy"] and first.rules["player_count"] == 3
    refused = look(served, table, edition="dea@1")
    assert refused.status_code == 400 and "no column &#39;Player 3&#39;" in refused.text


def test_a_table_is_looked_at_and_then_opened_once(served: Served) -> None:
    blank = Page(served.get("/en/pairings", "head").text, "")
    assert "checked" in next(blank.all("input", name="policy")), "pinned unless somebody says otherwise"
    shown = look(served, policy="true")
    assert shown.status_code == 200 and served.context.store.newest(9) == []
    assert "Matches to open: 2, already open: 0" in shown.text
    assert "Ann – Bo" in shown.text and "Cy &lt;b&gt; – Di" in shown.text and ">Open all 2<" in shown.text
    for _ in range(2):
        answer = open_looked(served, shown.text)
        assert (answer.status_code, answer.headers["location"]) == (303, "/en/floor")
        assert list_opened(served) == [("春の大会", "1", ["Ann", "Bo"]), ("春の大会", "2", ["Cy <b>", "Di"])]
    pinned = [opened_of(served.context.store.read(row.match)).policy for row in served.context.store.newest(9)]
    assert pinned == [stored_policy(standard_policy())] * 2
    again = look(served, TABLE + "3,Eve,Flo\r\n", "ja", policy="true").text
    assert "これから始める対戦：1件、開始済み：2件" in again and ">開始済み</a>" in again
    floor = served.get("/en/floor", "head").text
    assert "春の大会, Round 1" in floor and "Ann – Bo" in floor


def test_the_round_behind_the_newest_is_suggested(served: Served) -> None:
    empty = Page(served.get("/en/pairings", "head").text, "/en/pairings")
    assert [known["value"] for known in empty.all("input", type_="text")] == []
    assert open_looked(served, look(served).text).status_code == 303
    page = Page(served.get("/ja/pairings", "head").text, "/ja/pairings")
    values = {known["name"]: known.get("value", "") for known in page.all("input")}
    assert (values["event"], values["round"]) == ("春の大会", "2")
    (chosen,) = [known["value"] for known in page.all("option") if "selected" in known]
    assert chosen == "blackpoker@8.1-lite"


@pytest.mark.parametrize(
    ("table", "status", "words"),
    [
        ("table,p1,p2\n1,Ann,Bo\n1,Cy,Di\n", 400, "Line 3: table 1 is already in line 2"),
        ("table,p1,p2\n1,Ann\n", 400, "Line 2: the line has 2 cells"),
        ("p1,p2\nAnn,Bo\n", 400, "no column `table`"),
        ("table|p1|p2\n1|Ann|Bo\n", 400, "there is no column"),
        ("sep=;\r\n卓;選手1;選手2\r\n1;Ann;Bo\r\n".encode("utf-16"), 200, "Ann – Bo"),
        ("卓,選手1,選手2\r1,佐藤,鈴木\r".encode("cp932"), 200, "佐藤 – 鈴木"),
        ("table,p1,p2\n1,Ann,\n", 400, "Line 2: column p2 is empty"),
        ("table,p1,p2\n1,Ann,Bo\n2,Cy,Bo\n", 400, "Line 3: Bo already plays at table 1 (line 2)"),
        (b"table,p1,p2\n1,Ann,\xff\n", 400, "Line 2: "),
        ("table,p1,p2,p1_deck\n1,Ann,Bo,gone\n", 400, "gone"),
        ("", 400, "no column `table`"),
        ("table,p1,p2\n1\u202e,Ann,Bo\n", 400, "Line 2: "),
        (b"\xef\xbb\xbftable,p1,p2\n1,Ann,Bo\n", 200, "Ann – Bo"),
        (b"x" * (FILE_MAX + 1), 413, "too large"),
    ],
)
def test_a_table_that_is_wrong_is_told_by_its_line_and_opens_nothing(
    served: Served, table: str | bytes, status: int, words: str
) -> None:
    answer = look(served, table)
    assert answer.status_code == status and words in answer.text.replace("&#39;", "'"), answer.text
    if status != 200:
        page = Page(answer.text, "/en/pairings")
        assert [known["value"] for known in page.all("input", name="event")] == ["春の大会"], "what was typed stays"
        assert "/en/pairings/open" not in answer.text
    assert served.context.store.newest(9) == []


def test_what_is_wrong_with_the_rest_of_the_form_is_told_too(served: Served) -> None:
    assert "chess" in look(served, edition="chess@1").text
    assert look(served, edition="blackpoker@1").status_code == 400
    assert look(served, round=" ").status_code == 400
    assert look(served, round="x" * 201).status_code == 400
    assert look(served, color="red").status_code == 400
    headers = OURS | served.bearer("head")
    for kind, body in (
        ("application/x-www-form-urlencoded", b"event=x"),
        ("multipart/form-data", b"--x\r\n\r\n--x--"),
        ("multipart/form-data; boundary*=idna''%ff", b"--x\r\n\r\n--x--"),
        ("multipart/form-data; boundary=x",
         b"--x\r\nContent-Disposition: form-data; name*=idna''%ff\r\n\r\nx\r\n--x--"),
        ("multipart/form-data; boundary=x", b"event"),
        ("multipart/form-data; boundary=x", b"--x\r\n" * 1_000 + b"--x--"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="event"\r\n\r\nx'),
        ("multipart/form-data; boundary=x",
         b'--x\r\nContent-Disposition: form-data; name="event"\r\n\r\nx\r\n' * 2 + b"--x--"),
        ("multipart/form-data; boundary=x",
         b'--x\r\nContent-Disposition: form-data; name="event"\r\n\r\n\xff\r\n--x--'),
    ):  # fmt: skip
        sent = served.client.post("/en/pairings", content=body, headers=headers | {"Content-Type": kind})
        assert sent.status_code == 400, (kind, body)
    assert served.context.store.newest(9) == []


def test_a_round_is_opened_whole_or_not_at_all(served: Served) -> None:
    shown = look(served, "table,p1,p2\n2,Eve,Flo\n").text
    fields = {known["name"]: known["value"] for known in Page(shown, "").all("input", type="hidden")}
    assert send(served, fields | {"pairings": "table,p1,p2\n2,Eve,Flo\n"}).status_code == 303
    before = list_opened(served)
    for answer in (look(served), send(served, fields | {"pairings": TABLE})):
        assert answer.status_code == 409 and "table 2 of this round already has a different pairing" in answer.text
        assert "Line 3: " in answer.text and list_opened(served) == before
    other = look(served, round="2").text
    assert open_looked(served, other).headers["location"] == "/en/floor"
    assert len(list_opened(served)) == 3


def test_only_who_opens_rounds_is_led_there_and_let_in(served: Served) -> None:
    may: tuple[Role, ...] = ("head", "operator")
    for role in ROLES:
        led = 'href="/en/pairings"' in served.get("/en/floor", role).text
        assert (served.get("/en/pairings", role).status_code, led) == ((200, True) if role in may else (403, False))
        if role not in (*may, "spectator"):
            assert look(served, role=role).status_code == send(served, LITE | {"pairings": TABLE}, role).status_code
            assert look(served, role=role).status_code == 403
    elsewhere = {"Origin": "http://example.net", "Cookie": "shinpan=x"}
    assert served.client.post("/en/pairings", headers=elsewhere, files={"file": b"x"}).status_code == 403
    assert served.context.store.newest(9) == []


@pytest.mark.parametrize("look", rotate(LOOKS, 1), ids=str)
def test_a_round_is_opened_in_a_browser(stage: Stage, look: Look, tmp_path: Any) -> None:
    file = tmp_path / "第1回戦.csv"
    file.write_text('\ufefftable,p1,p2\r\n1,"Ueno, Jun",佐藤\r\n2,Cy,Di\r\n', encoding="utf-8")
    with stage.enter(look, "head", name="Abe") as page:
        for round in range(2):
            visit(page, f"{stage.url}/{look.lang}/floor")
            page.click("a[href$='/pairings']")
            page.wait_for_url("**/pairings")
            hold(page, look)
            page.select_option("#edition", "blackpoker@8.1-lite")
            page.fill("#event", "春の大会")
            page.fill("#round", "1")
            page.set_input_files("#file", str(file))
            page.click("main form button")
            page.wait_for_selector("table.pairs")
            hold(page, look)
            assert page.locator("table.pairs tbody tr").count() == 2 and "佐藤" in page.inner_text("table.pairs")
            assert page.locator("table.pairs a").count() == len(stage.context.store.newest(9)) == 2 * round
            page.click("main form button")
            page.wait_for_url("**/floor")
            assert page.locator("a.tile").count() == 2 and "Ueno, Jun – 佐藤" in page.inner_text("#tables")
            hold(page, look)
        assert len(stage.context.store.newest(9)) == 2, "sent twice, opened once"
