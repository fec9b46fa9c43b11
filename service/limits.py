"""Rate limits by token, since a venue shares one address. Callers without a token share one limit.

Streams without a token, and request bodies, are limited by address.
"""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Final, Literal

from msgspec import Struct

Bucket = Literal["commands", "films", "tries", "rewinds"]

ANONYMOUS_FACTOR: Final = 100
"""Callers without a token count as one, with a limit this many times as high."""
CALLERS_MAX: Final = 10_000
"""Callers remembered. Beyond this, those with a full allowance are forgotten."""


ADDRESS_SHARE: Final = 2
"""Streams without a token from one address: at most the capacity divided by this."""
BODIES_MAX: Final = 256
"""Request bodies that one address may send at the same time."""
NETWORKS_CACHED: Final = 4_096
NETWORK_BITS_V6: Final = 64
"""Leading bits of an IPv6 address that count as one address, since a subscriber owns the whole network."""


def address_of(peer: str, forwarded: str, proxy: str) -> str:
    """Return the address that a request counts for: the peer, or the client that the trusted `proxy` names. `forwarded`
    is X-Forwarded-For. Only its last address comes from the proxy; earlier ones can be forged."""
    peer_network = _read_network(peer)
    if not proxy or peer_network != _read_network(proxy):
        return peer_network
    return _read_network(forwarded.rpartition(",")[2].strip()) or peer_network


@lru_cache(NETWORKS_CACHED)
def _read_network(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, NETWORK_BITS_V6), strict=False))


class Limit(Struct, frozen=True):
    """Token bucket: its size, and the milliseconds per request."""

    burst: int
    every_ms: float


LIMITS: Final[Mapping[Bucket, Limit]] = {
    "commands": Limit(40, 100),
    "films": Limit(60, 1_000),
    "tries": Limit(20, 50),
    "rewinds": Limit(3, 1_200_000),
}


class RateLimiter:
    def __init__(self, limits: Mapping[Bucket, Limit] = LIMITS) -> None:
        self._limits, self._lock = limits, Lock()
        self._full: dict[tuple[Bucket, str], float] = {}
        """Time when the allowance is full again, in milliseconds."""
        self._most = CALLERS_MAX

    def count(self, bucket: Bucket, number: str, at: int) -> float:
        """Count a request of a token and return 0, or the milliseconds to wait if the limit is reached."""
        limit = self._limits[bucket]
        times = 1 if number else ANONYMOUS_FACTOR
        burst, every = limit.burst * times, limit.every_ms / times
        with self._lock:
            full = max(self._full.get((bucket, number), 0), at) + every
            wait = full - at - burst * every
            if wait > 0:
                return wait
            if len(self._full) >= self._most:
                self._full = {caller: until for caller, until in self._full.items() if until > at}
                self._most = max(CALLERS_MAX, 2 * len(self._full))  # keeps the scan rare
            self._full[bucket, number] = full
            return 0
