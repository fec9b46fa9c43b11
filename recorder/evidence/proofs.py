"""Proofs that a match is in a log, checked against the record and a checkpoint.

The form is C2SP's tlog-proof: a head line, the leaf as `extra`, its index, the hashes of its inclusion path, the
checkpoint. Proofs of growth, between two checkpoints of one log, have the same form without a leaf.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.evidence import merkle
from domain.words import Text
from recorder.evidence.checkpoints import SIZE, Checkpoint, hashes, read_checkpoint
from recorder.evidence.notes import Key, NoteError, from_base64, read_note
from recorder.sealing import Leaf, Sealing

HEAD: Final = "c2sp.org/tlog-proof@v1"
LEAF: Final = re.compile(r"match ([A-Za-z0-9][A-Za-z0-9._-]{0,63}) ([1-9][0-9]{0,17}) ([0-9a-f]{64})\n")
HASHES_MAX: Final = 64
"""Limit of a proof's hashes, far above the levels of any log."""


ENTRIES_MAX: Final = 10**18


class Proof(Struct, frozen=True):
    """A leaf with its index from 0, its inclusion path, and the checkpoint."""

    leaf: Leaf
    at: int
    hashes: tuple[bytes, ...]
    note: str

    def __str__(self) -> str:
        path = "".join(f"{b64encode(hash).decode()}\n" for hash in self.hashes)
        return f"{HEAD}\nextra {b64encode(self.leaf.line).decode()}\nindex {self.at}\n{path}\n{self.note}"

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint, signed or not. Raises NoteError."""
        return read_checkpoint(self.note)

    def signers(self, keys: Sequence[Key]) -> tuple[str, ...]:
        """Return which of these keys signed the checkpoint. Raises NoteError."""
        return tuple(map(str, read_note(self.note).signed_by(keys)))

    def holds(self) -> bool:
        """True if the leaf is in the log of the checkpoint. Raises NoteError."""
        top = self.checkpoint
        return merkle.includes(top.root, top.size, self.at, merkle.hash_leaf(self.leaf.line), self.hashes)


def prove(sealed: Sealing, match: str, upto: int = ENTRIES_MAX, *, shown: bool = False) -> Proof | None:
    """Return the proof of a match's newest checkpointed leaf over at most `upto` entries, or None. `shown` selects
    leaves over shown rows."""
    if not sealed.checkpoints:
        return None
    size, note = sealed.checkpoints[-1]
    leaves = sealed.leaves[:size]
    at = next((at for at in range(size - 1, -1, -1) if _covers(leaves[at], match, upto, shown)), None)
    return None if at is None else Proof(leaves[at], at, tuple(merkle.prove_inclusion(hashes(leaves), at)), note)


def _covers(leaf: Leaf, match: str, upto: int, shown: bool) -> bool:
    return leaf.match == match and leaf.entries <= upto and leaf.shown is shown


def read_proof(text: str) -> Proof:
    """Parse a proof. Raises NoteError."""
    header, _, note = text.partition("\n\n")
    lines = header.split("\n")
    if len(lines) < 3 or lines[0] != HEAD or len(lines) > HASHES_MAX + 3:
        raise NoteError(Text("proof.none"))
    extra, index = _strip_prefix("extra ", lines[1]), _strip_prefix("index ", lines[2])
    leaf = LEAF.fullmatch((from_base64(extra) or b"").decode("utf-8", "replace"))
    if leaf is None or SIZE.fullmatch(index) is None:
        raise NoteError(Text("proof.none"))
    path = tuple(map(_parse_hash, lines[3:]))
    signatures = read_note(note).signatures
    if len(set(signatures)) < len(signatures):
        raise NoteError(Text("proof.twice"))
    return Proof(Leaf(leaf[1], int(leaf[2]), bytes.fromhex(leaf[3])), int(index), path, note)


def _strip_prefix(word: str, line: str) -> str:
    if not line.startswith(word):
        raise NoteError(Text("proof.none"))
    return line.removeprefix(word)


def _parse_hash(line: str) -> bytes:
    data = from_base64(line)
    if data is None or len(data) != len(merkle.EMPTY):
        raise NoteError(Text("proof.none"))
    return data


GROWTH: Final = "shinpan/growth/1"


class Growth(Struct, frozen=True):
    """A proof that a log only grew between an earlier checkpoint and this one."""

    hashes: tuple[bytes, ...]
    note: str

    def __str__(self) -> str:
        return f"{GROWTH}\n{''.join(f'{b64encode(hash).decode()}' + chr(10) for hash in self.hashes)}\n{self.note}"

    def holds(self, old: Checkpoint) -> bool:
        """True if the checkpoint extends the old one. Raises NoteError."""
        new = read_checkpoint(self.note)
        return new.origin == old.origin and merkle.extends(old.root, old.size, new.root, new.size, self.hashes)


def prove_growth(sealed: Sealing, old: Checkpoint) -> Growth | None:
    """Return the proof from a checkpoint to the newest one, or None if no checkpoint is that large."""
    if not sealed.checkpoints or old.size > sealed.checkpoints[-1][0]:
        return None
    size, note = sealed.checkpoints[-1]
    return Growth(tuple(merkle.prove_consistency(hashes(sealed.leaves[:size]), old.size)), note)


def read_growth(text: str) -> Growth:
    """Parse a proof of growth. Raises NoteError."""
    header, _, note = text.partition("\n\n")
    head, *lines = header.split("\n")
    if head != GROWTH or len(lines) > HASHES_MAX:
        raise NoteError(Text("proof.none"))
    return Growth(tuple(map(_parse_hash, lines)), note)
