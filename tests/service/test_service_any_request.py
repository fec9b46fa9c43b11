"""Generated requests in every role: no internal error, and every response matches the API document."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import GenerationMode

from service.access import ROLES, Role
from service.live import event_stream
from service.routes import API_ROUTES
from tests.rotation import is_nightly, rotate
from tests.service.documented import document
from tests.service.harness import Served, serve

pytestmark = pytest.mark.rotates(3)

EXAMPLES = 6 if is_nightly() else 2
STEP_MS = 60_000
"""Milliseconds between two requests, which avoids the rate limit."""
KNOWN: dict[str, Any] = {
    "match": "open", "n": 9, "thing": 64, "game": "blackpoker", "clause": "BP-6.4", "ruleset": "53caae02b4a5f1a8",
}  # fmt: skip
KNOWN_QUERY: dict[str, Any] = {"as": "p1", "do": "p1: pass", "clause": "BP-8.2", "after": 1}
JOBS = ("POST /api/v1/regressions",)
"""Background jobs, refused here because a store in memory cannot be shared with their process."""
STREAMS = {
    f"{route.method} {route.path}".replace(":str", "") for route in API_ROUTES if route.kind == event_stream.KIND
}
"""Streams, which never end. They are requested for missing objects only."""
Sent = Callable[[Any], httpx.Response]


def asked_in(served: Served, role: Role) -> Sent:
    held = {} if role == "spectator" else served.bearer(role, "open", seat="p1")

    def send(case: Any) -> httpx.Response:
        served.clock.at += STEP_MS
        sent = case.as_transport_kwargs(base_url=str(served.client.base_url))
        sent["headers"] = {**dict(sent.get("headers") or {}), **held}
        body = {name: sent[name] for name in ("json", "data", "content") if sent.get(name) is not None}
        if isinstance(body.get("data"), (str, bytes)):
            body["content"] = body.pop("data")
        answer: httpx.Response = served.client.request(
            sent["method"], sent["url"], params=sent.get("params"), headers=sent["headers"], **body
        )
        return answer

    return send


def operations() -> list[Any]:
    schema: Any = schemathesis.openapi.from_dict(document())
    return [result.ok() for result in schema.get_all_operations()]


def try_out(operation: Any, send: Sent) -> set[int]:
    """Send valid and invalid requests of an operation and return the statuses."""
    statuses = set()

    @given(data=st.data())
    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(data: st.DataObject) -> None:
        mode = data.draw(st.sampled_from((GenerationMode.POSITIVE, GenerationMode.NEGATIVE)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if data.draw(st.booleans()):
            known_parts = {} if operation.label in STREAMS else KNOWN
            for parts, known in ((case.path_parameters, known_parts), (case.query, KNOWN_QUERY)):
                for name in parts or {}:
                    parts[name] = known.get(name, parts[name])
        statuses.add(send(case).status_code)

    ask()
    return statuses


@pytest.mark.parametrize("role", rotate(ROLES, 2))
def test_no_request_is_our_fault_and_each_answer_fits(role: Role) -> None:
    """The client checks each response against the document."""
    with serve() as served:
        served.record_match("blackpoker", "disputed", "open", closed=False)
        served.record_match("blackpoker", "normal", "done")
        # a token for each operation, since signing out revokes it
        statuses = {operation.label: try_out(operation, asked_in(served, role)) for operation in operations()}
    assert len(statuses) >= len(API_ROUTES) and statuses.keys() >= STREAMS
    faults = {label: max(some) for label, some in statuses.items() if max(some) >= 500}
    assert faults.items() <= dict.fromkeys(JOBS, 503).items()
    assert {200, 400, 404} <= set.union(*statuses.values())
