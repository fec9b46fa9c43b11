"""Laws and invariants held against random play, and sequences of actions counted from a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from cli import files
from cli.cases import recorded
from cli.context import Desk, clipped, shown
from cli.problems import FINDINGS, FINE
from cli.progress import JOBS_MAX
from cli.registry import Command, Frame, Json, Settings, Spec
from domain.words.foreign import system

if TYPE_CHECKING:
    from domain.law.game import Game
    from domain.table.table import Table
    from verify.verifying import Reached, Report

MATCHES, SEED, JOBS = 20, 1, 1
"""What is played if nothing else is asked for."""

Count = Annotated[int | None, typer.Option("--matches", metavar="N", show_default=str(MATCHES))]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", show_default=str(SEED))]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", show_default=str(JOBS))]
Steer = Annotated[bool, typer.Option("--steer")]
Out = Annotated[str, typer.Option("--out", metavar="DIR")]
Recorded = Annotated[str | None, typer.Option("--record", metavar="FILE", show_default=False)]
Start = Annotated[str, typer.Argument(metavar="GAME@VERSION|FILE.cases.toml", show_default=False)]
Case = Annotated[str | None, typer.Option("--case", metavar="ID", show_default=False)]
Depth = Annotated[int, typer.Option("--depth", metavar="N", show_default=False)]
Divide = Annotated[bool, typer.Option("--divide")]
Without = Annotated[list[str] | None, typer.Option("--without", metavar="VERB", show_default=False)]

MATCHES_MAX = 100_000
MISSING_SHOWN = 12


def verify(
    desk: Desk,
    spec: Spec,
    matches: Count = None,
    seed: Seed = None,
    jobs: Jobs = None,
    steer: Steer = False,
    record: Recorded = None,
    out: Out = "verify-failures",
    frame: Frame = None,
    settings: Settings = None,
    as_json: Json = False,
) -> int:
    """Play at random and hold every law and invariant against every state."""
    from recorder.croupier import SEED_BYTES
    from recorder.simulate import Unopened
    from verify.verifying import verify as verified

    game, _, rules = desk.rules(spec, frame, settings)
    if record is not None:
        given = {
            "--matches": matches is not None,
            "--steer": steer,
            "--seed": seed is not None,
            "--jobs": jobs is not None,
        }
        for option in (one for one, is_given in given.items() if is_given):
            raise desk.problem("verify.only_plays", option=option)
        return _recorded(desk, game, record, as_json)
    matches = MATCHES if matches is None else matches
    seed, jobs = SEED if seed is None else seed, JOBS if jobs is None else jobs
    if not 1 <= matches <= MATCHES_MAX:
        raise desk.problem("cli.bad_count", count=clipped(matches), most=MATCHES_MAX)
    if not 0 <= seed <= 2 ** (8 * SEED_BYTES) - matches:
        raise desk.problem("cli.bad_seed", seed=clipped(seed), bits=8 * SEED_BYTES)
    if not 1 <= jobs <= JOBS_MAX:
        raise desk.problem("verify.bad_jobs", jobs=clipped(jobs), most=JOBS_MAX)
    try:
        report = verified(game, rules, matches, seed, jobs, steer=steer, vary=not settings)
    except Unopened as error:
        raise desk.refuse(error.text) from None
    written = _written(desk, game, report, out)
    if as_json:
        desk.screen.json(_plain(game, report, written))
    else:
        _draw(desk, game, report, written, spec)
    return FINDINGS if report.failures else FINE


def _recorded(desk: Desk, game: "Game", name: str, as_json: bool) -> int:
    """A record in a file held against the laws, entry by entry; how a written failure is replayed."""
    from verify.playing import broken
    from verify.steps import steps

    match = files.match(desk, name)
    if match.game.key != game.key:
        raise desk.problem("verify.other_game", file=shown(name), game=match.game.key, wanted=game.key)
    ended = not match.game.awaited(match.table)
    found = None
    for step in steps(match.game, match.entries, ended):
        found = broken(match.game, match.rules, step)
        if found is not None:
            break
    if as_json:
        row = None if found is None else {"law": found[0], "entry": step.number, "detail": found[1].say("en")}
        desk.screen.json({"file": name, "entries": len(match.entries), "failure": row})
    elif found is None:
        desk.screen.line(desk.say("verify.record_fine", file=name, entries=len(match.entries)), "good")
    else:
        law = desk.say(f"law.{found[0]}")
        desk.screen.line(desk.say("verify.failure", match=name, entry=step.number, law=law, detail=found[1]), "bad")
    return FINE if found is None else FINDINGS


def _written(desk: Desk, game: "Game", report: "Report", out: str) -> list[dict[str, Any]]:
    from verify.verifying import shrunken
    from verify.writing import write

    rows: list[dict[str, Any]] = []
    for match, failure in report.failures:
        name = f"verify-{game.key}-{match.seed}"
        row = {"match": name, "seed": match.seed, "law": failure.law, "entry": failure.entry, "detail": failure.detail}
        entries = shrunken(game, match, failure)
        if entries:
            try:
                found = write(game, entries, Path(out), name, failure.detail)
            except (OSError, ValueError) as error:
                raise desk.problem("cli.unwritable", file=shown(out), detail=system(error)) from None
            row |= {"file": str(found.match), "case": str(found.case or ""), "entries": found.entries}
        rows.append(row)
    return rows


def _plain(game: "Game", report: "Report", written: list[dict[str, Any]]) -> dict[str, Any]:
    from verify.verifying import reached

    def rows(seen: Any) -> dict[str, Any]:
        return {
            one.what: {"reached": one.reached, "of": one.of, "missing": list(one.missing)}
            for one in reached(game, seen)
        }

    found: dict[str, Any] = {"game": game.key, "matches": report.matches, "entries": report.entries}
    found["reached"] = rows(report.seen)
    if report.plain is not None:
        found["plain"] = rows(report.plain)
    found["failures"] = [{**row, "detail": row["detail"].say("en")} for row in written]
    return found


def _draw(desk: Desk, game: "Game", report: "Report", written: list[dict[str, Any]], spec: str) -> None:
    from verify.verifying import reached

    screen, found = desk.screen, reached(game, report.seen)
    plain = None if report.plain is None else reached(game, report.plain)
    heads = [desk.say("head.exercised"), desk.say("head.reached"), desk.say("head.of")]
    rows = [[desk.say(f"reached.{one.what}"), str(one.reached), str(one.of)] for one in found]
    if plain is not None:
        heads.insert(2, desk.say("head.plain"))
        for row, other in zip(rows, plain, strict=True):
            row.insert(2, str(other.reached))
    screen.table(heads, rows)
    for one in found:
        if one.missing and one.what not in ("told", "consulted"):
            screen.line(_missing(desk, one), "hidden")
    for failed in written:
        screen.line()
        law = desk.say(f"law.{failed['law']}")
        screen.line(desk.say("verify.failure", **{**failed, "law": law}), "bad")
        if "file" in failed:
            screen.line("  " + desk.say("verify.shrunken", **failed))
            screen.line("  " + desk.say("verify.replay", command=f"shinpan verify {spec} --record {failed['file']}"))
    values = {"matches": report.matches, "entries": report.entries, "failed": len(written)}
    screen.line(desk.say("verify.summary", **values), "bad" if written else "good")


def _missing(desk: Desk, one: "Reached") -> str:
    more = f" … (+{len(one.missing) - MISSING_SHOWN})" if len(one.missing) > MISSING_SHOWN else ""
    what = desk.say(f"reached.{one.what}")
    return desk.say("verify.missing", what=what, names=" ".join(one.missing[:MISSING_SHOWN]) + more)


# -- counting ---------------------------------------------------------------------------------------------------------


def perft(
    desk: Desk,
    start: Start,
    depth: Depth,
    case: Case = None,
    divide: Divide = False,
    without: Without = None,
    frame: Frame = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Count the sequences of actions from a position, depth by depth."""
    from functools import partial

    from domain.formats.actions import verbs, write_action
    from domain.formats.errors import unknown
    from verify.perft import DEPTH_MAX, SEQUENCES_MAX, TooMany, divided
    from verify.perft import perft as counted

    if not 1 <= depth <= DEPTH_MAX:
        raise desk.problem("perft.bad_depth", depth=clipped(depth), most=DEPTH_MAX)
    game, rules, table, name = _position(desk, start, case, frame, settings)
    left_out = frozenset(without or ())
    for verb in left_out - set(verbs(game)):
        raise desk.refuse(unknown("verb", verb, verbs(game)))
    reached = 0
    try:
        counts = [counted(game, rules, table, reached := at, left_out) for at in range(1, depth + 1)]
        split = divided(game, rules, table, depth, left_out, partial(write_action, game)) if divide else {}
    except TooMany:
        raise desk.problem("perft.too_many", position=name, depth=reached, most=SEQUENCES_MAX) from None
    if as_json:
        desk.screen.json({"position": name, "counts": counts, **({"divide": split} if divide else {})})
        return
    heads = [desk.say("head.depth"), desk.say("head.sequences")]
    desk.screen.table(heads, [(str(at), str(number)) for at, number in enumerate(counts, start=1)])
    if divide:
        desk.screen.line()
        heads = [desk.say("head.action"), desk.say("head.sequences")]
        desk.screen.table(heads, [(action, str(number)) for action, number in split.items()])


