"""Who may do what, and who may look with whose eyes: one table, asked in one place."""

from threading import Lock
from typing import Final, Literal, get_args

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from recorder.keyring import AccessKey, Holder

Role = Literal["spectator", "seat", "scorekeeper", "floor", "head", "designer", "operator"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

Condition = Literal["no", "yes", "delayed", "own", "closed", "scoped", "event"]
"""Terms of a right: always; after the event's delay; of the own seat; of closed matches; in the token's matches; for a
token that names no matches."""

Operation = Literal[
    "public", "see", "see_seat", "break_seal", "see_closed", "offer", "record", "open", "pair", "branch", "call",
    "findings", "explain", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal", "read_jobs",
    "run_jobs", "approve_changes", "invite", "people", "export", "export_case", "import", "hold_sheets",
    "seal_log", "sign",
]  # fmt: skip
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)


def _rights(*conditions: Condition) -> dict[Role, Condition]:
    return dict(zip(ROLES, conditions, strict=True))


RIGHTS: Final[dict[Operation, dict[Role, Condition]]] = {
    #                           spectator  seat      scorekeeper  floor     head      designer  operator
    "public":           _rights("yes",     "yes",    "yes",       "yes",    "yes",    "yes",    "yes"),
    "see":              _rights("delayed", "yes",    "yes",       "yes",    "yes",    "closed", "delayed"),
    "see_seat":         _rights("no",      "own",    "no",        "no",     "no",     "no",     "no"),
    "break_seal":       _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "see_closed":       _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "offer":            _rights("no",      "own",    "no",        "no",     "no",     "no",     "no"),
    "record":           _rights("no",      "no",     "scoped",    "scoped", "scoped", "no",     "no"),
    "open":             _rights("no",      "no",     "scoped",    "scoped", "scoped", "no",     "no"),
    "pair":             _rights("no",      "no",     "no",        "no",     "event",  "no",     "event"),
    "branch":           _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "call":             _rights("no",      "own",    "scoped",    "scoped", "scoped", "no",     "no"),
    "findings":         _rights("closed",  "closed", "closed",    "scoped", "scoped", "closed", "closed"),
    "explain":          _rights("delayed", "yes",    "yes",       "yes",    "yes",    "closed", "delayed"),
    "undo":             _rights("no",      "own",    "scoped",    "scoped", "scoped", "no",     "no"),
    "ask_rewind":       _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "approve_rewind":   _rights("no",      "no",     "no",        "no",     "scoped", "no",     "no"),
    "dispute":          _rights("no",      "own",    "no",        "scoped", "scoped", "no",     "no"),
    "rule":             _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "decide":           _rights("no",      "no",     "no",        "no",     "scoped", "no",     "no"),
    "reveal":           _rights("no",      "own",    "scoped",    "scoped", "scoped", "no",     "no"),
    "read_jobs":        _rights("yes",     "yes",    "yes",       "yes",    "yes",    "yes",    "yes"),
    "run_jobs":         _rights("no",      "no",     "no",        "no",     "no",     "event",  "event"),
    "approve_changes":  _rights("no",      "no",     "no",        "no",     "no",     "event",  "no"),
    "invite":           _rights("no",      "no",     "no",        "no",     "scoped", "no",     "scoped"),
    "people":           _rights("no",      "no",     "no",        "no",     "event",  "no",     "event"),
    "export":           _rights("delayed", "yes",    "yes",       "yes",    "yes",    "closed", "delayed"),
    "export_case":      _rights("no",      "no",     "no",        "scoped", "scoped", "no",     "no"),
    "import":           _rights("no",      "no",     "no",        "no",     "event",  "no",     "event"),
    "hold_sheets":      _rights("no",      "no",     "yes",       "yes",    "yes",    "no",     "no"),
    "seal_log":         _rights("no",      "no",     "no",        "no",     "event",  "no",     "event"),
    "sign":             _rights("yes",     "yes",    "yes",       "yes",    "yes",    "yes",    "yes"),
}  # fmt: skip
"""Every operation by role. A route names its operation; a test walks the routes and this table both ways."""

