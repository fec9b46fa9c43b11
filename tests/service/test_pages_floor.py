"""The floor page: rounds and tables, their order for each role, and links to the tables."""

from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from domain.law.disputes import Disputed, Matter, Paused, Resumed
from domain.law.entries import Closed, Entry, Noted
from domain.law.occasion import Occasion
from domain.words import Text
from projections.tables import JudgeCall, TableStatus, natural, read_table_status, rounds, sort_by_need
from recorder import codec
from recorder.answers import Imported
from recorder.remarks import kind_of, write_remark
from recorder.store import Store
from recorder.troubles import StoreError, Trouble
from service.access import Role
from service.floor import pages
from service.settings import Settings
from tests.imports import import_entries
from tests.service.harness import SECOND_MS, START, Served, serve
from tests.service.page_parser import Page
from tests.shelves import SHELVES

MINUTE_MS = 60_000


def seat_at(served: Served, name: str, table: str, round: str = "3", *more: Entry, key: str = "blackpoker") -> None:
    first, *others = (entry for entry in SHELVES[key].entries(name) if not (more and isinstance(entry, Closed)))
    occasion = Occasion(event="Summer Cup", round=round, table=table)
    opened = replace(first, occasion=occasion, match=f"{name}-{table}", at=START - 60 * MINUTE_MS)  # type: ignore[call-arg]
    entries = [opened, *(replace(entry, at=START - 30 * MINUTE_MS) for entry in others), *more]
    taken = import_entries(served.context.store, [codec.encode(entry) for entry in entries], f"{name}-{table}")
    assert isinstance(taken, Imported), taken


def tables_on(text: str) -> list[str]:
    page = Page(text, "/en/floor")
    return [link["href"].rpartition("/")[2] for link in page.all("a") if "tile" in link.get("class", "").split()]


def call_at(minutes: int) -> Entry:
    return Noted(by="p1", text=write_remark("call", Text("remark.call")), at=START - minutes * MINUTE_MS)


def test_names_from_outside_are_escaped_on_the_floor_and_on_the_pages_of_a_match() -> None:
    name = "<b onclick=x>"
    with serve() as served:
        first, *others = SHELVES["blackpoker"].entries("disputed")
        occasion = Occasion(event=name, round="3", table=name)
        opened = replace(first, names=dict.fromkeys(("p1", "p2"), name), occasion=occasion, match="t7")  # type: ignore[call-arg]
        taken = import_entries(served.context.store, [codec.encode(entry) for entry in (opened, *others)], "t7")
        assert isinstance(taken, Imported), taken
        for path in ("/en/floor", "/en/m/t7", "/en/m/t7/findings", "/en/find?game=blackpoker"):
            text = served.get(path, "head").text
            assert "&lt;b onclick" in text and "<b onclick" not in text, path


def test_an_empty_floor_says_so(served: Served) -> None:
    assert "No match has been recorded yet." in served.get("/en/floor").text
    assert served.get("/en/t/17").status_code == 404
    assert served.get("/en/floor/r3").status_code == 404


def test_judges_see_first_who_waits_longest_then_what_may_be_wrong_then_table_by_table(served: Served) -> None:
    seat_at(served, "as-played", "10")
    seat_at(served, "disputed", "9")
    seat_at(served, "stage-fight", "8", "3", call_at(5))
    seat_at(served, "tie-first-player", "20", "3", call_at(12))
    shown = served.get("/en/floor", "head").text
    assert tables_on(shown) == ["tie-first-player-20", "stage-fight-8", "disputed-9", "as-played-10"]
    assert "waiting 12 min" in shown and "▲ 2" in shown
    assert "12分待ち" in served.get("/ja/floor", "head").text


def test_spectators_are_not_told_who_waits_or_what_may_be_wrong(served: Served) -> None:
    seat_at(served, "disputed", "9", "3", call_at(5))
    seat_at(served, "normal", "8")
    text = served.get("/en/floor").text
    assert tables_on(text) == ["disputed-9", "normal-8"]
    assert "▲" not in text and "◆" not in text and "findings" not in text and "calls" not in text
    assert "Aoi – Ren" in text


