"""Triggered abilities: an event pushes a frame for each ability it triggers. Frames of one event form a group."""

from collections.abc import Collection
from typing import Final, Unpack

from msgspec.structs import replace

from domain.games.grimoire import clauses as C
from domain.games.grimoire.cards import card, work_out
from domain.games.grimoire.effects.conditions import holds
from domain.games.grimoire.notions import EffectContext, ObjectAbility, ObjectSnapshot
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import NO_OBJ, event_of, objects, source_of
from domain.games.grimoire.text import Card, Triggered
from domain.games.grimoire.values import abilities, is_same_in_play
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts.asking import next_frame
from domain.parts.places import obj
from domain.table.facts import Marked, Pushed
from domain.table.table import CardId, Frame, FrameId, Obj, Seat, Table, Todo

WHY: Final[dict[str, Clause]] = {
    "cast_self": C.CAST_TRIGGERS,
    "play_self": C.EFFECTS_GENERATED,
    "targeted_self": C.EFFECTS_GENERATED,
    "resolve_self": C.RESOLUTION_TRIGGERS,
    "turn_start": C.AT_TURN_START,
    "turn_end": C.AT_TURN_END,
    "break_self": C.TRIGGERED_WHERE,
    "leave_self": C.TRIGGERED_WHERE,
    "trance": C.EFFECTS_GENERATED,
}
"""Clause by event. It is cited when an ability triggers on the event."""

Words = Collection[str]
EVERY_TURN: Final = ("your", "opponent", "every", "unqualified")
"""All values of `Triggered.whose`."""


def trigger_abilities(
    rules: Rules,
    t: LiveTable,
    event: str,
    source: CardId,
    group: int,
    whose: Words = EVERY_TURN,
    **about: Unpack[EffectContext],
) -> None:
    """Trigger the abilities of an object in play. `whose` holds the values that fit the current turn or play."""
    if may_trigger(rules, t, event, source):
        snapshot = ObjectSnapshot(obj(t, source), t.pieces[source].controller, abilities(rules, t, source))
        push_triggered_effects(rules, t, (event,), snapshot, group, whose, **about)


def push_triggered_effects(
    rules: Rules,
    t: LiveTable,
    events: Words,
    snapshot: ObjectSnapshot,
    group: int,
    whose: Words = EVERY_TURN,
    **about: Unpack[EffectContext],
) -> None:
    """Push an effect for each triggered ability of an object, even if the object has already left."""
    if collects_notes(t):
        _note_lost(rules, t, events, snapshot.havings, snapshot.was)
    for object_ability in snapshot.havings:
        ability = object_ability.ability
        if isinstance(ability, Triggered) and ability.event in events and ability.whose in whose:
            new = make_effect(t, ability.event, object_ability, snapshot.was, snapshot.by, group, **about)
            _push_triggered(rules, t, object_ability, ability, new)


@implements(C.ABILITIES_LOST)
def _note_lost(
    rules: Rules, t: LiveTable, events: Words, object_abilities: Collection[ObjectAbility], source: Obj
) -> None:
    """Note printed abilities that were lost. Those limited to once a turn are left out: they may be used up instead."""
    current = [object_ability.ability for object_ability in object_abilities]
    for ability in card(rules.cards, t.pieces[source.card].face).abilities:
        if isinstance(ability, Triggered) and ability.event in events and not ability.once and ability not in current:
            note(t, C.ABILITIES_LOST, source)


def objects_that_may_trigger(rules: Rules, t: Table, event: str) -> tuple[CardId, ...]:
    """Return the objects on which this event could trigger an ability. Without effects, only printed text is read."""
    in_play, pieces, events = objects(t), t.pieces, _EVENTS[rules.cards]
    return in_play if t.effects else tuple([source for source in in_play if event in events[pieces[source].face]])


def may_trigger(rules: Rules, t: Table, event: str, source: CardId) -> bool:
    """True if this event could trigger an ability of an object. Without effects, only printed text is read."""
    return bool(t.effects) or event in _EVENTS[rules.cards][t.pieces[source].face]


def is_printed(rules: Rules, t: Table, event: str, source: CardId) -> bool:
    """True if a printed ability of the card triggers on this event."""
    return event in _EVENTS[rules.cards][t.pieces[source].face]


def _events(printed: Card) -> frozenset[str]:
    return frozenset(ability.event for ability in printed.abilities if isinstance(ability, Triggered))


_EVENTS: Final = work_out(_events)


@implements(C.CONDITION_TESTED)
def _push_triggered(rules: Rules, t: LiveTable, object_ability: ObjectAbility, ability: Triggered, new: Frame) -> None:
    """Push the effect of a triggered ability if its condition holds and its limit per turn allows it."""
    source = source_of(new)
    if _is_spent(t, source.card, object_ability):
        note(t, C.ONCE_PER_TURN, source)
        return
    if ability.cond is not None and not holds(rules, t, ability.cond, new):
        note(t, C.CONDITION_TESTED, source)
        return
    if ability.once and is_same_in_play(t, source):
        t.emit(C.ONCE_PER_TURN, Marked((source.card,), f"used.{object_ability.number}", 1))
    t.emit(WHY[event_of(new)], Pushed(replace(new, id=next_frame(t))))


def unspent_abilities(rules: Rules, t: Table, source: CardId, events: Words) -> tuple[ObjectAbility, ...]:
    """Return the abilities that can still trigger this turn. Call this before the object leaves the field."""
    if not any(may_trigger(rules, t, event, source) for event in events):
        return ()
    return tuple(
        object_ability for object_ability in abilities(rules, t, source) if not _is_spent(t, source, object_ability)
    )


def _is_spent(t: Table, source: CardId, object_ability: ObjectAbility) -> bool:
    ability = object_ability.ability
    return (
        isinstance(ability, Triggered)
        and ability.once
        and bool(t.pieces[source].marks.get(f"used.{object_ability.number}"))
    )


def make_effect(
    t: Table,
    event: str,
    object_ability: ObjectAbility,
    source: Obj,
    by: Seat,
    group: int,
    **about: Unpack[EffectContext],
) -> Frame:
    """Return a new effect frame, not yet queued."""
    target, that = about.get("target", NO_OBJ), about.get("that", NO_OBJ)
    return Frame(
        id=FrameId(next_frame(t)),
        lane="waiting",
        kind="effect",
        by=by,
        step="gathered",
        face=object_ability.face,
        objs=(source, about.get("own", source), target, that, *about.get("chosen", ())),
        numbers=(group, 0, object_ability.number),
        words=(event,),
        todo=(Todo((*object_ability.path, about.get("begin", 0)), by),),
    )
