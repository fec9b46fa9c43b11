"""Session at a match of a service: prompts, commands and reports. The rules run on the service."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar
from uuid import uuid4

from msgspec.structs import replace

from cli.client.service import ServiceError
from cli.client.transport import ServiceUnreachable
from cli.context import CommandContext
from cli.play.dialogue import Dialogue
from cli.play.paper import Paper
from cli.remote.connection import RemoteReader, describe_refusal, mistyped
from domain.law.actions import PASS
from domain.table.redact import View
from domain.table.table import Seat
from domain.words import Message, Text
from domain.words.foreign import quoted
from projections.board import render_board
from projections.phrases import seat_name
from projections.seen_entries import SeenEntry
from projections.timeline import entry_words
from recorder.usecases import commands as C
from service import payloads
from service.access import RIGHTS, Operation
from service.payloads import Me, Next
from service.problems import Problem

BUSY: Final = ("too-many", "too-slow", "crowded", "draining", "store-unavailable")
"""Problems that may pass after a while."""
DOES: Final[dict[type[C.MatchCommand], str]] = {
    C.Correct: "play.other.f",
    C.Rewind: "play.undo",
    C.UndoEntries: "play.undo",
    C.AskRewind: "rewind.ask",
    C.Close: "play.close",
}
"""Message of each command that depends on the head."""
ENDING: Final = "end"
"""Fact that ends a match."""


T = TypeVar("T")


class Recorder(Dialogue):
    """State of a session: the match as its viewer sees it, and the legal actions."""

    lost = ServiceUnreachable

    def __init__(self, ctx: CommandContext, reader: RemoteReader, me: Me, ours: tuple[Seat, ...], paper: Paper) -> None:
        super().__init__(ctx, paper, reader.match.id, ours)
        self.match, self.law, self.me = reader.match, reader.law, me
        self.opening, self.names = reader.opening_entry, reader.names
        self.told = reader.head.head
        """Last entry already reported."""
        self.sending = False
        """True while a sent command has no response."""
        self.next = self.match.next()
        self.view = self.match.moment(self.next.head).board

    def may(self, operation: Operation) -> bool:
        """True if the user's role may do this in some match."""
        return RIGHTS[operation][self.me.role] != "no"

    def begin(self) -> None:
        viewer = seat_name(self.names, self.next.viewer, self.paper.lang)
        self.print_message("away.begins", url=quoted(self.match.service.url), viewer=viewer)

    def end(self) -> None:
        if self.sending:
            self.print_message("away.maybe")
        self.print_message("away.bye", match=self.match.id, entry=self.told)

    def safely(self, ask: Callable[[], T]) -> T | None:
        """Retry while the service is unreachable or busy. Return None if the user gives up."""
        return super().safely(partial(_convert_busy, ask))

    def actors(self) -> list[Seat]:
        able = [seat for seat in dict.fromkeys(doable.actor for doable in self.next.allowed) if seat in self.ours]
        able.sort(key=lambda seat: (seat != self.preferred, seat not in self.next.awaited))
        return able

    # Output

    def refresh(self) -> bool:
        seen = self.safely(self._look)
        if seen is None:
            return False
        self.next, self.view, news = seen
        if news:
            self.print_message("play.meanwhile")
            self.follow(news)
        return True

    def _look(self) -> tuple[Next, View, tuple[SeenEntry, ...]]:
        next_actions = self.match.next()
        return next_actions, self.match.moment(next_actions.head).board, self._since(next_actions.head)

    def _since(self, last: int) -> tuple[SeenEntry, ...]:
        entries = self.match.entries(self.told) if last > self.told else ()
        return tuple(entry for entry in entries if entry.number <= last)

    def follow(self, entries: Sequence[SeenEntry]) -> None:
        self.tell_lines([entry_words(self.law.game, entry, self.paper.lang, self.names) for entry in entries])
        self.told = max(self.told, *(entry.number for entry in entries))

    def state(self) -> None:
        self.tell_state(self.next.head, self.view.clock, self.next.awaited, reversed(self.view.stack))

    def board(self) -> None:
        self.paper.rows(render_board(self.view, self.law, self.law.schema(), self.paper.lang))

    def explain(self, problem: Problem, typed: str = "") -> None:
        """Print a refusal: the clause with its sentence, or the service's words."""
        if problem.clause:
            self.print_message("play.refused", clause=problem.clause, sentence=problem.says(self.paper.lang))
        elif problem.column and typed:
            self.complain(mistyped(self.ctx, typed, problem))
        else:
            self.paper.line(describe_refusal(self.ctx, problem))

    # Recording

    def act(self, line: str, by: Seat | None = None) -> payloads.EntriesWithFlags | None:
        """Record an action. It needs confirmation if it is known to be illegal or to end the match."""
        if not self.confirm_early_input(line):
            self.discard_input()
            return None
        command = C.PlayAction(text=line, by=by or Seat(""))
        try:
            tried: payloads.Tried | None = self.safely(partial(self.match.attempt, replace(command, mode="offer")))
            if tried is None:
                self.discard_input()
                return None
            ends = any(fact.fact == ENDING for fact in tried.facts)
            if ends and not self.sure_to_end(self.say("play.ends")):
                self.discard_input()
                return None
            command = replace(command, confirm=ends)
        except ServiceError as refused:
            problem = refused.problem
            if problem.clause and self.may("record"):
                if not self._is_current(line):
                    self.discard_input()
                    return None
                if problem.missing and (meant := self.ask_missing(problem.missing, problem.candidates)):
                    return self.act(meant, by)
                self.explain(problem)
                if not self.confirm(line, self.say("play.as_played")):
                    self.discard_input()
                    return None
                command = replace(command, mode="record")
        return self.send(command)

    def _is_current(self, line: str) -> bool:
        """True if no entry is new. An illegal action is recorded only on the table that the user saw."""
        at = self.next.head
        if self.refresh() and self.next.head != at:
            self.state()
            self.print_message("play.not_recorded", action=line)
        return self.next.head == at

    def send(self, command: C.AnyCommand) -> payloads.EntriesWithFlags | None:
        """Record a command once, however often it is sent. Return None if it was not recorded, or if that is
        unknown."""
        command = replace(command, id=uuid4())
        while True:
            head = None if command.commutes else self.next.head
            self.sending = True
            try:
                done: payloads.EntriesWithFlags | None = self.safely(partial(self.match.write, command, head))
            except ServiceError as refused:
                self.sending = False
                again = self._retry_command(command, refused.problem)
                if again is None:
                    self.discard_input()
                    return None
                command = again
                continue
            self.sending = False
            if done is None:
                self.keys.clear()
                self.print_message("away.maybe")
            return done

    def _retry_command(self, command: C.AnyCommand, problem: Problem) -> C.AnyCommand | None:
        """Return the command to send after a refusal, perhaps with more input; None to give up."""
        if problem.type == "/problem/conflict":
            return command if self._still_meant(command, problem) else None
        if isinstance(command, C.PlayAction) and problem.place:
            faces = self.ask_faces(problem.place, problem.purpose)
            return replace(command, shows=(*command.shows, *faces)) if faces else None
        if isinstance(command, C.PlayAction | C.Close) and problem.sure is not None:
            return replace(command, confirm=True) if self.sure_to_end(problem.sure.say(self.paper.lang)) else None
        if isinstance(command, C.PlayAction) and problem.missing:
            can_stand = problem.type == "/problem/unreadable"
            meant = self.ask_missing(problem.missing, problem.candidates, can_stand=can_stand)
            if meant or can_stand:
                return replace(command, text=meant, id=uuid4()) if meant else replace(command, mode="record")
        self.explain(problem, command.text if isinstance(command, C.PlayAction) else "")
        if isinstance(command, C.PlayAction) and command.shows and not problem.clause:
            return replace(command, shows=problem.refused_face.shows if problem.refused_face is not None else ())
        if problem.type == "/problem/physically-impossible" and problem.clause and not problem.entry:
            self.print_message("play.by_hand_only")
        return None

    def _still_meant(self, command: C.AnyCommand, problem: Problem) -> bool:
        what = command.text if isinstance(command, C.PlayAction) else self.say(DOES.get(type(command), "play.note"))
        if not self.refresh():
            return False
        self.state()
        self.print_message("play.not_recorded", action=what)
        insists = isinstance(command, C.PlayAction) and command.mode == "record"
        same = isinstance(command, C.PlayAction | C.Correct)  # other commands depend on the earlier entries
        if self.next.closed or not same or (problem.would_stand is False and not insists):
            return False
        return self.confirm(what, self.say("play.record"))

    def record(self, command: C.AnyCommand) -> bool:
        """Record a command other than an action. Return True once the service has it."""
        done = self.send(command)
        if done is not None:
            self.complete_entry(done)
        return done is not None

    def complete_entry(self, entered: payloads.EntriesWithFlags, *, count: bool = False) -> None:
        """Report the consequences of a recorded entry, and start the next input."""
        self.begin_anew(entered, count=count)
        before = entered.head - len(entered.entries)
        if before > self.told and (others := self.safely(partial(self._since, before))):
            self.print_message("play.meanwhile")
            self.follow(others)
        if entered.entries:
            self.follow(entered.entries)

    def begin_anew(self, entered: payloads.EntriesWithFlags, *, count: bool = False) -> None:
        typed = self.keys.clear()
        self.keys.mark()
        self.preferred = None
        if count:
            action = entered.entries[0].action if entered.entries else None
            self.tally.add(typed, passing=action is not None and action.verb == PASS)


def _convert_busy(ask: Callable[[], T]) -> T:
    try:
        return ask()
    except ServiceError as refused:
        problem = refused.problem
        if problem.type.removeprefix("/problem/") in BUSY:
            raise ServiceUnreachable(Text("client.busy", {"why": Message(problem.en, problem.ja)})) from None
        raise
