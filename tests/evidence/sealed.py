"""A store with closed, open and old matches, sealed twice, and the checkpoints that others kept of it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from domain.evidence import chain
from domain.law.entries import Closed, Noted, Opened
from domain.table.table import Seat
from recorder import codec
from recorder.evidence.notes import Signer
from recorder.evidence.sealing import seal
from recorder.rows import StateRows, WriteBatch
from recorder.sealing import Sealing, read_sealing
from recorder.store import Store
from tests.toy import Rules, schema

ORGANISER, LATER, STRANGER = (Signer.make(name, name.encode().ljust(32)) for name in ("cup", "later", "stranger"))
ENTRIES = 6
CLOSED = Closed(by="judge", seed="", reason="x")


def first_entry(match: str) -> Opened:
    return Opened(
        match=match, game="toy", version="1", rules={}, rules_hash="", schema=schema(Rules()),
        seats=(Seat("p1"),), names={}, at=7,
    )  # fmt: skip


def make_note(text: str) -> Noted:
    return Noted(by="judge", text=text)


def record(store: Store, match: str, entries: int = ENTRIES, close: bool = True) -> None:
    store.append(match, 0, [first_entry(match)])
    for number in range(1, entries - 1):
        store.append(match, number, [make_note(f"{match} {number}")])
    store.append(match, entries - 1, [CLOSED if close else make_note("last")])


def old(match: str, entries: int = ENTRIES) -> list[bytes]:
    """Return a match as an earlier program recorded it, without links."""
    return [codec.encode(entry) for entry in (first_entry(match), *(make_note(f"old {n}") for n in range(1, entries)))]


def make_evening(where: Path) -> tuple[str, str]:
    """Create a store with four matches and return its two checkpoints. `a`, `b` and `d` are closed, `c` is open; `d` is
    recorded between the checkpoints."""
    with Store.open(where) as store:
        record(store, "a")
        record(store, "b")
        record(store, "c", close=False)
        first = seal(store, ORGANISER).note
        record(store, "d")
        return first, seal(store, ORGANISER).note


def sealing(where: Path) -> Sealing:
    with Store.open(where, read_only=True) as store:
        return read_sealing(store)


def states(where: Path, match: str) -> list[bytes]:
    with Store.open(where, read_only=True) as store:
        return store.read_bytes(match)


def execute(where: Path, *statements: tuple[str, Sequence[Any]]) -> None:
    """Run SQL as an attacker who has the file but no key."""
    with closing(sqlite3.connect(where)) as connection, connection:
        for statement, parameters in statements:
            connection.execute(statement, parameters)


def replace_match(where: Path, match: str, states: Sequence[bytes]) -> None:
    rows = [(match, number, codec.topic(codec.decode(state)), state) for number, state in enumerate(states, start=1)]
    insert = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
    execute(where, ("DELETE FROM stored_events WHERE originator_id=?", (match,)), *((insert, row) for row in rows))


def change(state: bytes, **fields: Any) -> bytes:
    plain = msgspec.msgpack.decode(chain.unlink(state))
    link = chain.link_of(state)
    changed = msgspec.msgpack.encode(plain | fields)
    return changed if link is None else chain.link(changed, link)


def relink(states: Sequence[bytes], salt: bytes = bytes(32)) -> list[bytes]:
    return list(_relink(states, salt))


def _relink(states: Sequence[bytes], salt: bytes) -> Iterator[bytes]:
    head = chain.START
    for number, state in enumerate(states, start=1):
        linked = chain.link(chain.unlink(state), salt if number == 1 else head)
        head = chain.next_head(head, number, linked)
        yield linked


def take_in(store: Store, match: str, states: Sequence[bytes]) -> None:
    """Record a match as exactly these bytes, as an import does."""
    assert store.append_matches({match: WriteBatch(StateRows(match, states), linked=False)}) is None
