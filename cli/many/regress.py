"""Regression: a rule change over a corpus of recorded matches, against approved differences."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from pkgutil import resolve_name
from shlex import quote
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus.sources import count, sources
from archive.regress import formats, regressing
from archive.regress.approvals import Approval, read_approvals
from archive.regress.counting import RegressionReport
from archive.regress.drafting import to_approvals
from archive.regress.formats import line
from archive.regress.page import to_html
from archive.regress.summary import Summary, Task
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.indexes import warn_of_stale
from cli.many.rejudge import target_of
from cli.many.run_options import date_of, run_of, write_options
from cli.outputs import distinct, writable, write_whole
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, Jobs, show_progress, warn_of_lost
from cli.values import OWN, Cards, OtherRules
from domain.games import GAMES
from domain.judging.rejudging.target import RulesTarget
from domain.words import Lang
from projections.verdicts.rendering import card_words, cause_words, kind_words
from recorder.extras import load_extra
from recorder.pool import cores

Form = Callable[[RegressionReport, Lang], bytes]
"""Function that formats a report."""
HTTP = "cli.remote.regression:HttpRun"
CLUSTER = "archive.regress.cluster:Cluster"
LISTED = 40


class RegressOptions(Struct, frozen=True):
    """Options of a run: cards, baseline, workers and output files."""

    cards: Cards = None
    base: Annotated[str | None, "--base GAME@VERSION|FILE.toml"] = None
    jobs: Jobs = None
    dask: Annotated[str | None, "--dask tcp://HOST:PORT"] = None
    report: Annotated[str | None, "--report FILE.html"] = None
    junit: Annotated[str | None, "--junit FILE.xml"] = None
    sarif: Annotated[str | None, "--sarif FILE.json"] = None
    approved: Annotated[str | None, "--approved FILE.toml"] = None
    write_approvals: Annotated[str | None, "--write-approvals FILE.toml"] = None
    resume: Annotated[str | None, "--resume FILE"] = None
    full: Annotated[bool, "--full"] = False


STANDARD = RegressOptions()


class RunBackend:
    """Backend of a run, local or over HTTP."""

    names: Sequence[str]
    """Paths or match ids, as named."""
    files: Sequence[str] = ()
    """Local stores, folders and files to read."""
    store: str | None
    """Store or service for the command that repeats the run."""
    is_local: bool
    """True if this machine's rules decide."""

    def count(self, target: RulesTarget, approvals: Sequence[Approval], progress: bool) -> RegressionReport:
        """Rejudge the matches and count the differences. Raises CommandError."""
        raise NotImplementedError


def regress(
    ctx: CommandContext,
    paths: Annotated[list[str] | None, "PATH|STORE..."] = None,
    asked: OtherRules = OWN,
    options: RegressOptions = STANDARD,
    progress: Asked = False,
) -> Answer[RegressionReport]:
    is_remote = ctx.is_remote and not any(files.is_local(path.removeprefix("sqlite://")) for path in paths or ())
    backend: RunBackend = (resolve_name(HTTP) if is_remote else LocalRun)(ctx, paths, asked, options)
    approved, cards = options.approved, options.cards
    target = target_of(ctx, asked, cards)
    games = [GAMES[target.game]] if target.game else list(GAMES.values())
    accepted = () if approved is None else read_approvals(files.read(ctx, approved), approved, games)
    under = write_options({"--rules": asked.rules, "--frame": asked.frame, "--set": asked.settings, "--cards": cards})
    again = {"--base": options.base, "--approved": approved, "--full": options.full, "--store": backend.store}
    names = map(quote, backend.names)
    command = " ".join(part for part in ("shinpan regress", *names, under, write_options(again)) if part)
    date = date_of(ctx) if options.report is not None else ""

    def to_page(counted: RegressionReport, lang: Lang) -> bytes:
        run = run_of(counted, date, command, under)
        return to_html(counted, lang, run if backend.is_local else replace(run, laws={}))

    written = _plan_files(ctx, options, to_page, backend.files, (asked.rules, options.base, approved, cards))
    counted = backend.count(target, accepted, progress)
    if not counted.judged_count:
        first = counted.bad[0]
        raise ctx.problem("regress.none_readable", name=first.name, why=first.problem)
    for path, write in written:
        write_whole(ctx, Path(path), write(counted, ctx.lang))
    return Answer(lambda: counted, lambda: _draw(ctx, counted), FINE if counted.passes else FINDINGS)


def _plan_files(
    ctx: CommandContext, options: RegressOptions, to_page: Form, matches: Sequence[str], reads: Iterable[str | None]
) -> Sequence[tuple[str, Form]]:
    each: dict[str, tuple[str | None, Form]] = {
        "--report": (options.report, to_page),
        "--junit": (options.junit, formats.to_junit),
        "--sarif": (options.sarif, formats.to_sarif),
        "--write-approvals": (options.write_approvals, to_approvals),
    }
    written = [(path, form) for path, form in each.values() if path is not None]
    writable(ctx, [path for path, _ in written])
    distinct(ctx, {"--resume": options.resume, **{option: path for option, (path, _) in each.items()}}, matches, reads)
    if options.write_approvals is not None and Path(options.write_approvals).exists():
        raise ctx.problem("draft.exists", file=quote_input(options.write_approvals))
    return written


