"""The match clock on pages: stopped with or without a call, and resumed with a time extension."""

import re
from typing import Any
from uuid import uuid4

import pytest

from domain.law import disputes as D
from domain.law.docket import read_extension
from domain.words import Text
from recorder.remarks import open_calls
from service.settings import Settings
from tests.service.commands import send
from tests.service.harness import SECOND_MS, START, Served, serve
from tests.service.page_parser import Page
from tests.service.test_pages_disputes import head, holding, read

RESUMES, STOPS = "Resume", "Stop the clock"


def sit(served: Served, *done: tuple[dict[str, Any], str]) -> str:
    match = served.open("blackpoker", match="t0")
    for number, (command, role) in enumerate(done, start=1):
        seat = "p1" if role == "seat" else ""
        assert send(served, match, command, role, seat=seat, id=number).status_code == 201  # type: ignore[arg-type]
    return match


def post(served: Served, role: str, what: str = "/clock", **fields: Any) -> Any:
    given = fields if what == "/call" else {"id": str(uuid4()), **fields}
    headers = holding(served, role, "t0")
    return served.client.post(f"/en/m/t0{what}", data=given, headers=headers, follow_redirects=False)


def last(served: Served) -> Any:
    return served.context.match("t0").entries[-1]


def test_the_clock_stands_still_for_everybody_and_what_it_stood_is_given_back_to_the_second(served: Served) -> None:
    sit(served)
    assert post(served, "floor", do="pause", reason="a judge is asked").headers["location"] == "/en/m/t0"
    assert last(served) == D.Paused(at=START, by="floor Kato", reason="a judge is asked")
    served.clock.at += 185 * SECOND_MS
    for role in ("spectator", "seat", "scorekeeper", "floor"):
        said = re.sub("</?time[^>]*>", "", read(served, role, what="").text)
        assert "Clock stopped since 08:00:00 UTC (3:05)" in said and "stopped 3:05, extension 0:00" in said, role
        assert (RESUMES in said) is (role == "floor"), role
    stopped = re.sub("</?time[^>]*>", "", read(served, "spectator", what="", lang="ja").text)
    assert "時計は08:00:00 UTCから停止中（3:05）" in stopped
    page = read(served, "spectator", what="/clock").text
    assert page.count("a judge is asked") == page.count("08:00:00 UTC") == 1, "told once"
    assert post(served, "head", do="resume", extension="30").status_code == 303
    assert last(served) == D.Resumed(at=served.clock.at, by="head Abe", extension=30 * SECOND_MS)
    said = read(served, "spectator", what="").text
    assert "Clock stopped" not in said and "+3:35 · time to add (stopped 3:05, extension 0:30)" in said
    stood = re.sub("</?time[^>]*>", "", read(served, "seat", what="/clock").text)
    assert "08:00:00 UTC to 08:03:05 UTC: 3:05, extension 0:30" in stood


@pytest.mark.parametrize(("typed", "seconds"), [("0", 0), (" 7 ", 7), ("", 0), ("3:00", 180), ("１：０５", 65)])
def test_a_judge_gives_back_as_many_seconds_as_they_say(served: Served, typed: str, seconds: int) -> None:
    sit(served, ({"kind": "pause"}, "floor"))
    served.clock.at += 90 * SECOND_MS
    assert post(served, "floor", do="resume", extension=typed).status_code == 303
    assert last(served).extension == seconds * SECOND_MS


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("24:00:00", 86_400), ("1:02:03", 3_723), ("90:00", 5_400), ("0", 0), ("", 0)]
    + [(text, None) for text in ("24:00:01", "3:60", "3:5", ":30", "3:", "1:2:3:4", "3 00", "+3", "3:-1")],
)
def test_a_time_to_add_is_written_in_minutes_or_seconds(text: str, seconds: int | None) -> None:
    read = read_extension(text)
    assert read == seconds if seconds is not None else isinstance(read, Text)


def test_programs_give_a_time_to_add_as_text_or_seconds(served: Served) -> None:
    sit(served, ({"kind": "pause"}, "floor"))
    assert send(served, "t0", {"kind": "resume", "extension": "3:99"}, "floor", id=8).status_code == 400
    assert send(served, "t0", {"kind": "resume", "extension": "3:00"}, "floor", id=9).status_code == 201
    assert last(served).extension == 180 * SECOND_MS


@pytest.mark.parametrize("extension", ["-1", "1.5", "soon", "86401", "3:60", "٣", "9" * 30])
def test_what_is_no_number_of_seconds_is_told_and_the_clock_stands_still(served: Served, extension: str) -> None:
    sit(served, ({"kind": "pause"}, "floor"))
    answer = post(served, "floor", do="resume", extension=extension, dispute="7")
    assert answer.status_code == 400 and "write minutes and seconds (3:00)" in answer.text and head(served) == 4
    form = Page(answer.text, "")
    assert next(form.all("input", name="extension"))["value"] == extension, "what was typed is kept"
    assert next(form.all("input", name="dispute"))["value"] == "7"


