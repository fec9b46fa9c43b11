"""A rule change run over a corpus of recorded matches, held against what was approved."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated

from msgspec import Struct

from archive.corpus.sources import count, sources
from archive.regress import formats, regressing
from archive.regress.approvals import Approval, read_approvals
from archive.regress.counting import Report
from archive.regress.drafting import to_approvals
from archive.regress.formats import line
from archive.regress.page import to_html
from archive.regress.summary import Summary, Task
from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.many.indexes import warn_of_stale
from cli.many.rejudge import target_of
from cli.many.run_options import date_of, run_of, write_options
from cli.outputs import distinct, writable, write_whole
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, Jobs, show_progress, warn_of_lost
from cli.values import OWN, Cards, OtherRules
from domain.games import GAMES
from domain.words import Lang
from projections.verdicts.rendering import card_words, cause_words, kind_words
from recorder.extras import load_extra
from recorder.pool import Workers, cores

Form = Callable[[Report, Lang], bytes]
"""What writes a report."""
CLUSTER = "archive.regress.cluster:Cluster"
LISTED = 40
"""How many lines of a table are shown."""


def regress(
    desk: Desk,
    paths: Annotated[list[str] | None, "PATH|STORE..."] = None,
    asked: OtherRules = OWN,
    cards: Cards = None,
    base: Annotated[str | None, "--base GAME@VERSION|FILE.toml"] = None,
    jobs: Jobs = None,
    dask: Annotated[str | None, "--dask tcp://HOST:PORT"] = None,
    report: Annotated[str | None, "--report FILE.html"] = None,
    junit: Annotated[str | None, "--junit FILE.xml"] = None,
    sarif: Annotated[str | None, "--sarif FILE.json"] = None,
    approved: Annotated[str | None, "--approved FILE.toml"] = None,
    write_approvals: Annotated[str | None, "--write-approvals FILE.toml"] = None,
    resume: Annotated[str | None, "--resume FILE"] = None,
    full: Annotated[bool, "--full"] = False,
    progress: Asked = False,
) -> Answer[Report]:
    """Every match of a corpus under other rules, counted by class, clause and cause."""
    if dask is not None and jobs is not None:
        raise desk.problem("cluster.jobs")
    paths = None if paths is None else files.by_name(desk, paths)
    target = target_of(desk, asked, cards)
    started = None if base is None else target_of(desk, OtherRules(base))
    games = [GAMES[target.game]] if target.game else list(GAMES.values())
    accepted = () if approved is None else read_approvals(files.read(desk, approved), approved, games)
    where = files.require_paths(desk, [path.removeprefix("sqlite://") for path in paths or (desk.where,)])
    under = write_options({"--rules": asked.rules, "--frame": asked.frame, "--set": asked.settings, "--cards": cards})
    store = None if paths or desk.default else desk.where
    again = write_options({"--base": base, "--approved": approved, "--full": full, "--store": store})
    command = " ".join(part for part in ("shinpan regress", *map(quote, paths or ()), under, again) if part)
    date = date_of(desk) if report is not None else ""

    def to_page(counted: Report, lang: Lang) -> bytes:
        return to_html(counted, lang, run_of(counted, date, command, under))

    wanted = Wanted(report, junit, sarif, write_approvals)
    reads = asked.rules, base, approved, cards
    written = plan_files(desk, wanted, to_page, resume, where, reads)
    together = jobs or cores() if dask is None else load_extra(CLUSTER, "dask")(dask, tuple(where))
    counted = _run(desk, Task(target, started, full), where, together, accepted, resume, progress)
    return answer_counted(desk, counted, written)


class Wanted(Struct, frozen=True):
    """Which files of a report are wanted."""

    report: str | None
    junit: str | None
    sarif: str | None
    write_approvals: str | None


Written = Sequence[tuple[str, Form]]
"""Files to be written, and what writes each."""


def plan_files(
    desk: Desk, wanted: Wanted, to_page: Form, resume: str | None, matches: Iterable[str], reads: Iterable[str | None]
) -> Written:
    """What is to be written, all of which can be and is no file that is read. Raises Problem before the work begins."""
    each: dict[str, tuple[str | None, Form]] = {
        "--report": (wanted.report, to_page),
        "--junit": (wanted.junit, formats.to_junit),
        "--sarif": (wanted.sarif, formats.to_sarif),
        "--write-approvals": (wanted.write_approvals, to_approvals),
    }
    written = [(path, form) for path, form in each.values() if path is not None]
    writable(desk, [path for path, _ in written])
    distinct(desk, {"--resume": resume, **{option: path for option, (path, _) in each.items()}}, matches, reads)
    if wanted.write_approvals is not None and Path(wanted.write_approvals).exists():
        raise desk.problem("draft.exists", file=shown(wanted.write_approvals))
    return written


def answer_counted(desk: Desk, counted: Report, written: Written) -> Answer[Report]:
    """What was counted, with the files of it. Raises Problem where no match could be read."""
    if len(counted.bad) == counted.matches:
        first = counted.bad[0]
        raise desk.problem("regress.none_readable", name=first.name, why=first.problem)
    for path, write in written:
        write_whole(desk, Path(path), write(counted, desk.lang))
    return Answer(lambda: counted, lambda: _draw(desk, counted), FINE if counted.passes else FINDINGS)


def _run(
    desk: Desk,
    task: Task,
    paths: list[str],
    jobs: int | Workers,
    approvals: Sequence[Approval],
    resume: str | None,
    progress: bool,
) -> Report:
    look = warn_of_stale(desk)
    with show_progress(desk.screen, desk.say("regress.progress"), lambda: count(paths), progress) as step:

        def see(match: Summary) -> None:
            step()
            if not task.whole:
                look(match.file)

        work = Path(resume) if resume is not None else None
        counted = regressing.regress(
            task, sources(paths), jobs=jobs, approvals=approvals, resume=work, seen=see, lost=warn_of_lost(desk)
        )
    if not counted.matches:
        raise desk.problem("regress.nothing", paths=", ".join(paths))
    return counted


# -- what is shown -----------------------------------------------------------------------------------------------------


def _draw(desk: Desk, report: Report) -> None:
    screen, lang = desk.screen, desk.lang
    rules = report.rules or desk.say("rejudge.own")
    desk.tell("regress.summary", "title", n=report.matches, rules=rules)
    if report.passed:
        desk.tell("regress.passed", n=report.passed)
    screen.line(report.sound.say(lang))
    classes = [(kind_words(kind, lang), str(n)) for kind, n in report.by_class.items() if n]
    _table(desk, "regress.by_class", ("class", "count"), classes)
    clauses = [
        (kind_words(row.kind, lang), row.clause, str(row.matches), str(row.approved), row.sentence.say(lang))
        for row in report.by_clause
    ]
    _table(desk, "regress.by_clause", ("class", "clause", "count", "approved", "what"), clauses)
    causes = [(cause_words(row.cause, None, lang), str(row.matches)) for row in report.by_cause]
    _table(desk, "regress.by_cause", ("cause", "count"), causes)
    for row in report.by_cause:
        for text in card_words(row.cause, lang):
            screen.line("  " + desk.say("format.within", where=row.cause.key, what=text))
    for kind, shortest in report.shortest.items():
        rows = [(match.name, str(match.entries), line(match, lang)) for match in shortest]
        _table(desk, f"regress.shortest.{kind}", ("match", "length", "what"), rows)
    flips = [(match.name, _flip(desk, match)) for match in report.flips]
    _table(desk, "regress.flips", ("match", "winners"), flips)
    _table(desk, "regress.bad", ("match", "what"), [(match.name, line(match, lang)) for match in report.bad])
    _table(desk, "regress.holes", ("clause", "what"), [(row.clause, row.sentence.say(lang)) for row in report.holes])
    unused = [(f"{row.kind} {row.clause} {row.cause}".rstrip(), row.reason) for row in report.unused_approvals]
    _table(desk, "regress.unused", ("approval", "reason"), unused)
    screen.line()
    numbers = {"n": len(report.differences), "unapproved": report.unapproved, "bad": len(report.bad)}
    desk.tell("regress.verdict", "good" if report.passes else "bad", **numbers)
    desk.tell("report.for_judges")


def _flip(desk: Desk, match: Summary) -> str:
    assert match.flip is not None
    sides = (match.flip.recorded, match.flip.rejudged)
    return " → ".join(desk.say("rejudge.no_result") if side is None else ", ".join(side) or "-" for side in sides)


def _table(desk: Desk, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table under a heading, if there is anything in it."""
    if rows:
        desk.screen.line()
        desk.tell(title, "heading")
        desk.screen.table([desk.say(f"regress.{head}") for head in heads], rows[:LISTED])
        if len(rows) > LISTED:
            desk.tell("regress.more", n=len(rows) - LISTED)
