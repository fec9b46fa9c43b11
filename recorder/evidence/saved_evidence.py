"""Check saved notes, checkpoints and proofs against keys and against each other."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from domain.words import Text
from recorder.evidence.checkpoints import Checkpoint, read_checkpoint
from recorder.evidence.notes import SIGNS, Key, NoteError, SignedNote, read_note
from recorder.evidence.proofs import GROWTH, HEAD, Growth, Proof, read_growth, read_proof


class EvidenceSet(Struct, frozen=True):
    """Saved checkpoints and proofs by file name, and the trusted keys."""

    checkpoints: tuple[tuple[str, Checkpoint], ...] = ()
    proofs: tuple[tuple[str, Proof], ...] = ()
    keys: tuple[Key, ...] = ()

    def heads(self, match: str) -> dict[int, bytes]:
        """Return the heads of a match in the proofs; of all matches if `match` is ""."""
        leaves = (proof.leaf for _, proof in self.proofs if not match or proof.leaf.match == match)
        return {leaf.entries: leaf.head for leaf in leaves}

    def list_unrelated_proofs(self, matches: Collection[str]) -> Iterator[Text]:
        """Yield the proofs of other matches, which nothing was checked against."""
        for name, proof in self.proofs:
            if proof.leaf.match not in matches:
                yield Text("proof.absent", {"file": name, "match": proof.leaf.match})

    def list_contradictions(self) -> Iterator[Text]:
        """Yield contradictions: different roots of a log at one size, or heads of a match at one entry."""
        roots: dict[tuple[str, int], tuple[str, bytes]] = {}
        for name, checkpoint in self.checkpoints:
            first, root = roots.setdefault((checkpoint.origin, checkpoint.size), (name, checkpoint.root))
            if root != checkpoint.root:
                yield Text("sealing.split", {"file": first, "other": name, "size": checkpoint.size})
        heads: dict[tuple[str, int], tuple[str, bytes]] = {}
        for name, proof in self.proofs:
            first, head = heads.setdefault((proof.leaf.match, proof.leaf.entries), (name, proof.leaf.head))
            if head != proof.leaf.head:
                yield Text("proof.split", {"file": first, "other": name, "match": proof.leaf.match})


def is_note(text: str) -> bool:
    """True for a text with signatures below it, as in checkpoints and proofs."""
    return f"\n\n{SIGNS}" in text


def read_saved_evidence(text: str) -> Checkpoint | Proof | Growth:
    """Parse a checkpoint, or a proof with its checkpoint. Raises NoteError."""
    if text.startswith(HEAD):
        return read_proof(text)
    return read_growth(text) if text.startswith(GROWTH) else read_checkpoint(text)


def note_of(text: str) -> SignedNote:
    """Return the signed note of a checkpoint or proof. Raises NoteError."""
    below = text.partition("\n\n")[2] if text.startswith((HEAD, GROWTH)) else text
    return read_note(below)


def check_note(text: str, evidence: EvidenceSet) -> tuple[str, tuple[Text, ...]]:
    """Return which trusted key signed a checkpoint or proof, and what is wrong with it. Raises NoteError.

    A checkpoint, or that of a match's proof, must equal each saved one. A proof of growth must extend each.
    """
    what = read_saved_evidence(text)
    signed, wrong = _find_signer(note_of(text), evidence.keys)
    return signed, (*wrong, *_find_faults(what, evidence))


def _find_signer(note: SignedNote, keys: Sequence[Key]) -> tuple[str, tuple[Text, ...]]:
    try:
        signers = note.signed_by(keys)
    except NoteError as error:
        return "", (error.text,)
    if keys and not signers:
        return "", (Text("sealing.untrusted", {"signer": str(keys[0])}),)
    return str(signers[0]) if signers else "", ()


def _find_faults(what: Checkpoint | Proof | Growth, evidence: EvidenceSet) -> Iterator[Text]:
    checkpoint = what if isinstance(what, Checkpoint) else read_checkpoint(what.note)
    if isinstance(what, Proof) and not what.holds():
        yield Text("proof.fails", {"match": what.leaf.match})
    if isinstance(what, Growth) and not evidence.checkpoints:
        yield Text("growth.alone")
    for name, other in evidence.checkpoints:
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
