"""Commands: the id by which a repetition is known, bound to its sender, and the hash of what the command asks for."""

from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from recorder.store import Repeated, Store

ASKED_BYTES = 16
"""Bytes kept of a command's hash."""
HASH_DIGITS = 32
BOUND: Final = "sent/"
"""Prefix of the ids of commands with a sender: no id that a sender can give begins so."""
UNKNOWN: Final = "?"
"""Role of a sender whose command an earlier version recorded."""


class Sender(Struct, frozen=True):
    """The sender of a command: the name it is recorded under, the token or other proof of who that is, and the role."""

    name: str
    token: str
    role: str = ""


class Command(Struct, frozen=True):
    """A command: its id in the store, and the hash of what it asks for.

    With a sender the id is made of both, and `given` is the id as it was sent. `shared` begins the ids of that given id
    from all senders of the same name.
    """

    id: str
    asked: bytes
    given: str = ""
    shared: str = ""


def command_of(command_id: str | None, *asked: object, sender: Sender | None = None) -> Command | None:
    """The command of this id, if it has one. Its time and the version it is decided on are no part of it."""
    if command_id is None:
        return None
    if not isinstance(command_id, str):
        raise TypeError(f"command_id: a text, not {type(command_id).__name__}")
    digest = sha256(msgspec.msgpack.encode(asked)).digest()[:ASKED_BYTES]
    if sender is None:
        return Command(command_id, digest)
    shared = f"{BOUND}{_hash(command_id, sender.name)}/"
    own = shared + _hash(command_id, sender.token)
    return Command(f"{own}/{sender.role}" if sender.role else own, digest, command_id, shared)


def read_roles(store: Store, match: str, after: int) -> dict[int, str]:
    """Return the role of the sender of each entry after entry `after`, where a command led to the entry.

    The role is `UNKNOWN` for an entry that an earlier version recorded for a sender, and empty for a command without a
    sender, which was given at the store itself. Raises StoreError.
    """
    roles: dict[int, str] = {}
    for command, first, last in store.commands_after(match, after):
        role = (command.split("/")[3:] or [UNKNOWN])[0] if command.startswith(BOUND) else ""
        roles |= dict.fromkeys(range(max(first, after + 1), last + 1), role)
    return roles


def _hash(*parts: str) -> str:
    return sha256(msgspec.msgpack.encode(parts)).hexdigest()[:HASH_DIGITS]


def find_command(store: Store, match: str, command: Command) -> Repeated | None:
    """What this command led to, if it was recorded before. It asked for something else if its sender reused the id.

    A command of another token of the same name counts if it asked for the same: somebody has signed in again. So does
    one that an earlier version recorded under the id alone. Raises StoreError.
    """
    if not command.given:
        return store.command(match, command.id)
    held = store.command_ids(match, command.given, command.shared)
    if command.id in held:
        return store.command(match, command.id)
    for one in held:
        before = store.command(match, one)
        if before is not None and (before.asked == command.asked or (one == command.given and not before.asked)):
            return before
    return None
