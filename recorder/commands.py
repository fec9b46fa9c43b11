"""Commands: an id that detects repetitions, bound to its sender, and a hash of the request."""

from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from recorder.store import Repeated, Store

ASKED_BYTES = 16
HASH_DIGITS = 32
BOUND: Final = "sent/"
"""Prefix of the ids of commands with a sender; ids given by a sender cannot start with it."""
UNKNOWN: Final = "?"
"""Role of a sender whose command an earlier version recorded."""


class Sender(Struct, frozen=True):
    """The sender of a command. `token` is the proof of identity."""

    name: str
    token: str
    role: str = ""


class Command(Struct, frozen=True):
    """A command: its id in the store and the hash of its request. With a sender, `id` is derived from both and `given`
    is the id as sent. `shared` is the prefix of the ids that senders of the same name derive from `given`."""

    id: str
    asked: bytes
    given: str = ""
    shared: str = ""


def command_of(command_id: str | None, *asked: object, sender: Sender | None = None) -> Command | None:
    """Return the command for an id, or None without one. Its time and expected version are not hashed."""
    if command_id is None:
        return None
    if not isinstance(command_id, str):
        raise TypeError(f"command_id: a text, not {type(command_id).__name__}")
    digest = sha256(msgspec.msgpack.encode(asked)).digest()[:ASKED_BYTES]
    if sender is None:
        return Command(command_id, digest)
    shared = f"{BOUND}{_hash(command_id, sender.name)}/"
    command = shared + _hash(command_id, sender.token)
    return Command(f"{command}/{sender.role}" if sender.role else command, digest, command_id, shared)


def read_roles(store: Store, match: str, after: int) -> dict[int, str]:
    """Return the role of the sender of each entry after entry `after` that a command recorded. The role is `UNKNOWN` if
    an earlier version recorded the sender. It is empty for a command given at the store itself. Raises StoreError."""
    roles: dict[int, str] = {}
    for command, first, last in store.commands_after(match, after):
        role = (command.split("/")[3:] or [UNKNOWN])[0] if command.startswith(BOUND) else ""
        roles |= dict.fromkeys(range(max(first, after + 1), last + 1), role)
    return roles


def _hash(*parts: str) -> str:
    return sha256(msgspec.msgpack.encode(parts)).hexdigest()[:HASH_DIGITS]


def find_command(store: Store, match: str, command: Command) -> Repeated | None:
    """Return the recorded result of this command, or None. The sender reused the id if the hashes differ.

    A command from another token of the same name counts if its hash is equal: the sender has signed in again. So does a
    command that an earlier version recorded under the id alone. Raises StoreError.
    """
    if not command.given:
        return store.command(match, command.id)
    ids = store.command_ids(match, command.given, command.shared)
    if command.id in ids:
        return store.command(match, command.id)
    for command_id in ids:
        before = store.command(match, command_id)
        if before is not None and (before.asked == command.asked or (command_id == command.given and not before.asked)):
            return before
    return None
