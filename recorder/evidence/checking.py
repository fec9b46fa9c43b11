"""Verify records against their chains, a store against its log, and the log against checkpoints."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from domain.evidence import chain, merkle
from domain.words import Text
from recorder.evidence.checkpoints import Checkpoint, hashes, read_checkpoint
from recorder.evidence.notes import Key, NoteError, read_note
from recorder.quarantine import read_tombstones
from recorder.sealing import Leaf, Sealing, match_ids, require_filed
from recorder.side_tables import odd_rows
from recorder.store import Store, StoreError


class Discrepancy(Struct, frozen=True):
    """A discrepancy in a match from an entry on, or in the log (`""` and 0)."""

    match: str
    entry: int
    text: Text


class MatchCheck(Struct, frozen=True):
    """The result of checking a match. `unlinked` is the number of entries before its first link. `held` is the last
    entry that a leaf of the log covers."""

    match: str
    entries: int
    unlinked: int
    held: int
    wrong: Discrepancy | None = None


class Log(Struct, frozen=True):
    """The result of checking a log. `unsealed` leaves were added after the last checkpoint. `signed` is its signer.
    `trusted` is True if the signer's key is trusted."""

    leaves: int = 0
    checkpoints: int = 0
    unsealed: int = 0
    signed: str = ""
    trusted: bool = False
    wrong: tuple[Discrepancy, ...] = ()


def check_record(match: str, states: Sequence[bytes], known: Mapping[int, bytes]) -> MatchCheck:
    """Check the stored entries of a match; `known` are heads from the log or from saved proofs."""
    examined = chain.examine(states, known)
    unlinked = examined.entries if not examined.linked else examined.linked - 1
    covered = max((number for number in known if number <= examined.entries), default=0)
    fault = examined.fault
    wrong = None if fault is None else Discrepancy(match, fault.first, chain.render(fault))
    if not states and wrong is None:
        wrong = Discrepancy(match, 1, Text("sealing.empty"))
    return MatchCheck(match, examined.entries, unlinked, covered, wrong)


def check_matches(store: Store, sealed: Sealing, kept: Callable[[str], Mapping[int, bytes]]) -> Iterator[MatchCheck]:
    """Check all matches of a store, and those that only its log knows. Raises StoreError. `kept` returns the heads of a
    match that the caller saved."""
    known: dict[str, dict[int, bytes]] = {}
    for leaf in sealed.leaves:
        if leaf.match and not leaf.shown:
            known.setdefault(leaf.match, {}).setdefault(leaf.entries, leaf.head)
    with store.snapshot() as snapshot:
        foreign = dict(odd_rows(snapshot, store.log.entries.tables()))
    for listed in match_ids(store):
        check = check_match(store, listed, {**known.pop(listed, {}), **kept(listed)})
        if check.wrong is None and listed in foreign:
            check = replace(check, wrong=Discrepancy(listed, 0, Text("store.side_row", {"table": foreign[listed]})))
        foreign.pop(listed, None)
        yield check
    for match, table in foreign.items():
        yield MatchCheck(match, 0, 0, 0, Discrepancy(match, 0, Text("store.side_row", {"table": table})))
    tombstones = read_tombstones(store)
    for match, heads in known.items():
        why = Text("sealing.gone", {"entries": max(heads)})
        if (tombstone := tombstones.get(match)) is not None:
            values = {"why": why, "entry": tombstone.entry, "file": tombstone.file, "hash": tombstone.sha256}
            why = Text("sealing.quarantined", values)
        yield MatchCheck(match, 0, 0, 0, Discrepancy(match, 1, why))


def check_match(store: Store, match: str, known: Mapping[int, bytes]) -> MatchCheck:
    """Check a match of a store as stored on disk. Raises StoreError for a broken store."""
    try:
        check = check_record(match, store.read_bytes(match), known)
        if check.wrong is None:
            require_filed(store, match)
        return check
    except StoreError as error:
        if not error.entry:
            raise
        return MatchCheck(match, 0, 0, 0, Discrepancy(match, error.entry, error.text))


