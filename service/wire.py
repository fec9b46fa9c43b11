"""What the API takes and gives beside what projections show: structs of its own, named fields, nothing unknown."""

from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from domain.judging.allowed import Doable
from domain.table.table import Seat
from projections.clocks import Countdown
from projections.rulebooks import Number
from projections.seen_entries import SeenEntry
from projections.standing import Row
from recorder.people import NAME_MAX
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


class SealedLog(Wire, frozen=True):
    """A checkpoint: its note, how many leaves it covers, how many of them the one before it did not; which matches are
    damaged, so that they got no new leaf."""

    note: str
    leaves: int
    new: int
    left_out: tuple[str, ...] = ()


class TimeRound(Wire, frozen=True, kw_only=True):
    """The timer of a round is started at all its tables, or with `stop` its start is taken back.

    `minutes` is the length of the round; without it, the one that it was opened with. A table that was opened late has
    the time of the others.
    """

    id: UUID | None = None
    event: str = ""
    round: str = ""
    minutes: int | None = None
    stop: bool = False


class TimedTable(Wire, frozen=True, kw_only=True):
    """A table of the round where a match goes on, whether this changed its timer, and the time left now.

    `countdown`: in milliseconds since 1970. What is left is `end` less the time now, or less `stands` while a judge has
    stopped the clock.
    """

    table: str
    match: str
    changed: bool = False
    countdown: Countdown | None = None


class Me(Wire, frozen=True):
    """Whoever asks."""

    role: Role
    name: str = ""
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    ends: int = 0
    seats: dict[str, Seat] = {}
    """Of a player signed in for the event: the seat in each of their matches."""


class Invite(Wire, frozen=True):
    """Whom to invite: for all matches where none is named. A player of none has the seats that bear their name."""

    role: Role
    name: Annotated[str, Meta(max_length=NAME_MAX)]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")


class Invited(Wire, frozen=True):
    """The invitation, said once, and the address that takes it along behind its #, which no server is told."""

    invitation: str
    url: str
    ends: int
    number: str


class Person(Wire, frozen=True):
    """Who is in, or invited: until when, by whom, and the number by which this is taken back."""

    role: Role
    name: str
    number: str
    ends: int
    state: Literal["in", "invited"]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    by: str = ""


class People(Wire, frozen=True):
    """Everybody who is in or invited."""

    people: tuple[Person, ...]


class Ruleset(Wire, frozen=True):
    """A published ruleset by its hash: every number and option as a value, and in words."""

    id: str
    game: str
    version: str
    frame: str
    rules: dict[str, Any]
    numbers: tuple[Number, ...]


class MatchHead(Wire, frozen=True):
    """How a match stands behind entry `head`, the last that this viewer may see, and how it was opened.

    `sealed`: whoever asks could break its seal and look with other eyes.
    """

    viewer: Seat
    head: int
    sealed: bool
    stands: Row
    opening: SeenEntry


class Next(Wire, frozen=True):
    """What may be recorded behind entry `head` by the seats that are awaited, as far as the viewer knows, verb by verb.

    A verb without actions names a card that this viewer does not see; whoever does writes it out.
    """

    match: str
    viewer: Seat
    head: int
    closed: bool = False
    awaited: tuple[Seat, ...] = ()
    allowed: tuple[Doable, ...] = ()


class FoundFinding(Wire, frozen=True):
    """Something found in a match that was looked for; `undone` on a line that a rewind left."""

    entry: int
    kind: str
    clause: str
    undone: bool = False


class FoundDeed(Wire, frozen=True):
    """An action that was looked for."""

    entry: int
    verb: str


class FoundRuling(Wire, frozen=True):
    """A ruling that was looked for, or how an appeal ended that was; what overturned a ruling tells both."""

    entry: int
    verdict: str = ""
    outcome: str = ""


class FoundMatch(Wire, frozen=True):
    """A match that was looked for. Of an open one nothing is told but what was said when it was opened.

    `uses` is how often the clause that was asked for was told in it, `findings`, `deeds` and `rulings` the first that
    were asked for.
    """

    match: str
    game: str
    version: str
    names: dict[Seat, str] = {}
    event: str = ""
    at: int = 0
    closed: bool = False
    entries: int = 0
    uses: int = 0
    findings: tuple[FoundFinding, ...] = ()
    deeds: tuple[FoundDeed, ...] = ()
    rulings: tuple[FoundRuling, ...] = ()


class Found(Wire, frozen=True):
    """A page of matches. `complete`: the finder holds all that was recorded; else it is still being made, and `share`
    is how much it holds, the oldest first, from 0 to 1."""

    matches: tuple[FoundMatch, ...]
    complete: bool
    share: float = 1.0


class ClauseHeat(Wire, frozen=True):
    """A clause over closed matches: how often it was told, in how many, and how often it was found against."""

    clause: str
    uses: int = 0
    matches: int = 0
    findings: int = 0


class Heat(Wire, frozen=True):
    """The clauses of a game in the order of its rulebook."""

    game: str
    clauses: tuple[ClauseHeat, ...]
    complete: bool
