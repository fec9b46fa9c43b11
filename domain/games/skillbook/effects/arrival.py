"""Arrival of a unit on a square: exploring, ignoring a terrain in flight, and triggers on entering."""

from typing import Final

from domain.games.skillbook import board as B, clauses as C, progress as P, schema as S, table_queries as R
from domain.games.skillbook.effects.queueing import TRIGGERED, TriggerEvent, queue, queue_explored
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import CONTINUOUS, EffectsInForce, find_prohibitions, flies
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts.asking import ask, push
from domain.parts.places import obj
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import JUDGE, CardId, Frame, Seat, Table

BY_STEP: Final = 0
BY_TELEPORT: Final = 1
BY_SUMMON: Final = 2

EXPLORE: Final = "explore"
TERRAIN: Final = "terrain"
ENTERED: Final = "entered"


def arrive(t: LiveTable, unit: CardId, square: Square, kind: int) -> None:
    """Push the process for a unit that comes onto a square."""
    step = TERRAIN if kind == BY_SUMMON else EXPLORE
    push(
        t, C.STEP_BY_STEP, "running", "arrival", JUDGE,
        step=step, objs=(obj(t, unit),), places=(B.ground_place(square),), numbers=(kind, 0),
    )  # fmt: skip


def _unit_and_terrain(t: Table, arrival: Frame) -> tuple[CardId | None, CardId | None]:
    """Return the unit and the terrain under it, or two Nones if the unit has left the square."""
    square = R.square_asked(arrival)
    unit = R.resolve_unit(t, R.unit_of(arrival))
    if square is None or unit is None or R.square(t, unit) != square:
        return None, None
    return unit, R.terrain_at(t, square)


@implements(C.EXPLORE_ON_ENTERING, C.FLYING_EXPLORES_FREELY)
def explore(rules: Rules, t: LiveTable, arrival: Frame) -> None:
    """Turn up a face-down terrain. The player may decline for a flying unit or on their own terrain."""
    t.emit(C.STEP_BY_STEP, F.Altered(arrival.id, step=TERRAIN))
    unit, terrain = _unit_and_terrain(t, arrival)
    if unit is None or terrain is None or t.pieces[terrain].up:
        return
    if R.owner(t, terrain) == R.owner(t, unit) or flies(rules, t, EffectsInForce(rules, t), unit):
        if R.owner(t, terrain) != R.owner(t, unit):
            note(t, C.FLYING_EXPLORES_FREELY, unit)
        ask(t, C.EXPLORE_ON_ENTERING, "choose_explore", R.owner(t, unit), arrival.id, places=(R.place_asked(arrival),))
    else:
        turn_up(rules, t, terrain, unit, C.EXPLORE_ON_ENTERING, arrival)


@implements(C.EXPLORED_FOR_GOOD)
def turn_up(
    rules: Rules, t: LiveTable, terrain: CardId, unit: CardId | None, because: Clause, arrival: Frame | None = None
) -> None:
    t.emit(because, F.Turned((terrain,), True))
    if arrival is not None:
        t.emit(because, F.Altered(arrival.id, columns=R.with_number(arrival, 1, 1)))
    queue_explored(rules, t, terrain, unit)


@implements(C.TERRAIN_IGNORED, C.EXPLORER_SUBJECT)
def ask_terrain(rules: Rules, t: LiveTable, arrival: Frame) -> None:
    """Let a flying unit ignore the continuous abilities of a terrain, unless it has just explored it."""
    t.emit(C.STEP_BY_STEP, F.Altered(arrival.id, step=ENTERED))
    unit, terrain = _unit_and_terrain(t, arrival)
    if unit is None or terrain is None or not t.pieces[terrain].up:
        return
    if CONTINUOUS[rules.cards][t.pieces[terrain].face] and flies(rules, t, EffectsInForce(rules, t), unit):
        if R.explored_now(arrival):
            note(t, C.EXPLORER_SUBJECT, unit)
            return
        owner, places = R.owner(t, unit), (R.place_asked(arrival),)
        ask(t, C.TERRAIN_IGNORED, "choose_terrain_effect", owner, arrival.id, places=places)


