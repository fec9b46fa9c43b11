"""Command handling: find a repeat by its id, check the expected head, decide, and record."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.typed import MissingHiddenCard, TypedAction, read_hidden, read_typed
from domain.judging.incomplete import COMPLETE
from domain.law.clause import BY_HAND, CitedFacts, Refusal
from domain.law.entries import RECORD_ENTRIES, Noted, tables_between
from domain.law.face_request import FaceRequest
from domain.table.table import JUDGE, CardId
from domain.words import Text
from projections.findings import Sentence, sentence
from projections.seen_entries import SeenEntry, seen_entry
from projections.why import reasons
from recorder import matches
from recorder.answers import (
    Advanced,
    Impossible,
    NoSuchActor,
    RecordResult,
    Reused,
    Unavailable,
    Undetermined,
    Unfit,
    Withheld,
)
from recorder.match_loader import LoadedMatch, truncate
from recorder.match_writer import Terms
from recorder.remarks import Call as OpenCall, kind_of, open_calls, write_remark
from recorder.store import Conflict
from recorder.usecases import commands as C
from recorder.usecases.handlers import handle, parse_filed
from service import payloads
from service.access import Operation, Session, may
from service.context import AppContext, MatchView
from service.idempotency import author_of, name_command
from service.problems import HttpProblem, Problem, Type, busy, http_problem
from service.recording import checks, filing, typed_lines, undo
from service.recording.line_actors import ask_actor
from service.recording.passes import pass_all
from service.recording.refusals import (
    clause_url,
    denial_problem,
    etag,
    face_refused,
    problem_of_result,
    refusal_problem,
    require_complete,
    require_confirmation,
    unconfirmed,
)
from service.requests import LOCKED_SECONDS, Request, Response


class AnswerTerms(Struct, frozen=True):
    """Options of the response to a command.

    `acts`: suggest next lines, which only a session that records or plays may see. `by`: the author. `repeated`: the
    command was recorded before.
    """

    acts: bool
    by: str | None = None
    repeated: bool = False


class DeniedCommand(Struct, frozen=True):
    """A command that was refused because of hidden cards. `note` is the entry that records the refusal."""

    note: RecordResult


class UnreadLineNote(Struct, frozen=True):
    """A line that was recorded as a note, and why."""

    note: RecordResult
    why: Problem


Done = (
    RecordResult | Advanced | Conflict | Unavailable | Unfit | Reused | Impossible | Refusal | Undetermined
    | NoSuchActor | FaceRequest | Withheld | MissingHiddenCard | DeniedCommand | UnreadLineNote
)  # fmt: skip
NOTE_PROBLEMS: Final = tuple(f"/problem/{type}" for type in ("not-allowed", "physically-impossible", "unreadable"))
"""Problems after which a line may be recorded as a note."""
SINCE_MAX = 20
"""Newest entries of others that a conflict shows."""
TRIES = 100
"""Attempts to append a command that is valid on any head. Each lost attempt means that another writer succeeded."""
HEAD_DIGITS = 9


def write(request: Request, viewer: str, body: C.AnyCommand, tag: str) -> Response:
    """Record a command on the head that the tag names. The response shows what the viewer sees."""
    match = request.path["match"]
    operation = operation_of(request.session, body)
    view = look(request, viewer, operation)
    command = name_command(request, body)
    before = matches.answered_before(request.context.store, match, command)
    answer_terms = AnswerTerms(operation in ("record", "offer"), author_of(request.session), before is not None)
    if before is not None:
        # It may have been recorded after the match was read.
        view = replace(view, match=request.context.match(match))
        if isinstance(body, C.PassAll) and isinstance(before, RecordResult):
            terms = Terms(expected=before.version - 1, command=command, at=request.context.clock())
            passed = pass_all(request, view, terms)
            view = replace(view, match=request.context.match(match))
            return answer(request.context, view, passed, answer_terms)
        return answer(request.context, view, before, answer_terms)
    if isinstance(body, C.AskRewind) or (isinstance(body, C.Rule) and body.asks):
        request.count("rewinds")
    for _ in range(TRIES):
        if view.match.closed:
            raise http_problem("closed")
        at = expected_head(view, body, tag)
        result = record(request, view, body, Terms(expected=at, command=command, at=request.context.clock()))
        view = replace(view, match=request.context.match(match))
        if not isinstance(result, Conflict):
            request.context.wake(match)
            return answer(request.context, view, result, answer_terms)
    raise busy("store-unavailable", LOCKED_SECONDS)


def look(request: Request, viewer: str, operation: Operation) -> MatchView:
    """Return the match as the author sees it. A player looks as their own seat by default."""
    own_seat = request.session.seat if request.path["match"] in request.session.matches else ""
    return request.look(viewer or own_seat, operation)


def mode_of(session: Session, command: C.PlayAction) -> C.Mode:
    """Return whether an action is recorded or offered."""
    return command.mode or ("record" if may(session, "record") else "offer")


def operation_of(session: Session, command: C.AnyCommand) -> Operation:
    if isinstance(command, C.PlayAction):
        return "record" if mode_of(session, command) == "record" else "offer"
    return command.right


def operation_tried(session: Session, command: C.AnyCommand) -> Operation:
    """Return the operation needed to try a command. A session that records may also try the offers of a player."""
    return "record" if isinstance(command, C.PlayAction) and may(session, "record") else operation_of(session, command)


# -- heads ------------------------------------------------------------------------------------------------------------


def expected_head(view: MatchView, command: C.AnyCommand, tag: str) -> int:
    """Return the match's head if the command follows it. If it does not, raises HttpProblem with
    the newer entries. Entries that leave the table unchanged do not make a head stale."""
    if not tag or (tag == "*" and not command.commutes):
        raise http_problem("precondition-required")
    if tag == "*":
        return view.head
    number = tag[1:-1]
    if not (tag[0] == tag[-1] == '"' and number.isascii() and number.isdecimal() and len(number) <= HEAD_DIGITS):
        raise http_problem("unreadable", Text("problem.if_match"))
    expected = int(number)
    if expected > view.head or not all(isinstance(entry, RECORD_ENTRIES) for entry in view.match.entries[expected:]):
        raise conflict_problem(view, command, expected)
    return view.head


def conflict_problem(view: MatchView, command: C.AnyCommand, known: int) -> HttpProblem:
    """Return the conflict: the entries since, as the author may see them, and whether the command would still be
    valid."""
    first = max(min(known, view.head) + 1, view.head - SINCE_MAX + 1)
    return http_problem(
        "conflict",
        headers=etag(view.head),
        head=view.head,
        since=list_entries(view, first),
        would_stand=checks.stands(view, command),
    )


# -- deciding and recording -------------------------------------------------------------------------------------------


def record(request: Request, view: MatchView, command: C.AnyCommand, terms: Terms) -> Done:
    """Record a command and return the recorder's result.

    All checks before recording use the sender's own table. If the whole table then refuses, a judge is told why. For
    others the reason could reveal hidden cards, so the refusal is recorded as an entry.
    """
    result = carry_out(request, view, command, terms)
    depends_on_hidden = isinstance(result, Refusal | Impossible | Undetermined | MissingHiddenCard)
    if not depends_on_hidden and not (isinstance(result, Unfit) and isinstance(command, C.PlayAction)):
        return result
    if view.eyes.viewer == JUDGE:
        if not isinstance(result, Refusal):
            raise problem_of_result(result)
        trail = reasons(view.eyes, view.match.table, result.trail)
        raise refusal_problem(view, "physically-impossible" if result.by_hand else "not-allowed", result.clause, trail)
    telling = view.match.opening.schema.telling
    clause = result.clause if isinstance(result, Refusal) and result.clause not in telling else BY_HAND
    words = checks.words_of(view, command)
    note = matches.note_refusal(
        request.context.store, view.match.id, author_of(request.session), words, clause, **terms
    )
    return DeniedCommand(note) if isinstance(note, RecordResult) else note


def carry_out(request: Request, view: MatchView, command: C.AnyCommand, terms: Terms) -> Done:
    cited_facts: CitedFacts = ()
    match command:
        case C.RecordLine():
            return record_typed_line(request, view, command, terms)
        case C.PlayAction():
            return record_action(request, view, command, terms)
        case C.PassAll():
            return pass_all(request, view, terms)
        case C.UndoEntries():
            return undo.undo(request, view, command, terms)
        case C.Correct(facts=facts) | C.ReportGap(facts=facts):
            cited_facts = require_possible(view, checks.read_facts(view, facts))
        case C.CallJudge(answered=answered):
            require_answerable(request.session, view.match, answered)
        case C.Close(abandon=abandon) if checks.stands(view, command) and not command.confirm:
            raise unconfirmed(Text("ending.abandon" if abandon else "ending.close"))
        case _ if isinstance(command, C.AnyFiled):
            return record_filed(request, view, command, terms)
        case _:
            pass
    return handle(request.context.store, view.match, command, author_of(request.session), cited_facts, terms=terms)


def require_possible(view: MatchView, facts: CitedFacts) -> CitedFacts:
    """Return facts to be entered by hand. Raises HttpProblem if the sender's table does not allow them."""
    if (impossible := checks.find_impossible(view, facts)) is not None:
        raise problem_of_result(impossible)
    return facts


