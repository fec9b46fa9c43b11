"""Phases of a turn: the automatic actions on entering each, and the phase that follows if no decision is due."""

from collections.abc import Callable
from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.checkpoint import checkpoint
from domain.games.grimoire.effects.instructions import extendable
from domain.games.grimoire.effects.leaving import bring_back, end, unplay
from domain.games.grimoire.effects.moves import draw
from domain.games.grimoire.effects.triggers import those_that_may_trigger, triggers
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.text import Triggered
from domain.games.grimoire.values import abilities, standing, toughness
from domain.law.clause import Clause, Count, carries
from domain.law.live import Live
from domain.law.noting import note, noting
from domain.parts.asking import next_frame
from domain.parts.pieces import clock_at
from domain.table import facts as F
from domain.table.table import CardId, Clock, Result, Seat, Table


def begin_turn(rules: Rules, t: Live, number: int, active: Seat, because: Clause) -> None:
    """Begin and initialize a turn: extend spells, remove their damage and recover mana."""
    if t.marks.get(S.ACTIONS):
        t.tell(because, F.Marked(None, S.ACTIONS, 0))
    t.tell(because, F.Clocked(Clock(number, active, t.clock.first, S.INITIALIZE, S.AUTO, ())))
    own_spells = tuple(card for card in R.spells(t) if R.controller(t, card) == active)
    extending = extendable(rules, t, own_spells)
    if extending:
        t.tell(C.INITIALIZE, F.Stanced(extending, S.EXTENDED))
    character = R.character(t, active)
    if character is not None and rules.initialize_extends_character:
        extending = extendable(rules, t, (character,))
        if extending:
            t.tell(C.INITIALIZE_CHARACTER, F.Stanced(extending, S.EXTENDED))
    healed = tuple(spell for spell in own_spells if R.damage(t, spell))
    if healed:
        t.tell(C.INITIALIZE, F.Marked(healed, S.DAMAGE, 0))
    if character is not None and rules.initialize_heals_character and R.damage(t, character):
        t.tell(C.INITIALIZE, F.Marked((character,), S.DAMAGE, 0))
    if rules.mana_recovery == "initialize_set":
        if R.seat_mark(t, active, S.MANA) != R.seat_mark(t, active, S.CAPACITY):
            t.tell(C.INITIALIZE, F.Marked(active, S.MANA, R.seat_mark(t, active, S.CAPACITY)))
    elif rules.mana_recovery != "start_only":
        _recover_mana(t, active, C.INITIALIZE)
    checkpoint(rules, t)


@carries(C.MANA_RECOVERED)
def _recover_mana(t: Live, seat: Seat, because: Clause) -> None:
    mana, capacity = R.seat_mark(t, seat, S.MANA), R.seat_mark(t, seat, S.CAPACITY)
    if mana < capacity:
        t.tell(because, F.Marked(seat, S.MANA, capacity))
    elif mana > capacity:
        note(t, C.MANA_RECOVERED, seat, Count(mana), Count(capacity))


def _start(rules: Rules, t: Live, active: Seat) -> None:
    t.tell(C.START, clock_at(t, S.START, S.AUTO))
    if rules.mana_recovery != "initialize_set":
        _recover_mana(t, active, C.START)
    _trigger_turn_abilities(rules, t, "turn_start", active)
    checkpoint(rules, t)


@carries(C.WHOSE_TURN)
def _trigger_turn_abilities(rules: Rules, t: Live, event: str, active: Seat) -> None:
    """Trigger the abilities at the start or end of a turn, as one group."""
    group = next_frame(t)
    for card in those_that_may_trigger(rules, t, event):
        own_turn = R.controller(t, card) == active
        turn_words = ["every", "your" if own_turn else "opponent"]
        if own_turn or rules.unqualified_turn == "every":
            turn_words.append("unqualified")
        elif noting(t) and _has_unqualified_ability(rules, t, event, card):
            note(t, C.WHOSE_TURN, card)
        triggers(rules, t, event, card, group, turn_words)


def _has_unqualified_ability(rules: Rules, t: Table, event: str, card: CardId) -> bool:
    """True if an object has an ability for this event that names no turn."""
    return any(
        isinstance(ability, Triggered) and (ability.event, ability.whose) == (event, "unqualified")
        for ability in (having.ability for having in abilities(rules, t, card))
    )


