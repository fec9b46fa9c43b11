"""Ask which seat acted, if a line names no seat and does not fit the awaited one.

All checks use the sender's own table, so that the question reveals nothing of hidden cards.
"""

from domain.formats.errors import FormatError
from domain.formats.typed import TypedAction
from domain.judging.passing import next_passer
from domain.judging.trails import known_table
from domain.law.actions import Pass
from domain.law.driver import accepts, decide
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.slots import cards_of
from domain.law.unseen import with_faces
from domain.table.table import Seat, Table
from domain.words import LANGS, Message, Text
from projections import phrases as P
from recorder.usecases.commands import PlayAction
from service.context import MatchView
from service.problems import HttpProblem, http_problem
from service.recording import checks

PASSES_AHEAD = 8
"""Passes of other seats to look past for a seat's action."""


def ask_actor(view: MatchView, play: PlayAction) -> HttpProblem | None:
    """Return the question which seat acted, if another seat than the awaited one is plausible; else None."""
    awaited, table = Seat(play.by), known_table(view.match, view.eyes, view.head)
    if awaited not in table.seats or not _is_doubtful(view, play, awaited):
        return None
    others = [seat for seat in table.seats if seat != awaited and _is_plausible(view, play, seat, table)]
    if not others:
        return None
    seats = (awaited, *others)
    names = Message(*(P.listed((P.seat_name(view.match.names, seat, lang) for seat in seats), lang) for lang in LANGS))
    return http_problem("unreadable", Text("record.whose_line", {"names": names}), actors=seats)


def _is_doubtful(view: MatchView, play: PlayAction, awaited: Seat) -> bool:
    """True if the line cannot be read as the awaited seat's, or is refused to it and only lacks no value."""
    typed = _read_as(view, play, awaited)
    if typed is None:
        return True
    try:
        tried = checks.attempt(view, play)
        return typed.actor == awaited and tried.stands is False and not tried.candidates
    except FormatError:  # it names a card that only shows now
        return False


def _read_as(view: MatchView, play: PlayAction, seat: Seat) -> TypedAction | None:
    try:
        return checks.read_play(view, PlayAction(text=play.text, by=seat), "record")
    except FormatError:
        return None


def _is_plausible(view: MatchView, play: PlayAction, seat: Seat, table: Table) -> bool:
    """True if it is the seat's turn, its own card is named first, or the action is allowed after passes."""
    typed = _read_as(view, play, seat)
    if typed is None or typed.actor != seat:
        return False
    if seat == table.clock.active:
        return True
    first = next(iter(cards_of(typed.action)), None)
    if first is not None and first in table.pieces and table.pieces[first].controller == seat:
        return True
    faces = {card: face for card, face in typed.faces.items() if card in table.pieces and face}
    law = view.match.law
    try:
        after = _after_passes(law, table, seat)
        return after is not None and accepts(law, with_faces(after, faces), seat, typed.action)
    except Exception:  # rules may fail on a table without faces
        return False


def _after_passes(law: Law, table: Table, seat: Seat) -> Table | None:
    """Return the table on which a seat is awaited once others have passed; None if passes do not lead there."""
    for _ in range(PASSES_AHEAD):
        if seat in law.awaited(table):
            return table
        passer = next_passer(law, table)
        outcome = None if passer is None else decide(law, table, passer, Pass())
        if not isinstance(outcome, Accepted):
            return None
        table = outcome.table
    return None
