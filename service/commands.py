"""What may be asked to be written to a match, and what is answered: one command, one entry."""

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import Meta, field

from domain.formats.decks import Written
from domain.formats.pairings import TableKind
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import EXTENSION_MAX, SECOND
from domain.table.table import Seat
from projections.findings import Sentence
from projections.seen import SeenFact
from projections.seen_entries import SeenEntry
from projections.why import Reason
from service.access import Operation
from service.rewind_commands import (
    AskRewind as AskRewind,
    Command as Command,
    Number,
    RefuseRewind as RefuseRewind,
    Rewind as Rewind,
    Said,
    Undo as Undo,
)
from service.wire import Wire

Mode = Literal["record", "offer"]


LINE_MAX: Final = 500
MINUTES_MAX: Final = 100_000


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """An action of a seat, or of chance, as `text` of one line or as an `action` in parts.

    Recorded as it was played, and flagged where it breaks a clause (`record`), or refused then (`offer`); who may
    record does so unless they say otherwise. `shows` are the faces of real cards, in the order in which they show.
    An action that ends the match is recorded only with `confirm`.
    """

    by: Seat = Seat("")
    text: str = ""
    action: dict[str, Any] | None = None
    shows: tuple[str, ...] = ()
    mode: Mode | None = None
    confirm: bool = False


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """Facts entered by hand, each a line; they trigger nothing."""

    facts: tuple[str, ...]
    reason: Said


class Gap(Command, frozen=True, kw_only=True, tag="gap"):
    """Actions are missing here: at most so many, 0 if nobody knows; `facts` are what is seen to be different after."""

    reason: Said
    most: Number = 0
    facts: tuple[str, ...] = ()


class Note(Command, frozen=True, kw_only=True, tag="note"):
    """Something said or seen that changes nothing; `about` is the entry it comments on."""

    text: Said
    about: Number = 0


class Call(Command, frozen=True, kw_only=True, tag="call"):
    """A judge is called; with `answered`, the call of that entry is done with."""

    text: str = ""
    answered: Number = 0


class Describe(Command, frozen=True, kw_only=True, tag="describe"):
    """On what occasion the match is played, and which result was announced; what is not given stays as it is."""

    event: str | None = None
    site: str | None = None
    date: str | None = None
    round: str | None = None
    table: str | None = None
    start: str | None = None
    limit: str | None = None
    announced: str | None = None


class Close(Command, frozen=True, kw_only=True, tag="close"):
    """The record is complete; a match without a result is given up (`abandon`) for a reason.

    Nothing can be recorded after it, so it is done only with `confirm`.
    """

    reason: str = ""
    abandon: bool = False
    confirm: bool = False


class Penalty(Wire, frozen=True, kw_only=True):
    """A step of the ladder of penalties for a seat; `infraction` is what it is for.

    Without a step it is the one that the match's policy proposes.
    """

    seat: Seat
    step: str = ""
    infraction: str = ""