INVITED: Final[dict[Role, tuple[Role, ...]]] = {
    "operator": ROLES[1:],
    "head": ("seat", "scorekeeper", "floor"),
}
"""Whom a role may invite."""


class Session(Struct, frozen=True):
    """The caller: a role, a name, and the key's own number, by which seals and limits know them.

    A player signed in for the event has `matches` and a `seat` only in the session of one match, which
    `AppContext.in_match` returns. `by`: who let them in.
    """

    role: Role = "spectator"
    name: str = ""
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    number: str = ""
    ends: int = 0
    by: str = ""

    @property
    def holder(self) -> Holder:
        """Who holds the session's key, as it was issued."""
        return Holder(role=self.role, name=self.name, matches=self.matches, seat=self.seat, by=self.by)


ANY_MATCH: Final = "?"
"""Stands for any match, or for one that has no id yet. No match has this id."""
ANYBODY: Final = Session()
"""Who shows no key: a spectator."""


def session_of(key: AccessKey) -> Session:
    """Whoever shows a key; one for a role that this program does not know opens nothing."""
    holder = key.holder
    if holder.role not in ROLES:
        return ANYBODY
    return Session(holder.role, holder.name, holder.matches, holder.seat, key.number, key.ends, holder.by)


def may(session: Session, operation: Operation, match: str = "", *, closed: bool = False) -> bool:
    """True if the session may do this in a match (which may be closed), or in some match if none is named.

    In a match that its token does not name, an "own" or "scoped" right is that of a spectator. A token that names none
    has a "scoped" right in all matches, and an "own" right in none.
    """
    condition = RIGHTS[operation][session.role]
    if condition in ("own", "scoped"):
        if not match or match in session.matches or (condition == "scoped" and not session.matches):
            return True
        condition = RIGHTS[operation]["spectator"]
    match condition:
        case "yes" | "delayed":
            return True
        case "closed":
            return closed or not match
        case "event":
            return not session.matches
        case "no" | "own" | "scoped":
            return False


def is_delayed(session: Session) -> bool:
    """Does whoever asks see entries only behind the event's delay?"""
    return RIGHTS["see"][session.role] == "delayed"


class BrokenSeal(Struct, frozen=True):
    """A seal that somebody has broken: with whose eyes they look, until when."""

    viewer: Seat
    ends: int


class Seals:
    """Which seals are broken now. They are not kept: a service that begins again begins sealed."""

    def __init__(self) -> None:
        self._broken: dict[tuple[str, str], BrokenSeal] = {}
        self._lock = Lock()

    def break_open(self, session: Session, match: str, viewer: Seat, ends: int) -> BrokenSeal:
        """Let somebody look at a match with these eyes until then."""
        broken = BrokenSeal(viewer, ends)
        with self._lock:
            self._broken[session.number, match] = broken
        return broken

    def seal(self, session: Session, match: str) -> None:
        """Put the seal back."""
        with self._lock:
            self._broken.pop((session.number, match), None)

    def broken(self, session: Session, match: str, at: int) -> BrokenSeal | None:
        """The seal somebody has broken, while it stays so."""
        with self._lock:
            broken = self._broken.get((session.number, match))
            if broken is not None and broken.ends <= at:
                del self._broken[session.number, match]
                return None
            return broken


def may_look(
    session: Session, match: str, viewer: Seat, broken: BrokenSeal | None, *, closed: bool, published: bool
) -> Literal["yes", "sealed", "no"]:
    """May whoever asks look at a match with these eyes? `sealed`: they could break the seal.

    Nothing but the roles' table is asked, never the table of the match: a refusal tells nothing of it.
    """
    if viewer == SPECTATOR:
        return "yes" if may(session, "see", match, closed=closed) else "no"
    if viewer == session.seat and viewer != JUDGE and may(session, "see_seat", match):
        return "yes"
    if closed and (published or may(session, "see_closed", match)):
        return "yes"
    if not may(session, "break_seal", match):
        return "no"
    return "yes" if broken is not None and broken.viewer == viewer else "sealed"
