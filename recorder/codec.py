"""Entries as bytes: msgpack in the store, one line of JSON in an exchange file. Nothing is lost between the two."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from domain.law.entries import ENTRIES, Entry
from domain.law.slots import Action

MATCH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What a match may be called: a name that is safe in an address and in a file name."""


def no_id(match: str) -> str:
    """Why this is no id of a match."""
    return f"{match!r} cannot be a match's id: up to 64 letters, digits, '.', '_', '-', the first a letter or digit"


class CodecError(ValueError):
    """Bytes that are not an entry; the message says where and why."""


_ENCODE = msgspec.msgpack.Encoder().encode
DECODE: Callable[[bytes], Entry] = msgspec.msgpack.Decoder(Entry).decode
"""The bare decoder, for bulk reading; raises msgspec.MsgspecError."""


def encode(entry: Entry) -> bytes:
    """The entry as it lies in the store."""
    return _ENCODE(entry)


def decode(state: bytes) -> Entry:
    """The entry of stored bytes. Raises CodecError."""
    try:
        return DECODE(state)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise CodecError(f"not an entry: {error}") from None


_TOPICS = {one: f"match.{one.__struct_config__.tag}" for one in ENTRIES}


def topic(entry: Entry) -> str:
    """The name under which a type of entry is stored: ours, not the path of a class."""
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
        line = msgspec.json.encode(plain)
        kept = bool(msgspec.json.decode(line) == plain)
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError) as error:
        raise CodecError(f"an entry that JSON cannot hold: {error}") from None
    if not kept:
        raise CodecError("an entry that JSON cannot hold: only text, whole numbers, lists and maps by text come back")
    return line


def from_json_line(line: bytes | str) -> bytes:
    """The stored bytes of one line of JSON; fields this program does not know are kept. Raises CodecError."""
    try:
        state = msgspec.msgpack.encode(msgspec.json.decode(line))
    except (msgspec.MsgspecError, RecursionError, OverflowError, ValueError) as error:
        raise CodecError(f"not JSON: {error}") from None
    decode(state)
    return state
