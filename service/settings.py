"""Settings of the operator."""

from datetime import tzinfo
from zoneinfo import ZoneInfo

from msgspec import Struct

from service import capacity

HOUR_MS = 3_600_000
INVITATION_MS = 24 * HOUR_MS
PUBLIC = "http://127.0.0.1:8000"
DEFAULT_CAPACITY = capacity.compute_capacity(capacity.FILES)


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one service over one store. Times are in milliseconds."""

    store: str
    public: str = PUBLIC
    """Public URL without a trailing slash, used in links and as the service's own origin."""
    proxy: str = ""
    """Address of the proxy whose X-Forwarded-For is trusted; '' if clients connect directly."""
    delay: int = 0
    """Delay before spectators see an entry."""
    timezone: str = ""
    """The event's time zone by its IANA name; '' leaves times to each browser."""
    published: bool = False
    """True if all of a closed match is public."""
    seal_ms: int = 600_000
    rewind_ms: int = 600_000
    """Time until a rewind request expires."""
    session_ms: int = 16 * HOUR_MS
    event_ms: int = 96 * HOUR_MS
    """Session of a player signed in for the event: four days."""
    invitation_ms: int = INVITATION_MS
    body_max: int = 65_536
    import_max: int = 8_388_608
    connections_max: int = DEFAULT_CAPACITY.connections
    """Connections at most; more wait to be accepted."""
    streams_max: int = DEFAULT_CAPACITY.streams
    jobs: int = 2
    cases: str = ""
    """A casebook, or a folder of casebooks, to show with the rulebooks."""

    @property
    def zone(self) -> tzinfo | None:
        """Time zone of the event, or None. Raises ZoneInfoNotFoundError for an unknown name."""
        return ZoneInfo(self.timezone) if self.timezone else None

    @property
    def secure(self) -> bool:
        """True if the public URL uses TLS, so that cookies can be secure."""
        return self.public.startswith("https://")
