"""When a match's clock stood still, what time is given back for it, and when time runs out. All of it is public."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Closed, Entry, opened_of
from domain.law.timers import MINUTE_MS, RoundTimer, read_timer


class Stop(Struct, frozen=True, kw_only=True):
    """The clock stands still from entry `entry` until entry `until` (0: it still does). Times in milliseconds."""

    entry: int
    by: str
    at: int
    reason: str = ""
    until: int = 0
    ended: int = 0
    extension: int = 0
    """By how much time was extended beside that."""

    def lasted(self, now: int, since: int = 0) -> int:
        """How long it stood still after the time `since`, or has until now; 0 where nobody wrote down since when."""
        return max(0, (self.ended if self.until else now) - max(self.at, since)) if self.at else 0


def list_stops(entries: Sequence[Entry], before: Sequence[Stop] = (), after: int = 0) -> tuple[Stop, ...]:
    """All times the clock stood still, the oldest first. What comes out of order is passed over.

    Those `before` are of a match whose entries behind entry `after` these are.
    """
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
    """The time of a match in its round; times in milliseconds.

    `start`: when the round began (0: not yet). `end`: when time runs out, with the time given back so far (0 before the
    start). `stands`: since when the clock stands still (0: it runs); the time left is what was left then.
    """

    minutes: int
    start: int = 0
    end: int = 0
    stands: int = 0

    def remaining_ms(self, now: int) -> int:
        """Return the time left, in milliseconds; below 0 if it has run out."""
        return self.end - (self.stands or now)


def given_back(stops: Sequence[Stop], now: int, timer: RoundTimer | None = None) -> tuple[int, int]:
    """The time that is given back until now, in milliseconds: so long it stood still, and so much was given beside.

    Time before the start of the round is not given back.
    """
    since = 0 if timer is None else timer.start
    return sum(stop.lasted(now, since) for stop in stops), sum(stop.extension for stop in stops)


def count_down(timer: RoundTimer | None, stops: Sequence[Stop]) -> Countdown | None:
    """Return the time of a match that goes on; None where its round has no timer."""
    if timer is None or not timer.start:
        return None if timer is None else Countdown(minutes=timer.minutes)
    standing = stops[-1].at if stops and not stops[-1].until else 0
    stands = max(standing, timer.start) if standing else 0
    # A stop that goes on is counted up to when it began: nothing was left to run since.
    back = sum(given_back(stops, stands, timer))
    end = timer.start + timer.minutes * MINUTE_MS + back
    return Countdown(minutes=timer.minutes, start=timer.start, end=end, stands=stands)


def read_countdown(entries: Sequence[Entry], *, ended: bool) -> Countdown | None:
    """Return the time left in a match; None where nothing is played any more, in a branch, and without a timer."""
    if ended or isinstance(entries[-1], Closed) or opened_of(entries).parent:
        return None
    return count_down(read_timer(entries), list_stops(entries))
