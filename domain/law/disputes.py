"""Entries about the record instead of the play: disputes, rulings, penalties, pauses, unsealed views and reveals.

They change nothing on the table, and a rewind does not undo them. `domain.law.docket` defines their order. Tags and
field names are the format on disk.
"""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Struct, field

from domain.law.clause import Clause
from domain.law.logged import DirectiveField, Judges, JudgeView, Logged, Public, Quoted, Sentence
from domain.table.table import Seat

Verdict = Literal["not_allowed", "wrong_outcome", "no_fault", "unclear"]
"""A judge's finding: an illegal action, a legal action with a wrong outcome, no fault, or unclear."""
RepairKind = Literal["leave", "rewind", "by_hand", "ask"]
"""The repair of a fault: leave it, rewind, enter facts by hand, or ask a judge who may rewind."""
Outcome = Literal["upheld", "overturned", "remanded"]
"""The outcome of an appeal. `remanded` means that the dispute is ruled on again."""


class Matter(Struct, frozen=True, omit_defaults=True):
    """The matter of a dispute: an entry, a thing by its public number, a clause. At least one is given."""

    entry: int = 0
    thing: int = 0
    clause: Clause = Clause("")


class Repair(Struct, frozen=True, omit_defaults=True):
    """The repair of a fault. The entries or the request that carry it out are recorded right after the ruling. `to` is
    the entry to return to, for the kinds `rewind` and `ask`."""

    kind: Annotated[RepairKind, DirectiveField("repair")] = "leave"
    to: int = 0


LEAVE: Final = Repair()


class Penalty(Struct, frozen=True, omit_defaults=True):
    """A step of the ladder of penalties for a seat; `infraction` is its id in the policy."""

    seat: Seat
    step: str
    infraction: str = ""


class Opinion(Struct, frozen=True, omit_defaults=True):
    """The law's own finding about the entry at the time of the ruling. `law` is the hash of the program that was asked,
    '' for none. `finding` is the kind of its finding, '' for none, and `clauses` are those it cites."""

    law: str = ""
    finding: str = ""
    clauses: Annotated[tuple[Clause, ...], DirectiveField("found")] = ()


UNASKED: Final = Opinion()


class Disputed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="disputed"):
    """A dispute with its matter and the claims of seats, or further claims in a dispute. `dispute` is the entry that
    opened it, 0 for this entry."""

    directive: ClassVar[str] = "dispute"

    by: Public[str]
    matter: Public[Matter] = Matter()
    claims: Annotated[dict[Seat, str], DirectiveField("claim")] = field(default_factory=dict)
    dispute: Public[int] = 0


class Ruled(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="ruled"):
    """A judge's ruling on a dispute. `departure` is the reason why it differs from the policy's proposal, '' if it does
    not."""

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
    """An appeal against the ruling on a dispute, with its reason."""

    directive: ClassVar[str] = "appeal"

    by: Public[str]
    dispute: Public[int]
    reason: Judges[Sentence]


class Decided(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="decided"):
    """The decision of an appeal. If it overturns the ruling, the remaining fields replace the ruling's."""

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
    directive: ClassVar[str] = "penalise"

    by: Public[str]
    penalty: Penalty
    reason: Public[Sentence] = ""
    departure: Public[Quoted[str]] = ""


class Paused(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="paused"):
    """The match's clock stops at `at`."""

    directive: ClassVar[str] = "pause"

    by: Public[str]
    reason: Public[Sentence] = ""


class Resumed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="resumed"):
    """Play continues; `extension` is added time in milliseconds, a multiple of 1000."""

    directive: ClassVar[str] = "resume"

    by: Public[str]
    extension: Public[int] = 0


class Unsealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="unsealed"):
    """A person who is not a player starts to see the view `eyes`, until a time (milliseconds; 0: until sealed)."""

    directive: ClassVar[str] = "unseal"

    by: Public[str]
    eyes: Public[Seat]
    until: Public[int] = 0


class Sealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="sealed"):
    """The person who had the view `eyes` gives it up."""

    directive: ClassVar[str] = "seal"

    by: Public[str]
    eyes: Public[Seat]


class Revealed(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="revealed"):
    """A seat reveals the secret of its pledge. Without a secret, it records the reason why none was revealed. Once the
    last secret is in, the outcome that chance was waiting to draw is recorded right after this entry."""

    directive: ClassVar[str] = "reveal"

    by: Public[str]
    seat: Public[Seat]
    secret: Public[str] = ""
    reason: Public[Sentence] = ""


Filed = Disputed | Ruled | Appealed | Decided | Penalised | Paused | Resumed | Unsealed | Sealed | Revealed
AnyRuling = Ruled | Decided


def penalties_of(entry: Logged) -> tuple[Penalty, ...]:
    match entry:
        case Ruled() | Decided():
            return entry.penalties
        case Penalised():
            return (entry.penalty,)
        case _:
            return ()