def record_filed(request: Request, view: MatchView, command: C.AnyFiled, terms: Terms) -> Done:
    """Record a decision outside the play, such as a ruling. Raises HttpProblem if it is out of order."""
    filing.require_right(view, request.session, command)
    facts = checks.read_command_facts(view, command)
    if isinstance(wrong := parse_filed(author_of(request.session), command, facts), Text):
        raise http_problem("unreadable", wrong)
    require_possible(view, facts)
    result = handle(request.context.store, view.match, command, author_of(request.session), facts, terms=terms)
    if isinstance(result, Unfit):
        raise http_problem(filing.problem_of(result.what), result.what)
    return result


def record_typed_line(request: Request, view: MatchView, command: C.RecordLine, terms: Terms) -> Done:
    """Record a line as played. Raises HttpProblem if it is unreadable or impossible, unless the sender accepts a note
    instead."""
    try:
        parsed = typed_lines.read_line(view, command.text)
        if isinstance(parsed, C.PlayAction):
            if (question := ask_actor(view, parsed)) is not None:
                raise question
            parsed = replace(parsed, shows=command.shows, confirm=command.confirm)
        try:
            result = record(request, view, parsed, terms)
        except HttpProblem as error:
            if not (command.note and isinstance(parsed, C.PlayAction) and can_stand(error.problem)):
                raise
            result = record(request, view, replace(parsed, mode="record"), terms)
        if isinstance(result, RecordResult | Advanced | Conflict):
            return result
        if isinstance(result, DeniedCommand):
            return UnreadLineNote(result.note, denial_problem(view, result.note).problem)
        why = problem_of_result(result).problem
    except FormatError as error:
        why = http_problem("unreadable", error.message).problem
    except HttpProblem as error:
        why = error.problem
    if not command.note or why.type not in NOTE_PROBLEMS or (command.asks and (why.place or command.shows)):
        raise HttpProblem(why)
    text = write_remark("unread", Text("remark.unread"), command.text.strip())
    at = typed_lines.about(view, command.text)
    result = matches.note(request.context.store, view.match.id, author_of(request.session), text, about=at, **terms)
    return UnreadLineNote(result, why) if isinstance(result, RecordResult) else result


