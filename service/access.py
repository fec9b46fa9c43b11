"""Access rights: the table of roles and operations, and the sessions and seals it applies to."""

from threading import Lock
from typing import Final, Literal, get_args

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from recorder.keyring import AccessKey, Holder

Role = Literal["spectator", "seat", "scorekeeper", "floor", "head", "designer", "operator"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

Condition = Literal["no", "yes", "delayed", "own", "closed", "scoped", "event"]
"""Conditions of rights. `delayed`: after the event's delay. `own`: for the session's seat. `closed`: in closed matches.
`scoped`: in the matches of the token. `event`: with a token that names no matches."""

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
"""Condition for each operation and role. A test checks that the routes and this table match."""

INVITABLE_ROLES: Final[dict[Role, tuple[Role, ...]]] = {
    "operator": ROLES[1:],
    "head": ("seat", "scorekeeper", "floor"),
}


class Session(Struct, frozen=True):
    """The caller: role, name and the number of the key, which identifies its seals and rate limits.

    A player signed in for the event has `matches` and a `seat` only in the session of one match. `AppContext.in_match`
    returns that session. `by` is the person who invited the holder.
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
        return Holder(role=self.role, name=self.name, matches=self.matches, seat=self.seat, by=self.by)


ANY_MATCH: Final = "?"
"""Placeholder for any match, or for a match without an id yet. No match has this id."""
ANONYMOUS: Final = Session()


def session_of(key: AccessKey) -> Session:
    """Return the session of a key. A role that this version does not know makes the caller anonymous."""
    holder = key.holder
    if holder.role not in ROLES:
        return ANONYMOUS
    return Session(holder.role, holder.name, holder.matches, holder.seat, key.number, key.ends, holder.by)


def may(session: Session, operation: Operation, match: str = "", *, closed: bool = False) -> bool:
    """True if the session may do this in a match, or in some match if none is named. `closed`: the match is closed.

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
    """True if the session sees entries only after the event's delay."""
    return RIGHTS["see"][session.role] == "delayed"


class BrokenSeal(Struct, frozen=True):
    """A broken seal: the viewer it opens, and when it ends in milliseconds."""

    viewer: Seat
    ends: int


class Seals:
    """Broken seals by session and match. They are in memory only, so a restart seals everything."""

    def __init__(self) -> None:
        self._broken: dict[tuple[str, str], BrokenSeal] = {}
        self._lock = Lock()

    def break_open(self, session: Session, match: str, viewer: Seat, ends: int) -> BrokenSeal:
        """Let a session look at a match as this viewer until `ends`."""
        broken = BrokenSeal(viewer, ends)
        with self._lock:
            self._broken[session.number, match] = broken
        return broken

    def seal(self, session: Session, match: str) -> None:
        with self._lock:
            self._broken.pop((session.number, match), None)

    def find_broken(self, session: Session, match: str, at: int) -> BrokenSeal | None:
        """Return the seal that a session has broken, or None once it has ended."""
        with self._lock:
            broken = self._broken.get((session.number, match))
            if broken is not None and broken.ends <= at:
                del self._broken[session.number, match]
                return None
            return broken


def view_access(
    session: Session, match: str, viewer: Seat, broken: BrokenSeal | None, *, closed: bool, published: bool
) -> Literal["yes", "sealed", "no"]:
    """Return "yes" if the session may look at a match as this viewer, and "sealed" if it could break the seal first.
    The answer depends on rights and on whether the match is closed, so a refusal reveals nothing of the play."""
    if viewer == SPECTATOR:
        return "yes" if may(session, "see", match, closed=closed) else "no"
    if viewer == session.seat and viewer != JUDGE and may(session, "see_seat", match):
        return "yes"
    if closed and (published or may(session, "see_closed", match)):
        return "yes"
    if not may(session, "break_seal", match):
        return "no"
    return "yes" if broken is not None and broken.viewer == viewer else "sealed"
