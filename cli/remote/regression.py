"""A rule change over the matches of a service: the job runs there, and what came of it is told as of a store."""

from shlex import quote
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.regress.approvals import read_approvals
from archive.regress.counting import Report, approve
from archive.regress.page import to_html
from cli import files
from cli.answer import Answer
from cli.client.sending import Unreachable
from cli.client.service import Refused, Service
from cli.context import Desk
from cli.many import regress as here
from cli.many.rejudge import is_file as is_rules_file, target_of
from cli.many.run_options import date_of, run_of, write_options
from cli.problems import Problem
from cli.progress import show_progress
from cli.remote.backend import sending
from cli.remote.connection import service, words
from cli.values import OtherRules
from domain.games import GAMES
from domain.words import Lang
from service.reports.job_answers import ShownJob
from service.reports.job_records import Regression


def regress(
    desk: Desk,
    paths: list[str] | None,
    asked: OtherRules,
    cards: str | None,
    base: str | None,
    report: str | None,
    junit: str | None,
    sarif: str | None,
    approved: str | None,
    write_approvals: str | None,
    full: bool,
    progress: bool,
    **own: object,
) -> Answer[Report]:
    """The closed matches of a service, or those that are named, under other rules; files are looked at here."""
    if paths and any(files.is_local(path.removeprefix("sqlite://")) for path in paths):
        given: dict[str, Any] = {"report": report, "junit": junit, "sarif": sarif, "write_approvals": write_approvals}
        given |= {"approved": approved, "full": full, "progress": progress, **own}
        return here.regress(desk, paths, asked, cards, base, **given)
    base_file = base if base is not None and is_rules_file(base) else None
    for option, value in {"cards": cards, "base": base_file, **own}.items():
        if value is not None:
            raise desk.problem("client.no_option", option=f"--{option}")
    target = target_of(desk, asked)
    games = [GAMES[target.game]] if target.game else list(GAMES.values())
    accepted = () if approved is None else read_approvals(files.read(desk, approved), approved, games)
    under = write_options({"--rules": asked.rules, "--frame": asked.frame, "--set": asked.settings})
    again = write_options({"--base": base, "--approved": approved, "--full": full, "--store": desk.where})
    command = " ".join(part for part in ("shinpan regress", *map(quote, paths or ()), under, again) if part)
    date = date_of(desk) if report is not None else ""

    def to_page(counted: Report, lang: Lang) -> bytes:
        run = run_of(counted, date, command, under)
        return to_html(counted, lang, replace(run, laws={}))  # what decides lies there, not here

    wanted = here.Wanted(report, junit, sarif, write_approvals)
    written = here.plan_files(desk, wanted, to_page, None, (), (asked.rules, approved))
    counted = approve(_count(desk, _task(desk, paths, asked, base, full), progress), accepted)
    return here.answer_counted(desk, counted, written)


def _task(desk: Desk, paths: list[str] | None, asked: OtherRules, base: str | None, full: bool) -> Regression:
    rules = asked.rules or ""
    drafted = bool(rules) and is_rules_file(rules)
    return Regression(
        rules="" if drafted else rules,
        draft=files.read(desk, rules).decode() if drafted else "",
        frame=asked.frame or "",
        settings=dict(map(desk.setting, asked.settings or ())),
        base=base or "",
        full=full,
        matches=tuple(paths or ()),
    )


def _count(desk: Desk, task: Regression, progress: bool) -> Report:
    """What came of the job. Raises Problem where nothing did."""
    there = service(desk)
    with sending(desk, "client.maybe_job"):
        job = there.start(task)
    try:
        _wait(desk, there, job, progress)
        job = there.job(job.id)
        if job.state == "done":
            return there.report(job)
    except KeyboardInterrupt:
        _take_back(desk, there, job)
        raise
    except (Unreachable, Refused) as lost:
        why = words(desk, lost.problem) if isinstance(lost, Refused) else lost.text.say(desk.lang)
        raise Problem(why, more=[desk.say("client.job_goes_on", job=job.id)]) from None
    raise desk.problem(f"client.job_{job.state}", job=job.id, why=job.why)


def _wait(desk: Desk, there: Service, job: ShownJob, progress: bool) -> None:
    """Follow a job until it is over."""
    done = 0
    with show_progress(desk.screen, desk.say("regress.progress"), lambda: job.all, progress) as step:
        for event in there.follow_job(job.id):
            told = msgspec.json.decode(event.data, type=ShownJob).done if event.kind == "progress" else 0
            for _ in range(done, told):
                step()
            done = max(done, told)


def _take_back(desk: Desk, there: Service, job: ShownJob) -> None:
    """Whoever interrupts does not want it any more."""
    try:
        there.cancel(job.id)
        desk.hint("client.job_taken_back", job=job.id)
    except Refused as refused:
        desk.hint("client.job_goes_on", job=job.id)
        desk.screen.aside(words(desk, refused.problem))
    except Unreachable:
        desk.hint("client.job_goes_on", job=job.id)
