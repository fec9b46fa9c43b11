"""Stops of a match's clock, time given back, and the countdown. All of it is public."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Closed, Entry, opened_of
from domain.law.timers import MINUTE_MS, RoundTimer, read_timer


class Stop(Struct, frozen=True, kw_only=True):
    """A stop of the clock from entry `entry` to entry `until` (0: still stopped). Times are in milliseconds."""

    entry: int
    by: str
    at: int
    reason: str = ""
    until: int = 0
    ended: int = 0
    extension: int = 0
    """Extra time granted in addition, in milliseconds."""

    def lasted(self, now: int, since: int = 0) -> int:
        """Return how long the clock stood still after the time `since`; 0 if the start was not recorded."""
        return max(0, (self.ended if self.until else now) - max(self.at, since)) if self.at else 0


def list_stops(entries: Sequence[Entry], before: Sequence[Stop] = (), after: int = 0) -> tuple[Stop, ...]:
    """Return all stops of the clock, oldest first. Entries out of order are ignored. `before` are the stops up to entry
    `after`, which precede these entries."""
    stops = list(before)
    for number, entry in enumerate(entries, start=after + 1):
        stands = bool(stops) and not stops[-1].until
        match entry:
            case D.Paused() if not stands:
                stops.append(Stop(entry=number, by=entry.by, at=entry.at, reason=entry.reason))
            case D.Resumed() if stands:
                stops[-1] = replace(stops[-1], until=number, ended=entry.at, extension=entry.extension)
            case _:
                pass
    return tuple(stops)


class Countdown(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time of a match in its round, in milliseconds. `start` is the start of the round (0: not yet). `end` includes
    the time given back (0 before the start). `stands` is the time at which the clock stopped (0: the clock runs)."""

    minutes: int
    start: int = 0
    end: int = 0
    stands: int = 0

    def remaining_ms(self, now: int) -> int:
        """Return the time left in milliseconds. It is negative after the end."""
        return self.end - (self.stands or now)


def given_back(stops: Sequence[Stop], now: int, timer: RoundTimer | None = None) -> tuple[int, int]:
    """Return the time given back until now, in milliseconds: stops and extensions. Time before the start of the round
    is not given back."""
    since = 0 if timer is None else timer.start
    return sum(stop.lasted(now, since) for stop in stops), sum(stop.extension for stop in stops)


def count_down(timer: RoundTimer | None, stops: Sequence[Stop]) -> Countdown | None:
    """Return the time of a match in progress; None if its round has no timer."""
    if timer is None or not timer.start:
        return None if timer is None else Countdown(minutes=timer.minutes)
    standing = stops[-1].at if stops and not stops[-1].until else 0
    stands = max(standing, timer.start) if standing else 0
    # an open stop counts up to its own beginning, since no time has run after it
    extra = sum(given_back(stops, stands, timer))
    end = timer.start + timer.minutes * MINUTE_MS + extra
    return Countdown(minutes=timer.minutes, start=timer.start, end=end, stands=stands)


def read_countdown(entries: Sequence[Entry], *, ended: bool) -> Countdown | None:
    """Return the time left in a match; None after its end, in a branch, or without a timer."""
    if ended or isinstance(entries[-1], Closed) or opened_of(entries).parent:
        return None
    return count_down(read_timer(entries), list_stops(entries))
