"""The hash chain of a record.

Each entry carries the hash of all entries before it, as the last field of its bytes:

- head(0) = 32 zero bytes
- head(n) = SHA-256("shinpan/entry/1" NUL, n as 8 bytes, head(n - 1), the bytes of entry n)
- link of entry n (its field `link`, 64 hexadecimal digits) = head(n - 1); of entry 1 it is 32 bytes of salt

The first link is as secret as the record. Without it, a reader of a head cannot test guesses about hidden cards.
Entry 1 is hashed without the names it may carry (`names.separate`).
Entries of earlier programs have no link but still have a head. The first linked entry after them vouches for all.
"""

from binascii import hexlify
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

from domain.evidence import names
from domain.words import Text

TAG: Final = b"shinpan/entry/1\0"
START: Final = bytes(32)
"""Head before the first entry, and the length of heads and salts in bytes."""

NUMBER_BYTES: Final = 8
DIGITS: Final = 64
FIELD: Final = b"\xa4link\xd9" + bytes((DIGITS,))
"""Prefix of the field in msgpack. No text contains it, because UTF-8 never puts a lead byte before an ASCII letter."""

_TAIL: Final = len(FIELD) + DIGITS
_FIXMAP_MAX: Final = 15
_FIXMAPS: Final = tuple(bytes((0x80 | fields,)) for fields in range(_FIXMAP_MAX + 1))
_MAP16: Final = 0xDE

FaultKind = Literal["altered", "removed", "inserted", "moved", "unlinked", "apart", "rewritten", "ends"]
"""Kinds of faults. `apart`: two entries do not fit, and either may have been altered. `rewritten`: the chain
holds, but differs from a known head. `ends`: the record ends before a known entry."""


class Fault(Struct, frozen=True):
    """The first fault of a record, with the numbers of its entries as they were before the fault."""

    wrong: FaultKind
    first: int
    last: int


class Chain(Struct, frozen=True):
    """The result of examining a record: its head, its length, and the first linked entry (0 if none is linked)."""

    head: bytes
    entries: int
    linked: int
    fault: Fault | None = None


def render(fault: Fault) -> Text:
    one = "_one" if fault.wrong in ("removed", "inserted") and fault.first == fault.last else ""
    return Text(f"chain.{fault.wrong}{one}", {"first": fault.first, "last": fault.last})


def next_head(head: bytes, number: int, state: bytes) -> bytes:
    """Return the head after an entry, given the head before it. `state` is the entry as bytes, here and below."""
    if number == 1:
        state, _ = names.separate(state)
    return sha256(TAG + number.to_bytes(NUMBER_BYTES, "big") + head + state).digest()


def link(state: bytes, head: bytes) -> bytes:
    return _with_fields(state, 1) + FIELD + hexlify(head)


def unlink(state: bytes) -> bytes:
    """Return the entry without its link. An entry without a link is returned unchanged."""
    return state if link_of(state) is None else _with_fields(state[:-_TAIL], -1)


def _with_fields(state: bytes, more: int) -> bytes:
    """Change the number of fields in the msgpack header of an entry by `more`."""
    long = state[0] == _MAP16
    fields = more + (int.from_bytes(state[1:3], "big") if long else state[0] & _FIXMAP_MAX)
    header = _FIXMAPS[fields] if fields <= _FIXMAP_MAX else bytes((_MAP16,)) + fields.to_bytes(2, "big")
    return header + state[3 if long else 1 :]


def link_of(state: bytes) -> bytes | None:
    """Return the head that an entry links to, None without a link. A malformed link gives empty bytes."""
    if state[-_TAIL:-DIGITS] != FIELD:
        return None
    try:
        return bytes.fromhex(state[-DIGITS:].decode("ascii"))
    except ValueError:
        return b""


def follow_links(states: Iterable[bytes], head: bytes = START, after: int = 0) -> bytes | None:
    """Return the head after entries that follow `head` of entry `after`; None unless each carries the link to it."""
    for number, state in enumerate(states, start=after + 1):
        if number > 1 and link_of(state) != head:
            return None
        head = next_head(head, number, state)
    return head


def compute_head(states: Iterable[bytes]) -> bytes:
    """Return the head after entries, without checking their links."""
    head = START
    for number, state in enumerate(states, start=1):
        head = next_head(head, number, state)
    return head


def examine(states: Sequence[bytes], known: Mapping[int, bytes] = MappingProxyType({})) -> Chain:
    """Examine a record up to its first fault. `known` holds trusted heads by entry number. Only a known head vouches
    for the last entry, or shows that a whole chain was rewritten."""
    head, linked, verified = START, 0, 0
    for number, state in enumerate(states, start=1):
        prior = link_of(state)
        if prior is None:
            if linked:
                return Chain(head, len(states), linked, Fault("unlinked", number, number))
        else:
            linked = linked or number
            if prior != head and number > 1:
                return Chain(head, len(states), linked, _diagnose(states, number, head, known))
        head = next_head(head, number, state)
        if number in known:
            if known[number] != head:
                return Chain(head, len(states), linked, Fault("rewritten", verified + 1, number))
            verified = number
    last_known = max(known, default=0)
    fault = Fault("ends", len(states) + 1, last_known) if last_known > len(states) else None
    return Chain(head, len(states), linked, fault)


def _diagnose(states: Sequence[bytes], at: int, head: bytes, known: Mapping[int, bytes]) -> Fault:
    """Return what happened to a record in which entry `at` does not follow `head`. Each link fixes the number of the
    entry before it, so the entry after an entry proves its original number."""
    links = {prior: number for number, state in enumerate(states, start=1) if number > 1 and (prior := link_of(state))}
    known_heads = links.keys() | set(known.values())
    prior, state = link_of(states[at - 1]) or b"", states[at - 1]
    if next_head(prior, at, state) in known_heads:
        return Fault("altered", at - 1, at - 1)  # only the entry before it differs
    if at == len(states) and at not in known:
        return Fault("apart", at - 1, at)
    original = next((number for number in _near(at, len(states)) if next_head(prior, number, state) in known_heads), 0)
    successor = links.get(head, 0)
    if original > at:
        return Fault("moved", at, at) if successor > at else Fault("removed", at, original - 1)
    if original:
        return Fault("inserted", original, at - 1)
    if successor > at:
        return Fault("inserted", at, successor - 1)
    return Fault("altered", at, at)


def _near(at: int, entries: int) -> Iterable[int]:
    """Yield the other numbers that an entry may have had, nearest first."""
    for distance in range(1, entries + 1):
        yield at + distance
        if at > distance:
            yield at - distance
