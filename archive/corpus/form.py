"""What stands in a corpus file: an SQLite database of three tables. `docs/formats.md` says the same in words."""

import zlib
from collections.abc import Sequence
from hashlib import sha256
from struct import Struct as Packed
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from archive.corpus.troubles import CorpusError
from domain.law.entries import Entry, Opened
from domain.words import Text
from domain.words.foreign import misfit
from recorder import codec

FORMAT = 3
"""The form this program writes, in `user_version`. One more for every change that an older program would misread."""
APPLICATION = 0x53504E43
"""What `application_id` says, `SPNC`: by it a corpus is told from a store and from any other database."""
SQLITE = b"SQLite format 3\0"
HEADER = Packed(">16sH10xI28xI4xI28x")
"""Of the first 100 bytes: SQLite's magic, the size of a page, how many there are, `user_version`, `application_id`."""
PAGE = 1024
"""Bytes of a page. With larger ones more is left empty behind each match."""
_ROW = (
    "(n INTEGER PRIMARY KEY, id TEXT NOT NULL, game TEXT NOT NULL, version TEXT NOT NULL, rules_hash TEXT NOT NULL, "
    "digest BLOB NOT NULL, entries INTEGER NOT NULL, size INTEGER NOT NULL, crc INTEGER NOT NULL, "
)
UNLISTED = (
    "CREATE TABLE corpus (game TEXT NOT NULL, matches INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    f"CREATE TABLE matches {_ROW}data BLOB NOT NULL) STRICT",
)
"""What a corpus of the form before is made of: to list its rows, all of its pages are gone through."""
SCHEMA = (UNLISTED[0], f"CREATE TABLE listed {_ROW}length INTEGER NOT NULL) STRICT", UNLISTED[1])
"""All there may be in a corpus, to the letter: no view stands in a table's place, and no trigger waits."""
TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid LIMIT 4"
HEAD = "SELECT game, matches, digest FROM corpus LIMIT 2"
ROWS = "SELECT n, id, game, version, rules_hash, digest, entries, size, crc, length(data) FROM matches"
LISTED = "SELECT n, id, game, version, rules_hash, digest, entries, size, crc, length FROM listed"
FULL = f"{ROWS.replace(' FROM', ', data FROM')} WHERE n = ?"

LEVEL = 6
"""How hard zlib tries: more gains three bytes in a hundred for twice the time."""
MATCH_MAX = 256 * 1024**2
"""Bound on the bytes of one match's entries, before they are compressed."""
EXPANSION_MAX = 100
"""How many times their size bytes may unpack to, beyond what is small anyway; a match comes to a tenth of it."""
SMALL = 1024**2
"""So many bytes anything may unpack to."""

Word = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0)]


class CorpusHeader(Struct, frozen=True, array_like=True):
    """The only row of `corpus`. `digest` is the SHA-256 over the lines of `matches`, each as msgpack."""

    game: Word
    matches: Number
    digest: bytes


class CorpusRow(Struct, frozen=True, array_like=True):
    """A match as it is listed: its number, what it is, and how it is packed.

    `size` is that of its entries before they were compressed and `digest` the SHA-256 of these: two corpora hold the
    same match if it is the same in both. `packed` is the length of the compressed bytes, `crc` the CRC-32 of the other
    values of this line, with 0 in its own place, as msgpack, and of these bytes behind them.
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
    """Few bytes that hold far more than anything of ours does."""


_ENTRIES = msgspec.msgpack.Decoder(tuple[Entry, ...])
_STATES = msgspec.msgpack.Decoder(list[Raw])


def expected(form: int) -> list[tuple[str, str, str, str]]:
    """What `TABLES` must give of a corpus of this form."""
    schema = SCHEMA if form == FORMAT else UNLISTED
    return [("table", sql.split()[2], sql.split()[2], sql) for sql in schema]


def pack(n: int, match: str, entries: Sequence[Entry] | Sequence[bytes], opened: Opened) -> tuple[CorpusRow, bytes]:
    """A match as it is written. `entries` are entries, or their bytes as the store has them. Raises CorpusError."""
    plain = encode_entries(entries)
    if len(plain) > MATCH_MAX:
        raise CorpusError("match", Text("corpus.long", {"match": match, "most": MATCH_MAX // 1024**2}), match=match)
    data = zlib.compress(plain, LEVEL)
    told = (opened.game, opened.version, opened.rules_hash, sha256(plain).digest(), len(entries), len(plain))
    try:
        row = msgspec.convert((n, match, *told, 0, len(data)), CorpusRow)
    except msgspec.ValidationError as error:
        raise CorpusError("match", misfit(error), match=match) from None
    return replace(row, crc=crc_of(row, data)), data


def encode_entries(entries: Sequence[Entry] | Sequence[bytes]) -> bytes:
    """A match's entries one behind the other, as they are compressed and as its digest is made of them."""
    return msgspec.msgpack.encode(
        [Raw(entry if isinstance(entry, bytes) else codec.encode(entry)) for entry in entries]
    )


def crc_of(row: CorpusRow, data: bytes) -> int:
    """The checksum of a row."""
    return zlib.crc32(data, zlib.crc32(msgspec.msgpack.encode(replace(row, crc=0))))


def plain_of(row: CorpusRow, data: bytes) -> bytes | Text:
    """A match's entries, no longer compressed and held against their checksum; or what is wrong with them."""
    try:
        plain = inflate(data, min(row.size, MATCH_MAX))
    except Bomb:
        return Text("corpus.why.bomb", {"most": EXPANSION_MAX})
    except ValueError:
        return Text("corpus.why.packed")
    return plain if sha256(plain).digest() == row.digest else Text("corpus.why.digest")


def inflate(data: bytes, most: int) -> bytes:
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
        return tuple(_numbered(number, state) for number, state in enumerate(states_of(plain), start=1))


def _numbered(number: int, state: bytes) -> Any:
    try:
        return codec.decode(state)
    except codec.CodecError as error:
        error.entry = number
        raise


def states_of(plain: bytes) -> list[bytes]:
    """The bytes of each entry, as the store has them. Raises CodecError."""
    try:
        return [bytes(state) for state in _STATES.decode(plain)]
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise codec.CodecError(misfit(error)) from None
