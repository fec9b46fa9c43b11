"""Rate limits: per token, not per address, with a time to retry."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, json

from recorder.store_location import LOCK_SECONDS
from service import limits
from service.app import WRITE_WAIT_S, build_decoders, is_write, routes
from service.limits import ANONYMOUS_FACTOR, LIMITS, RateLimiter, address_of
from service.server import on_signal
from tests.rotation import is_nightly
from tests.service.browsing import played, run_loop
from tests.service.harness import START, Served, serve
from tests.service.listening import Hearing, stage
from tests.service.processes import PATIENCE, ROOT, environment


def test_a_burst_is_let_through_and_then_one_at_a_time() -> None:
    limits = RateLimiter()
    assert [limits.count("commands", "a", START) for _ in range(40)] == [0] * 40
    assert limits.count("commands", "a", START) == 100
    assert limits.count("commands", "a", START) == 100, "a refusal costs nothing"
    assert limits.count("commands", "a", START + 99) == 1
    assert limits.count("commands", "a", START + 100) == 0
    assert limits.count("commands", "a", START + 100) == 100


def test_one_token_does_not_use_up_what_another_may_ask_nor_one_kind_another() -> None:
    limits = RateLimiter()
    while not limits.count("rewinds", "a", START):
        pass
    assert limits.count("rewinds", "b", START) == 0
    assert limits.count("commands", "a", START) == 0


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxy", "counted"),
    [
        ("192.0.2.1", "", "", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.9", "", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.9", "10.0.0.1", "192.0.2.1"),
        ("10.0.0.1", "192.0.2.9, 192.0.2.1", "10.0.0.1", "192.0.2.1"),
        ("10.0.0.1", "", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "192.0.2.1, unknown", "10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "2001:db8:1:2:3:4:5:6", "10.0.0.1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::7", "", "", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "", "", "192.0.2.1"),
        ("testclient", "192.0.2.1", "", ""),
    ],
)
def test_a_request_counts_for_its_client_and_a_proxy_is_believed_if_it_is_named(
    peer: str, forwarded: str, proxy: str, counted: str
) -> None:
    assert address_of(peer, forwarded, proxy) == counted


class Slow(Hearing):
    async def _receive(self) -> Any:
        await self._left.wait()
        return {"type": "http.disconnect"}


@played
async def test_bodies_that_do_not_come_are_few_for_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODIES_MAX", 2)
    async with stage() as staged:

        def begin(address: str) -> Slow:
            headers = {"Content-Length": "9", "Sec-Fetch-Site": "same-origin"}
            return Slow(staged.app, "/api/v1/sessions", headers, "POST", address)

        async def count(address: str, bodies: int) -> None:
            async with asyncio.timeout(PATIENCE):
                while staged.app.state.bodies[address] < bodies:
                    await asyncio.sleep(0.01)

        slow = [begin("192.0.2.1") for _ in range(2)]
        await count("192.0.2.1", 2)
        third, other = begin("192.0.2.1"), begin("192.0.2.2")
        await third.until(lambda: third.ended)
        assert third.status == 429 and "retry-after" in third.headers and b"2 requests from your network" in third.raw
        await count("192.0.2.2", 1)
        for one in (*slow, other):
            assert one.status == 0
            await one.leave()
            await one.until(lambda one=one: one.ended)  # type: ignore[misc]
        assert not staged.app.state.bodies


def test_the_limits_are_those_that_were_decided() -> None:
    per_second = {bucket: 1_000 / limit.every_ms for bucket, limit in LIMITS.items()}
    assert per_second["commands"] == 10 and LIMITS["commands"].burst == 40
    assert per_second["films"] * 60 == 60
    assert per_second["tries"] == 20
    assert per_second["rewinds"] * 3_600 == 3 == LIMITS["rewinds"].burst


def test_whoever_writes_waits_for_others_and_for_the_store_as_long_as_is_said() -> None:
    said = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    assert f"gets 503 with `Retry-After` within {WRITE_WAIT_S + LOCK_SECONDS:g} seconds" in said


def test_what_is_only_tried_does_not_wait_for_those_who_write() -> None:
    posts = [route for route in routes() if route.method == "POST"]
    assert [route.path for route in posts if route.limit == "tries" and is_write(route)] == []
    written = {route.path for route in posts if is_write(route)}
    assert {"/{lang:str}/play/{match:str}", "/{lang:str}/record/{match:str}/undo"} <= written


def test_all_who_show_no_token_share_one_generous_limit() -> None:
    limits = RateLimiter()
    taken = sum(not limits.count("films", "", START) for _ in range(2 * ANONYMOUS_FACTOR * LIMITS["films"].burst))
    assert taken == ANONYMOUS_FACTOR * LIMITS["films"].burst


def test_who_has_not_asked_for_long_is_forgotten_and_nobody_else() -> None:
    limits = RateLimiter()
    while not limits.count("commands", "busy", START):
        pass
    for number in range(20_000):
        limits.count("tries", str(number), START + number // 10_000)
    assert limits.count("commands", "busy", START + 2) > 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_is_heard_where_so_much_wakes_the_loop_that_its_own_byte_is_lost() -> None:
    async def signalled() -> bool:
        loop: Any = asyncio.get_running_loop()
        told = asyncio.Event()
        on_signal(loop, signal.SIGUSR1, lambda number: told.set())
        with suppress(BlockingIOError):
            while True:
                loop._csock.send(bytes(4096))
        os.kill(os.getpid(), signal.SIGUSR1)
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), PATIENCE)
        loop.remove_signal_handler(signal.SIGUSR1)
        return told.is_set()

    assert run_loop(signalled())


def test_nothing_new_is_taken_on_once_it_is_about_to_stop(served: Served) -> None:
    told: list[str] = []
    served.context.drain_callbacks.append(lambda: told.append("bye"))
    assert served.get("/api/v1/sessions", "head").status_code == 200 and told == []
    served.context.drain()
    assert told == ["bye"]
    for answer in (served.get("/api/v1/sessions"), served.get("/en/floor")):
        assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
    assert served.get("/api/v1/sessions").json()["type"] == "/problem/draining"


READINGS: list[str] = []


def read_late() -> type[int]:
    READINGS.append("learnt")
    return int


class Late(Struct):
    """A type that no codec has compiled yet."""

    number: "read_late()"  # type: ignore[valid-type]


def test_a_service_has_learnt_every_type_before_it_answers() -> None:
    build_decoders.cache_clear()
    with serve():
        assert READINGS == ["learnt"]
    assert json.decode(b'{"number": 1}', type=Late).number == 1 and READINGS == ["learnt"], "it is learnt once"


RACE = """
import sys, threading, msgspec
from service.app import routes
from service.app import build_decoders
build_decoders()
sys.setswitchinterval(1e-6)
gate = threading.Barrier(8)
def read():
    for route in routes():
        for kind in (route.body, route.query):
            gate.wait()
            try:
                msgspec.json.decode(b'{"kind":"line"}', type=kind)
            except msgspec.ValidationError:
                pass
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_what_is_learnt_is_read_by_many_at_once() -> None:
    """Without compiling the codecs first, one of three processes crashes."""
    command = [sys.executable, "-c", RACE]
    for _ in range(3 if is_nightly() else 1):
        ran = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
