"""Players' names, kept outside the bytes of a record. The opening holds a salted hash of each.

- name_hashes, a field of entry 1 = seat -> hash, 64 hexadecimal digits
- hash = SHA-256("shinpan/name/1" NUL, 32 random bytes of salt, the name as UTF-8)

An exported record may carry names and salts in its first entry (`names`, `name_salts`). The chain does not cover them:
`separate` replaces them by their hashes.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

TAG: Final = b"shinpan/name/1\0"
SALT_BYTES: Final = 32
HASHES: Final = "name_hashes"
SALTS: Final = "name_salts"
NAMES: Final = "names"
LINK: Final = "link"
_SEATS: Final = "seats"
_HASHES_BYTES: Final = HASHES.encode()
_SALTS_BYTES: Final = SALTS.encode()


class PlayerName(Struct, frozen=True):
    """A player's name at a seat, and the salt of its hash."""

    seat: str
    name: str
    salt: bytes


class _HashedOpening(Struct, frozen=True):
    name_hashes: dict[str, str] = {}


_DECODER: Final = msgspec.msgpack.Decoder(_HashedOpening)


def hash_name(name: str, salt: bytes) -> str:
    return sha256(TAG + salt + name.encode()).hexdigest()


def has_hashes(opening: bytes) -> bool:
    """True if an opening may hold hashes of names. Cheap, and may be wrong about a text that contains the key."""
    return _HASHES_BYTES in opening


def conceal(opening: bytes, make_salt: Callable[[], bytes]) -> tuple[bytes, list[PlayerName]]:
    """Replace the names of an unlinked opening by hashes, and return the new bytes and the names."""
    fields = _fields(opening)
    if not fields.get(NAMES):
        return opening, []
    names = [PlayerName(seat, name, make_salt()) for seat, name in fields.pop(NAMES).items()]
    fields[HASHES] = {each.seat: hash_name(each.name, each.salt) for each in names}
    return msgspec.msgpack.encode(fields), names


def verify_names(opening: bytes, names: Iterable[PlayerName]) -> dict[str, str]:
    """Return the names by seat that the hashes of an opening confirm, in the order of the hashes."""
    by_seat = {each.seat: each for each in names}
    try:
        hashes = _DECODER.decode(opening).name_hashes
    except msgspec.MsgspecError:
        return {}
    confirmed = (seat for seat, hash in hashes.items() if seat in by_seat and _confirms(hash, by_seat[seat]))
    return {seat: by_seat[seat].name for seat in confirmed}


def _confirms(hash: str, name: PlayerName) -> bool:
    return hash == hash_name(name.name, name.salt)


def attach(opening: bytes, names: Sequence[PlayerName]) -> bytes:
    """Return the opening with its names and their salts, for an export. Names that no hash confirms are left out."""
    confirmed = verify_names(opening, names)
    if not confirmed:
        return opening
    fields: dict[str, Any] = {}
    for key, value in _fields(opening).items():
        if key == LINK:
            fields[SALTS] = _salts(names, confirmed)
        fields[key] = value
        if key == _SEATS:
            fields[NAMES] = confirmed
    fields.setdefault(SALTS, _salts(names, confirmed))
    return msgspec.msgpack.encode(fields)


def _salts(names: Sequence[PlayerName], confirmed: dict[str, str]) -> dict[str, str]:
    return {each.seat: each.salt.hex() for each in names if each.seat in confirmed}


def separate(opening: bytes) -> tuple[bytes, list[PlayerName]]:
    """Return the bytes that the chain covers, and the names that the opening carries."""
    if _SALTS_BYTES not in opening:
        return opening, []
    try:
        fields = _fields(opening)
        salts, names, hashes = fields.pop(SALTS), fields.pop(NAMES), fields[HASHES]
        carried = [PlayerName(seat, names[seat], bytes.fromhex(salt)) for seat, salt in salts.items()]
    except (msgspec.MsgspecError, AttributeError, KeyError, TypeError, ValueError):
        return opening, []
    fields[HASHES] = {**hashes, **{each.seat: hash_name(each.name, each.salt) for each in carried}}
    return msgspec.msgpack.encode(fields), carried


def without_hashes(opening: bytes, names: dict[str, str]) -> bytes:
    """Return an unlinked opening as it was before `conceal`, with `names` in clear text."""
    fields: dict[str, Any] = {}
    for key, value in _fields(opening).items():
        if key != HASHES:
            fields[key] = value
        if key == _SEATS and names:
            fields[NAMES] = names
    return msgspec.msgpack.encode(fields)


def _fields(opening: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.msgpack.decode(opening)
    return fields
