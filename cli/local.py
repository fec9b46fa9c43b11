"""Backend for a store on this machine."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import CommandContext
from cli.record import outcome
from cli.record.outcome import ActionRefusal, RecordedEntries
from cli.values import Entering
from domain.formats.errors import FormatError
from domain.formats.faces import split_faces
from domain.formats.typed import TypedAction, read_typed, with_clause
from domain.law import disputes as D
from domain.law.clause import CitedFact, CitedFacts, Refusal
from domain.law.docket import SECOND
from domain.law.entries import line
from domain.law.slots import Action
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, CardId, Seat
from domain.words import Text
from projections.phrases import seat_name
from projections.questions import ending_words
from projections.undo_plans import PendingRewind, RewindPreview
from recorder import branches, matches
from recorder.answers import RewindCost
from recorder.branches import Branched
from recorder.clock import read_wall_clock
from recorder.decisions import record_decision
from recorder.identification import record_identification
from recorder.match_loader import LoadedMatch, truncate
from recorder.match_writer import Terms
from recorder.remarks import find_rewind_request
from recorder.store import Conflict, Repeated, Store
from recorder.usecases import commands as C
from recorder.usecases.handlers import handle, read_fact

MINUTE = 60 * SECOND


class LocalMatch(Struct, frozen=True):
    """A match of a store, as one viewer sees it."""

    ctx: CommandContext
    store: Store
    match: LoadedMatch
    eyes: TableViewer
    entering: Entering

    def entry(self, number: int | None) -> int:
        return self.ctx.entry(self.match, number)

    def line(self) -> frozenset[int]:
        return frozenset(line(self.match.entries))

    def request(self) -> PendingRewind:
        asked = find_rewind_request(self.match.entries)
        return PendingRewind(match=self.match.id, **({} if asked is None else asdict(asked)))

    def repeat(self, command: C.Direct) -> Answer[RecordedEntries] | None:
        return None if self._find_repeated() is None else self.execute(command)

    def price(self, to: int, *, aside: bool) -> Answer[RewindPreview]:
        cost = matches.rewind_cost(self.store, self.match.id, self.entry(to))
        if not isinstance(cost, RewindCost):
            raise outcome.not_recorded_error(self.ctx, self.store, cost)
        return outcome.answer_cost(self.ctx, self.match, self.eyes, cost, aside=aside)

    def execute(self, command: C.Direct, typed: str = "") -> Answer[RecordedEntries]:
        entering, repeated = self.entering, self._find_repeated()
        match = self.match if repeated is None else truncate(self.match, repeated.first - 1)
        facts = command.facts if isinstance(command, C.Correct | C.ReportGap | C.Rule | C.Decide) else ()
        cited_facts = read_facts(self.ctx, match, facts)
        terms = Terms(expected=entering.expect, command_id=entering.command_id, at=read_wall_clock())
        done = handle(self.store, match, command, entering.by, cited_facts, terms=terms)
        if isinstance(command, C.Rewind | C.UndoEntries):
            recorded = outcome.require_recorded(self.ctx, self.store, done)
            outcome.hint_undrawn(self.ctx, self.store, match, recorded.table)
        return outcome.answer_written(self.ctx, self.store, match.id, done, self.eyes)

    def learn(self, thing: int, face: str, reason: str) -> Answer[RecordedEntries]:
        terms = Terms(command_id=self.entering.command_id, at=read_wall_clock())
        done = record_identification(self.store, self.match.id, thing, face, reason, self.entering.by, **terms)
        return outcome.answer_written(self.ctx, self.store, self.match.id, done, self.eyes)

    def play(self, command: C.PlayAction) -> Answer[RecordedEntries | ActionRefusal]:
        """Record an action. Names are resolved with the scorekeeper's knowledge. Raises CommandError."""
        ctx, store, before, eyes = self.ctx, self.store, self.match, self.eyes
        repeated, expect = self._find_repeated(), self.entering.expect
        if repeated is None and expect is not None and expect != before.version:
            raise outcome.conflict(ctx, store, before.id, expect, before.version)
        shows = split_faces(before.game, command.shows) if command.shows else ()
        if command.text.split() == ["chance:", "auto"]:
            done = outcome.require_advanced(
                ctx, store, before.id, matches.advance(store, before.id, shows, at=read_wall_clock())
            )
            first = done.version - len(done.entries) + 1
            return outcome.answer_entries(ctx, store, before.id, first, done.entries, eyes)
        faces: dict[CardId, str | None] = {}
        at = None if repeated is None else repeated.first - 1
        actor, action = _read_action(ctx, before, command.text, eyes, at, faces)
        if type(action).ends_match and not command.confirm:
            raise ctx.problem("do.unconfirmed", sure=ending_words(before, actor, action))
        expected = before.version if expect is None else expect
        terms = Terms(expected=expected, command_id=self.entering.command_id, at=read_wall_clock())
        as_played = command.mode == "record"
        answer = matches.play(store, before.id, actor, action, as_played, faces=faces, shows=shows, **terms)
        if isinstance(answer, Refusal):
            typed = TypedAction(actor, action, faces=faces)
            return outcome.answer_refused(ctx, before, command.text, typed, eyes.viewer, answer)
        return outcome.answer_written(ctx, store, before.id, answer, eyes)

    def break_seal(self, viewer: Seat, minutes: int) -> Answer[RecordedEntries]:
        at = read_wall_clock()
        until = at + minutes * MINUTE if minutes else 0
        return self._file(D.Unsealed(by=self.entering.by, eyes=viewer, until=until), at)

    def seal(self, viewer: Seat) -> Answer[RecordedEntries]:
        return self._file(D.Sealed(by=self.entering.by, eyes=viewer), read_wall_clock())

    def branch(self, at: int, match_id: str | None, seed: bytes | None) -> Branched:
        ctx = self.ctx
        done = branches.branch(self.store, self.match.id, at, match_id, seed, read_wall_clock(), self.entering.by)
        if isinstance(done, branches.NoBranch):
            raise ctx.problem("branch.refused", detail=done.what.say(ctx.lang))
        if isinstance(done, Conflict):
            raise ctx.problem("cli.match_exists", match=done.match)
        if not isinstance(done, Branched):
            raise outcome.not_recorded_error(ctx, self.store, done)
        return done

    def _file(self, entry: D.Filed, at: int) -> Answer[RecordedEntries]:
        terms = Terms(expected=self.entering.expect, command_id=self.entering.command_id, at=at)
        answer = record_decision(self.store, self.match.id, entry, **terms)
        return outcome.answer_written(self.ctx, self.store, self.match.id, answer, self.eyes)

    def _find_repeated(self) -> Repeated | None:
        command_id = self.entering.command_id
        return None if command_id is None else self.store.command(self.match.id, command_id)