def can_stand(problem: Problem) -> bool:
    """True if an incomplete action can be recorded as it stands."""
    return bool(problem.missing) and problem.type == "/problem/unreadable"


def require_answerable(session: Session, match: LoadedMatch, answered: int) -> None:
    """Raise HttpProblem if the session may not answer this call. Only its author or a judge may."""
    open_call = next((each for each in open_calls(match.entries) if each.entry == answered), None)
    if open_call is not None and not may_answer(session, match, open_call):
        raise http_problem("no-authority", Text("problem.call_of_another", {"entry": answered}))


def may_answer(session: Session, match: LoadedMatch, call: OpenCall) -> bool:
    """True for a judge and for the caller of the judge. A call that the program made about a sender is for judges
    only."""
    if may(session, "rule", match.id):
        return True
    note = match.entries[call.entry - 1]
    about = match.entries[note.about - 1] if isinstance(note, Noted) and note.about else None
    by_program = isinstance(about, Noted) and kind_of(about.text) == "impossible"
    return may(session, "call", match.id) and call.by == author_of(session) and not by_program


def record_action(request: Request, view: MatchView, command: C.PlayAction, terms: Terms) -> Done:
    """Record an action, as played or as the rules allow. An incomplete one is recorded only if the mode is given."""
    store, match, mode = request.context.store, view.match, mode_of(request.session, command)
    if mode == "offer" and match.undealt:
        raise http_problem("unreadable", Text("problem.real_cards"))
    text = checks.line_of(view, command)
    if mode == "record" and text.split() == checks.AUTO:
        if (unfit := checks.find_unfit_outcome(view, command.shows)) is not None:
            raise face_refused(view, unfit)
        return matches.advance(store, match.id, command.shows, **terms)
    faces: dict[CardId, str | None] = {}
    asks = command.mode is None or mode == "offer"
    if view.eyes.viewer == JUDGE and mode == "record":
        actor, action = read_typed(match, match.table, text, view.eyes, faces, command.by or None)
        if asks:
            require_complete(view, checks.find_lacking(view, command, TypedAction(actor, action, faces=faces)))
    else:
        typed = checks.read_play(view, command, mode)
        actor, action = typed.actor, typed.action
        if mode == "offer" and actor != request.session.seat:
            raise http_problem("no-authority")
        lacking = checks.find_lacking(view, command, typed) if asks else COMPLETE
        if typed.certain and (trail := checks.find_refusal(view, actor, action, mode)):
            type: Type = "not-allowed" if mode == "offer" else "physically-impossible"
            raise refusal_problem(view, type, trail[-1].clause, trail, lacking)
        if mode == "record":
            require_complete(view, lacking)
            named = checks.name_shown_cards(view, command, typed)
            if named is not command:
                command, text, typed = named, named.text, checks.read_play(view, named, mode)
        if (unfit := checks.find_unfit(view, typed, command.shows)) is not None:
            raise face_refused(view, unfit)
        if typed.hidden:
            read = read_hidden(match, match.table, text, typed, view.eyes, faces)
            if isinstance(read, MissingHiddenCard):
                return read
            actor, action = read
    require_confirmation(view, actor, action, confirmed=command.confirm)
    return matches.play(store, match.id, actor, action, mode == "record", faces=faces, shows=command.shows, **terms)


