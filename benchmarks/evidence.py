"""Tamper checks of stores: hash chains against the log, and the log against its checkpoints."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from benchmarks.harness import BenchmarkRow, Effort, measure_pair
from benchmarks.material import matches
from recorder.evidence.checking import check_log, check_matches
from recorder.evidence.notes import KEY_BYTES, Signer
from recorder.evidence.sealing import seal
from recorder.sealing import read_sealing
from recorder.store import Store

MATCHES = 200
MILLION = 1_000_000
SECONDS_MAX = 60.0
"""Time limit to check a million entries on one core."""


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow]:
    ours = matches(1 if quick else MATCHES)
    with Store.open(folder / "evidence.sqlite") as store:
        for at, record in enumerate(ours.records):
            assert store.append(f"m{at}", 0, record) == len(record)
        seal(store, Signer.make("bench", bytes(KEY_BYTES)))
        states = [state for at, _ in enumerate(ours.records) for state in store.read_bytes(f"m{at}")]

        def checked() -> int:
            sealed = read_sealing(store)
            assert not check_log(sealed, ()).wrong
            assert all(looked.wrong is None for looked in check_matches(store, sealed, lambda match: {}))
            return ours.entries

        def hashed() -> int:
            for state in states:
                sha256(state).digest()
            return ours.entries

        found = measure_pair(checked, hashed, effort)
    name, peer = "check a sealed store, per entry", "floor: SHA-256 of the same bytes"
    yield BenchmarkRow(group="evidence", name=name, unit="entries/s", ours=found.ours, peer=peer, ratio=found)
    name = "check a million entries on a core"
    yield BenchmarkRow(group="evidence", name=name, unit="s", ours=MILLION / found.ours, most=SECONDS_MAX)
