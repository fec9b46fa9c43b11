"""Departures of spells from the field: effects that end, triggers, and the void with returns from it."""

from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.effects.moves import base_mark, expel, put_in_hand
from domain.games.grimoire.effects.triggers import is_printed, push_triggered_effects, unspent_abilities
from domain.games.grimoire.notions import ObjectSnapshot
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.values import is_same_in_play
from domain.law.clause import Clause, FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts import timed_effects
from domain.parts.asking import next_frame, push
from domain.parts.places import obj, place_in
from domain.table import facts as F
from domain.table.table import CardId, Effect, Frame, Obj, Seat, is_same_object

RETURN: Final = "return"
"""Event of a return from the void. Its single instruction is on no card."""


@implements(C.CHARACTER_STAYS, C.EFFECT_OUTLIVES_SOURCE)
def leave_field(
    rules: Rules,
    t: LiveTable,
    cards: tuple[CardId, ...],
    to: str,
    because: Clause,
    *,
    broken: bool = False,
    where: int = -1,
) -> None:
    """Move spells off the field together. Their abilities are read before the first one leaves."""
    events = ("leave_self", "break_self") if broken else ("leave_self",)
    snapshots = [
        ObjectSnapshot(obj(t, card), t.pieces[card].controller, unspent_abilities(rules, t, card, events))
        for card in R.sort_by_turn(t, tuple(dict.fromkeys(card for card in cards if R.on_field(t, card))))
    ]
    if collects_notes(t):
        for card in cards:
            if R.is_character(t, card):
                note(t, C.CHARACTER_STAYS, card)
    if not snapshots:
        return
    group = next_frame(t)
    for snapshot in snapshots:
        play = R.play_of(t, snapshot.was.card)
        if play is not None:
            t.emit(C.LEFT_STACK, F.Popped(play.id, "left"))
    for snapshot in snapshots:
        _send(rules, t, snapshot, to, because, where)
    departed = {snapshot.was for snapshot in snapshots}
    returning = [
        void for void in t.effects if void.kind == S.VOID and void.until == "source_leaves" and void.source in departed
    ]
    _end_dependent_effects(rules, t, departed)
    for snapshot in snapshots:
        if not R.is_out(t, snapshot.by):
            push_triggered_effects(rules, t, events, snapshot, group, own=obj(t, snapshot.was.card))
    for void in sorted(returning, key=lambda effect: effect.id):
        by = next(snapshot.by for snapshot in snapshots if snapshot.was == void.source)
        _queue_return(t, void, by, group)


def _send(rules: Rules, t: LiveTable, snapshot: ObjectSnapshot, to: str, because: Clause, where: int) -> None:
    card = snapshot.was.card
    owner = t.pieces[card].owner
    if to == S.REMOVED or R.is_out(t, owner):
        expel(rules, t, (card,))
        return
    if to == S.VOID:
        t.emit(because, F.Moved((card,), R.VOID_PLACE, up=True))
        return
    seat = owner if rules.zone_destination == "owner" else snapshot.by
    if to == S.HAND:
        put_in_hand(rules, t, seat, (card,), because)
    else:
        t.emit(because, F.Moved((card,), place_in(seat, to), where, up=to == S.JUNKYARD))


def _queue_return(t: LiveTable, void: Effect, by: Seat, group: int) -> None:
    """Queue the return of a card from the void, as an effect of the last controller of its source."""
    objs = (void.source, void.source, R.NO_OBJ, R.NO_OBJ, *void.on)
    numbers, words = (group, 0, void.id), (RETURN,)
    push(t, C.TEMPORARY_VOID, "waiting", "effect", by, step="gathered", objs=objs, numbers=numbers, words=words)


@implements(C.JUNK_NO_BREAK)
def note_unbroken(rules: Rules, t: LiveTable, cards: tuple[CardId, ...]) -> None:
    """Note that spells about to be junked do not trigger abilities for being broken."""
    if collects_notes(t):
        for card in cards:
            if R.on_field(t, card) and is_printed(rules, t, "break_self", card):
                note(t, C.JUNK_NO_BREAK, card)


@implements(C.MEMORY_OUTLIVES)
def _end_dependent_effects(rules: Rules, t: LiveTable, departed: set[Obj]) -> None:
    """End the effects on objects that left, and the effects that required such an object in play."""
    for effect in t.effects if collects_notes(t) else ():
        if effect.kind == S.VOID and effect.source in departed:
            note(t, C.MEMORY_OUTLIVES, effect.source, *effect.on)
    ending = [
        effect
        for effect in t.effects
        if effect.kind != S.VOID
        and ((effect.until == "while_source" and effect.source in departed) or all(on in departed for on in effect.on))
    ]
    if ending:
        end_effects(rules, t, tuple(ending), C.NEW_OBJECT)


