"""Seal a store: update its log and write a signed checkpoint that can be published."""

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
    """Write a checkpoint of all recorded entries, signed by this key. Raises StoreError, also if the log contradicts
    its checkpoints: a changed log is never signed."""
    sealed = sealing.read_sealing(store)
    require_sound(store.name, sealed)
    origin = origin_of(store, sealed)

    def sign(leaves: Sequence[Leaf]) -> str:
        return signer.sign(str(Checkpoint(origin, len(leaves), merkle.root(hashes(leaves)))))

    rows, damaged = list[Leaf](), list[str]()
    for match in sealing.list_unshown_matches(store, sealed):
        try:
            rows += _shown_leaf(store, match)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            damaged.append(match)
    return sealing.seal(store, signer.key.public, sign, rows, damaged)


def _shown_leaf(store: Store, match: str) -> Iterator[Leaf]:
    """Yield the leaf over the rows that viewers see of a match now; none if its law is unknown. Raises StoreError for a
    match that is damaged on disk, even if a sound copy is in memory."""
    if (wrong := check_match(store, match, {}).wrong) is not None:
        raise store.make_damage_error(match, wrong.entry, wrong.text)
    loaded = load_match(store, match)
    if isinstance(loaded, LoadedMatch):
        head = viewer_rows.hash_shown(loaded, store.read_bytes(match, 1)[0])
        yield from () if head is None else [Leaf(match, loaded.version, head, shown=True)]


def origin_of(store: Store, sealed: Sealing) -> str:
    """Return the origin in a store's checkpoints. A copy of a store keeps the origin of its first checkpoint, so it
    continues the log."""
    return read_checkpoint(sealed.checkpoints[0][1]).origin if sealed.checkpoints else f"shinpan/{store.identity()}"


def require_sound(name: str, sealed: Sealing) -> None:
    """Raise StoreError if a log contradicts its checkpoints."""
    for wrong in check_log(sealed).wrong:
        raise StoreError("corrupt", Text("sealing.changed", {"store": name, "what": wrong.text}))
