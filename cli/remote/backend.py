"""Backend for a match at a service. A command is sent under one id and recorded once."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from msgspec.structs import replace

from cli.answer import Answer
from cli.client.service import ServiceError as Halted
from cli.client.transport import ServiceUnreachable
from cli.context import CommandContext
from cli.problems import FINDINGS, CommandError
from cli.record.outcome import ActionRefusal, RecordedEntries, conflict_error, draw_cost, tell_refused, tell_written
from cli.remote.connection import RemoteReader, describe_refusal, mistyped
from cli.values import Entering
from domain.formats.tokens import write_word
from domain.table.table import Seat
from projections.findings import Sentence
from projections.seen_entries import SeenEntry, line_seen
from projections.timeline import entry_words
from projections.undo_plans import PendingRewind, RewindPreview
from recorder.branches import Branched
from recorder.usecases import commands as C
from service import payloads
from service.problems import Problem

NO_ENTRY: Final = 0
"""Entry number that never matches: a command after it is not recorded, only looked up by its id."""
BLANK: Final = " "
"""Empty text in a form that the API accepts."""
NEEDED: Final[dict[type[C.MatchCommand], str]] = {C.Correct: "reason", C.ReportGap: "reason", C.AddNote: "text"}
"""Text fields that may not be empty in the API."""
ENTRY_MAX: Final = 999_999_999
"""Bound above every entry number."""
UNSAID: Final = ("", "judge")
"""Defaults of `--by`."""
JUDGED: Final = ("/problem/not-allowed", "/problem/physically-impossible")


class HttpMatch(RemoteReader):
    """A match of a service, as one viewer sees it."""

    def __init__(self, ctx: CommandContext, match: str, entering: Entering, viewer: str) -> None:
        require_own_name(ctx, entering.by)
        super().__init__(ctx, match, viewer)
        self.entering = entering

    def line(self) -> frozenset[int]:
        return line_seen(self.entries)

    def request(self) -> PendingRewind:
        return self.match.request()

    def repeat(self, command: C.AnyCommand) -> Answer[RecordedEntries] | None:
        id = self.entering.command_id
        return None if id is None else self._written_before(replace(command, id=read_id(id)))

    def price(self, to: int, *, aside: bool) -> Answer[RewindPreview]:
        priced = self.match.cost(self.entry(to))

        def draw() -> None:
            draw_cost(self.ctx, self.law.game, priced, lambda number: self.entries[number - 1], self.when, aside)

        return Answer(lambda: priced, draw)

    def execute(self, command: C.AnyCommand, typed: str = "") -> Answer[RecordedEntries]:
        """Send a command, under the id of the command line or a new one. Raises CommandError."""
        field = NEEDED.get(type(command), "")
        blank = {field: BLANK} if field and not getattr(command, field) else {}
        named = replace(command, id=read_id(self.entering.command_id), **blank)
        any_head = self.entering.expect is None and command.commutes
        return self._write(named, None if any_head else self._expect_head(self.entering.expect), typed)

    def learn(self, thing: int, face: str, reason: str) -> Answer[RecordedEntries]:
        return self.execute(C.Correct(facts=(f"learn u{thing} {write_word(face)}",), reason=reason))

    def play(self, command: C.PlayAction) -> Answer[RecordedEntries | ActionRefusal]:
        """Send an action. One known to be illegal is sent only to be recorded as played. Raises CommandError."""
        text, expect = command.text, self.entering.expect
        named = replace(command, id=read_id(self.entering.command_id))
        if self.entering.command_id is not None and (before := self._written_before(named)) is not None:
            return before
        as_played = command.mode == "record"
        try:
            if not as_played and expect in (None, self.head.head):
                self._try(named)
            answer = self._write(named, self._expect_head(expect), typed=text)
        except Halted as halted:
            return self._answer_refused(text, halted.problem)
        flagged = not as_played and any(entry.violations for entry in answer.value().entries)
        return replace(answer, beside=lambda: self.ctx.hint("client.flagged")) if flagged else answer

    def break_seal(self, viewer: Seat, minutes: int) -> Answer[RecordedEntries]:
        id = self._seal_id()
        with sending(self.ctx, "client.maybe", id=str(id)):
            broken = self.match.break_seal(viewer, minutes, id=id)
        expected = ("unsealed", broken.viewer, broken.ends)
        return self._tell_newest(lambda entry: (entry.seen, entry.eyes, entry.until) == expected)

    def seal(self, viewer: Seat) -> Answer[RecordedEntries]:
        id = self._seal_id()
        with sending(self.ctx, "client.maybe", id=str(id)):
            sealed = self.match.seal(viewer, id=id)
        return self._tell_newest(lambda entry: entry.number == sealed.entry)

    def _seal_id(self) -> UUID:
        if self.entering.expect is not None:
            raise self.ctx.problem("client.no_expect")
        return read_id(self.entering.command_id)

    def _tell_newest(self, holds: Callable[[SeenEntry], bool]) -> Answer[RecordedEntries]:
        entry = next(filter(holds, reversed(tuple(self.match.entries()))), None)
        entries, number = ((), 0) if entry is None else ((entry,), entry.number)
        return tell_written(
            self.ctx, self.law.game, self.names, RecordedEntries(self.match.id, number, number, entries)
        )

    def branch(self, at: int, match_id: str | None, seed: bytes | None) -> Branched:
        try:
            with sending(self.ctx, "client.maybe_opened"):
                made = self.match.branch(min(max(at, NO_ENTRY), ENTRY_MAX), match_id or "")
        except Halted as halted:
            problem = halted.problem
            if problem.type == "/problem/exists":
                raise self.ctx.problem("cli.match_exists", match=match_id) from None
            if problem.type == "/problem/unreadable":
                raise self.ctx.problem("branch.refused", detail=problem.says(self.ctx.lang)) from None
            raise
        return Branched(made.match, made.parent, made.at, made.head, made.parent_open)

    def _expect_head(self, expect: int | None) -> int:
        return self.head.head if expect is None else min(max(expect, NO_ENTRY), ENTRY_MAX)

    def _try(self, command: C.PlayAction) -> None:
        try:
            self.match.attempt(replace(command, id=None, mode="offer"))
        except Halted as halted:
            if halted.problem.type in JUDGED:
                raise

    def _written_before(self, command: C.AnyCommand) -> Answer[RecordedEntries] | None:
        """Return the answer to a command that was already recorded, or None."""
        try:
            return self._tell(self.match.write(command, NO_ENTRY))
        except Halted as halted:
            if halted.problem.type == "/problem/command-reused":
                raise self._trouble(command, halted.problem) from None
            return None

    def _write(self, command: C.AnyCommand, head: int | None = None, typed: str = "") -> Answer[RecordedEntries]:
        """Send a command, and retry after a lost connection. Raises ServiceError for an illegal action, or else
        CommandError.

        `typed` is the text in which an error names a column.
        """
        assert command.id is not None
        try:
            with sending(self.ctx, "client.maybe", id=str(command.id)):
                return self._tell(self.match.write(command, head))
        except Halted as halted:
            if halted.problem.type in JUDGED and halted.problem.clause:
                raise
            raise self._trouble(command, halted.problem, head, typed) from None

    def _trouble(
        self, command: C.AnyCommand, problem: Problem, head: int | None = None, typed: str = ""
    ) -> CommandError:
        """Return the error for a refused command, in the words used for a local store."""
        ctx, match = self.ctx, self.match.id
        match problem.type:
            case "/problem/conflict":
                news = [entry_words(self.law.game, entry, ctx.lang, self.names) for entry in problem.since]
                return conflict_error(ctx, match, head or NO_ENTRY, problem.head, news)
            case "/problem/command-reused":
                return ctx.problem("cli.reused", match=match, command=repr(str(command.id)), entry=problem.first)
            case "/problem/unreadable" if typed and problem.column:
                return mistyped(ctx, typed, problem)
            case "/problem/not-allowed":
                return CommandError(problem.says(ctx.lang), FINDINGS)
            case "/problem/unreadable" if problem.missing:
                lines = [f"  {line}" for line in problem.candidates]
                return CommandError(describe_refusal(ctx, problem), more=[*lines, ctx.say("do.refused")])
            case _:
                return CommandError(describe_refusal(ctx, problem))

    def _answer_refused(self, text: str, problem: Problem) -> Answer[ActionRefusal]:
        if not problem.clause or problem.entry:  # the service reports the entry that recorded the attempt
            raise self._trouble(C.PlayAction(), problem)
        impossible = problem.type == "/problem/physically-impossible"
        both = Sentence(problem.en, problem.ja)
        told = (problem.clause, both, impossible, problem.trail, FINDINGS, problem.missing, problem.candidates)
        value = ActionRefusal(self.match.id, self.head.head, text, *told)
        return tell_refused(self.ctx, self.law, self.names, value, problem.trail if impossible else ())

    def _tell(self, entered: payloads.EntriesWithFlags) -> Answer[RecordedEntries]:
        first = entered.head - len(entered.entries) + 1
        return tell_written(
            self.ctx, self.law.game, self.names, RecordedEntries(self.match.id, first, entered.head, entered.entries)
        )


def open_http(
    ctx: CommandContext, match: str, entering: Entering, viewer: str, *, writing: bool
) -> AbstractContextManager[HttpMatch]:
    """Open a match of the command's service. Raises CommandError, ServiceError."""
    return nullcontext(HttpMatch(ctx, match, entering, viewer))


def require_own_name(ctx: CommandContext, by: str) -> None:
    """Raise CommandError for a name other than that of the token's holder."""
    if by not in UNSAID:
        raise ctx.problem("client.by")


def read_id(text: str | None) -> UUID:
    """Return the UUID of a command id. Other text is hashed to a fixed UUID."""
    if text is None:
        return uuid4()
    try:
        return UUID(text)
    except ValueError:
        return uuid5(NAMESPACE_URL, text)


@contextmanager
def sending(ctx: CommandContext, key: str, **values: str) -> Iterator[None]:
    """Add a hint to connection errors: how to find out whether something was recorded."""
    try:
        yield
    except ServiceUnreachable as lost:
        raise CommandError(lost.text.say(ctx.lang), more=[ctx.say(key, **values)] if lost.sent else ()) from None
