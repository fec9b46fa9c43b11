"""Verification of laws and invariants by random play."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from archive.verify.failure_files import write
from archive.verify.match_runner import first_broken_law
from archive.verify.steps import steps
from archive.verify.verifying import (
    FailedMatch,
    VerificationAnswer,
    VerificationReport,
    make_answer,
    make_failed_match,
    measure_reach,
    shrink_failure,
    verify as play,
)
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.simulate import rest_of
from cli.problems import FINDINGS, FINE
from cli.progress import JOBS_MAX, Asked, LongTask, warn_of_lost
from cli.values import Frame, Settings, Spec
from domain.law.game import Game
from domain.law.law import Law
from domain.words import Text

MATCHES_MAX = 100_000
MATCHES, SEED, JOBS = 20, 1, 1
"""Default number of matches, seed and workers."""

MISSING_SHOWN = 12


class LawViolation(Struct, frozen=True):
    """A violated law, and the entry that violates it."""

    law: str
    entry: int
    detail: str


class Replayed(Struct, frozen=True):
    """A record checked against the laws."""

    file: str
    entries: int
    failure: LawViolation | None


def verify(
    ctx: CommandContext,
    spec: Spec = "",
    matches: Annotated[int | None, "--matches N", {"min": 1, "max": MATCHES_MAX, "show_default": str(MATCHES)}] = None,
    seed: Annotated[int | None, "--seed S", {"show_default": str(SEED)}] = None,
    jobs: Annotated[int | None, "--jobs N", {"min": 1, "max": JOBS_MAX, "show_default": str(JOBS)}] = None,
    steer: Annotated[bool, "--steer"] = False,
    record: Annotated[str | None, "--record FILE"] = None,
    out: Annotated[str, "--out DIR"] = "verify-failures",
    frame: Frame = None,
    settings: Settings = None,
    progress: Asked = False,
) -> Answer[VerificationAnswer | Replayed]:
    game, _, rules = ctx.rules(spec, frame, settings)
    if record is not None:
        plays = {"--matches": matches, "--steer": steer or None, "--seed": seed, "--jobs": jobs}
        for option in (option for option, given in plays.items() if given is not None):
            raise ctx.problem("verify.only_plays", option=option)
        return _verify_record(ctx, game, record)
    matches = MATCHES if matches is None else matches
    seed, jobs = SEED if seed is None else seed, JOBS if jobs is None else jobs
    ctx.check_seeds(seed, matches)
    law, wanted, rest = Law(game, rules), matches, partial(rest_of, seed, matches)
    with LongTask(ctx, "verify.progress", lambda: wanted, progress, rest) as long:
        lost = warn_of_lost(ctx, long)
        report = play(law, wanted, seed, jobs, steer=steer, vary=not settings, watch=long.steps, lost=lost)
        failures = list(_failures(ctx, game, report, out, lambda: long.stopped))
    return Answer(
        lambda: make_answer(game, report, [row for row, _ in failures], long.interrupted),
        lambda: _draw(ctx, game, report, failures, spec),
        FINDINGS if report.failures else FINE,
    )


def _verify_record(ctx: CommandContext, game: Game, name: str) -> Answer[Replayed]:
    match = files.read_match(ctx, name)
    if match.game.key != game.key:
        raise ctx.problem("verify.other_game", file=quote_input(name), game=match.game.key, wanted=game.key)
    ended = not match.game.awaited(match.table)
    failures = ((step, first_broken_law(match.law, step)) for step in steps(match.game, match.entries, ended))
    step, failure = next((both for both in failures if both[1] is not None), (None, None))
    if step is None or failure is None:
        fine = ctx.say("verify.record_fine", file=name, entries=len(match.entries))
        return Answer(lambda: Replayed(name, len(match.entries), None), lambda: ctx.screen.line(fine, "good"))
    law, detail = failure
    row = LawViolation(law, step.number, detail.say("en"))
    words = {"match": name, "entry": step.number, "law": ctx.say(f"law.{law}"), "detail": detail}
    return Answer(
        lambda: Replayed(name, len(match.entries), row),
        lambda: ctx.print_message("verify.failure", "bad", **words),
        FINDINGS,
    )


def _failures(
    ctx: CommandContext, game: Game, report: VerificationReport, out: str, stopped: Callable[[], bool]
) -> Iterator[tuple[FailedMatch, Text]]:
    for match, failure in report.failures:
        row = make_failed_match(game, match, failure)
        entries = shrink_failure(game, match, failure, stopped)
        if entries:
            with ctx.convert_os_errors("cli.unwritable", quote_input(out)):
                done = write(game, entries, Path(out), row.match, failure.detail)
            row = replace(row, file=str(done.match), case=str(done.case or ""), entries=done.entries)
        yield row, failure.detail


def _draw(
    ctx: CommandContext, game: Game, report: VerificationReport, failures: Sequence[tuple[FailedMatch, Text]], spec: str
) -> None:
    screen, kinds = ctx.screen, measure_reach(game, report.seen)
    plain = None if report.plain is None else measure_reach(game, report.plain)
    heads = [ctx.say("head.exercised"), ctx.say("head.reached"), ctx.say("head.of")]
    rows = [[ctx.say(f"reached.{what}"), str(kind.reached), str(kind.of)] for what, kind in kinds.items()]
    if plain is not None:
        heads.insert(2, ctx.say("head.plain"))
        for row, other in zip(rows, plain.values(), strict=True):
            row.insert(2, str(other.reached))
    screen.table(heads, rows)
    for what, kind in kinds.items():
        if kind.missing and what not in ("told", "consulted"):
            more = f" … (+{len(kind.missing) - MISSING_SHOWN})" if len(kind.missing) > MISSING_SHOWN else ""
            names = " ".join(kind.missing[:MISSING_SHOWN]) + more
            ctx.print_message("verify.missing", "hidden", what=ctx.say(f"reached.{what}"), names=names)
    for failure, detail in failures:
        values = {**asdict(failure), "detail": detail}
        screen.line()
        ctx.print_message("verify.failure", "bad", **{**values, "law": ctx.say(f"law.{failure.law}")})
        if failure.file is not UNSET:
            screen.line("  " + ctx.say("verify.shrunken", **values))
            screen.line("  " + ctx.say("verify.replay", command=f"shinpan verify {spec} --record {failure.file}"))
    counts = {"matches": report.matches, "entries": report.entries, "failed": len(failures)}
    ctx.print_message("verify.summary", "bad" if failures else "good", **counts)
