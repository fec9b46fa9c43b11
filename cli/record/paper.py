"""Recording after the match: score sheets, gaps and faces learned later."""

from collections.abc import Callable
from typing import Annotated

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import CommandContext
from cli.problems import FINE, CommandError
from cli.record.outcome import RecordedEntries
from cli.record.papers import read_text_of
from cli.record.stores import SheetImportResult, open_store
from cli.values import By, CommandId, Entering, Expect, Match, Reason, Viewer
from domain.formats.errors import quote_input
from domain.formats.sheets.lines import NO_BOUND
from domain.formats.sheets.reader import MOST_MAX
from recorder.usecases import commands as C


def take(
    ctx: CommandContext,
    sheet: Annotated[str, "SHEET"],
    match_id: Annotated[str | None, "--match ID"] = None,
    mend: Annotated[str, "--mend REASON"] = "",
) -> Answer[SheetImportResult]:
    """Record a sheet line by line. A sheet taken again continues after the recorded lines."""
    text, written = read_text_of(ctx, sheet)
    if not (name := match_id or written.header.opened.match):
        raise ctx.problem("paper.whose", file=sheet)
    took, problem = open_store(ctx).take_sheet(written, text, name, mend)
    code = FINE if problem is None else problem.code
    return Answer(lambda: took, lambda: ctx.screen.line(took.match), code, _build_hints(ctx, took, problem))


def _build_hints(ctx: CommandContext, took: SheetImportResult, problem: CommandError | None) -> Callable[[], None]:
    def tell() -> None:
        for line in took.lines:
            if line.violations and not line.known:
                clauses = ctx.say("list.comma").join(line.violations)
                ctx.hint("paper.flagged", line=line.line, entry=line.first, clauses=clauses)
        new = sum(not line.known for line in took.lines)
        ctx.hint("paper.taken", new=new, known=len(took.lines) - new, match=took.match, version=took.version)
        if problem is not None:
            ctx.warn(problem.message)
            for more in problem.more:
                ctx.screen.aside(more)

    return tell


def learn(
    ctx: CommandContext,
    match: Match,
    thing: Annotated[str, "THING"],
    face: Annotated[str, "FACE"],
    reason: Reason = "",
    by: By = "judge",
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    """Record the face of a card that became known later. Audits of earlier entries use it too."""
    number = read_thing(ctx, thing)
    with open_backend(ctx, match, Entering(by, None, command_id), viewer) as backend:
        return backend.learn(number, face, reason)


def gap(
    ctx: CommandContext,
    match: Match,
    facts: Annotated[list[str] | None, "FACT..."] = None,
    most: Annotated[int, "--most N"] = NO_BOUND,
    reason: Reason = "",
    finished: Annotated[bool, "--finished"] = False,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    """Record that up to `most` actions are missing, and the visible changes."""
    if not 0 <= most <= MOST_MAX:
        raise ctx.problem("sheet.most", n=most, most=MOST_MAX)
    with open_backend(ctx, match, Entering(by, expect, command_id), viewer) as backend:
        command = C.ReportGap(reason=reason, most=most, facts=tuple(facts or ()), finished=finished)
        return backend.execute(command)


def read_thing(ctx: CommandContext, text: str) -> int:
    """Return the number of a thing such as `u57`. Raises CommandError."""
    if not (text.startswith("u") and text[1:].isdecimal() and len(text) < 12):
        raise ctx.problem("sheet.no_thing", text=quote_input(text))
    return int(text[1:])