def check_log(sealed: Sealing, keys: Sequence[Key] = (), others: Sequence[tuple[str, Checkpoint]] = ()) -> Log:
    """Check a log's checkpoints against its leaves and keys. `others` are saved checkpoints by file name, checked
    against both. If `keys` are given, one of them must have signed the last checkpoint. A log can name any key as its
    next."""
    roots = _roots(sealed.leaves, {size for size, _ in sealed.checkpoints} | {saved.size for _, saved in others})
    wrong, signers, trusted_size = [*_find_contradictions(sealed.leaves)], tuple[Key, ...](), 0
    for number, (size, note) in enumerate(sealed.checkpoints, start=1):
        try:
            signers = _signers(sealed.leaves, size, note, roots, keys)
            trusted_size = size if any(key in keys for key in signers) else trusted_size
        except NoteError as error:
            signers, values = (), {"number": number, "size": size, "why": error.text}
            wrong.append(Discrepancy("", 0, Text("sealing.checkpoint", values)))
    trusted = [key for key in signers if key in keys]
    if keys and not trusted:
        about = {"signer": str(keys[0]), "size": trusted_size}
        wrong.append(
            Discrepancy("", 0, Text("sealing.untrusted_since" if trusted_size else "sealing.untrusted_log", about))
        )
    wrong += (
        Discrepancy("", 0, text) for name, saved in others for text in _compare_with_saved(sealed, roots, name, saved)
    )
    last = sealed.checkpoints[-1][0] if sealed.checkpoints else 0
    signed = "".join(map(str, (trusted or signers)[:1]))
    unsealed = max(0, len(sealed.leaves) - last)
    return Log(len(sealed.leaves), len(sealed.checkpoints), unsealed, signed, bool(trusted), tuple(wrong))


def _signers(
    leaves: Sequence[Leaf], size: int, note: str, roots: Mapping[int, bytes], keys: Sequence[Key]
) -> tuple[Key, ...]:
    """Return the trusted or named keys that signed a checkpoint. Raises NoteError if it does not match the log or has
    no valid signature."""
    checkpoint = read_checkpoint(note)
    signers = read_note(note).signed_by([*keys, *keys_at(leaves, size, note)])
    if checkpoint.size != size or roots.get(size) != checkpoint.root:
        raise NoteError(Text("sealing.short" if size > len(leaves) else "sealing.other"))
    if not signers:
        raise NoteError(Text("sealing.unsigned"))
    return signers


def _find_contradictions(leaves: Sequence[Leaf]) -> Iterator[Discrepancy]:
    """Yield leaves that contradict an earlier leaf of the same match and number of entries."""
    heads: dict[tuple[str, int, bool], bytes] = {}
    for number, leaf in enumerate(leaves, start=1):
        if leaf.match and heads.setdefault((leaf.match, leaf.entries, leaf.shown), leaf.head) != leaf.head:
            yield Discrepancy(leaf.match, leaf.entries, Text("sealing.twice", {"leaf": number}))


def _compare_with_saved(sealed: Sealing, roots: Mapping[int, bytes], name: str, saved: Checkpoint) -> Iterator[Text]:
    about = {"file": name, "size": saved.size, "leaves": len(sealed.leaves), "origin": saved.origin}
    origin = ""
    with suppress(NoteError):
        origin = read_checkpoint(sealed.checkpoints[0][1]).origin if sealed.checkpoints else ""
    if origin and origin != saved.origin:
        yield Text("sealing.elsewhere", about)
    elif roots.get(saved.size) != saved.root:
        yield Text("sealing.future" if saved.size > len(sealed.leaves) else "sealing.forked", about)


def keys_at(leaves: Sequence[Leaf], size: int, note: str) -> Iterator[Key]:
    """Yield the key in force at a size of the log, under each name that signed the note."""
    public = next((leaf.head for leaf in reversed(leaves[:size]) if not leaf.match), None)
    if public is not None:
        for name in {signature.name for signature in read_note(note).signatures}:
            yield Key(name, public)


def _roots(leaves: Sequence[Leaf], sizes: Iterable[int]) -> dict[int, bytes]:
    wanted, tree = set(sizes), merkle.MerkleTree()
    roots = {0: tree.root} if 0 in wanted else {}
    for hash in hashes(leaves):
        tree.add(hash)
        if tree.size in wanted:
            roots[tree.size] = tree.root
    return roots
