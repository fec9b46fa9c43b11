"""A store sealed: its log brought up to date, and a signed checkpoint of it that anybody may keep."""

from collections.abc import Sequence

from domain.evidence import merkle
from domain.words import Text
from evidence.checking import check_log
from evidence.checkpoints import Checkpoint, hashes, read_checkpoint
from evidence.notes import Signer
from recorder import sealing
from recorder.sealing import Leaf, Sealed, Sealing
from recorder.store import Store, StoreError


def seal(store: Store, signer: Signer) -> Sealed:
    """Write a checkpoint of all that is recorded, signed by this key. Raises StoreError, also where the log is not
    what its checkpoints say: nobody signs for what was changed."""
    sealed = sealing.read_sealing(store)
    require_sound(store.name, sealed)
    origin = origin_of(store, sealed)

    def sign(leaves: Sequence[Leaf]) -> str:
        return signer.sign(str(Checkpoint(origin, len(leaves), merkle.root(hashes(leaves)))))

    return sealing.seal(store, signer.key.public, sign)


def origin_of(store: Store, sealed: Sealing) -> str:
    """What the checkpoints of a store name it by: as its first one did, so that a copy of it goes on with the log."""
    return read_checkpoint(sealed.checkpoints[0][1]).origin if sealed.checkpoints else f"shinpan/{store.identity()}"


def require_sound(name: str, sealed: Sealing) -> None:
    """Raises StoreError where a log is not what its checkpoints say."""
    for wrong in check_log(sealed).wrong:
        raise StoreError("corrupt", Text("sealing.changed", {"store": name, "what": wrong.text}))