@contextmanager
def open_local(
    ctx: CommandContext, match: str, entering: Entering, viewer: str, *, writing: bool
) -> Iterator[LocalMatch]:
    """Open a match of the command's store. Raises CommandError."""
    with ctx.store(writing=writing) as store:
        loaded = ctx.match(store, match)
        yield LocalMatch(ctx, store, loaded, ctx.find_viewer(loaded, viewer or JUDGE), entering)


def read_facts(ctx: CommandContext, match: LoadedMatch, facts: Iterable[str]) -> CitedFacts:
    """Parse facts in notation against the table of a match. Raises CommandError."""
    return tuple(_read_fact(ctx, match, text) for text in facts)


def _read_fact(ctx: CommandContext, match: LoadedMatch, text: str) -> CitedFact:
    try:
        return read_fact(match, text)
    except FormatError as error:
        raise ctx.mistyped(with_clause(text), error) from None


def _read_action(
    ctx: CommandContext,
    match: LoadedMatch,
    text: str,
    eyes: TableViewer,
    at: int | None,
    faces: dict[CardId, str | None],
) -> tuple[Seat, Action]:
    """Parse an action with all the scorekeeper knows. Errors show only what the viewer sees.

    `faces` receives the named faces of cards unknown to the record.
    """
    table = match.table if at is None else match.after(at)
    try:
        return read_typed(match, table, text, eyes, faces)
    except FormatError as error:
        seen = error.message
        by_name = seen.key.startswith("name.") or seen.values.get("what") in (Text("noun.card"), Text("noun.frame"))
        if eyes.viewer != JUDGE and by_name:
            seen = Text("do.as_seen", {"what": seen, "viewer": seat_name(match.names, eyes.viewer, ctx.lang)})
        raise ctx.mistyped(text, FormatError(seen, error.line, error.column)) from None