class LocalRun(RunBackend):
    is_local = True

    def __init__(
        self, ctx: CommandContext, paths: list[str] | None, asked: OtherRules, options: RegressOptions
    ) -> None:
        if options.dask is not None and options.jobs is not None:
            raise ctx.problem("cluster.jobs")
        self.ctx, self.options = ctx, options
        self.names = files.hide_passwords(ctx, paths or ())
        self.started = None if options.base is None else target_of(ctx, OtherRules(options.base))
        named = [path.removeprefix("sqlite://") for path in self.names or (ctx.where,)]
        self.files = files.require_paths(ctx, named)
        self.store = None if paths or ctx.default else ctx.where

    def count(self, target: RulesTarget, approvals: Sequence[Approval], progress: bool) -> RegressionReport:
        ctx, options, task = self.ctx, self.options, Task(target, self.started, self.options.full)
        cluster = options.dask
        jobs = options.jobs or cores() if cluster is None else load_extra(CLUSTER, "dask")(cluster, tuple(self.files))
        warn_stale = warn_of_stale(ctx)
        with show_progress(ctx.screen, ctx.say("regress.progress"), lambda: count(self.files), progress) as step:

            def see(match: Summary) -> None:
                step()
                if not task.whole:
                    warn_stale(match.file)

            work = Path(options.resume) if options.resume is not None else None
            coming, lost = sources(self.files), warn_of_lost(ctx)
            counted = regressing.regress(task, coming, jobs=jobs, approvals=approvals, resume=work, seen=see, lost=lost)
        if not counted.matches:
            raise ctx.problem("regress.nothing", paths=", ".join(self.files))
        return counted


# -- output ------------------------------------------------------------------------------------------------------------


def _draw(ctx: CommandContext, report: RegressionReport) -> None:
    screen, lang = ctx.screen, ctx.lang
    rules = report.rules or ctx.say("rejudge.own")
    ctx.print_message("regress.summary", "title", n=report.matches, rules=rules)
    if report.passed:
        ctx.print_message("regress.passed", n=report.passed)
    screen.line(report.soundness.say(lang))
    classes = [(kind_words(kind, lang), str(n)) for kind, n in report.by_class.items() if n]
    _table(ctx, "regress.by_class", ("class", "count"), classes)
    clauses = [
        (kind_words(row.kind, lang), row.clause, str(row.matches), str(row.approved), row.sentence.say(lang))
        for row in report.by_clause
    ]
    _table(ctx, "regress.by_clause", ("class", "clause", "count", "approved", "what"), clauses)
    causes = [(cause_words(row.cause, None, lang), str(row.matches)) for row in report.by_cause]
    _table(ctx, "regress.by_cause", ("cause", "count"), causes)
    for row in report.by_cause:
        for text in card_words(row.cause, lang):
            screen.line("  " + ctx.say("format.within", where=row.cause.key, what=text))
    for kind, shortest in report.shortest.items():
        rows = [(match.name, str(match.entries), line(match, lang)) for match in shortest]
        _table(ctx, f"regress.shortest.{kind}", ("match", "length", "what"), rows)
    flips = [(match.name, _flip(ctx, match)) for match in report.flips]
    _table(ctx, "regress.flips", ("match", "winners"), flips)
    _table(ctx, "regress.bad", ("match", "what"), [(match.name, line(match, lang)) for match in report.bad])
    _table(ctx, "regress.holes", ("clause", "what"), [(row.clause, row.sentence.say(lang)) for row in report.holes])
    unused = [(f"{row.kind} {row.clause} {row.cause}".rstrip(), row.reason) for row in report.unused_approvals]
    _table(ctx, "regress.unused", ("approval", "reason"), unused)
    screen.line()
    numbers = {"n": len(report.differences), "unapproved": report.unapproved, "bad": len(report.bad)}
    ctx.print_message("regress.verdict", "good" if report.passes else "bad", **numbers)
    ctx.print_message("report.for_judges")


def _flip(ctx: CommandContext, match: Summary) -> str:
    assert match.flip is not None
    sides = (match.flip.recorded, match.flip.rejudged)
    return " → ".join(ctx.say("rejudge.no_result") if side is None else ", ".join(side) or "-" for side in sides)


def _table(ctx: CommandContext, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        ctx.screen.line()
        ctx.print_message(title, "heading")
        ctx.screen.table([ctx.say(f"regress.{head}") for head in heads], rows[:LISTED])
        if len(rows) > LISTED:
            ctx.print_message("regress.more", n=len(rows) - LISTED)