def end_effects(rules: Rules, t: LiveTable, ending: tuple[Effect, ...], because: Clause) -> None:
    """End effects together, then decide who controls the spells that they concerned."""
    t.emit(because, F.Ended(tuple(effect.id for effect in ending)))
    freed = dict.fromkeys(
        on.card for effect in ending if effect.kind == "control" for on in effect.on if is_same_object(t, on)
    )
    settle_control(rules, t, tuple(freed))


def settle_control(rules: Rules, t: LiveTable, cards: tuple[CardId, ...]) -> None:
    """Give spells to the newest control effect or their base controllers. Remove spells of players who are out."""
    removed = []
    for card in cards:
        if not R.on_field(t, card):
            continue
        changes = [
            change
            for change in t.effects
            if change.kind == "control" and any(is_same_object(t, on) and on.card == card for on in change.on)
        ]
        seat = (
            R.controller_of_effect(max(changes, key=lambda effect: effect.id))
            if changes
            else R.base_controller(t, card)
        )
        if R.is_out(t, seat):
            removed.append(card)
        elif t.pieces[card].controller != seat:
            t.emit(C.NEWEST_CONTROL, F.Controlled((card,), seat))
    if removed:
        leave_field(rules, t, tuple(removed), S.REMOVED, C.OUT_CARDS_LEAVE)


def remove_from_stack(t: LiveTable, card: CardId, because: Clause, stance: int) -> None:
    """Take a played spell off the stack without resolving it."""
    play = R.play_of(t, card)
    if play is not None:
        t.emit(because, F.Popped(play.id, "unplayed"))
    t.emit(because, F.Stanced((card,), stance))


# -- the void ---------------------------------------------------------------------------------------------------------


@implements(C.SOURCE_GONE_NO_START)
def banish(rules: Rules, t: LiveTable, effect: Frame, cards: tuple[CardId, ...], until: str) -> None:
    """Move spells to the void, and begin the effects that remember them."""
    if until == "source_leaves" and not is_same_in_play(t, R.source_of(effect)):
        note(t, C.SOURCE_GONE_NO_START, FrameRef(effect.id), R.source_of(effect))
        return
    going = tuple(R.sort_by_turn(t, tuple(card for card in cards if R.on_field(t, card))))
    controllers = {card: R.controller(t, card) for card in going}
    leave_field(rules, t, going, S.VOID, C.VOID)
    for card in going:
        if t.pieces[card].place == R.VOID_PLACE:
            timed_effects.begin(t, C.VOID_MEMORY, effect, S.VOID, (card,), until, t.minted, seats=(controllers[card],))


@implements(C.MEMORY_OUTLIVES)
def return_remembered(rules: Rules, t: LiveTable, effect: Frame) -> None:
    """Return the remembered card to the field, if its void effect is still in force."""
    for void in t.effects:
        if void.kind == S.VOID and void.id == R.remembered_by(effect):
            return_from_void(rules, t, void)
            return


@implements(C.OTHER_ENTRY_NO_CAST)
def return_from_void(rules: Rules, t: LiveTable, void: Effect) -> None:
    """Return a card from the void as a new extended spell of its last controller."""
    t.emit(C.TEMPORARY_VOID, F.Ended((void.id,)))
    (was,) = void.on
    piece = t.pieces.get(was.card)
    if piece is None or piece.thing != was.thing:
        return
    seat = piece.owner if R.is_out(t, R.controller_of_effect(void)) else R.controller_of_effect(void)
    if R.is_out(t, seat) or R.is_out(t, piece.owner):
        expel(rules, t, (was.card,))
        return
    t.emit(C.VOID_RETURN, F.Moved((was.card,), R.FIELD_PLACE, up=True))
    if collects_notes(t) and is_printed(rules, t, "cast_self", was.card):
        note(t, C.OTHER_ENTRY_NO_CAST, was.card)
    if seat != piece.owner:
        t.emit(C.VOID_RETURN, F.Controlled((was.card,), seat))
        t.emit(C.VOID_RETURN, F.Marked((was.card,), S.BASE_CONTROLLER, base_mark(t, was.card, seat)))
