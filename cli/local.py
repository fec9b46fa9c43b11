"""Commands executed in a store on this machine."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Written
from cli.values import Entering
from domain.formats.errors import FormatError
from domain.formats.typed import by_hand
from domain.law.clause import Telling, Told
from domain.law.entries import line
from domain.table.redact import Eyes
from domain.table.table import JUDGE
from projections.undoing import PendingRewind, Priced
from recorder import matches
from recorder.answers import Cost
from recorder.clock import now
from recorder.loading import Match, cut
from recorder.remarks import asked_rewind
from recorder.store import Repeated, Store
from recorder.usecases import commands as C
from recorder.usecases.handling import handle, read_fact
from recorder.writing import Terms


class LocalMatch(Struct, frozen=True):
    """A match of a store, as a viewer sees it."""

    desk: Desk
    store: Store
    match: Match
    eyes: Eyes
    entering: Entering

    def entry(self, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises Problem."""
        return self.desk.entry(self.match, number)

    def line(self) -> frozenset[int]:
        """Return the numbers of the entries that lead to the last one."""
        return frozenset(line(self.match.entries))

    def request(self) -> PendingRewind:
        """Return the request to go back that waits for an answer."""
        asked = asked_rewind(self.match.entries)
        return PendingRewind(match=self.match.id, **({} if asked is None else asdict(asked)))

    def repeat(self, command: C.Direct) -> Answer[Written] | None:
        """Return the answer to a command that was recorded before under this id. Raises Problem."""
        return None if self._repeated() is None else self.execute(command)

    def price(self, to: int, *, aside: bool) -> Answer[Priced]:
        """Return what a rewind to an entry costs. Raises Problem."""
        cost = matches.rewind_cost(self.store, self.match.id, self.entry(to))
        if not isinstance(cost, Cost):
            raise outcome.trouble(self.desk, self.store, cost)
        return outcome.answer_cost(self.desk, self.match, self.eyes, cost, aside=aside)

    def execute(self, command: C.Direct, typed: str = "") -> Answer[Written]:
        """Record a command. Raises Problem."""
        entering, repeated = self.entering, self._repeated()
        match = self.match if repeated is None else cut(self.match, repeated.first - 1)
        facts = command.facts if isinstance(command, C.Correct | C.Gap | C.Rule | C.Decide) else ()
        told = read_facts(self.desk, match, facts)
        terms = Terms(expected=entering.expect, command_id=entering.command_id, at=now())
        done = handle(self.store, match, command, entering.by, told, terms=terms)
        if isinstance(command, C.Rewind | C.Undo):
            recorded = outcome.require_recorded(self.desk, self.store, done)
            outcome.hint_undrawn(self.desk, self.store, match, recorded.table)
        return outcome.answer_written(self.desk, self.store, match.id, done, self.eyes)

    def _repeated(self) -> Repeated | None:
        command_id = self.entering.command_id
        return None if command_id is None else self.store.command(self.match.id, command_id)


@contextmanager
def open_local(desk: Desk, match: str, entering: Entering, viewer: str, *, writing: bool) -> Iterator[LocalMatch]:
    """Open a match of the store that the command names. Raises Problem."""
    with desk.store(writing=writing) as store:
        loaded = desk.match(store, match)
        yield LocalMatch(desk, store, loaded, desk.eyes(loaded, viewer or JUDGE), entering)


def read_facts(desk: Desk, match: Match, facts: Iterable[str]) -> Told:
    """Read facts in notation on the table of a match. Raises Problem."""
    return tuple(_read_fact(desk, match, text) for text in facts)


def _read_fact(desk: Desk, match: Match, text: str) -> Telling:
    try:
        return read_fact(match, text)
    except FormatError as error:
        raise desk.mistyped(by_hand(text), error) from None
