"""The form of a corpus file: its parts in bytes, and what stands in them. `docs/formats.md` says the same in words."""

import zlib
from hashlib import sha256
from struct import Struct as Packed
from typing import Any

import msgspec
from msgspec import Raw, Struct

from corpus.troubles import CorpusError
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import misfit
from recorder import codec

FORMAT = 1
"""The form this program writes. One more for every change that an older program would misread."""

MAGIC = b"\x89SPC\r\n\x1a\n"
"""How a corpus begins. What changes line ends or drops the eighth bit on the way breaks it."""

PRELUDE = Packed(">8sHHI")
"""Magic, format, nothing, and the CRC-32 of these."""
HEADER = Packed(">4sIII")
"""Before every section: its kind, the length of its body, the CRC-32 of its body, and that of these three."""
TRAILER = Packed(">QQ")
"""The body of a trailer: where the contents begin, and where the trailer itself does."""

HEAD, MATCH, CONTENTS, TAIL = b"HEAD", b"MTCH", b"INDX", b"TAIL"
TRAILER_BYTES = HEADER.size + TRAILER.size

LEVEL = 6
"""How hard zlib tries: more gains three bytes in a hundred for twice the time."""
MATCH_MAX = 256 * 1024**2
"""Bound on the bytes of one match's entries, before they are compressed."""
CONTENTS_MAX = 1024**3
"""Bound on the bytes of the contents, likewise."""
EXPANSION_MAX = 100
"""How many times their size bytes may unpack to, beyond what is small anyway; a match comes to a tenth of it."""
SMALL = 1024**2
"""So many bytes anything may unpack to."""


class Head(Struct, frozen=True):
    """What stands in a corpus before its first match."""

    game: str


class Row(Struct, frozen=True, array_like=True):
    """A match in the contents: what it is, and where its section lies.

    `length` is that of the whole section with its header, `size` that of its entries before they were compressed, and
    `digest` the SHA-256 of these: two corpora hold the same match if it is the same in both.
    """

    match: str
    game: str
    version: str
    rules_hash: str
    entries: int
    size: int
    digest: bytes
    offset: int
    length: int


class Body(Struct, frozen=True, array_like=True):
    """A match as it stands in its section. `data` are its entries, compressed."""

    match: str
    game: str
    version: str
    rules_hash: str
    entries: int
    size: int
    digest: bytes
    data: bytes


class Found(Struct, frozen=True):
    """A section by its header: where it begins, how long its body is, and the CRC-32 this has."""

    kind: bytes
    at: int
    length: int
    crc: int

    @property
    def ends(self) -> int:
        """The first byte behind it."""
        return self.at + HEADER.size + self.length


class Bomb(ValueError):
    """Few bytes that hold far more than anything of ours does."""


_ENTRIES = msgspec.msgpack.Decoder(tuple[Entry, ...])
_STATES = msgspec.msgpack.Decoder(list[Raw])
_BODY = msgspec.msgpack.Decoder(Body)
_ROWS = msgspec.msgpack.Decoder(tuple[Row, ...])


def prelude(form: int = FORMAT) -> bytes:
    """The first bytes of a file."""
    begun = PRELUDE.pack(MAGIC, form, 0, 0)[:-4]
    return begun + zlib.crc32(begun).to_bytes(4, "big")


def section(kind: bytes, body: bytes) -> bytes:
    """A part of a file with its header."""
    begun = HEADER.pack(kind, len(body), zlib.crc32(body), 0)[:-4]
    return begun + zlib.crc32(begun).to_bytes(4, "big") + body


def found(header: bytes, at: int) -> Found | None:
    """The section whose header these bytes are; None if they are none."""
    kind, length, crc, own = HEADER.unpack(header)
    return Found(kind, at, length, crc) if zlib.crc32(header[:-4]) == own else None


def closing(rows: tuple[Row, ...], at: int) -> tuple[bytes, bytes]:
    """What ends a save that has come to byte `at`: the contents, and the trailer, which is written last of all."""
    contents = section(CONTENTS, zlib.compress(msgspec.msgpack.encode(rows), LEVEL))
    return contents, section(TAIL, TRAILER.pack(at, at + len(contents)))


def match_body(match: str, entries: Any, opened: Opened) -> Body:
    """A match as it is written. `entries` are entries, or their bytes as the store has them."""
    states = [Raw(one if isinstance(one, bytes) else codec.encode(one)) for one in entries]
    plain = msgspec.msgpack.encode(states)
    if len(plain) > MATCH_MAX:
        raise CorpusError("match", Text("corpus.long", {"match": match, "most": MATCH_MAX // 1024**2}), match=match)
    digest = sha256(plain).digest()
    data = zlib.compress(plain, LEVEL)
    return Body(match, opened.game, opened.version, opened.rules_hash, len(states), len(plain), digest, data)


def row_of(body: Body, offset: int, length: int) -> Row:
    """The line of the contents for a section."""
    return Row(
        body.match,
        body.game,
        body.version,
        body.rules_hash,
        body.entries,
        body.size,
        body.digest,
        offset,
        length,
    )


def read_body(raw: bytes) -> Body | Text:
    """The match of a section, its checksum not looked at yet; or why it is none."""
    try:
        return _BODY.decode(raw)
    except (msgspec.MsgspecError, UnicodeError) as error:
        return misfit(error)


def read_rows(raw: bytes) -> tuple[Row, ...] | Text:
    """The contents of a corpus; or why these bytes are none."""
    try:
        return _ROWS.decode(inflated(raw, CONTENTS_MAX))
    except (msgspec.MsgspecError, UnicodeError) as error:
        return misfit(error)
    except Bomb:
        return Text("corpus.why.bomb", {"most": EXPANSION_MAX})
    except ValueError:
        return Text("corpus.why.packed")


def plain_of(body: Body) -> bytes | Text:
    """A match's entries, no longer compressed and held against their checksum; or what is wrong with them."""
    try:
        plain = inflated(body.data, min(body.size, MATCH_MAX))
    except Bomb:
        return Text("corpus.why.bomb", {"most": EXPANSION_MAX})
    except ValueError:
        return Text("corpus.why.packed")
    return plain if sha256(plain).digest() == body.digest else Text("corpus.why.digest")


def inflated(data: bytes, most: int) -> bytes:
    """Bytes no longer compressed, at most so many of them. Raises ValueError; Bomb where few bytes hold too many."""
    stream = zlib.decompressobj()
    sane = max(SMALL, len(data) * EXPANSION_MAX)
    try:
        plain = stream.decompress(data, min(most, sane) + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(plain) > sane:
        raise Bomb
    if len(plain) > most or not stream.eof:
        raise ValueError("longer than it says")
    return plain


def entries_of(plain: bytes) -> tuple[Entry, ...]:
    """The entries of a match. Raises CodecError with the number of one that is none."""
    try:
        return _ENTRIES.decode(plain)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _one_by_one(plain)


def _one_by_one(plain: bytes) -> tuple[Entry, ...]:
    read: list[Entry] = []
    for number, state in enumerate(states_of(plain), start=1):
        try:
            read.append(codec.decode(state))
        except codec.CodecError as error:
            error.entry = number
            raise
    return tuple(read)


def states_of(plain: bytes) -> list[bytes]:
    """The bytes of each entry, as the store has them. Raises CodecError."""
    try:
        return [bytes(one) for one in _STATES.decode(plain)]
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise codec.CodecError(misfit(error)) from None
