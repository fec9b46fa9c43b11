"""Coming in by an invitation and going out: what the API and the pages do alike."""

from typing import Final

from msgspec import Struct

from domain.words import Text
from recorder.keyring import Spent
from service import security
from service.access import Session, session_of
from service.problems import Type, http_problem
from service.requests import Request

SPENT: Final[dict[Spent, Type]] = {
    "used": "invitation-used",
    "revoked": "invitation-revoked",
    "expired": "invitation-expired",
}
"""Why an invitation that there was opens nothing. It cannot be guessed, so its bearer may know."""


class SignInResult(Struct, frozen=True):
    """Whoever came in: their token, said once, and the headers that give it to a browser."""

    token: str
    session: Session
    headers: dict[str, str]


def sign_in(request: Request, invitation: str) -> SignInResult:
    """Exchange an invitation. Halts if it is good for nothing."""
    context = request.context
    at = context.clock()
    settings = context.settings
    token = context.keys.exchange(invitation, at, at + settings.session_ms, at + settings.event_ms)
    key = context.keys.key(token, at) if token else None
    if token is None or key is None:
        spent = context.keys.spent(invitation)
        raise http_problem(SPENT[spent]) if spent in SPENT else http_problem("unknown", Text("problem.no_invitation"))
    cookie = security.set_cookie(token, settings.secure, (key.ends - at) // 1000)
    return SignInResult(token, session_of(key), {"Set-Cookie": cookie})


def sign_out(request: Request, *, keep: bool = False) -> dict[str, str]:
    """Give the token back. The headers clear what a browser kept, for phones are passed around; unless it is to `keep`
    what was typed and not sent yet."""
    request.context.keys.revoke_number(request.session.number)
    cookie = security.set_cookie("", request.context.settings.secure, 0)
    return {"Set-Cookie": cookie, "Clear-Site-Data": '"cache"' if keep else '"cache", "storage"'}
