"""A real server that is sent more than it can take: what it acknowledges stands once, all else is told to come back."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.load import ACKNOWLEDGED, REFUSED, Connection
from benchmarks.service import GAME, Script, lines, play_next, write_store
from domain.games import GAMES
from domain.law.law import Law
from recorder.keyring import Holder
from recorder.store import Store
from tests.service.processes import held, server, token_of

pytestmark = pytest.mark.deep
MATCHES, LINES = 8, 10
"""Twice as many commands as one token may send at once, in twice as many matches as are written to at once."""
BUSY, OFTEN = f"{REFUSED} 503", f"{REFUSED} 429"


async def play_all(url: str, scripts: list[Script], sent: Counter[str], locked: ExitStack) -> None:
    """Play all matches at once, until the end; another program lets the store go when somebody was told of it."""

    async def play(script: Script) -> None:
        connection = Connection(url)
        while script.lines and await play_next(connection, script, sent):
            pass
        connection.close()

    playing = asyncio.gather(*map(play, scripts))
    while not sent[BUSY]:
        await asyncio.sleep(0.05)
    locked.close()
    await playing


def test_more_than_it_can_take_is_told_so_and_what_it_acknowledges_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "load.sqlite"
    scripts = [replace(script, lines=script.lines[:LINES]) for script in write_store(path, MATCHES)]
    token = token_of(path, Holder(role="scorekeeper", name="load"))
    typed = {script.match: list(script.lines) for script in scripts}
    sent: Counter[str] = Counter()
    with server(store=path) as served, ExitStack() as locked:
        locked.enter_context(held(path))
        for script in scripts:
            script.token = token
        asyncio.run(play_all(served.url, scripts, sent, locked))
    assert set(sent) == {ACKNOWLEDGED, BUSY, OFTEN}, sent
    assert sent[ACKNOWLEDGED] == MATCHES * LINES
    law = Law(GAMES[GAME], GAMES[GAME].versions[tuple(GAMES[GAME].versions)[-1]])
    with Store.open(path, read_only=True) as store:
        for match, played in typed.items():
            assert lines(law, store.read(match)) == played, "each line of it once, in its order"
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT COUNT(*) FROM commands").fetchone() == (MATCHES * LINES,)
