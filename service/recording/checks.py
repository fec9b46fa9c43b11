"""Checks of commands before they are recorded, using only what the viewer knows of the table."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.formats.errors import FormatError, explain_unknown
from domain.formats.faces import read_learned, split_faces
from domain.formats.facts import parse_fact
from domain.formats.names import SOME_CARD
from domain.formats.typed import (
    TypedAction,
    read_seen,
    read_shown,
    with_clause,
    write_mapping,
)
from domain.judging.allowed import suggest_lines
from domain.judging.incomplete import IncompleteAction, find_incomplete
from domain.judging.trails import certain_trail, explain_action, known_table
from domain.law.clause import CitedFact, CitedFacts, Refusal
from domain.law.face_request import FaceRequest
from domain.law.game import UNKNOWN_FACE
from domain.law.slots import Action, cards_of, misplaced_cards
from domain.law.unseen import RealCardAction, count_listed_faces, with_faces
from domain.table.draft import Draft
from domain.table.physics import physics_of
from domain.table.table import CHANCE, CardId, Seat, Table
from domain.words import Message, Text
from projections.findings import sentence
from projections.knowledge import Ledger, knowledge
from projections.seen_facts import SeenFact, see_facts
from projections.why import Reason, reasons, why_not
from recorder.answers import Impossible, Undetermined, Unfit
from recorder.match_writer import enter_by_hand
from recorder.real_cards import (
    DictationOutcome,
    decide_with_faces,
    missing_outcome,
    record_shuffles,
    unused_faces_error,
)
from recorder.usecases.commands import (
    AnyCommand,
    AnyFiled,
    Close,
    Correct,
    Decide,
    Mode,
    PlayAction,
    RecordLine,
    ReportGap,
    Rewind,
    Rule,
    UndoEntries,
)
from recorder.usecases.handlers import parse_filed
from service.context import MatchView
from service.payloads import Tried
from service.recording import filing
from service.recording.typed_lines import read_line

ACTOR_MARK = ": "
"""Follows the actor at the beginning of a line."""
NEXT = 3
"""Lines suggested after a response."""
LINES = 400
"""Lines of a verb sent to a viewer who may choose: more than any list of the games has."""
UNSEEN = re.compile(r"(?<![^\s,=>])\?(?![^\s,>])")
"""An unseen card in a line."""
AUTO = ["chance:", "auto"]
"""The line that lets the croupier answer for chance."""


def line_of(view: MatchView, command: PlayAction) -> str:
    """Return an action as a line of notation. Raises FormatError."""
    if command.action is None:
        return command.text
    if command.text:
        raise FormatError(Text("problem.text_and_action"))
    return write_mapping(view.match.game, command.action)


def words_of(view: MatchView, command: AnyCommand) -> str:
    """Return a refused command in words, for the note that records the refusal."""
    match command:
        case PlayAction(by=by, shows=shows):
            line = line_of(view, command)
            return " ".join((line if not by or ACTOR_MARK in line else f"{by}: {line}", *shows))
        case Correct(facts=facts) | ReportGap(facts=facts) | Rule(facts=facts) | Decide(facts=facts):
            return f"{command.__struct_config__.tag}: {'; '.join(facts)}"
        case _:
            raise AssertionError(f"refused by hidden cards: {command}")


def read_play(view: MatchView, command: PlayAction, mode: Mode) -> TypedAction:
    """Return the actor and the action, read from what the viewer sees. A recorded action may also name newly shown
    faces. Raises FormatError."""
    match, text, actor = view.match, line_of(view, command), command.by or None
    if mode == "record":
        return read_shown(match, match.table, text, view.eyes, actor)
    return TypedAction(*read_seen(match, match.table, text, view.eyes, actor))


def find_refusal(view: MatchView, actor: Seat, action: Action, mode: Mode) -> tuple[Reason, ...]:
    """Return the checks up to the one that refuses the action regardless of hidden cards; empty if none does.

    Decided on the viewer's own table. An action recorded as played is refused by physical clauses only.
    """
    match = view.match
    blind, trail = certain_trail(match, view.eyes, view.head, actor, action)
    kinds = {step.clause: match.game.rulebook.clauses[step.clause].kind for step in trail if step.holds is False}
    is_misplaced = bool(misplaced_cards(blind, actor, action))
    for number, step in enumerate(trail, start=1):
        if step.holds is False and (mode == "offer" or is_misplaced or kinds[step.clause] == "physical"):
            return reasons(view.eyes, blind, trail[:number])
    return ()


def find_lacking(view: MatchView, command: PlayAction, typed: TypedAction) -> IncompleteAction:
    """Return the slots that an action lacks; none if it is complete, or if the viewer does not know."""
    line = line_of(view, command)
    shown = _find_shown_faces(view, typed, command.shows)
    return find_incomplete(view.match, view.match.table, line, view.eyes, typed, shown)


def name_shown_cards(view: MatchView, command: PlayAction, typed: TypedAction) -> PlayAction:
    """Return the command with the faces shown for its `?` cards in its line, as if typed there. A face may then mean a
    card that the log knows and the viewer cannot follow."""
    shown = _find_shown_faces(view, typed, command.shows)
    if not shown:
        return command
    line = line_of(view, command)
    known = view.eyes.without_hidden_faces(view.match.table)
    unseen = [card for card in cards_of(typed.action) if known.pieces[card].face is None and card not in typed.faces]
    named = {card: face for card, face in shown.items() if face != UNKNOWN_FACE and card in unseen}
    if not named or len(UNSEEN.findall(line)) != len(unseen):
        return command
    cards, left = iter(unseen), list(split_faces(view.match.game, command.shows))
    for face in named.values():
        left.remove(face)
    text = UNSEEN.sub(lambda _: named.get(next(cards), SOME_CARD), line)
    return replace(command, text=text, action=None, shows=tuple(left))


def _find_shown_faces(view: MatchView, typed: TypedAction, shows: Sequence[str]) -> dict[CardId, str]:
    """Return the faces shown for cards that the action names, from what the viewer knows; none if one does not fit."""
    if not (shows and view.match.undealt):
        return {}
    known, found = remembered_table(view), dict[CardId, str]()
    play, hidden = replace(_whole_play(view, typed), table=known), hidden_cards(view, known)
    named = split_faces(view.match.game, shows)
    for number, face in enumerate(named):
        request = decide_with_faces(play, named[:number], hidden)
        if isinstance(request, FaceRequest) and request.card in cards_of(typed.action):
            found[request.card] = face
    return {} if isinstance(decide_with_faces(play, shows, hidden), Unfit) else found


def _whole_play(view: MatchView, typed: TypedAction) -> RealCardAction:
    """Return an action as played, on the table with all that the log knows."""
    match, named = view.match, (typed.actor, typed.action, typed.faces)
    return RealCardAction(
        match.law, physics_of(match.opening.schema), match.opening, match.table, *named, as_played=True
    )


def find_unfit(view: MatchView, typed: TypedAction, shows: Sequence[str]) -> Unfit | None:
    """Return why the named or shown faces are impossible, from what the viewer knows. A refusal that depends on the
    whole table is left to recording."""
    match = view.match
    if not match.undealt:
        return unused_faces_error(shows) if shows else None
    if not (typed.certain and (shows or typed.faces)):
        return None
    known = remembered_table(view)
    hidden = hidden_cards(view, known)
    whole_play = _whole_play(view, typed)
    decision = decide_with_faces(replace(whole_play, table=known), shows, hidden)
    if hidden and isinstance(decision, Unfit):
        whole = decide_with_faces(whole_play, decision.before)
        if _asks_for_another(decision, whole):
            return None
    if isinstance(decision, Undetermined):
        whole = decide_with_faces(whole_play, shows) if hidden else decision
        return (decision.unnamed or Unfit(decision.what)) if isinstance(whole, Undetermined) else None
    if isinstance(decision, DictationOutcome) and isinstance(decision.outcome, Refusal):
        clause = sentence(match.law, decision.outcome.clause)
        why = Text("problem.face_clause", {"says": Message(clause.en, clause.ja)})
        return Unfit(why, decision.wanted, decision.before)
    return decision if isinstance(decision, Unfit) else None


def remembered_table(view: MatchView) -> Table:
    """Return the table with the faces of the cards that the viewer sees, or saw and can follow."""
    seen = (card for each in _own_ledgers(view) for card in each.cards)
    faces = {known.thing: known.face for known in seen if known.thing and known.sure and known.place is not None}
    blind = view.eyes.without_hidden_faces(view.match.table)
    unseen = ((card, piece.thing) for card, piece in blind.pieces.items() if piece.face is None)
    return with_faces(blind, {card: faces[thing] for card, thing in unseen if thing in faces})


def hidden_cards(view: MatchView, known: Table) -> frozenset[CardId]:
    """Return the cards that the log knows and the viewer does not. No face is asked for these."""
    pieces = view.match.table.pieces
    unknown = (card for card, piece in known.pieces.items() if piece.face is None)
    return frozenset(card for card in unknown if card in pieces and pieces[card].face is not None)


def _own_ledgers(view: MatchView) -> Iterator[Ledger]:
    return (each for each in knowledge(view.match, view.eyes) if each.who == view.eyes.viewer)


def seen_faces(view: MatchView, seat: Seat) -> Counter[str]:
    """Count the faces of a seat's cards that the viewer has seen."""
    return Counter(known.face for each in _own_ledgers(view) for known in each.cards if known.owner == seat)


