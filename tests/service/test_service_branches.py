"""A branch goes on from a match that may still be played: closing the branch opens nothing of what lies hidden."""

from typing import Any

import pytest

from domain.law.entries import opened_of
from recorder.branches import branch
from recorder.matches import close
from service.access import ROLES, Role
from service.settings import Settings
from tests.service.serving import Served, serve
from tests.service.writing import uuid

BRANCH = "bp-branch1"


def send(served: Served, role: Role, body: dict[str, Any], *matches: str, match: str = "m", **headers: str) -> Any:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    seat = "p1" if role == "seat" else ""
    return served.post(f"/api/v1/matches/{match}/branches", body, role, *matches, seat=seat, headers=given)


def test_a_closed_branch_of_an_open_match_shows_nobody_its_hands() -> None:
    with serve(Settings(store=":memory:", published=True)) as served:
        match, store = served.open("blackpoker"), served.house.store
        branch(store, match, served.house.match(match).version, BRANCH, b"\1" * 16)
        for name in (BRANCH, match):
            close(store, name, "judge", "over", abandon=True)
            if name == BRANCH:
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=judge", "head").json()["type"] == "/problem/sealed"
                offered = served.get(f"/en/m/{BRANCH}/1").text
                assert f"/en/m/{BRANCH}/1/as/p1" not in offered and f"/en/m/{BRANCH}/findings" not in offered
        assert served.get(f"/api/v1/matches/{match}/at/1?as=p1").status_code == 200, "a closed match is published"
        offered = served.get(f"/en/m/{match}/1").text
        assert f"/en/m/{match}/1/as/p1" in offered and f"/en/m/{match}/findings" in offered
        assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403


def test_a_branch_shares_what_it_goes_on_from_and_is_opened_once(served: Served) -> None:
    served.put("blackpoker", "normal", "m")
    woken: list[str] = []
    served.house.wakes.append(woken.append)
    body = {"at": 9, "match": BRANCH}
    first = send(served, "head", {"id": uuid(1), **body})
    assert first.status_code == 201, first.text
    assert first.json() == {"match": BRANCH, "parent": "m", "at": 9, "head": served.house.match(BRANCH).version}
    assert first.headers["location"] == f"/api/v1/matches/{BRANCH}"
    again = send(served, "head", body, Idempotency_Key=uuid(1))
    assert (again.status_code, again.json(), again.headers["idempotent-replay"]) == (200, first.json(), "1")
    own, parent = served.house.match(BRANCH).entries, served.house.match("m").entries
    assert own[1:9] == parent[1:9] and woken == [BRANCH]
    opened, dealt = opened_of(own), opened_of(parent)
    assert (opened.parent, opened.parent_at, opened.by) == ("m", 9, "head head")
    assert opened.commitment not in ("", dealt.commitment) and opened.told == dealt.told
    other = send(served, "head", {"id": uuid(1), "at": 8, "match": BRANCH})
    assert (other.status_code, other.json()["type"]) == (409, "/problem/command-reused")
    taken = send(served, "head", body)
    assert (taken.status_code, taken.json()["type"]) == (409, "/problem/exists")
    named = [send(served, "head", {"at": 9, "id": uuid(2)}).json()["match"] for _ in range(2)]
    assert named[0] == named[1] not in ("m", BRANCH) and len(served.house.store.matches()) == 3


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"at": 0}, "1 to"),
        ({"at": 999}, "999"),
        ({"at": 13}, "13"),
        ({"at": -1}, "at"),
        ({"at": 9, "match": "a/b"}, "a/b"),
        ({"at": 9, "seed": 7}, "seed"),
        ({}, "at"),
    ],
)
def test_what_is_no_branch_is_refused_by_name_and_nothing_is_written(
    served: Served, body: dict[str, Any], said: str
) -> None:
    served.put("blackpoker", "normal", "m", upto=12)
    refused = send(served, "head", body)
    assert (refused.status_code, refused.json()["type"]) == (400, "/problem/unreadable"), refused.text
    assert said in refused.json()["en"] and refused.json()["ja"]
    assert [listed.match for listed in served.house.store.matches()] == ["m"]


def test_a_branch_of_an_open_match_is_for_whoever_has_broken_its_seal_for_all_of_it(served: Served) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=12)
    head = served.bearer("head")
    path = "/api/v1/matches/m"
    for viewer in ("", "p1"):
        if viewer:
            assert served.post(f"{path}/seal", {"viewer": viewer}, headers=head).status_code == 201
        sealed = served.post(f"{path}/branches", {"at": 9}, headers=head)
        assert (sealed.status_code, sealed.json()["type"]) == (403, "/problem/sealed")
    assert served.post(f"{path}/seal", {"viewer": "judge"}, headers=head).status_code == 201
    done = served.post(f"{path}/branches", {"at": 9, "match": BRANCH}, headers=head)
    assert done.status_code == 201 and done.json()["parent_open"]
    assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=judge", "head").status_code == 403
    assert len(served.house.store.matches()) == 2


def test_whoever_may_open_a_branch_does_and_nobody_else() -> None:
    with serve(Settings(store=":memory:", published=True)) as served:
        served.put("blackpoker", "normal", "m")
        for role in ROLES:
            for scope in ((), ("m",), ("other",)):
                lets = role == "head" or (role == "floor" and "other" not in scope)
                if role != "seat" or len(scope) == 1:
                    answer = send(served, role, {"at": 9}, *scope)
                    assert answer.status_code == (201 if lets else 403), (role, scope, answer.text)
