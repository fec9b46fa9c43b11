"""Commands executed in a store on this machine."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import Desk
from cli.record.outcome import Written, answer_written
from cli.values import ENTERING, Entering
from domain.formats.errors import FormatError, unknown
from domain.formats.faces import read_learned
from domain.formats.facts import parse_fact
from domain.formats.typed import by_hand
from domain.law.clause import Telling, Told
from domain.law.entries import line
from domain.table.redact import Eyes
from domain.table.table import JUDGE
from projections.undoing import PendingRewind
from recorder.clock import now
from recorder.loading import Match, cut
from recorder.remarks import asked_rewind
from recorder.store import Store
from recorder.usecases import commands as C
from recorder.usecases.handling import Direct, handle
from recorder.writing import Terms


class LocalMatch(Struct, frozen=True):
    """A match of a store, as a viewer sees it."""

    desk: Desk
    store: Store
    match: Match
    eyes: Eyes

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

    def execute(self, command: Direct, entering: Entering = ENTERING, typed: str = "") -> Answer[Written]:
        """Record a command. Raises Problem."""
        repeated = None if entering.command_id is None else self.store.command(self.match.id, entering.command_id)
        match = self.match if repeated is None else cut(self.match, repeated.first - 1)
        facts = command.facts if isinstance(command, C.Correct | C.Gap | C.Rule | C.Decide) else ()
        told = read_facts(self.desk, match, facts)
        terms = Terms(expected=entering.expect, command_id=entering.command_id, at=now())
        done = handle(self.store, match, command, entering.by, told, terms=terms)
        return answer_written(self.desk, self.store, match.id, done, self.eyes)


@contextmanager
def open_local(desk: Desk, match: str, viewer: str, *, writing: bool) -> Iterator[LocalMatch]:
    """Open a match of the store that the command names. Raises Problem."""
    with desk.store(writing=writing) as store:
        loaded = desk.match(store, match)
        yield LocalMatch(desk, store, loaded, desk.eyes(loaded, viewer or JUDGE))


def read_facts(desk: Desk, match: Match, facts: Iterable[str]) -> Told:
    """Read facts in notation on the table of a match. Raises Problem."""
    return tuple(_read_fact(desk, match, text) for text in facts)


def _read_fact(desk: Desk, match: Match, text: str) -> Telling:
    words = by_hand(text)
    try:
        told = parse_fact(words, match.table, match.opened.schema, match.game.display)
        clause, fact = read_learned(match.game, told)
    except FormatError as error:
        raise desk.mistyped(words, error) from None
    book = match.game.rulebook.clauses
    if clause and clause not in book:
        raise desk.refuse(unknown("clause", clause, book, lists=False))
    return clause, fact
