"""Security headers, the session cookie, and the check against cross-site requests."""

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
HSTS: Final = "max-age=31536000"
"""Strict-Transport-Security with TLS: browsers use nothing but https for a year."""
NO_STORE: Final = "no-store"


def cookie_name(secure: bool) -> str:
    """Return the name of the session cookie. With TLS it is bound to this host."""
    return f"__Host-{COOKIE}" if secure else COOKIE


def set_cookie(token: str, secure: bool, seconds: int) -> str:
    """Return the Set-Cookie header of a token. An empty token deletes the cookie."""
    rest = "; Secure" if secure else ""
    return f"{cookie_name(secure)}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{rest}"


def is_trusted_origin(method: str, headers: Mapping[str, str], public: str, bearer: bool) -> bool:
    """True if a request is safe, same-origin, or carries its token in a header. Over plain http, browsers send Origin
    but no Sec-Fetch-Site."""
    if method in SAFE or bearer:
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    host = headers.get("host", "")
    return origin in (public, f"http://{host}", f"https://{host}")