def unseen_faces(view: MatchView, seat: Seat) -> tuple[str, ...]:
    """Return the faces of a seat's deck that the viewer has not seen; empty unless deck lists are open."""
    match = view.match
    if match.game.own_decks:
        return ()
    return tuple(sorted((count_listed_faces(match.opening, seat) - seen_faces(view, seat)).elements()))


def deck_faces(view: MatchView, seat: Seat) -> tuple[str, ...]:
    """Return the faces of a seat's deck; empty unless deck lists are open."""
    match = view.match
    if match.game.own_decks:
        return ()
    return tuple(
        sorted(face for face in count_listed_faces(match.opening, seat) or match.game.faces() if face != UNKNOWN_FACE)
    )


def find_unfit_outcome(view: MatchView, shows: Sequence[str]) -> Unfit | None:
    """Return why faces shown for a chance outcome are impossible on the viewer's table."""
    match = view.match
    if not match.undealt or not shows:
        return None
    known = remembered_table(view)
    hidden = hidden_cards(view, known)
    _, table, left = record_shuffles(match.law, match.opening, known, shows, 0, hidden)
    if not left or CHANCE not in match.law.awaited(table):
        return None
    outcome = missing_outcome(match.law, match.opening, table, left, hidden)
    unfit = outcome.unnamed if isinstance(outcome, Undetermined) else outcome
    if not isinstance(unfit, Unfit):
        return None
    named = shows if isinstance(outcome, Undetermined) else unfit.before
    _, table, left = record_shuffles(match.law, match.opening, match.table, named, 0)
    if CHANCE not in match.law.awaited(table):
        return unfit
    whole = missing_outcome(match.law, match.opening, table, left)
    if isinstance(outcome, Undetermined):
        return unfit if isinstance(whole, Undetermined) else None
    return None if _asks_for_another(unfit, whole) else unfit


