"""The rows of a players' pack, compared with what this program shows of the record that opens the pack."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from domain.evidence import names
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Text
from recorder import codec
from recorder.codec import CodecError
from recorder.evidence import verifier as V
from recorder.evidence.shown import ROWS, write_rows
from recorder.imports import fault
from recorder.laws import law_of

Files = Mapping[str, bytes]


def compare_rows(hidden: Files, whole: Files) -> Iterator[V.Line]:
    """Yield what came of comparing every row that a pack shows; nothing for a record that this program cannot show.

    Rows that differ are wrong if they have the form that this program writes; else an earlier program may have shown
    them so, and they are unproved. Raises Bad.
    """
    manifest = V.read_rows(dict(hidden), "manifest.json", False)[0]
    rows = V.read_rows(dict(hidden), "seen.jsonl")
    shown = _show(whole, str(manifest.get("audience")), len(rows))
    if shown is None:
        return
    state = "wrong" if manifest.get("rows") == ROWS else "open"
    differing = [at for at, (row, other) in enumerate(zip(rows, shown, strict=True), 1) if _plain(row) != _plain(other)]
    yield from (
        V.Line(state, "differs", "entry {entry}: shown otherwise than the record has it", {"entry": entry})
        for entry in differing
    )
    if not differing:
        text = "{entries} entries are shown as the record of the other pack has them"
        yield V.Line("holds", "compared", text, {"entries": len(rows)})


def _show(whole: Files, audience: str, upto: int) -> Sequence[Mapping[str, object]] | None:
    """Return the rows that an audience sees of the record in a pack, None if this program cannot show them."""
    lines = [line for line in whole["entries.jsonl"].split(b"\n") if line]
    try:
        states = [codec.from_json_line(line) for line in islice(lines, upto)]
        entries = [codec.decode(state) for state in states]
    except CodecError:
        return None
    law = Text("record.empty") if fault(entries) is not None else law_of(entries[0])
    if isinstance(law, Text):
        return None
    record, viewer = Record(law, tuple(entries)), Seat(SPECTATOR if audience == "players" else audience)
    if viewer not in (SPECTATOR, *record.opened.seats):
        return None
    return V.read_rows({"rows": write_rows(record, states[0], record.eyes(viewer))}, "rows")


def _plain(row: Mapping[str, object]) -> bytes:
    """Return a row as bytes to be compared, without what is compared by its hash."""
    return V.encode({name: value for name, value in row.items() if name not in (names.NAMES, names.HASHES)})
