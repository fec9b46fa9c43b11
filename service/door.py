"""Coming in by an invitation and going out: what the API and the pages do alike."""

from msgspec import Struct

from domain.words import Text
from service import security
from service.access import Session, session_of
from service.asking import Ask
from service.problems import halt


class Entered(Struct, frozen=True):
    """Whoever came in: their token, said once, and the headers that give it to a browser."""

    token: str
    session: Session
    headers: dict[str, str]


def come_in(ask: Ask, invitation: str) -> Entered:
    """Exchange an invitation. Halts if it is good for nothing."""
    house = ask.house
    at = house.clock()
    token = house.keys.exchange(invitation, at, at + house.settings.session_ms)
    key = house.keys.key(token, at) if token else None
    if token is None or key is None:
        raise halt("unknown", Text("problem.no_invitation"))
    cookie = security.set_cookie(token, house.settings.secure, house.settings.session_ms // 1000)
    return Entered(token, session_of(key), {"Set-Cookie": cookie})


def go_out(ask: Ask) -> dict[str, str]:
    """Give the token back. The headers clear what a browser kept, for phones are passed around."""
    ask.house.keys.revoke_number(ask.session.number)
    cookie = security.set_cookie("", ask.house.settings.secure, 0)
    return {"Set-Cookie": cookie, "Clear-Site-Data": '"cache", "storage"'}
