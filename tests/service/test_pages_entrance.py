"""Sign-in and sign-out on pages: languages, invitations, identity, and the common frame."""

from urllib.parse import urlsplit

import pytest

from tests.service.harness import YEAR_MS, Served

OURS = {"Origin": "http://testserver.local"}


def invited(served: Served, role: str = "floor", name: str = "Kato") -> str:
    answer = served.post("/api/v1/invitations", {"role": role, "name": name}, "operator")
    invitation: str = answer.json()["invitation"]
    return invitation


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja-JP,en;q=0.8", "ja"),
        ("en;q=0.4, ja;q=0.9", "ja"),
        ("de, fr;q=0.9, en;q=0.2", "en"),
        ("ja;q=0, en;q=0.1", "en"),
        ("ja;q=oh", "en"),
        ("*", "en"),
    ],
)
def test_the_first_page_goes_on_in_the_language_of_the_browser(served: Served, header: str, lang: str) -> None:
    for path, on in (("/", "floor"), ("/in", "in")):
        answer = served.get(path, headers={"Accept-Language": header})
        assert (answer.status_code, answer.headers["location"]) == (302, f"/{lang}/{on}")
        assert answer.headers["vary"] == "Accept-Language"


def test_an_invitation_is_exchanged_by_a_form_and_opens_the_browser(served: Served) -> None:
    link = f"http://testserver.local/in#{invited(served)}"
    entered = served.client.post("/en/in", data={"invitation": f" {link} "}, headers=OURS, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/en/me")
    cookie = entered.headers["set-cookie"].partition(";")[0]
    me = served.get("/en/me", headers={"Cookie": cookie})
    assert "Kato" in me.text and "Floor judge" in me.text and "/en/me/out" in me.text
    left = served.client.post("/ja/me/out", headers={**OURS, "Cookie": cookie}, follow_redirects=False)
    assert left.status_code == 303 and left.headers["clear-site-data"] == '"cache", "storage"'
    assert "Kato" not in served.get("/en/me", headers={"Cookie": cookie}).text


def test_an_invitation_that_is_good_for_nothing_is_said_at_its_field_and_kept(served: Served) -> None:
    answer = served.client.post("/ja/in", data={"invitation": 'x"<b>'}, headers=OURS)
    assert answer.status_code == 404
    assert "この招待は無効です" in answer.text and 'value="x&#34;&lt;b&gt;"' in answer.text
    assert 'aria-invalid="true"' in answer.text and "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body",
    [
        b"invitation",
        b"invitation=a&invitation=b",
        b"invitation=%ff",
        b"other=1",
        b"",
        b'{"invitation":"x"}',
        b"&" * 300,
    ],
)
def test_a_form_that_is_none_is_said_to_be_unreadable(served: Served, body: bytes) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert served.client.post("/en/in", content=body, headers=OURS | kind).status_code == 400


def test_a_form_from_elsewhere_is_refused(served: Served) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    answer = served.client.post("/en/in", data={"invitation": invited(served)}, headers=elsewhere)
    assert answer.status_code == 403 and "<h1>" in answer.text


def test_every_page_names_its_other_language_and_keeps_the_query(served: Served) -> None:
    assert 'href="/ja/floor?size=4&amp;show=done" hreflang="ja"' in served.get("/en/floor?size=4&show=done").text
    text = served.get("/en/me").text
    assert '<html lang="en">' in text and 'hreflang="ja" href="http://127.0.0.1:8000/ja/me"' in text
    assert 'href="/ja/me" hreflang="ja"' in text


def test_an_unknown_language_is_an_unknown_page(served: Served) -> None:
    for path in ("/de/floor", "/en/nothing", "/de", "/favicon.ico"):
        assert served.get(path).status_code == 404, path
    assert served.get("/ja").headers["location"] == "/ja/floor"


def test_static_files_are_addressed_by_what_they_hold(served: Served) -> None:
    text = served.get("/en/me").text
    linked = [part.split('"')[0] for part in text.split('"/static/')[1:]]
    assert len(linked) >= 3
    for link in linked:
        assert "?v=" in link and served.get(f"/static/{link}").status_code == 200, link
    assert urlsplit(linked[0]).query != ""


@pytest.mark.parametrize(
    "name", ["%00", "shinpan.css%00.js", "a" * 5_000, "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "", "no", "%ff"]
)
def test_a_static_file_that_is_none_is_not_looked_for(served: Served, name: str) -> None:
    assert served.client.get(f"/static/{name}").status_code == 404


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
    assert again.status_code == 410
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
    served.open("blackpoker", match="t1")
    seated = {"role": "seat", "name": "x", "matches": ["t1"]}
    assert served.post("/api/v1/invitations", {**seated, "seat": "p1"}, "head").status_code == 201
    for seat in ("", "chance", "judge", "spectator", "p9", "p3", "*", "p1\n", " p1", "P1"):
        assert served.post("/api/v1/invitations", {**seated, "seat": seat}, "head").status_code == 400, seat
    for match, seat in (("later", "p9"), ("later", "*"), ("no match", "p1"), ("t1\n", "p1")):
        beside = {**seated, "matches": ["t1", match], "seat": seat}
        assert served.post("/api/v1/invitations", beside, "head").status_code == 400, (match, seat)
    later = {**seated, "matches": ["later"], "seat": "p1"}
    assert served.post("/api/v1/invitations", later, "head").status_code == 201, "before the match is opened"
    judge = {"role": "floor", "name": "x", "matches": ["t1"], "seat": "p1"}
    assert served.post("/api/v1/invitations", judge, "head").status_code == 400, "it would record as that seat"
    long = {"role": "floor", "name": "x" * 201}
    assert served.post("/api/v1/invitations", long, "head").status_code == 400


def test_the_keys_that_stand_are_told_by_their_numbers(served: Served) -> None:
    keys, at = served.context.keys, served.clock.at
    held = [served.bearer("floor")["Authorization"].removeprefix("Bearer ") for _ in range(3)]
    numbers = [key.number for token in held if (key := keys.key(token, at))]
    keys.revoke_number(numbers[0])
    assert keys.list_valid_numbers([*numbers, "ff" * 32], at) == set(numbers[1:])
    assert keys.list_valid_numbers(numbers, at + YEAR_MS + 1) == set()
