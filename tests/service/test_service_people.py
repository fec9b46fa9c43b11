"""Players signed in for the event: which seats are theirs, and what matches say of it."""

from collections.abc import Iterator

import pytest

from domain.law.entries import Noted
from recorder.remarks import kind_of
from tests.service.serving import Served, serve
from tests.service.writing import uuid

OURS = {"Origin": "http://testserver.local"}
AOI = "Player p1"
"""The name at p1 of every match that `served.open` opens."""


@pytest.fixture
def event() -> Iterator[Served]:
    with serve() as served:
        yield served


def seat_notes(served: Served, match: str) -> list[Noted]:
    entries = served.house.store.read(match)
    return [entry for entry in entries if isinstance(entry, Noted) and kind_of(entry.text) == "seat"]


def open_by_form(served: Served, match: str, first: str = AOI, second: str = "Beni", number: int = 1) -> None:
    names = {"p1": first, "p2": second}
    body = {"id": uuid(number), "game": "blackpoker", "version": "8.1-lite", "match": match, "names": names}
    assert served.post("/api/v1/matches", body, "scorekeeper").status_code == 201


def sees(served: Served, match: str, viewer: str, headers: dict[str, str]) -> int:
    return int(served.get(f"/api/v1/matches/{match}?as={viewer}", headers=headers).status_code)


def test_a_player_of_the_event_has_the_seat_that_bears_their_name(event: Served) -> None:
    match = event.open("blackpoker")
    aoi = event.bearer("seat", name=AOI)
    assert (sees(event, match, "p1", aoi), sees(event, match, "p2", aoi), sees(event, match, "judge", aoi)) == (
        200,
        403,
        403,
    )
    stranger = event.bearer("seat", name="Beni")
    assert sees(event, match, "p1", stranger) == 403
    other = event.open("blackpoker", match="later")
    assert sees(event, other, "p1", aoi) == 200


def test_a_player_of_the_event_acts_in_their_match_and_in_no_other(event: Served) -> None:
    open_by_form(event, "own", AOI, "Beni", 1)
    open_by_form(event, "other", "Chie", "Beni", 2)
    aoi = event.bearer("seat", name=AOI)
    for match, status in (("own", 201), ("other", 403)):
        body = {"kind": "call", "id": uuid(3), "text": "please"}
        path, head = f"/api/v1/matches/{match}/entries", f'"{event.house.store.version(match)}"'
        answer = event.client.post(path, json=body, headers=aoi | {"If-Match": head})
        assert answer.status_code == status, answer.text
    assert event.house.store.read("own")[-1].by == "p1"  # type: ignore[attr-defined]


def test_a_branch_and_a_doubled_name_give_no_seat(event: Served) -> None:
    open_by_form(event, "twice", AOI, AOI)
    aoi = event.bearer("seat", name=AOI)
    assert sees(event, "twice", "p1", aoi) == 403
    open_by_form(event, "own", AOI, "Beni", 2)
    closing = {"id": uuid(3), "kind": "close", "reason": "x", "abandon": True}
    head = f'"{event.house.store.version("own")}"'
    assert event.post("/api/v1/matches/own/entries", closing, "head", headers={"If-Match": head}).status_code == 201
    branched = event.post("/api/v1/matches/own/branches", {"id": uuid(4), "at": 1, "match": "what-if"}, "head")
    assert branched.status_code == 201, branched.text
    assert event.house.store.read("what-if", upto=1)[0].names["p1"] == AOI  # type: ignore[attr-defined]
    assert sees(event, "what-if", "p1", aoi) == 403


def test_a_match_opened_with_a_signed_in_player_says_so_before_anybody_looks(event: Served) -> None:
    invited = event.post("/api/v1/invitations", {"role": "seat", "name": AOI}, "head")
    assert invited.status_code == 201, invited.text
    open_by_form(event, "own", AOI, "Beni")
    (said,) = seat_notes(event, "own")
    assert "p1" in said.text and "head" in said.text and AOI not in said.text
    token = event.client.post(
        "/api/v1/sessions", json={"invitation": invited.json()["invitation"]}, headers=OURS
    ).json()["token"]
    before = event.house.store.version("own")
    assert sees(event, "own", "p1", {"Authorization": f"Bearer {token}"}) == 200
    assert event.house.store.version("own") == before


def test_inviting_a_player_by_name_is_an_entry_of_each_open_match_of_theirs(event: Served) -> None:
    open_by_form(event, "own", AOI, "Beni", 1)
    open_by_form(event, "other", "Chie", "Beni", 2)
    assert event.post("/api/v1/invitations", {"role": "seat", "name": AOI}, "operator").status_code == 201
    assert len(seat_notes(event, "own")) == 1 and not seat_notes(event, "other")


def test_a_match_that_another_program_opened_says_so_before_it_shows_a_hand(event: Served) -> None:
    aoi = event.bearer("seat", name=AOI)
    match = event.open("blackpoker")
    assert seat_notes(event, match) == []
    for _ in range(2):
        assert sees(event, match, "p1", aoi) == 200
        assert len(seat_notes(event, match)) == 1


def test_a_forgotten_name_opens_no_seat(event: Served) -> None:
    match = event.open("blackpoker")
    aoi = event.bearer("seat", name=AOI)
    assert sees(event, match, "p1", aoi) == 200
    event.house.store.forget_names({(match, "p1")})
    assert sees(event, match, "p1", aoi) == 403