def test_designers_are_shown_only_the_tables_that_they_may_look_at(served: Served) -> None:
    seat_at(served, "disputed", "9")
    seat_at(served, "normal", "8")
    offered = tables_on(served.get("/en/floor", "designer").text)
    assert offered == ["normal-8"]
    assert served.get(f"/en/m/{offered[0]}", "designer").status_code == 200
    assert served.get("/en/m/disputed-9", "designer").status_code == 403


def test_chips_filter_and_count(served: Served) -> None:
    seat_at(served, "stack-fight", "9", key="grimoire")
    seat_at(served, "disputed", "8")
    text = served.get("/en/floor?show=done").text
    assert tables_on(text) == ["disputed-8"] and "Aoi won" in text
    assert (
        '<a href="?show=slow">no recent entries <b>1</b></a>' in text and '<a href="?show=all">all <b>2</b></a>' in text
    )
    slow = served.get("/en/floor?show=slow").text
    assert tables_on(slow) == ["stack-fight-9"] and "30 min ago" in slow
    served.post("/api/v1/matches/stack-fight-9/seal", {"viewer": "judge"}, "head")
    assert tables_on(served.get("/en/floor?show=slow").text) == ["stack-fight-9"]
    assert tables_on(served.get("/en/floor?show=findings", "head").text) == ["disputed-8"]
    assert served.get("/en/floor?show=secrets").status_code == 400
    assert "tiles size8" in served.get("/en/floor?size=8").text


