"""What every answer says to browsers, and from where a change may be asked for."""

from collections.abc import Mapping
from typing import Final

COOKIE: Final = "shinpan"
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
POLICY: Final = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Said with every answer."""
HSTS: Final = "max-age=31536000"
"""Strict-Transport-Security where people come by TLS: their browsers ask this host by nothing else for a year."""
NO_STORE: Final = "no-store"
"""How long an answer is kept by others, unless it says so itself: not at all."""


def cookie_name(secure: bool) -> str:
    """The name of the cookie that holds a token; by TLS it is bound to this very host."""
    return f"__Host-{COOKIE}" if secure else COOKIE


def set_cookie(token: str, secure: bool, seconds: int) -> str:
    """The header that gives a browser its token; an empty one takes it away."""
    rest = "; Secure" if secure else ""
    return f"{cookie_name(secure)}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{rest}"


def is_ours(method: str, headers: Mapping[str, str], public: str, bearer: bool) -> bool:
    """May this change be asked for from where it comes?

    Browsers say where a request comes from; on plain addresses only as its origin. A token in a header comes from no
    browser's cookie.
    """
    if method in SAFE or bearer:
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    host = headers.get("host", "")
    return origin in (public, f"http://{host}", f"https://{host}")
