"""Signed notes: a text followed by a line for each signature (C2SP signed-note, Ed25519). A key is identified by its
name and a short hash. It is written as `name+hash+key`, and its secret half as `PRIVATE+KEY+name+hash+key`."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from domain.words import Text, TextError

ED25519: Final = b"\x01"
PRIVATE: Final = "PRIVATE+KEY"
KEY_BYTES, HASH_BYTES = 32, 4
SIGNS: Final = "\u2014 "
"""Prefix of a signature line."""
NOTE_MAX: Final = 1_000_000
"""Limit of a note's characters; a checkpoint has about two hundred."""
SIGNATURES_MAX: Final = 100
CONTROL: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f]|[\ud800-\udfff]")
"""Characters that a note must not contain: it is UTF-8 text for people."""


class NoteError(TextError):
    """An invalid note or key, or a missing signature."""


class Key(Struct, frozen=True):
    """A public key: a name without spaces or `+`, and 32 bytes."""

    name: str
    public: bytes

    @property
    def hash(self) -> bytes:
        """Four bytes that distinguish keys of the same name."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:HASH_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.hash.hex()}+{b64encode(ED25519 + self.public).decode()}"


class Signature(Struct, frozen=True):
    """A signature line: the claimed signer, the key's hash, and the signature."""

    name: str
    hash: bytes
    signed: bytes

    def __str__(self) -> str:
        return f"{SIGNS}{self.name} {b64encode(self.hash + self.signed).decode()}"


class Signer(Struct, frozen=True):
    """A key with its secret half."""

    key: Key
    secret: bytes

    @classmethod
    def make(cls, name: str, secret: bytes) -> Self:
        """Return the signer for a name and 32 secret bytes. Raises NoteError for an invalid name."""
        public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
        return cls(Key(_require_name(name), public), secret)

    def sign(self, text: str) -> str:
        return join(text, [self.signature(text)])

    def signature(self, text: str) -> Signature:
        """Return the signature alone, to add to a note."""
        signed = Ed25519PrivateKey.from_private_bytes(self.secret).sign(text.encode())
        return Signature(self.key.name, self.key.hash, signed)

    def write(self) -> str:
        """Return the secret line of the key."""
        return f"{PRIVATE}+{self.key.name}+{self.key.hash.hex()}+{b64encode(ED25519 + self.secret).decode()}"


class SignedNote(Struct, frozen=True):
    """A text that ends with a line end, and its signatures, verified or not."""

    text: str
    signatures: tuple[Signature, ...]

    def signed_by(self, keys: Iterable[Key]) -> tuple[Key, ...]:
        """Return the keys that signed the note. Raises NoteError for an invalid signature of theirs."""
        by_name = {(key.name, key.hash): key for key in keys}
        signers: dict[Key, None] = {}
        for signature in self.signatures:
            key = by_name.get((signature.name, signature.hash))
            if key is None:
                continue
            if not _holds(key, self.text, signature.signed):
                raise NoteError(Text("note.forged", {"signer": f"{key.name}+{key.hash.hex()}"}))
            signers[key] = None
        return tuple(signers)


def join(text: str, signatures: Sequence[Signature]) -> str:
    assert text.endswith("\n"), "the text of a note ends with a line end"
    return f"{text}\n{''.join(f'{signature}' + chr(10) for signature in signatures)}"


def read_note(written: str) -> SignedNote:
    """Parse a note. Raises NoteError."""
    text, gap, below = written.rpartition("\n\n")
    lines = below.removesuffix("\n").split("\n")
    if not gap or len(written) > NOTE_MAX or not below.endswith("\n") or len(lines) > SIGNATURES_MAX:
        raise NoteError(Text("note.none"))
    if CONTROL.search(text) is not None:
        raise NoteError(Text("note.control"))
    return SignedNote(text + "\n", tuple(map(_read_signature, lines)))


def _read_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(SIGNS).partition(" ")
    data = from_base64(encoded)
    if not line.startswith(SIGNS) or data is None or len(data) <= HASH_BYTES:
        raise NoteError(Text("note.line", {"line": repr(line[:80])}))
    return Signature(_require_name(name), data[:HASH_BYTES], data[HASH_BYTES:])


def read_key(line: str) -> Key:
    """Parse a public key. Raises NoteError."""
    name, _, rest = line.strip().partition("+")
    hash, _, encoded = rest.partition("+")
    key = Key(_require_name(name), _decode_key(encoded, "note.key"))
    if key.hash.hex() != hash:
        raise NoteError(Text("note.key_hash", {"hash": repr(hash[:16])}))
    return key


def read_signer(line: str) -> Signer:
    """Parse a signer from its secret line. Raises NoteError, which does not repeat the line."""
    begins, _, rest = line.strip().partition(f"{PRIVATE}+")
    name, _, rest = rest.partition("+")
    hash, _, encoded = rest.partition("+")
    if begins:
        raise NoteError(Text("note.secret"))
    signer = Signer.make(name, _decode_key(encoded, "note.secret"))
    if signer.key.hash.hex() != hash:
        raise NoteError(Text("note.secret"))
    return signer


def _decode_key(encoded: str, wrong: str) -> bytes:
    data = from_base64(encoded)
    if data is None or len(data) != 1 + KEY_BYTES or not data.startswith(ED25519):
        raise NoteError(Text(wrong))
    return data[1:]


def _require_name(name: str) -> str:
    if not name or "+" in name or any(letter.isspace() or not letter.isprintable() for letter in name):
        raise NoteError(Text("note.name", {"name": repr(name[:80])}))
    return name


def _holds(key: Key, text: str, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signed, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def from_base64(text: str) -> bytes | None:
    """Decode canonical base64; None if it is not canonical."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        return None
    return data if b64encode(data).decode() == text else None
