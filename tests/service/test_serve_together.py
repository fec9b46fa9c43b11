"""A real server and several people at once: two record at one table, one sends again and again, some are slow."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from domain.games import GAMES
from domain.law.entries import Noted, Played
from domain.law.law import Law
from recorder.keyring import Holder, Keyring
from recorder.matches import open_match
from recorder.store import Store
from tests.service.processes import PATIENCE, Server, server
from tests.service.serving import YEAR_MS

pytestmark = pytest.mark.deep
MATCH = "t0"
ENTRIES = f"/api/v1/matches/{MATCH}/entries"
RETRIES, ROUNDS, SLOW = 20, 6, 60


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a match that p1 begins."""
    path, game = tmp_path / "cup.sqlite", GAMES["blackpoker"]
    version = tuple(game.versions)[-1]
    with Store.open(path) as opened:
        law = Law(game, game.versions[version])
        assert open_match(opened, law, version, {}, seed=(1).to_bytes(16, "big"), match_id=MATCH) == MATCH
    return path


def held(store: Path, name: str) -> dict[str, str]:
    """The header of a scorekeeper."""
    with Keyring.beside(str(store)) as keys:
        return {"Authorization": f"Bearer {keys.issue(Holder(role='scorekeeper', name=name), YEAR_MS * 1000)}"}


def send(served: Server, headers: dict[str, str], command: dict[str, Any], at: int | str) -> httpx.Response:
    tag = at if isinstance(at, str) else f'"{at}"'
    return httpx.post(f"{served.url}{ENTRIES}", json=command, headers={**headers, "If-Match": tag}, timeout=PATIENCE)


def entries(store: Path) -> tuple[Any, ...]:
    with Store.open(store, read_only=True) as opened:
        return opened.read(MATCH)


def test_of_two_who_record_at_one_table_one_is_told_what_the_other_did(store: Path) -> None:
    both = [held(store, name) for name in ("Ito", "Abe")]
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


def test_a_command_sent_twenty_times_at_once_is_recorded_once(store: Path) -> None:
    headers, id = held(store, "Ito"), str(uuid4())
    command = {"id": id, "kind": "note", "text": "once"}
    with server(store=store) as served, ThreadPoolExecutor(8) as pool:
        for tag in ("*", '"3"'):
            answers = list(pool.map(lambda tag: send(served, headers, command, tag), [tag] * RETRIES))
            assert {answer.status_code for answer in answers} <= {200, 201}
            assert len({answer.text for answer in answers}) == 1
    assert [entry.text for entry in entries(store) if isinstance(entry, Noted)] == ["once"]


def test_who_never_ends_a_request_keeps_nobody_waiting(store: Path) -> None:
    headers = held(store, "Ito")
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
