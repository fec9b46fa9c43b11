"""Status of a match in one line, for lists of matches and for its header. It is the same for every viewer."""

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from domain.law.entries import Entry, entry_facts, last_described, line
from domain.law.occasion import NO_OCCASION, Occasion
from domain.table.facts import Clocked, Finished
from domain.table.table import NO_CLOCK, Clock, Result, Seat
from projections.clocks import Countdown, read_countdown


class MatchStatus(Struct, frozen=True, kw_only=True):
    """The result at the table, the turn, the time of the last entry (0 if unknown), and the occasion and announced
    result. `countdown` is the time left while the match runs in a round with a timer."""

    result: Result | None = None
    turn: int = 0
    last: int = 0
    occasion: Occasion = NO_OCCASION
    announced: str = ""
    countdown: Countdown | UnsetType = UNSET


class MatchStatusRow(Struct, frozen=True):
    """A match of the store with its status. `damaged` is the first unreadable entry. A damaged
    match has no status, and no opening if entry 1 is damaged."""

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


def read_status(entries: Sequence[Entry]) -> MatchStatus:
    """Return the status at the end of the current line, searched backwards without folding."""
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
    described = last_described(entries)
    return MatchStatus(
        result=result,
        turn=turn or 0,
        last=entries[-1].at,
        occasion=described.occasion,
        announced=described.announced,
        countdown=read_countdown(entries, ended=result is not None) or UNSET,
    )


def clock_of(entries: Sequence[Entry]) -> Clock:
    """Return the clock at the end of the current line, searched backwards without folding."""
    for number in reversed(line(entries)):
        for _, fact in reversed(entry_facts(entries[number - 1])):
            if isinstance(fact, Clocked):
                return fact.clock
    return NO_CLOCK
