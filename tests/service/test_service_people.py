"""Players signed in for the event: their seats, and their names in matches."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.law.entries import Noted, Opened, opened_of
from domain.table.table import Seat
from recorder.remarks import kind_of
from service import app
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.samples import sample
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.twins import MATCH, addresses, plain, twins

LISTED = re.compile(rb"/people/[0-9a-f]{64}")
"""A key id, which differs between services."""

OURS = {"Origin": "http://testserver.local"}
AOI = "Player p1"


@pytest.fixture
def event() -> Iterator[Served]:
    with serve() as served:
        yield served


def seat_notes(served: Served, match: str) -> list[Noted]:
    entries = served.context.store.read(match)
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
        path, head = f"/api/v1/matches/{match}/entries", f'"{event.context.store.version(match)}"'
        answer = event.client.post(path, json=body, headers=aoi | {"If-Match": head})
        assert answer.status_code == status, answer.text
    assert event.context.store.read("own")[-1].by == "p1"  # type: ignore[attr-defined]


def test_a_branch_and_a_doubled_name_give_no_seat(event: Served) -> None:
    open_by_form(event, "other", "Chie", "Beni", 5)
    first, *rest = event.context.store.read("other")
    assert isinstance(first, Opened)
    event.context.store.append("twice", 0, [replace(first, names=dict.fromkeys(first.seats, AOI)), *rest])
    aoi = event.bearer("seat", name=AOI)
    assert sees(event, "twice", "p1", aoi) == 403
    open_by_form(event, "own", AOI, "Beni", 2)
    closing = {"id": uuid(3), "kind": "close", "reason": "x", "abandon": True, "confirm": True}
    head = f'"{event.context.store.version("own")}"'
    assert event.post("/api/v1/matches/own/entries", closing, "head", headers={"If-Match": head}).status_code == 201
    branched = event.post("/api/v1/matches/own/branches", {"id": uuid(4), "at": 1, "match": "what-if"}, "head")
    assert branched.status_code == 201, branched.text
    assert event.context.store.read("what-if", upto=1)[0].names["p1"] == AOI  # type: ignore[attr-defined]
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
    before = event.context.store.version("own")
    assert sees(event, "own", "p1", {"Authorization": f"Bearer {token}"}) == 200
    assert event.context.store.version("own") == before


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
    event.context.store.forget_names({(match, "p1")})
    assert sees(event, match, "p1", aoi) == 403


def invite(served: Served, role: str = "seat", name: str = AOI, by: str = "head", **more: Any) -> Any:
    return served.post("/api/v1/invitations", {"role": role, "name": name, **more}, by)


def sign_in(served: Served, invitation: str) -> Any:
    return served.client.post("/api/v1/sessions", json={"invitation": invitation}, headers=OURS)


@pytest.mark.parametrize("other", [AOI, "Ｐlayer  P1", "player p1 "])
def test_a_name_that_is_in_already_or_looks_like_it_is_refused(event: Served, other: str) -> None:
    first = invite(event).json()
    refused = invite(event, name=other)
    assert refused.status_code == 409 and AOI in refused.json()["en"] and AOI in refused.json()["ja"]
    sign_in(event, first["invitation"])
    assert invite(event, name=other).status_code == 409


def test_names_are_compared_in_nfc(event: Served) -> None:
    open_by_form(event, "own", "が", "Beni")
    invited = invite(event, name="が").json()
    token = sign_in(event, invited["invitation"]).json()["token"]
    assert sees(event, "own", "p1", {"Authorization": f"Bearer {token}"}) == 200


@pytest.mark.parametrize("name", ["", "  ", "A\u202eoi", "a" * 201])
def test_a_name_that_is_none_is_refused(event: Served, name: str) -> None:
    assert invite(event, name=name).status_code == 400


def test_who_is_in_and_who_is_invited_is_listed_and_taken_back(event: Served) -> None:
    head = event.bearer("head", name="Abe")
    invited = invite(event).json()
    keeper = invite(event, "scorekeeper", "Sato").json()
    token = sign_in(event, keeper["invitation"]).json()["token"]
    people = event.client.get("/api/v1/people", headers=head).json()["people"]
    states = {(person["name"], person["state"], person.get("by")) for person in people}
    assert {(AOI, "invited", "head head"), ("Sato", "in", "head head")} <= states
    for person in people:
        if person["name"] != "Abe" and person["role"] in ("seat", "scorekeeper"):
            path = f"/api/v1/people/{person['number']}"
            assert event.client.delete(path, headers=head).status_code == 200
            assert event.client.delete(path, headers=head).status_code == 404
    assert sign_in(event, invited["invitation"]).json()["type"] == "/problem/invitation-revoked"
    bearer = {"Authorization": f"Bearer {token}"}
    assert event.client.get("/api/v1/matches", headers=bearer).status_code == 401
    assert invite(event).status_code == 201


def test_a_head_judge_takes_back_no_head_judge_and_no_operator(event: Served) -> None:
    event.bearer("operator", name="Op")
    head = event.bearer("head", name="Abe")
    event.bearer("head", name="Bando")
    for person in event.client.get("/api/v1/people", headers=head).json()["people"]:
        assert event.client.delete(f"/api/v1/people/{person['number']}", headers=head).status_code == 403
    for role in ("spectator", "seat", "scorekeeper", "floor", "designer"):
        assert event.get("/api/v1/people", role).status_code == 403  # type: ignore[arg-type]


def test_expired_used_taken_back_and_unknown_invitations_are_told_apart(event: Served) -> None:
    used, expired, revoked = (invite(event, "floor", name).json() for name in ("Kato", "Sato", "Ueda"))
    assert sign_in(event, used["invitation"]).status_code == 201
    event.client.delete(f"/api/v1/people/{revoked['number']}", headers=event.bearer("head"))
    kinds = {"used": used, "revoked": revoked}
    for kind, invited in kinds.items():
        answer = sign_in(event, invited["invitation"])
        assert (answer.status_code, answer.json()["type"]) == (410, f"/problem/invitation-{kind}")
    event.clock.at += event.context.settings.invitation_ms
    answer = sign_in(event, expired["invitation"])
    assert (answer.status_code, answer.json()["type"]) == (410, "/problem/invitation-expired")
    assert sign_in(event, "x" * 43).json()["type"] == "/problem/unknown"
    page = event.client.post("/ja/in", data={"invitation": expired["invitation"]}, headers=OURS)
    assert page.status_code == 410 and "期限切れ" in page.text and "受付" in page.text


def test_looking_at_a_link_spends_no_invitation(event: Served) -> None:
    invited = invite(event, "floor", "Kato").json()
    for path in ("/in", "/en/in", f"/en/in?invitation={invited['invitation']}", "/ja/in?fbclid=x"):
        event.get(path)
    assert sign_in(event, invited["invitation"]).status_code == 201


def test_who_one_is_names_the_seats_of_a_player_for_the_event(event: Served) -> None:
    match = event.open("blackpoker")
    aoi = event.bearer("seat", name=AOI)
    assert event.client.get("/api/v1/sessions", headers=aoi).json()["seats"] == {match: "p1"}


def test_a_player_of_the_event_stays_signed_in_longer_than_staff(event: Served) -> None:
    player, keeper = invite(event).json(), invite(event, "scorekeeper", "Sato").json()
    ends = [sign_in(event, each["invitation"]).json()["ends"] for each in (player, keeper)]
    assert ends[0] - event.clock.at == event.context.settings.event_ms > ends[1] - event.clock.at


def test_a_player_of_the_event_is_sent_no_byte_of_what_others_hold() -> None:
    entries = list(sample("blackpoker", 0).entries[:40])
    viewer = Seat("p1")
    entries[0] = replace(opened_of(entries), names={viewer: AOI, Seat("p2"): "Beni"})
    random = Random(1)
    others = deal_again(entries, never_known(entries, viewer), random)
    with twins(entries, others) as both:
        pair = (both.ours, both.theirs)
        asked = addresses(app.routes(), entries, viewer, random, 1)
        asked += [f"/en/m/{MATCH}", f"/ja/m/{MATCH}/disputes", f"/en/m/{MATCH}/as/spectator", "/en/me"]
        players = [served.person("seat", name=AOI) | {"Accept-Encoding": "identity"} for served in pair]
        shown = []
        for path in asked:
            answers = [served.client.get(path, headers=held) for served, held in zip(pair, players, strict=True)]
            assert plain(answers[0]) == plain(answers[1]), path
            shown.append(answers[0].status_code)
        heads = [served.person("head") for served in pair]
        people = [served.client.get("/en/people", headers=held) for served, held in zip(pair, heads, strict=True)]
        assert LISTED.sub(b"", people[0].content) == LISTED.sub(b"", people[1].content)
    assert shown.count(200) > 10 and people[0].status_code == 200
