"""The people page: invitations with QR codes, the sheet of a round, sessions, and revocation."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.table.table import Seat
from recorder.keyring import Holder
from tests.service.commands import uuid
from tests.service.harness import Served, serve

OURS = {"Origin": "http://testserver.local"}
LINK = re.compile(r"http://127\.0\.0\.1:8000/in#([\w-]{43})")


@pytest.fixture
def event() -> Iterator[Served]:
    with serve() as served:
        yield served


def send(served: Served, path: str, fields: dict[str, Any], role: str = "head") -> Any:
    headers = OURS | served.person(role, name=role)  # type: ignore[arg-type]
    return served.client.post(path, data=fields, headers=headers, follow_redirects=False)


def pair(served: Served, pairings: str, round: str = "1") -> None:
    body = {"game": "blackpoker", "version": "8.1-lite", "event": "Cup", "round": round, "pairings": pairings}
    answer = served.post("/api/v1/rounds", body, "head")
    assert answer.status_code in (200, 201), answer.text


def test_several_people_are_let_in_at_once_and_each_link_works(event: Served) -> None:
    answer = send(event, "/en/people", {"role": "seat", "names": "Aoi\nBeni\nSato, Scorekeeper\nKato、フロア審判\n\n"})
    assert answer.status_code == 200, answer.text
    links = LINK.findall(answer.text)
    assert len(links) == 4 and answer.text.count('<svg viewBox="0 0 ') == 4
    assert " style=" not in answer.text
    roles = set()
    for link in links:
        me = event.client.post("/api/v1/sessions", json={"invitation": link}, headers=OURS).json()
        roles.add((me["name"], me["role"]))
    assert roles == {("Aoi", "seat"), ("Beni", "seat"), ("Sato", "scorekeeper"), ("Kato", "floor")}


def test_a_line_that_cannot_be_invited_is_named_and_the_others_are(event: Served) -> None:
    answer = send(event, "/en/people", {"role": "seat", "names": "Aoi\nAOI\nIto, Designer\nUeda, Cook"})
    assert len(LINK.findall(answer.text)) == 1
    assert "AOI looks like Aoi" in answer.text and "Role Cook cannot be invited" in answer.text
    alone = send(event, "/ja/people", {"role": "seat", "names": "Aoi"})
    assert alone.status_code == 400 and "Aoiは既に招待済み" in alone.text and ">Aoi</textarea>" in alone.text


@pytest.mark.parametrize("names", ["", " \n ", "x\n" * 501])
def test_no_names_and_too_many_are_refused(event: Served, names: str) -> None:
    assert send(event, "/en/people", {"role": "seat", "names": names}).status_code == 400


def test_a_round_has_a_sheet_with_each_player_once_for_each_table(event: Served) -> None:
    pair(event, "table,p1,p2\n1,Aoi,Beni\n2,Chie,Dan\n")
    event.context.keys.issue(Holder(role="seat", name="Beni"), event.clock.at + 1000)
    first = send(event, "/en/people/round", {"round": "0"})
    assert first.status_code == 200 and len(LINK.findall(first.text)) == 3
    for words in ("Table 1 · p1", "Table 2 · p2", "Aoi", "Beni", "Already signed in", "Round 1"):
        assert words in first.text, words
    again = send(event, "/en/people/round", {"round": "0"})
    links = LINK.findall(again.text)
    assert len(links) == 3 and not set(links) & set(LINK.findall(first.text))
    used = {"invitation": LINK.findall(first.text)[0]}
    assert event.client.post("/api/v1/sessions", json=used, headers=OURS).status_code == 410
    signed_in = event.client.post("/api/v1/sessions", json={"invitation": links[0]}, headers=OURS).json()
    seats = event.client.get("/api/v1/sessions", headers={"Authorization": f"Bearer {signed_in['token']}"}).json()
    assert list(seats["seats"].values()) == ["p1"]
    assert send(event, "/en/people/round", {"round": "1"}).status_code == 404


def test_taking_back_is_asked_for_once_more(event: Served) -> None:
    send(event, "/en/people", {"role": "floor", "names": "Kato"})
    listed = event.client.get("/en/people", headers=event.person("head", name="head")).text
    (path,) = set(re.findall(r'href="(/en/people/[0-9a-f]{64})" aria-label="Cancel Kato"', listed))
    asked = event.client.get(path, headers=event.person("head", name="head"))
    assert asked.status_code == 200 and "Kato" in asked.text
    assert any(issued.holder.name == "Kato" for issued in event.context.keys.list_issued(event.clock.at))
    for _ in range(2):
        assert send(event, f"{path}/back", {}).status_code == 303
    assert not any(issued.holder.name == "Kato" for issued in event.context.keys.list_issued(event.clock.at))


def test_only_who_lets_people_in_sees_the_page_and_the_way_to_it(event: Served) -> None:
    for role, sees in (("head", True), ("operator", True), ("floor", False), ("scorekeeper", False), ("seat", False)):
        headers = event.person(role, name=role)  # type: ignore[arg-type]
        assert (event.client.get("/en/people", headers=headers).status_code == 200) == sees
        for page in ("/en/floor", "/en/me"):
            assert ('href="/en/people"' in event.client.get(page, headers=headers).text) == sees, (role, page)


def test_a_seat_of_one_table_is_invited_to_by_the_form(event: Served) -> None:
    match = event.open("blackpoker")
    page = event.client.get("/en/people", headers=event.person("head", name="head")).text
    assert f'<option value="{match}"' in page
    answer = send(event, "/en/people", {"role": "seat", "names": "Aoi", "match": match, "seat": "p2"})
    assert len(LINK.findall(answer.text)) == 1
    holders = event.context.keys.holders(match, Seat("p2"), event.clock.at)
    assert [holder.name for holder in holders] == ["Aoi"]


def test_a_players_link_opens_the_match_with_their_own_eyes_and_others_see_a_spectators(event: Served) -> None:
    match = event.record_match("blackpoker", "disputed", closed=False, upto=30)
    aoi = event.bearer("seat", match, seat="p1")
    url = f"/en/m/{match}"
    own, spectators = event.client.get(url, headers=aoi).text, event.client.get(url).text
    assert 'data-viewer="p1"' in own and "Your own view" in own
    assert 'data-viewer="spectator"' in spectators and "Your own view" not in spectators
    assert f'href="{url}/29"' in own and f"{url}/29/as/p1" not in own
    watching = event.client.get(f"{url}/as/spectator", headers=aoi).text
    assert 'data-viewer="spectator"' in watching and f'href="{url}/29/as/spectator"' in watching
    for page in (f"{url}/disputes", f"{url}/29", f"{url}/29/known"):
        assert 'data-viewer="p1"' in event.client.get(page, headers=aoi).text
        assert 'data-viewer="spectator"' in event.client.get(page).text
    other = event.bearer("seat", "elsewhere", seat="p1")
    assert 'data-viewer="spectator"' in event.client.get(url, headers=other).text
    nobody = event.bearer("seat", match, seat="p9")
    assert 'data-viewer="spectator"' in event.client.get(url, headers=nobody).text


def typed(line: str, head: int, who: str = "") -> dict[str, Any]:
    return {"id": uuid(7), "head": head, "line": line, "who": who}


def test_who_was_signed_out_is_told_so_and_nothing_is_recorded(event: Served) -> None:
    match = event.open("blackpoker")
    held = event.person("scorekeeper", name="Sato")
    cookie = OURS | {"Cookie": f"shinpan={held['Authorization'].removeprefix('Bearer ')}"}
    before = event.context.store.version(match)
    url = f"/en/record/{match}"
    assert event.client.get(url, headers=cookie).status_code == 200
    for issued in event.context.keys.list_issued(event.clock.at):
        event.context.keys.revoke_number(issued.number)
    for answer in (
        event.client.post(url, data=typed("p1: pass", before), headers=cookie),
        event.client.get(url, headers=cookie),
    ):
        assert answer.status_code == 401 and "You are signed out" in answer.text
        assert 'href="/en/in"' in answer.text and "data-kept" in answer.text
    assert event.context.store.version(match) == before
    assert event.client.get("/en/floor", headers=cookie).status_code == 200


def test_a_line_is_not_recorded_under_the_name_of_somebody_else(event: Served) -> None:
    match = event.open("blackpoker")
    before = event.context.store.version(match)
    other = event.client.post(
        f"/en/record/{match}",
        data=typed("p1: pass", before, "scorekeeper Sato"),
        headers=OURS | event.person("scorekeeper", name="Ueda"),
    )
    assert other.status_code == 403 and "typed by scorekeeper Sato" in other.text
    assert event.context.store.version(match) == before
    own = event.client.post(
        f"/en/record/{match}",
        data=typed("a note", before, "scorekeeper Sato") | {"do": "note"},
        headers=OURS | event.person("scorekeeper", name="Sato"),
    )
    assert own.status_code == 200 and event.context.store.version(match) == before + 1


def test_signing_out_leaves_unsent_lines_on_the_device_only_where_it_is_asked_for(event: Served) -> None:
    for fields, clears, goes in (({}, '"cache", "storage"', "/en/floor"), ({"keep": "true"}, '"cache"', "/en/me")):
        headers = OURS | event.bearer("scorekeeper", name="Sato")
        answer = event.client.post("/en/me/out", data=fields, headers=headers, follow_redirects=False)
        assert (answer.headers["clear-site-data"], answer.headers["location"]) == (clears, goes)
