"""What an operator sets."""

from datetime import tzinfo
from zoneinfo import ZoneInfo

from msgspec import Struct

from service import capacity

HOUR_MS = 3_600_000
INVITATION_MS = 24 * HOUR_MS
PUBLIC = "http://127.0.0.1:8000"
"""The address of a service that is not told another one."""
ROOM = capacity.compute_capacity(capacity.FILES)


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """One service over one store. Times are milliseconds."""

    store: str
    public: str = PUBLIC
    """The address people type, without a slash at its end: what this service's links and its own origin begin with."""
    proxy: str = ""
    """The address of the proxy whose X-Forwarded-For is believed; '' if clients connect directly."""
    delay: int = 0
    """So long spectators see an entry after it was recorded."""
    timezone: str = ""
    """The event's time zone by its IANA name; '' leaves times to each browser."""
    published: bool = False
    """May everybody see all of a closed match?"""
    seal_ms: int = 600_000
    rewind_ms: int = 600_000
    """So long somebody may be asked to approve a rewind."""
    session_ms: int = 16 * HOUR_MS
    event_ms: int = 96 * HOUR_MS
    """How long a player signed in for the event stays so: four days."""
    invitation_ms: int = INVITATION_MS
    body_max: int = 65_536
    import_max: int = 8_388_608
    connections_max: int = ROOM.connections
    """Of more who are connected at once the rest waits at the door."""
    streams_max: int = ROOM.streams
    jobs: int = 2
    cases: str = ""
    """A folder of casebooks, or one of them, to be read beside the rulebooks."""

    @property
    def zone(self) -> tzinfo | None:
        """The event's time zone, or None. Raises ZoneInfoNotFoundError for an unknown name."""
        return ZoneInfo(self.timezone) if self.timezone else None

    @property
    def secure(self) -> bool:
        """Do people come by TLS, so that cookies may say so?"""
        return self.public.startswith("https://")
