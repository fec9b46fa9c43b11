"""The docket of a match: disputes, pauses, unsealed views, penalties and secrets still to be revealed. A docket is
folded from the log, as a table is, and decides whether such an entry may come next."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.law import croupier, disputes as D
from domain.law.entries import Entry, Opened, Pledged, opened_of
from domain.law.occasion import check_text
from domain.table.table import JUDGE, Seat
from domain.words import Text
from domain.words.lines import read_seconds

Standing = Literal["open", "ruled", "appealed", "closed"]
PENDING: Final[tuple[Standing, ...]] = ("open", "appealed")
"""Standings that wait for a ruling or a decision."""
SECOND: Final = 1_000
EXTENSION_MAX: Final = 24 * 3_600 * SECOND
"""Maximum extension of a match in milliseconds: a day, so that a typing error is refused."""


def read_extension(text: str) -> int | Text:
    """Return the seconds of an extension written as `180` or `3:00`, 0 for an empty text, or an error message."""
    seconds, most = read_seconds(text or "0"), EXTENSION_MAX // SECOND
    if seconds is None or seconds > most:
        return Text("docket.no_time", {"given": repr(text), "most": most})
    return seconds


_SECRET: Final = re.compile(f"[0-9a-f]{{{2 * croupier.SEED_BYTES}}}")


class Claim(Struct, frozen=True):
    entry: int
    seat: Seat
    text: str


class Dispute(Struct, frozen=True, kw_only=True):
    """The state of a dispute. Its number is that of the entry that opened it. Entry numbers are 0 if there is no such
    entry."""

    number: int
    by: str
    matter: D.Matter
    claims: tuple[Claim, ...] = ()
    standing: Standing = "open"
    rulings: tuple[int, ...] = ()
    appeals: tuple[int, ...] = ()
    decision: int = 0
    in_force: D.AnyRuling | None = None
    """The ruling in force: the first one, or the decision that replaced it."""

    @property
    def last(self) -> int:
        """The last entry of the dispute, apart from added claims."""
        return max(self.number, *self.rulings, *self.appeals, self.decision)


class Docket(Struct, frozen=True, kw_only=True):
    """All pending matters of a match.

    `pause` is the entry that stopped the clock, `extension` the sum of extensions in milliseconds. `unsealed` has the
    entry of each unsealed view by person and view. `pledges` are by seat. `revealed` has the reveal of each seat and
    its entry. Reveals up to entry `inherited` belong to the parent match of a branch, whose pledges the branch does not
    have.
    """

    seats: tuple[Seat, ...]
    disputes: dict[int, Dispute] = {}
    penalised: tuple[tuple[int, D.Penalty], ...] = ()
    pause: int = 0
    extension: int = 0
    unsealed: dict[tuple[str, Seat], int] = {}
    match: str = ""
    pledges: dict[Seat, str] = {}
    revealed: dict[Seat, tuple[int, D.Revealed]] = {}
    inherited: int = 0

    @property
    def unrevealed(self) -> tuple[Seat, ...]:
        """Seats whose secret is still awaited, in the order of the seats."""
        return tuple(seat for seat in self.seats if seat in self.pledges and seat not in self.revealed)

    @property
    def penalties(self) -> tuple[tuple[int, D.Penalty], ...]:
        """Penalties in force, each with its entry, in the order of the log."""
        ruled = (
            (max(*dispute.rulings, dispute.decision), penalty)
            for dispute in self.disputes.values()
            if dispute.in_force is not None
            for penalty in dispute.in_force.penalties
        )
        return tuple(sorted((*self.penalised, *ruled), key=lambda pair: pair[0]))


def open_docket(opened: Opened) -> Docket:
    return Docket(
        seats=opened.seats,
        match=opened.match,
        pledges=opened.pledges if isinstance(opened, Pledged) else {},
        inherited=opened.parent_at if opened.parent and not isinstance(opened, Pledged) else 0,
    )


def docket_of(entries: Sequence[Entry]) -> Docket:
    """Return the docket after the last entry. Entries that are invalid at their position are skipped, because a record
    is examined before it is accepted."""
    docket = open_docket(opened_of(entries))
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, D.Filed):
            after = apply_filing(docket, number, entry)
            docket = docket if isinstance(after, Text) else after
    return docket


def count_pending(docket: Docket) -> int:
    return sum(dispute.standing in PENDING for dispute in docket.disputes.values())


def apply_filing(docket: Docket, number: int, entry: D.Filed) -> Docket | Text:
    """Return the docket after entry `number`, or why this entry cannot come next."""
    match entry:
        case D.Disputed():
            return _dispute(docket, number, entry)
        case D.Ruled():
            return _rule(docket, number, entry)
        case D.Appealed():
            return _appeal(docket, number, entry)
        case D.Decided():
            return _decide(docket, number, entry)
        case D.Penalised():
            wrong = _check_texts(reason=entry.reason, departure=entry.departure) or _check_penalties(
                docket, [entry.penalty]
            )
            return wrong or replace(docket, penalised=(*docket.penalised, (number, entry.penalty)))
        case D.Paused():
            if docket.pause:
                return Text("docket.paused", {"entry": docket.pause})
            return _check_texts(reason=entry.reason) or replace(docket, pause=number)
        case D.Resumed():
            return _resume(docket, entry)
        case D.Unsealed() | D.Sealed():
            return _seal(docket, number, entry)
        case D.Revealed():
            return _reveal(docket, number, entry)
        case never:
            assert_never(never)


def _dispute(docket: Docket, number: int, entry: D.Disputed) -> Docket | Text:
    wrong = _check_texts(**{f"claim {seat}": text for seat, text in entry.claims.items()})
    wrong = wrong or _check_seats(docket, entry.claims)
    if wrong is not None:
        return wrong
    if any(not text.strip() for text in entry.claims.values()):
        return Text("docket.empty_claim")
    claims = tuple(Claim(number, seat, text) for seat, text in entry.claims.items())
    if not entry.dispute:
        matter = entry.matter
        if matter == D.Matter():
            return Text("docket.about_nothing")
        if not 0 <= matter.entry < number:
            return Text("match.no_entry", {"entry": matter.entry, "last": number - 1})
        return _with_dispute(docket, Dispute(number=number, by=entry.by, matter=matter, claims=claims))
    before = _find_dispute(docket, entry.dispute, "open")
    if isinstance(before, Text):
        return before
    if not claims:
        return Text("docket.no_claim")
    return _with_dispute(docket, replace(before, claims=before.claims + claims))


def _rule(docket: Docket, number: int, entry: D.Ruled) -> Docket | Text:
    before = _find_dispute(docket, entry.dispute, "open")
    if isinstance(before, Text):
        return before
    if (wrong := _check_ruling(docket, number, entry)) is not None:
        return wrong
    return _with_dispute(docket, replace(before, standing="ruled", rulings=(*before.rulings, number), in_force=entry))


def _appeal(docket: Docket, number: int, entry: D.Appealed) -> Docket | Text:
    before = _find_dispute(docket, entry.dispute, "ruled")
    if isinstance(before, Text):
        return before
    if not entry.reason.strip():
        return Text("docket.no_reason")
    wrong = _check_texts(reason=entry.reason)
    return wrong or _with_dispute(docket, replace(before, standing="appealed", appeals=(*before.appeals, number)))


def _decide(docket: Docket, number: int, entry: D.Decided) -> Docket | Text:
    before = _find_dispute(docket, entry.dispute, "appealed")
    if isinstance(before, Text):
        return before
    if not entry.reason.strip():
        return Text("docket.no_reason")
    if (wrong := _check_ruling(docket, number, entry)) is not None:
        return wrong
    match entry.outcome:
        case "upheld":
            return _with_dispute(docket, replace(before, standing="closed", decision=number))
        case "overturned":
            return _with_dispute(docket, replace(before, standing="closed", decision=number, in_force=entry))
        case "remanded":
            return _with_dispute(docket, replace(before, standing="open", decision=number, in_force=None))
        case never:
            assert_never(never)


def _check_ruling(docket: Docket, number: int, entry: D.AnyRuling) -> Text | None:
    wrong = _check_texts(reason=entry.reason, departure=entry.departure)
    return wrong or _check_penalties(docket, entry.penalties) or _check_repair(entry.repair, number)


def _resume(docket: Docket, entry: D.Resumed) -> Docket | Text:
    if not docket.pause:
        return Text("docket.not_paused")
    if not 0 <= entry.extension <= EXTENSION_MAX or entry.extension % SECOND:
        return Text("docket.extension", {"most": EXTENSION_MAX // SECOND})
    return replace(docket, pause=0, extension=docket.extension + entry.extension)


def _seal(docket: Docket, number: int, entry: D.Unsealed | D.Sealed) -> Docket | Text:
    if entry.eyes not in (*docket.seats, JUDGE):
        return Text("docket.no_eyes", {"eyes": repr(entry.eyes)})
    view = (entry.by, entry.eyes)
    if isinstance(entry, D.Unsealed):
        return replace(docket, unsealed={**docket.unsealed, view: number})
    if view not in docket.unsealed:
        return Text("docket.sealed", {"by": entry.by, "eyes": entry.eyes})
    return replace(docket, unsealed={other: at for other, at in docket.unsealed.items() if other != view})


def is_secret(text: str) -> bool:
    return _SECRET.fullmatch(text) is not None


def _reveal(docket: Docket, number: int, entry: D.Revealed) -> Docket | Text:
    seat = entry.seat
    if (wrong := _check_seats(docket, (seat,)) or _check_texts(reason=entry.reason)) is not None:
        return wrong
    if bool(entry.secret) == bool(entry.reason.strip()):
        return Text("docket.secret_or_reason", {"seat": seat})
    if entry.secret and not is_secret(entry.secret):
        return Text("docket.no_secret", {"digits": 2 * croupier.SEED_BYTES})
    if number <= docket.inherited:
        return docket
    if seat not in docket.pledges:
        return Text("docket.no_pledge", {"seat": seat})
    if seat in docket.revealed:
        before, reveal = docket.revealed[seat]
        return Text("docket.revealed" if reveal.secret else "docket.too_late", {"seat": seat, "entry": before})
    pledge = docket.pledges[seat]
    if entry.secret and croupier.commit_seat(docket.match, seat, bytes.fromhex(entry.secret)) != pledge:
        return Text("docket.no_fit", {"seat": seat, "pledge": pledge})
    return replace(docket, revealed={**docket.revealed, seat: (number, entry)})


def _with_dispute(docket: Docket, dispute: Dispute) -> Docket:
    return replace(docket, disputes={**docket.disputes, dispute.number: dispute})


def _find_dispute(docket: Docket, number: int, standing: Standing) -> Dispute | Text:
    """Return a dispute that has this standing, or why it has not."""
    dispute = docket.disputes.get(number)
    if dispute is None:
        return Text("docket.no_dispute", {"entry": number})
    if dispute.standing == standing:
        return dispute
    return Text(f"docket.is_{dispute.standing}", {"dispute": number, "entry": dispute.last})


def _check_seats(docket: Docket, seats: Iterable[Seat]) -> Text | None:
    return next((Text("wrong.seat", {"seat": repr(seat)}) for seat in seats if seat not in docket.seats), None)


def _check_penalties(docket: Docket, penalties: Sequence[D.Penalty]) -> Text | None:
    if any(not penalty.step for penalty in penalties):
        return Text("docket.no_step")
    texts = {f"penalty {at}": f"{penalty.step}{penalty.infraction}" for at, penalty in enumerate(penalties, start=1)}
    return _check_seats(docket, (penalty.seat for penalty in penalties)) or _check_texts(**texts)


def _check_repair(repair: D.Repair, number: int) -> Text | None:
    if repair.kind in ("rewind", "ask") and not 1 <= repair.to < number:
        return Text("match.no_entry", {"entry": repair.to, "last": number - 1})
    return None


def _check_texts(**texts: str) -> Text | None:
    return next((wrong for name, text in texts.items() if (wrong := check_text(name, text)) is not None), None)