class Dispute(Command, frozen=True, kw_only=True, tag="dispute"):
    """Something was wrong: the entry it is `about`, a thing by its number, a clause; and what each seat claims.

    A seat claims for itself alone. With `dispute`, claims are added to that one.
    """

    about: Number = 0
    thing: Number = 0
    clause: str = ""
    claims: dict[Seat, str] = field(default_factory=dict)
    dispute: Number = 0


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """A ruling on a dispute. It is mended by going back `to` an entry, or by `facts` as `correct` takes them, or left.

    With `asks` a judge who may go back is asked to, and the ruling says so. `departure`: why it is not what the policy
    proposes.
    """

    dispute: Number
    verdict: D.Verdict
    clauses: tuple[str, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    to: Number = 0
    facts: tuple[str, ...] = ()
    reason: str = ""
    departure: str = ""
    asks: bool = False


class Appeal(Command, frozen=True, kw_only=True, tag="appeal"):
    """The ruling on a dispute is not taken, and why."""

    dispute: Number
    reason: Said


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """How an appeal ends. Where the ruling is overturned, `verdict` and the rest are what stands in its place."""

    dispute: Number
    outcome: D.Outcome
    reason: Said
    verdict: D.Verdict | None = None
    clauses: tuple[str, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    to: Number = 0
    facts: tuple[str, ...] = ()
    departure: str = ""


class Penalise(Command, frozen=True, kw_only=True, tag="penalise"):
    """A penalty that no dispute led to."""

    penalty: Penalty
    reason: str = ""
    departure: str = ""


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """The match's clock stands still."""

    reason: str = ""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Play goes on, with as much more time as the `extension` says: in seconds, or as text like `3:00`."""

    extension: Annotated[int, Meta(ge=0, le=EXTENSION_MAX // SECOND)] | Annotated[str, Meta(max_length=8)] = 0


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """The secret that a seat had pledged; or, without one, the `reason` why it is missing, which an official says.

    A seat reveals its own alone. Behind the last one the croupier draws.
    """

    seat: Seat
    secret: str = ""
    reason: str = ""


class Line(Command, frozen=True, kw_only=True, tag="line"):
    """What a recorder types: an action as it was played, `fix 204 FACT; FACT`, or `call TEXT`.

    A line that cannot be read, or cannot have happened, is refused with the reason; with `note` it is recorded as a
    note, and the answer says why. `shows` are the faces of real cards, in the order in which they show; with `asks` one
    that the law must know is asked for, and no note is made. A line that ends the match is recorded only with
    `confirm`.
    """

    text: Annotated[str, Meta(min_length=1, max_length=LINE_MAX)]
    shows: tuple[str, ...] = ()
    asks: bool = False
    note: bool = False
    confirm: bool = False


class PassAll(Command, frozen=True, kw_only=True, tag="pass-all"):
    """Every seat that is to act passes, one entry each, until something happens or is asked.

    It stops before a pass that could end the match, as far as the sender can know.
    """


AnyFiled = Dispute | Rule | Appeal | Decide | Penalise | Pause | Resume | Reveal
"""What people decide beside the play."""
AnyCommand = (
    Line | Play | PassAll | Correct | Gap | Note | Call | Undo | AskRewind | RefuseRewind | Rewind | Describe | Close
    | AnyFiled
)  # fmt: skip

OPERATIONS: Final[dict[type[Command], Operation]] = {
    Line: "record",
    PassAll: "record",
    Correct: "record",
    Gap: "record",
    Note: "record",
    Call: "call",
    Undo: "undo",
    AskRewind: "ask_rewind",
    RefuseRewind: "approve_rewind",
    Rewind: "approve_rewind",
    Describe: "record",
    Close: "record",
    Dispute: "dispute",
    Appeal: "dispute",
    Rule: "rule",
    Penalise: "rule",
    Pause: "rule",
    Resume: "rule",
    Decide: "decide",
    Reveal: "reveal",
}
"""What each kind of command comes to; playing comes to what its mode says."""
COMMUTING: Final = (Note, Call, RefuseRewind, Describe, Dispute, Appeal, Penalise, Pause, Resume, Reveal)
"""Commands that hold whatever has happened meanwhile."""


class Flag(Wire, frozen=True, kw_only=True):
    """A clause that did not hold for what was recorded as played."""

    entry: int
    clause: Clause
    sentence: Sentence
    clause_url: str


class Entered(Wire, frozen=True, kw_only=True):
    """What was recorded, as whoever wrote it sees it: the entry, then what chance answered; the number of the last one.

    `next` are up to three lines that may be typed now. `kept`: why a line is kept as a note.
    """

    match: str
    viewer: Seat
    head: int
    entries: tuple[SeenEntry, ...]
    flags: tuple[Flag, ...] = ()
    next: tuple[str, ...] = ()
    kept: Sentence | None = None


class Tried(Wire, frozen=True, kw_only=True):
    """A command decided and not recorded, from what the viewer knows and nothing else.

    Would it `stand`, if that can be known? With the clauses looked at, and the facts as far as they can be known.
    """

    match: str
    viewer: Seat
    head: int
    stands: bool | None = None
    trail: tuple[Reason, ...] = ()
    facts: tuple[SeenFact, ...] = ()


class Occasioned(Wire, frozen=True, kw_only=True):
    """On what occasion a match is played."""

    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    start: str = ""
    limit: str = ""
    title: str = ""


class Ruled(Wire, frozen=True, kw_only=True):
    """By which rules matches are opened: those of a version, under a `frame`, with `options` set; or whole `rules` as a
    record holds them. `policy` is what of penalties and repairs is pinned, in full."""

    game: str
    version: str
    frame: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    policy: dict[str, Any] | None = None


class OpenMatch(Ruled, frozen=True, kw_only=True):
    """A match to be opened. The order of its cards comes from here and from nowhere else.

    Decks are samples by their names, or lists; they go to their seats and to a judge. With `cards: real` nobody deals
    here; with `cards: phones` the players act on their own phones. With `pledges` of seats, made for the `match` of
    this name, nothing is drawn before they are revealed.
    """

    id: UUID | None = None
    match: str = ""
    names: dict[Seat, str] = field(default_factory=dict)
    decks: dict[Seat, str | Written] = field(default_factory=dict)
    cards: TableKind = "dealt"
    occasion: Occasioned = Occasioned()
    pledges: dict[Seat, str] = field(default_factory=dict)


class OpenRound(Ruled, frozen=True, kw_only=True):
    """A round to be opened: a match for each table, all of them or none. Sent again, it opens what is not there yet.

    `pairings` is CSV under the heading `table,p1,p2` and so on; a column `p1_deck` names a sample, or one of `decks`,
    which are brought along. A column `cards` says how a table is played, `cards` how those are that it leaves open.
    `minutes` is the length of the round, for its timer.
    """

    pairings: str
    cards: TableKind = "dealt"
    event: str
    round: str
    site: str = ""
    date: str = ""
    start: str = ""
    limit: str = ""
    minutes: int | None = None
    decks: dict[str, Written] = field(default_factory=dict)


class Paired(Wire, frozen=True, kw_only=True):
    """A table of the round and its match, which was opened just now or by the same pairings before."""

    table: str
    match: str
    names: dict[Seat, str]
    new: bool
    cards: TableKind = "dealt"


class OpenBranch(Wire, frozen=True, kw_only=True):
    """A branch to be opened, that goes on from entry `at`. What happens by chance in it comes from here alone."""

    at: Number
    id: UUID | None = None
    match: str = ""


class Branched(Wire, frozen=True, kw_only=True):
    """A branch of a match, and its last entry. `parent_open`: what it hides lies hidden in a match that is played."""

    match: str
    parent: str
    at: int
    head: int
    parent_open: bool = False


class BreakSeal(Wire, frozen=True, kw_only=True):
    """With whose eyes to look: a judge's, or a seat's. For so many minutes; for as long as the service lets without."""

    viewer: Seat
    minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 0
    id: UUID | None = None


class Unsealed(Wire, frozen=True, kw_only=True):
    """A seal is broken, until then (milliseconds since 1970)."""

    match: str
    viewer: Seat
    ends: int


class Resealed(Wire, frozen=True, kw_only=True):
    """A seal is back; `entry` says so in the record, 0 where none was broken or nothing is recorded any more."""

    match: str
    entry: int = 0


class Taken(Wire, frozen=True, kw_only=True):
    """A match that is in the store now; was it not before?"""

    match: str
    entries: int
    new: bool


class Imported(Wire, frozen=True, kw_only=True):
    """The matches of a file, its branches behind it."""

    matches: tuple[Taken, ...]
