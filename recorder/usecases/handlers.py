"""Handlers that record commands. The caller has checked rights and confirmations."""

from collections.abc import Sequence
from typing import Final

from msgspec import to_builtins
from msgspec.structs import replace

from domain.formats.errors import FormatError, explain_unknown
from domain.formats.faces import read_learned
from domain.formats.facts import parse_fact
from domain.formats.typed import with_clause
from domain.law import disputes as D
from domain.law.clause import CitedFact, CitedFacts, Clause
from domain.law.docket import SECOND, read_extension
from domain.table.table import Seat
from domain.words import LANGS, Text, say
from projections.undo_plans import Undo, plan_redo, plan_undo
from recorder import decisions, matches
from recorder.answers import Impossible, Unfit
from recorder.commands import read_roles
from recorder.match_loader import LoadedMatch
from recorder.match_writer import Answer, Terms
from recorder.remarks import find_rewind_request, kind_of, open_calls, write_remark
from recorder.store import Store
from recorder.usecases import commands as C

OWN_FIELDS: Final = ("id", "kind")
"""Fields of a command that say nothing about the match."""


def handle(
    store: Store, match: LoadedMatch, command: C.Direct, by: str, told: CitedFacts = (), *, terms: Terms
) -> Answer | Impossible:
    """Record a command on a match; `told` are its facts. Unfit explains what does not fit the record."""
    unfit = _find_unfit(match, command)
    if unfit is not None:
        return Unfit(unfit)
    match command:
        case C.Correct(reason=reason):
            return matches.correct(store, match.id, by, reason, told, **terms)
        case C.ReportGap(reason=reason, most=most, finished=finished):
            return matches.report_gap(store, match.id, by, reason.strip(), told, most, finished=finished, **terms)
        case C.AddNote(text=text, about=about):
            return matches.note(store, match.id, by, text.strip(), about=about, **terms)
        case C.CallJudge(text=text, answered=0):
            words = write_remark("call", Text("remark.call"), text.strip())
            return matches.note(store, match.id, by, words, about=match.version, **terms)
        case C.CallJudge(text=text, answered=answered):
            words = write_remark("answered", Text("remark.answered", {"entry": answered}), text.strip())
            return matches.note(store, match.id, by, words, about=answered, **terms)
        case C.UndoEntries():
            plan = find_undo(store, match, by, entry=command.entry, redo=command.redo)
            return record_undo(store, match, plan, command, by, terms)
        case C.AskRewind(to=to, reason=reason):
            return matches.ask_rewind(store, match.id, to, reason.strip(), by, **terms)
        case C.RefuseRewind(request=request, reason=reason):
            pending = find_rewind_request(match.entries)
            assert pending is not None, "checked above"
            words = write_remark("refused", Text("remark.refused", {"to": pending.to}), reason.strip())
            return matches.note(store, match.id, by, words, about=request, **terms)
        case C.Rewind(to=to, reason=reason):
            return matches.rewind(store, match.id, to, reason.strip(), by, **terms)
        case C.Describe():
            texts = {name: text for name, text in to_builtins(command).items() if name not in OWN_FIELDS}
            return matches.describe(store, match.id, by, texts, **terms)
        case C.Close(reason=reason, abandon=abandon):
            return matches.close(store, match.id, by, reason.strip(), abandon=abandon, **terms)
        case _:
            return _record_filed(store, match, command, by, told, terms)


def read_fact(match: LoadedMatch, text: str) -> CitedFact:
    """Parse a fact in notation on the match's table; one without a clause is by hand. Raises FormatError."""
    parsed = parse_fact(with_clause(text), match.table, match.opening.schema, match.game.display)
    clause, fact = read_learned(match.game, parsed)
    book = match.game.rulebook.clauses
    if clause and clause not in book:
        raise FormatError(explain_unknown("clause", clause, book, lists=False))
    return clause, fact


def _find_unfit(match: LoadedMatch, command: C.Direct) -> Text | None:
    """Return what a command lacks, or what it names that the record does not have."""
    match command:
        case C.AskRewind(reason=reason) | C.Rewind(reason=reason) | C.RefuseRewind(reason=reason) if not reason.strip():
            return Text("problem.rewind_reason")
        case C.ReportGap(reason=reason) if not reason.strip():
            return Text("problem.no_reason")
        case C.AddNote(text=text) if kind_of(text.strip()) is not None:
            return Text("problem.note_kind")
        case C.CallJudge(answered=entry) if entry and all(each.entry != entry for each in open_calls(match.entries)):
            return Text("problem.no_call", {"entry": entry})
        case C.RefuseRewind(request=request):
            pending = find_rewind_request(match.entries)
            return None if pending and pending.entry == request else Text("problem.no_request", {"entry": request})
        case _:
            return None


# -- undo -------------------------------------------------------------------------------------------------------------


def find_undo(store: Store, match: LoadedMatch, by: str, *, entry: int = 0, redo: bool = False) -> Undo:
    """Return what an undo or a redo by this person would do."""
    if redo:
        return plan_redo(match, match.id, by)
    return plan_undo(match, match.id, by, read_roles(store, match.id, 0), entry)


def obstacle_words(plan: Undo) -> Text:
    """Return why an undo cannot be recorded without a judge, or at all."""
    if plan.obstacle == "nothing":
        return Text("play.redo_nothing" if plan.redo else "play.undo_nothing")
    return Text("undo.needs_judge", {"why": Text(f"undo.why_{plan.obstacle}")})