def _asks_for_another(unfit: Unfit, whole: object) -> bool:
    """True if the whole table asks for another card than the one refused on the viewer's table. The page shows anyway
    which card is asked for next."""
    return isinstance(whole, FaceRequest) and unfit.wanted is not None and whole.card != unfit.wanted.card


def read_facts(view: MatchView, texts: Sequence[str]) -> tuple[CitedFact, ...]:
    """Return facts read from notation on the viewer's table. Bare facts are by hand. Raises FormatError."""
    blind = view.eyes.without_hidden_faces(view.match.table)
    return tuple(_read_fact(view, blind, text) for text in texts)


def find_impossible(view: MatchView, facts: CitedFacts) -> Impossible | None:
    """Return the first fact that is physically impossible on the viewer's own table."""
    result = enter_by_hand(view.eyes.physics, view.eyes.without_hidden_faces(view.match.table), facts)
    return result if isinstance(result, Impossible) else None


def _read_fact(view: MatchView, table: Table, text: str) -> CitedFact:
    match = view.match
    parsed = parse_fact(with_clause(text), table, match.opening.schema, match.game.display, eyes=view.eyes)
    clause, fact = read_learned(match.game, parsed)
    book = match.game.rulebook.clauses
    if clause and clause not in book:
        raise FormatError(explain_unknown("clause", clause, book, lists=False))
    return clause, fact


