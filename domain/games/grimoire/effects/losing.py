"""Losing: the player of a beaten character leaves the game with all their cards. The last side wins."""

from collections.abc import Mapping
from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.effects.leaving import RETURN, leave_field
from domain.games.grimoire.effects.moves import expel
from domain.games.grimoire.rules import Rules
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import serves
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Clock, Frame, Obj, Result, Seat, Table, ValueColumns, is_over

OWN_AREAS: Final = (S.PERSONAL, S.HAND, S.GRIMOIRE, S.BOOKMARK, S.JUNKYARD, S.REVEAL)


@implements(C.LAST_SIDE_WINS)
def beat(rules: Rules, t: LiveTable, clauses_by_seat: Mapping[Seat, Clause]) -> None:
    """Beat characters at the same time. Their players lose one after another until one side is left."""
    order = []
    for seat in R.from_turn_player(t):
        if seat in clauses_by_seat and not R.is_out(t, seat):
            if rules.od_guard == "automatic" and R.seat_mark(t, seat, S.OD):
                _guard(t, seat, clauses_by_seat[seat])
            else:
                order.append(seat)
    if rules.simultaneous_loss == "draw" and order:
        for seat in order:
            t.emit(clauses_by_seat[seat], F.Marked(seat, S.OUT, 1))
        _finish_if_decided(rules, t)
        for seat in order if not is_over(t) else ():
            _remove_player(rules, t, seat)
        return
    if rules.simultaneous_loss == "turn_player_last":
        order.reverse()
    for seat in order:
        if is_over(t):
            note(t, C.LAST_SIDE_WINS, seat)
            continue
        lose(rules, t, seat, clauses_by_seat[seat])


def _guard(t: LiveTable, seat: Seat, because: Clause) -> None:
    """Spend 1 od to survive: clear all damage and the failed draw."""
    t.emit(because, F.Marked(seat, S.OD, R.seat_mark(t, seat, S.OD) - 1))
    character = R.character(t, seat)
    if character is not None and R.damage(t, character):
        t.emit(because, F.Marked((character,), S.DAMAGE, 0))
    if R.seat_mark(t, seat, S.DRAW_FAILED):
        t.emit(because, F.Marked(seat, S.DRAW_FAILED, 0))


def lose(rules: Rules, t: LiveTable, seat: Seat, because: Clause) -> None:
    """Mark one player as out. If one side is left, it wins."""
    t.emit(because, F.Marked(seat, S.OUT, 1))
    _finish_if_decided(rules, t)
    if not is_over(t):
        _remove_player(rules, t, seat)


@implements(C.LAST_SIDE_WINS, C.FRIENDS_SHARE)
def _finish_if_decided(rules: Rules, t: LiveTable) -> None:
    sides = {R.side(rules, seat) for seat in R.living(t)}
    if len(sides) <= 1:
        for question in t.asked:
            t.emit(C.NOTHING_AFTER_END, F.Popped(question.id, "vanished"))
    if not sides:
        t.emit(C.BEATEN_IN_TURN_ORDER, F.Finished(Result((), "draw")))
    elif len(sides) == 1:
        (last_side,) = sides
        winners = tuple(seat for seat in R.seats(t) if R.side(rules, seat) == last_side)
        if len(winners) > 1:
            note(t, C.FRIENDS_SHARE, *winners)
        t.emit(C.BEATEN_ALL_OPPONENTS, F.Finished(Result(winners, "last_side")))


def _remove_player(rules: Rules, t: LiveTable, seat: Seat) -> None:
    """Remove the player's cards, effects and questions."""
    _close_frames(t, seat)
    controlled = tuple(spell for spell in R.spells(t) if R.controller(t, spell) == seat)
    leave_field(rules, t, controlled, S.REMOVED, C.OUT_CARDS_LEAVE)
    cards = tuple(card for area in OWN_AREAS for card in t.places.get(place_in(seat, area), ()))
    voided = tuple(card for card in t.places.get(R.VOID_PLACE, ()) if t.pieces[card].owner == seat)
    expel(rules, t, cards + voided)
    _remove_options(t, seat)
    clock = t.clock
    if seat in clock.awaited or clock.passed:
        successors = tuple(R.next_living(t, player) if player == seat else player for player in clock.awaited)
        t.emit(
            C.OUT_STACK_AND_EFFECTS,
            F.Clocked(Clock(clock.turn, clock.active, clock.first, clock.phase, clock.step, successors, ())),
        )


def _close_frames(t: LiveTable, seat: Seat) -> None:
    """Remove the player's effects, except returns from the void, and their open questions."""
    asked = [frame for frame in t.asked if frame.by == seat]
    own_effects = {
        frame.id
        for frame in (*t.waiting, *t.running)
        if frame.kind == "effect" and frame.by == seat and R.event_of(frame) != RETURN
    }
    asked += [frame for frame in t.asked if frame.by == CHANCE and serves(frame) in own_effects]
    asked += [
        frame for frame in t.asked if frame.by == CHANCE and frame.kind == "shuffle_grimoire" and frame.seats == (seat,)
    ]
    for question in dict.fromkeys(frame.id for frame in asked):
        t.emit(C.CONCEDED_REQUEST, F.Popped(question, "unanswered"))
    for frame in (*t.waiting, *t.running):
        if frame.id in own_effects:
            t.emit(C.OUT_STACK_AND_EFFECTS, F.Popped(frame.id, "vanished"))


def _remove_options(t: LiveTable, seat: Seat) -> None:
    """Remove the player's cards and seat from other questions. Skip a question with no option left."""
    for question in t.asked:
        if question.kind == "objects":
            objs = tuple(obj for obj in question.objs if t.pieces[obj.card].thing == obj.thing)
            if objs != question.objs:
                _keep_options(t, question, objs, question.cards, question.seats, len(objs))
        elif seat in question.seats:
            seats = tuple(player for player in question.seats if player != seat)
            if question.kind == "random_first_player" and len(seats) == 1:
                t.emit(C.CONCEDED_REQUEST, clock_with_first(t, seats[0]))
                t.emit(C.CONCEDED_REQUEST, F.Popped(question.id, "skipped"))
                continue
            _keep_options(t, question, question.objs, question.cards, seats, len(seats))


def clock_with_first(t: Table, seat: Seat) -> F.Clocked:
    return F.Clocked(Clock(first=seat, phase=S.SET_UP, step=t.clock.step))


def _keep_options(
    t: LiveTable, question: Frame, objs: tuple[Obj, ...], cards: tuple[CardId, ...], seats: tuple[Seat, ...], count: int
) -> None:
    if not count:
        t.emit(C.EMPTY_REQUEST, F.Popped(question.id, "skipped"))
        return
    bounds = tuple(min(n, count) for n in question.numbers)
    columns = ValueColumns(
        frames=question.frames, objs=objs, cards=cards, seats=seats, numbers=bounds, words=question.words
    )
    t.emit(C.CONCEDED_REQUEST, F.Altered(question.id, columns=columns))
