"""Evidence packs: a match with everything needed to check it without Shinpan, in one file.

The officials' pack has the record. A players' pack has what they saw, bound by a leaf of the log, and a salted hash for
each column of each entry. Only the officials' pack has the salts.
"""

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files as resources
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from domain.evidence import chain
from domain.evidence.names import PlayerName, verify_names
from domain.law.entries import Entry
from domain.words import Text, TextError
from domain.words.lines import escape_line_ends
from recorder import codec
from recorder.evidence.checking import keys_at
from recorder.evidence.notes import read_note
from recorder.evidence.proofs import prove
from recorder.evidence.verifier import FORM, commit, write_pack
from recorder.evidence.viewer_rows import ROWS
from recorder.sealing import Sealing

SECRET_BYTES: Final = 32
LINK: Final = "link"
REST: Final = "*"
"""Column for all unknown fields of an entry."""


class PackError(TextError):
    """This match cannot be packed."""


class PackInfo(Struct, frozen=True):
    """The match and audience of a pack. `dispute` is the entry that opened it, 0 for the whole match."""

    match: str
    entries: int
    audience: str
    dispute: int = 0


def pack(about: PackInfo, files: Mapping[str, bytes]) -> bytes:
    """Return a pack: a manifest, the files and the verifier."""
    contents = {**files, "verify.py": resources(__package__).joinpath("verifier.py").read_bytes()}
    listed = {name: {"sha256": sha256(data).hexdigest(), "size": len(data)} for name, data in contents.items()}
    manifest = {"form": FORM, **msgspec.to_builtins(about), "rows": ROWS, "files": listed}
    return write_pack({"manifest.json": to_json(manifest), **contents})


def to_json(value: object) -> bytes:
    return msgspec.json.format(escape_line_ends(msgspec.json.encode(value)), indent=1) + b"\n"


def record_files(states: Sequence[bytes]) -> dict[str, bytes]:
    """Return the record with its chain, rules and schema. Raises PackError, or CodecError for an invalid record."""
    lines = codec.to_json_lines(states)
    plain = [codec.from_json_line(line) for line in lines.splitlines()]
    if plain != [*states] and any(chain.link_of(state) for state in states):
        raise PackError(Text("dossier.longer"))
    heads, head = list[str](), chain.START
    for number, state in enumerate(plain, start=1):
        head = chain.next_head(head, number, state)
        heads.append(head.hex())
    return {"entries.jsonl": lines, "chain.json": to_json({"heads": heads}), **pinned(states, "rules", "schema")}


def pinned(states: Sequence[bytes], *names: str) -> dict[str, bytes]:
    """Return fields of entry 1, each as a file."""
    opened = codec.content(states[0])
    return {f"{name}.json": to_json(opened[name]) for name in names}


def name_files(opening: bytes, names: Sequence[PlayerName]) -> dict[str, bytes]:
    """Return the players' names hashed in the opening with their salts, or nothing."""
    seats = verify_names(opening, names)
    rows = {row.seat: {"name": row.name, "salt": row.salt.hex()} for row in names if row.seat in seats}
    return {"names.json": to_json(rows)} if rows else {}


def proof_files(sealed: Sealing, match: str, states: Sequence[bytes]) -> dict[str, bytes]:
    """Return the proof that the match is in the log, with its signers, or nothing."""
    proof = prove(sealed, match, len(states))
    if (
        proof is None
        or chain.compute_head(states[: proof.leaf.entries]) != proof.leaf.head
        or not _is_canonical(states)
    ):
        return {}
    signers = read_note(proof.note).signed_by(keys_at(sealed.leaves, proof.checkpoint.size, proof.note))
    keys = "".join(f"{key}\n" for key in signers).encode()
    return {"match.proof": str(proof).encode(), "checkpoint.note": proof.note.encode(), "keys.txt": keys}


def _is_canonical(states: Sequence[bytes]) -> bool:
    """True if the bytes can be rebuilt from JSON. Earlier versions wrote some of them longer."""
    return all(codec.from_json_line(codec.to_json_line(state)) == state for state in states)


def has_salted_chain(states: Sequence[bytes]) -> bool:
    """True if hashes of the record are safe to publish. Without salt, hidden cards could be guessed from them."""
    return chain.link_of(states[0]) is not None


def hide(entries: Sequence[Entry], states: Sequence[bytes], secret: bytes) -> tuple[bytes, bytes]:
    """Return a salted hash for each column of each entry, and the salts that open them. Every column that the entry's
    kind may have gets a hash, so that their number reveals nothing."""
    commitments, openings = list[bytes](), list[bytes]()
    for number, (entry, state) in enumerate(zip(entries, states, strict=True), start=1):
        plain = codec.content(state)
        names = ["entry", *(field.encode_name for field in fields(entry)), LINK]
        values = {name: [plain.pop(name)] if name in plain else [] for name in names} | {REST: [plain]}
        salts = {name: _salt(secret, number, name) for name in values}
        hashes = {name: commit(salts[name], number, name, *value) for name, value in values.items()}
        commitments.append(msgspec.json.encode({"number": number, "columns": hashes}) + b"\n")
        encoded = {name: salt.hex() for name, salt in salts.items()}
        openings.append(msgspec.json.encode({"number": number, "salts": encoded}) + b"\n")
    return b"".join(commitments), b"".join(openings)


def _salt(secret: bytes, number: int, column: str) -> bytes:
    """Return the salt of one column, which opens no other."""
    return hmac.digest(secret, f"{number} {column}".encode(), "sha256")
