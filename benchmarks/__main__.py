"""`python -m benchmarks`: measure, print, and write the results."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import print_exc

from benchmarks.harness import FULL, QUICK, BenchmarkRow, Effort, SkippedRow

RESULTS = Path(__file__).with_name("results.md")
GROUPS = (
    "appends", "groups", "loads", "seeks", "audits", "rejudges", "indexing", "scaling", "memory", "sizes", "evidence",
    "service", "databases", "console", "find", "starts",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks. Return 0 if they ran, 2 for bad input. A missed budget is reported, not a failure."""
    asked = _parse_arguments(arguments)
    if find_spec("chess") is None:
        print("the benchmarks need python-chess: install the project with its extra 'dev'", file=sys.stderr)
        return 2
    try:
        _measure(asked)
    except OSError as error:
        print(f"{error.filename or asked.dir}: {error.strerror or error}", file=sys.stderr)
        return 2
    return 0


def _measure(asked: Namespace) -> None:
    from benchmarks import report

    effort = QUICK if asked.quick else Effort(asked.pairs, FULL.seconds)
    out = asked.out or (None if asked.quick or asked.only != GROUPS else RESULTS)
    if out is not None:
        out.parent.stat()  # fail now, not after minutes of measuring
    with TemporaryDirectory(dir=asked.dir, prefix=".bench-") as folder:
        about = report.machine(asked.dir)
        found = list(_rows(effort, asked, Path(folder)))
    rows = [one for one in found if isinstance(one, BenchmarkRow)]
    left_out = [one for one in found if isinstance(one, SkippedRow)]
    report.to_terminal(rows, left_out, about, effort)
    if out is not None:
        out.write_text(report.to_markdown(rows, left_out, about, effort, asked.date), encoding="utf-8")
        print(f"written to {out}")


def _parse_arguments(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of everything, to see that it runs")
    parser.add_argument("--memory", action="store_true", help="also the memory of a run over 20,000 matches: minutes")
    parser.add_argument("--only", metavar="GROUP,...", type=_groups, default=GROUPS, help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--pairs", type=_pairs, default=FULL.pairs, help=f"pairs of windows (default {FULL.pairs})")
    parser.add_argument("--dir", type=Path, default=Path(), help="where stores are made: the disk that is measured")
    parser.add_argument("--out", type=Path, help=f"the page to write (default {RESULTS.name} beside this program)")
    parser.add_argument("--date", default="", help="a date for the page; without it there is none")
    return parser.parse_args(arguments)


def _pairs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number of pairs: give a whole number of at least 1")
    return int(text)


def _groups(text: str) -> tuple[str, ...]:
    found = tuple(text.split(","))
    for one in found:
        if one not in GROUPS:
            raise ArgumentTypeError(f"{one!r} is none of {', '.join(GROUPS)}")
    return found


def _rows(effort: Effort, asked: Namespace, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    from benchmarks import (
        appends,
        audits,
        console,
        databases,
        evidence,
        groups,
        indexing,
        loads,
        match_search,
        memory,
        rejudges,
        scaling,
        seeks,
        service,
        sizes,
        starts,
    )

    quick = asked.quick
    measured: dict[str, Callable[[], Iterator[BenchmarkRow | SkippedRow]]] = {
        "appends": lambda: appends.rows(effort, quick, folder),
        "groups": lambda: groups.rows(effort, folder),
        "loads": lambda: loads.rows(effort, quick, folder),
        "seeks": lambda: seeks.rows(effort, quick),
        "audits": lambda: audits.rows(effort, quick),
        "rejudges": lambda: rejudges.rows(effort, quick),
        "indexing": lambda: indexing.rows(effort, quick, folder),
        "scaling": lambda: scaling.rows(effort, quick, folder),
        "memory": lambda: memory.rows(quick, asked.memory, folder),
        "sizes": lambda: sizes.rows(quick),
        "evidence": lambda: evidence.rows(effort, quick, folder),
        "service": lambda: service.rows(effort, quick, folder),
        "databases": lambda: databases.rows(effort, quick, folder),
        "console": lambda: console.rows(effort, quick, folder),
        "find": lambda: match_search.rows(quick, folder),
        "starts": lambda: starts.rows(effort, folder),
    }
    assert tuple(measured) == GROUPS
    for name in asked.only:
        try:
            yield from measured[name]()
        except Exception as error:  # the rows of the other groups are kept
            print_exc()
            yield SkippedRow(f"the rest of the group {name}", f"it failed: {error!r}")


if __name__ == "__main__":
    sys.exit(main())
