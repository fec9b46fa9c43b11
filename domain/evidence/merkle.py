"""Merkle tree over a list of leaves (RFC 9162, section 2.1), with inclusion and consistency proofs."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

LEAF, NODE = b"\0", b"\1"
EMPTY: Final = sha256(b"").digest()
"""Root of a tree without leaves."""


def hash_leaf(leaf: bytes) -> bytes:
    return sha256(LEAF + leaf).digest()


def _join(left: bytes, right: bytes) -> bytes:
    return sha256(NODE + left + right).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """Return the root of a tree, given the hashes of its leaves."""
    row = list(hashes)
    while len(row) > 1:
        pairs = [_join(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
        row = pairs + row[len(pairs) * 2 :]
    return row[0] if row else EMPTY


def _half(size: int) -> int:
    """Return the number of leaves in the left subtree: the largest power of two below `size`, which is at least 2."""
    return 1 << ((size - 1).bit_length() - 1)


def prove_inclusion(hashes: Sequence[bytes], at: int) -> list[bytes]:
    """Return the inclusion proof of leaf `at` (from 0): the sibling hashes on its path, from the leaf up."""
    assert 0 <= at < len(hashes), "a leaf of the tree"
    if len(hashes) == 1:
        return []
    half = _half(len(hashes))
    left, right = hashes[:half], hashes[half:]
    if at < half:
        return [*prove_inclusion(left, at), root(right)]
    return [*prove_inclusion(right, at - half), root(left)]


def prove_consistency(hashes: Sequence[bytes], size: int) -> list[bytes]:
    """Return the proof that a tree of the first `size` leaves is a prefix of this one; [] if it needs none."""
    assert 0 <= size <= len(hashes), "a size the tree once had"
    return _prove_growth(hashes, size, whole=True) if 0 < size < len(hashes) else []


def _prove_growth(hashes: Sequence[bytes], size: int, whole: bool) -> list[bytes]:
    if size == len(hashes):
        return [] if whole else [root(hashes)]
    half = _half(len(hashes))
    left, right = hashes[:half], hashes[half:]
    if size <= half:
        return [*_prove_growth(left, size, whole), root(right)]
    return [*_prove_growth(right, size - half, False), root(left)]


def includes(top: bytes, size: int, at: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """True if the leaf with this hash is number `at` of the tree (RFC 9162, section 2.1.3.2)."""
    if not 0 <= at < size:
        return False
    place, last, climbed = at, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            climbed = _join(sibling, climbed)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            climbed = _join(climbed, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and climbed == top


def extends(old: bytes, old_size: int, new: bytes, new_size: int, proof: Sequence[bytes]) -> bool:
    """True if the new tree extends the old one (RFC 9162, section 2.1.4.2)."""
    if old_size > new_size:
        return False
    if old_size == new_size:
        return old == new and not proof
    if old_size == 0:
        return old == EMPTY and not proof
    path = [old, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        return False
    place, last = old_size - 1, new_size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            before, after = _join(sibling, before), _join(sibling, after)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            after = _join(after, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and before == old and after == new


class MerkleTree:
    """A tree that grows leaf by leaf. It keeps one hash for each complete subtree, largest first."""

    def __init__(self) -> None:
        self.size = 0
        self._full: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Append a leaf, given its hash."""
        self._full.append(leaf)
        self.size += 1
        size = self.size
        while not size & 1:
            right, left = self._full.pop(), self._full.pop()
            self._full.append(_join(left, right))
            size >>= 1

    @property
    def root(self) -> bytes:
        if not self._full:
            return EMPTY
        top = self._full[-1]
        for left in reversed(self._full[:-1]):
            top = _join(left, top)
        return top
