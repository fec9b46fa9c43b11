"""Casebooks executed: a table of results, and of each case that fails what was expected and what was found."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.problems import BAD_INPUT, FINDINGS, FINE, Problem
from cli.values import Cards, Paths
from domain.formats.casebook import Case, Casebook, Report, load_casebook, run_case
from domain.formats.errors import decode_text
from domain.games import GAMES, position_schema
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.table.table import Seat
from domain.words import Lang, spoken
from domain.words.foreign import quoted, system

SUFFIX = ".cases.toml"

Loader = Callable[[str], Sequence[Entry]]

_SEATS = (Seat("p1"), Seat("p2"))
"""Seats of a position in a game without law; a case may name more."""


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


def run(
    desk: Desk, paths: Paths, cards: Cards = None, verbose: Annotated[bool, "--verbose -v"] = False
) -> Answer[CaseResults]:
    """Execute the cases of files and folders."""
    overlay = files.cards(desk, cards)
    ran: list[Ran] = []
    broken: list[str] = []
    for path in casebooks(desk, paths, broken):
        try:
            loader = match_loader(desk, path.parent)
            for case in load(desk, path).cases:
                game, schema = GAMES.get(case.game), position_schema(case.game)
                report = run_case(case, game, loader, schema=schema, seats=_SEATS, cards=overlay)
                ran.append(Ran(str(path), case, report))
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
    books: dict[Path, None] = {}
    for name in paths:
        path = Path(name)
        closed: list[OSError] = []
        with desk.on_disk("cli.unreadable", shown(name)):
            inside = files.within(path, (SUFFIX,), closed) if path.is_dir() else [path]
        broken += [desk.say("cli.unreadable", file=str(error.filename), detail=system(error)) for error in closed]
        if not inside and not closed:
            raise desk.problem("cli.no_cases", folder=shown(name), suffix=SUFFIX)
        books |= dict.fromkeys(inside)
    return list(books)


def load(desk: Desk, path: Path | str) -> Casebook:
    """A casebook from its file. Raises Problem."""
    name = str(path)
    with desk.refusing():
        return load_casebook(decode_text(files.read(desk, name), name), name)


def match_loader(desk: Desk, folder: Path) -> Loader:
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
        return ", ".join(_text(part, lang) for part in value) or "-"
    return spoken(value, lang)


def _draw(desk: Desk, ran: Sequence[Ran], verbose: bool) -> None:
    screen = desk.screen
    if verbose:
        rows = []
        for result in ran:
            passed_or_not = desk.say("case.passed" if result.report.passed else "case.failed")
            rows.append((passed_or_not, result.report.id, desk.pick(result.case.en, result.case.ja)))
        desk.table(("result", "case", "meaning"), rows)
    else:
        total = Counter(result.file for result in ran)
        passed = Counter(result.file for result in ran if result.report.passed)
        table = [(file, str(n), str(passed[file]), str(n - passed[file])) for file, n in total.items()]
        desk.table(("file", "cases", "passed", "failed"), table)
    failed = [result for result in ran if not result.report.passed]
    for result in failed:
        failure = result.report.failure
        assert failure is not None
        screen.line()
        screen.line(f"{result.file}:{result.case.line} {result.report.id} {desk.pick(result.case.en, result.case.ja)}")
        screen.line("  " + desk.say("case.step", step=failure.step, what=failure.what), "bad")
        for key, value in (("case.expected", failure.expected), ("case.found", failure.found)):
            screen.line("  " + desk.say(key, value=_text(value, desk.lang)))
    desk.tell("case.summary", "bad" if failed else "good", passed=len(ran) - len(failed), failed=len(failed))