def _position(
    desk: Desk, start: str, case: str | None, frame: str | None, settings: list[str] | None
) -> "tuple[Game, Any, Table, str]":
    from recorder.simulate import Unopened
    from verify.perft import opening_table

    if not start.endswith(".toml") and not Path(start).is_file():
        if case is not None:
            raise desk.problem("perft.no_file", start=shown(start))
        game, version, rules = desk.rules(start, frame, settings)
        try:
            return game, rules, opening_table(game, rules), f"{game.key}@{version}"
        except Unopened as error:
            raise desk.refuse(error.text) from None
    return _of_case(desk, start, case, frame, settings)


def _of_case(
    desk: Desk, start: str, case: str | None, frame: str | None, settings: list[str] | None
) -> "tuple[Game, Any, Table, str]":
    from domain.formats.casebook import load_casebook
    from domain.formats.casebook.run import begin
    from domain.formats.errors import FormatError, decode_text, unknown
    from domain.law.rulesets import values

    if frame is not None:
        raise desk.problem("perft.fixed", file=shown(start))
    try:
        book = load_casebook(decode_text(files.read(desk, start), start), start)
        names = [one.id for one in book.cases]
        if case is None and len(names) > 1:
            raise desk.problem("perft.which", file=shown(start), cases=", ".join(names[:MISSING_SHOWN]))
        wanted = names[0] if case is None else case
        if wanted not in names:
            raise desk.refuse(unknown("case", wanted, names))
        found = book.cases[names.index(wanted)]
        game = desk.game(found.game)
        loader = recorded(desk, Path(start).parent)
        scene = begin(found, game, loader)
        if settings:  # the position is laid out anew: what lies where may be other rules' to say
            numbers = values(desk.options(game, scene.rules, settings))
            given = {key: numbers[key] for key in (one.partition("=")[0] for one in settings) if key in numbers}
            scene = begin(replace(found, set={**found.set, **given}), game, loader)
    except FormatError as error:
        raise desk.misread(error) from None
    return game, scene.rules, scene.table, wanted


COMMANDS: dict[str, Command] = {"verify": verify, "perft": perft}
