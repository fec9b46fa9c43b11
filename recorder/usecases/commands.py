"""Commands that write to a match, one struct each, parsed from a command line, a JSON body or a form."""

from typing import Annotated, Any, ClassVar, Final, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from domain.law import disputes as D
from domain.law.docket import EXTENSION_MAX, SECOND
from domain.table.table import Seat

Mode = Literal["record", "offer"]
Right = Literal[
    "record", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal",
]  # fmt: skip
"""The right that a command needs; for `PlayAction` it depends on the mode."""
Number = Annotated[int, Meta(ge=0, le=999_999_999)]
"""The number of an entry; 0 for none."""
NonEmptyText = Annotated[str, Meta(min_length=1)]
LINE_MAX: Final = 500


class Payload(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of request structs; unknown fields are refused."""


class MatchCommand(Payload, frozen=True, tag_field="kind"):
    """Base of all commands. A repetition is recognised by the `id`, or by an `Idempotency-Key` header.

    A command that `commutes` does not depend on entries recorded meanwhile.
    """

    commutes: ClassVar[bool] = False

    id: UUID | None = None


class PlayAction(MatchCommand, frozen=True, kw_only=True, tag="play"):
    """Play an action of a seat, or of chance, given as one line of `text` or as an `action` in parts.

    An action that breaks a clause is recorded and flagged (`record`) or refused (`offer`). The default is `record` for
    senders who may record, but then an action that lacks a target or another value is refused with the candidates.
    `shows` are the faces of real cards, in the order in which they are turned up. An action that ends the match needs
    `confirm`.
    """

    by: Seat = Seat("")
    text: str = ""
    action: dict[str, Any] | None = None
    shows: tuple[str, ...] = ()
    mode: Mode | None = None
    confirm: bool = False


class Correct(MatchCommand, frozen=True, kw_only=True, tag="correct"):
    """Enter facts by hand, one per line. They trigger nothing."""

    right: ClassVar[Right] = "record"

    facts: tuple[str, ...]
    reason: NonEmptyText


class ReportGap(MatchCommand, frozen=True, kw_only=True, tag="gap"):
    """Record that at most `most` actions are missing (0: unknown). `facts` describe the table after them. `finished`:
    what was under way ended in the gap, and the active player is next."""

    right: ClassVar[Right] = "record"

    reason: NonEmptyText
    most: Number = 0
    facts: tuple[str, ...] = ()
    finished: bool = False


class AddNote(MatchCommand, frozen=True, kw_only=True, tag="note"):
    """Record a note that changes nothing. `about` is the entry it comments on."""

    right: ClassVar[Right] = "record"
    commutes: ClassVar[bool] = True

    text: NonEmptyText
    about: Number = 0


class CallJudge(MatchCommand, frozen=True, kw_only=True, tag="call"):
    """Call a judge; or, with `answered`, close the call made by that entry."""

    right: ClassVar[Right] = "call"
    commutes: ClassVar[bool] = True

    text: str = ""
    answered: Number = 0


class Describe(MatchCommand, frozen=True, kw_only=True, tag="describe"):
    """Set the event, round, table and announced result of the match. Fields left out stay unchanged."""

    right: ClassVar[Right] = "record"
    commutes: ClassVar[bool] = True

    event: str | None = None
    site: str | None = None
    date: str | None = None
    round: str | None = None
    table: str | None = None
    start: str | None = None
    limit: str | None = None
    announced: str | None = None


class Close(MatchCommand, frozen=True, kw_only=True, tag="close"):
    """Complete the record. A match without a result is abandoned (`abandon`), with a reason.

    Nothing can be recorded afterwards, so `confirm` is required.
    """

    right: ClassVar[Right] = "record"

    reason: str = ""
    abandon: bool = False
    confirm: bool = False


class PenaltyInput(Payload, frozen=True, kw_only=True):
    """A penalty step for a seat, and the infraction it is for.

    The default step is the one that the match's policy proposes.
    """

    seat: Seat
    step: str = ""
    infraction: str = ""


class OpenDispute(MatchCommand, frozen=True, kw_only=True, tag="dispute"):
    """Open a dispute about an entry, a thing by its number, or a clause, with the claim of each seat.

    A seat can claim only for itself. With `dispute`, the claims are added to that dispute.
    """

    right: ClassVar[Right] = "dispute"
    commutes: ClassVar[bool] = True

    about: Number = 0
    thing: Number = 0
    clause: str = ""
    claims: dict[Seat, str] = field(default_factory=dict)
    dispute: Number = 0


class Rule(MatchCommand, frozen=True, kw_only=True, tag="rule"):
    """Rule on a dispute. The match is rewound `to` an entry, corrected by `facts`, or left as played.

    With `asks` the ruling asks the head judge for the rewind. `departure` says why the ruling differs from what the
    policy proposes.
    """

    right: ClassVar[Right] = "rule"

    dispute: Number
    verdict: D.Verdict
    clauses: tuple[str, ...] = ()
    penalties: tuple[PenaltyInput, ...] = ()
    to: Number = 0
    facts: tuple[str, ...] = ()
    reason: str = ""
    departure: str = ""
    asks: bool = False


class Appeal(MatchCommand, frozen=True, kw_only=True, tag="appeal"):
    """Appeal the ruling on a dispute."""

    right: ClassVar[Right] = "dispute"
    commutes: ClassVar[bool] = True

    dispute: Number
    reason: NonEmptyText


class Decide(MatchCommand, frozen=True, kw_only=True, tag="decide"):
    """Decide an appeal. If the ruling is overturned, `verdict` and the fields after it replace it."""

    right: ClassVar[Right] = "decide"

    dispute: Number
    outcome: D.Outcome
    reason: NonEmptyText
    verdict: D.Verdict | None = None
    clauses: tuple[str, ...] = ()
    penalties: tuple[PenaltyInput, ...] = ()
    to: Number = 0
    facts: tuple[str, ...] = ()
    departure: str = ""


class Penalise(MatchCommand, frozen=True, kw_only=True, tag="penalise"):
    """Give a penalty without a dispute."""

    right: ClassVar[Right] = "rule"
    commutes: ClassVar[bool] = True

    penalty: PenaltyInput
    reason: str = ""
    departure: str = ""


class Pause(MatchCommand, frozen=True, kw_only=True, tag="pause"):
    """Stop the match's clock."""

    right: ClassVar[Right] = "rule"
    commutes: ClassVar[bool] = True

    reason: str = ""


class Resume(MatchCommand, frozen=True, kw_only=True, tag="resume"):
    """Restart the clock. `extension` is extra time, in seconds or as text like `3:00`."""

    right: ClassVar[Right] = "rule"
    commutes: ClassVar[bool] = True

    extension: Annotated[int, Meta(ge=0, le=EXTENSION_MAX // SECOND)] | Annotated[str, Meta(max_length=8)] = 0


class RevealSecret(MatchCommand, frozen=True, kw_only=True, tag="reveal"):
    """Reveal the secret of a seat's pledge; or, from an official, give the `reason` why it is missing.

    A seat can reveal only its own. After the last reveal the croupier draws.
    """

    right: ClassVar[Right] = "reveal"
    commutes: ClassVar[bool] = True

    seat: Seat
    secret: str = ""
    reason: str = ""


class RecordLine(MatchCommand, frozen=True, kw_only=True, tag="line"):
    """Record a typed line: an action as played, `fix 204 FACT; FACT`, or `call TEXT`.

    A line that cannot be read, is incomplete or cannot have happened is refused with the reason. With `note` an
    incomplete action is recorded as played, and another such line as a note; the answer gives the reason. `shows` are
    the faces of real cards, in the order in which they are turned up. With `asks`, a face that the law needs is asked
    for and no note is made. A line that ends the match needs `confirm`.
    """

    right: ClassVar[Right] = "record"

    text: Annotated[str, Meta(min_length=1, max_length=LINE_MAX)]
    shows: tuple[str, ...] = ()
    asks: bool = False
    note: bool = False
    confirm: bool = False


class PassAll(MatchCommand, frozen=True, kw_only=True, tag="pass-all"):
    """Pass for every awaited seat, one entry each, until something happens or is asked.

    It stops before a pass that could end the match, as far as the sender can know.
    """

    right: ClassVar[Right] = "record"


class AskRewind(MatchCommand, frozen=True, kw_only=True, tag="ask-rewind"):
    """Ask the head judge to rewind to an entry. Any later action on the table makes the request void."""

    right: ClassVar[Right] = "ask_rewind"

    to: Number
    reason: NonEmptyText


class UndoEntries(MatchCommand, frozen=True, kw_only=True, tag="undo"):
    """Undo the last entry, or an `entry` and everything after it; with `redo`, undo the last undo.

    An undo that needs a judge is refused. With `ask`, a judge is called and asked for the rewind instead.
    """

    right: ClassVar[Right] = "undo"

    entry: Number = 0
    redo: bool = False
    ask: bool = False
    reason: str = ""


class RefuseRewind(MatchCommand, frozen=True, kw_only=True, tag="refuse-rewind"):
    """Refuse a request to rewind; `request` is the entry that made it."""

    right: ClassVar[Right] = "approve_rewind"
    commutes: ClassVar[bool] = True

    request: Number
    reason: NonEmptyText


class Rewind(MatchCommand, frozen=True, kw_only=True, tag="rewind"):
    """Rewind to an earlier entry; nothing is deleted."""

    right: ClassVar[Right] = "approve_rewind"

    to: Number
    reason: NonEmptyText


AnyFiled = OpenDispute | Rule | Appeal | Decide | Penalise | Pause | Resume | RevealSecret
"""Commands of disputes, penalties, the clock and fair shuffles."""
Direct = (
    Correct | ReportGap | AddNote | CallJudge | UndoEntries | AskRewind | RefuseRewind | Rewind | Describe | Close
    | AnyFiled
)  # fmt: skip
"""Commands that need no law to be recorded."""
AnyCommand = RecordLine | PlayAction | PassAll | Direct
