"""A rule change run over a corpus of recorded matches, held against what was approved."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.drawing import is_terminal
from cli.many.rejudge import misruled, target_of
from cli.outputs import distinct, writable, write_whole
from cli.problems import FINDINGS, FINE
from cli.progress import Jobs, lost, processes, progress
from cli.values import Cards, Frame, Rules, Settings
from corpus.sources import sources
from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.judging.rejudging.target import Target
from pages.regression import to_html
from projections.verdicts.rendering import card_words, cause_words, kind_words
from regress import formats, regressing
from regress.approvals import Approval, read_approvals
from regress.counting import Report
from regress.formats import line
from regress.index import path_of, stale
from regress.summary import Summary, Task
from regress.workfile import WorkError

Paths = Annotated[list[str] | None, typer.Argument(metavar="PATH|STORE...", show_default=False)]
Base = Annotated[str | None, typer.Option("--base", metavar="GAME@VERSION|FILE.toml", show_default=False)]
Html = Annotated[str | None, typer.Option("--report", metavar="FILE.html", show_default=False)]
Junit = Annotated[str | None, typer.Option("--junit", metavar="FILE.xml", show_default=False)]
Sarif = Annotated[str | None, typer.Option("--sarif", metavar="FILE.json", show_default=False)]
Approved = Annotated[str | None, typer.Option("--approved", metavar="FILE.toml", show_default=False)]
Resume = Annotated[str | None, typer.Option("--resume", metavar="FILE", show_default=False)]
Full = Annotated[bool, typer.Option("--full")]

LISTED = 40
"""How many lines of a table are shown."""


def regress(
    desk: Desk,
    paths: Paths = None,
    rules: Rules = None,
    settings: Settings = None,
    frame: Frame = None,
    cards: Cards = None,
    base: Base = None,
    jobs: Jobs = None,
    report: Html = None,
    junit: Junit = None,
    sarif: Sarif = None,
    approved: Approved = None,
    resume: Resume = None,
    full: Full = False,
) -> Answer[Report]:
    """Every match of a corpus under other rules, counted by class, clause and cause."""
    together = processes(jobs)
    with misruled(desk, rules):
        target = target_of(desk, rules, frame, settings, cards)
    started = None
    if base is not None:
        with misruled(desk, base):
            started = target_of(desk, base, None, None)
    accepted = _approvals(desk, target, approved)
    where = files.existing(desk, [path.removeprefix("sqlite://") for path in paths or (desk.where,)])
    wanted = ((report, to_html), (junit, formats.to_junit), (sarif, formats.to_sarif))
    written = [(path, form) for path, form in wanted if path is not None]
    for path, _ in written:
        writable(desk, path)
    outputs = {"--resume": resume, "--report": report, "--junit": junit, "--sarif": sarif}
    distinct(desk, outputs, where, (rules, base, approved, cards))
    counted = _run(desk, Task(target, started, full), where, together, accepted, resume)
    for path, write in written:
        write_whole(desk, Path(path), write(counted, desk.lang))
    code = FINE if counted.passes else FINDINGS
    return Answer(lambda: counted, lambda: _draw(desk, counted), code)


def _approvals(desk: Desk, target: Target, approved: str | None) -> tuple[Approval, ...]:
    if approved is None:
        return ()
    games = [GAMES[target.game]] if target.game else list(GAMES.values())
    try:
        return read_approvals(files.read(desk, approved), approved, games)
    except FormatError as error:
        raise desk.misread(error) from None


def _run(
    desk: Desk, task: Task, paths: list[str], jobs: int, approvals: Sequence[Approval], resume: str | None
) -> Report:
    total = sum(1 for _ in sources(paths)) if is_terminal(desk.screen.err) else 0
    first: list[Summary] = []
    files: set[str] = set()
    with progress(desk.screen.err, desk.say("regress.progress"), total) as step:

        def seen(one: Summary) -> None:
            step()
            if one.kind == "bad" and not first:
                first.append(one)
            if one.file not in files:
                files.add(one.file)
                if not task.whole and stale(one.file):
                    desk.warn(desk.say("regress.stale_index", file=path_of(one.file)))

        work = Path(resume) if resume is not None else None
        try:
            counted = regressing.regress(
                task, sources(paths), jobs=jobs, approvals=approvals, resume=work, seen=seen, lost=lost(desk)
            )
        except WorkError as error:
            raise desk.refuse(error.text) from None
    if not counted.matches:
        raise desk.problem("regress.nothing", paths=", ".join(paths))
    if len(counted.bad) == counted.matches:
        one = first[0]
        raise desk.problem("regress.none_readable", name=one.name, why=one.problem)
    return counted


# -- what is shown -----------------------------------------------------------------------------------------------------


def _draw(desk: Desk, found: Report) -> None:
    screen, lang = desk.screen, desk.lang
    rules = found.rules or desk.say("rejudge.own")
    screen.line(desk.say("regress.summary", n=found.matches, rules=rules), "title")
    if found.passed:
        screen.line(desk.say("regress.passed", n=found.passed))
    screen.line(found.sound.say(lang))
    classes = [(kind_words(kind, lang), str(n)) for kind, n in found.by_class.items() if n]
    _table(desk, "regress.by_class", ("class", "count"), classes)
    clauses = [
        (kind_words(one.kind, lang), one.clause, str(one.matches), str(one.approved), one.sentence.say(lang))
        for one in found.by_clause
    ]
    _table(desk, "regress.by_clause", ("class", "clause", "count", "approved", "what"), clauses)
    causes = [(cause_words(one.cause, None, lang), str(one.matches)) for one in found.by_cause]
    _table(desk, "regress.by_cause", ("cause", "count"), causes)
    for cause in (one.cause for one in found.by_cause):
        for text in card_words(cause, lang):
            screen.line(f"  {cause.key}: {text}")
    for kind, shortest in found.shortest.items():
        rows = [(one.name, str(one.entries), line(one, lang)) for one in shortest]
        _table(desk, f"regress.shortest.{kind}", ("match", "length", "what"), rows)
    flips = [(one.name, _flip(desk, one)) for one in found.flips]
    _table(desk, "regress.flips", ("match", "winners"), flips)
    _table(desk, "regress.bad", ("match", "what"), [(one.name, line(one, lang)) for one in found.bad])
    _table(desk, "regress.holes", ("clause", "what"), [(one.clause, one.sentence.say(lang)) for one in found.holes])
    unused = [(f"{one.kind} {one.clause} {one.cause}".rstrip(), one.reason) for one in found.unused_approvals]
    _table(desk, "regress.unused", ("approval", "reason"), unused)
    screen.line()
    numbers: Mapping[str, int] = {
        "n": len(found.differences), "unapproved": found.unapproved, "bad": len(found.bad)
    }  # fmt: skip
    screen.line(desk.say("regress.verdict", **numbers), "good" if found.passes else "bad")
    screen.line(desk.say("report.for_judges"))


def _flip(desk: Desk, one: Summary) -> str:
    assert one.flip is not None
    sides = (one.flip.recorded, one.flip.rejudged)
    return " → ".join(desk.say("rejudge.no_result") if side is None else ", ".join(side) or "-" for side in sides)


def _table(desk: Desk, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table under a heading, if there is anything in it."""
    if rows:
        desk.screen.line()
        desk.screen.line(desk.say(title), "heading")
        desk.screen.table([desk.say(f"regress.{one}") for one in heads], rows[:LISTED])
        if len(rows) > LISTED:
            desk.screen.line(desk.say("regress.more", n=len(rows) - LISTED))
