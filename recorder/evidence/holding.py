"""Notes that somebody kept, checkpoints and proofs, held against keys and against each other."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from domain.words import Text
from recorder.evidence.checkpoints import Checkpoint, read_checkpoint
from recorder.evidence.notes import SIGNS, Key, NoteError, SignedNote, read_note
from recorder.evidence.proofs import GROWTH, HEAD, Growth, Proof, read_growth, read_proof


class EvidenceSet(Struct, frozen=True):
    """What somebody kept: checkpoints and proofs, each under the name of its file, and the keys they trust."""

    checkpoints: tuple[tuple[str, Checkpoint], ...] = ()
    proofs: tuple[tuple[str, Proof], ...] = ()
    keys: tuple[Key, ...] = ()

    def heads(self, match: str) -> dict[int, bytes]:
        """The heads of a match that proofs tell; all of them for a record that does not say which match it is of."""
        told = (kept.leaf for _, kept in self.proofs if not match or kept.leaf.match == match)
        return {leaf.entries: leaf.head for leaf in told}

    def idle(self, matches: Collection[str]) -> Iterator[Text]:
        """Proofs that are of none of these matches: nothing was held against them."""
        for name, kept in self.proofs:
            if kept.leaf.match not in matches:
                yield Text("proof.absent", {"file": name, "match": kept.leaf.match})

    def split(self) -> Iterator[Text]:
        """What was kept and does not fit together: of as many leaves of one log, of as many entries of one match."""
        roots: dict[tuple[str, int], tuple[str, bytes]] = {}
        for name, checkpoint in self.checkpoints:
            first, root = roots.setdefault((checkpoint.origin, checkpoint.size), (name, checkpoint.root))
            if root != checkpoint.root:
                yield Text("sealing.split", {"file": first, "other": name, "size": checkpoint.size})
        heads: dict[tuple[str, int], tuple[str, bytes]] = {}
        for name, kept in self.proofs:
            first, head = heads.setdefault((kept.leaf.match, kept.leaf.entries), (name, kept.leaf.head))
            if head != kept.leaf.head:
                yield Text("proof.split", {"file": first, "other": name, "match": kept.leaf.match})


def is_note(text: str) -> bool:
    """Is it a text with signatures below it, as checkpoints and proofs are?"""
    return f"\n\n{SIGNS}" in text


def read_kept(text: str) -> Checkpoint | Proof | Growth:
    """A checkpoint, or a proof with the checkpoint it is shown against. Raises NoteError."""
    if text.startswith(HEAD):
        return read_proof(text)
    return read_growth(text) if text.startswith(GROWTH) else read_checkpoint(text)


def note_of(text: str) -> SignedNote:
    """The signed note of a checkpoint, or of the one below a proof. Raises NoteError."""
    below = text.partition("\n\n")[2] if text.startswith((HEAD, GROWTH)) else text
    return read_note(below)


def check_note(text: str, kept: EvidenceSet) -> tuple[str, tuple[Text, ...]]:
    """Who of the trusted has signed a checkpoint or a proof, and what is wrong with it. Raises NoteError.

    Held against a kept checkpoint of the same size it must be the same; a proof of growth is for a smaller one.
    """
    what = read_kept(text)
    signed, wrong = _look_who_signed(note_of(text), kept.keys)
    return signed, (*wrong, *_unfit(what, kept))


def _look_who_signed(note: SignedNote, keys: Sequence[Key]) -> tuple[str, tuple[Text, ...]]:
    """The first of the trusted who has signed, or what is wrong."""
    try:
        signers = note.signed_by(keys)
    except NoteError as error:
        return "", (error.text,)
    if keys and not signers:
        return "", (Text("sealing.untrusted", {"signer": str(keys[0])}),)
    return str(signers[0]) if signers else "", ()


def _unfit(what: Checkpoint | Proof | Growth, kept: EvidenceSet) -> Iterator[Text]:
    checkpoint = what if isinstance(what, Checkpoint) else read_checkpoint(what.note)
    if isinstance(what, Proof) and not what.holds():
        yield Text("proof.fails", {"match": what.leaf.match})
    if isinstance(what, Growth) and not kept.checkpoints:
        yield Text("growth.alone")
    for name, other in kept.checkpoints:
        about = {"file": name, "size": other.size, "leaves": checkpoint.size}
        if other.origin != checkpoint.origin:
            yield Text("sealing.elsewhere", {**about, "origin": other.origin})
        elif isinstance(what, Growth):
            if not what.holds(other):
                yield Text("sealing.future" if other.size > checkpoint.size else "sealing.forked", about)
        elif other.size != checkpoint.size:
            yield Text("sealing.unrelated", about)
        elif other.root != checkpoint.root:
            yield Text("sealing.forked", about)
