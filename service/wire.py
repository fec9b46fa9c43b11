"""What the API takes and gives beside what projections show: structs of its own, named fields, nothing unknown."""

from msgspec import Struct

from domain.table.table import Seat
from service.access import Role


class Wire(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What all of them share."""


class SignIn(Wire, frozen=True):
    """An invitation to be exchanged."""

    invitation: str


class SignedIn(Wire, frozen=True):
    """The token it was good for, said once, and until when (milliseconds since 1970)."""

    token: str
    role: Role
    name: str
    ends: int


class Me(Wire, frozen=True):
    """Whoever asks."""

    role: Role
    name: str = ""
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    ends: int = 0


class Invite(Wire, frozen=True):
    """Whom to invite: for all matches where none is named; a seat needs its match."""

    role: Role
    name: str
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")


class Invited(Wire, frozen=True):
    """The invitation, said once, and the address that takes it along behind its #, which no server is told."""

    invitation: str
    url: str
    ends: int
