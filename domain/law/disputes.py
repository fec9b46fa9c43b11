"""What people decide about a match beside its play: disputes, rulings, penalties, pauses, who looked with whose eyes,
what seats reveal for the shuffles.

These entries change nothing on the table and are about the record, whichever line it goes on with. In which order they
may come says `domain.law.docket`. Tags and field names are the format on disk.
"""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Struct, field

from domain.law.clause import Clause
from domain.law.logged import DirectiveField, Judges, JudgeView, Logged, Public, Quoted, Sentence
from domain.table.table import Seat

Verdict = Literal["not_allowed", "wrong_outcome", "no_fault", "unclear"]
"""What a judge finds that happened: an action that the rules do not allow · one whose outcome was not what they say ·
nothing against the rules · nobody can say any more."""
Mending = Literal["leave", "rewind", "by_hand", "ask"]
"""How a fault is mended: left as it was played · by going back to an entry · by facts that a judge enters by hand · by
a judge who may go back, and is asked to."""
Outcome = Literal["upheld", "overturned", "remanded"]
"""How an appeal ends: the ruling stands · another one stands in its place · the dispute is to be ruled on once more."""


class Matter(Struct, frozen=True, omit_defaults=True):
    """What a dispute is about: an entry, a thing by its public number, a clause; each may be left out, but not all."""

    entry: int = 0
    thing: int = 0
    clause: Clause = Clause("")


class Repair(Struct, frozen=True, omit_defaults=True):
    """How a fault is mended. The entries that do it, or the request, are recorded right after the ruling.

    `to` is the entry from which the match goes on, where it goes back or somebody is asked to.
    """

    kind: Annotated[Mending, DirectiveField("repair")] = "leave"
    to: int = 0


LEAVE: Final = Repair()


class Penalty(Struct, frozen=True, omit_defaults=True):
    """A step of the ladder of penalties for a seat; `infraction` is what the policy calls that which was done."""

    seat: Seat
    step: str
    infraction: str = ""


class Opinion(Struct, frozen=True, omit_defaults=True):
    """What the law itself said of the entry when it was ruled on.

    `law` is the hash of the program that was asked, empty where none was. `finding` is the kind of what it found, empty
    where it found nothing, `clauses` those that say so.
    """

    law: str = ""
    finding: str = ""
    clauses: Annotated[tuple[Clause, ...], DirectiveField("found")] = ()


UNASKED: Final = Opinion()


class Disputed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="disputed"):
    """Somebody says that something was wrong: what it is about, and one line from each seat that claims something.

    `dispute` is the entry that opened the dispute to which these claims are added; 0 where this one opens it.
    """

    directive: ClassVar[str] = "dispute"

    by: Public[str]
    matter: Public[Matter] = Matter()
    claims: Annotated[dict[Seat, str], DirectiveField("claim")] = field(default_factory=dict)
    dispute: Public[int] = 0


class Ruled(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="ruled"):
    """A judge's ruling on a dispute: what happened, by which clauses, who is penalised, how it is mended.

    `departure`: why it is not what the policy proposes, empty where it is.
    """

    directive: ClassVar[str] = "rule"

    by: Public[str]
    dispute: Public[int]
    verdict: Public[Verdict]
    clauses: Public[tuple[Clause, ...]] = ()
    penalties: Annotated[tuple[Penalty, ...], DirectiveField("penalty")] = ()
    repair: Public[Repair] = LEAVE
    reason: Public[Sentence] = ""
    departure: Public[Quoted[str]] = ""
    opinion: JudgeView[Opinion] = UNASKED


class Appealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="appealed"):
    """Somebody does not take the ruling on a dispute, and why."""

    directive: ClassVar[str] = "appeal"

    by: Public[str]
    dispute: Public[int]
    reason: Judges[Sentence]


class Decided(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="decided"):
    """How an appeal ends. Where the ruling is overturned, the rest is what stands in its place, as in a ruling."""

    directive: ClassVar[str] = "decide"

    by: Public[str]
    dispute: Public[int]
    outcome: Public[Outcome]
    reason: Public[Sentence]
    verdict: Public[Verdict] = "unclear"
    clauses: Public[tuple[Clause, ...]] = ()
    penalties: Annotated[tuple[Penalty, ...], DirectiveField("penalty")] = ()
    repair: Public[Repair] = LEAVE
    departure: Public[Quoted[str]] = ""
    opinion: JudgeView[Opinion] = UNASKED


class Penalised(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="penalised"):
    """A penalty that no dispute led to, as for coming late."""

    directive: ClassVar[str] = "penalise"

    by: Public[str]
    penalty: Penalty
    reason: Public[Sentence] = ""
    departure: Public[Quoted[str]] = ""


class Paused(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="paused"):
    """The match's clock stands still from `at` on."""

    directive: ClassVar[str] = "pause"

    by: Public[str]
    reason: Public[Sentence] = ""


class Resumed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="resumed"):
    """Play goes on; `extension` is by how much the match's time is extended, in milliseconds, whole seconds."""

    directive: ClassVar[str] = "resume"

    by: Public[str]
    extension: Public[int] = 0


class Unsealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="unsealed"):
    """Somebody who is no player looks with these eyes from here on, until then (milliseconds; 0: until sealed)."""

    directive: ClassVar[str] = "unseal"

    by: Public[str]
    eyes: Public[Seat]
    until: Public[int] = 0


class Sealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="sealed"):
    """Whoever looked with these eyes does so no more."""

    directive: ClassVar[str] = "seal"

    by: Public[str]
    eyes: Public[Seat]


class Revealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="revealed"):
    """A seat shows the secret it had pledged itself to; or, with no secret, somebody says why it did not.

    What chance is asked once the last of them is there is recorded right behind it.
    """

    directive: ClassVar[str] = "reveal"

    by: Public[str]
    seat: Public[Seat]
    secret: Public[str] = ""
    reason: Public[Sentence] = ""


Filed = Disputed | Ruled | Appealed | Decided | Penalised | Paused | Resumed | Unsealed | Sealed | Revealed
"""Entries that change nothing on the table and are about the record."""
AnyRuling = Ruled | Decided
"""A ruling, or what stands in its place since an appeal."""


def penalties_of(entry: Logged) -> tuple[Penalty, ...]:
    """The penalties that an entry gives."""
    match entry:
        case Ruled() | Decided():
            return entry.penalties
        case Penalised():
            return (entry.penalty,)
        case _:
            return ()
