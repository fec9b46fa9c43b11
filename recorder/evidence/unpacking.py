"""Check packs with the verifier that each contains, reporting in two languages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from domain.evidence import names
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Text
from recorder import codec
from recorder.codec import CodecError
from recorder.evidence import verifier as V
from recorder.evidence.checking import Discrepancy, Log, MatchCheck
from recorder.evidence.notes import Key
from recorder.evidence.packs import PackError
from recorder.evidence.viewer_rows import ROWS, write_rows
from recorder.imports import find_fault
from recorder.laws import law_of

BEGINS: Final = b"PK\3\4"


REPORTED_ELSEWHERE: Final = frozenset(("named", "unlinked", "unsealed", "later"))
"""Lines of the verifier that `MatchCheck` and `Log` report as numbers."""
BOUND_BY_ROWS: Final = frozenset(("unbound", "later_rows", "pinned", "players", "uncompared"))
"""Lines that stay unproved until the shown rows are compared with the record."""


class Unpacked(Struct, frozen=True):
    """The result of checking a pack: its match, its checkpoint, opened columns, and what it leaves unproved. `rows` is
    the number of entries that a players' pack shows. `proved` of them agree with the log or the opened record."""

    check: MatchCheck
    log: Log
    opened: int = 0
    unproved: tuple[Text, ...] = ()
    rows: int = 0
    proved: int = 0


def open_pack(data: bytes) -> dict[str, bytes]:
    """Return the files of a pack. Raises PackError."""
    try:
        return V.read_pack(data)
    except V.Bad as error:
        raise PackError(_make_text(error.args[0])) from None


def read_manifest(files: dict[str, bytes]) -> dict[str, Any]:
    """Return the manifest of a pack. Raises PackError."""
    try:
        return V.read_rows(files, "manifest.json", False)[0]
    except V.Bad as error:
        raise PackError(_make_text(error.args[0])) from None


def check_pack(data: bytes, keys: Sequence[Key] = (), whole: bytes | None = None) -> Unpacked:
    """Check a pack against trusted keys, and against `whole`, the pack with what this one hides. Raises PackError."""
    try:
        files, trusted = V.read_pack(data), [str(key) for key in keys]
        others = None if whole is None else V.read_pack(whole)
        packs = [files] if others is None else [files, others]
        checks, *other_checks = ([*V.check(pack, trusted if V.must_be_signed(pack, packs) else ())] for pack in packs)
        opening = [] if others is None else [*V.open_pack(files, others), *compare_rows(files, others)]
        match = str(V.read_rows(files, "manifest.json", False)[0].get("match", ""))
    except V.Bad as error:
        raise PackError(_make_text(error.args[0])) from None
    lines = [*checks, *(line for part in other_checks for line in part), *opening]
    facts = {line.key: line.values for line in lines if line.state == "holds"}
    wrong = tuple(_make_wrong(match, line) for line in lines if line.state == "wrong")
    signed = facts.get("key", {}).get("signer", "")
    log = Log(checkpoints=int("proof" in facts), signed=signed, trusted=bool(keys and signed), wrong=wrong)
    entries = next(line.values["entries"] for line in checks if line.key == "counted")
    unlinked = max((line.values["last"] for line in lines if line.key == "unlinked"), default=0)
    covered = facts.get("history" if "entries.jsonl" in files or others else "proof", {}).get("last", 0)
    return Unpacked(
        check=MatchCheck(match, entries, unlinked, covered),
        log=log,
        opened=facts.get("columns", {}).get("columns", 0),
        unproved=tuple(_unproved([*checks, *opening], facts.keys())),
        rows=entries if "seen.jsonl" in files else 0,
        proved=_proved(lines, facts),
    )


def _unproved(lines: Sequence[V.CheckLine], facts: Collection[str]) -> Iterator[Text]:
    """Yield unproved lines, except those that another line or pack settles."""
    settled = {*REPORTED_ELSEWHERE, *(BOUND_BY_ROWS if "compared" in facts else ())}
    settled |= {"commitments"} if "columns" in facts else set()
    for line in lines:
        if line.state == "open" and line.key not in settled:
            yield Text(f"pack.open.{line.key}", line.values)


def _proved(lines: Sequence[V.CheckLine], facts: Mapping[str, Mapping[str, int]]) -> int:
    if any(line.state == "wrong" and line.key in ("rows", "shown", "differs") for line in lines):
        return 0
    compared: int = facts.get("compared", {}).get("entries", 0)
    return compared or facts.get("rows", {}).get("last", 0)


def _make_wrong(match: str, line: V.CheckLine) -> Discrepancy:
    entry = line.values.get("entry", 0)
    return Discrepancy(match if entry else "", entry, _make_text(line))


def _make_text(line: V.CheckLine) -> Text:
    return Text(f"pack.{line.key}", line.values)


Files = Mapping[str, bytes]


def compare_rows(hidden: Files, whole: Files) -> Iterator[V.CheckLine]:
    """Yield the result of comparing every shown row; nothing if this program cannot show the record.

    Differing rows are wrong if their form is this program's. Rows of an earlier version are
    unproved instead. Raises Bad.
    """
    manifest = V.read_rows(dict(hidden), "manifest.json", False)[0]
    rows = V.read_rows(dict(hidden), "seen.jsonl")
    expected = _show(whole, str(manifest.get("audience")), len(rows))
    if expected is None:
        return
    state = "wrong" if manifest.get("rows") == ROWS else "open"
    differing = [
        at
        for at, (row, other) in enumerate(zip(rows, expected, strict=True), 1)
        if _comparable_bytes(row) != _comparable_bytes(other)
    ]
    yield from (
        V.CheckLine(state, "differs", "entry {entry}: shown differently than recorded", {"entry": entry})
        for entry in differing
    )
    if not differing:
        text = "{entries} entries are shown as in the record of the other pack"
        yield V.CheckLine("holds", "compared", text, {"entries": len(rows)})


def _show(whole: Files, audience: str, upto: int) -> Sequence[Mapping[str, object]] | None:
    """Return the rows that an audience sees of the record in a pack, or None if this program cannot show them."""
    lines = [line for line in whole["entries.jsonl"].split(b"\n") if line]
    try:
        states = [codec.from_json_line(line) for line in islice(lines, upto)]
        entries = [codec.decode(state) for state in states]
    except CodecError:
        return None
    law = Text("record.empty") if find_fault(entries) is not None else law_of(entries[0])
    if isinstance(law, Text):
        return None
    record, viewer = Record(law, tuple(entries)), Seat(SPECTATOR if audience == "players" else audience)
    if viewer not in (SPECTATOR, *record.opening.seats):
        return None
    return V.read_rows({"rows": write_rows(record, states[0], record.eyes(viewer))}, "rows")


def _comparable_bytes(row: Mapping[str, object]) -> bytes:
    """Return a row for comparison, without the names, which are compared by hash."""
    return V.encode({name: value for name, value in row.items() if name not in (names.NAMES, names.HASHES)})
