"""The shortest record that still shows what a rule change, or two readings, make of a match."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk, shown
from cli.many.compare import asked_reading
from cli.many.rejudge import match_of, misruled, target_of
from cli.outputs import distinct
from cli.problems import FINDINGS
from cli.values import Frame, Record, Rules, Settings
from domain.judging.rejudging import Unreadable, rejudge
from domain.judging.rejudging.comparing import separated
from domain.judging.rejudging.target import rules_for
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from domain.words import Text
from domain.words.foreign import system
from projections.verdicts.showing import deciding
from verify.shrink import shrink as shorten
from verify.writing import CASES, LINES, MATCH, write

Reading = Annotated[str | None, typer.Option("--reading", metavar="OPTION=A,B", show_default=False)]
Out = Annotated[str, typer.Option("--out", metavar="DIR", show_default=False)]


class Shrunken(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """How many entries are left of a match, what they still show, and the files they were written to."""

    match: str
    before: int
    after: int
    what: str
    record: str
    case: str | None


def shrink(
    desk: Desk,
    record: Record,
    out: Out,
    rules: Rules = None,
    settings: Settings = None,
    frame: Frame = None,
    reading: Reading = None,
) -> Answer[Shrunken | None]:
    """Leave out of a match what its verdict does not need; write it as a record and a case. 1 if there is nothing."""
    with match_of(desk, record) as match:
        game, own, entries = match.game, match.rules, list(match.entries)
    if reading is not None:
        if rules is not None or settings or frame:
            raise desk.problem("shrink.one_of")
        still, what = _apart(desk, game, own, reading)
    else:
        still, what = _judged(desk, game, own, entries, rules, frame, settings)
    if not _tried(desk, still, entries):
        differs = reading is None and rejudge(game, entries, own).kind != "identical"
        said = desk.say("shrink.nothing", match=match.id, what=Text("shrink.own") if differs else what)
        return Answer(lambda: None, lambda: desk.screen.line(said, "bad"), FINDINGS)
    name = f"shrunk-{match.id}"
    for suffix in (MATCH, LINES, CASES):
        distinct(desk, {"--out": str(Path(out, name + suffix))}, (), (record, record.rpartition(":")[0], rules))
    shorter = shorten(Law(game, own), entries, still)
    try:
        written = write(game, shorter, Path(out), name, what)
    except (OSError, ValueError) as error:
        raise desk.problem("cli.unwritable", file=shown(out), detail=system(error)) from None
    paths = [str(path) for path in (written.match, written.case) if path is not None]
    case = None if written.case is None else str(written.case)
    counts = {"was": len(entries), "now": written.entries, "files": desk.say("list.comma").join(paths)}
    return Answer(
        lambda: Shrunken(match.id, len(entries), written.entries, what.say("en"), str(written.match), case),
        lambda: desk.screen.line(desk.say("shrink.done", what=what, **counts), "good"),
    )


def _tried(desk: Desk, still: Callable[[Sequence[Entry]], bool], entries: Sequence[Entry]) -> bool:
    """Does the whole record show it?"""
    try:
        return still(entries)
    except Unreadable as error:
        raise desk.refuse(error.text) from None


def _judged(
    desk: Desk,
    game: Game,
    own: Any,
    entries: Sequence[Entry],
    rules: str | None,
    frame: str | None,
    settings: list[str] | None,
) -> tuple[Callable[[Sequence[Entry]], bool], Text]:
    """Is it still the same class, by the same clause? What is identical shows nothing."""
    with misruled(desk, rules):
        other = rules_for(target_of(desk, rules, frame, settings), game, own)
    try:
        verdict = rejudge(game, entries, other)
    except Unreadable as error:
        raise desk.refuse(error.text) from None
    clause = deciding(entries, verdict)

    def still(tried: Sequence[Entry]) -> bool:
        found = rejudge(game, tried, other)
        same = (found.kind, found.why, deciding(tried, found)) == (verdict.kind, verdict.why, clause)
        return same and found.kind != "identical" and rejudge(game, tried, own).kind == "identical"

    return still, Text("shrink.verdict", {"kind": Text(f"verdict.{verdict.kind}"), "clause": clause})


def _apart(desk: Desk, game: Game, own: Any, reading: str) -> tuple[Callable[[Sequence[Entry]], bool], Text]:
    """Does it still tell the two readings apart?"""
    option, values = asked_reading(desk, reading)
    one, other = (desk.options(game, own, [f"{option}={value}"]) for value in values)

    def still(tried: Sequence[Entry]) -> bool:
        return separated(game, tried, one, other) is not None

    return still, Text("shrink.reading", {"option": option, "one": values[0], "other": values[1]})
