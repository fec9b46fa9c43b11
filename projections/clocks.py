"""When a match's clock stood still, and what time is given back for it. All of it is public."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Entry


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

    def lasted(self, now: int) -> int:
        """How long it stood still, or has until now; 0 where nobody wrote down since when."""
        return max(0, (self.ended if self.until else now) - self.at) if self.at else 0


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


def given_back(stops: Sequence[Stop], now: int) -> tuple[int, int]:
    """The time that is given back until now, in milliseconds: so long it stood still, and so much was given beside."""
    return sum(stop.lasted(now) for stop in stops), sum(stop.extension for stop in stops)
