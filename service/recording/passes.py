"""Passing for all seats until something is asked: one command that records an entry for each pass."""

from hashlib import sha256
from typing import Final

from domain.judging.passing import is_harmless_pass, is_waiting, next_passer
from domain.law.actions import Pass
from domain.law.entries import Played
from domain.table.table import Table
from domain.words import Text
from recorder import matches
from recorder.answers import Advanced, RecordResult
from recorder.commands import Command
from recorder.match_writer import Terms
from recorder.store import Conflict
from service.context import MatchView
from service.problems import http_problem
from service.requests import Request

PASSES_MAX: Final = 40
ID_DIGITS: Final = 32


def can_all_pass(view: MatchView, table: Table) -> bool:
    """True if frames wait for passes, and the next pass is known to be harmless on the viewer's table."""
    law = view.match.law
    seat = next_passer(law, table)
    return seat is not None and is_waiting(table) and is_harmless_pass(law, table, seat)


def pass_all(request: Request, view: MatchView, terms: Terms) -> Advanced | Conflict:
    """Record a pass for each seat in turn until something happens or is asked.

    Each pass has an id derived from the command's, so that the command can be repeated. Raises HttpProblem if no pass
    is known to be harmless or can be recorded.
    """
    at, law, command = terms.get("expected") or 0, view.match.law, terms["command"]
    assert command is not None
    table, before, entries = view.match.after(at), None, list[Played]()
    for number in range(PASSES_MAX):
        blind = view.eyes.without_hidden_faces(table)
        seat = next_passer(law, blind, before)
        if seat is None or not is_harmless_pass(law, blind, seat):
            break
        each = Terms(expected=at, command=_command_of_pass(command, number), at=terms.get("at", 0))
        result = matches.play(request.context.store, view.match.id, seat, Pass(), True, **each)
        if isinstance(result, Conflict) and not entries:
            return result
        if not isinstance(result, RecordResult):
            break
        entries += [entry for entry in (result.entry, *result.also) if isinstance(entry, Played)]
        at, table, before = result.last, result.table, blind
    if not entries:
        raise http_problem("out-of-order", Text("record.all_pass_stopped"))
    return Advanced(at, tuple(entries), table)


def _command_of_pass(command: Command, number: int) -> Command:
    """Return the command of one pass: the first has the id sent, the others derived ids."""
    if number == 0:
        return command
    text = f"{command.shared or command.id}pass {number}"
    return Command(sha256(text.encode()).hexdigest()[:ID_DIGITS], command.asked)
