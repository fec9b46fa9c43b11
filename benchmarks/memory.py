"""Peak memory of a whole regress: the program, its worker processes and the resource tracker."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

from msgspec import Struct

from benchmarks.harness import BenchmarkRow, SkippedRow
from benchmarks.material import BLACKPOKER, large, packed

JOBS = 2
RULES = f"{BLACKPOKER}@9.0-lite"
"""Another edition: hardly a match is identical, so the report of each is as large as it can be."""
MATCHES, SOME, FEW, MILLION = 20_000, 2_000, 4, 1_000_000
MEGABYTES_MAX = 400
"""Limit over all processes."""
SAMPLE_INTERVAL_S = 0.1
PROGRAM = (sys.executable, "-c", "from cli.main import main; main()")
PROC = Path("/proc")
MEGABYTE, KILOBYTE = 1e6, 1024


class MemoryUse(Struct, frozen=True):
    """Peak memory of a run in megabytes, the number of processes at the peak, and the duration in seconds."""

    megabytes: float
    processes: int
    seconds: float


def rows(quick: bool, asked: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    name = f"peak memory of a regress of {MATCHES:,} matches on {JOBS} jobs"
    if not measurable():
        yield SkippedRow(name, "only Linux says what several processes share (/proc/PID/smaps_rollup)")
        return
    if quick:
        yield from _build_rows(FEW, _measure_run(packed(BLACKPOKER, FEW, folder), folder))
        return
    if large(BLACKPOKER, MATCHES) is None:
        yield SkippedRow(name, f"there is no corpus of {MATCHES:,} matches of {BLACKPOKER}: make it with `make corpus`")
        return
    some = _measure_run(packed(BLACKPOKER, SOME, folder), folder)
    yield from _build_rows(SOME, some)
    if asked:
        many = _measure_run(packed(BLACKPOKER, MATCHES, folder), folder)
        yield from _build_rows(MATCHES, many)
        yield from _extrapolate(some, many)
    else:
        yield SkippedRow(name, "it takes minutes: ask for it with `--memory`")


def measurable() -> bool:
    """True if the system reports child processes and shared memory."""
    return all((PROC / "self" / one).exists() for one in ("smaps_rollup", f"task/{os.getpid()}/children"))


def _build_rows(count: int, found: MemoryUse) -> Iterator[BenchmarkRow]:
    yield BenchmarkRow(
        group="memory",
        name=f"peak memory of a regress of {count:,} matches on {JOBS} jobs, {found.processes} processes",
        unit="MB",
        ours=found.megabytes,
        most=MEGABYTES_MAX,
    )
    yield BenchmarkRow(group="memory", name="the same run", unit="matches/s", ours=count / found.seconds)


def _extrapolate(some: MemoryUse, many: MemoryUse) -> Iterator[BenchmarkRow]:
    """Yield the memory and time of a million matches, as a straight line through both runs gives them."""
    share = (MILLION - MATCHES) / (MATCHES - SOME)
    name = f"a million matches, computed from {SOME:,} and {MATCHES:,}"
    megabytes = many.megabytes + share * (many.megabytes - some.megabytes)
    minutes = (many.seconds + share * (many.seconds - some.seconds)) / 60
    yield BenchmarkRow(group="memory", name=f"{name}: memory", unit="MB", ours=megabytes)
    yield BenchmarkRow(group="memory", name=f"{name}: time", unit="minutes", ours=minutes)


def _measure_run(corpus: Path, folder: Path) -> MemoryUse:
    command = (*PROGRAM, "regress", "--rules", RULES, "--jobs", str(JOBS), "--json", str(corpus))
    out, err = folder / "regress.json", folder / "regress.err"
    began, most, processes = perf_counter(), 0.0, 0
    with out.open("wb") as report, err.open("wb") as log, subprocess.Popen(command, stdout=report, stderr=log) as run:
        while run.poll() is None:
            sizes = [_read_memory(one) for one in _family(run.pid)]
            if sum(sizes) > most:
                most, processes = sum(sizes), len(sizes)
            sleep(SAMPLE_INTERVAL_S)
    assert run.returncode in (0, 1), err.read_text()
    return MemoryUse(most, processes, perf_counter() - began)


def _family(root: int) -> list[int]:
    found = [root]
    for process in found:
        for children in (PROC / str(process)).glob("task/*/children"):
            try:
                found.extend(map(int, children.read_text().split()))
            except OSError:
                continue
    return found


def _read_memory(process: int) -> float:
    """Return the megabytes of a process, with shared memory divided among its users (PSS); 0 if it has ended."""
    try:
        lines = (PROC / str(process) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    kilobytes = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return kilobytes * KILOBYTE / MEGABYTE
