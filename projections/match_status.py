"""How a match stands, in a line: what a list of matches says of each, and what its header says. For every viewer."""

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from domain.law.entries import Entry, entry_facts, last_described, line
from domain.law.occasion import NO_OCCASION, Occasion
from domain.table.facts import Clocked, Finished
from domain.table.table import NO_CLOCK, Clock, Result, Seat
from projections.clocks import Countdown, read_countdown


class MatchStatus(Struct, frozen=True, kw_only=True):
    """The result as the table shows it, the turn, when the last entry was recorded (0: not said); and what people say
    of the match, the result as announced too. `countdown`: the time left while it goes on in a round with a timer."""

    result: Result | None = None
    turn: int = 0
    last: int = 0
    occasion: Occasion = NO_OCCASION
    announced: str = ""
    countdown: Countdown | UnsetType = UNSET


class MatchStatusRow(Struct, frozen=True):
    """A match of the store with how it stands.

    `damaged`: the first entry that cannot be read. Such a match is listed without how it stands, and where its first
    entry is damaged without how it was opened.
    """

    match: str
    entries: int
    closed: bool
    game: str
    version: str
    seats: tuple[Seat, ...]
    names: dict[Seat, str] = {}
    at: int = 0
    parent: str = ""
    parent_at: int = 0
    unofficial: bool = False
    result: Result | UnsetType | None = UNSET
    turn: int | None = None
    last: int | UnsetType = UNSET
    occasion: Occasion | UnsetType = UNSET
    announced: str | UnsetType = UNSET
    countdown: Countdown | UnsetType = UNSET
    damaged: int | UnsetType = UNSET


def standing(entries: Sequence[Entry]) -> MatchStatus:
    """Where the line ends that leads to the last entry. Looked for from the end: nothing is folded."""
    result: Result | None = None
    turn: int | None = None
    for number in reversed(line(entries)):
        for _, fact in reversed(entry_facts(entries[number - 1])):
            if result is None and isinstance(fact, Finished):
                result = fact.result
            if turn is None and isinstance(fact, Clocked):
                turn = fact.clock.turn
        if result is not None and turn is not None:
            break
    said = last_described(entries)
    return MatchStatus(
        result=result,
        turn=turn or 0,
        last=entries[-1].at,
        occasion=said.occasion,
        announced=said.announced,
        countdown=read_countdown(entries, ended=result is not None) or UNSET,
    )


def turn_of(entries: Sequence[Entry]) -> Clock:
    """The clock where the line ends that leads to the last entry, read off its facts likewise."""
    for number in reversed(line(entries)):
        for _, fact in reversed(entry_facts(entries[number - 1])):
            if isinstance(fact, Clocked):
                return fact.clock
    return NO_CLOCK
