"""What follows a path: unknown fields, fields sent twice, bytes that are no text: each is told with what and where."""

from typing import Any

import pytest

from tests.service.serving import Served

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
