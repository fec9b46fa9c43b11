"""Phases of a turn: the automatic actions on entering each, and the phase that follows if no decision is due."""

from collections.abc import Callable
from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.checkpoint import push_check
from domain.games.grimoire.effects.instructions import extendable
from domain.games.grimoire.effects.leaving import end_effects, remove_from_stack, return_from_void
from domain.games.grimoire.effects.moves import draw
from domain.games.grimoire.effects.triggers import objects_that_may_trigger, trigger_abilities
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.text import Triggered
from domain.games.grimoire.values import abilities, effects_in_force, toughness
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts.asking import next_frame
from domain.parts.pieces import clock_at
from domain.table import facts as F
from domain.table.table import CardId, Clock, Result, Seat, Table


def begin_turn(rules: Rules, t: LiveTable, number: int, active: Seat, because: Clause) -> None:
    """Begin and initialize a turn: extend spells, remove their damage and recover mana."""
    if t.marks.get(S.ACTIONS):
        t.emit(because, F.Marked(None, S.ACTIONS, 0))
    t.emit(because, F.Clocked(Clock(number, active, t.clock.first, S.INITIALIZE, S.AUTO, ())))
    own_spells = tuple(card for card in R.spells(t) if R.controller(t, card) == active)
    extending = extendable(rules, t, own_spells)
    if extending:
        t.emit(C.INITIALIZE, F.Stanced(extending, S.EXTENDED))
    character = R.character(t, active)
    if character is not None and rules.initialize_extends_character:
        extending = extendable(rules, t, (character,))
        if extending:
            t.emit(C.INITIALIZE_CHARACTER, F.Stanced(extending, S.EXTENDED))
    healed = tuple(spell for spell in own_spells if R.damage(t, spell))
    if healed:
        t.emit(C.INITIALIZE, F.Marked(healed, S.DAMAGE, 0))
    if character is not None and rules.initialize_heals_character and R.damage(t, character):
        t.emit(C.INITIALIZE, F.Marked((character,), S.DAMAGE, 0))
    if rules.mana_recovery == "initialize_set":
        if R.seat_mark(t, active, S.MANA) != R.seat_mark(t, active, S.CAPACITY):
            t.emit(C.INITIALIZE, F.Marked(active, S.MANA, R.seat_mark(t, active, S.CAPACITY)))
    elif rules.mana_recovery != "start_only":
        _recover_mana(t, active, C.INITIALIZE)
    push_check(rules, t)


@implements(C.MANA_RECOVERED)
def _recover_mana(t: LiveTable, seat: Seat, because: Clause) -> None:
    mana, capacity = R.seat_mark(t, seat, S.MANA), R.seat_mark(t, seat, S.CAPACITY)
    if mana < capacity:
        t.emit(because, F.Marked(seat, S.MANA, capacity))
    elif mana > capacity:
        note(t, C.MANA_RECOVERED, seat, Count(mana), Count(capacity))


def _start(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.START, clock_at(t, S.START, S.AUTO))
    if rules.mana_recovery != "initialize_set":
        _recover_mana(t, active, C.START)
    _trigger_turn_abilities(rules, t, "turn_start", active)
    push_check(rules, t)


@implements(C.WHOSE_TURN)
def _trigger_turn_abilities(rules: Rules, t: LiveTable, event: str, active: Seat) -> None:
    """Trigger the abilities at the start or end of a turn, as one group."""
    group = next_frame(t)
    for card in objects_that_may_trigger(rules, t, event):
        own_turn = R.controller(t, card) == active
        turn_words = ["every", "your" if own_turn else "opponent"]
        if own_turn or rules.unqualified_turn == "every":
            turn_words.append("unqualified")
        elif collects_notes(t) and _has_unqualified_ability(rules, t, event, card):
            note(t, C.WHOSE_TURN, card)
        trigger_abilities(rules, t, event, card, group, turn_words)


def _has_unqualified_ability(rules: Rules, t: Table, event: str, card: CardId) -> bool:
    """True if an object has an ability for this event that names no turn."""
    return any(
        isinstance(ability, Triggered) and (ability.event, ability.whose) == (event, "unqualified")
        for ability in (object_ability.ability for object_ability in abilities(rules, t, card))
    )


