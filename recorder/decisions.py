"""Record decisions about a match outside its play: disputes, rulings, penalties, pauses, broken seals."""

from collections.abc import Sequence
from typing import Unpack

from msgspec.structs import replace

from domain.formats.errors import explain_unknown
from domain.judging.opinions import audit_entry, form_opinion
from domain.judging.proposals import explain_departure, explain_rewind_excess, unknown_word
from domain.law import disputes as D, docket
from domain.law.clause import CitedFacts, Clause
from domain.law.entries import Corrected, Entry, Noted, last_described, opened_of
from domain.law.policy import Policy, policy_of, propose_infraction, propose_step
from domain.table.table import Seat, Table
from domain.words import Text, listed
from recorder import answers as A
from recorder.answers import Unfit
from recorder.match_loader import LoadedMatch, read_sound
from recorder.match_writer import Answer, Terms, Write, begin
from recorder.remarks import rewind_remark
from recorder.store import MatchListItem, Store


def record_decision(
    store: Store, match: str, entry: D.Filed, told: CitedFacts = (), **terms: Unpack[Terms]
) -> Answer | A.Impossible:
    """Record a decision. The time and the opinion of the law are filled in here. A ruling's repair, and the answers
    of chance after the last reveal, are recorded in the same transaction. `told` are the facts of a repair by hand."""
    write = begin(store, match, terms, "file", entry, tuple(told))
    if not isinstance(write, Write):
        return write
    pending = docket.docket_of(write.match.entries)
    if (problem := find_objection(store, write.match, entry, told, pending)) is not None:
        return Unfit(problem)
    entry = replace(entry, at=write.at)
    if isinstance(entry, D.AnyRuling):
        number = pending.disputes[entry.dispute].matter.entry
        entry = replace(
            entry, opinion=form_opinion(write.match, audit_entry(write.match, number)) if number else D.UNASKED
        )
    repaired = _repair(write, entry, told)
    if isinstance(repaired, A.Impossible):
        return repaired
    table, later = repaired
    return write.record(table, entry, *later)


def find_objection(
    store: Store, match: LoadedMatch, entry: D.Filed, told: CitedFacts = (), pending: docket.Docket | None = None
) -> Text | None:
    """Return why an entry cannot follow the match's last one, or None if it can."""
    if (problem := _find_problem(match, entry, told)) is not None:
        return problem
    pending = pending or docket.docket_of(match.entries)
    after = docket.apply_filing(pending, match.version + 1, entry)
    return after if isinstance(after, Text) else _find_policy_objection(store, match, pending, entry)


def _find_policy_objection(store: Store, match: LoadedMatch, pending: docket.Docket, entry: D.Filed) -> Text | None:
    """Return the policy's objection to a ruling: an unknown word, or a departure without a reason. None if it has no
    objection, or the match has no policy."""
    if not isinstance(entry, D.AnyRuling | D.Penalised):
        return None
    policy = policy_of(match.opening.policy)
    if not isinstance(policy, Policy):
        return policy
    penalties = D.penalties_of(entry)
    for penalty in penalties:
        if (wrong := unknown_word(policy, penalty)) is not None:
            return wrong
    if entry.departure.strip():
        return None
    within = 0 if isinstance(entry, D.Penalised) else entry.dispute
    for penalty in penalties:
        before = earlier_penalties(store, match, policy, penalty.seat, penalty.infraction, within, pending)
        if (why := explain_departure(policy, penalty, before)) is not None:
            return Text("policy.departs", {"why": why})
    if not isinstance(entry, D.Penalised) and entry.repair.kind == "rewind":
        far = explain_rewind_excess(policy, match, entry.repair.to)
        return None if far is None else Text("policy.departs", {"why": far})
    return None


