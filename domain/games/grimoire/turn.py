"""A turn, phase by phase: what each does by itself on being entered, and which comes next where nobody decides."""

from collections.abc import Callable, Iterator

from domain.games.grimoire import clauses as C
from domain.games.grimoire.checkpoint import checkpoint
from domain.games.grimoire.effects.instructions import extendable
from domain.games.grimoire.effects.leaving import end, unplay
from domain.games.grimoire.effects.moves import draw
from domain.games.grimoire.effects.triggers import may_trigger, triggers
from domain.games.grimoire.effects.voiding import bring_back
from domain.games.grimoire.reading import (
    character,
    controller,
    damage,
    grimoire,
    has,
    living,
    next_frame,
    next_living,
    objects,
    spells,
)
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    ACTIONS,
    AUTO,
    CAPACITY,
    CHOSEN,
    DAMAGE,
    END,
    EXTENDED,
    FINALIZE,
    INITIALIZE,
    MAIN,
    MANA,
    OD,
    PRIORITY,
    RESOLVING,
    SPENDED,
    START,
    THIS_TURN,
    TIME,
    TRANCE,
    TRANCE_CHOICE,
    VOID,
)
from domain.games.grimoire.values import standing, toughness
from domain.law.clause import Clause, Telling, Told
from domain.table.facts import Clocked, Finished, Marked, Stanced
from domain.table.table import Clock, Result, Seat, Table


def clocked(t: Table, phase: str, step: str, *awaited: Seat, passed: tuple[Seat, ...] = ()) -> Clocked:
    """The clock of the running turn at another step."""
    return Clocked(Clock(t.clock.turn, t.clock.active, t.clock.first, phase, step, awaited, passed))


def begin_turn(rules: Rules, t: Table, number: int, active: Seat, because: Clause) -> Iterator[Telling]:
    """A turn begins and is initialized: spells are extended, their damage removed, mana recovered."""
    if t.marks.get(ACTIONS):
        yield because, Marked(None, ACTIONS, 0)
    yield because, Clocked(Clock(number, active, t.clock.first, INITIALIZE, AUTO, ()))
    own = tuple(one for one in spells(t) if controller(t, one) == active)
    able = extendable(rules, t, own)
    if able:
        yield C.INITIALIZE, Stanced(able, EXTENDED)
    mine = character(t, active)
    if mine is not None and rules.initialize_extends_character:
        able = extendable(rules, t, (mine,))
        if able:
            yield C.INITIALIZE_CHARACTER, Stanced(able, EXTENDED)
    healed = tuple(one for one in own if damage(t, one))
    if healed:
        yield C.INITIALIZE, Marked(healed, DAMAGE, 0)
    if mine is not None and rules.initialize_heals_character and damage(t, mine):
        yield C.INITIALIZE, Marked((mine,), DAMAGE, 0)
    if rules.initialize_sets_mana:
        if has(t, active, MANA) != has(t, active, CAPACITY):
            yield C.INITIALIZE, Marked(active, MANA, has(t, active, CAPACITY))
    elif rules.initialize_recovers:
        yield from _recovered(t, active, C.INITIALIZE)
    yield from checkpoint(rules, t)


def _recovered(t: Table, seat: Seat, because: Clause) -> Told:
    """Mana below the capacity is raised to it."""
    capacity = has(t, seat, CAPACITY)
    return ((because, Marked(seat, MANA, capacity)),) if has(t, seat, MANA) < capacity else ()


