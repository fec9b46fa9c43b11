"""Response headers for browsers, and requests that are oversized, malformed or cross-origin."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.words import Text
from recorder.store import StoreError
from service import security
from service.app import routes
from service.context import AppContext
from service.rendering import assets
from service.requests import Route
from service.settings import Settings
from tests.service.browsing import run_loop
from tests.service.commands import head, send, uuid
from tests.service.harness import Served, serve
from tests.service.listening import Hearing, stage
from tests.service.test_service_authority import OWN, ask_at

ORIGIN = {"Origin": "http://testserver.local"}
NOTE = {"kind": "note", "text": "x"}
PASS = {"kind": "play", "text": "p1: pass"}


def streams(route: Route) -> bool:
    return route.kind.startswith("text/event-stream")


@pytest.mark.parametrize("role", ["spectator", "head"])
def test_every_answer_tells_browsers_what_they_may_do_with_it(served: Served, role: Any) -> None:
    served.open("blackpoker", match=OWN)
    held = ORIGIN if role == "spectator" else None
    addresses = [(route.method, ask_at(route, OWN)) for route in routes() if not streams(route)]
    addresses += [
        ("GET", "/nowhere"),
        ("GET", "/api/v1/nowhere"),
        ("PUT", "/api/v1/sessions"),
        ("GET", "/static/no"),
    ]
    for method, path in addresses:
        headers = held or served.bearer("head")
        answer = served.client.request(method, path, headers=headers, follow_redirects=False)
        for name, value in security.HEADERS.items():
            assert answer.headers.get(name) == value, (method, path, name)
        kept = answer.headers["cache-control"]
        assert "no-store" in kept or (method == "GET" and answer.status_code in (200, 307)), (method, path, kept)
        assert "server" not in answer.headers and "x-powered-by" not in answer.headers
        assert answer.status_code < 500, (method, path, answer.text)


def test_what_is_seen_with_other_eyes_is_kept_by_nobody(served: Served) -> None:
    served.open("blackpoker", match=OWN)
    held = served.bearer("seat", OWN, seat="p1")
    looked = 0
    for route in routes():
        names = {field.encode_name for field in msgspec.structs.fields(route.query)}
        if route.method == "GET" and "as" in names and "{match:str}" in route.path and not streams(route):
            path = ask_at(route, OWN)
            answer = served.client.get(f"{path}{'&' if '?' in path else '?'}as=p1", headers=held)
            assert answer.headers["cache-control"] == "no-store", route.path
            looked += answer.status_code == 200
    assert looked > 5
    answer = served.client.post(f"/api/v1/matches/{OWN}/entries:try?as=p1", json=PASS, headers=held)
    assert answer.headers["cache-control"] == "no-store" and answer.status_code == 200


def test_the_policy_allows_nothing_from_elsewhere_and_no_script_in_a_page() -> None:
    policy = dict(part.split(" ", 1) for part in security.POLICY.split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in security.POLICY and "http" not in security.POLICY and "*" not in security.POLICY


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "http://testserver.local.elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver.local"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver.local"},
        {"Sec-Fetch-Site": "none", "Origin": "http://testserver.local"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_no_change_by_a_cookie_is_asked_for_from_elsewhere(served: Served, headers: dict[str, str]) -> None:
    match = served.open("blackpoker", match=OWN)
    token = served.bearer("head")["Authorization"].partition(" ")[2]
    cookie = {"Cookie": f"shinpan={token}"}
    changes = [route for route in routes() if route.method != "GET"]
    for route in changes:
        answer = served.client.request(route.method, ask_at(route, match), headers={**headers, **cookie})
        assert answer.status_code == 403, (route.method, route.path)
    assert head(served, match) == 3 and served.context.keys.key(token, served.clock.at) is not None
    good = {"Sec-Fetch-Site": "same-origin", "If-Match": '"3"', **cookie}
    note = {"id": uuid(1), **NOTE}
    assert served.client.post(f"/api/v1/matches/{match}/entries", json=note, headers=good).status_code == 201


def test_a_bearer_that_is_none_is_no_cookie_either(served: Served) -> None:
    match = served.open("blackpoker", match=OWN)
    token = served.bearer("head")["Authorization"].partition(" ")[2]
    for bearer in ("x", "", token[:-1], token + "x", "x" * 60_000):
        headers = {"Authorization": f"Bearer {bearer}", "Cookie": f"shinpan={token}", "If-Match": '"3"'}
        answer = served.client.post(f"/api/v1/matches/{match}/entries", json={"id": uuid(1), **NOTE}, headers=headers)
        assert answer.status_code in (401, 403), bearer[:80]
    assert head(served, match) == 3


def test_tls_gives_a_cookie_that_is_this_hosts_alone() -> None:
    with serve(Settings(store=":memory:", public="https://cup.example")) as served:
        invited = served.post("/api/v1/invitations", {"role": "floor", "name": "Kato"}, "operator").json()
        headers = {"Origin": "https://cup.example"}
        answer = served.client.post("/api/v1/sessions", json={"invitation": invited["invitation"]}, headers=headers)
        cookie = answer.headers["set-cookie"]
        assert (
            cookie.startswith("__Host-shinpan=")
            and "Secure" in cookie
            and "Path=/;" in cookie
            and "Domain" not in cookie
        )
        plain = served.client.get("/api/v1/sessions", headers={"Cookie": f"shinpan={answer.json()['token']}"})
        assert plain.json()["role"] == "spectator", "a cookie by the plain name is none"


BROKEN = [
    b"",
    b"null",
    b"[]",
    b"{",
    b'"x"',
    b"\xff\xfe",
    b'{"kind": "note", "text": "\xff"}',
    b'{"kind": "note", "text": "\\ud800"}',
    b'{"kind": "nothing"}',
    b'{"text": "x"}',
    b'{"kind": "note", "text": 1}',
    b'{"kind": "note", "text": "x", "about": 99999999999999999999999999}',
    b'{"kind": "note", "text": "x", "about": -1}',
    b'{"kind": "note", "text": "x", "text": "y"}',
    b'{"kind": "note", "text": "x", "te\\u0078t": "y"}',
    b'{"kind": "dispute", "about": 3, "claims": {"p1": "x", "p1": "y"}}',
    b'{"kind": "play", "action": {"do": "pass", "do": "end"}}',
    b'{"kind": "note", "text": "x", "about": NaN}',
    b'{"kind": "note", "text": "\\ud800"}',
    b'{"kind": "' + b"x" * 50_000 + b'", "text": "x"}',
    b'{"kind": "note", "text": "x", "' + b"x" * 50_000 + b'": 1}',
    b'{"kind": "note", "text": "x", "about": 1e400}',
    b'{"kind": "note", "text": "x", "about": 1.5}',
    b'{"kind": "rewind", "reason": "x", "to": ' + b"9" * 5_000 + b"}",
    b'{"kind": "note", "text": "x", "more": 1}',
    b'{"kind": "note", "text": "x", "id": "no-uuid"}',
    b'{"kind": "play", "action": ' + b'{"a":' * 12_000,
    b'{"kind": "play", "action": ' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}",
    b'{"kind": "play", "action": {"do": "equip", "target": ' + b"9" * 5_000 + b"}}",
    b'{"kind": "play", "text": "p1: equip ' + b"9" * 50_000 + b'"}',
    b'{"kind": "play", "text": "p1: equip \\"' + b"9" * 5_000 + b'"}',
    b'{"kind": "play", "by": "chance", "text": "shuffle_deck p1 #' + b"9" * 400 + b'"}',
    b'{"kind": "correct", "reason": "x", "facts": ["mark p1 x ' + b"9" * 18 + b'"]}',
    b'{"kind": "correct", "reason": "x", "facts": ["- clock {\\"turn\\": 1e999}"]}',
    b'{"kind": "correct", "reason": "x", "facts": ["\\u0000"]}',
    b"\xef\xbb\xbf{}",
    b"\x00" * 100,
]


@pytest.mark.parametrize("body", BROKEN, ids=lambda body: repr(body[:60]))
def test_a_broken_body_is_said_to_be_and_writes_nothing(served: Served, body: bytes) -> None:
    match = served.open("blackpoker", match=OWN)
    held = served.bearer("head") | {"If-Match": '"3"', "Idempotency-Key": uuid(7)}
    for path in (f"/api/v1/matches/{match}/entries", f"/api/v1/matches/{match}/entries:try"):
        answer = served.client.post(path, content=body, headers=held)
        if path.endswith(":try") and answer.status_code == 200:
            assert answer.json().get("stands") is not True
            continue
        assert answer.status_code in (400, 422), (path, answer.text[:300])
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["en"] and answer.json()["ja"] and len(answer.content) < 5_000
    assert head(served, match) == 3


@pytest.mark.parametrize("path", ["%ff", "%00", "a%2fb", "..", "x" * 5_000, "é", "%F0%9F%8E%B4", "t0%0a"])
def test_a_match_by_a_broken_name_is_not_there(served: Served, path: str) -> None:
    for address in (f"/api/v1/matches/{path}/entries", f"/api/v1/matches/{path}/entries:try"):
        answer = served.client.post(address, json={"id": uuid(1), **NOTE}, headers=served.bearer("head"))
        assert answer.status_code in (400, 404, 405), (address, answer.text)


def test_a_body_may_be_so_large_and_no_larger() -> None:
    with serve(Settings(store=":memory:", body_max=2_000)) as served:
        match = served.open("blackpoker", match=OWN)
        held = served.bearer("head") | {"If-Match": '"3"'}
        path = f"/api/v1/matches/{match}/entries"
        note = msgspec.json.encode({"id": uuid(1), **NOTE})
        large = served.client.post(path, content=note + b" " * 2_000, headers=held)
        assert large.status_code == 413 and "At most 2,000 bytes" in large.json()["en"]
        assert served.client.post(path, content=in_parts(note, 3_000), headers=held).status_code == 413
        assert head(served, match) == 3
        assert served.client.post(path, content=in_parts(note, 1_000), headers=held).status_code == 201


def in_parts(data: bytes, more: int) -> Iterator[bytes]:
    yield data
    for _ in range(more // 100):
        yield b" " * 100


def test_a_store_that_cannot_be_used_is_said_to_be_without_its_name(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = served.open("blackpoker", match=OWN)
    held = served.bearer("head")

    def fail(self: AppContext, match: str) -> Any:
        raise StoreError("locked", Text("store.locked", {"store": "/secret/a.db"}))

    monkeypatch.setattr(AppContext, "match", fail)
    answer = send(served, match, NOTE, "head", id=1, at=3)
    assert answer.status_code == 503 and "secret" not in answer.text
    assert answer.headers["retry-after"] == "1"
    keys = type(served.context.keys)

    def locked(*given: Any) -> Any:
        raise StoreError("failed", Text("store.failed", {"store": "/secret/keys.db", "why": "x"}))

    monkeypatch.setattr(keys, "key", locked)
    answer = served.client.get("/api/v1/sessions", headers=held)
    assert answer.status_code == 503 and "secret" not in answer.text and "retry-after" not in answer.headers


def head_of(answer: Any, packed: str) -> dict[str, str]:
    """Return the headers of a response, repeated until the size of a fresh form id allows compression."""
    return {name: value for name, value in answer.headers.items() if (name, packed) != ("content-length", "gzip")}


@pytest.mark.parametrize("packed", ["gzip", "identity"])
@pytest.mark.parametrize("role", ["spectator", "head"])
def test_head_answers_what_get_does_without_a_body(served: Served, role: str, packed: str) -> None:
    served.open("blackpoker", match=OWN)
    held = ORIGIN if role == "spectator" else served.bearer("head")
    addresses = [ask_at(route, OWN) for route in routes() if route.method == "GET" and not streams(route)]
    addresses += [ask_at(route, OWN) for route in routes() if route.method != "GET"]
    addresses += ["/nowhere", "/api/v1/nowhere", "/static/no", *assets().values()]
    for path in addresses:
        headers = held | {"Accept-Encoding": packed}
        ours, theirs = (
            served.client.request(method, path, headers=headers, follow_redirects=False) for method in ("HEAD", "GET")
        )
        assert ours.status_code == theirs.status_code, path
        assert head_of(ours, packed) == head_of(theirs, packed), path
        assert ours.content == b"" and theirs.status_code < 500, path
    answer = served.client.head(f"/api/v1/matches/{OWN}", headers=held)
    again = served.client.head(f"/api/v1/matches/{OWN}", headers=held | {"If-None-Match": answer.headers["etag"]})
    assert (answer.status_code, again.status_code) == (200, 304)


def test_head_of_a_stream_begins_none() -> None:
    run_loop(hear_no_stream())


async def hear_no_stream() -> None:
    async with stage() as staged:
        hearing = Hearing(staged.app, f"/api/v1/matches/{staged.match}/live", {}, "HEAD")
        async with staged.listen() as other:
            await hearing.task
            assert (hearing.status, hearing.raw, hearing.ended) == (200, b"", True)
            assert hearing.headers == other.headers
            assert staged.hub.count == 1
        assert staged.hub.count == 0


SESSIONS = "/api/v1/sessions"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("colour=red", "query: Object contains unknown field `colour`"),
        ("a=1&a=2", "query: Object contains field `a` twice"),
        ("colour", "query: Object contains unknown field `colour`"),
        ("%ff=1", "query: byte 0 (0xff) is not UTF-8: invalid start byte"),
        ("a=%e5%8a", "query: byte 0 (0xe5) is not UTF-8: unexpected end of data"),
    ],
)
def test_a_query_that_is_none_is_told_with_what_is_wrong(served: Served, query: str, told: str) -> None:
    answer = served.get(f"{SESSIONS}?{query}")
    assert answer.status_code == 400
    assert answer.json()["type"] == "/problem/unreadable" and answer.json()["en"] == told
    assert answer.json()["ja"] != told


def test_bytes_that_are_no_text_come_to_no_harm(served: Served) -> None:
    status, body = ask_raw(served, b"/api/v1/sessions", b"\xff\xfe=1")
    assert status == 400 and b"is not UTF-8" in body
    status, body = ask_raw(served, b"/en/nowhere", b"\xff\xfe=1")
    assert status == 404


def ask_raw(served: Served, path: bytes, query: bytes) -> tuple[int, bytes]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path.decode("utf-8", "surrogateescape"), "raw_path": path, "query_string": query,
        "root_path": "", "headers": [(b"host", b"testserver")], "client": ("::1", 1), "server": ("test", 80),
    }  # fmt: skip

    async def run() -> None:
        app: Any = served.client.app
        await app(scope, receive, send)

    with served.client.portal() as portal:
        portal.call(run)
    body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return sent[0]["status"], body


@pytest.mark.parametrize("public", ["https://cup.example", "http://cup.example"])
def test_browsers_are_told_to_come_by_tls_alone_where_people_come_by_tls(public: str) -> None:
    with serve(Settings(store=":memory:", public=public)) as served:
        for path in ("/en/floor", "/api/v1/games", "/static/site.css", "/nowhere", "/en"):
            for method in ("GET", "HEAD"):
                answer = served.client.request(method, path, follow_redirects=False)
                told = answer.headers.get_list("strict-transport-security")
                assert told == (["max-age=31536000"] if public.startswith("https") else []), path
