"""Encode entries: msgpack in the store, a line of JSON in an exchange file. Conversion is lossless both ways."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Raw

from domain.law.entries import ENTRIES, Entry, entry_facts
from domain.law.live import FACTS_MAX
from domain.law.logged import Logged
from domain.law.slots import Action
from domain.table.facts import FACTS
from domain.words import Text, TextError
from domain.words.foreign import explain_decode_error
from domain.words.lines import escape_line_ends

MATCH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Pattern of match ids, which are safe in URLs and file names."""


def invalid_id_text(match: str) -> Text:
    """Return the message for an invalid match id."""
    return Text("codec.no_id", {"match": repr(match)})


class CodecError(TextError):
    """Bytes that are not an entry; `text` says where and why. `newer`: a later program wrote them. `cut`: they are
    truncated. `entry`: the number of the entry, 0 if unknown."""

    newer = False
    cut = False
    entry = 0


TIME_MAX = 253_402_300_799_999
"""The last millisecond of the year 9999, the latest that calendars support."""

_ENCODE = msgspec.msgpack.Encoder().encode
DECODE: Callable[[bytes], Entry] = msgspec.msgpack.Decoder(Entry).decode
"""The bare decoder, for bulk reading; raises msgspec.MsgspecError."""

_MAP16 = b"\xde\x00"
"""First bytes of a msgpack map of more than 15 fields, or of a struct that could have more."""


def encode(entry: Entry) -> bytes:
    """Return the stored form of an entry."""
    state = _ENCODE(entry)
    return shorten(state) if _MAP16 in state else state


def encode_readable(entry: Entry) -> bytes:
    """Return the stored form of an entry after checking that it can be read back. Raises CodecError; some callers are
    not type-checked, so the entry can be of any type."""
    try:
        state = encode(entry)
    except (msgspec.MsgspecError, TypeError, OverflowError, UnicodeError, RecursionError) as error:
        raise CodecError(Text("codec.no_entry", {"why": explain_decode_error(error)})) from None
    read = decode(state)
    if not 0 <= read.at <= TIME_MAX:
        raise CodecError(Text("codec.time", {"at": read.at}))
    if len(facts := entry_facts(read)) > FACTS_MAX:
        raise CodecError(Text("record.facts", {"n": len(facts), "most": FACTS_MAX}))
    return state


def shorten(state: bytes) -> bytes:
    """Return the shortest encoding of an entry, the one that a conversion from JSON gives."""
    return msgspec.msgpack.encode(content(state)) if _MAP16 in state else state


def decode(state: bytes) -> Entry:
    """Decode a stored entry. Raises CodecError."""
    if not isinstance(state, bytes):  # a column of SQLite may hold any type
        got = type(state).__name__
        raise CodecError(Text("codec.no_entry", {"why": Text("misfit.kind", {"wanted": "bytes", "got": got})}))
    try:
        return DECODE(state)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if (later := _find_newer_error(state)) is not None:
            raise later from None
        raise CodecError(Text("codec.no_entry", {"why": explain_decode_error(error)})) from None


def _versions() -> dict[str, int]:
    versions: dict[str, int] = {}
    for kind in (*ENTRIES, *FACTS):
        name, _, version = str(kind.__struct_config__.tag).partition("/")
        versions[name] = max(versions.get(name, 1), int(version or 1))
    return versions


VERSIONS = _versions()
"""The latest version of each kind of entry and fact that this program reads.

Version 1 is written as the bare name (`played`), a later one with its number (`played/2`). An older program stops at an
unknown version instead of misreading it. A new last field with a default is no new version.
"""

_FORM = re.compile(r"([a-z]+)/([1-9][0-9]{0,8})")


def _find_newer_error(state: bytes) -> CodecError | None:
    """Return the error for an entry or fact of a later version than this program's."""
    try:
        plain = content(state)
        names = (plain.get("entry"), *(fact[0] for _, fact in plain.get("told", ())))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, AttributeError, LookupError, TypeError, ValueError):
        return None
    for name in names:
        form = _FORM.fullmatch(name) if isinstance(name, str) else None
        if form is not None and int(form[2]) > VERSIONS.get(form[1], int(form[2])):
            known = {"name": name, "kind": form[1], "known": VERSIONS[form[1]]}
            error = CodecError(Text("codec.newer", known))
            error.newer = True
            return error
    return None


_TOPICS = {kind: f"match.{kind.__struct_config__.tag}" for kind in ENTRIES}


def topic_of(kind: type[Logged]) -> str:
    """Return the topic of a type of entry, which does not depend on the path of its class."""
    return _TOPICS[kind]


def topic(entry: Entry) -> str:
    return _TOPICS[type(entry)]


def raw_action(action: Action) -> Raw:
    """Encode an action for an entry. It stays undecoded, so viewing a match needs no law."""
    return Raw(_ENCODE(action))


def content(state: bytes) -> Any:
    """Decode the fields without a schema. Entries with equal content are equal."""
    return msgspec.msgpack.decode(state)


def to_json_line(state: bytes) -> bytes:
    """Convert a stored entry to a line of JSON without its line end, keeping unknown fields. Raises CodecError if the
    bytes are not an entry, or JSON cannot represent them."""
    decode(state)
    plain = content(state)
    try:
        line = escape_line_ends(msgspec.json.encode(plain))
        lossless = bool(msgspec.json.decode(line) == plain)
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError) as error:
        raise CodecError(Text("codec.no_json", {"why": explain_decode_error(error)})) from None
    if not lossless:
        raise CodecError(Text("codec.no_json", {"why": Text("codec.plain")}))
    return line


def to_json_lines(states: Iterable[bytes]) -> bytes:
    """Convert stored entries to the content of a file. Raises CodecError."""
    return b"".join(to_json_line(state) + b"\n" for state in states)


def from_json_line(line: bytes | str) -> bytes:
    """Convert a line of JSON to a stored entry, keeping unknown fields. Raises CodecError."""
    try:
        state = msgspec.msgpack.encode(msgspec.json.decode(line))
    except (msgspec.MsgspecError, RecursionError, OverflowError, ValueError) as error:
        bad = CodecError(Text("codec.not_json", {"why": explain_decode_error(error)}))
        bad.cut = "truncated" in str(error)
        raise bad from None
    decode(state)
    return state
