"""Seat commitments over the API: matches opened with them, and secrets revealed by their owners."""

from typing import Any

import pytest

from domain.law.entries import Played, Pledged
from service.access import Role
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.service.commands import send, uuid
from tests.service.harness import Served

OPENS = {"game": "blackpoker", "version": "8.1-lite", "match": MATCH, "pledges": pledges_of()}


def open_match(served: Served) -> None:
    answer = served.post("/api/v1/matches", {"id": uuid(1), **OPENS}, "scorekeeper")
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert [entry["seen"] for entry in told["entries"]] == ["opened"]
    assert told["entries"][0]["pledges"] == pledges_of()


def reveal(served: Served, said: dict[str, Any], role: Role = "seat", seat: str = "", id: int = 7) -> Any:
    body = {"id": uuid(id), **said}
    return served.post(f"/api/v1/matches/{MATCH}/reveals", body, role, *([MATCH] if seat else []), seat=seat)


def of(seat: str) -> dict[str, str]:
    return {"seat": seat, "secret": SECRETS[P1 if seat == "p1" else P2].hex()}


def test_each_seat_reveals_its_own_and_the_last_one_is_answered_with_the_deal(served: Served) -> None:
    open_match(served)
    first = reveal(served, of("p1"), seat="p1", id=2)
    assert first.status_code == 201, first.text
    assert [(entry["seen"], entry["by"]) for entry in first.json()["entries"]] == [("revealed", "p1")]
    last = reveal(served, of("p2"), seat="p2", id=3)
    assert [entry["seen"] for entry in last.json()["entries"]][:2] == ["revealed", "played"]
    entries = served.context.match(MATCH).entries
    assert isinstance(entries[0], Pledged) and isinstance(entries[3], Played) and len(entries) > 3
    again = reveal(served, of("p2"), seat="p2", id=3)
    assert again.status_code == 200 and again.json()["head"] == last.json()["head"] == len(entries)
    spectator = served.get(f"/api/v1/matches/{MATCH}/entries").json()
    assert SECRETS[P1].hex() in str(spectator)


@pytest.mark.parametrize(
    ("said", "role", "seat", "status", "says"),
    [
        (of("p2"), "seat", "p1", 403, "p1 can reveal only the secret of p1"),
        ({"seat": "p1", "reason": "gone"}, "seat", "p1", 403, "Only a judge can record"),
        ({"seat": "p1", "reason": "gone"}, "scorekeeper", "", 403, "Only a judge can record"),
        (of("p1"), "spectator", "", 403, ""),
        (of("p1"), "designer", "", 403, ""),
        ({"seat": "p1", "secret": SECRETS[P2].hex()}, "head", "", 400, pledges_of()[P1]),
        ({"seat": "p3", "secret": "00" * 16}, "head", "", 400, "p3"),
        ({"seat": "p1", "secret": "beef"}, "head", "", 400, "32 hexadecimal digits"),
        ({"seat": "p1"}, "head", "", 400, "reason"),
        ({"seat": "p1", "secret": "00" * 16, "reason": "x"}, "head", "", 400, "reason"),
        ({"secret": "00" * 16}, "head", "", 400, "seat"),
    ],
)
def test_who_may_not_or_does_not_fit_is_refused_and_nothing_recorded(
    served: Served, said: dict[str, str], role: Role, seat: str, status: int, says: str
) -> None:
    open_match(served)
    answer = reveal(served, said, role, seat)
    assert answer.status_code == status and says in answer.text, answer.text
    assert said.get("secret", "no secret") not in answer.text
    assert served.context.match(MATCH).version == 1


def test_what_comes_twice_or_late_is_out_of_order(served: Served) -> None:
    open_match(served)
    assert reveal(served, of("p1"), "scorekeeper", id=2).status_code == 201
    twice = reveal(served, of("p1"), seat="p1", id=3)
    assert (twice.status_code, twice.json()["type"]) == (409, "/problem/out-of-order")
    assert reveal(served, {"seat": "p2", "reason": "gone"}, "floor", id=4).status_code == 201
    late = reveal(served, of("p2"), seat="p2", id=5)
    assert (late.status_code, late.json()["type"]) == (409, "/problem/out-of-order") and "too late" in late.text
    drawn = [entry for entry in served.context.match(MATCH).entries if isinstance(entry, Played)]
    assert drawn


def test_it_is_a_command_like_others_too(served: Served) -> None:
    open_match(served)
    done = send(served, MATCH, {"kind": "reveal", **of("p1")}, "seat", seat="p1", id=2)
    assert done.status_code == 201
    tried = served.post(f"/api/v1/matches/{MATCH}/entries:try", {"id": uuid(3), "kind": "reveal", **of("p1")}, "head")
    assert tried.json()["stands"] is False
    waits = send(served, MATCH, {"kind": "play", "text": "chance: auto"}, id=4)
    assert not waits.is_success and "p2" in waits.text


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"match": ""}, "give the match id"),
        ({"pledges": {"p9": "ab" * 32}}, "p9"),
        ({"pledges": {"p1": "ab"}}, "64 hexadecimal digits"),
        ({"pledges": {"p1": 7}}, "pledges"),
        ({"cards": "real"}, "real cards"),
    ],
)
def test_what_is_no_pledge_opens_no_match(served: Served, changed: dict[str, Any], says: str) -> None:
    answer = served.post("/api/v1/matches", {"id": uuid(1), **OPENS, **changed}, "head")
    assert answer.status_code == 400 and says in answer.text
    assert served.get(f"/api/v1/matches/{MATCH}").status_code == 404


@pytest.mark.parametrize("role", ["spectator", "seat", "head", "scorekeeper"])
def test_before_the_reveals_no_address_sends_a_secret_or_the_seed(served: Served, role: Role) -> None:
    open_match(served)
    seed = served.context.store.secret(MATCH)
    assert seed is not None
    held = {"seat": "p1"} if role == "seat" else {}
    secret = [seed.hex(), *(kept.hex() for kept in SECRETS.values())]
    for path in (
        f"/api/v1/matches/{MATCH}", f"/api/v1/matches/{MATCH}/entries", f"/api/v1/matches/{MATCH}/at/1",
        f"/api/v1/matches/{MATCH}/next", "/api/v1/matches", f"/matches/{MATCH}", f"/matches/{MATCH}/log",
    ):  # fmt: skip
        answer = served.get(path, role, *([MATCH] if held else []), **held)
        assert not [text for text in secret if text in answer.text], path
