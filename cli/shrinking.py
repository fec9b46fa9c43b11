"""The shortest record that still shows what a rule change, or two readings, make of a match."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.comparing import asked_reading
from cli.context import Desk, shown
from cli.judging import Record
from cli.outputs import distinct
from cli.problems import FINDINGS, FINE
from cli.registry import Command, Frame, Json, Settings
from cli.rejudging import Rules, match_of, misruled, target_of
from domain.words import Text
from domain.words.foreign import system

if TYPE_CHECKING:
    from domain.law.entries import Entry
    from domain.law.game import Game

Reading = Annotated[str | None, typer.Option("--reading", metavar="OPTION=A,B", show_default=False)]
Out = Annotated[str, typer.Option("--out", metavar="DIR", show_default=False)]


def shrink(
    desk: Desk,
    record: Record,
    out: Out,
    rules: Rules = None,
    settings: Settings = None,
    frame: Frame = None,
    reading: Reading = None,
    as_json: Json = False,
) -> int:
    """Leave out of a match what its verdict does not need; write it as a record and a case. 1 if there is nothing."""
    from pathlib import Path

    from domain.judging.rejudging import rejudge
    from verify.shrink import shrink as shrunk
    from verify.writing import CASES, LINES, MATCH, write

    with match_of(desk, record) as found:
        game, own, entries = found.game, found.rules, list(found.entries)
        if reading is not None:
            if rules is not None or settings or frame:
                raise desk.problem("shrink.one_of")
            still, what = _apart(desk, game, own, reading)
        else:
            still, what = _judged(desk, game, own, entries, rules, frame, settings)
        if not _tried(desk, still, entries):
            differs = reading is None and rejudge(game, entries, own).kind != "identical"
            said = Text("shrink.own") if differs else what
            desk.screen.line(desk.say("shrink.nothing", match=found.id, what=said), "bad")
            return FINDINGS
    name = f"shrunk-{found.id}"
    for suffix in (MATCH, LINES, CASES):
        distinct(desk, {"--out": str(Path(out, name + suffix))}, (), (record, record.rpartition(":")[0], rules))
    shorter = shrunk(game, own, entries, still)
    try:
        written = write(game, shorter, Path(out), name, what)
    except (OSError, ValueError) as error:
        raise desk.problem("cli.unwritable", file=shown(out), detail=system(error)) from None
    if as_json:
        case = None if written.case is None else str(written.case)
        answer = {"match": found.id, "from": len(entries), "to": written.entries, "what": what.say("en")}
        desk.screen.json({**answer, "record": str(written.match), "case": case})
    else:
        files = desk.say("list.comma").join(str(one) for one in (written.match, written.case) if one is not None)
        desk.screen.line(desk.say("shrink.done", what=what, was=len(entries), now=written.entries, files=files), "good")
    return FINE


def _tried(desk: Desk, still: "Callable[[Sequence[Entry]], bool]", entries: "Sequence[Entry]") -> bool:
    """Does the whole record show it?"""
    from domain.judging.rejudging import Unreadable

    try:
        return still(entries)
    except Unreadable as error:
        raise desk.refuse(error.text) from None


def _judged(
    desk: Desk,
    game: "Game",
    own: Any,
    entries: "Sequence[Entry]",
    rules: str | None,
    frame: str | None,
    settings: list[str] | None,
) -> tuple["Callable[[Sequence[Entry]], bool]", Text]:
    """Is it still the same class, by the same clause? What is identical shows nothing."""
    from domain.judging.rejudging import Unreadable, rejudge
    from domain.judging.rejudging.target import rules_for
    from projections.verdicts.showing import deciding

    with misruled(desk, rules):
        other = rules_for(target_of(desk, rules, frame, settings), game, own)
    try:
        verdict = rejudge(game, entries, other)
    except Unreadable as error:
        raise desk.refuse(error.text) from None
    clause = deciding(entries, verdict)

    def still(tried: "Sequence[Entry]") -> bool:
        found = rejudge(game, tried, other)
        same = (found.kind, found.why, deciding(tried, found)) == (verdict.kind, verdict.why, clause)
        return same and found.kind != "identical" and rejudge(game, tried, own).kind == "identical"

    return still, Text("shrink.verdict", {"kind": Text(f"verdict.{verdict.kind}"), "clause": clause})


def _apart(desk: Desk, game: "Game", own: Any, reading: str) -> tuple["Callable[[Sequence[Entry]], bool]", Text]:
    """Does it still tell the two readings apart?"""
    from domain.judging.rejudging.comparing import separated

    option, values = asked_reading(desk, reading)
    one, other = (desk.options(game, own, [f"{option}={value}"]) for value in values)

    def still(tried: "Sequence[Entry]") -> bool:
        return separated(game, tried, one, other) is not None

    return still, Text("shrink.reading", {"option": option, "one": values[0], "other": values[1]})


COMMANDS: dict[str, Command] = {"shrink": shrink}
