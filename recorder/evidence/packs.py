"""Evidence packs: a match with all that it can be held against, as one file that needs no Shinpan to be checked.

What officials get has the record itself. What players get has what they saw of it, which a leaf of the log binds, and a
hash for each column of each entry, over salt that only the officials' pack has.
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
from domain.evidence.names import PlayerName, verified
from domain.law.entries import Entry
from domain.words import Text, TextError
from domain.words.lines import unsplit
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
"""Stands for all fields of an entry that this program does not know."""


class PackError(TextError):
    """This match cannot be packed."""


class PackInfo(Struct, frozen=True):
    """What a pack is of and for whom; `dispute` is the entry that opened it, 0 for the whole match."""

    match: str
    entries: int
    audience: str
    dispute: int = 0


def pack(about: PackInfo, files: Mapping[str, bytes]) -> bytes:
    """The pack: these files and the verifier, behind a list of them."""
    held = {**files, "verify.py": resources(__package__).joinpath("verifier.py").read_bytes()}
    listed = {name: {"sha256": sha256(data).hexdigest(), "size": len(data)} for name, data in held.items()}
    manifest = {"form": FORM, **msgspec.to_builtins(about), "rows": ROWS, "files": listed}
    return write_pack({"manifest.json": to_json(manifest), **held})


def to_json(value: object) -> bytes:
    """A value as a file that people can read, too."""
    return msgspec.json.format(unsplit(msgspec.json.encode(value)), indent=1) + b"\n"


def record_files(states: Sequence[bytes]) -> dict[str, bytes]:
    """The record with its chain, its rules and its schema. Raises PackError, and CodecError for what is no record."""
    lines = codec.to_json_lines(states)
    plain = [codec.from_json_line(line) for line in lines.splitlines()]
    if plain != [*states] and any(chain.link_of(state) for state in states):
        raise PackError(Text("dossier.longer"))
    heads, head = list[str](), chain.START
    for number, state in enumerate(plain, start=1):
        head = chain.follow(head, number, state)
        heads.append(head.hex())
    return {"entries.jsonl": lines, "chain.json": to_json({"heads": heads}), **pinned(states, "rules", "schema")}


def pinned(states: Sequence[bytes], *names: str) -> dict[str, bytes]:
    """What entry 1 pins, a file each."""
    opened = codec.content(states[0])
    return {f"{name}.json": to_json(opened[name]) for name in names}


def name_files(opening: bytes, names: Sequence[PlayerName]) -> dict[str, bytes]:
    """The players' names that the opening has hashes of, with the salts that show it; nothing if there are none."""
    shown = verified(opening, names)
    rows = {one.seat: {"name": one.name, "salt": one.salt.hex()} for one in names if one.seat in shown}
    return {"names.json": to_json(rows)} if rows else {}


def proof_files(sealed: Sealing, match: str, states: Sequence[bytes]) -> dict[str, bytes]:
    """What shows that the match stands in the store's log, and who signed that; nothing where it does not."""
    proof = prove(sealed, match, len(states))
    if proof is None or chain.fold(states[: proof.leaf.entries]) != proof.leaf.head or not _plain(states):
        return {}
    signers = read_note(proof.note).signed_by(keys_at(sealed.leaves, proof.checkpoint.size, proof.note))
    keys = "".join(f"{key}\n" for key in signers).encode()
    return {"match.proof": str(proof).encode(), "checkpoint.note": proof.note.encode(), "keys.txt": keys}


def _plain(states: Sequence[bytes]) -> bool:
    """Can the bytes be had from JSON? Earlier programs wrote some of them longer."""
    return all(codec.from_json_line(codec.to_json_line(state)) == state for state in states)


def is_secret(states: Sequence[bytes]) -> bool:
    """May everybody see a hash of the record? Not where no salt is in it: what is hidden could be tried by it."""
    return chain.link_of(states[0]) is not None


def hide(entries: Sequence[Entry], states: Sequence[bytes], secret: bytes) -> tuple[bytes, bytes]:
    """A hash for each column of each entry, and the salts that open them.

    There is one for every column that an entry of its kind may have, there or not: how many tells nobody anything.
    """
    commitments, openings = list[bytes](), list[bytes]()
    for number, (entry, state) in enumerate(zip(entries, states, strict=True), start=1):
        plain = codec.content(state)
        names = ["entry", *(field.encode_name for field in fields(entry)), LINK]
        values = {name: [plain.pop(name)] if name in plain else [] for name in names} | {REST: [plain]}
        salts = {name: _salt(secret, number, name) for name in values}
        hashes = {name: commit(salts[name], number, name, *value) for name, value in values.items()}
        commitments.append(msgspec.json.encode({"number": number, "columns": hashes}) + b"\n")
        held = {name: salt.hex() for name, salt in salts.items()}
        openings.append(msgspec.json.encode({"number": number, "salts": held}) + b"\n")
    return b"".join(commitments), b"".join(openings)


def _salt(secret: bytes, number: int, column: str) -> bytes:
    """The salt of one column: whoever is told it can open nothing else."""
    return hmac.digest(secret, f"{number} {column}".encode(), "sha256")
