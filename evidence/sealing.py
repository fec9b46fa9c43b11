"""A store sealed: its log brought up to date, and a signed checkpoint of it that anybody may keep."""

from collections.abc import Sequence

from domain.evidence import merkle
from evidence.checkpoints import Checkpoint, read_checkpoint
from evidence.notes import Signer
from recorder import sealing
from recorder.sealing import Leaf, Sealed
from recorder.store import Store


def seal(store: Store, signer: Signer) -> Sealed:
    """Write a checkpoint of all that is recorded, signed by this key. Raises StoreError."""
    origin = origin_of(store)

    def sign(leaves: Sequence[Leaf]) -> str:
        return signer.sign(str(Checkpoint(origin, len(leaves), merkle.root(hashes(leaves)))))

    return sealing.seal(store, signer.key.public, sign)


def origin_of(store: Store) -> str:
    """What the checkpoints of a store name it by: as its first one did, so that a copy of it goes on with the log."""
    checkpoints = sealing.read_sealing(store).checkpoints
    return read_checkpoint(checkpoints[0][1]).origin if checkpoints else f"shinpan/{store.identity()}"


def hashes(leaves: Sequence[Leaf]) -> list[bytes]:
    """The leaves as the tree has them."""
    return [merkle.hash_leaf(leaf.line) for leaf in leaves]
