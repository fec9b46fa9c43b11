"""The load test counts its commands by outcome, against a server with scripted responses."""

import asyncio
from collections import Counter

import pytest

from benchmarks import load
from benchmarks.load import ACKNOWLEDGED, LATE, REFUSED, RESET, WRONG, Connection, send_until_acknowledged
from tests.service.browsing import run_loop

SILENCE, LOST = b"silence", b""
DONE = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"
AGAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
BUSY = b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
OFTEN = b"HTTP/1.1 429 Often\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
PARTING = b"HTTP/1.1 503 Ends\r\nRetry-After: 0\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
RUDE = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
OURS = b"HTTP/1.1 500 Fault\r\nContent-Length: 0\r\n\r\n"
PATIENCE_S = 60.0


async def send(answers: list[bytes]) -> tuple[Counter[str], list[bytes], bool]:
    """Return the outcomes for scripted responses, the bodies sent, and whether the command was acknowledged."""
    left, bodies = list(answers), list[bytes]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            bodies.append(await reader.readexactly(4))
            assert b"Content-Length: 4" in head
            reply = left.pop(0)
            if reply == SILENCE:
                load.ANSWER_S = PATIENCE_S  # a waiting request keeps its earlier timeout
                await asyncio.Event().wait()
            writer.write(reply)
            if reply in (LOST, PARTING):
                writer.close()
                return

    def heard(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.append(asyncio.ensure_future(answer(reader, writer)))

    tasks: list[asyncio.Future[None]] = []
    server = await asyncio.start_server(heard, "127.0.0.1", 0)
    connection = Connection(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    sent: Counter[str] = Counter()
    done = await send_until_acknowledged(connection, "/", {}, b"once", sent)
    connection.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    server.close()
    assert not left, "it was sent as often as it was answered"
    return sent, bodies, done is not None


@pytest.mark.parametrize(
    ("answers", "counted", "done"),
    [
        ([DONE], {ACKNOWLEDGED: 1}, True),
        ([BUSY, OFTEN, BUSY, DONE], {f"{REFUSED} 503": 2, f"{REFUSED} 429": 1, ACKNOWLEDGED: 1}, True),
        ([PARTING, DONE], {f"{REFUSED} 503": 1, ACKNOWLEDGED: 1}, True),
        ([LOST, AGAIN], {RESET: 1, ACKNOWLEDGED: 1}, True),
        ([SILENCE, AGAIN], {LATE: 1, ACKNOWLEDGED: 1}, True),
        ([RUDE], {f"{WRONG} 503": 1}, False),
        ([BUSY, OURS], {f"{REFUSED} 503": 1, f"{WRONG} 500": 1}, False),
        ([BUSY] * load.SENT_MAX, {f"{REFUSED} 503": load.SENT_MAX}, False),
    ],
    ids=[
        "done", "told to come back", "parted with", "lost", "never answered", "no time to come back", "fault",
        "in vain",
    ],
)  # fmt: skip
def test_each_time_a_command_is_sent_is_counted_by_what_became_of_it(
    answers: list[bytes], counted: dict[str, int], done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "ANSWER_S", 0.2 if SILENCE in answers else PATIENCE_S)
    monkeypatch.setattr(load, "LOST_S", 0)
    sent, bodies, acknowledged = run_loop(send(answers))
    assert (dict(sent), acknowledged) == (counted, done)
    assert bodies == [b"once"] * len(answers)
