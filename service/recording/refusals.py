"""Problems of commands that were not recorded: refusals, impossible facts, missing confirmation."""

from typing import Any

from domain.judging.incomplete import COMPLETE, IncompleteAction
from domain.law.clause import Clause
from domain.law.face_request import FaceRequest
from domain.law.slots import Action
from domain.table.table import Seat
from domain.words import LANGS, Message, Text, listed
from projections.findings import sentence
from projections.phrases import player_text
from projections.questions import ending_words
from projections.why import Reason
from recorder.answers import Impossible, NoSuchActor, RecordResult, Reused, Unavailable, Undetermined, Unfit
from recorder.remarks import clause_of
from service.context import MatchView
from service.problems import HttpProblem, RefusedFace, Type, http_problem
from service.recording.checks import unseen_faces


def etag(head: int) -> dict[str, str]:
    return {"ETag": f'"{head}"'}


def require_confirmation(view: MatchView, actor: Seat, action: Action, *, confirmed: bool) -> None:
    """Raise HttpProblem before an action that ends the match, unless it is confirmed. The problem states the effect."""
    if type(action).ends_match and not confirmed:
        raise unconfirmed(ending_words(view.match, actor, action))


def unconfirmed(sure: Text) -> HttpProblem:
    """Return the problem of an unconfirmed command that ends the match. `sure` states its effect."""
    both = Message(sure.say("en"), sure.say("ja"))
    return http_problem("needs-confirmation", Text("problem.confirm", {"sure": both}), sure=both)


def refusal_problem(
    view: MatchView, type: Type, clause: Clause, trail: tuple[Reason, ...], lacking: IncompleteAction = COMPLETE
) -> HttpProblem:
    """Return the refusal of an action, with the clause and its sentence if it may be told."""
    both = sentence(view.match.law, clause) if clause else None
    url = clause_url(view, clause) if clause else ""
    lacks: dict[str, Any] = {"missing": lacking.missing, "candidates": lacking.candidates}
    return http_problem(type, both, clause=clause, clause_url=url, trail=trail, **lacks)


def require_complete(view: MatchView, lacking: IncompleteAction) -> None:
    """Raise HttpProblem, which asks for the missing values, before an incomplete action is recorded."""
    if lacking.missing:
        slots = listed(map(view.match.game.rulebook.both_words, lacking.missing))
        lacks: dict[str, Any] = {"missing": lacking.missing, "candidates": lacking.candidates}
        type: Type = "unreadable" if lacking.can_stand else "physically-impossible"
        raise http_problem(type, Text("line.incomplete", {"slots": slots}), **lacks)


def clause_url(view: MatchView, clause: Clause) -> str:
    """Return the path of a clause in the match's edition, without the language."""
    opened = view.match.opening
    return f"/rules/{opened.game}@{opened.version}/{clause}"


def denial_problem(view: MatchView, note: RecordResult) -> HttpProblem:
    """Return the problem of a command that was refused because of hidden cards."""
    says, clause = Text("problem.impossible", {"entry": note.version}), clause_of(getattr(note.entry, "text", ""))
    cited = {"clause": clause, "clause_url": clause_url(view, clause) if clause else ""}
    return http_problem("physically-impossible", says, headers=etag(note.last), entry=note.version, **cited)


def face_refused(view: MatchView, unfit: Unfit) -> HttpProblem:
    """Return the problem of an impossible face. It names the unseen faces of an open deck list."""
    why, wanted = unfit.what, unfit.wanted
    seat = Seat(str(why.values.get("seat", "")))
    unseen = unseen_faces(view, seat) if seat else ()
    # The refused line may have named one of them.
    unseen = tuple(face for face in unseen if face != why.values.get("face"))
    if seat:
        why = Text(why.key, {**why.values, "seat": player_text(view.match.names, seat)})
    card = None if wanted is None else RefusedFace(wanted.place, wanted.purpose, unfit.before, unfit.after)
    short = view.match.game.display.short
    names = Message(*(" ".join(short(face, lang) for face in unseen) for lang in LANGS))
    says = Text("problem.face_left", {"why": why, "faces": names}) if unseen else why
    return http_problem("unreadable", says, refused_face=card)


def problem_of_result(done: Any) -> HttpProblem:
    """Return the problem of a result that was not recorded."""
    match done:
        case Reused():
            return http_problem("command-reused", first=done.first)
        case Unfit():
            return http_problem("unreadable", done.what)
        case Unavailable():
            # It may have been closed after it was read.
            return http_problem("closed") if done.closed else http_problem("physically-impossible", done.why)
        case Impossible():
            impossible = {"number": done.number, "fact": done.fact.__struct_config__.tag, "detail": done.why}
            return http_problem("physically-impossible", Text("cli.impossible", impossible))
        case FaceRequest():
            return http_problem(
                "unreadable", Text("problem.face_wanted", {"place": done.place}), place=done.place, purpose=done.purpose
            )
        case Undetermined():
            return http_problem("unreadable", done.what)
        case NoSuchActor():
            values = {"actor": done.actor, "awaited": listed(done.awaited)}
            return http_problem("unreadable", Text("cli.not_awaited", values))
        case _:
            raise AssertionError(f"unexpected result of a command: {done}")
