"""A store sealed: its log brought up to date, and a signed checkpoint of it that anybody may keep."""

from collections.abc import Iterator, Sequence

from domain.evidence import merkle
from domain.words import Text
from recorder import sealing
from recorder.evidence import viewer_rows
from recorder.evidence.checking import check_log, check_match
from recorder.evidence.checkpoints import Checkpoint, hashes, read_checkpoint
from recorder.evidence.notes import Signer
from recorder.match_loader import LoadedMatch, load_match
from recorder.sealing import Leaf, Sealing, SealResult
from recorder.store import Store, StoreError


def seal(store: Store, signer: Signer) -> SealResult:
    """Write a checkpoint of all that is recorded, signed by this key. Raises StoreError, also where the log is not
    what its checkpoints say: nobody signs for what was changed."""
    sealed = sealing.read_sealing(store)
    require_sound(store.name, sealed)
    origin = origin_of(store, sealed)

    def sign(leaves: Sequence[Leaf]) -> str:
        return signer.sign(str(Checkpoint(origin, len(leaves), merkle.root(hashes(leaves)))))

    rows, damaged = list[Leaf](), list[str]()
    for match in sealing.unshown(store, sealed):
        try:
            rows += _shown_leaf(store, match)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            damaged.append(match)
    return sealing.seal(store, signer.key.public, sign, rows, damaged)


def _shown_leaf(store: Store, match: str) -> Iterator[Leaf]:
    """Yield the leaf over the rows that viewers see of a match now; none if its law is not known here.

    Raises StoreError for a match that is damaged on disk, whatever memory holds of it.
    """
    if (wrong := check_match(store, match, {}).wrong) is not None:
        raise store.damaged(match, wrong.entry, wrong.text)
    loaded = load_match(store, match)
    if isinstance(loaded, LoadedMatch):
        head = viewer_rows.hash_shown(loaded, store.read_bytes(match, 1)[0])
        yield from () if head is None else [Leaf(match, loaded.version, head, shown=True)]


def origin_of(store: Store, sealed: Sealing) -> str:
    """What the checkpoints of a store name it by: as its first one did, so that a copy of it goes on with the log."""
    return read_checkpoint(sealed.checkpoints[0][1]).origin if sealed.checkpoints else f"shinpan/{store.identity()}"


def require_sound(name: str, sealed: Sealing) -> None:
    """Raises StoreError where a log is not what its checkpoints say."""
    for wrong in check_log(sealed).wrong:
        raise StoreError("corrupt", Text("sealing.changed", {"store": name, "what": wrong.text}))
