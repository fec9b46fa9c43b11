"""The format of a corpus file: an SQLite database of three tables. See `docs/formats.md`."""

import zlib
from collections.abc import Sequence
from hashlib import sha256
from struct import Struct as Packed
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from archive.corpus.errors import CorpusError
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import explain_decode_error
from recorder import codec

FORMAT = 3
"""The format this program writes, in `user_version`. Raise it for every change that an older program would misread."""
APPLICATION = 0x53504E43
"""The value of `application_id`, `SPNC`, which distinguishes a corpus from other databases."""
SQLITE = b"SQLite format 3\0"
HEADER = Packed(">16sH10xI28xI4xI28x")
"""Header fields of the first 100 bytes: magic, page size, number of pages, `user_version`, `application_id`."""
PAGE = 1024
"""Page size in bytes. Larger pages waste more space after each match."""
_ROW = (
    "(n INTEGER PRIMARY KEY, id TEXT NOT NULL, game TEXT NOT NULL, version TEXT NOT NULL, rules_hash TEXT NOT NULL, "
    "digest BLOB NOT NULL, entries INTEGER NOT NULL, size INTEGER NOT NULL, crc INTEGER NOT NULL, "
)
UNLISTED = (
    "CREATE TABLE corpus (game TEXT NOT NULL, matches INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    f"CREATE TABLE matches {_ROW}data BLOB NOT NULL) STRICT",
)
"""The schema of the previous format, in which listing the rows reads every page."""
SCHEMA = (UNLISTED[0], f"CREATE TABLE listed {_ROW}length INTEGER NOT NULL) STRICT", UNLISTED[1])
"""The exact schema of a corpus, which excludes views in place of tables, and triggers."""
TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid LIMIT 4"
HEAD = "SELECT game, matches, digest FROM corpus LIMIT 2"
ROWS = "SELECT n, id, game, version, rules_hash, digest, entries, size, crc, length(data) FROM matches"
LISTED = "SELECT n, id, game, version, rules_hash, digest, entries, size, crc, length FROM listed"
FULL = f"{ROWS.replace(' FROM', ', data FROM')} WHERE n = ?"

LEVEL = 6
"""The zlib level. Higher ones save three percent for twice the time."""
MATCH_MAX = 256 * 1024**2
"""Limit of a match's uncompressed bytes."""
EXPANSION_MAX = 100
"""Limit of the expansion ratio for data larger than `SMALL`. A match reaches about a tenth of it."""
SMALL = 1024**2
"""Bytes that any data may expand to."""

Word = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0)]


class CorpusHeader(Struct, frozen=True, array_like=True):
    """The only row of `corpus`. `digest` is the SHA-256 over the rows of `matches`, each as msgpack."""

    game: Word
    matches: Number
    digest: bytes


class CorpusRow(Struct, frozen=True, array_like=True):
    """The row of a match, with its number, identity and packing.

    `size` is the uncompressed size of its entries, and `digest` their SHA-256: two corpora hold the same match if it is
    equal. `pack` is the length of the compressed bytes. `crc` is the CRC-32 of this row as msgpack, with 0 as `crc`,
    followed by the compressed bytes.
    """

    n: int
    match: Word
    game: Word
    version: Word
    rules_hash: Word
    digest: bytes
    entries: Number
    size: Number
    crc: Number
    pack: Number


class Bomb(ValueError):
    """Data with an implausible expansion ratio."""


_ENTRIES = msgspec.msgpack.Decoder(tuple[Entry, ...])
_STATES = msgspec.msgpack.Decoder(list[Raw])


def expected(form: int) -> list[tuple[str, str, str, str]]:
    """Return the expected result of `TABLES` for a corpus of this format."""
    schema = SCHEMA if form == FORMAT else UNLISTED
    return [("table", sql.split()[2], sql.split()[2], sql) for sql in schema]


def pack(n: int, match: str, entries: Sequence[Entry] | Sequence[bytes], opened: Opened) -> tuple[CorpusRow, bytes]:
    """Return the row and data of a match, given its entries or their stored form. Raises CorpusError."""
    plain = encode_entries(entries)
    if len(plain) > MATCH_MAX:
        raise CorpusError("match", Text("corpus.long", {"match": match, "most": MATCH_MAX // 1024**2}), match=match)
    data = zlib.compress(plain, LEVEL)
    values = (opened.game, opened.version, opened.rules_hash, sha256(plain).digest(), len(entries), len(plain))
    try:
        row = msgspec.convert((n, match, *values, 0, len(data)), CorpusRow)
    except msgspec.ValidationError as error:
        raise CorpusError("match", explain_decode_error(error), match=match) from None
    return replace(row, crc=crc_of(row, data)), data


def encode_entries(entries: Sequence[Entry] | Sequence[bytes]) -> bytes:
    """Return the concatenated entries, as they are compressed and hashed."""
    return msgspec.msgpack.encode(
        [Raw(entry if isinstance(entry, bytes) else codec.encode(entry)) for entry in entries]
    )


def crc_of(row: CorpusRow, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(msgspec.msgpack.encode(replace(row, crc=0))))


def plain_of(row: CorpusRow, data: bytes) -> bytes | Text:
    """Decompress and verify a match's entries, or return what is wrong with them."""
    try:
        plain = inflate(data, min(row.size, MATCH_MAX))
    except Bomb:
        return Text("corpus.why.bomb", {"most": EXPANSION_MAX})
    except ValueError:
        return Text("corpus.why.packed")
    return plain if sha256(plain).digest() == row.digest else Text("corpus.why.digest")


def inflate(data: bytes, most: int) -> bytes:
    """Decompress at most `most` bytes. Raises ValueError, or Bomb for an implausible ratio."""
    stream = zlib.decompressobj()
    limit = max(SMALL, len(data) * EXPANSION_MAX)
    try:
        plain = stream.decompress(data, min(most, limit) + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(plain) > limit:
        raise Bomb
    if len(plain) > most or not stream.eof:
        raise ValueError("longer than it says")
    return plain


def entries_of(plain: bytes) -> tuple[Entry, ...]:
    """Return the entries of a match. Raises CodecError with the number of an invalid one."""
    try:
        return _ENTRIES.decode(plain)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return tuple(_decode_numbered(number, state) for number, state in enumerate(states_of(plain), start=1))


def _decode_numbered(number: int, state: bytes) -> Any:
    try:
        return codec.decode(state)
    except codec.CodecError as error:
        error.entry = number
        raise


def states_of(plain: bytes) -> list[bytes]:
    """Return the stored entries of a match. Raises CodecError."""
    try:
        return [bytes(state) for state in _STATES.decode(plain)]
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise codec.CodecError(explain_decode_error(error)) from None
