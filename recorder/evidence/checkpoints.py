"""Checkpoints: the size and root of a store's log, as the text of a signed note (C2SP tlog-checkpoint)."""

import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.evidence import merkle
from domain.words import Text
from recorder.evidence.notes import NoteError, from_base64, read_note
from recorder.sealing import Leaf

SIZE: Final = re.compile("0|[1-9][0-9]{0,17}")


class Checkpoint(Struct, frozen=True):
    """The state of a log: its origin, number of leaves, and root."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def read_checkpoint(written: str) -> Checkpoint:
    """Parse the checkpoint in a note, ignoring extension lines. Raises NoteError."""
    lines = read_note(written).text.split("\n")
    if len(lines) < 4 or not lines[0] or not SIZE.fullmatch(lines[1]):
        raise NoteError(Text("checkpoint.none"))
    root = from_base64(lines[2])
    if root is None or len(root) != len(merkle.EMPTY):
        raise NoteError(Text("checkpoint.none"))
    return Checkpoint(lines[0], int(lines[1]), root)


def hashes(leaves: Sequence[Leaf]) -> list[bytes]:
    """Return the leaf hashes of the Merkle tree."""
    return [merkle.hash_leaf(leaf.line) for leaf in leaves]
