"""The timer of a round: its length, start, cancellation, and the time left at each table."""

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.law.entries import Noted, opened_of
from domain.law.timers import RoundTimer, timer_note
from recorder import matches
from recorder.answers import RecordResult
from service.access import ROLES
from service.settings import Settings
from tests.laws.leak_checks import never_known
from tests.laws.samples import sample
from tests.places import Place
from tests.service.commands import send
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.page_parser import Page
from tests.service.test_pages_clock import sit
from tests.service.test_pages_pairings import look, open_looked
from tests.service.test_service_pairing import PAIRINGS, ROUND, ROUNDS
from tests.service.test_service_results import OF, write
from tests.service.twins import MATCH, Bytes, fetch, plain, redeal_within, twins

TIMER = "/api/v1/rounds/timer"
NAMED = {"event": ROUND["event"], "round": ROUND["round"]}
MINUTE_MS = 60 * SECOND_MS
OURS = {"Origin": "http://testserver.local"}
FORM = ("id", "event", "round")


def open_round(served: Served, **more: Any) -> list[str]:
    answer = served.post(ROUNDS, ROUND | more, "head")
    assert answer.status_code in (200, 201), answer.text
    return [row["match"] for row in answer.json()]


def start(served: Served, role: Any = "head", **more: Any) -> Any:
    return served.post(TIMER, NAMED | more, role)


def countdown(served: Served, match: str) -> Any:
    return {row["match"]: row.get("countdown") for row in served.get("/api/v1/matches").json()}[match]


def notes(served: Served, match: str) -> list[str]:
    return [entry.text for entry in served.context.store.read(match) if isinstance(entry, Noted)]


def test_a_round_is_started_once_at_all_tables_and_ends_at_one_time(served: Served) -> None:
    first, second = open_round(served, minutes=50)
    assert notes(served, first) == ["[timer minutes=50]"] and countdown(served, second) == {"minutes": 50}
    began = served.clock.at = served.clock.at + 5 * MINUTE_MS
    answer = start(served)
    assert answer.status_code == 200, answer.text
    wanted = {"minutes": 50, "start": began, "end": began + 50 * MINUTE_MS}
    assert [(row["table"], row["changed"], row["countdown"]) for row in answer.json()] == [
        ("1", True, wanted), ("2", True, wanted),
    ]  # fmt: skip
    served.clock.at += MINUTE_MS
    assert [row.get("changed", False) for row in start(served, "operator").json()] == [False, False]
    assert countdown(served, first) == wanted and len(notes(served, first)) == 2
    third = open_round(served, minutes=40, pairings=f"{PAIRINGS}3,Eve,Flo\n")[2]
    assert [row.get("changed", False) for row in start(served).json()] == [False, False, True]
    assert countdown(served, third) == wanted, "a table that comes late has the time of the round"


def test_clock_stops_and_extensions_count_as_in_the_results(served: Served) -> None:
    first, second = open_round(served)
    began = served.clock.at
    assert start(served, minutes=50).status_code == 200
    write(served, first, kind="pause")
    served.clock.at += 3 * MINUTE_MS
    assert countdown(served, first) == {
        "minutes": 50, "start": began, "end": began + 50 * MINUTE_MS, "stands": began,
    }  # fmt: skip
    write(served, first, kind="resume", extension=120)
    results = {row["match"]: row.get("extension", 0) for row in served.get(f"/api/v1/results{OF}", "head").json()}
    assert results == {first: 300, second: 0}
    assert countdown(served, first)["end"] - countdown(served, second)["end"] == 300 * SECOND_MS


def test_a_start_is_taken_back_and_given_anew_and_a_repeated_command_is_one(served: Served) -> None:
    first, _ = open_round(served, minutes=50)
    once, again = ({"id": f"00000000-0000-4000-8000-00000000000{n}"} for n in (1, 2))
    begun = start(served, **once).json()
    assert [row["changed"] for row in start(served, **again, stop=True).json()] == [True, True]
    assert countdown(served, first) == {"minutes": 50}
    start(served, **once)
    assert countdown(served, first) == {"minutes": 50}, "the first start came late once more"
    served.clock.at += MINUTE_MS
    assert start(served, minutes=55).json()[0]["countdown"]["start"] == begun[0]["countdown"]["start"] + MINUTE_MS
    wrong = start(served, minutes=60)
    assert wrong.status_code == 409 and "55 minutes" in wrong.text and "undo its start" in wrong.text


@pytest.mark.parametrize("minutes", [0, -5, 1441, 10**30])
def test_a_length_that_is_none_is_refused_in_words(served: Served, minutes: int) -> None:
    for path, body in ((TIMER, NAMED), (ROUNDS, ROUND)):
        wrong = served.post(path, body | {"minutes": minutes}, "head")
        assert wrong.status_code == 400 and "1 to 1440" in wrong.text, wrong.text
    assert not served.context.store.newest(9)


