"""Damaged matches and matches with unknown rules: pages say so and show the sound part."""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.law.entries import Opened
from recorder.store import Store
from service.settings import Settings
from tests.places import Place, rows
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.shelves import SHELVES

BAD, LAST = 30, 48
WHOLE, UNREADABLE, GONE = "M-1", "M-2", "M-3"
DAMAGED = (UNREADABLE, GONE)


@pytest.fixture
def served(place: Place) -> Iterator[Served]:
    path = place()
    entries = SHELVES["blackpoker"].entries("disputed")[:LAST]
    with Store.open(path) as store:
        for match in (WHOLE, *DAMAGED):
            store.append(match, 0, entries)
    where = "WHERE originator_id=? AND originator_version=?"
    rows(path, f"UPDATE stored_events SET state=? {where}", b"[]", UNREADABLE, BAD)
    rows(path, f"DELETE FROM stored_events {where}", GONE, BAD)
    with serve(Settings(store=path)) as ready:
        yield ready


@pytest.mark.parametrize("match", DAMAGED)
def test_a_damaged_record_is_shown_as_far_as_it_is_sound(served: Served, match: str) -> None:
    for path in (f"/en/m/{match}", f"/en/m/{match}/{BAD - 1}", f"/en/m/{match}/{BAD - 1}/as/judge"):
        answer = served.get(path, "head")
        assert answer.status_code == (403 if "judge" in path else 200), path
    text = served.get(f"/en/m/{match}").text
    assert f"damaged from #{BAD} on; it is shown up to #{BAD - 1}" in text
    assert f"#{BAD}から壊れている" in served.get(f"/ja/m/{match}").text
    sound = served.get(f"/en/m/{WHOLE}/{BAD - 1}").text
    board = re.compile(r'<section class="table".*?</section>(?=\s*</div>)', re.S)
    assert board.findall(text) == board.findall(sound) != []
    assert "film.js" not in text and "data-live" not in text, "nothing goes on here, and no film can be made of it"
    assert served.get(f"/en/m/{match}/{BAD}").status_code == 404


@pytest.mark.parametrize("match", DAMAGED)
def test_every_link_of_a_damaged_match_leads_somewhere(served: Served, match: str) -> None:
    page = Page(served.get(f"/en/m/{match}/10", "head").text, f"/en/m/{match}/10")
    within = {path for path in page.paths() if path.startswith(f"/en/m/{match}/")}
    assert len(within) > 10
    statuses = {path: served.get(path, "head").status_code for path in within}
    assert set(statuses.values()) == {200}, statuses
    assert not any("rewind" in path for path in within), "nothing can be recorded here"


@pytest.mark.parametrize("match", DAMAGED)
def test_nothing_is_recorded_in_a_damaged_match_and_programs_are_told_from_where(served: Served, match: str) -> None:
    told = served.get(f"/api/v1/matches/{match}")
    assert told.status_code == 503 and told.json()["entry"] == BAD and f"damaged from #{BAD} on" in told.json()["en"]
    assert str(served.context.store.name) not in told.text, "where the store lies is the operator's to know"
    head = {"If-Match": "*"}
    command = {"id": uuid(1), "kind": "call"}
    assert served.post(f"/api/v1/matches/{match}/entries", command, "head", headers=head).status_code == 503
    for path in (f"/en/record/{match}", f"/en/m/{match}/10/rewind"):
        answer = served.get(path, "head")
        assert answer.status_code == 503 and f"damaged from #{BAD} on" in answer.text
    assert served.get(f"/en/m/{WHOLE}").status_code == 200 and served.get("/en/floor").status_code == 200


def test_a_match_of_rules_that_nobody_knows_here_says_so_and_stands_on_the_floor() -> None:
    with serve() as served:
        opened, *entries = SHELVES["blackpoker"].entries("disputed")
        assert isinstance(opened, Opened)
        served.context.store.append("M-1", 0, [replace(opened, rules={**opened.rules, "luck": 7}), *entries])
        for lang, says in (("en", "The rules of this match are not known here"), ("ja", "この対戦のルール")):
            answer = served.get(f"/{lang}/m/M-1")
            assert answer.status_code == 200 and says in answer.text and "luck" in answer.text
        assert "not known here" in served.get("/api/v1/matches/M-1").json()["en"]
        assert served.get("/en/m/M-9").status_code == 404 and "no such match" in served.get("/en/m/M-9").text
        for role in ("spectator", "head"):
            floor = served.get("/en/floor", role)  # type: ignore[arg-type]
            assert floor.status_code == 200 and "/en/m/M-1" in floor.text
