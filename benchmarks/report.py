"""Report of the results for the terminal and for `results.md`, with the machine."""

import os
import platform
import sqlite3
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.harness import CONTROL_LEAST, CONTROL_MOST, BenchmarkRow, Effort, SkippedRow
from domain.law.lane import LAW_BUILD

LIBRARIES = ("msgspec", "eventsourcing", "chess")
COLUMNS = ("what", "ours", "against", "theirs", "ratio (quartiles)", "budget", "met")


def machine(folder: Path) -> list[tuple[str, str]]:
    """Return the properties of the machine that affect the results."""
    return [
        ("processor", f"{_processor()}, {os.cpu_count()} core(s)"),
        ("system", f"{platform.system()} {platform.release()}, load {os.getloadavg()[0]:.1f} when it began"),
        ("disk", f"{_file_system(folder)} below {folder}"),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}, SQLite {sqlite3.sqlite_version}"),
        ("law", LAW_BUILD),
        ("libraries", ", ".join(f"{name} {version(name)}" for name in LIBRARIES)),
    ]


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _file_system(folder: Path) -> str:
    best, kind = "", "an unknown file system"
    try:
        mounts = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return kind
    for fields in (line.split() for line in mounts):
        point = fields[1]
        if len(point) >= len(best) and folder.resolve().is_relative_to(point):
            best, kind = point, fields[2]
    return kind


def cells(row: BenchmarkRow) -> tuple[str, ...]:
    ratio = row.ratio
    sign = "" if ratio is None else "x"
    budget = "" if row.budget is None else f">= {_number(row.budget)}{sign}"
    if row.most is not None:
        budget = f"<= {_number(row.most)}{sign}"
    if row.aim is not None:
        budget += f", aim {row.aim:g}x"
    if row.control:
        budget = f"{CONTROL_LEAST:g}-{CONTROL_MOST:g}"
    met = {None: "", True: "yes", False: "unsteady" if row.control else "NO"}[row.met]
    return (
        row.name,
        f"{_number(row.ours)} {row.unit}".rstrip(),
        row.peer,
        "" if ratio is None else _number(ratio.theirs),
        "" if ratio is None else f"{_number(ratio.middle)}x ({_number(ratio.low)}-{_number(ratio.high)})",
        budget,
        met,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def verdict(rows: Sequence[BenchmarkRow]) -> str:
    missed = [row for row in rows if row.met is False and not row.control]
    unsteady = [row for row in rows if row.met is False and row.control]
    text = "All budgets are met." if not missed else f"Missed: {'; '.join(f'{r.name} ({r.peer})' for r in missed)}."
    if unsteady:
        text += " A control is off: the machine was too busy, so the figures of its group do not count. Measure again."
    return text


def to_terminal(
    rows: Sequence[BenchmarkRow], left_out: Sequence[SkippedRow], about: Sequence[tuple[str, str]], effort: Effort
) -> None:
    """Print the table, as plain text when piped."""
    console = Console(width=None if Console().is_terminal else 200)
    for name, text in about:
        console.print(f"{name}: {text}", markup=False, highlight=False)
    table = Table(*COLUMNS, caption=_how(effort))
    for before, row in zip((None, *rows), rows, strict=False):
        if before is not None and before.group != row.group:
            table.add_section()
        table.add_row(*cells(row))
    console.print(table)
    for line in (*_describe_skipped(left_out), verdict(rows)):
        console.print(line, markup=False, highlight=False)


def to_markdown(
    rows: Sequence[BenchmarkRow],
    left_out: Sequence[SkippedRow],
    about: Sequence[tuple[str, str]],
    effort: Effort,
    date: str,
) -> str:
    lines = [
        "# Benchmark results",
        "",
        "Written by `python -m benchmarks`; what each row means is in `README.md` beside it. Only ratios carry over to",
        "another machine: read the rates as what a ratio is made of.",
        "",
        *([f"- date: {date}"] if date else []),
        *(f"- {name}: {text}" for name, text in about),
        f"- {_how(effort)}",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        *(f"| {' | '.join(cells(row))} |" for row in rows),
        "",
        *(f"- {line}" for line in _describe_skipped(left_out)),
        *([""] if left_out else []),
        verdict(rows),
    ]
    return "\n".join(lines) + "\n"


def _describe_skipped(left_out: Sequence[SkippedRow]) -> list[str]:
    return [f"left out: {one.name}: {one.why}" for one in left_out]


def _how(effort: Effort) -> str:
    return (
        f"{effort.pairs} pair(s) of windows (A B B A) of at least {effort.seconds:g} s; median and quartiles of ratios"
    )