def test_nobody_takes_the_id_of_a_form_before_its_judge_sends_it(served: Served) -> None:
    """A player or another judge of that name who learns the form id of the judge cannot block the pause."""
    match = sit(served)
    judge, same_name = served.person("floor", name="Kato"), served.bearer("floor", name="Kato")
    ids = []
    for held in (judge, same_name):
        page = served.client.get(f"/en/m/{match}/clock", headers=held)
        ids.append(next(Page(page.text, "").all("input", name="id"))["value"])
    again = served.client.get(f"/en/m/{match}/clock", headers=judge)
    assert next(Page(again.text, "").all("input", name="id"))["value"] == ids[0] != ids[1]
    call = {"kind": "call", "text": "x", "id": ids[0]}
    assert send(served, match, call, "seat", seat="p1", at="*").status_code == 201
    assert send(served, match, call, at="*", **same_name).status_code == 201
    form = {"id": ids[0], "do": "pause", "reason": "x"}
    headers = judge | {"Origin": "http://testserver.local"}
    for _ in range(2):
        sent = served.client.post(f"/en/m/{match}/clock", data=form, headers=headers, follow_redirects=False)
        assert sent.status_code == 303, "sent twice, it is one entry"
    assert isinstance(last(served), D.Paused) and head(served) == 6


def test_two_judges_at_once_are_told_who_was_first(served: Served) -> None:
    sit(served)
    assert post(served, "floor", do="pause").status_code == 303
    late = post(served, "head", do="pause", reason="mine")
    assert late.status_code == 409 and "is already stopped, since entry 4" in late.text and head(served) == 4
    assert "floor judge Kato" in late.text and RESUMES in late.text
    assert post(served, "head", do="resume").status_code == 303
    later = post(served, "floor", do="resume")
    assert later.status_code == 409 and "the clock is not stopped" in later.text and head(served) == 5
    assert STOPS in later.text


def test_the_same_form_twice_is_recorded_once(served: Served) -> None:
    sit(served, ({"kind": "pause"}, "floor"))
    form = Page(read(served, "floor", what="").text, "")
    command = next(form.all("input", name="id"))["value"]
    for _ in range(2):
        assert post(served, "floor", id=command, do="resume", extension="5").status_code == 303
    assert head(served) == 5 and last(served).extension == 5 * SECOND_MS


def test_who_is_no_judge_is_offered_no_clock(served: Served) -> None:
    sit(served)
    for role in ("spectator", "seat", "scorekeeper"):
        assert not any(STOPS in read(served, role, what=what).text for what in ("", "/clock")), role


def test_a_judge_takes_a_call_and_the_clock_stands_still_with_one_tap(served: Served) -> None:
    sit(served, ({"kind": "call"}, "seat"))
    page = read(served, "floor", what="")
    assert "Take the call and stop the clock" in page.text and "floor.answer" not in page.text
    assert "Take the call" not in read(served, "scorekeeper", what="").text
    answered = next(Page(page.text, "").all("input", name="answered"))["value"]
    taken = post(served, "floor", "/call", back="true", answered=answered, pause="true")
    assert (taken.status_code, taken.headers["location"]) == (303, "/en/m/t0")
    entries = served.context.match("t0").entries
    assert isinstance(entries[-1], D.Paused) and head(served) == 5 and open_calls(entries) == ()
    assert "waiting for a judge" not in served.get("/en/floor", "head").text
    again = post(served, "head", "/call", back="true", answered=answered, pause="true")
    assert again.status_code == 303 and head(served) == 5, "a tap too many changes nothing"


def test_a_judge_at_a_table_stops_the_clock_without_a_call(served: Served) -> None:
    sit(served)
    assert STOPS in read(served, "floor", what="").text
    assert post(served, "floor", "/call", back="true", pause="true").status_code == 303
    assert isinstance(last(served), D.Paused) and head(served) == 4
    assert STOPS not in read(served, "floor", what="").text


def test_play_goes_on_from_the_page_of_a_dispute_once_it_is_ruled_on(served: Served) -> None:
    rules = {"kind": "rule", "dispute": 5, "verdict": "no_fault"}
    sit(served, ({"kind": "pause"}, "floor"), ({"kind": "dispute", "about": 2}, "floor"))
    before = read(served, "floor", what="/disputes/5").text
    assert "Clock stopped" in before and RESUMES not in before
    assert send(served, "t0", rules, "floor", id=9).status_code == 201
    form = Page(read(served, "floor", what="/disputes/5").text, "")
    assert next(form.all("input", name="dispute"))["value"] == "5"
    gone = post(served, "floor", do="resume", dispute="5")
    assert gone.headers["location"] == "/en/m/t0/disputes/5" and isinstance(last(served), D.Resumed)
    assert "Clock stopped" not in read(served, "floor", what="/disputes/5").text


def test_a_spectator_behind_the_delay_learns_of_a_pause_in_its_time() -> None:
    with serve(Settings(store=":memory:", delay=60 * SECOND_MS)) as served:
        sit(served)
        served.clock.at += 100 * SECOND_MS
        assert post(served, "floor", do="pause").status_code == 303
        served.clock.at += 30 * SECOND_MS
        assert "Clock stopped" not in read(served, "spectator", what="").text
        assert "(0:30)" in read(served, "seat", what="").text
        assert post(served, "floor", do="resume").status_code == 303
        served.clock.at += 40 * SECOND_MS
        assert "(0:10)" in read(served, "spectator", what="").text
        assert "UTC to " not in re.sub("</?time[^>]*>", "", read(served, "spectator", what="/clock").text)


def test_a_match_that_is_over_says_how_long_its_clock_stood_and_offers_nothing(served: Served) -> None:
    sit(served, ({"kind": "pause"}, "floor"))
    served.clock.at += 30 * SECOND_MS
    closing = {"kind": "close", "abandon": True, "reason": "time", "confirm": True}
    assert send(served, "t0", closing, "head", id=9).status_code == 201
    served.clock.at += 999 * SECOND_MS
    said = read(served, "head", what="/clock").text
    assert "0:30" in said and "Clock running" in said and STOPS not in said
    assert post(served, "head", do="resume").status_code == 409
