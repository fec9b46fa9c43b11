"""Coming in by an invitation, going out, and what is told to whom comes with neither."""

from tests.service.serving import YEAR_MS, Served

SESSIONS = "/api/v1/sessions"


def test_an_invitation_is_good_once_and_gives_a_token_and_a_cookie(served: Served) -> None:
    invited = served.post("/api/v1/invitations", {"role": "floor", "name": "Kato"}, "operator")
    assert invited.status_code == 201
    body = {"invitation": invited.json()["invitation"]}
    headers = {"Origin": "http://testserver.local"}
    first = served.client.post(SESSIONS, json=body, headers=headers)
    assert first.status_code == 201 and first.json()["role"] == "floor"
    assert "HttpOnly" in first.headers["set-cookie"] and "SameSite=Lax" in first.headers["set-cookie"]
    again = served.client.post(SESSIONS, json=body, headers=headers)
    assert again.status_code == 404
    me = served.client.get(SESSIONS, headers={"Authorization": f"Bearer {first.json()['token']}"})
    assert me.json()["name"] == "Kato"


def test_signing_out_shuts_what_the_token_opened(served: Served) -> None:
    held = served.bearer("head")
    assert served.client.get(SESSIONS, headers=held).json()["role"] == "head"
    assert served.client.delete(SESSIONS, headers=held).status_code == 200
    gone = served.client.get(SESSIONS, headers=held)
    assert gone.status_code == 401
    assert gone.headers["content-type"] == "application/problem+json"


def test_a_floor_judge_invites_nobody_and_a_head_judge_no_operator(served: Served) -> None:
    for role, wanted in (("floor", "seat"), ("head", "operator"), ("spectator", "floor")):
        answer = served.post("/api/v1/invitations", {"role": wanted, "name": "x"}, role)
        assert answer.status_code == 403, (role, wanted)


def test_a_seat_is_one_that_a_player_sits_at_and_no_other_role_has_one(served: Served) -> None:
    seated = {"role": "seat", "name": "x", "matches": ["t1"]}
    assert served.post("/api/v1/invitations", {**seated, "seat": "p1"}, "head").status_code == 201
    for seat in ("", "chance", "judge", "spectator"):
        assert served.post("/api/v1/invitations", {**seated, "seat": seat}, "head").status_code == 400, seat
    judge = {"role": "floor", "name": "x", "matches": ["t1"], "seat": "p1"}
    assert served.post("/api/v1/invitations", judge, "head").status_code == 400, "it would record as that seat"
    long = {"role": "floor", "name": "x" * 201}
    assert served.post("/api/v1/invitations", long, "head").status_code == 400


def test_a_change_from_another_site_is_refused(served: Served) -> None:
    answer = served.client.post(SESSIONS, json={"invitation": "x"}, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403 and answer.json()["type"] == "/problem/foreign-origin"


def test_the_keys_that_stand_are_told_by_their_numbers(served: Served) -> None:
    keys, at = served.house.keys, served.clock.at
    held = [served.bearer("floor")["Authorization"].removeprefix("Bearer ") for _ in range(3)]
    numbers = [key.number for token in held if (key := keys.key(token, at))]
    keys.revoke(held[0])
    assert keys.standing([*numbers, "ff" * 32], at) == set(numbers[1:])
    assert keys.standing(numbers, at + YEAR_MS + 1) == set()