def _trance(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.AUTO))
    if t.clock.turn > 1 or rules.first_turn_draw:
        draw(rules, t, active, rules.trance_phase_draw, C.TRANCE_PHASE)
    push_check(rules, t)


def _ask_turn_player(because: Clause, phase: str, step: str) -> Callable[[Rules, LiveTable, Seat], None]:
    return lambda rules, t, active: t.emit(because, clock_at(t, phase, step, active))


def end_phase(rules: Rules, t: LiveTable, active: Seat) -> None:
    """End the main phase and trigger the abilities of the turn's end."""
    t.emit(C.END, clock_at(t, S.END, S.AUTO))
    _trigger_turn_abilities(rules, t, "turn_end", active)
    push_check(rules, t)


def end_turn_early(rules: Rules, t: LiveTable, active: Seat) -> None:
    """End the turn of a player who is out. Spells on the stack do not resolve."""
    for play in reversed(t.stack):
        remove_from_stack(t, R.source_of(play).card, C.OUT_TURN_PLAYER, S.SPENDED)
    finalize(rules, t, active)


@implements(C.MANA_STAYS)
def finalize(rules: Rules, t: LiveTable, active: Seat) -> None:
    t.emit(C.FINALIZE, clock_at(t, S.FINALIZE, S.AUTO))
    if R.seat_mark(t, active, S.MANA):
        note(t, C.MANA_STAYS, active, Count(R.seat_mark(t, active, S.MANA)))
    _end_this_turn(rules, t)
    push_check(rules, t)


def _end_this_turn(rules: Rules, t: LiveTable) -> None:
    """End the effects of this turn together, return cards from the void, and clear the marks of use."""
    ending = tuple(effect for effect in t.effects if effect.until == S.THIS_TURN and effect.kind != S.VOID)
    if ending:
        end_effects(rules, t, ending, C.BUFFS_THIS_TURN)
    for void in [effect for effect in t.effects if effect.kind == S.VOID and effect.until == S.THIS_TURN]:
        return_from_void(rules, t, void)
    used = sorted({name for card in R.objects(t) for name in t.pieces[card].marks if name.startswith("used.")})
    for name in used:
        t.emit(C.FINALIZE, F.Marked(tuple(card for card in R.objects(t) if t.pieces[card].marks.get(name)), name, 0))


def _next_turn(rules: Rules, t: LiveTable, active: Seat) -> None:
    _end_this_turn(rules, t)
    if t.marks.get(S.TIME):
        _compare(rules, t)
        return
    begin_turn(rules, t, t.clock.turn + 1, R.next_living(t, active), C.NEXT_TURN)


def _compare(rules: Rules, t: LiveTable) -> None:
    """Decide the match on time: by remaining toughness, then od, then cards in the grimoire. A tie has no winner."""
    effects = effects_in_force(rules, t)

    def score(seat: Seat) -> tuple[int, int, int]:
        character = R.character(t, seat)
        remaining = 0 if character is None else toughness(rules, t, effects, character) - R.damage(t, character)
        return remaining, R.seat_mark(t, seat, S.OD), len(R.grimoire(t, seat))

    best = max(score(seat) for seat in R.living(t))
    winners = tuple(seat for seat in R.living(t) if score(seat) == best)
    t.emit(C.TIME_DECISION, F.Finished(Result(winners if len(winners) == 1 else (), "compare")))


FLOW: Final[dict[tuple[str, str], Callable[[Rules, LiveTable, Seat], None]]] = {
    (S.INITIALIZE, S.AUTO): _start,
    (S.START, S.AUTO): _trance,
    (S.TRANCE, S.AUTO): _ask_turn_player(C.TRANCE_PHASE, S.TRANCE, S.TRANCE_CHOICE),
    (S.TRANCE, S.CHOSEN): _ask_turn_player(C.PRIORITY_FIRST, S.MAIN, S.PRIORITY),
    (S.MAIN, S.RESOLVING): _ask_turn_player(C.PRIORITY_AFTER_RESOLUTION, S.MAIN, S.PRIORITY),
    (S.END, S.AUTO): finalize,
    (S.FINALIZE, S.AUTO): _next_turn,
}
"""Next step by phase and step, for steps without a decision. Entering a phase runs its automatic part."""