@implements(C.SUMMONING_IS_NOT_ENTERING, C.NOT_IGNORED)
def enter(rules: Rules, t: LiveTable, arrival: Frame) -> None:
    """Trigger the abilities on entering. Summoning is not entering."""
    unit, terrain = _unit_and_terrain(t, arrival)
    t.emit(C.STEP_BY_STEP, F.Popped(arrival.id, "done"))
    if unit is None or terrain is None:
        return
    is_face_down = not t.pieces[terrain].up
    has_trigger = not is_face_down and "entered" in TRIGGERED[rules.cards][t.pieces[terrain].face]
    if R.kind_of_arrival(arrival) == BY_SUMMON:
        if is_face_down or has_trigger:
            note(t, C.SUMMONING_IS_NOT_ENTERING, unit)
        return
    if is_face_down:
        return
    if has_trigger and R.mark(t, unit, S.IGNORES):
        note(t, C.NOT_IGNORED, terrain)
    queue(rules, t, terrain, TriggerEvent("entered", unit))


@implements(C.TELEPORT_DESPITE_BAN, C.TELEPORT_SKIPS_WAY, C.TELEPORT_IS_ONE, C.TELEPORT_ARRIVAL)
def teleport(rules: Rules, t: LiveTable, unit: CardId, square: Square) -> None:
    """Teleport a unit past obstructions and bans on moving. Its open move ends."""
    banning = find_prohibitions(rules, t, EffectsInForce(rules, t), "move", unit) if collects_notes(t) else ()
    if banning:
        note(t, C.TELEPORT_DESPITE_BAN, unit, *banning)
    end_move_of(t, unit, C.TELEPORT_IS_ONE)
    _displace(t, unit, square)
    if rules.teleport_arrival == "full_move":
        t.emit(C.TELEPORT_ARRIVAL, F.Marked((unit,), S.MOVED, t.clock.turn))
    if rules.teleport_arrival != "none":
        arrive(t, unit, square, BY_TELEPORT)


def swap(rules: Rules, t: LiveTable, first: CardId, second: CardId) -> None:
    """Teleport two units at once. The turn player's unit arrives first, then in the order named."""
    start, end = R.square(t, first), R.square(t, second)
    pairs = [(first, end), (second, start)]
    for unit, _ in pairs:
        end_move_of(t, unit, C.TELEPORT_IS_ONE)
    for unit, square in pairs:
        _displace(t, unit, square)
        if rules.teleport_arrival == "full_move":
            t.emit(C.TELEPORT_ARRIVAL, F.Marked((unit,), S.MOVED, t.clock.turn))
    if rules.teleport_arrival != "none":
        order = R.seats_in_turn_order(t)
        arriving = sorted(pairs, key=lambda pair: order.index(R.owner(t, pair[0])))
        for unit, square in arriving[::-1]:
            arrive(t, unit, square, BY_TELEPORT)


def _displace(t: LiveTable, unit: CardId, square: Square) -> None:
    t.emit(C.TELEPORT_ARRIVAL, F.Moved((unit,), B.unit_place(square), up=True))
    if R.mark(t, unit, S.IGNORES):
        t.emit(C.TERRAIN_IGNORED, F.Marked((unit,), S.IGNORES, 0))


def end_move_of(t: LiveTable, unit: CardId, because: Clause) -> None:
    """End the open move of a unit. Its last step can still be responded to."""
    move = P.process(t, "move")
    if move is not None and P.is_open_move(move) and R.unit_of(move).card == unit:
        t.emit(because, F.Altered(move.id, step="halted" if move.step == "stepped" else "ended"))


STEPS: Final = {EXPLORE: explore, TERRAIN: ask_terrain, ENTERED: enter}

_STANCES: Final = {"resting": S.RESTING, "active": S.ACTIVE, "exhausted": S.EXHAUSTED}


@implements(C.SUMMONED_STATE)
def enter_resting(rules: Rules, t: LiveTable, unit: CardId, square: Square) -> None:
    """Set the stance of a summoned or created unit and begin its arrival."""
    stance = _STANCES[rules.summoned_unit_state]
    if stance != S.ACTIVE:
        t.emit(C.SUMMONED_STATE, F.Stanced((unit,), stance))
    arrive(t, unit, square, BY_SUMMON)


def summon(rules: Rules, t: LiveTable, card: CardId, square: Square) -> None:
    t.emit(C.SUMMON_SQUARE, F.Moved((card,), B.unit_place(square), up=True))
    enter_resting(rules, t, card, square)


@implements(C.TOKENS_REMOVED)
def make_token(rules: Rules, t: LiveTable, seat: Seat, face: str, square: Square) -> None:
    """Create a token, which is not a card."""
    new = CardId(max(t.pieces) + 1)
    t.emit(C.TOKENS_REMOVED, F.Created(B.unit_place(square), (new,), (face,), seat))
    t.emit(C.TOKENS_REMOVED, F.Turned((new,), True))
    enter_resting(rules, t, new, square)
