"""Casebook runs: a table of results, and expected and actual values of each failed case."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from archive.verify.citations import list_cited_clauses
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.case_edits import Edit, run_again, show, stamps, update_expectations
from cli.outputs import write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE, CommandError
from cli.values import At, Cards, Paths, Record, Viewer
from domain.formats.casebook import Case, Casebook, Report, load_casebook, run_case
from domain.formats.casebook.expect import Scene
from domain.formats.casebook.load import SUFFIX
from domain.formats.casebook.skeleton import write_case, write_ruling
from domain.formats.errors import decode_text
from domain.games import GAMES
from domain.judging.rulings import RULINGS
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.law.pools import Overlay
from domain.table.redact import TableViewer
from domain.table.table import JUDGE
from domain.words import Lang, spoken
from domain.words.foreign import explain_system_error, quoted
from projections.board import arrange_view
from projections.maps import layers_of, render_maps

Loader = Callable[[str], Sequence[Entry]]


class CaseRun(Struct, frozen=True):
    file: str
    case: Case
    report: Report


class FailedStep(Struct, frozen=True):
    """A failed step: its ending (nested ids joined with slashes), and who could pass in which window, or ''."""

    step: int
    what: str
    expected: str
    found: str
    ending: str = ""
    may_pass: str = ""


class CaseResult(Struct, frozen=True):
    """A case for programs.

    `failure` is the first of `failures`. `unwitnessed` are claimed clauses that the case neither cited nor checked.
    """

    file: str
    line: int
    id: str
    passed: bool
    en: str
    ja: str
    clauses: tuple[Clause, ...]
    failure: FailedStep | UnsetType = UNSET
    failures: tuple[FailedStep, ...] = ()
    unwitnessed: tuple[Clause, ...] = ()


class Updated(Struct, frozen=True):
    """A casebook with updated expectations, as a diff."""

    file: str
    difference: str


class CaseResults(Struct, frozen=True):
    """Results of casebooks. `unreadable` are messages of files that could not be read.

    `unwitnessed` are claimed clauses by game that the rules cite or check, but in none of these cases.
    """

    passed: int
    failed: int
    unreadable: tuple[str, ...]
    cases: tuple[CaseResult, ...]
    unwitnessed: dict[str, tuple[Clause, ...]] = {}
    updated: tuple[Updated, ...] = ()


def run(
    ctx: CommandContext,
    paths: Paths,
    cards: Cards = None,
    verbose: Annotated[bool, "--verbose -v"] = False,
    update: Annotated[bool, "--update"] = False,
    watch: Annotated[bool, "--watch"] = False,
) -> Answer[CaseResults]:
    """Run the cases of files and folders. Optionally update expectations, or run again when a file changes."""

    def once() -> Answer[CaseResults]:
        return _run_all(ctx, paths, files.read_cards(ctx, cards), verbose, update)

    def list_inputs() -> list[Path]:
        return _list_read_files(ctx, paths, cards)

    before = stamps(list_inputs) if watch else {}
    answer = once()
    if not watch:
        return answer

    def draw() -> None:
        answer.draw()
        answer.beside()
        run_again(ctx, once, list_inputs, before)

    return Answer(answer.value, draw, answer.code)


def _run_all(
    ctx: CommandContext, paths: Sequence[str], overlay: Overlay | None, verbose: bool, update: bool
) -> Answer[CaseResults]:
    ran: list[CaseRun] = []
    broken: list[str] = []
    edits: list[Edit] = []
    for path in casebooks(ctx, paths, broken):
        try:
            text = _text_of(ctx, path)
            execute = partial(_run_text, ctx, path, match_loader(ctx, path.parent), overlay)
            if update and (edit := update_expectations(path, text, execute)) is not None:
                edits.append(edit)
                text = edit.text
            ran += [CaseRun(str(path), case, report) for case, report in execute(text)]
        except CommandError as problem:
            broken.append(problem.message)
    passed = sum(case.report.passed for case in ran)
    unwitnessed = _list_unwitnessed(ran)

    def draw() -> None:
        if ran:
            _draw(ctx, ran, verbose, unwitnessed)
        for edit in edits:
            show(ctx, edit)

    def write_updates() -> None:
        ctx.screen.out.flush()
        for edit in edits:
            write_whole(ctx, edit.file, edit.text.encode())
        ctx.warn(*broken)

    code = BAD_INPUT if broken else FINE if passed == len(ran) else FINDINGS
    updated = tuple(Updated(str(edit.file), edit.difference) for edit in edits)
    results = CaseResults(passed, len(ran) - passed, tuple(broken), tuple(map(_plain, ran)), unwitnessed, updated)
    return Answer(lambda: results, draw, code, write_updates)


def _text_of(ctx: CommandContext, path: Path | str) -> str:
    with ctx.convert_errors():
        return decode_text(files.read(ctx, str(path)), str(path))


def _run_text(
    ctx: CommandContext, path: Path, loader: Loader, overlay: Overlay | None, text: str
) -> list[tuple[Case, Report]]:
    with ctx.convert_errors():
        cases = load_casebook(text, str(path)).cases
    return [(case, _run_case(case, loader, overlay)) for case in cases]


def _run_case(case: Case, loader: Loader, cards: Overlay | None) -> Report:
    return run_case(case, GAMES.get(case.game), loader, cards=cards, rulings=RULINGS)


def _list_unwitnessed(ran: Sequence[CaseRun]) -> dict[str, tuple[Clause, ...]]:
    passed = [each for each in ran if each.report.passed]
    unwitnessed: dict[str, tuple[Clause, ...]] = {}
    for key in dict.fromkeys(each.case.game for each in passed if each.case.game in GAMES):
        reports = [each.report for each in passed if each.case.game == key]
        witnessed = {clause for report in reports for clause in report.witnessed}
        unseen = dict.fromkeys(clause for report in reports for clause in report.claimed if clause not in witnessed)
        if unseen and (missing := tuple(clause for clause in unseen if clause in list_cited_clauses(key))):
            unwitnessed[key] = missing
    return unwitnessed


def _list_read_files(ctx: CommandContext, paths: Sequence[str], cards: str | None) -> list[Path]:
    books = casebooks(ctx, paths, [])
    read = [*books, *([] if cards is None else [Path(cards)])]
    for book in books:
        with suppress(CommandError):
            read += [book.parent / case.given.match for case in load(ctx, book).cases if case.given.match]
    return read


def casebooks(ctx: CommandContext, paths: Sequence[str], broken: list[str]) -> list[Path]:
    """Return the casebooks. `broken` receives a message for each unreadable folder."""
    books: dict[Path, None] = {}
    for name in paths:
        path = Path(name)
        errors: list[OSError] = []
        with ctx.convert_os_errors("cli.unreadable", quote_input(name)):
            inside = files.list_files(path, (SUFFIX,), errors) if path.is_dir() else [path]
        broken += [
            ctx.say("cli.unreadable", file=str(error.filename), detail=explain_system_error(error)) for error in errors
        ]
        if not inside and not errors:
            raise ctx.problem("cli.no_cases", folder=quote_input(name), suffix=SUFFIX)
        books |= dict.fromkeys(inside)
    return list(books)


def load(ctx: CommandContext, path: Path | str) -> Casebook:
    """Return the casebook of a file. Raises CommandError."""
    text = _text_of(ctx, path)
    with ctx.convert_errors():
        return load_casebook(text, str(path))


def match_loader(ctx: CommandContext, folder: Path) -> Loader:
    """Return the loader of recorded matches that cases start from, by path relative to the casebook's folder."""

    def load(name: str) -> Sequence[Entry]:
        try:
            return files.read_linked_match(ctx, folder / name).entries
        except CommandError as problem:
            raise ValueError(quoted(problem.message)) from None

    return load