def propose_penalty(
    store: Store,
    match: LoadedMatch,
    seat: Seat,
    infraction: str = "",
    verdict: D.Verdict | None = None,
    within: int = 0,
) -> D.Penalty | Text:
    """Return the penalty that the match's policy proposes for an infraction, or for a verdict if none is named."""
    policy = policy_of(match.opening.policy)
    if not isinstance(policy, Policy):
        return Text("policy.none")
    name = infraction or (propose_infraction(policy, verdict) if verdict is not None else "")
    if not name:
        return Text("policy.nothing", {"seat": seat})
    if name not in policy.infraction:
        return Text("policy.unknown", {"infraction": repr(name), "infractions": listed(policy.infraction)})
    before = earlier_penalties(store, match, policy, seat, name, within)
    return D.Penalty(seat, propose_step(policy, name, len(before)), name)


def earlier_penalties(
    store: Store,
    match: LoadedMatch,
    policy: Policy,
    seat: Seat,
    infraction: str,
    within: int = 0,
    pending: docket.Docket | None = None,
) -> tuple[D.Penalty, ...]:
    """Return the earlier penalties that make an infraction of a seat a repeat under a policy.

    They are those of this match except the rulings on dispute `within`. If repeats count by event, those of the player
    of the same name in its other matches are added.
    """
    repeats = policy.infraction[infraction].repeats if infraction in policy.infraction else "never"
    if repeats == "never":
        return ()
    pending = pending or docket.docket_of(match.entries)
    dispute = pending.disputes.get(within)
    ruled = () if dispute is None else (*dispute.rulings, dispute.decision)
    counted = [penalty for number, penalty in pending.penalties if number not in ruled and penalty.seat == seat]
    event, name = last_described(match.entries).occasion.event, match.opening.names.get(seat, "")
    if repeats == "event" and event and name:
        for other in store.matches():
            if isinstance(other, MatchListItem) and other.match != match.id and name in other.names.values():
                counted += _penalties_of(read_sound(store, other.match), event, name)
    return tuple(penalty for penalty in counted if penalty.infraction == infraction)


def _penalties_of(entries: Sequence[Entry], event: str, name: str) -> list[D.Penalty]:
    if last_described(entries).occasion.event != event:
        return []
    names = opened_of(entries).names
    return [penalty for _, penalty in docket.docket_of(entries).penalties if names.get(penalty.seat) == name]


def _repair(write: Write, entry: D.Filed, told: CitedFacts) -> tuple[Table, tuple[Entry, ...]] | A.Impossible:
    """Return the table after a repair or the last reveal, and the entries that lead to it."""
    if isinstance(entry, D.Revealed):
        answers, table, _ = write.answer_chance(write.match.table, 1, revealed=entry)
        return table, answers
    if isinstance(entry, D.AnyRuling):
        match entry.repair.kind:
            case "rewind":
                return write.go_back(entry.repair.to, entry.reason, entry.by, 2)
            case "by_hand":
                after = write.enter_by_hand(told)
                if isinstance(after, A.Impossible):
                    return after
                return after, (Corrected(at=write.at, by=entry.by, reason=entry.reason, told=tuple(told)),)
            case "ask":
                request = rewind_remark(entry.repair.to, entry.reason)
                return write.match.table, (Noted(at=write.at, by=entry.by, text=request, about=entry.repair.to),)
            case "leave":
                pass
    return write.match.table, ()


def _find_problem(match: LoadedMatch, entry: D.Filed, told: CitedFacts) -> Text | None:
    """Return what is wrong with clauses, objects on the table, or repair facts, which the docket cannot check."""
    named: tuple[Clause, ...] = ()
    match entry:
        case D.Disputed(matter=matter):
            named = (matter.clause,) if matter.clause else ()
            at = matter.entry or match.version
            if matter.thing and 0 < at <= match.version and not _has_thing(match.after(at), matter.thing):
                return Text("docket.no_thing", {"thing": matter.thing, "entry": at})
        case D.Ruled() | D.Decided():
            named = entry.clauses
            if (entry.repair.kind == "by_hand") != bool(told):
                return Text("docket.facts" if told else "match.no_fact")
            if entry.repair.kind == "ask" and not entry.reason.strip():
                return Text("disputes.ask_incomplete")
        case _:
            pass
    book = match.game.rulebook.clauses
    return next((explain_unknown("clause", clause, book, lists=False) for clause in named if clause not in book), None)


def _has_thing(table: Table, thing: int) -> bool:
    return any(piece.thing == thing for piece in table.pieces.values())