def test_a_round_without_a_length_or_without_tables_is_not_started(served: Served) -> None:
    assert start(served).status_code == 404
    open_round(served)
    wrong = start(served)
    assert wrong.status_code == 400 and "the round length in minutes" in wrong.text


def test_whoever_opens_rounds_starts_them_and_nobody_else(served: Served) -> None:
    open_round(served, minutes=50)
    given = [role for role in ROLES if start(served, role).status_code == 200]
    assert given == ["head", "operator"]


def test_everybody_reads_in_the_log_when_the_round_began(served: Served) -> None:
    first, _ = open_round(served, minutes=50)
    start(served)
    log = served.get(f"/api/v1/matches/{first}/entries?limit=500").json()["entries"]
    noted = [entry["text"] for entry in log if entry["seen"] == "noted"]
    assert noted == ["[timer minutes=50]", f'[timer says="timer_start" minutes=50 at={served.clock.at}]']
    assert "制限時間50分のラウンドを開始" in served.get(f"/ja/m/{first}").text


def press(served: Served, role: Any = "head", lang: str = "en", at: str = "", **fields: str) -> Any:
    page = Page(served.get(f"/{lang}/floor{at}", role).text, f"/{lang}/floor")
    hidden = {known["name"]: known["value"] for known in page.all("input", type="hidden") if known["name"] in FORM}
    headers = OURS | served.bearer(role)
    return served.client.post(
        f"/{lang}/floor/timer", data=hidden | fields, headers=headers, follow_redirects=False
    )  # fmt: skip


def test_a_round_is_started_on_the_floor_and_every_page_shows_when_it_ends(served: Served) -> None:
    assert open_looked(served, look(served, minutes="５０").text).status_code == 303
    match, _ = (row.match for row in served.context.store.newest(9))
    before = served.get("/en/floor", "head").text
    assert 'name="minutes" inputmode="numeric" required maxlength="5" autocomplete="off" value="50"' in before
    assert "50 minutes, not started yet" in served.get(f"/en/m/{match}").text
    assert press(served, minutes="50").headers["location"] == "/en/floor"
    end = served.clock.at + 50 * MINUTE_MS
    pages = {
        "/floor": "spectator",
        f"/m/{match}": "spectator",
        f"/record/{match}": "scorekeeper",
        f"/play/{match}": "p1",
    }
    for path, who in pages.items():
        at = {"seat": "p1"} if who == "p1" else {}
        text = served.get(f"/en{path}", *(("seat", match) if at else (who,)), **at).text
        shown = re.sub("</?time[^>]*>", "", text)
        assert "Time ends at</span> 08:50 UTC" in shown or "Time ends at 08:50 UTC" in shown, path
        assert f'data-end="{end}" data-left="{{time}} left" data-over="over by {{time}}"' in text, path
    write(served, match, kind="pause")
    served.clock.at += 53 * MINUTE_MS
    stopped = f'data-stands="{served.clock.at - 53 * MINUTE_MS}"'
    shown = [served.get(path).text for path in ("/ja/floor", f"/ja/m/{match}")]
    assert all(stopped in text and ">残り50:00<" in text for text in shown)
    assert "終了予定" not in shown[1], "nobody knows when a clock goes on that stands still"


def test_a_start_is_asked_once_and_taken_back_on_the_floor(served: Served) -> None:
    first, _ = open_round(served)
    assert "Start the round" not in served.get("/en/floor", "floor").text
    for typed, words in (
        ("", "the round length in minutes"),
        ("0", "1 to 1440 whole minutes, not 0"),
        ("fifty", "not fifty"),
    ):
        wrong = press(served, minutes=typed)
        assert wrong.status_code == 400 and words in wrong.text and countdown(served, first) is None
    assert press(served, "operator", minutes="30").status_code == 303
    shown = served.get("/en/floor", "head").text
    assert "Start the round" not in shown and "Undo the start" in shown
    assert press(served, stop="true").status_code == 303
    assert countdown(served, first) == {"minutes": 30}
    assert press(served, event="no", round="such", minutes="30").status_code == 404
    assert press(served, event=f" {ROUND['event']} ", round=" 1").headers["location"] == "/en/floor"
    assert countdown(served, first)["start"] == served.clock.at


def test_an_operator_behind_the_delay_sees_the_timer_run_and_a_spectator_later(place: Place) -> None:
    with serve(Settings(store=place(), delay=10 * MINUTE_MS)) as served:
        open_round(served, minutes=50)
        served.clock.at += 11 * MINUTE_MS
        assert press(served, "operator", minutes="50").status_code == 303
        shown = [served.get("/en/floor", role).text for role in ("operator", "spectator")]
        assert [f'data-end="{served.clock.at + 50 * MINUTE_MS}"' in text for text in shown] == [True, False]
        served.clock.at += 11 * MINUTE_MS
        assert "Time ends at" in served.get("/en/floor").text


