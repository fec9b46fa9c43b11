"""How far a rejudged line has come beside the recorded one, and the entries that both are led along."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.judging.rejudging.tables import Counts, Frames, Part, apart
from domain.judging.rejudging.verdict import Aligned, Difference
from domain.law.actions import PASS
from domain.law.clause import Told
from domain.law.entries import Entry, Opened, Played, line, told as told_of
from domain.law.game import Game
from domain.law.slots import Action, verb
from domain.table.evolve import fold
from domain.table.facts import Finished
from domain.table.table import Result, Seat, Table
from domain.words import Text, TextError
from domain.words.foreign import misfit

Beside = tuple[Table, Table] | None
"""The recorded table and the rejudged one at the same moment."""


class Unreadable(TextError):
    """A record that cannot be rejudged, and why: an action that is none of its game, or decks that were not dealt."""


class Step(Struct, frozen=True):
    """One entry of the line that counts."""

    number: int
    entry: Entry
    action: Action | None


class Path(Struct, frozen=True, kw_only=True):
    """How far a rejudged line has come, and the recorded one beside it; one object while they are the same.

    `beside` are the recorded and the rejudged table when both sides last asked the same: what was apart then is no
    choice's own doing. It is looked at only where it is asked for, because that is seldom and looks at every card.
    `owed` are seats whose recorded pass came before its turn: it still counts until somebody does something else.
    """

    table: Table
    recorded: Table
    frames: Frames
    beside: Beside = None
    first: Difference | None = None
    differing: tuple[Difference, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    owed: tuple[Seat, ...] = ()

    def apart(self, counts: Counts) -> frozenset[Part]:
        """The parts of the tables that were apart, but for what the law counts for itself."""
        return frozenset() if self.beside is None else apart(*self.beside, counts)


def with_seen(path: Path, first: Told) -> Path:
    """Both sides know what was seen of real cards before the law was asked."""
    facts = [fact for _, fact in first]
    recorded = fold(path.recorded, facts)
    table = recorded if path.table is path.recorded else fold(path.table, facts)
    return msgspec.structs.replace(path, table=table, recorded=recorded)


def steps_of(game: Game, entries: Sequence[Entry]) -> Iterator[Step]:
    """The entries of the line that counts, behind the opening. Raises Unreadable."""
    decode = game.decoder().decode
    for number in line(entries)[1:]:
        entry = entries[number - 1]
        action = None
        if isinstance(entry, Played):
            try:
                action = decode(entry.action)
            except msgspec.DecodeError as error:
                raise Unreadable(Text("rejudge.no_action", {"entry": number, "why": misfit(error)})) from None
        yield Step(number, entry, action)


def result_of(opened: Opened, steps: Sequence[Step]) -> Result | None:
    """How the recorded line ended."""
    for entry in (*(step.entry for step in reversed(steps)), opened):
        for _, fact in reversed(told_of(entry)):
            if isinstance(fact, Finished):
                return fact.result
    return None


def moot(path: Path, action: Action) -> bool:
    """Is it a pass on something that is on the recorded stack only?"""
    if verb(action) != PASS or not path.recorded.stack:
        return False
    top = path.recorded.stack[-1]
    return not any((frame.kind, frame.cards) == (top.kind, top.cards) for frame in path.table.stack)


def asks(table: Table) -> list[tuple[str, Seat]]:
    """What is asked of whom, by meaning."""
    return [(frame.kind, frame.by) for frame in table.asked]