def read_command_facts(view: MatchView, command: AnyFiled) -> CitedFacts:
    return read_facts(view, command.facts) if isinstance(command, Rule | Decide) else ()


def attempt(view: MatchView, command: AnyCommand) -> Tried:
    """Return the outcome of a command. Raises FormatError if the viewer cannot name something in the command."""
    match = view.match
    if isinstance(command, RecordLine):
        return attempt(view, read_line(view, command.text))
    tried = Tried(match=match.id, viewer=view.eyes.viewer, head=view.head)
    if not isinstance(command, PlayAction):
        return Tried(match=match.id, viewer=view.eyes.viewer, head=view.head, stands=stands(view, command))
    if line_of(view, command).split() == AUTO:
        return tried
    actor, action = read_seen(match, match.table, line_of(view, command), view.eyes, command.by or None)
    outcome = why_not(match, view.eyes, view.head, actor, action)
    lacking = find_lacking(view, command, TypedAction(actor, action))
    return Tried(
        match=match.id,
        viewer=view.eyes.viewer,
        head=view.head,
        stands=_read_outcome(outcome.consulted),
        trail=outcome.consulted,
        facts=_preview_facts(view, actor, action, as_played=not outcome.allowed),
        missing=lacking.missing,
        candidates=lacking.candidates,
    )


def _read_outcome(trail: Sequence[Reason]) -> bool | None:
    """True if all clauses hold, False if one fails, None if unknown."""
    if any(step.holds is False for step in trail):
        return False
    return None if any(step.holds is None for step in trail) else True


def _preview_facts(view: MatchView, actor: Seat, action: Action, as_played: bool) -> tuple[SeenFact, ...]:
    """Return the effects, up to the first face that the rules read and the viewer does not know."""
    table = known_table(view.match, view.eyes, view.head)
    try:
        facts = explain_action(view.match.law, table, actor, action, as_played=as_played).told
        return see_facts(view.eyes, Draft(table), facts)
    except Exception:  # rules may fail on a table without faces; then no effects are known
        return ()


def stands(view: MatchView, command: AnyCommand) -> bool | None:
    """True if a command would be valid now; None if the viewer cannot know."""
    match = view.match
    try:
        match command:
            case RecordLine(text=text):
                return stands(view, read_line(view, text))
            case PlayAction():
                return attempt(view, command).stands
            case Correct(facts=facts):
                return _are_possible(view, facts)
            case ReportGap(facts=facts):
                return not facts or _are_possible(view, facts)
            case UndoEntries():
                return None
            case Rewind(to=to):
                return 1 <= to < view.head
            case Close():
                return match.table.result is not None or bool(command.abandon and command.reason.strip())
            case _ if isinstance(command, AnyFiled):
                entry = parse_filed("", command, read_command_facts(view, command))
                return not isinstance(entry, Text) and filing.stands(view, entry)
            case _:
                return True
    except FormatError:
        return None


def _are_possible(view: MatchView, texts: Sequence[str]) -> bool:
    """True if these facts could have happened in this order, as far as the viewer can know."""
    return bool(texts) and find_impossible(view, read_facts(view, texts)) is None


def suggest_next(view: MatchView) -> tuple[str, ...]:
    return () if view.match.closed else suggest_lines(view.match, view.eyes, view.head, NEXT)
