"""Regression at a service: a job over its matches."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict

from archive.regress.approvals import Approval
from archive.regress.counting import RegressionReport, approve
from cli import files
from cli.client.service import Service, ServiceError
from cli.client.transport import ServiceUnreachable
from cli.context import CommandContext
from cli.many.regress import RegressOptions, RunBackend
from cli.many.rejudge import is_file as is_rules_file
from cli.problems import CommandError
from cli.progress import show_progress
from cli.remote.backend import sending
from cli.remote.connection import describe_refusal, open_service
from cli.values import OtherRules
from domain.judging.rejudging.target import RulesTarget
from service.reports.job_answers import ShownJob
from service.reports.job_records import Regression


class HttpRun(RunBackend):
    """Regression over the closed matches of a service, or over named ones. Raises CommandError."""

    is_local = False

    def __init__(
        self, ctx: CommandContext, paths: list[str] | None, asked: OtherRules, options: RegressOptions
    ) -> None:
        given, rules = asdict(options), asked.rules or ""
        unfit = {name: given[name] for name in ("cards", "base", "jobs", "dask", "resume")}
        if options.base is not None and not is_rules_file(options.base):
            unfit["base"] = None
        for option, value in unfit.items():
            if value is not None:
                raise ctx.problem("client.no_option", option=f"--{option}")
        self.ctx, self.names, self.store = ctx, paths or [], ctx.where
        drafted = bool(rules) and is_rules_file(rules)
        self.task = Regression(
            rules="" if drafted else rules,
            draft=files.read(ctx, rules).decode() if drafted else "",
            frame=asked.frame or "",
            settings=dict(map(ctx.setting, asked.settings or ())),
            base=options.base or "",
            full=options.full,
            matches=tuple(self.names),
        )

    def count(self, target: RulesTarget, approvals: Sequence[Approval], progress: bool) -> RegressionReport:
        ctx, remote = self.ctx, open_service(self.ctx)
        with sending(ctx, "client.maybe_job"):
            job = remote.start(self.task)
        try:
            _wait(ctx, remote, job, progress)
            job = remote.job(job.id)
            if job.state == "done":
                return approve(remote.report(job), approvals)
        except KeyboardInterrupt:
            _take_back(ctx, remote, job)
            raise
        except (ServiceUnreachable, ServiceError) as lost:
            why = describe_refusal(ctx, lost.problem) if isinstance(lost, ServiceError) else lost.text.say(ctx.lang)
            raise CommandError(why, more=[ctx.say("client.job_goes_on", job=job.id)]) from None
        raise ctx.problem(f"client.job_{job.state}", job=job.id, why=job.why)


def _wait(ctx: CommandContext, remote: Service, job: ShownJob, progress: bool) -> None:
    done = 0
    with show_progress(ctx.screen, ctx.say("regress.progress"), lambda: job.all, progress) as step:
        for event in remote.follow_job(job.id):
            finished = msgspec.json.decode(event.data, type=ShownJob).done if event.kind == "progress" else 0
            for _ in range(done, finished):
                step()
            done = max(done, finished)


def _take_back(ctx: CommandContext, remote: Service, job: ShownJob) -> None:
    try:
        remote.cancel(job.id)
        ctx.hint("client.job_taken_back", job=job.id)
    except ServiceError as refused:
        ctx.hint("client.job_goes_on", job=job.id)
        ctx.screen.aside(describe_refusal(ctx, refused.problem))
    except ServiceUnreachable:
        ctx.hint("client.job_goes_on", job=job.id)
