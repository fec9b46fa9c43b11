"""Automatic steps of a turn, phase by phase."""

from collections.abc import Callable
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects import durations
from domain.games.dea.effects.moves import draw, gain_pages, move_to_sleeve, set_mark
from domain.games.dea.effects.queueing import queue_turn
from domain.games.dea.rules import Rules
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.table.facts import Clocked, Finished, Marked
from domain.table.table import CardId, Clock, Result, Seat


def begin_turn(rules: Rules, t: LiveTable, number: int, active: Seat, clause: Clause) -> None:
    """Begin a turn: clear the records of the last turn, and give the turn player income."""
    durations.end_all(t, S.TURN, C.TURN_EFFECTS_EXPIRE)
    t.emit(clause, Clocked(Clock(number, active, t.clock.first, S.UP, S.INCOME, ())))
    _clear_records(t)
    set_mark(t, active, S.TURNS, R.seat_mark(t, active, S.TURNS) + 1, clause)
    if number == 1 and (rules.first_turn_skips == "pages_and_draw" or rules.first_turn_skips == "pages"):
        note(t, C.FIRST_TURN_SKIPS, active)
    else:
        gain_pages(rules, t, active, rules.pages_per_turn, C.PAGE_INCOME)


@implements(C.RECORDS_CLEARED)
def _clear_records(t: LiveTable) -> None:
    cards_by_mark: dict[str, tuple[CardId, ...]] = {}
    for card, marks in [(card, piece.marks) for card, piece in t.pieces.items() if piece.marks]:
        for name in marks:
            cards_by_mark[name] = (*cards_by_mark.get(name, ()), card)
    for name in sorted(cards_by_mark):
        if name in (S.MOVES_USED, S.ATTACKS_USED) or name.startswith(S.USED.format("")):
            t.emit(C.RECORDS_CLEARED, Marked(cards_by_mark[name], name, 0))


def _draw(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.PHASES, clock_at(t, S.UP, S.DRAW))
    if t.clock.turn == 1 and (rules.first_turn_skips == "pages_and_draw" or rules.first_turn_skips == "draw"):
        note(t, C.FIRST_TURN_SKIPS, active)
        return
    missing = draw(rules, t, active, rules.cards_per_turn, C.TURN_DRAW)
    if missing:
        gain_pages(rules, t, active, missing * rules.empty_draw_pages, C.PAGE_FOR_CARD)


def _start_effects(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.START_EFFECTS, clock_at(t, S.UP, S.EFFECTS))
    queue_turn(rules, t, starts=True)


def _open_main(rules: Rules, t: LiveTable, active: Seat) -> None:
    if t.stack:  # as played: items declared before the main phase resolve first
        t.emit(C.MAIN_BEGINS, clock_at(t, S.MAIN, S.RESOLVING))
    else:
        t.emit(C.MAIN_BEGINS, clock_at(t, S.MAIN, S.OPEN, active))


def end_main_phase(rules: Rules, t: LiveTable, clause: Clause) -> None:
    """End the main phase. Effects that last for the turn end first, unless `down_order` delays them."""
    t.emit(clause, clock_at(t, S.DOWN, S.EXPIRE))
    if rules.down_order != "effects_first":
        durations.end_all(t, S.TURN, C.TURN_EFFECTS_EXPIRE)


def _end_effects(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.END_EFFECTS, clock_at(t, S.DOWN, S.EFFECTS))
    queue_turn(rules, t, starts=False)


@implements(C.HAND_LIMIT)
def _discard(rules: Rules, t: LiveTable, active: Seat) -> None:
    if rules.down_order == "effects_first":
        durations.end_all(t, S.TURN, C.TURN_EFFECTS_EXPIRE)
    t.emit(C.PHASES, clock_at(t, S.DOWN, S.DISCARD))
    hand_size = len(R.hand(t, active))
    if hand_size > rules.hand_size_max:
        note(t, C.HAND_LIMIT, active, Count(hand_size), Count(rules.hand_size_max))
        ask_discard(rules, t, active)


def ask_discard(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Ask for discards down to the hand limit, card by card. A single remaining card needs no question."""
    hand = R.hand(t, active)
    if len(hand) == 1 and rules.hand_size_after_cut == 0:
        move_to_sleeve(t, hand, C.DISCARD_TO_LIMIT)
    elif len(hand) > rules.hand_size_after_cut:
        ask(t, C.DISCARD_TO_LIMIT, "discard_to_limit", active, numbers=(rules.hand_size_after_cut,))


@implements(C.TIME_CALLED)
def _end_turn(rules: Rules, t: LiveTable, active: Seat) -> None:
    if rules.turns_max is not None and t.clock.turn >= rules.turns_max:
        t.emit(C.TIME_CALLED, Finished(Result((), "turns")))
    else:
        begin_turn(rules, t, t.clock.turn + 1, R.opponent(active), C.OPPONENTS_TURN)


Flow = Callable[[Rules, LiveTable, Seat], None]

NEXT_STEPS: Final[dict[tuple[str, str], Flow]] = {
    (S.UP, S.INCOME): _draw,
    (S.UP, S.DRAW): _start_effects,
    (S.UP, S.EFFECTS): _open_main,
    (S.DOWN, S.EXPIRE): _end_effects,
    (S.DOWN, S.EFFECTS): _discard,
    (S.DOWN, S.DISCARD): _end_turn,
}
"""Function that begins the next step, by the current step. A step does its automatic part when it begins."""