def test_a_long_round_has_pages_that_together_show_each_table_once(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PAGE", 2)
    for table in ("1", "2", "3", "4"):
        seat_at(served, "disputed", table)
    seat_at(served, "stage-fight", "5", "3", call_at(5))
    seen: list[list[str]] = []
    url = "/en/floor?show=all&size=4"
    while url:
        text = served.get(url, "head").text
        assert "all <b>5</b>" in text and "data-ask" in text, "counts and calls are those of the round"
        assert all("page=" not in link["href"] for link in Page(text, url).all("a") if "show=done" in link["href"])
        seen.append(tables_on(text))
        more = [link["href"] for link in Page(text, url).all("a") if link.get("rel") == "next"]
        url = f"/en/floor{more[0]}" if more else ""
        assert "size=4" in url or not url
    assert seen == [["stage-fight-5", "disputed-1"], ["disputed-2", "disputed-3"], ["disputed-4"]]
    assert "From the beginning" in text and "size4" in text
    assert "No tables to show." in served.get("/en/floor?page=9", "head").text
    assert served.get("/en/floor?page=0").status_code == 400


def test_the_answer_to_a_call_returns_to_the_page_of_the_floor(served: Served) -> None:
    seat_at(served, "stage-fight", "5", "3", call_at(5))
    answer = tap(served, "/en/m/stage-fight-5/call", answered=0, page="2", size="4")
    assert answer.headers["location"] == "/en/floor?size=4&page=2"


def test_an_unknown_filter_is_named_with_those_there_are(served: Served) -> None:
    for path, words in (
        ("/en/floor?show=bogus", "there is no show &#39;bogus&#39;; known values: all, calls, disputes, findings,"),
        ("/ja/floor?size=9", "sizeの値&#39;9&#39;はありません。使える値：3、4、8"),
    ):
        answer = served.get(path, "head")
        assert answer.status_code == 400 and words in answer.text and "$." not in answer.text, path


def test_each_round_has_its_address_and_the_newest_is_shown_first(served: Served) -> None:
    seat_at(served, "normal", "17", "2")
    seat_at(served, "disputed", "17", "3")
    seat_at(served, "options", "18", "Final")
    assert tables_on(served.get("/en/floor").text) == ["options-18"]
    assert tables_on(served.get("/en/floor/r2").text) == ["normal-17"]
    assert "Summer Cup, Round 2" in served.get("/en/floor/r2").text
    assert tables_on(served.get("/ja/floor/rFinal").text) == ["options-18"]


def test_rounds_of_one_name_are_told_apart_by_their_events(served: Served) -> None:
    for event, table in (("Spring & Sun", "1"), ("", "2"), ("Cup", "3")):
        served.clock.at += SECOND_MS
        opened, *_ = SHELVES["blackpoker"].entries("normal")
        occasion = Occasion(event=event, round="1", table=table)
        first = replace(opened, occasion=occasion, match=f"m{table}", at=served.clock.at)  # type: ignore[call-arg]
        assert served.context.store.append(f"m{table}", 0, [first, call_at(5)]) == 2
    older = {"/en/floor/r1?event=": "m2", "/en/floor/r1?event=Spring+%26+Sun": "m1"}
    for path, match in {"/en/floor": "m3", "/en/floor?event=Cup": "m3", **older}.items():
        page = Page(served.get(path, "head").text, path)
        assert tables_on(page.text) == [match] and older.keys() <= set(page.links), path
        (calls,) = {link for link in page.links if "show=calls" in link}
        assert tables_on(served.get(path.partition("?")[0] + calls, "head").text) == [match], calls
    answer = tap(served, "/en/m/m1/call", answered=2, round="r1", event="Spring & Sun")
    assert answer.headers["location"] == "/en/floor/r1?event=Spring+%26+Sun"
    assert served.get("/en/floor/r1?event=Autumn").status_code == 404


def test_each_round_counts_its_tables_and_whose_clock_stands_or_who_disputes(served: Served) -> None:
    disputed, paused = Disputed(by="p1", matter=Matter(entry=1), at=START), Paused(by="head", at=START)
    seat_at(served, "normal", "17", "2")
    seat_at(served, "stack-fight", "17", "3", disputed, key="grimoire")
    seat_at(served, "fogs-and-equips", "18", "3", paused)
    seat_at(served, "options", "19", "3")
    page = served.get("/en/floor").text
    nav = " ".join(page.partition('<nav class="rounds"')[2].partition("</nav>")[0].split())
    assert nav.index("Round 3") < nav.index("Round 2")
    assert "<b>Round 3</b> <small><span>2 open</span> <span>1 done</span> <span>◇ 1 disputed</span>" in nav
    assert "<span>‖ 1 stopped</span></small>" in nav and "<b>Round 2</b> <small><span>1 done</span></small>" in nav
    served.record_match("blackpoker", "ends-life")
    assert "<b>Summer Cup 第3ラウンド</b>" in served.get("/ja/floor/r2").text


def test_time_given_back_stands_at_its_table_and_a_clock_that_stands_is_marked(served: Served) -> None:
    stops = [
        Paused(by="head", at=START - 20 * MINUTE_MS),
        Resumed(by="head", extension=180_000, at=START - 18 * MINUTE_MS),
        Paused(by="head", at=START - 4 * MINUTE_MS),
    ]
    seat_at(served, "fogs-and-equips", "8", "3", *stops)
    seat_at(served, "disputed", "9")
    for role in ("spectator", "head"):
        text = served.get("/en/floor?show=paused", role).text
        assert tables_on(text) == ["fogs-and-equips-8"] and 'class="tile stands"' in text
        assert '‖<span class="long"> stopped 4 min' in text and "+9:00" in text
        assert "time to add (stopped 6:00, extension 3:00)" in text
        assert '<a href="?show=paused" aria-current="true">clock stopped <b>1</b></a>' in text
    glance = served.get("/ja/floor?at=fogs-and-equips-8", "head").text.partition('id="glance"')[2]
    assert '<a href="/ja/m/fogs-and-equips-8/clock">時計停止から4分</a>' in glance
    assert "追加時間：停止6:00、延長3:00" in glance
    assert "+" not in "".join(served.get("/ja/floor?at=disputed-9", "head").text.partition('id="glance"')[2])
    served.context.store.append("fogs-and-equips-8", served.context.match("fogs-and-equips-8").version, [
        Resumed(by="head", at=START), Closed(by="head", reason="time", at=START + MINUTE_MS),
    ])  # fmt: skip
    served.clock.at += MINUTE_MS
    text = served.get("/en/floor").text
    assert "‖" not in text and "+9:00" in text, "what was given stands, the clock no more"


def test_who_sees_behind_a_delay_is_told_of_a_clock_only_what_they_may_know() -> None:
    delay = 5 * MINUTE_MS
    with serve(Settings(store=":memory:", delay=delay)) as served:
        seat_at(served, "fogs-and-equips", "8")

        def clock_on_floor(role: Role = "spectator") -> tuple[bool, bool, bool]:
            text = served.get("/en/floor", role).text
            return "‖" in text, "clock stopped <b>1</b>" in text, 'title="time to add' in text

        before = served.get("/en/floor").text
        match, version = "fogs-and-equips-8", served.context.match("fogs-and-equips-8").version
        served.context.store.append(match, version, [Paused(by="head", at=START)])
        assert served.get("/en/floor").text == before, "nothing of what lies within the delay"
        assert clock_on_floor("head") == (True, True, False)
        served.clock.at += delay
        served.context.store.append(match, version + 1, [Resumed(by="head", extension=60_000, at=served.clock.at)])
        assert clock_on_floor("head") == (False, False, True)
        assert clock_on_floor() == (True, True, False) and "stopped 0 min" in served.get("/en/floor").text
        served.clock.at += delay
        assert clock_on_floor() == (False, False, True)
        assert "time to add (stopped 5:00, extension 1:00)" in served.get("/en/floor").text


def test_a_table_leads_to_the_match_that_is_played_there_now(served: Served) -> None:
    seat_at(served, "normal", "17", "2")
    seat_at(served, "disputed", "17", "3")
    answer = served.get("/ja/t/17")
    assert (answer.status_code, answer.headers["location"]) == (302, "/ja/m/disputed-17")
    assert answer.headers["cache-control"] == "no-store"
    typed = served.get("/ja/floor", params={"go": "１７ "})
    assert (typed.status_code, typed.headers["location"]) == (302, "/ja/t/17")


def tap(served: Served, path: str, role: Role = "head", *matches: str, **fields: str | int) -> Any:
    headers = {"Origin": "http://testserver.local", "Content-Type": "application/x-www-form-urlencoded"}
    headers |= served.bearer(role, *matches)
    return served.client.post(path, content=urlencode(fields), headers=headers, follow_redirects=False)


def test_a_call_is_answered_by_one_tap_and_a_judge_called_by_another(served: Served) -> None:
    seat_at(served, "stage-fight", "8", "3", call_at(5))
    match, path = "stage-fight-8", "/en/m/stage-fight-8/call"
    called = served.context.match(match).version
    page = Page(served.get("/en/floor?show=all&size=4", "head").text, "/en/floor")
    assert ("post", path) in page.forms
    buttons = [known for known in page.all("button") if "aria-describedby" in known]
    assert len(buttons) == 2 and {known["aria-describedby"] for known in buttons} < set(page.ids)
    answer = tap(served, path, answered=called, round="r3", show="all", size="4")
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/floor/r3?show=all&size=4")
    noted = served.context.match(match).entries[-1]
    assert isinstance(noted, Noted) and kind_of(noted.text) == "answered"
    assert (noted.about, noted.by) == (called, "head head")
    assert "◆" not in served.get("/en/floor?show=calls", "head").text.partition("<main")[2].partition("glance")[0]
    for _ in range(2):
        assert tap(served, path, answered=called).status_code == 303
    assert served.context.match(match).version == called + 1, "a tap too many changes nothing"
    for _ in range(2):
        assert tap(served, path, "scorekeeper").headers["location"] == "/en/floor"
    assert served.context.match(match).version == called + 2, "nor does one call more"
    assert "waiting 0 min" in served.get("/en/floor", "head").text


def test_a_player_calls_a_judge_from_the_page_of_the_match_and_takes_it_back(served: Served) -> None:
    seat_at(served, "stage-fight", "8", "3", call_at(5))
    match, path = "stage-fight-8", "/ja/m/stage-fight-8/call"
    headers = served.bearer("seat", match, seat="p2")
    ours = headers | {"Origin": "http://testserver.local", "Content-Type": "application/x-www-form-urlencoded"}
    answered = served.client.post(path, content=f"answered={served.context.match(match).version}", headers=ours)
    assert answered.status_code == 403, "somebody else has called"
    assert tap(served, path, "floor", answered=served.context.match(match).version).status_code == 303
    for kind in ("call", "answered"):
        page = Page(served.client.get(f"/ja/m/{match}/as/p2", headers=headers).text, f"/ja/m/{match}/as/p2")
        assert ("post", path) in page.forms and ("審判待ち" in page.text) is (kind == "answered")
        fields = {"back": "true"} | {each["name"]: each["value"] for each in page.all("input", name="answered")}
        answer = served.client.post(path, content=urlencode(fields), headers=ours, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/ja/m/{match}")
        noted = served.context.match(match).entries[-1]
        assert isinstance(noted, Noted) and (kind_of(noted.text), noted.by) == (kind, "p2")
    seat_at(served, "disputed", "9", "3", Closed(by="judge", reason="time"))
    for role, matches in (("spectator", (match,)), ("floor", ("disputed-9",)), ("seat", ("disputed-9",))):
        shown = served.get(f"/en/m/{match}", role, *matches, seat="p2" if role == "seat" else "").text
        assert "/call" not in shown and "waiting for a judge" not in shown, role
    assert "/call" not in served.get("/en/m/disputed-9", "head").text


def test_who_answers_calls_is_shown_a_table_at_a_glance_and_nobody_else(served: Served) -> None:
    seat_at(served, "disputed", "9")
    seat_at(served, "stage-fight", "8", "3", call_at(5))
    first = served.get("/en/floor", "floor", "stage-fight-8").text
    assert 'id="glance"' in first and "disputed-9" not in first.partition('id="glance"')[2]
    chosen = Page(served.get("/ja/floor?at=disputed-9", "head").text, "/ja/floor")
    findings = [link for link in chosen.links if "/f/" in link]
    assert len(findings) == 2 and all(served.get(link, "head").status_code == 200 for link in findings)
    for role, matches in (("spectator", ()), ("scorekeeper", ("disputed-9",)), ("floor", ("stage-fight-8",))):
        text = served.get("/en/floor?at=disputed-9", role, *matches).text
        assert 'id="glance"' not in text and "/f/" not in text, role
    for role, matches in (("spectator", ()), ("designer", ()), ("floor", ("disputed-9",))):
        assert tap(served, "/en/m/stage-fight-8/call", role, *matches).status_code == 403, role


def test_a_judge_sees_and_hears_on_the_floor_who_waits_in_another_round(served: Served) -> None:
    seat_at(served, "stage-fight", "8", "2", call_at(5))
    seat_at(served, "options", "19", "3")
    for lang, heading in (("en", "Other rounds waiting for a judge"), ("ja", "ほかのラウンドで審判を待つ卓")):
        shown = served.get(f"/{lang}/floor", "head").text
        part = shown.partition('id="other-rounds"')[2].partition("</section>")[0]
        assert heading in part and f'href="/{lang}/m/stage-fight-8"' in part and "◆" in part
        assert 'data-ask="stage-fight-8 ' in shown and "data-alarm" in shown
    nav = served.get("/en/floor", "head").text.partition('<nav class="rounds"')[2].partition("</nav>")[0]
    assert "◆ 1 calling" in nav
    for role in ("spectator", "designer"):
        text = served.get("/en/floor", role).text  # type: ignore[arg-type]
        assert "◆" not in text and "stage-fight-8" not in text and "other rounds" not in text, role


def test_nobody_waits_at_a_match_that_is_closed(served: Served) -> None:
    seat_at(served, "disputed", "9", "3", call_at(5), Closed(by="judge", reason="time"))
    seat_at(served, "stage-fight", "8")
    shown = served.get("/en/floor?at=disputed-9", "head").text
    assert "◆" not in shown and 'action="/en/m/disputed-9/call"' not in shown


def test_a_match_to_which_nothing_was_added_is_not_read_again(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(served, "disputed", "9")
    first = served.get("/en/floor").text
    served.context.search_index.catch_up()  # as the background thread would do at any time
    store, read = served.context.store, []
    for name in ("read", "read_with_bytes"):
        monkeypatch.setattr(type(store), name, lambda *given, **more: read.append(given) or ())
    assert served.get("/en/floor").text == first and read == []


def test_a_damaged_record_takes_no_other_table_off_the_floor(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(served, "disputed", "9")
    seat_at(served, "normal", "8")
    store = type(served.context.store)
    read = store.read_with_bytes

    def refuse(trouble: Trouble) -> None:
        def broken(self: Store, match: str, *more: int) -> object:
            if match == "normal-8":
                raise StoreError(trouble, Text("problem.our-fault"), entry=1)
            return read(self, match, *more)

        monkeypatch.setattr(store, "read_with_bytes", broken)

    refuse("corrupt")
    assert tables_on(served.get("/en/floor").text) == ["disputed-9"]
    refuse("locked")
    assert served.get("/en/floor").status_code == 503
    monkeypatch.undo()
    assert tables_on(served.get("/en/floor").text) == ["disputed-9", "normal-8"]


def floor_row(match: str, table: str, **more: object) -> TableStatus:
    entries = SHELVES["blackpoker"].entries("disputed")
    return replace(read_table_status(match, entries), table=table, **more)


def test_tables_are_sorted_as_people_count() -> None:
    named = ["10", "9", "", "A2", "A10", "feature"]
    assert sorted(named, key=natural) == ["9", "10", "A2", "A10", "feature", ""]
    tables = [
        floor_row("a", "10"),
        floor_row("b", "9", calls=(JudgeCall(5, 200),)),
        floor_row("c", "2", calls=(JudgeCall(6, 100),)),
    ]
    assert [table.match for table in sort_by_need(tables, judging=True)] == ["c", "b", "a"]
    assert [table.match for table in sort_by_need(tables, judging=False)] == ["c", "b", "a"]
    calm = [floor_row("a", "10"), floor_row("b", "9", broken=0)]
    assert [table.match for table in sort_by_need(calm, judging=True)] == ["a", "b"]
    assert [table.match for table in sort_by_need(calm, judging=False)] == ["b", "a"]


def test_rounds_come_newest_first_and_none_last() -> None:
    tables = [
        floor_row("a", "1", of=("Cup", "1"), opened=10),
        floor_row("b", "1", of=("", ""), opened=90),
        floor_row("c", "1", of=("Cup", "2"), opened=20),
    ]
    assert rounds(tables) == (("Cup", "2"), ("Cup", "1"), ("", ""))


def test_an_event_without_a_round_comes_first_only_once_no_named_round_is_played() -> None:
    sheet = floor_row("d", "", of=("Sunday Cup", ""), opened=99)
    ended = floor_row("a", "1", of=("Cup", "1"), opened=10)
    playing = replace(ended, closed=False, result=None)
    assert rounds([sheet, playing]) == (("Cup", "1"), ("Sunday Cup", ""))
    assert rounds([sheet, ended]) == (("Sunday Cup", ""), ("Cup", "1"))
