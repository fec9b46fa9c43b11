"""What people decide beside the play, as it is sent to a service: read as the entry it comes to."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.clause import Clause, Told
from domain.law.docket import SECOND, docket_of, file, read_extension
from domain.table.table import Seat
from domain.words import Text
from recorder.filing import propose_penalty
from recorder.store import Store
from service import commands as C
from service.access import Session, may
from service.house import Sight
from service.problems import Type, halt

OUT_OF_ORDER: Final = (
    "docket.is_open", "docket.is_ruled", "docket.is_appealed", "docket.is_closed", "docket.paused", "docket.not_paused",
    "docket.revealed", "docket.too_late",
)  # fmt: skip
"""What stands against something that comes too early, too late or twice."""


def require_right(sight: Sight, session: Session, command: C.AnyFiled) -> None:
    """Halt where whoever sends a command has no right to what it says: a seat speaks for itself alone, going back is
    for who may go back without a ruling, and nobody learns by a dispute whether a thing lies where they do not see it.
    """
    match command:
        case C.Dispute(about=about, thing=thing, claims=claims):
            if session.seat and any(seat != session.seat for seat in claims):
                raise halt("no-authority", Text("problem.own_claim", {"seat": session.seat}))
            at = about or sight.head
            if thing and at <= sight.head and not is_seen(sight, at, thing):
                raise halt("unreadable", Text("docket.no_thing", {"thing": thing, "entry": at}))
        case C.Reveal(seat=seat) if session.seat not in ("", seat):
            raise halt("no-authority", Text("problem.own_secret", {"seat": session.seat}))
        case C.Reveal(secret="") if not may(session, "rule", sight.match.id):
            raise halt("no-authority", Text("problem.missing_secret"))
        case C.Rule(to=to, asks=False) | C.Decide(to=to) if to and not may(session, "approve_rewind", sight.match.id):
            raise halt("no-authority", Text("problem.ruled_rewind"))
        case _:
            pass


def entry_of(by: str, command: C.AnyFiled, told: Told = ()) -> D.Filed:
    """The entry that a command comes to, `told` being the facts that it names. Halts where it says two
    things at once."""
    match command:
        case C.Dispute(about=about, thing=thing, clause=clause, claims=claims, dispute=dispute):
            said = {seat: text.strip() for seat, text in claims.items()}
            return D.Disputed(by=by, matter=D.Matter(about, thing, Clause(clause)), claims=said, dispute=dispute)
        case C.Rule():
            return D.Ruled(
                by=by,
                dispute=command.dispute,
                verdict=command.verdict,
                clauses=_clauses(command.clauses),
                penalties=_penalties(command.penalties),
                repair=_repair(command.to, told, asks=command.asks),
                reason=command.reason.strip(),
                departure=command.departure.strip(),
            )
        case C.Appeal(dispute=dispute, reason=reason):
            return D.Appealed(by=by, dispute=dispute, reason=reason.strip())
        case C.Decide():
            return _decided(by, command, told)
        case C.Penalise(penalty=penalty, reason=reason, departure=departure):
            (given,) = _penalties((penalty,))
            return D.Penalised(by=by, penalty=given, reason=reason.strip(), departure=departure.strip())
        case C.Pause(reason=reason):
            return D.Paused(by=by, reason=reason.strip())
        case C.Resume(extension=extension):
            seconds = read_extension(f"{extension}")
            if isinstance(seconds, Text):
                raise halt("unreadable", seconds)
            return D.Resumed(by=by, extension=seconds * SECOND)
        case C.Reveal(seat=seat, secret=secret, reason=reason):
            return D.Revealed(by=by, seat=seat, secret=secret.strip().lower(), reason=reason.strip())


def propose(store: Store, sight: Sight, entry: D.Filed) -> D.Filed:
    """The entry with what the match's policy proposes for each penalty without a step. Halts where it proposes none."""
    match entry:
        case D.Ruled(verdict=verdict, dispute=dispute) | D.Decided(verdict=verdict, dispute=dispute):
            penalties = tuple(_propose(store, sight, each, verdict, dispute) for each in entry.penalties)
            return replace(entry, penalties=penalties)
        case D.Penalised(penalty=penalty):
            return replace(entry, penalty=_propose(store, sight, penalty, None, 0))
        case _:
            return entry


def _propose(store: Store, sight: Sight, penalty: D.Penalty, verdict: D.Verdict | None, within: int) -> D.Penalty:
    if penalty.step:
        return penalty
    proposed = propose_penalty(store, sight.match, penalty.seat, penalty.infraction, verdict, within)
    if isinstance(proposed, Text):
        raise halt("unreadable", proposed)
    return proposed


def stands(sight: Sight, entry: D.Filed) -> bool:
    """May such an entry come next?"""
    return not isinstance(file(docket_of(sight.match.entries), sight.head + 1, entry), Text)


def problem_of(why: Text) -> Type:
    """What kind of problem it is that stands against an entry."""
    return "out-of-order" if why.key in OUT_OF_ORDER else "unreadable"


def is_seen(sight: Sight, number: int, thing: int) -> bool:
    """Can whoever looks point at a thing after an entry?"""
    table = sight.match.after(number)
    return any(piece.thing == thing and sight.eyes.follows(table, card) for card, piece in table.pieces.items())


def _decided(by: str, command: C.Decide, told: Told) -> D.Decided:
    instead = command.verdict or command.clauses or command.penalties or command.to or told
    if (command.verdict is None) is (command.outcome == "overturned") or (instead and command.outcome != "overturned"):
        raise halt("unreadable", Text("problem.verdict"))
    return D.Decided(
        by=by,
        dispute=command.dispute,
        outcome=command.outcome,
        reason=command.reason.strip(),
        verdict=command.verdict or "unclear",
        clauses=_clauses(command.clauses),
        penalties=_penalties(command.penalties),
        repair=_repair(command.to, told),
        departure=command.departure.strip(),
    )


def _clauses(texts: Sequence[str]) -> tuple[Clause, ...]:
    return tuple(Clause(text) for text in dict.fromkeys(texts))


def _penalties(given: Sequence[C.Penalty]) -> tuple[D.Penalty, ...]:
    return tuple(D.Penalty(Seat(each.seat), each.step.strip(), each.infraction.strip()) for each in given)


def _repair(to: int, told: Told, *, asks: bool = False) -> D.Repair:
    """How it is mended."""
    if asks and (not to or told):
        raise halt("unreadable", Text("disputes.ask_incomplete"))
    if to and told:
        raise halt("unreadable", Text("cli.not_both", {"one": "to", "other": "facts"}))
    if to:
        return D.Repair("ask" if asks else "rewind", to)
    return D.Repair("by_hand") if told else D.LEAVE
