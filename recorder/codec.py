"""Entries as bytes: msgpack in the store, one line of JSON in an exchange file. Nothing is lost between the two."""

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
from domain.words.foreign import misfit
from domain.words.lines import unsplit

MATCH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What a match may be called: a name that is safe in an address and in a file name."""


def no_id(match: str) -> Text:
    """Why this is no id of a match."""
    return Text("codec.no_id", {"match": repr(match)})


class CodecError(TextError):
    """Bytes that are not an entry; `text` says where and why.

    `newer`: a program later than this one wrote them. `cut`: they are the beginning of something longer. `entry` is the
    number of the entry, where it is known.
    """

    newer = False
    cut = False
    entry = 0


TIME_MAX = 253_402_300_799_999
"""The last millisecond of the year 9999: no calendar has a day for a later one."""

_ENCODE = msgspec.msgpack.Encoder().encode
DECODE: Callable[[bytes], Entry] = msgspec.msgpack.Decoder(Entry).decode
"""The bare decoder, for bulk reading; raises msgspec.MsgspecError."""

_MAP16 = b"\xde\x00"
"""How msgpack begins a map of more than 15 fields; or of fewer, where a struct could have more."""


def encode(entry: Entry) -> bytes:
    """The entry as it lies in the store."""
    state = _ENCODE(entry)
    return shorten(state) if _MAP16 in state else state


def encode_readable(entry: Entry) -> bytes:
    """The entry as it lies in the store, once it has been read back from these bytes.

    Raises CodecError for what could not be read, whatever its type says: callers are not all type-checked.
    """
    try:
        state = encode(entry)
    except (msgspec.MsgspecError, TypeError, OverflowError, UnicodeError, RecursionError) as error:
        raise CodecError(Text("codec.no_entry", {"why": misfit(error)})) from None
    read = decode(state)
    if not 0 <= read.at <= TIME_MAX:
        raise CodecError(Text("codec.time", {"at": read.at}))
    if len(facts := entry_facts(read)) > FACTS_MAX:
        raise CodecError(Text("record.facts", {"n": len(facts), "most": FACTS_MAX}))
    return state


def shorten(state: bytes) -> bytes:
    """The shortest bytes there are for what an entry holds, so that they come back from JSON as they were."""
    return msgspec.msgpack.encode(content(state)) if _MAP16 in state else state


def decode(state: bytes) -> Entry:
    """The entry of stored bytes. Raises CodecError."""
    if not isinstance(state, bytes):  # a column of SQLite may hold anything
        got = type(state).__name__
        raise CodecError(Text("codec.no_entry", {"why": Text("misfit.kind", {"wanted": "bytes", "got": got})}))
    try:
        return DECODE(state)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if (later := _later(state)) is not None:
            raise later from None
        raise CodecError(Text("codec.no_entry", {"why": misfit(error)})) from None


def _versions() -> dict[str, int]:
    versions: dict[str, int] = {}
    for kind in (*ENTRIES, *FACTS):
        name, _, version = str(kind.__struct_config__.tag).partition("/")
        versions[name] = max(versions.get(name, 1), int(version or 1))
    return versions


VERSIONS = _versions()
"""The latest version this program reads of every kind of entry and of fact.

Version 1 is written as the bare name (`played`), a later one with its number (`played/2`), so that a program which does
not know it stops at it instead of misreading it. A field that is added at the end with a default is no new version.
"""

_FORM = re.compile(r"([a-z]+)/([1-9][0-9]{0,8})")


def _later(state: bytes) -> CodecError | None:
    """The error for an entry, or a fact in it, whose version is later than this program's."""
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
    """The name under which a type of entry is stored: ours, not the path of a class."""
    return _TOPICS[kind]


def topic(entry: Entry) -> str:
    """The name under which an entry is stored."""
    return _TOPICS[type(entry)]


def raw_action(action: Action) -> Raw:
    """An action as an entry holds it: undecoded, so that viewing a match needs no law."""
    return Raw(_ENCODE(action))


def content(state: bytes) -> Any:
    """What the bytes hold, whatever the order of fields: two entries with equal content say the same."""
    return msgspec.msgpack.decode(state)


def to_json_line(state: bytes) -> bytes:
    """Stored bytes as one line of JSON, without its line end; fields this program does not know are kept.

    Raises CodecError if the bytes are not an entry or hold something that JSON cannot carry back.
    """
    decode(state)
    plain = content(state)
    try:
        line = unsplit(msgspec.json.encode(plain))
        kept = bool(msgspec.json.decode(line) == plain)
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError) as error:
        raise CodecError(Text("codec.no_json", {"why": misfit(error)})) from None
    if not kept:
        raise CodecError(Text("codec.no_json", {"why": Text("codec.plain")}))
    return line


def to_json_lines(states: Iterable[bytes]) -> bytes:
    """Entries as the store holds them, as a file's content. Raises CodecError."""
    return b"".join(to_json_line(state) + b"\n" for state in states)


def from_json_line(line: bytes | str) -> bytes:
    """The stored bytes of one line of JSON; fields this program does not know are kept. Raises CodecError."""
    try:
        state = msgspec.msgpack.encode(msgspec.json.decode(line))
    except (msgspec.MsgspecError, RecursionError, OverflowError, ValueError) as error:
        bad = CodecError(Text("codec.not_json", {"why": misfit(error)}))
        bad.cut = "truncated" in str(error)
        raise bad from None
    decode(state)
    return state
