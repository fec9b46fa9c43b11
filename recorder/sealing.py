"""The log of a store: leaves over match chains and over shown rows, and signed checkpoints. It is append-only.

A closed match gets its leaf in the transaction that closes it. An open match gets one when the store is sealed, if its
chain begins with salt; without salt the head would reveal hidden cards. Leaves over shown rows are added when the store
is sealed, by a caller that can compute the rows.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from eventsourcing.persistence import IntegrityError
from msgspec import Struct

from domain.evidence import chain
from domain.words import Text
from recorder.library.cursor import Cursor, SqlRow
from recorder.library.entries import CLOSED, NEW_LEAF, head_of, state_of
from recorder.library.odd_text import name_id
from recorder.side_tables import is_filed
from recorder.store import Store, StoreError
from recorder.store_location import FORMAT, SHOWN
from recorder.troubles import convert_store_errors

NEW_CHECKPOINT: Final = (
    "INSERT INTO checkpoints (number, size, note) SELECT COALESCE(MAX(number), 0)+1, ?, ? FROM checkpoints"
)
ALL_LEAVES: Final = "SELECT number, match, entries, head FROM leaves ORDER BY number"
MOVED_ON: Final = """SELECT originator_id, MAX(originator_version) FROM stored_events GROUP BY originator_id
    HAVING MAX(originator_version) > COALESCE((SELECT MAX(entries) FROM leaves WHERE match=originator_id), 0)"""
"""Matches with entries after their last leaf."""
HEAD_BYTES: Final = len(chain.START)
SHOWN_PREFIX: Final = "shown "
"""Prefix of the row of a leaf over shown rows, followed by the match. Match ids have no spaces."""
RAISE_FORMAT: Final = "UPDATE meta SET value=? WHERE key='format' AND value=?"


class Leaf(Struct, frozen=True):
    """A leaf of the log: a match's number of entries, and its chain head after them. If `shown`, the hash of the shown
    rows takes the place of the head. Without a match, it is the key that signs from here."""

    match: str
    entries: int
    head: bytes
    shown: bool = False

    @property
    def line(self) -> bytes:
        """The readable bytes that are hashed."""
        kind = "shown" if self.shown else "match"
        text = f"{kind} {self.match} {self.entries} {self.head.hex()}" if self.match else f"key {self.head.hex()}"
        return f"{text}\n".encode()

    @property
    def row(self) -> tuple[str, int, bytes]:
        return f"{SHOWN_PREFIX}{self.match}" if self.shown else self.match, self.entries, self.head


class SealResult(Struct, frozen=True, omit_defaults=True):
    """A checkpoint: its note, the number of leaves it covers, and how many are new (0: it existed before)."""

    note: str
    leaves: int
    new: int
    left_out: tuple[str, ...] = ()
    """Damaged matches, which got no new leaf. An earlier leaf still covers the entries up to it."""


class Sealing(Struct, frozen=True):
    """The leaves of the log, and the notes of its checkpoints with the size each covers."""

    leaves: tuple[Leaf, ...]
    checkpoints: tuple[tuple[int, str], ...]


def read_sealing(store: Store) -> Sealing:
    """Return the log of a store, empty if the store has none. Raises StoreError, also for a missing leaf."""
    select = store.log.entries.select
    with convert_store_errors(store.name):
        if "checkpoints" not in store.log.entries.tables():
            return Sealing((), ())
        # Checkpoints first: a later one could cover leaves that were added after our read.
        notes = select("SELECT size, note FROM checkpoints ORDER BY number", ())
        leaves = tuple(_leaves(store, select(ALL_LEAVES, ())))
    for number, (size, note) in enumerate(notes, start=1):
        if type(size) is not int or type(note) is not str or size < 0:
            raise StoreError("corrupt", Text("sealing.no_checkpoint", {"store": store.name, "number": number}))
    return Sealing(leaves, tuple(notes))


def _leaves(store: Store, rows: Sequence[SqlRow]) -> Iterator[Leaf]:
    for number, row in enumerate(rows, start=1):
        at, match, entries, head = row
        is_typed = type(match) is str and type(entries) is int and type(head) is bytes
        name = match.removeprefix(SHOWN_PREFIX) if is_typed else ""
        if at != number or not is_typed or len(head) != HEAD_BYTES or (entries > 0) is not bool(name):
            raise StoreError("corrupt", Text("sealing.leaf", {"store": store.name, "leaf": number}))
        yield Leaf(name, entries, head, name != match)


def list_unshown_matches(store: Store, sealed: Sealing) -> list[str]:
    """Return the matches that are due a leaf over shown rows: they have new entries since their last one. Matches
    covered by checkpoints from before the log had such leaves are not due. Raises StoreError."""
    first = next((at for at, leaf in enumerate(sealed.leaves) if leaf.shown), len(sealed.leaves))
    since = max((size for size, _ in sealed.checkpoints if size <= first), default=0)
    done = {leaf.match: leaf.entries for leaf in sealed.leaves if leaf.shown}
    with convert_store_errors(store.name):
        moved = {
            name_id(match): entries
            for match, entries in store.log.entries.select(MOVED_ON, ())
            if type(entries) is int  # sealing reports a damaged match
        }
    due = {leaf.match: leaf.entries for leaf in sealed.leaves[since:] if leaf.match and not leaf.shown} | moved
    return [match for match, entries in due.items() if done.get(match, 0) < entries]


def seal(
    store: Store,
    key: bytes,
    sign: Callable[[Sequence[Leaf]], str],
    shown: Sequence[Leaf] = (),
    damaged: Sequence[str] = (),
) -> SealResult:
    """Update the log and write a checkpoint in one transaction. Raises StoreError.

    `key` is the public key that signs from now on, and `sign` returns the note of all leaves. `shown` are leaves over
    shown rows. Matches in `damaged` or found damaged get no leaf and are listed. Without new leaves the last checkpoint
    is returned.
    """
    with store.transaction() as c:
        c.execute(ALL_LEAVES)
        leaves = [*_leaves(store, c.fetchall())]
        moved, broken = _make_due_leaves(c, damaged)
        left_out = tuple(sorted({*damaged, *broken}))
        covered = {(leaf.match, leaf.entries) for leaf in leaves if leaf.shown}
        added = [leaf for leaf in shown if (leaf.match, leaf.entries) not in covered]
        new_leaves = [*_new_key(leaves, key), *moved, *added]
        for leaf in new_leaves:
            c.execute(NEW_LEAF, leaf.row)
        if added:
            c.execute(RAISE_FORMAT, (str(SHOWN), str(FORMAT)))
        leaves += new_leaves
        c.execute("SELECT size, note FROM checkpoints ORDER BY number DESC LIMIT 1")
        size, last = c.fetchone() or (0, "")
        if size == len(leaves):
            return SealResult(last, size, 0, left_out)
        note = sign(leaves)
        c.execute(NEW_CHECKPOINT, (len(leaves), note))
    return SealResult(note, len(leaves), len(leaves) - size, left_out)


def _new_key(leaves: Sequence[Leaf], key: bytes) -> Iterator[Leaf]:
    before = next((leaf.head for leaf in reversed(leaves) if not leaf.match), None)
    if before != key:
        yield Leaf("", 0, key)


def _make_due_leaves(c: Cursor, without: Sequence[str]) -> tuple[list[Leaf], list[str]]:
    """Return a leaf for each match with new entries, and the damaged matches."""
    c.execute(MOVED_ON)
    leaves, damaged = list[Leaf](), list[str]()
    for match, entries in [tuple(row) for row in c.fetchall() if row[0] not in without]:
        try:
            leaf = _leaf_of(c, match, entries)
        except IntegrityError:
            damaged.append(name_id(match))
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            damaged.append(name_id(match))
        else:
            leaves += [] if leaf is None else [leaf]
    return leaves, damaged


def _leaf_of(c: Cursor, match: str, entries: int) -> Leaf | None:
    """Return the leaf that a match may have now, or None. Raises IntegrityError for a damaged one."""
    if type(entries) is not int:
        raise IntegrityError(f"match {match} is damaged: an entry has no number")
    head, first = head_of(c, match, entries), state_of(c, match, 1)
    c.execute("SELECT topic FROM stored_events WHERE originator_id=? AND originator_version=?", (match, entries))
    if c.fetchone()[0] == CLOSED or chain.link_of(first) is not None:
        return Leaf(match, entries, head)
    return None


def match_ids(store: Store) -> list[str]:
    """Return all match ids in any row of a store, in no particular order. Raises StoreError."""
    named = "SELECT originator_id FROM stored_events UNION SELECT match FROM matches ORDER BY 1"
    with convert_store_errors(store.name):
        return [*dict.fromkeys(name_id(row[0]) for row in store.log.entries.select(named, ()))]


def require_filed(store: Store, match: str) -> None:
    """Raise StoreError for an entry under another kind's topic, or a match missing from the list of matches. All
    entries of the match must be readable."""
    filed = "SELECT originator_version, topic, state FROM stored_events WHERE originator_id=? ORDER BY 1"
    with convert_store_errors(store.name):
        rows = store.log.entries.select(filed, (match,))
    for number, topic, state in rows:
        if not is_filed(topic, state):
            raise store.make_damage_error(match, number, Text("store.kind"))
    if match not in store.list_ids_with_prefix(match, 1):
        raise store.make_damage_error(match, 1, Text("store.unlisted"))
