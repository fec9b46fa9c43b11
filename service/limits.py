"""Limits on callers: requests by token, for a whole venue is one address; what stays open without one by address."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Final, Literal

from msgspec import Struct

Bucket = Literal["commands", "films", "tries", "rewinds"]
"""What is counted together."""

SHARED: Final = 100
"""All who show no token are counted as one, which may ask so many times as often."""
KEPT_MAX: Final = 10_000
"""Of more askers than this those are forgotten who may ask as often as ever."""


ADDRESS_SHARE: Final = 2
"""Streams without a token from one address are at most the room for streams divided by this."""
BODIES_MAX: Final = 256
"""Bodies of requests that one address may be sending at the same time."""
NETWORK_BITS: Final = 64
"""Leading bits of an IPv6 address that count as one address: a subscriber has all addresses that begin with them."""


def address_of(peer: str, forwarded: str, proxy: str) -> str:
    """The address that a request counts for: the one that connected, or what the trusted `proxy` says of its client.

    `forwarded` is X-Forwarded-For. Only its last address is the proxy's own word; all before it came from outside.
    """
    own = _network(peer)
    if not proxy or own != _network(proxy):
        return own
    return _network(forwarded.rpartition(",")[2].strip()) or own


def _network(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, NETWORK_BITS), strict=False))


class Limit(Struct, frozen=True):
    """So many at once, and one more each so many milliseconds."""

    burst: int
    every_ms: float


LIMITS: Final[Mapping[Bucket, Limit]] = {
    "commands": Limit(40, 100),
    "films": Limit(60, 1_000),
    "tries": Limit(20, 50),
    "rewinds": Limit(3, 1_200_000),
}


class RateLimiter:
    """Who has asked for what, as far as it still counts."""

    def __init__(self, limits: Mapping[Bucket, Limit] = LIMITS) -> None:
        self._limits, self._lock = limits, Lock()
        self._full: dict[tuple[Bucket, str], float] = {}
        """When somebody may ask as often as ever."""
        self._most = KEPT_MAX

    def take(self, bucket: Bucket, number: str, at: int) -> float:
        """Count one request of the token of this number; milliseconds to wait where it is one too many, else 0."""
        limit = self._limits[bucket]
        times = 1 if number else SHARED
        burst, every = limit.burst * times, limit.every_ms / times
        with self._lock:
            full = max(self._full.get((bucket, number), 0), at) + every
            wait = full - at - burst * every
            if wait > 0:
                return wait
            if len(self._full) >= self._most:
                self._full = {asker: until for asker, until in self._full.items() if until > at}
                self._most = max(KEPT_MAX, 2 * len(self._full))  # so that looking through them all stays rare
            self._full[bucket, number] = full
            return 0