def _plain(ran: CaseRun) -> CaseResult:
    case, report = ran.case, ran.report
    failures = tuple(
        FailedStep(
            each.step,
            each.what,
            _text(each.expected, "en"),
            _text(each.found, "en"),
            "/".join(each.ending),
            str(report.may_pass.get(each.ending, "")),
        )
        for each in report.failures
    )
    first = failures[0] if failures else UNSET
    texts = (case.en, case.ja)
    return CaseResult(
        ran.file, case.line, report.id, report.passed, *texts, report.claimed, first, failures, report.unwitnessed
    )


def _text(value: object, lang: Lang) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_text(part, lang) for part in value) or "-"
    return spoken(value, lang)


def _draw_maps(ctx: CommandContext, scene: Scene) -> None:
    schema = scene.physics.schema
    if layers_of(schema):
        with suppress(Exception):  # a case may set up a table that the rules cannot handle
            drawn = arrange_view(scene.law, TableViewer(scene.physics, JUDGE), scene.table)
            ctx.screen.rows(render_maps(drawn, scene.law, schema, ctx.lang))


def _draw(
    ctx: CommandContext, ran: Sequence[CaseRun], verbose: bool, unwitnessed: Mapping[str, Sequence[Clause]]
) -> None:
    screen = ctx.screen
    if verbose:
        rows = []
        for result in ran:
            passed_or_not = ctx.say("case.passed" if result.report.passed else "case.failed")
            rows.append((passed_or_not, result.report.id, ctx.pick(result.case.en, result.case.ja)))
        ctx.table(("result", "case", "meaning"), rows)
        for result in ran:
            if unseen := " ".join(result.report.unwitnessed if result.report.passed else ()):
                ctx.print_message("case.unwitnessed", case=result.report.id, clauses=unseen)
    else:
        total = Counter(result.file for result in ran)
        passed = Counter(result.file for result in ran if result.report.passed)
        table = [(file, str(n), str(passed[file]), str(n - passed[file])) for file, n in total.items()]
        ctx.table(("file", "cases", "passed", "failed"), table)
    failed = [result for result in ran if not result.report.passed]
    for result in failed:
        screen.line()
        screen.line(f"{result.file}:{result.case.line} {result.report.id} {ctx.pick(result.case.en, result.case.ja)}")
        for failure in result.report.failures:
            where = "case.step" if not failure.ending else "case.step_of"
            ending = "/".join(failure.ending)
            screen.line("  " + ctx.say(where, ending=ending, step=failure.step, what=failure.what), "bad")
            for key, value in (("case.expected", failure.expected), ("case.found", failure.found)):
                screen.line("  " + ctx.say(key, value=_text(value, ctx.lang)))
        for text in result.report.may_pass.values():
            screen.line("  " + text.say(ctx.lang))
        for scene in result.report.scenes.values():
            _draw_maps(ctx, scene)
    for game, clauses in unwitnessed.items():
        ctx.print_message("case.silent", game=game, clauses=" ".join(clauses))
    ctx.print_message("case.summary", "bad" if failed else "good", passed=len(ran) - len(failed), failed=len(failed))


def new(
    ctx: CommandContext,
    record: Record,
    at: At = None,
    ruling: Annotated[int | None, "--ruling DISPUTE"] = None,
    name: Annotated[str | None, "--id ID"] = None,
    viewer: Viewer = "spectator",
) -> None:
    """Write a case to standard output. It contains hidden cards, so only the judge may use an open match."""
    with files.open_record(ctx, record) as match:
        ctx.require_judge(match, ctx.find_viewer(match, viewer), "case.only_judge")
        if ruling is not None and at is not None:
            raise ctx.problem("cli.not_both", one="--ruling", other="--at")
        number = ctx.entry(match, at)
        with ctx.convert_errors():
            if ruling is None:
                text = write_case(match.game, match.entries, number, name or f"{match.id} {number}")
            else:
                text = write_ruling(match.game, match.entries, ruling, name or f"{match.id} {ruling}")
    ctx.screen.raw(text.encode())
