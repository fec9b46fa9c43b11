"""Casebooks executed: a table of results, and of each case that fails what was expected and what was found."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import UNSET, Struct, UnsetType

from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.problems import BAD_INPUT, FINDINGS, FINE, Problem
from cli.values import Cards, Paths
from domain.formats.casebook import Case, Casebook, Report, load_casebook, run_case
from domain.formats.errors import FormatError, decode_text
from domain.games import GAMES, position_schema
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.law.pools import Overlay
from domain.words import Lang, spoken
from domain.words.foreign import quoted, system

Verbose = Annotated[bool, typer.Option("--verbose", "-v")]

SUFFIX = ".cases.toml"


class Ran(Struct, frozen=True):
    """One case and how it went."""

    file: str
    case: Case
    report: Report


class FailedStep(Struct, frozen=True):
    """At which step a case failed."""

    step: int
    what: str
    expected: str
    found: str


class CaseResult(Struct, frozen=True):
    """A case for programs: where it stands, what it claims, and whether it passed."""

    file: str
    line: int
    id: str
    passed: bool
    en: str
    ja: str
    clauses: tuple[Clause, ...]
    failure: FailedStep | UnsetType = UNSET


class CaseResults(Struct, frozen=True):
    """Casebooks executed; what could not be read is named."""

    passed: int
    failed: int
    unreadable: tuple[str, ...]
    cases: tuple[CaseResult, ...]


def run(desk: Desk, paths: Paths, cards: Cards = None, verbose: Verbose = False) -> Answer[CaseResults]:
    """Execute the cases of files and folders."""
    overlay = files.cards(desk, cards)
    ran: list[Ran] = []
    broken: list[str] = []
    for path in casebooks(desk, paths, broken):
        try:
            ran += _run_file(desk, path, overlay)
        except Problem as problem:
            broken.append(problem.message)
    passed = sum(case.report.passed for case in ran)

    def draw() -> None:
        if ran:
            _draw(desk, ran, verbose)

    code = BAD_INPUT if broken else FINE if passed == len(ran) else FINDINGS
    results = CaseResults(passed, len(ran) - passed, tuple(broken), tuple(map(_plain, ran)))
    return Answer(lambda: results, draw, code, lambda: desk.warn(*broken))


def casebooks(desk: Desk, paths: Sequence[str], broken: list[str]) -> list[Path]:
    """The casebooks; folders that may not be looked into are named in `broken`."""
    found: list[Path] = []
    for name in paths:
        path = Path(name)
        closed: list[OSError] = []
        try:
            some = files.within(path, (SUFFIX,), closed) if path.is_dir() else [path]
        except (OSError, ValueError) as error:
            raise desk.problem("cli.unreadable", file=shown(name), detail=system(error)) from None
        broken += [desk.say("cli.unreadable", file=str(one.filename), detail=system(one)) for one in closed]
        if not some and not closed:
            raise desk.problem("cli.no_cases", folder=shown(name), suffix=SUFFIX)
        found += some
    return list(dict.fromkeys(found))


def _run_file(desk: Desk, path: Path, cards: Overlay | None) -> Iterator[Ran]:
    name = str(path)

    def ran(case: Case) -> Ran:
        schema = position_schema(case.game)
        loader = recorded(desk, path.parent)
        report = run_case(case, GAMES.get(case.game), loader, schema=schema, seats=_SEATS, cards=cards)
        return Ran(name, case, report)

    return iter([ran(case) for case in load(desk, path).cases])


def load(desk: Desk, path: Path) -> Casebook:
    """A casebook from its file. Raises Problem."""
    name = str(path)
    try:
        return load_casebook(decode_text(files.read(desk, name), name), name)
    except FormatError as error:
        raise desk.misread(error) from None


_SEATS: Any = ("p1", "p2")
"""Seats of a position in a game without law; a case may name more."""


def recorded(desk: Desk, folder: Path) -> Callable[[str], Sequence[Entry]]:
    """Recorded matches that cases start from, by their paths from the casebook's folder."""

    def load(name: str) -> Sequence[Entry]:
        try:
            return files.match(desk, str(folder / name)).entries
        except Problem as problem:
            raise ValueError(quoted(problem.message)) from None

    return load


def _plain(ran: Ran) -> CaseResult:
    case, report, failure = ran.case, ran.report, ran.report.failure
    failed: FailedStep | UnsetType = UNSET
    if failure is not None:
        expected, found = _text(failure.expected, "en"), _text(failure.found, "en")
        failed = FailedStep(failure.step, failure.what, expected, found)
    return CaseResult(ran.file, case.line, report.id, report.passed, case.en, case.ja, report.claimed, failed)


def _text(value: object, lang: Lang) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_text(one, lang) for one in value) or "-"
    return spoken(value, lang)


def _draw(desk: Desk, ran: Sequence[Ran], verbose: bool) -> None:
    screen = desk.screen
    if verbose:
        rows = [(_went(desk, one), one.report.id, one.case.ja if desk.lang == "ja" else one.case.en) for one in ran]
        screen.table([desk.say(f"head.{one}") for one in ("result", "case", "meaning")], rows)
    else:
        by_file: dict[str, list[Ran]] = {}
        for one in ran:
            by_file.setdefault(one.file, []).append(one)
        counted = [(name, len(some), sum(one.report.passed for one in some)) for name, some in by_file.items()]
        table = [(name, str(all_of), str(passed), str(all_of - passed)) for name, all_of, passed in counted]
        screen.table([desk.say(f"head.{one}") for one in ("file", "cases", "passed", "failed")], table)
    failed = [one for one in ran if not one.report.passed]
    for one in failed:
        failure = one.report.failure
        assert failure is not None
        screen.line()
        screen.line(f"{one.file}:{one.case.line} {one.report.id} {one.case.ja if desk.lang == 'ja' else one.case.en}")
        screen.line("  " + desk.say("case.step", step=failure.step, what=failure.what), "bad")
        screen.line("  " + desk.say("case.expected", value=_text(failure.expected, desk.lang)))
        screen.line("  " + desk.say("case.found", value=_text(failure.found, desk.lang)))
    screen.line(
        desk.say("case.summary", passed=len(ran) - len(failed), failed=len(failed)), "bad" if failed else "good"
    )


def _went(desk: Desk, one: Ran) -> str:
    return desk.say("case.passed" if one.report.passed else "case.failed")
