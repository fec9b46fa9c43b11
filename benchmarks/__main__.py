"""`python -m benchmarks`: measure, print, and write the results."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import FULL, QUICK, Effort, Row

RESULTS = Path(__file__).with_name("results.md")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure as told; 0 if it ran, 2 for bad input. A missed budget is said, not failed: time is no test."""
    asked = _asked(arguments)
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
    with TemporaryDirectory(dir=asked.dir, prefix=".bench-") as folder:
        about = report.machine(asked.dir)
        rows = list(_rows(effort, asked.quick, Path(folder)))
    report.to_terminal(rows, about, effort)
    out = asked.out or (None if asked.quick else RESULTS)
    if out is not None:
        out.write_text(report.to_markdown(rows, about, effort, asked.date), encoding="utf-8")
        print(f"written to {out}")


def _asked(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of everything, to see that it runs")
    parser.add_argument("--pairs", type=_pairs, default=FULL.pairs, help=f"pairs of windows (default {FULL.pairs})")
    parser.add_argument("--dir", type=Path, default=Path(), help="where stores are made: the disk that is measured")
    parser.add_argument("--out", type=Path, help=f"the page to write (default {RESULTS.name} beside this program)")
    parser.add_argument("--date", default="", help="a date for the page; without it there is none")
    return parser.parse_args(arguments)


def _pairs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number of pairs: give a whole number from 1 on")
    return int(text)


def _rows(effort: Effort, quick: bool, folder: Path) -> Iterator[Row]:
    from benchmarks import appends, audits, groups, loads, rejudges, seeks, sizes

    yield from appends.rows(effort, quick, folder)
    yield from groups.rows(effort, folder)
    yield from loads.rows(effort, quick, folder)
    yield from seeks.rows(effort, quick)
    yield from audits.rows(effort, quick)
    yield from rejudges.rows(effort, quick)
    yield from sizes.rows(quick)


if __name__ == "__main__":
    sys.exit(main())
