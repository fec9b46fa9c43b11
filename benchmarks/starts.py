"""Startup time of whole commands, against a Python that imports the two libraries every command needs."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import LONG_PAIRS_MAX, BenchmarkRow, Effort, Work, measure_pair
from benchmarks.material import matches
from domain.law.entries import fold_entries, opened_of
from recorder import codec
from recorder.imports import import_records
from recorder.store import Store

MATCH_ENTRIES = 60
"""Entries of the match that the commands use."""
PEER = "python -c 'import msgspec, typer'"


def rows(effort: Effort, folder: Path) -> Iterator[BenchmarkRow]:
    """Yield runs per second of each command, against the reference. `do` is refused, so nothing changes."""
    record = matches(1).records[0][:MATCH_ENTRIES]
    path = folder / "starts.sqlite"
    with Store.open(path) as store:
        import_records(store, [[codec.encode(entry) for entry in record]], "m")
    active = fold_entries(record).clock.active
    waiting = next(seat for seat in opened_of(record).seats if seat != active)
    calls = {"show": ("m",), "log": ("m",), "audit": ("m",), "do": ("m", f"{waiting}: pass")}
    program = [sys.executable, "-c", "from cli.main import main; main()", "--store", str(path)]
    few = Effort(min(effort.pairs, LONG_PAIRS_MAX), effort.seconds)
    peer = _run([sys.executable, "-c", "import msgspec, typer"])
    for command, arguments in calls.items():
        ratio = measure_pair(_run([*program, command, *arguments]), peer, few)
        yield BenchmarkRow(
            group="start", name=f"{command} of a match", unit="1/s", ours=ratio.ours, peer=PEER, ratio=ratio
        )


def _run(program: list[str]) -> Work:
    def run() -> int:
        subprocess.run(program, capture_output=True, check=False)
        return 1

    return run
