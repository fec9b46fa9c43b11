"""Backends that execute commands: a store on this machine, or a service over HTTP."""

from contextlib import AbstractContextManager
from typing import Protocol

from cli.answer import Answer
from cli.context import CommandContext
from cli.record.outcome import ActionRefusal, RecordedEntries
from cli.values import ENTERING, Entering
from domain.table.table import Seat
from projections.undo_plans import PendingRewind, RewindPreview
from recorder.branches import Branched
from recorder.usecases import commands as C

LOCAL, HTTP = "cli.local:open_local", "cli.remote.backend:open_http"
"""Functions that open a match. Only the one in use is imported."""


class Backend(Protocol):
    """A match on which commands are executed, as one viewer sees it."""

    def entry(self, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises CommandError."""

    def line(self) -> frozenset[int]:
        """Return the numbers of the entries that lead to the last one, without those a rewind undid."""

    def request(self) -> PendingRewind:
        """Return the rewind request that waits for an answer."""

    def repeat(self, command: C.AnyCommand) -> Answer[RecordedEntries] | None:
        """Return the answer to a command already recorded under this id, or None. Raises CommandError."""

    def price(self, to: int, *, aside: bool) -> Answer[RewindPreview]:
        """Return the cost of a rewind to an entry. `aside` draws it on stderr. Raises CommandError."""

    def execute(self, command: C.AnyCommand, typed: str = "") -> Answer[RecordedEntries]:
        """Record a command once, however often it is sent. Raises CommandError.

        `typed` is the text in which an error names a column.
        """

    def learn(self, thing: int, face: str, reason: str) -> Answer[RecordedEntries]:
        """Record the face of a card that became known later. Raises CommandError."""

    def play(self, command: C.PlayAction) -> Answer[RecordedEntries | ActionRefusal]:
        """Record an action once. Raises CommandError."""

    def break_seal(self, viewer: Seat, minutes: int) -> Answer[RecordedEntries]:
        """Break the seal of a viewer, for `minutes` if not 0. Raises CommandError."""

    def seal(self, viewer: Seat) -> Answer[RecordedEntries]:
        """Restore the seal of a viewer. Raises CommandError."""

    def branch(self, at: int, match_id: str | None, seed: bytes | None) -> Branched:
        """Open a what-if match that shares the entries up to `at`. Raises CommandError."""


def open_backend(
    ctx: CommandContext, match: str, entering: Entering = ENTERING, viewer: str = "", *, writing: bool = True
) -> AbstractContextManager[Backend]:
    """Open a match by its id. The default viewer is the judge in a store, the token's holder at a service."""
    open_match = ctx.backend(LOCAL, HTTP)
    opened: AbstractContextManager[Backend] = open_match(ctx, match, entering, viewer, writing=writing)
    return opened