def read_as_operator(served: Served, match: str) -> list[Bytes]:
    held = served.person("operator") | {"Accept-Encoding": "identity"}
    named = "?event=春の大会&round=1"
    paths = ("/en/floor", "/ja/floor?show=done", "/en/floor/r1?show=slow", "/en/t/1", "/en/pairings", "/en/me",
             f"/en/m/{match}", f"/en/m/{match}/clock", f"/en/m/{match}/evidence", "/en/disputes", "/en/find", "/en/r",
             "/api/v1/matches", "/api/v1/matches?open=true", f"/api/v1/matches?after={match}",
             f"/api/v1/matches/{match}", f"/api/v1/matches/{match}/entries", f"/api/v1/results{named}",
             f"/api/v1/results.csv{named}", "/api/v1/find")  # fmt: skip
    return [plain(served.client.get(path, headers=held, follow_redirects=False)) for path in paths]


def test_an_operator_sees_a_round_at_once_and_its_play_after_the_delay() -> None:
    """Two services are alike to the operator while they differ in what was played within the delay."""
    settings = Settings(store=":memory:", delay=MINUTE_MS)
    shown: list[list[list[Bytes]]] = []
    for played in (False, True):
        with serve(settings) as served:
            assert "No match has been recorded yet." in served.get("/en/floor", "operator").text
            first, _ = open_round(served, minutes=50)
            text = served.get("/en/floor", "operator").text
            assert "Start the round" in text and "Ann" in text and "delay of 1:00" in text
            assert "No match has been recorded yet." in served.get("/en/floor").text, "a spectator sees it later"
            assert served.get("/api/v1/matches").json() == []
            (row, _) = served.get("/api/v1/matches", "operator").json()
            assert (row["entries"], row["turn"], row["occasion"]["table"]) == (0, 0, "1")
            assert press(served, "operator").status_code == 303
            assert "Undo the start" in served.get("/en/floor", "operator").text
            if played:
                write(served, first, kind="play", text="p1: concede", confirm=True)
                write(served, first, kind="penalise", penalty={"seat": "p2", "step": "warning"})
                write(served, first, kind="pause")
                write(served, first, kind="dispute", about=2, claims={"p1": "no"})
                write(served, first, kind="close", reason="time", confirm=True)
            early = [plain(start(served, "operator")), *read_as_operator(served, first)]
            served.clock.at += MINUTE_MS
            shown.append([early, read_as_operator(served, first)])
    (early, late), (other_early, other_late) = shown
    assert early == other_early
    assert late != other_late


def test_the_time_left_tells_nothing_of_hidden_cards() -> None:
    entries = list(sample("blackpoker", 0).entries[:40])
    first = opened_of(entries)
    entries[0] = replace(first, occasion=replace(first.occasion, event="Cup", round="1"))
    viewer = first.seats[0]
    others = redeal_within(entries, set(never_known(entries, viewer)), Random(1))
    with twins(entries, others) as both:
        for served in (both.ours, both.theirs):
            assert served.post(TIMER, {"event": "Cup", "round": "1", "minutes": 50}, "head").status_code == 200
        for path in ("/en/floor", f"/en/m/{MATCH}", f"/ja/play/{MATCH}", f"/en/m/{MATCH}/clock", "/api/v1/matches"):
            assert both.alike(path, viewer) == 200
            _, _, shown = fetch(both.ours, path, viewer)
            assert b"countdown" in shown or b"data-end" in shown, path


def test_the_list_of_tables_to_record_names_their_round(served: Served) -> None:
    open_round(served)
    shown = served.get("/en/record", "scorekeeper").text
    assert shown.count('<b translate="no">Round 1, table ') == 2
    assert '<b translate="no">第1ラウンド' in served.get("/ja/record", "scorekeeper").text


def test_the_start_of_a_round_is_no_ruling_and_leaves_undo_to_the_scorekeeper(served: Served) -> None:
    match = sit(served)
    send(served, match, {"kind": "play", "text": "p1: pass", "mode": "record"}, "scorekeeper", id=1)
    note = timer_note(RoundTimer(50, served.clock.at), "timer_start")
    assert isinstance(matches.note(served.context.store, match, "head Kato", note), RecordResult)
    plan = served.get(f"/api/v1/matches/{match}/undo", "scorekeeper").json()
    assert plan.get("obstacle", "") == "", plan
    matches.note(served.context.store, match, "head Kato", "Have a look at this.")
    assert served.get(f"/api/v1/matches/{match}/undo", "scorekeeper").json()["obstacle"] == "judged"
