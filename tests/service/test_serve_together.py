"""A real server and several people at once: two record at one table, one sends again and again, some are slow."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from domain.law.entries import Noted, Played
from recorder.store import Store
from tests.service.processes import PATIENCE, Server, bearer, begin_store, server

pytestmark = [pytest.mark.process, pytest.mark.nightly]
MATCH = "t0"
ENTRIES = f"/api/v1/matches/{MATCH}/entries"
RETRIES, ROUNDS, SLOW = 20, 6, 60


@pytest.fixture
def store(tmp_path: Path) -> str:
    return begin_store(tmp_path, MATCH, seed=1)


def send(served: Server, headers: dict[str, str], command: dict[str, Any], at: int | str) -> httpx.Response:
    tag = at if isinstance(at, str) else f'"{at}"'
    return httpx.post(f"{served.url}{ENTRIES}", json=command, headers={**headers, "If-Match": tag}, timeout=PATIENCE)


def entries(store: str) -> tuple[Any, ...]:
    with Store.open(store, read_only=True) as opened:
        return opened.read(MATCH)


def test_of_two_who_record_at_one_table_one_is_told_what_the_other_did(store: str) -> None:
    both = [bearer(store, "scorekeeper", name=name) for name in ("Ito", "Abe")]
    with server(store=store) as served, ThreadPoolExecutor(2) as pool:
        for turn in range(ROUNDS):
            at = len(entries(store))
            command = {"kind": "play", "text": f"p{1 + turn % 2}: pass"}
            commands = [{"id": str(uuid4()), **command} for _ in both]
            answers = list(pool.map(send, (served, served), both, commands, (at, at)))
            assert sorted(answer.status_code for answer in answers) == [201, 412], [answer.text for answer in answers]
            (late,) = (number for number, answer in enumerate(answers) if answer.status_code == 412)
            told = answers[late].json()
            assert [entry["number"] for entry in told["since"]] == list(range(at + 1, told["head"] + 1))
            assert told["since"][0]["action"] == {"verb": "pass"}
            again = send(served, both[late], {**commands[late], "kind": "play"}, told["head"])
            assert again.status_code == 201, "the same command, behind what the other did"
    recorded = entries(store)[3:]
    assert sum(isinstance(entry, Played) and entry.actor != "chance" for entry in recorded) == 2 * ROUNDS


def test_a_command_sent_twenty_times_at_once_is_recorded_once(store: str) -> None:
    headers, id = bearer(store, "scorekeeper", name="Ito"), str(uuid4())
    command = {"id": id, "kind": "note", "text": "once"}
    with server(store=store) as served, ThreadPoolExecutor(8) as pool:
        for tag in ("*", '"3"'):
            answers = list(pool.map(lambda tag: send(served, headers, command, tag), [tag] * RETRIES))
            assert {answer.status_code for answer in answers} <= {200, 201}
            assert len({answer.text for answer in answers}) == 1
    assert [entry.text for entry in entries(store) if isinstance(entry, Noted)] == ["once"]


def test_who_never_ends_a_request_keeps_nobody_waiting(store: str) -> None:
    headers = bearer(store, "scorekeeper", name="Ito")
    with server(store=store) as served:
        address = urlsplit(served.url)
        assert address.hostname and address.port
        head = f"POST {ENTRIES} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        head += f"Authorization: {headers['Authorization']}\r\nContent-Length: 1000\r\n\r\n"
        slow = [socket.create_connection((address.hostname, address.port)) for _ in range(SLOW)]
        try:
            for number, connection in enumerate(slow):
                connection.sendall(head.encode()[: None if number % 2 else 40])
                connection.sendall(b'{"kind": "note"' if number % 2 else b"")
            for _ in range(3):
                note = {"id": str(uuid4()), "kind": "note", "text": "on time"}
                assert send(served, headers, note, "*").status_code == 201
        finally:
            for connection in slow:
                connection.close()
        assert send(served, headers, {"id": str(uuid4()), "kind": "note", "text": "on"}, "*").status_code == 201
    assert len([entry for entry in entries(store) if isinstance(entry, Noted)]) == 4
