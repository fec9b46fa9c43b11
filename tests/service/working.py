"""Stores of closed matches for jobs, and helpers that wait for jobs."""

from collections.abc import Sequence
from pathlib import Path
from time import sleep
from typing import Any

from archive.corpus.sources import load, sources
from domain.law.entries import Closed
from domain.law.record import Record
from domain.table.table import JUDGE
from recorder import codec
from recorder.store import Store
from service.access import Role
from service.settings import Settings
from tests.places import place
from tests.service.harness import START, Served
from tests.shelves import FIXTURES, SHELVES

SMALL = FIXTURES / "blackpoker" / "corpus" / "small.corpus"
PAUSE_S = 0.02
SHELF = SHELVES["blackpoker"]


def archive(folder: Path, matches: int = 8) -> Settings:
    where = place(folder / "matches.sqlite")
    with Store.open(where) as store:
        fill(store, matches)
    return Settings(store=where)


def fill(store: Store, matches: int) -> None:
    for source in list(sources([SMALL]))[:matches]:
        match = load(source)
        assert isinstance(match, Record)
        entries = [entry for entry in match.entries if not isinstance(entry, Closed)]
        closed = Closed(by=JUDGE, at=START)
        store.append_bytes(source.match, [codec.encode(entry) for entry in (*entries, closed)])


def add_match(store: Store, match: str, name: str, *, close: bool = True) -> None:
    entries = [entry for entry in SHELF.entries(name) if not isinstance(entry, Closed)]
    store.append(match, 0, (*entries, *([Closed(by=JUDGE, at=START)] if close else ())))


def ask(served: Served, body: Any, role: Role = "designer", **more: Any) -> str:
    answer = served.post("/api/v1/regressions", body, role, **more)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == answer.json()["url"]
    address: str = answer.json()["url"]
    return address


def wait(served: Served, address: str, role: Role = "designer", states: Sequence[str] = ("done",), **more: Any) -> Any:
    while True:
        answer = served.get(address, role, **more)
        assert answer.status_code == 200, answer.text
        if answer.json()["job"]["state"] in ("done", "failed", "cancelled", *states):
            assert answer.json()["job"]["state"] in states, answer.text
            return answer.json()
        sleep(PAUSE_S)