def record_undo(store: Store, match: LoadedMatch, plan: Undo, command: C.UndoEntries, by: str, terms: Terms) -> Answer:
    """Record an undo, or a call and a request if it needs a judge and `ask` is set."""
    default = " / ".join(say("redo.reason" if plan.redo else "undo.reason", lang) for lang in LANGS)
    reason = command.reason.strip() or default
    if plan.is_free:
        return matches.rewind(store, match.id, plan.to, reason, by, **terms)
    if plan.obstacle == "nothing" or not command.ask:
        return Unfit(obstacle_words(plan))
    return matches.ask_rewind(store, match.id, plan.to, reason, by, calls=True, **terms)


# -- disputes, penalties, the clock -----------------------------------------------------------------------------------


def _record_filed(
    store: Store, match: LoadedMatch, command: C.AnyFiled, by: str, told: CitedFacts, terms: Terms
) -> Answer | Impossible:
    entry = read_filed(store, match, by, command, told)
    return Unfit(entry) if isinstance(entry, Text) else decisions.record_decision(store, match.id, entry, told, **terms)


def read_filed(store: Store, match: LoadedMatch, by: str, command: C.AnyFiled, told: CitedFacts = ()) -> D.Filed | Text:
    """Return the entry of a command, or what is wrong with it. `told` are its facts. A penalty without a step gets the
    one that the match's policy proposes."""
    entry = parse_filed(by, command, told)
    return entry if isinstance(entry, Text) else _propose(store, match, entry)


def parse_filed(by: str, command: C.AnyFiled, told: CitedFacts = ()) -> D.Filed | Text:
    """Return the entry of a command as sent, or why it contradicts itself."""
    match command:
        case C.OpenDispute(about=about, thing=thing, clause=clause, claims=claims, dispute=dispute):
            stripped = {seat: text.strip() for seat, text in claims.items()}
            return D.Disputed(by=by, matter=D.Matter(about, thing, Clause(clause)), claims=stripped, dispute=dispute)
        case C.Rule() | C.Decide():
            return _read_ruling(by, command, told)
        case C.Appeal(dispute=dispute, reason=reason):
            return D.Appealed(by=by, dispute=dispute, reason=reason.strip())
        case C.Penalise(penalty=penalty, reason=reason, departure=departure):
            (given,) = _read_penalties((penalty,))
            return D.Penalised(by=by, penalty=given, reason=reason.strip(), departure=departure.strip())
        case C.Pause(reason=reason):
            return D.Paused(by=by, reason=reason.strip())
        case C.Resume(extension=extension):
            seconds = read_extension(f"{extension}")
            return seconds if isinstance(seconds, Text) else D.Resumed(by=by, extension=seconds * SECOND)
        case C.RevealSecret(seat=seat, secret=secret, reason=reason):
            return D.Revealed(by=by, seat=seat, secret=secret.strip().lower(), reason=reason.strip())


def _read_ruling(by: str, command: C.Rule | C.Decide, told: CitedFacts) -> D.AnyRuling | Text:
    repair = _read_repair(command.to, told, asks=isinstance(command, C.Rule) and command.asks)
    if isinstance(repair, Text):
        return repair
    clauses = tuple(Clause(text) for text in dict.fromkeys(command.clauses))
    penalties, reason, departure = _read_penalties(command.penalties), command.reason.strip(), command.departure.strip()
    if isinstance(command, C.Rule):
        return D.Ruled(
            by=by,
            dispute=command.dispute,
            verdict=command.verdict,
            clauses=clauses,
            penalties=penalties,
            repair=repair,
            reason=reason,
            departure=departure,
        )
    overturns = command.outcome == "overturned"
    replaces = command.verdict or clauses or penalties or repair != D.LEAVE
    if (command.verdict is None) is overturns or (replaces and not overturns):
        return Text("problem.verdict")
    return D.Decided(
        by=by,
        dispute=command.dispute,
        outcome=command.outcome,
        reason=reason,
        verdict=command.verdict or "unclear",
        clauses=clauses,
        penalties=penalties,
        repair=repair,
        departure=departure,
    )


def _read_penalties(given: Sequence[C.PenaltyInput]) -> tuple[D.Penalty, ...]:
    return tuple(D.Penalty(Seat(each.seat), each.step.strip(), each.infraction.strip()) for each in given)


def _read_repair(to: int, told: CitedFacts, *, asks: bool) -> D.Repair | Text:
    if asks and (not to or told):
        return Text("disputes.ask_incomplete")
    if to and told:
        return Text("cli.not_both", {"one": "to", "other": "facts"})
    if to:
        return D.Repair("ask" if asks else "rewind", to)
    return D.Repair("by_hand") if told else D.LEAVE


def _propose(store: Store, match: LoadedMatch, entry: D.Filed) -> D.Filed | Text:
    """Fill in the step that the match's policy proposes for each penalty without one."""
    match entry:
        case D.Ruled(verdict=verdict, dispute=dispute) | D.Decided(verdict=verdict, dispute=dispute):
            penalties: list[D.Penalty] = []
            for penalty in entry.penalties:
                proposed = _propose_penalty(store, match, penalty, verdict, dispute)
                if isinstance(proposed, Text):
                    return proposed
                penalties.append(proposed)
            return replace(entry, penalties=tuple(penalties))
        case D.Penalised(penalty=penalty):
            proposed = _propose_penalty(store, match, penalty, None, 0)
            return proposed if isinstance(proposed, Text) else replace(entry, penalty=proposed)
        case _:
            return entry


def _propose_penalty(
    store: Store, match: LoadedMatch, penalty: D.Penalty, verdict: D.Verdict | None, within: int
) -> D.Penalty | Text:
    if penalty.step:
        return penalty
    return decisions.propose_penalty(store, match, penalty.seat, penalty.infraction, verdict, within)
