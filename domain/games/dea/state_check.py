"""State check after every instruction, move and payment: the last line, then victory."""

from functools import cache
from itertools import chain
from typing import Literal

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects.moves import gain_ep
from domain.games.dea.rules import Rules
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.squares import Size, Square
from domain.table.facts import Finished, Marked
from domain.table.table import CHANCE, CardId, Place, Result, Seat, Table

CheckOccasion = Literal["instruction", "item", "move", "payment", "stack"]
"""Occasion of a check. `payment` includes the opening of a foreshadow, and `stack` is an empty stack."""

Verdict = tuple[Clause, Seat | None, str]
"""Clause, winner (None if chance decides), and reason."""


@implements(C.STATE_CHECKED, C.CHECK_ORDER)
def check_state(rules: Rules, t: LiveTable, moment: CheckOccasion, arrived: CardId | None = None) -> None:
    """Score the last lines, then check victory. `arrived` reached its cell by its own move or attack."""
    if t.result is not None:
        return
    scored = _score_lines(rules, t, arrived)
    ep_to_win = rules.ep_to_win
    verdict = _verdict(rules, t, ep_to_win) if _is_decided(t, ep_to_win) else None
    if verdict is None:
        return
    if not _is_due(rules, t, moment):
        note(t, C.STATE_CHECKED, *_winner(verdict))
        return
    if scored:
        note(t, C.CHECK_ORDER, *scored)
    _decide(t, verdict)


def _winner(verdict: Verdict) -> tuple[Seat, ...]:
    return () if verdict[1] is None else (verdict[1],)


def _is_due(rules: Rules, t: Table, moment: CheckOccasion) -> bool:
    if rules.victory_check == "end_of_item":
        return moment != "instruction" or not t.running
    if rules.victory_check == "end_of_stack":
        outside = (t.clock.phase, t.clock.step) not in ((S.MAIN, S.WINDOW), (S.MAIN, S.RESOLVING))
        return moment == "stack" or (outside and moment != "payment")
    return True


@cache
def _last_lines(size: Size) -> tuple[tuple[Seat, tuple[Place, ...]], ...]:
    columns = range(1, size.columns + 1)
    return tuple(
        (seat, tuple(R.cell_at(Square(column, R.last_line(size, seat))) for column in columns)) for seat in R.SEATS
    )


@implements(C.STANDS_ON_LAST_LINE, C.LINE_ONCE, C.TOKENS_EARN_NOTHING, C.ATTACKER_NOT_ARRIVED, C.LAST_LINE)
def _score_lines(rules: Rules, t: LiveTable, arrived: CardId | None) -> list[CardId]:
    scored: list[CardId] = []
    pieces = t.pieces
    for seat, line in _last_lines(rules.size):
        for character in chain.from_iterable(filter(None, map(t.places.get, line))):
            if pieces[character].owner == seat and _scores(rules, t, character, arrived):
                t.emit(C.LINE_ONCE, Marked((character,), S.LINE_SCORED, 1))
                gain_ep(t, seat, rules.ep_per_line, C.STANDS_ON_LAST_LINE)
                scored.append(character)
    return scored


def _scores(rules: Rules, t: Table, character: CardId, arrived: CardId | None) -> bool:
    if S.LINE_SCORED in t.pieces[character].marks:
        if character == arrived:
            note(t, C.LINE_ONCE, character)
        return False
    if R.is_token(rules, t, character):
        note(t, C.TOKENS_EARN_NOTHING, character)
        return False
    if R.fights_as_attacker(t, character):
        note(t, C.ATTACKER_NOT_ARRIVED, character)
        return False
    if rules.line_ep_cause == "own_move_only" and character != arrived:
        note(t, C.STANDS_ON_LAST_LINE, character)
        return False
    return True


# -- victory ----------------------------------------------------------------------------------------------------------


def _is_decided(t: Table, ep_to_win: int) -> bool:
    for marks in t.seats.values():  # noqa: SIM110 (runs at every check: a generator is a quarter slower)
        if marks.get(S.LIFE, 0) <= 0 or marks.get(S.EP, 0) >= ep_to_win:
            return True
    return False


@implements(C.LIFE_AND_EP, C.LOWER_LIFE_LOSES, C.HIGHER_EP_WINS)
def _verdict(rules: Rules, t: Table, ep_to_win: int) -> Verdict | None:
    life, points = _by_life(t), _by_points(t, ep_to_win)
    return _combine(rules, life, points) if life is not None and points is not None else life or points


def _decide(t: LiveTable, verdict: Verdict) -> None:
    """Finish the match, or ask chance for the winner, at most once."""
    clause, winner, reason = verdict
    if winner is not None:
        t.emit(clause, Finished(Result((winner,), reason)))
    elif not any(asked.kind == "tie_break" for asked in t.asked):
        ask(t, clause, "tie_break", CHANCE, words=(reason,))


def _by_life(t: Table) -> Verdict | None:
    first, second = R.SEATS
    life = {first: R.seat_mark(t, first, S.LIFE), second: R.seat_mark(t, second, S.LIFE)}
    if life[first] > 0 and life[second] > 0:
        return None
    if life[first] > 0 or life[second] > 0:
        return C.LIFE_GONE, first if life[first] > 0 else second, "life"
    if life[first] == life[second]:
        return C.EQUAL_LIFE_BY_CHANCE, None, "life"
    return C.LOWER_LIFE_LOSES, first if life[first] > life[second] else second, "life"


def _by_points(t: Table, ep_to_win: int) -> Verdict | None:
    first, second = R.SEATS
    points = {first: R.seat_mark(t, first, S.EP), second: R.seat_mark(t, second, S.EP)}
    if points[first] < ep_to_win and points[second] < ep_to_win:
        return None
    if points[first] < ep_to_win or points[second] < ep_to_win:
        return C.EP_REACHED, first if points[first] >= ep_to_win else second, "ep"
    if points[first] == points[second]:
        return C.HIGHER_EP_WINS, None, "ep"
    return C.HIGHER_EP_WINS, first if points[first] > points[second] else second, "ep"


def _combine(rules: Rules, life: Verdict, points: Verdict) -> Verdict:
    if rules.simultaneous_win == "ep_first":
        return C.LIFE_AND_EP, *points[1:]
    if rules.simultaneous_win == "chance" and (life[1] is None or life[1] != points[1]):
        return C.LIFE_AND_EP, None, "both"
    return C.LIFE_AND_EP, *life[1:]
