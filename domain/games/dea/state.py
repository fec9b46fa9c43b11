"""State check after every instruction, move and payment: the last line, then victory."""

from functools import cache
from itertools import chain
from typing import Literal

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.effects.moves import gain_ep
from domain.games.dea.rules import Rules
from domain.law.clause import Clause, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.squares import Size, Square
from domain.table.facts import Finished, Marked
from domain.table.table import CHANCE, CardId, Place, Result, Seat, Table

Moment = Literal["instruction", "item", "move", "payment", "stack"]
"""Occasion of a check: after an instruction, an item, a move, or a payment or opening, or with an empty stack."""

Verdict = tuple[Clause, Seat | None, str]
"""Clause, winner (None if chance decides), and reason."""


@carries(C.STATE_CHECKED, C.CHECK_ORDER)
def check_state(rules: Rules, t: Live, moment: Moment, arrived: CardId | None = None) -> None:
    """Score the last lines, then check victory. `arrived` reached its cell by its own move or attack."""
    if t.result is not None:
        return
    scored = _score_lines(rules, t, arrived)
    needed = rules.ep_to_win
    verdict = _verdict(rules, t, needed) if _is_decided(t, needed) else None
    if verdict is None:
        return
    if not _is_due(rules, t, moment):
        note(t, C.STATE_CHECKED, *_about(verdict))
        return
    if scored:
        note(t, C.CHECK_ORDER, *scored)
    _decide(t, verdict)


def _about(verdict: Verdict) -> tuple[Seat, ...]:
    return () if verdict[1] is None else (verdict[1],)


def _is_due(rules: Rules, t: Table, moment: Moment) -> bool:
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


@carries(C.STANDS_ON_LAST_LINE, C.LINE_ONCE, C.TOKENS_EARN_NOTHING, C.ATTACKER_NOT_ARRIVED, C.LAST_LINE)
def _score_lines(rules: Rules, t: Live, arrived: CardId | None) -> list[CardId]:
    scored: list[CardId] = []
    pieces = t.pieces
    for seat, line in _last_lines(rules.size):
        for one in chain.from_iterable(filter(None, map(t.places.get, line))):
            if pieces[one].owner == seat and _scores(rules, t, one, arrived):
                t.tell(C.LINE_ONCE, Marked((one,), S.LINE_SCORED, 1))
                gain_ep(t, seat, rules.ep_per_line, C.STANDS_ON_LAST_LINE)
                scored.append(one)
    return scored


def _scores(rules: Rules, t: Table, one: CardId, arrived: CardId | None) -> bool:
    if S.LINE_SCORED in t.pieces[one].marks:
        if one == arrived:
            note(t, C.LINE_ONCE, one)
        return False
    if R.is_token(rules, t, one):
        note(t, C.TOKENS_EARN_NOTHING, one)
        return False
    if R.fights_as_attacker(t, one):
        note(t, C.ATTACKER_NOT_ARRIVED, one)
        return False
    if rules.line_ep_cause == "own_move_only" and one != arrived:
        note(t, C.STANDS_ON_LAST_LINE, one)
        return False
    return True


# -- victory ----------------------------------------------------------------------------------------------------------


def _is_decided(t: Table, needed: int) -> bool:
    for marks in t.seats.values():  # noqa: SIM110 (it is asked at every check: a generator is a quarter slower)
        if marks.get(S.LIFE, 0) <= 0 or marks.get(S.EP, 0) >= needed:
            return True
    return False


@carries(C.LIFE_AND_EP, C.LOWER_LIFE_LOSES, C.HIGHER_EP_WINS)
def _verdict(rules: Rules, t: Table, needed: int) -> Verdict | None:
    life, points = _by_life(t), _by_points(t, needed)
    return _between(rules, life, points) if life is not None and points is not None else life or points


def _decide(t: Live, verdict: Verdict) -> None:
    """Finish the match, or ask chance once."""
    because, winner, reason = verdict
    if winner is not None:
        t.tell(because, Finished(Result((winner,), reason)))
    elif not any(asked.kind == "tie_break" for asked in t.asked):
        ask(t, because, "tie_break", CHANCE, words=(reason,))


def _by_life(t: Table) -> Verdict | None:
    one, other = R.SEATS
    left = {one: R.seat_mark(t, one, S.LIFE), other: R.seat_mark(t, other, S.LIFE)}
    if left[one] > 0 and left[other] > 0:
        return None
    if left[one] > 0 or left[other] > 0:
        return C.LIFE_GONE, one if left[one] > 0 else other, "life"
    if left[one] == left[other]:
        return C.EQUAL_LIFE_BY_CHANCE, None, "life"
    return C.LOWER_LIFE_LOSES, one if left[one] > left[other] else other, "life"


def _by_points(t: Table, needed: int) -> Verdict | None:
    one, other = R.SEATS
    points = {one: R.seat_mark(t, one, S.EP), other: R.seat_mark(t, other, S.EP)}
    if points[one] < needed and points[other] < needed:
        return None
    if points[one] < needed or points[other] < needed:
        return C.EP_REACHED, one if points[one] >= needed else other, "ep"
    if points[one] == points[other]:
        return C.HIGHER_EP_WINS, None, "ep"
    return C.HIGHER_EP_WINS, one if points[one] > points[other] else other, "ep"


def _between(rules: Rules, life: Verdict, points: Verdict) -> Verdict:
    if rules.simultaneous_win == "ep_first":
        return C.LIFE_AND_EP, *points[1:]
    if rules.simultaneous_win == "chance" and (life[1] is None or life[1] != points[1]):
        return C.LIFE_AND_EP, None, "both"
    return C.LIFE_AND_EP, *life[1:]
