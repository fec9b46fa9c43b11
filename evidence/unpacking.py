"""Packs looked through by the rules of the verifier that lies in each: what is wrong is the same, in two languages."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.words import Text
from evidence import verifier as V
from evidence.checking import Log, Looked, Wrong
from evidence.notes import Key
from evidence.packs import PackError

BEGINS: Final = b"PK\3\4"
"""How a pack begins."""


class Unpacked(Struct, frozen=True):
    """A pack looked through: its match, what is said of the checkpoint that it is shown against, how many hidden
    columns were opened."""

    looked: Looked
    log: Log
    opened: int = 0


def open_pack(data: bytes) -> dict[str, bytes]:
    """The files of a pack. Raises PackError for what is none."""
    try:
        return V.read_pack(data)
    except V.Bad as error:
        raise PackError(_text(error.args[0])) from None


def list_files(files: dict[str, bytes]) -> dict[str, Any]:
    """What a pack says of itself. Raises PackError."""
    try:
        return V.read_rows(files, "manifest.json", False)[0]
    except V.Bad as error:
        raise PackError(_text(error.args[0])) from None


def check_pack(data: bytes, keys: Sequence[Key] = (), whole: bytes | None = None) -> Unpacked:
    """Hold a pack against itself, against the keys of whom somebody trusts, and against the pack that has what this
    one hides. Raises PackError for what is no pack."""
    try:
        files = V.read_pack(data)
        trusted = [str(key) for key in keys]
        lines = [*V.check(files, trusted if whole is None else ())]
        match = str(V.read_rows(files, "manifest.json", False)[0].get("match", ""))
        if whole is not None:
            others = V.read_pack(whole)
            lines += V.check(others, trusted)
            lines += V.open_pack(files, others)
    except V.Bad as error:
        raise PackError(_text(error.args[0])) from None
    told = {line.key: line.values for line in lines if line.state != "wrong"}
    wrong = tuple(_wrong(match, line) for line in lines if line.state == "wrong")
    unlinked, held = told.get("unlinked", {}).get("last", 0), told.get("history", {}).get("last", 0)
    signed = told.get("key", {}).get("signer", "")
    log = Log(checkpoints=int("proof" in told), signed=signed, trusted=bool(keys and signed), wrong=wrong)
    entries = next(line.values["entries"] for line in lines if line.key == "counted")
    return Unpacked(Looked(match, entries, unlinked, held), log, told.get("columns", {}).get("columns", 0))


def _wrong(match: str, line: V.Line) -> Wrong:
    entry = line.values.get("entry", 0)
    return Wrong(match if entry else "", entry, _text(line))


def _text(line: V.Line) -> Text:
    return Text(f"pack.{line.key}", line.values)
