"""Steps of a turn: the automatic actions on entering each, and the step that follows if no decision is due."""

from collections.abc import Callable
from typing import Final

from domain.games.skillbook import clauses as C, schema as S, table_queries as R
from domain.games.skillbook.effects.damage import lose_hp
from domain.games.skillbook.effects.queueing import queue_everywhere, queue_removed
from domain.games.skillbook.effects.windows import open_window
from domain.games.skillbook.effects.zones import draw, remove
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.state import check_losses, judge
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.table import facts as F
from domain.table.table import CHANCE, Clock, Seat


def begin_turn(rules: Rules, t: LiveTable, number: int, active: Seat, because: Clause) -> None:
    """Begin a turn: activate the player's units, and call time at the turn limit."""
    t.emit(because, F.Clocked(Clock(number, active, t.clock.first, S.TURN_START, S.RECOVER, ())))
    if t.marks.get(S.CHARGING):
        t.emit(because, F.Marked(None, S.CHARGING, 0))
    if rules.turns_max is not None and number >= rules.turns_max and not t.marks.get(S.TIME_CALLED):
        t.emit(C.TIME_CALLED, F.Marked(None, S.TIME_CALLED, 1))
    tired = tuple(unit for unit in R.units(rules, t) if R.owner(t, unit) == active and R.stance(t, unit) != S.ACTIVE)
    if tired:
        t.emit(C.RECOVERY, F.Stanced(tired, S.ACTIVE))


def _start_triggers(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.TURN_START_EFFECTS, clock_at(t, S.TURN_START, S.TRIGGERS))
    queue_everywhere(rules, t, "turn_start")


def _start_window(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.CHANCE_ALTERNATES, clock_at(t, S.TURN_START, S.WINDOW))
    open_window(t, "turn_start", active)


@implements(C.TURN_DRAW)
def _draw(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Draw, except on the first turn if the rules say so."""
    if _check_books(rules, t):
        return
    t.emit(C.TURN_DRAW, clock_at(t, S.DRAW, S.DRAW))
    if t.clock.turn == 1 and rules.first_turn_draw != "yes":
        note(t, C.TURN_DRAW, active)
        return
    draw(rules, t, active, rules.draw_per_turn, C.TURN_DRAW)


def _check_books(rules: Rules, t: LiveTable) -> bool:
    """Check the books if the rules do so while nothing is in progress. Return True if the match is over."""
    return rules.book_out_check == "idle" and check_losses(rules, t, books=True)


def _charge(rules: Rules, t: LiveTable, active: Seat) -> None:
    if not _check_books(rules, t):
        t.emit(C.CHARGING, clock_at(t, S.CHARGE, S.CHOICE, active))


def go_idle(rules: Rules, t: LiveTable, active: Seat) -> None:
    if not _check_books(rules, t):
        t.emit(C.MAIN_PHASE, clock_at(t, S.MAIN, S.IDLE, active))


@implements(C.LAST_CHANCE)
def begin_end(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Begin the end of the turn with a last window."""
    t.emit(C.LAST_CHANCE, clock_at(t, S.END, S.START))
    open_window(t, "end_start", active)


@implements(C.CHARGE, C.CHARGE_ORDER)
def _after_window(rules: Rules, t: LiveTable, active: Seat) -> None:
    if _check_books(rules, t):
        return
    if not t.marks.get(S.CHARGING):
        _reset(rules, t, active)
        return
    t.emit(C.CHARGE_ORDER, clock_at(t, S.END, S.LOSE_HP))
    hero = R.hero(rules, t, active)
    if hero is not None:
        lose_hp(t, hero, rules.charge_hp, C.CHARGE)


def _mix(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Combine graveyard and book into a new book that chance shuffles."""
    t.emit(C.CHARGE_ORDER, clock_at(t, S.END, S.MIX))
    buried = R.graveyard(t, active)
    if buried:
        t.emit(C.CHARGE, F.Moved(buried, R.BOOKS[active]))
    if R.book(t, active):
        ask(t, C.CHARGE, "shuffle_book", CHANCE, seats=(active,))


@implements(C.REMOVED_HIDDEN)
def _remove_top(rules: Rules, t: LiveTable, active: Seat) -> None:
    """Remove the top cards of the new book face down. Cards that trigger on removal are revealed."""
    t.emit(C.CHARGE_ORDER, clock_at(t, S.END, S.TAKE))
    cards = R.book(t, active)[: rules.charge_removed]
    if cards:
        remove(t, cards, C.CHARGE, up=False)
        queue_removed(rules, t, cards)
        revealed = tuple(R.source_of(trigger).card for trigger in t.waiting if R.event_of(trigger) == "removed")
        if revealed:
            t.emit(C.REVEALED_FOR_EFFECT, F.Turned(revealed, True))


def _reset(rules: Rules, t: LiveTable, active: Seat) -> None:
    if _check_books(rules, t):
        return
    t.emit(C.TURN_END_EFFECTS, clock_at(t, S.END, S.RESET))
    queue_everywhere(rules, t, "turn_end")


def _expire(rules: Rules, t: LiveTable, active: Seat) -> None:
    """End the effects of the turn, and heal damage unless a check comes in between."""
    t.emit(C.TURN_EFFECTS_END, clock_at(t, S.END, S.HEAL))
    ending = tuple(effect.id for effect in t.effects if effect.until == S.EOT)
    if ending:
        t.emit(C.TURN_EFFECTS_END, F.Ended(ending))
    if rules.reset_check_between != "yes":
        _heal(rules, t)


def _heal(rules: Rules, t: LiveTable) -> None:
    hurt = tuple(unit for unit in R.units(rules, t) if R.mark(t, unit, S.DAMAGE) and not R.is_hero(rules, t, unit))
    if hurt:
        t.emit(C.DAMAGE_HEALED, F.Marked(hurt, S.DAMAGE, 0))


def _judgment(rules: Rules, t: LiveTable, active: Seat) -> None:
    if rules.reset_check_between == "yes":
        _heal(rules, t)
    if _check_books(rules, t):
        return
    t.emit(C.JUDGMENT, clock_at(t, S.END, S.JUDGE))
    judge(rules, t)


def _next_turn(rules: Rules, t: LiveTable, active: Seat) -> None:
    begin_turn(rules, t, t.clock.turn + 1, R.opponent(active), C.TURNS_ALTERNATE)


FLOW: Final[dict[tuple[str, str], Callable[[Rules, LiveTable, Seat], None]]] = {
    (S.TURN_START, S.RECOVER): _start_triggers,
    (S.TURN_START, S.TRIGGERS): _start_window,
    (S.TURN_START, S.WINDOW): _draw,
    (S.DRAW, S.DRAW): _charge,
    (S.MAIN, S.ON_STACK): go_idle,
    (S.END, S.START): _after_window,
    (S.END, S.LOSE_HP): _mix,
    (S.END, S.MIX): _remove_top,
    (S.END, S.TAKE): _reset,
    (S.END, S.RESET): _expire,
    (S.END, S.HEAL): _judgment,
    (S.END, S.JUDGE): _next_turn,
    **{(phase, step): go_idle for phase in (S.MOVE, S.BATTLE) for step in S.STEPS[phase]},
}
"""Next step by phase and step, for steps without a decision."""
