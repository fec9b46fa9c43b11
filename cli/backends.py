"""Backends that execute commands: a store on this machine, or a service over HTTP."""

from contextlib import AbstractContextManager
from typing import Protocol

from cli.answer import Answer
from cli.context import CommandContext
from cli.record.outcome import ActionRefusal, RecordedEntries
from cli.values import ENTERING, Entering
from domain.table.table import Seat
from projections.undo_plans import PendingRewind, Priced
from recorder.branches import Branched
from recorder.usecases import commands as C

LOCAL, HTTP = "cli.local:open_local", "cli.remote.backend:open_http"
"""Functions that open a match; only the one in use is imported."""


class Backend(Protocol):
    """A match on which commands are executed, as one viewer sees it."""

    def entry(self, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises Problem."""

    def line(self) -> frozenset[int]:
        """Return the numbers of the entries that lead to the last one; a rewind leaves others out."""

    def request(self) -> PendingRewind:
        """Return the request to go back that waits for an answer."""

    def repeat(self, command: C.AnyCommand) -> Answer[RecordedEntries] | None:
        """Return the answer to a command that was recorded before under this id. Raises Problem."""

    def price(self, to: int, *, aside: bool) -> Answer[Priced]:
        """Return the cost of a rewind to an entry, drawn on stderr with `aside`. Raises Problem."""

    def execute(self, command: C.AnyCommand, typed: str = "") -> Answer[RecordedEntries]:
        """Record a command once, however often it is sent. Raises Problem.

        `typed` is the text in which an error names a column.
        """

    def learn(self, thing: int, face: str, reason: str) -> Answer[RecordedEntries]:
        """Record what a card was, which was found out afterwards. Raises Problem."""

    def play(self, command: C.PlayAction) -> Answer[RecordedEntries | ActionRefusal]:
        """Record an action once. Raises Problem."""

    def break_seal(self, viewer: Seat, minutes: int) -> Answer[RecordedEntries]:
        """Record that somebody looks with a viewer's eyes, for so many minutes if they are named. Raises Problem."""

    def seal(self, viewer: Seat) -> Answer[RecordedEntries]:
        """Record that nobody looks with a viewer's eyes any more. Raises Problem."""

    def branch(self, at: int, match_id: str | None, seed: bytes | None) -> Branched:
        """Open an unofficial match that shares the past up to an entry. Raises Problem."""


def open_backend(
    ctx: CommandContext, match: str, entering: Entering = ENTERING, viewer: str = "", *, writing: bool = True
) -> AbstractContextManager[Backend]:
    """Open a match by its id. The default viewer is a judge in a store, the holder of the token at a service."""
    open_match = ctx.backend(LOCAL, HTTP)
    opened: AbstractContextManager[Backend] = open_match(ctx, match, entering, viewer, writing=writing)
    return opened
