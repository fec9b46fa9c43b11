"""What is held against what: records against their chains, a store against its log, the log against checkpoints."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from domain.evidence import chain, merkle
from domain.words import Text
from evidence.checkpoints import Checkpoint, read_checkpoint
from evidence.notes import Key, NoteError, read_note
from evidence.sealing import hashes
from recorder.sealing import Leaf, Sealing, match_ids
from recorder.store import Store, StoreError


class Wrong(Struct, frozen=True):
    """Something that is not as it was: in which match and from which entry on (`""` and 0: in the log), and what."""

    match: str
    entry: int
    text: Text


class Looked(Struct, frozen=True):
    """A match looked through: how many entries it has, how many of them lie before its first link, how many a leaf of
    the log holds fast."""

    match: str
    entries: int
    unlinked: int
    held: int
    wrong: Wrong | None = None


class Log(Struct, frozen=True):
    """A log looked through: how many leaves and checkpoints it has, which key has signed the last of them."""

    leaves: int = 0
    checkpoints: int = 0
    signed: str = ""
    wrong: tuple[Wrong, ...] = ()


def check_record(match: str, states: Sequence[bytes], known: Mapping[int, bytes]) -> Looked:
    """Look a match through; `known` are heads that something else vouches for."""
    looked = chain.examine(states, known)
    unlinked = looked.entries if not looked.linked else looked.linked - 1
    held = max((number for number in known if number <= looked.entries), default=0)
    fault = looked.fault
    wrong = None if fault is None else Wrong(match, fault.first, chain.render(fault))
    return Looked(match, looked.entries, unlinked, held, wrong)


def check_matches(store: Store, sealed: Sealing, kept: Callable[[str], Mapping[int, bytes]]) -> Iterator[Looked]:
    """Look all matches of a store through, and those that its log knows and the store does not. `kept` are heads that
    somebody kept of a match. Raises StoreError."""
    known: dict[str, dict[int, bytes]] = {}
    for leaf in sealed.leaves:
        if leaf.match:
            known.setdefault(leaf.match, {})[leaf.entries] = leaf.head
    for listed in match_ids(store):
        yield _check_match(store, listed, {**known.pop(listed, {}), **kept(listed)})
    for match, heads in known.items():
        yield Looked(match, 0, 0, 0, Wrong(match, 1, Text("sealing.gone", {"entries": max(heads)})))


def _check_match(store: Store, match: str, known: Mapping[int, bytes]) -> Looked:
    try:
        return check_record(match, store.read_bytes(match), known)
    except StoreError as error:
        if not error.entry:
            raise
        return Looked(match, 0, 0, 0, Wrong(match, error.entry, error.text))


def check_log(sealed: Sealing, keys: Sequence[Key], others: Iterable[tuple[str, Checkpoint]] = ()) -> Log:
    """Hold the checkpoints of a log against its leaves, their signatures against the keys that the log names; and
    checkpoints that somebody kept, each with its name, against both.

    Where `keys` are given, they must have signed one of the log's own.
    """
    roots = _roots(sealed.leaves, {size for size, _ in sealed.checkpoints} | {kept.size for _, kept in others})
    wrong: list[Wrong] = []
    signed, trusted = "", False
    for number, (size, note) in enumerate(sealed.checkpoints, start=1):
        named = {"number": number, "size": size, "leaves": len(sealed.leaves)}
        try:
            checkpoint = read_checkpoint(note)
            signers = read_note(note).signed_by([*keys, *_keys_at(sealed.leaves, size, note)])
        except NoteError as error:
            wrong.append(Wrong("", 0, Text("sealing.checkpoint", {**named, "why": error.text})))
            continue
        trusted = trusted or any(key in keys for key in signers)
        signed = str(signers[0]) if signers else ""
        if checkpoint.size != size or roots.get(size) != checkpoint.root:
            why = Text("sealing.short" if size > len(sealed.leaves) else "sealing.other")
            wrong.append(Wrong("", 0, Text("sealing.checkpoint", {**named, "why": why})))
        elif not signers:
            wrong.append(Wrong("", 0, Text("sealing.checkpoint", {**named, "why": Text("sealing.unsigned")})))
    if keys and not trusted:
        wrong.append(Wrong("", 0, Text("sealing.untrusted", {"signer": str(keys[0])})))
    for name, kept in others:
        if roots.get(kept.size) != kept.root:
            key = "sealing.future" if kept.size > len(sealed.leaves) else "sealing.forked"
            about = {"file": name, "size": kept.size, "leaves": len(sealed.leaves)}
            wrong.append(Wrong("", 0, Text(key, about)))
    return Log(len(sealed.leaves), len(sealed.checkpoints), signed, tuple(wrong))


def _keys_at(leaves: Sequence[Leaf], size: int, note: str) -> Iterator[Key]:
    """The key in force at a size of the log, under the names that the note is signed with."""
    public = next((leaf.head for leaf in reversed(leaves[:size]) if not leaf.match), None)
    if public is not None:
        for name in {signature.name for signature in read_note(note).signatures}:
            yield Key(name, public)


def _roots(leaves: Sequence[Leaf], sizes: Iterable[int]) -> dict[int, bytes]:
    """The root of the log at each of these sizes that it has reached."""
    wanted, tree = set(sizes), merkle.Growing()
    roots = {0: tree.root} if 0 in wanted else {}
    for hash in hashes(leaves):
        tree.add(hash)
        if tree.size in wanted:
            roots[tree.size] = tree.root
    return roots
