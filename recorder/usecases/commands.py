"""The commands that write to a match: one struct each, read from a command line, a JSON body or a form."""

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
"""The right that a command needs; the one for `Play` depends on its mode."""
Number = Annotated[int, Meta(ge=0, le=999_999_999)]
"""The number of an entry; 0 for none."""
Said = Annotated[str, Meta(min_length=1)]
LINE_MAX: Final = 500


class Payload(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of everything that is sent: named fields, nothing unknown."""


class Command(Payload, frozen=True, tag_field="kind"):
    """Base of all commands. A repetition is recognised by the `id`, or by an `Idempotency-Key` header."""

    id: UUID | None = None


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

    right: ClassVar[Right] = "record"

    facts: tuple[str, ...]
    reason: Said


class Gap(Command, frozen=True, kw_only=True, tag="gap"):
    """Actions are missing here: at most so many, 0 if nobody knows; `facts` are what is seen to be different after."""

    right: ClassVar[Right] = "record"

    reason: Said
    most: Number = 0
    facts: tuple[str, ...] = ()


class Note(Command, frozen=True, kw_only=True, tag="note"):
    """Something said or seen that changes nothing; `about` is the entry it comments on."""

    right: ClassVar[Right] = "record"

    text: Said
    about: Number = 0


class Call(Command, frozen=True, kw_only=True, tag="call"):
    """A judge is called; with `answered`, the call of that entry is done with."""

    right: ClassVar[Right] = "call"

    text: str = ""
    answered: Number = 0


class Describe(Command, frozen=True, kw_only=True, tag="describe"):
    """On what occasion the match is played, and which result was announced; what is not given stays as it is."""

    right: ClassVar[Right] = "record"

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

    right: ClassVar[Right] = "record"

    reason: str = ""
    abandon: bool = False
    confirm: bool = False


class Penalty(Payload, frozen=True, kw_only=True):
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

    right: ClassVar[Right] = "dispute"

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

    right: ClassVar[Right] = "rule"

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

    right: ClassVar[Right] = "dispute"

    dispute: Number
    reason: Said


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """How an appeal ends. Where the ruling is overturned, `verdict` and the rest are what stands in its place."""

    right: ClassVar[Right] = "decide"

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

    right: ClassVar[Right] = "rule"

    penalty: Penalty
    reason: str = ""
    departure: str = ""


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """The match's clock stands still."""

    right: ClassVar[Right] = "rule"

    reason: str = ""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Play goes on, with as much more time as the `extension` says: in seconds, or as text like `3:00`."""

    right: ClassVar[Right] = "rule"

    extension: Annotated[int, Meta(ge=0, le=EXTENSION_MAX // SECOND)] | Annotated[str, Meta(max_length=8)] = 0


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """The secret that a seat had pledged; or, without one, the `reason` why it is missing, which an official says.

    A seat reveals its own alone. Behind the last one the croupier draws.
    """

    right: ClassVar[Right] = "reveal"

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

    right: ClassVar[Right] = "record"

    text: Annotated[str, Meta(min_length=1, max_length=LINE_MAX)]
    shows: tuple[str, ...] = ()
    asks: bool = False
    note: bool = False
    confirm: bool = False


class PassAll(Command, frozen=True, kw_only=True, tag="pass-all"):
    """Every seat that is to act passes, one entry each, until something happens or is asked.

    It stops before a pass that could end the match, as far as the sender can know.
    """

    right: ClassVar[Right] = "record"


class AskRewind(Command, frozen=True, kw_only=True, tag="ask-rewind"):
    """A judge who may approve it is asked to go back to an entry; void as soon as anything happens on the table."""

    right: ClassVar[Right] = "ask_rewind"

    to: Number
    reason: Said


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back the last thing entered, or an `entry` and all that followed; with `redo`, take the last undo back.

    Where that needs a judge it is refused; with `ask`, a judge is called and asked to go back instead.
    """

    right: ClassVar[Right] = "undo"

    entry: Number = 0
    redo: bool = False
    ask: bool = False
    reason: str = ""


class RefuseRewind(Command, frozen=True, kw_only=True, tag="refuse-rewind"):
    """The match does not go back as somebody asked for; `request` is the entry that asks."""

    right: ClassVar[Right] = "approve_rewind"

    request: Number
    reason: Said


class Rewind(Command, frozen=True, kw_only=True, tag="rewind"):
    """Go on from an earlier entry; nothing is deleted."""

    right: ClassVar[Right] = "approve_rewind"

    to: Number
    reason: Said


AnyFiled = Dispute | Rule | Appeal | Decide | Penalise | Pause | Resume | Reveal
"""What people decide beside the play."""
AnyCommand = (
    Line | Play | PassAll | Correct | Gap | Note | Call | Undo | AskRewind | RefuseRewind | Rewind | Describe | Close
    | AnyFiled
)  # fmt: skip

COMMUTING: Final = (Note, Call, RefuseRewind, Describe, Dispute, Appeal, Penalise, Pause, Resume, Reveal)
"""Commands that hold whatever has happened meanwhile."""
