"""The chain of a record: every entry carries the hash of all that came before it, as the last field of its bytes.

    head(0) = 32 zero bytes
    head(n) = SHA-256("shinpan/entry/1" NUL, n as 8 bytes, head(n - 1), the bytes of entry n)
    link of entry n, its field `link`, 64 hexadecimal digits = head(n - 1); of entry 1 it is 32 bytes of salt

The first link is secret where the record is: whoever sees a head, or some of the entries, can try no hidden card by it.
Of entry 1 the bytes without carried names count (`names.separate`).
Entries of earlier programs carry no link and have a head all the same: the first linked one behind them vouches for all
of them.
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
"""The head before the first entry, and how long a head and salt are."""

NUMBER_BYTES: Final = 8
DIGITS: Final = 64
FIELD: Final = b"\xa4link\xd9" + bytes((DIGITS,))
"""How msgpack begins the field. No text holds these bytes: a head byte of UTF-8 would stand before an ASCII letter."""

_TAIL: Final = len(FIELD) + DIGITS
_FIXMAP_MAX: Final = 15
_FIXMAPS: Final = tuple(bytes((0x80 | fields,)) for fields in range(_FIXMAP_MAX + 1))
_MAP16: Final = 0xDE

Wrong = Literal["altered", "removed", "inserted", "moved", "unlinked", "apart", "rewritten", "ends"]
"""What became of entries: other bytes stand there; they are gone; they were not there; they stand elsewhere; have lost
their link; one of two that do not fit was altered, and nothing tells which; a chain that holds is another than the one
known; the record ends before them."""


class Fault(Struct, frozen=True):
    """The first thing wrong with a record: what became of the entries `first` to `last`, as they were numbered."""

    wrong: Wrong
    first: int
    last: int


class Chain(Struct, frozen=True):
    """A record looked through: its head, how many entries it has, from which on they are linked (0: none is)."""

    head: bytes
    entries: int
    linked: int
    fault: Fault | None = None


def render(fault: Fault) -> Text:
    """What is wrong, told at its first entry."""
    one = "_one" if fault.wrong in ("removed", "inserted") and fault.first == fault.last else ""
    return Text(f"chain.{fault.wrong}{one}", {"first": fault.first, "last": fault.last})


def follow(head: bytes, number: int, state: bytes) -> bytes:
    """The head behind an entry, by the head before it."""
    if number == 1:
        state, _ = names.separate(state)
    return sha256(TAG + number.to_bytes(NUMBER_BYTES, "big") + head + state).digest()


def link(state: bytes, head: bytes) -> bytes:
    """The entry with its link."""
    return _with_fields(state, 1) + FIELD + hexlify(head)


def unlink(state: bytes) -> bytes:
    """The entry without its link, if it carries one."""
    return state if link_of(state) is None else _with_fields(state[:-_TAIL], -1)


def _with_fields(state: bytes, more: int) -> bytes:
    """The bytes of an entry, told to have so many more fields."""
    long = state[0] == _MAP16
    fields = more + (int.from_bytes(state[1:3], "big") if long else state[0] & _FIXMAP_MAX)
    opening = _FIXMAPS[fields] if fields <= _FIXMAP_MAX else bytes((_MAP16,)) + fields.to_bytes(2, "big")
    return opening + state[3 if long else 1 :]


def link_of(state: bytes) -> bytes | None:
    """The head an entry says it follows; None if it says none."""
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
        head = follow(head, number, state)
    return head


def fold(states: Iterable[bytes]) -> bytes:
    """The head behind entries, looked at or not."""
    head = START
    for number, state in enumerate(states, start=1):
        head = follow(head, number, state)
    return head


def examine(states: Sequence[bytes], known: Mapping[int, bytes] = MappingProxyType({})) -> Chain:
    """Look a record through, as far as the first thing wrong. `known` are heads told elsewhere, by entry: nothing else
    vouches for the last entry, or for a chain that was written anew."""
    head, linked, sound = START, 0, 0
    for number, state in enumerate(states, start=1):
        said = link_of(state)
        if said is None:
            if linked:
                return Chain(head, len(states), linked, Fault("unlinked", number, number))
        else:
            linked = linked or number
            if said != head and number > 1:
                return Chain(head, len(states), linked, _diagnose(states, number, head, known))
        head = follow(head, number, state)
        if number in known:
            if known[number] != head:
                return Chain(head, len(states), linked, Fault("rewritten", sound + 1, number))
            sound = number
    beyond = max(known, default=0)
    fault = Fault("ends", len(states) + 1, beyond) if beyond > len(states) else None
    return Chain(head, len(states), linked, fault)


def _diagnose(states: Sequence[bytes], at: int, head: bytes, known: Mapping[int, bytes]) -> Fault:
    """What became of a record whose entry `at` does not follow the `head` before it.

    Each link vouches for the entry before it under the number it had: so an entry tells where it stood, if the one that
    followed it is still there.
    """
    links = {said: number for number, state in enumerate(states, start=1) if number > 1 and (said := link_of(state))}
    told = links.keys() | set(known.values())
    said, state = link_of(states[at - 1]) or b"", states[at - 1]
    if follow(said, at, state) in told:
        return Fault("altered", at - 1, at - 1)  # this one stood here, behind another than stands there now
    if at == len(states) and at not in known:
        return Fault("apart", at - 1, at)
    stood = next((number for number in _near(at, len(states)) if follow(said, number, state) in told), 0)
    true = links.get(head, 0)
    if stood > at:
        return Fault("moved", at, at) if true > at else Fault("removed", at, stood - 1)
    if stood:
        return Fault("inserted", stood, at - 1)
    if true > at:
        return Fault("inserted", at, true - 1)
    return Fault("altered", at, at)


def _near(at: int, entries: int) -> Iterable[int]:
    """All other numbers an entry may have had, the nearest first."""
    for away in range(1, entries + 1):
        yield at + away
        if at > away:
            yield at - away
