"""An overloaded or stopping server: acknowledged commands are recorded once, and others are told to retry."""

import asyncio
import resource
import socket
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from msgspec.structs import replace

from benchmarks import load
from benchmarks.load import ACKNOWLEDGED, REFUSED, RESET, WRONG, Connection
from benchmarks.service import ENTRIES_BEFORE_LOAD, GAME, MatchScript, lines, play_next, write_store
from domain.games import GAMES
from domain.law.law import Law
from recorder.keyring import Holder
from recorder.store import Store
from tests.service.browsing import run_loop
from tests.service.processes import lock_store, server, token_of, wait_for

pytestmark = [pytest.mark.process, pytest.mark.nightly]
MATCHES, LINES = 8, 10
"""Twice the commands that one token may send at once, in twice the matches that are written at once."""
COMMANDS = MATCHES * LINES
BUSY, OFTEN, FULL = f"{REFUSED} 503", f"{REFUSED} 429", f"{WRONG} 503"
ROOM = 64 * 1024
"""Bytes by which files may grow before the disk is full."""
SLOW_CLIENTS, RECEIVED_MAX = 200, 4_096
"""Clients that never read or never end their request, and bytes that the system receives for each."""
GOES_ON = "GOES_ON"
"""Environment variable: a file that restarts the clock once it exists."""
STILL = (
    "import os\n"
    "from pathlib import Path\n"
    "from functools import partial\n"
    "from cli import main, server_startup\n"
    "from recorder.clock import read_wall_clock\n"
    "began = read_wall_clock()\n"
    f"read = lambda: read_wall_clock() if Path(os.environ['{GOES_ON}']).exists() else began\n"
    "server_startup.AppContext = partial(server_startup.AppContext, clock=read)\n"
    "main.main()"
)
"""A program whose clock stands still at first, so that even a slow machine exceeds the rate limit."""


def begin(path: Path) -> list[MatchScript]:
    return [replace(script, lines=script.lines[:LINES]) for script in write_store(path, MATCHES)]


async def play_all(
    url: str, scripts: list[MatchScript], sent: Counter[str], due: Callable[[], bool], then: Callable[[], None]
) -> None:
    """Play all matches at once to their ends, and call `then` as soon as `due` is true."""

    async def play(script: MatchScript) -> None:
        connection = Connection(url)
        while script.lines and await play_next(connection, script, sent):
            pass
        connection.close()

    playing = asyncio.gather(*map(play, scripts))
    while not due():
        await asyncio.sleep(0.01)
    await asyncio.to_thread(then)
    await playing


def hold_against(path: Path, typed: dict[str, list[tuple[str, str]]], commands: int = COMMANDS) -> None:
    law = Law(GAMES[GAME], GAMES[GAME].versions[tuple(GAMES[GAME].versions)[-1]])
    with Store.open(path, read_only=True) as store:
        for match, played in typed.items():
            assert lines(law, store.read(match)) == played
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT COUNT(*) FROM commands").fetchone() == (commands,)


def test_more_than_it_can_take_is_told_so_and_what_it_acknowledges_stands_once(tmp_path: Path) -> None:
    path, sent = tmp_path / "load.sqlite", Counter[str]()
    scripts = begin(path)
    typed = {script.match: list(script.lines) for script in scripts}
    token = token_of(path, Holder(role="scorekeeper", name="load"))
    for script in scripts:
        script.token = token
    goes_on = tmp_path / "goes-on"
    with (
        server(store=path, begin=(sys.executable, "-c", STILL), **{GOES_ON: str(goes_on)}) as served,
        ExitStack() as locked,
    ):
        locked.enter_context(lock_store(path))

        def let_go() -> None:
            locked.close()
            wait_for(lambda: sent[OFTEN] > 0)
            goes_on.touch()

        run_loop(play_all(served.url, scripts, sent, lambda: sent[BUSY] > 0, let_go))
    assert set(sent) == {ACKNOWLEDGED, BUSY, OFTEN}, sent
    assert sent[ACKNOWLEDGED] == COMMANDS
    hold_against(path, typed)


def test_on_a_full_disk_what_was_acknowledged_stands_once_and_the_rest_is_refused(tmp_path: Path) -> None:
    path, sent = tmp_path / "load.sqlite", Counter[str]()
    scripts = begin(path)
    typed = {script.match: list(script.lines) for script in scripts}
    with server(store=path) as served:
        full = path.stat().st_size + ROOM
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (full, full))
        run_loop(play_all(served.url, scripts, sent, lambda: True, lambda: None))
        assert httpx.get(f"{served.url}/en/floor").status_code == 200, "reading goes on"
    assert {ACKNOWLEDGED, FULL} <= set(sent) <= {ACKNOWLEDGED, FULL, BUSY, OFTEN}, sent
    recorded = {script.match: typed[script.match][: script.head - ENTRIES_BEFORE_LOAD] for script in scripts}
    assert sum(map(len, recorded.values())) == sent[ACKNOWLEDGED]
    hold_against(path, recorded, sent[ACKNOWLEDGED])


def test_clients_that_do_not_read_or_do_not_finish_keep_no_command_waiting(tmp_path: Path) -> None:
    path, sent = tmp_path / "load.sqlite", Counter[str]()
    scripts = begin(path)
    typed = {script.match: list(script.lines) for script in scripts}
    with server(store=path) as served, ExitStack() as opened:
        address = urlsplit(served.url)
        for number in range(SLOW_CLIENTS):
            slow = opened.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_MAX)
            slow.connect((address.hostname, address.port))
            script = scripts[number % MATCHES]
            head = f"GET /api/v1/matches/{script.match}/live HTTP/1.1\r\nHost: {address.netloc}\r\n"
            ending = f"Authorization: Bearer {script.token}\r\n\r\n" if number % 2 else ""
            slow.sendall((head + ending).encode())
        run_loop(play_all(served.url, scripts, sent, lambda: True, lambda: None))
    assert sent[ACKNOWLEDGED] == COMMANDS and set(sent) <= {ACKNOWLEDGED, BUSY, OFTEN}, sent
    hold_against(path, typed)


def test_told_to_stop_amid_many_commands_and_begun_again_it_loses_and_doubles_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "SENT_MAX", 1_000)
    path, sent = tmp_path / "load.sqlite", Counter[str]()
    scripts = begin(path)
    typed = {script.match: list(script.lines) for script in scripts}
    with server(store=path) as first, ExitStack() as second:

        def begin_again() -> None:
            first.end()
            second.enter_context(server(store=path, port=int(first.url.rpartition(":")[2])))

        run_loop(play_all(first.url, scripts, sent, lambda: sent[ACKNOWLEDGED] > COMMANDS // 4, begin_again))
    assert set(sent) <= {ACKNOWLEDGED, BUSY, RESET} and sent[RESET] > 0, sent
    assert sent[ACKNOWLEDGED] == COMMANDS
    hold_against(path, typed)