def _start(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.START, clocked(t, START, AUTO)
    if rules.start_recovers:
        yield from _recovered(t, active, C.START)
    yield from _turn_triggers(rules, t, "turn_start", active)
    yield from checkpoint(rules, t)


def _turn_triggers(rules: Rules, t: Table, event: str, active: Seat) -> Iterator[Telling]:
    """What triggers at the start or end of a turn, in one group."""
    group = next_frame(t)
    for one in objects(t):
        if not may_trigger(rules, t, event, one):
            continue
        own = controller(t, one) == active
        whose = ["every", "your" if own else "opponent"]
        if own or rules.unqualified_every_turn:
            whose.append("unqualified")
        yield from triggers(rules, t, event, one, group, whose=whose)


def _trance(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.TRANCE_PHASE, clocked(t, TRANCE, AUTO)
    if t.clock.turn > 1 or rules.first_turn_draw:
        yield from draw(rules, t, active, rules.trance_phase_draw, C.TRANCE_PHASE)
    yield from checkpoint(rules, t)


def _choose(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.TRANCE_PHASE, clocked(t, TRANCE, TRANCE_CHOICE, active)


def _main(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.PRIORITY_FIRST, clocked(t, MAIN, PRIORITY, active)


def _resolved(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.PRIORITY_AFTER_RESOLUTION, clocked(t, MAIN, PRIORITY, active)


def end_phase(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    """The main phase is over: abilities of the turn's end trigger."""
    yield C.END, clocked(t, END, AUTO)
    yield from _turn_triggers(rules, t, "turn_end", active)
    yield from checkpoint(rules, t)


def cut_short(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    """The turn player is out: what still waits is not resolved, and the turn is finalized."""
    for waiting in reversed(t.stack):
        yield from unplay(t, waiting.objs[0].card, C.OUT_TURN_PLAYER, SPENDED)
    yield from finalize(rules, t, active)


def finalize(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield C.FINALIZE, clocked(t, FINALIZE, AUTO)
    yield from _end_this_turn(rules, t)
    yield from checkpoint(rules, t)


def _end_this_turn(rules: Rules, t: Table) -> Iterator[Telling]:
    """What lasts this turn ends all at once, then what was sent away for the turn comes back; marks are cleared."""
    ending = tuple(one for one in t.effects if one.until == THIS_TURN and one.kind != VOID)
    if ending:
        yield from end(rules, t, ending, C.BUFFS_THIS_TURN)
    for void in [one for one in t.effects if one.kind == VOID and one.until == THIS_TURN]:
        yield from bring_back(rules, t, void)
    used = sorted({name for one in objects(t) for name in t.pieces[one].marks if name.startswith("used.")})
    for name in used:
        yield C.FINALIZE, Marked(tuple(one for one in objects(t) if t.pieces[one].marks.get(name)), name, 0)


def _next_turn(rules: Rules, t: Table, active: Seat) -> Iterator[Telling]:
    yield from _end_this_turn(rules, t)
    if t.marks.get(TIME):
        yield from _compare(rules, t)
        return
    yield from begin_turn(rules, t, t.clock.turn + 1, next_living(t, active), C.NEXT_TURN)


def _compare(rules: Rules, t: Table) -> Iterator[Telling]:
    """Time is up: remaining toughness, then od, then cards in the grimoire decide, else nobody."""
    now = standing(rules, t)

    def worth(seat: Seat) -> tuple[int, int, int]:
        mine = character(t, seat)
        left = 0 if mine is None else toughness(rules, t, now, mine) - damage(t, mine)
        return left, has(t, seat, OD), len(grimoire(t, seat))

    best = max(worth(seat) for seat in living(t))
    winners = tuple(seat for seat in living(t) if worth(seat) == best)
    yield C.TIME_DECISION, Finished(Result(winners if len(winners) == 1 else (), "compare"))


FLOW: dict[tuple[str, str], Callable[[Rules, Table, Seat], Iterator[Telling]]] = {
    (INITIALIZE, AUTO): _start,
    (START, AUTO): _trance,
    (TRANCE, AUTO): _choose,
    (TRANCE, CHOSEN): _main,
    (MAIN, RESOLVING): _resolved,
    (END, AUTO): finalize,
    (FINALIZE, AUTO): _next_turn,
}
"""What comes next where nobody decides. The automatic part of a phase is done on entering it."""
