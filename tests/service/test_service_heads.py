"""HEAD on every address: status and headers of GET, and no body."""

from typing import Any

import pytest

from service.app import routes
from service.asking import Route
from service.drawing import assets
from tests.service.browsing import run_loop
from tests.service.listening import Hearing, stage
from tests.service.serving import Served
from tests.service.test_service_authority import OWN, ask_at

ORIGIN = {"Origin": "http://testserver.local"}


def streams(route: Route) -> bool:
    return route.kind.startswith("text/event-stream")


def head_of(answer: Any, packed: str) -> dict[str, str]:
    """The headers of an answer; a page that makes an id for a form anew is packed as long as that lets it."""
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
