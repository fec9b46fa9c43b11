"""What tells one command from another, so that a repetition is known as one and nothing else is taken for it."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

ASKED_BYTES = 16
"""How much of a command's hash is kept: enough to tell it from any other."""


class Command(Struct, frozen=True):
    """A command under the id its sender gave it, and the hash of what it asks for."""

    id: str
    asked: bytes


def command_of(command_id: str | None, *asked: Any) -> Command | None:
    """The command of this id, if it has one. When it is asked and on which version is no part of it."""
    if command_id is None:
        return None
    return Command(command_id, sha256(msgspec.msgpack.encode(asked)).digest()[:ASKED_BYTES])