# -- answering --------------------------------------------------------------------------------------------------------


def answer(context: AppContext, view: MatchView, done: Done, terms: AnswerTerms) -> Response:
    """Return the recorded entries as the author sees them. Raises HttpProblem if the command failed."""
    match done:
        case UnreadLineNote(note=note, why=why):
            response = entries_response(context, view, note.version, note.last, terms)
            return replace(response, value=replace(response.value, kept=Sentence(why.en, why.ja)))
        case DeniedCommand(note=note):
            raise denial_problem(view, note)
        case RecordResult(entry=Noted(text=text)) if terms.repeated and kind_of(text) == "impossible":
            raise denial_problem(view, done)
        case RecordResult():
            return entries_response(context, view, done.version, done.last, terms)
        case Advanced(entries=()) if not terms.repeated:
            raise http_problem("out-of-order", Text("chance.not_asked"))
        case Advanced():
            first = done.version - len(done.entries) + 1
            return entries_response(context, view, first, done.version, terms)
        case _:
            raise problem_of_result(done)


def entries_response(context: AppContext, view: MatchView, first: int, last: int, terms: AnswerTerms) -> Response:
    """Return the entries `first` to `last` that one command recorded; empty if there was nothing to record."""
    view = view if last == view.head else replace(view, match=truncate(view.match, last))
    match = view.match
    entries = list_entries(view, first, terms.by)
    flags = tuple(
        payloads.Flag(
            entry=entry.number,
            clause=clause,
            sentence=sentence(match.law, clause),
            clause_url=clause_url(view, clause),
        )
        for entry in entries
        for clause in entry.violations
    )
    value = payloads.EntriesWithFlags(
        match=match.id,
        viewer=view.eyes.viewer,
        head=last,
        entries=entries,
        flags=flags,
        next=checks.suggest_next(view) if terms.acts else (),
    )
    headers = {**etag(last), "Location": f"/api/v1/matches/{match.id}/entries/{first}"}
    if terms.repeated:
        return Response(value, 200, {**headers, "Idempotent-Replay": "1"})
    return Response(value, 201 if entries else 200, headers)


def list_entries(view: MatchView, first: int, by: str | None = None) -> tuple[SeenEntry, ...]:
    """Return the entries from `first`, as this viewer and author sees them."""
    match, policy = view.match, view.match.opening.policy
    moments = tables_between(match.entries, first, match.version, match.after(first - 1))
    return tuple(
        seen_entry(match.game, view.eyes, number, entry, before, by=by, policy=policy, judges=view.judges)
        for number, entry, before, _ in moments
    )
