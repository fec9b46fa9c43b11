"""Sign-in by invitation and sign-out, for the API and the pages."""

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
"""Problem for each state of a spent invitation. It cannot be guessed, so its bearer may know."""


class SignInResult(Struct, frozen=True):
    """A new session: the token, shown once, and the headers that set the cookie."""

    token: str
    session: Session
    headers: dict[str, str]


def sign_in(request: Request, invitation: str) -> SignInResult:
    """Exchange an invitation. Raises HttpProblem if it is invalid."""
    context = request.context
    at = context.clock()
    settings = context.settings
    token = context.keys.exchange(invitation, at, at + settings.session_ms, at + settings.event_ms)
    key = context.keys.key(token, at) if token else None
    if token is None or key is None:
        spent = context.keys.get_invitation_state(invitation)
        raise http_problem(SPENT[spent]) if spent in SPENT else http_problem("unknown", Text("problem.no_invitation"))
    cookie = security.set_cookie(token, settings.secure, (key.ends - at) // 1000)
    return SignInResult(token, session_of(key), {"Set-Cookie": cookie})


def sign_out(request: Request, *, keep: bool = False) -> dict[str, str]:
    """Revoke the token and return headers that clear the browser's data, because phones are shared. `keep` leaves
    unsent lines on the device."""
    request.context.keys.revoke_number(request.session.number)
    cookie = security.set_cookie("", request.context.settings.secure, 0)
    return {"Set-Cookie": cookie, "Clear-Site-Data": '"cache"' if keep else '"cache", "storage"'}
