"""Times on pages: in the event's time zone, or marked for the browser to convert."""

import re

import pytest

from domain.law.entries import Noted
from service.settings import Settings
from tests.service.harness import MEMORY, START, Served, serve

BEFORE_MS = 90_000


def times_of(served: Served, path: str) -> list[str]:
    answer = served.get(path, "head")
    assert answer.status_code == 200, path
    return re.findall(r"<time[^>]*>[^<]*</time>", answer.text)


def test_times_name_the_zone_of_the_event() -> None:
    with serve(Settings(store=MEMORY, timezone="Asia/Tokyo")) as served:
        match = served.record_match("blackpoker", "disputed", closed=False)
        shown = [*times_of(served, f"/en/m/{match}"), *times_of(served, "/en/me")]
        assert len(shown) > 2 and not any("data-form" in time for time in shown)
        assert shown[-1].endswith(" JST</time>") and ">17:00:00<" in shown[-2]


def test_times_without_a_zone_are_utc_until_the_browser_rewrites_them() -> None:
    with serve() as served:
        (ends,) = times_of(served, "/en/me")
        assert re.fullmatch(r'<time datetime="[-0-9T:]+Z" data-form="date">[-0-9 :]+ UTC</time>', ends)


@pytest.mark.parametrize(("event", "browser"), [("Pacific/Honolulu", ""), ("", "Pacific/Honolulu")])
def test_days_are_those_of_the_event_or_of_the_browser(event: str, browser: str) -> None:
    with serve(Settings(store=MEMORY, timezone=event)) as served:
        match = served.record_match("blackpoker", "disputed", upto=2)
        served.context.search_index.catch_up()
        for day, found in (("2027-01-14", True), ("2027-01-15", False)):
            answer = served.get(f"/en/find?since={day}&until={day}&zone={browser}", "head")
            assert (f"/en/m/{match}" in answer.text) == found, day


def test_unknown_zone_is_refused_by_name() -> None:
    with serve() as served:
        answer = served.get("/en/find?since=2027-01-14&zone=Mars/Olympus", "head")
        assert answer.status_code == 400 and "There is no time zone" in answer.text


def test_clock_that_goes_back_is_said_in_the_log() -> None:
    with serve() as served:
        match = served.record_match("blackpoker", "disputed", closed=False)
        version = served.context.store.version(match)
        served.context.store.append(match, version, [Noted(by="judge", text="later", at=START - BEFORE_MS)])
        assert "system clock went back 1:30" in served.get(f"/en/m/{match}", "head").text