def _trance(rules: Rules, t: Live, active: Seat) -> None:
    t.tell(C.TRANCE_PHASE, clock_at(t, S.TRANCE, S.AUTO))
    if t.clock.turn > 1 or rules.first_turn_draw:
        draw(rules, t, active, rules.trance_phase_draw, C.TRANCE_PHASE)
    checkpoint(rules, t)


def _ask_turn_player(because: Clause, phase: str, step: str) -> Callable[[Rules, Live, Seat], None]:
    return lambda rules, t, active: t.tell(because, clock_at(t, phase, step, active))


def end_phase(rules: Rules, t: Live, active: Seat) -> None:
    """End the main phase and trigger the abilities of the turn's end."""
    t.tell(C.END, clock_at(t, S.END, S.AUTO))
    _trigger_turn_abilities(rules, t, "turn_end", active)
    checkpoint(rules, t)


def cut_short(rules: Rules, t: Live, active: Seat) -> None:
    """End the turn of a player who is out. Spells on the stack do not resolve."""
    for play in reversed(t.stack):
        unplay(t, R.source_of(play).card, C.OUT_TURN_PLAYER, S.SPENDED)
    finalize(rules, t, active)


@carries(C.MANA_STAYS)
def finalize(rules: Rules, t: Live, active: Seat) -> None:
    t.tell(C.FINALIZE, clock_at(t, S.FINALIZE, S.AUTO))
    if R.seat_mark(t, active, S.MANA):
        note(t, C.MANA_STAYS, active, Count(R.seat_mark(t, active, S.MANA)))
    _end_this_turn(rules, t)
    checkpoint(rules, t)


def _end_this_turn(rules: Rules, t: Live) -> None:
    """End the effects of this turn together, return cards from the void, and clear the marks of use."""
    ending = tuple(effect for effect in t.effects if effect.until == S.THIS_TURN and effect.kind != S.VOID)
    if ending:
        end(rules, t, ending, C.BUFFS_THIS_TURN)
    for void in [effect for effect in t.effects if effect.kind == S.VOID and effect.until == S.THIS_TURN]:
        bring_back(rules, t, void)
    used = sorted({name for card in R.objects(t) for name in t.pieces[card].marks if name.startswith("used.")})
    for name in used:
        t.tell(C.FINALIZE, F.Marked(tuple(card for card in R.objects(t) if t.pieces[card].marks.get(name)), name, 0))


def _next_turn(rules: Rules, t: Live, active: Seat) -> None:
    _end_this_turn(rules, t)
    if t.marks.get(S.TIME):
        _compare(rules, t)
        return
    begin_turn(rules, t, t.clock.turn + 1, R.next_living(t, active), C.NEXT_TURN)


def _compare(rules: Rules, t: Live) -> None:
    """Decide the match on time: by remaining toughness, then od, then cards in the grimoire. A tie has no winner."""
    effects = standing(rules, t)

    def score(seat: Seat) -> tuple[int, int, int]:
        character = R.character(t, seat)
        remaining = 0 if character is None else toughness(rules, t, effects, character) - R.damage(t, character)
        return remaining, R.seat_mark(t, seat, S.OD), len(R.grimoire(t, seat))

    best = max(score(seat) for seat in R.living(t))
    winners = tuple(seat for seat in R.living(t) if score(seat) == best)
    t.tell(C.TIME_DECISION, F.Finished(Result(winners if len(winners) == 1 else (), "compare")))


FLOW: Final[dict[tuple[str, str], Callable[[Rules, Live, Seat], None]]] = {
    (S.INITIALIZE, S.AUTO): _start,
    (S.START, S.AUTO): _trance,
    (S.TRANCE, S.AUTO): _ask_turn_player(C.TRANCE_PHASE, S.TRANCE, S.TRANCE_CHOICE),
    (S.TRANCE, S.CHOSEN): _ask_turn_player(C.PRIORITY_FIRST, S.MAIN, S.PRIORITY),
    (S.MAIN, S.RESOLVING): _ask_turn_player(C.PRIORITY_AFTER_RESOLUTION, S.MAIN, S.PRIORITY),
    (S.END, S.AUTO): finalize,
    (S.FINALIZE, S.AUTO): _next_turn,
}
"""Next step by phase and step, for steps without a decision. Entering a phase runs its automatic part."""
