"""Matches recorded afterwards: a score sheet taken line by line, and what was found out late."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

from msgspec import Struct

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import Desk
from cli.drawing import is_terminal
from cli.problems import BAD_INPUT, FINE, Problem
from cli.record import outcome
from cli.record.outcome import Written
from cli.record.papers import read_paper
from cli.values import By, CommandId, Entering, Expect, Match, Reason, Viewer
from domain.formats.errors import FormatError, shown
from domain.formats.sheets import Sheet
from domain.formats.sheets.lines import NO_BOUND
from domain.formats.sheets.reader import MOST_MAX
from domain.formats.tokens import word
from domain.law.clause import Clause, Refusal
from domain.law.wanted import FaceWanted
from domain.table.table import Place
from projections.findings import sentence
from recorder import paper
from recorder.clock import now
from recorder.paper import Behind, Halted, Taken
from recorder.store import Store
from recorder.usecases import commands as C

UNDONE_SHOWN: Final = 12
"""So many entries that would have to go are named."""


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of a sheet as it stands in the match: its entries, and what it broke where it was recorded as played."""

    line: int
    first: int
    last: int
    known: bool = False
    violations: tuple[Clause, ...] = ()


class Took(Struct, frozen=True, omit_defaults=True):
    """How far a sheet stands in its match; `stopped` is the line that could not be recorded, and `why`."""

    match: str
    version: int
    lines: tuple[Line, ...]
    stopped: int = 0
    why: str = ""


def take(
    desk: Desk,
    sheet: Annotated[str, "SHEET"],
    match_id: Annotated[str | None, "--match ID"] = None,
    mend: Annotated[str, "--mend REASON"] = "",
) -> Answer[Took]:
    """Record a sheet line by line. Taken again it goes on behind the lines that stand in the match already."""
    written = read_paper(desk, sheet)
    name = match_of(desk, written, match_id, sheet)
    with desk.store(writing=True) as store:
        there = outcome.require_opened(desk, _law(written), store, paper.open_sheet(store, written, name, at=now()))
        ask = _asking(desk, sheet)
        taken, stop = list[Line](), None
        for step in paper.take_sheet(store, written, there, at=now(), mend=mend, ask=ask):
            if isinstance(step, Taken):
                taken.append(Line(step.line, step.first, step.last, step.known, step.violations))
            else:
                stop = step
        problem = None if stop is None else _trouble(desk, store, written, there, stop)
        took = Took(
            there,
            store.version(there),
            tuple(taken),
            0 if stop is None else stop.line,
            "" if problem is None else problem.message,
        )
        return answer_took(desk, took, problem)


def match_of(desk: Desk, written: Sheet, match_id: str | None, file: str) -> str:
    """The match in which a sheet is recorded. Raises Problem where nobody says it."""
    if not (name := match_id or written.header.opened.match):
        raise desk.problem("paper.whose", file=file)
    return name


def answer_took(desk: Desk, took: Took, problem: Problem | None = None) -> Answer[Took]:
    """What became of a sheet: its match alone is printed, the rest stands beside it."""
    code = FINE if problem is None else problem.code
    return Answer(lambda: took, lambda: _draw(desk, took), code, _beside(desk, took, problem))


def _law(sheet: Sheet) -> Any:
    return sheet.header.law


def _draw(desk: Desk, took: Took) -> None:
    desk.screen.line(took.match)


def _beside(desk: Desk, took: Took, problem: Problem | None) -> Callable[[], None]:
    def tell() -> None:
        for line in took.lines:
            if line.violations and not line.known:
                clauses = desk.say("list.comma").join(line.violations)
                desk.hint("paper.flagged", line=line.line, entry=line.first, clauses=clauses)
        new = sum(not line.known for line in took.lines)
        desk.hint("paper.taken", new=new, known=len(took.lines) - new, match=took.match, version=took.version)
        if problem is not None:
            desk.warn(problem.message)
            for more in problem.more:
                desk.screen.aside(more)

    return tell


def _asking(desk: Desk, name: str) -> paper.Ask:
    """Asks whoever sits at the terminal for a face that shows; an empty line is no answer."""

    return lambda line, wanted: ask_face(desk, f"{name}:{line.line}", wanted.place)


def ask_face(desk: Desk, where: str, place: Place) -> str | None:
    """Ask for the face of a card that shows in a line; None where nobody sits there, or nobody can say."""
    if not is_terminal(sys.stdin):
        return None
    desk.hint("paper.which_face", where=where, place=place)
    typed = sys.stdin.readline().strip()
    return typed or None


def _trouble(desk: Desk, store: Store, sheet: Sheet, match: str, stop: Halted | Behind) -> Problem:
    """What stands against a line, where it stands, and what may be written instead."""
    if isinstance(stop, Behind):
        return tell_behind(desk, f"{sheet.name}:{stop.line}", match, stop.to, stop.entries)
    told = _against(desk, store, sheet, stop.why)
    return Problem(f"{sheet.name}:{stop.line}:{stop.column}: {told.message}", BAD_INPUT, told.more)


def _against(desk: Desk, store: Store, sheet: Sheet, why: paper.Trouble | FormatError) -> Problem:
    match why:
        case FormatError():
            return desk.refuse(why.message)
        case FaceWanted():
            return desk.problem("sheets.face_wanted", place=why.place)
        case Refusal():
            return desk.problem("sheets.refused", clause=why.clause, sentence=sentence(_law(sheet), why.clause))
        case _:
            return outcome.trouble(desk, store, why)


def tell_behind(desk: Desk, where: str, match: str, to: int, entries: Sequence[int]) -> Problem:
    """A sheet says something else than its match does: what would have to go, and how."""
    listed = desk.say("list.comma").join(map(str, entries[:UNDONE_SHOWN]))
    more = " ..." if len(entries) > UNDONE_SHOWN else ""
    return desk.problem("paper.behind", where=where, match=match, to=to, entries=listed + more)


def learn(
    desk: Desk,
    match: Match,
    thing: Annotated[str, "THING"],
    face: Annotated[str, "FACE"],
    reason: Reason = "",
    by: By = "judge",
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Record what a card was, found out afterwards: it is known from then on, and told of the entries before."""
    number = read_thing(desk, thing)
    if desk.away:
        command = C.Correct(facts=(f"learn u{number} {word(face)}",), reason=reason)
        with open_backend(desk, match, Entering(by, command_id=command_id), viewer) as backend:
            return backend.execute(command)
    with desk.changing(match) as (store, before):
        eyes = desk.eyes(before, viewer)
        done = paper.learn(store, before.id, number, face, reason, by, command_id=command_id, at=now())
        return outcome.answer_written(desk, store, before.id, done, eyes)


def gap(
    desk: Desk,
    match: Match,
    facts: Annotated[list[str] | None, "FACT..."] = None,
    most: Annotated[int, "--most N"] = NO_BOUND,
    reason: Reason = "",
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Record that actions are missing here: how many at most, and what is seen to be different behind them."""
    if not 0 <= most <= MOST_MAX:
        raise desk.problem("sheet.most", n=most, most=MOST_MAX)
    with open_backend(desk, match, Entering(by, expect, command_id), viewer) as backend:
        command = C.Gap(reason=reason, most=most, facts=tuple(facts or ()))
        return backend.execute(command)


def read_thing(desk: Desk, text: str) -> int:
    """The number of a thing as it is written. Raises Problem."""
    if not (text.startswith("u") and text[1:].isdecimal() and len(text) < 12):
        raise desk.problem("sheet.no_thing", text=shown(text))
    return int(text[1:])
