"""Laws and invariants held against random play."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from archive.verify.playing import first_broken_law
from archive.verify.steps import steps
from archive.verify.verifying import (
    FailedMatch,
    Report,
    Verified,
    failed,
    reached,
    shrink_failure,
    verified,
    verify as play,
)
from archive.verify.writing import write
from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.many.simulate import rest_of
from cli.problems import FINDINGS, FINE
from cli.progress import JOBS_MAX, Asked, Long, warn_of_lost
from cli.values import Frame, Settings, Spec
from domain.law.game import Game
from domain.law.law import Law
from domain.words import Text

MATCHES_MAX = 100_000
MATCHES, SEED, JOBS = 20, 1, 1
"""What is played if nothing else is asked for."""

MISSING_SHOWN = 12


class Broken(Struct, frozen=True):
    """The law that a record breaks, and where."""

    law: str
    entry: int
    detail: str


class Replayed(Struct, frozen=True):
    """A record held against the laws."""

    file: str
    entries: int
    failure: Broken | None


def verify(
    desk: Desk,
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
) -> Answer[Verified | Replayed]:
    """Play at random and hold every law and invariant against every state."""
    game, _, rules = desk.rules(spec, frame, settings)
    if record is not None:
        plays = {"--matches": matches, "--steer": steer or None, "--seed": seed, "--jobs": jobs}
        for option in (option for option, given in plays.items() if given is not None):
            raise desk.problem("verify.only_plays", option=option)
        return _recorded(desk, game, record)
    matches = MATCHES if matches is None else matches
    seed, jobs = SEED if seed is None else seed, JOBS if jobs is None else jobs
    desk.seeds(seed, matches)
    law, wanted, rest = Law(game, rules), matches, partial(rest_of, seed, matches)
    with Long(desk, "verify.progress", lambda: wanted, progress, rest) as long:
        lost = warn_of_lost(desk, long)
        report = play(law, wanted, seed, jobs, steer=steer, vary=not settings, watch=long.steps, lost=lost)
        failures = list(_failures(desk, game, report, out, lambda: long.stopped))
    return Answer(
        lambda: verified(game, report, [row for row, _ in failures], long.interrupted),
        lambda: _draw(desk, game, report, failures, spec),
        FINDINGS if report.failures else FINE,
    )


def _recorded(desk: Desk, game: Game, name: str) -> Answer[Replayed]:
    """A record in a file held against the laws, entry by entry; how a written failure is replayed."""
    match = files.match(desk, name)
    if match.game.key != game.key:
        raise desk.problem("verify.other_game", file=shown(name), game=match.game.key, wanted=game.key)
    ended = not match.game.awaited(match.table)
    failures = ((step, first_broken_law(match.law, step)) for step in steps(match.game, match.entries, ended))
    step, failure = next((both for both in failures if both[1] is not None), (None, None))
    if step is None or failure is None:
        fine = desk.say("verify.record_fine", file=name, entries=len(match.entries))
        return Answer(lambda: Replayed(name, len(match.entries), None), lambda: desk.screen.line(fine, "good"))
    law, detail = failure
    row = Broken(law, step.number, detail.say("en"))
    words = {"match": name, "entry": step.number, "law": desk.say(f"law.{law}"), "detail": detail}
    return Answer(
        lambda: Replayed(name, len(match.entries), row), lambda: desk.tell("verify.failure", "bad", **words), FINDINGS
    )


def _failures(
    desk: Desk, game: Game, report: Report, out: str, stopped: Callable[[], bool]
) -> Iterator[tuple[FailedMatch, Text]]:
    """Each failure, shrunken as long as nothing is `stopped` and written, with what is wrong."""
    for match, failure in report.failures:
        row = failed(game, match, failure)
        entries = shrink_failure(game, match, failure, stopped)
        if entries:
            with desk.on_disk("cli.unwritable", shown(out)):
                done = write(game, entries, Path(out), row.match, failure.detail)
            row = replace(row, file=str(done.match), case=str(done.case or ""), entries=done.entries)
        yield row, failure.detail


def _draw(desk: Desk, game: Game, report: Report, failures: Sequence[tuple[FailedMatch, Text]], spec: str) -> None:
    screen, kinds = desk.screen, reached(game, report.seen)
    plain = None if report.plain is None else reached(game, report.plain)
    heads = [desk.say("head.exercised"), desk.say("head.reached"), desk.say("head.of")]
    rows = [[desk.say(f"reached.{what}"), str(kind.reached), str(kind.of)] for what, kind in kinds.items()]
    if plain is not None:
        heads.insert(2, desk.say("head.plain"))
        for row, other in zip(rows, plain.values(), strict=True):
            row.insert(2, str(other.reached))
    screen.table(heads, rows)
    for what, kind in kinds.items():
        if kind.missing and what not in ("told", "consulted"):
            more = f" … (+{len(kind.missing) - MISSING_SHOWN})" if len(kind.missing) > MISSING_SHOWN else ""
            names = " ".join(kind.missing[:MISSING_SHOWN]) + more
            desk.tell("verify.missing", "hidden", what=desk.say(f"reached.{what}"), names=names)
    for failure, detail in failures:
        values = {**asdict(failure), "detail": detail}
        screen.line()
        desk.tell("verify.failure", "bad", **{**values, "law": desk.say(f"law.{failure.law}")})
        if failure.file is not UNSET:
            screen.line("  " + desk.say("verify.shrunken", **values))
            screen.line("  " + desk.say("verify.replay", command=f"shinpan verify {spec} --record {failure.file}"))
    counts = {"matches": report.matches, "entries": report.entries, "failed": len(failures)}
    desk.tell("verify.summary", "bad" if failures else "good", **counts)
