"""Events generate effects: each ability that an event triggers puts a frame into line, those of one event together."""

from collections.abc import Collection
from typing import Final, Unpack

from msgspec.structs import replace

from domain.games.grimoire import clauses as C
from domain.games.grimoire.cards import card, work_out
from domain.games.grimoire.effects.conditions import holds
from domain.games.grimoire.notions import About, Having
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import NO_OBJ, event_of, objects, source_of
from domain.games.grimoire.text import Card, Triggered
from domain.games.grimoire.values import abilities, is_same_in_play
from domain.law.clause import Clause, carries
from domain.law.live import Live
from domain.law.noting import note, noting
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
"""The clause by which each event triggers."""

Words = Collection[str]
EVERY_TURN: Final = ("your", "opponent", "every", "unqualified")
"""The words that say in whose turn, or by whose play, an ability triggers."""


def triggers(
    rules: Rules, t: Live, event: str, one: CardId, group: int, whose: Words = EVERY_TURN, **about: Unpack[About]
) -> None:
    """What an event triggers on an object in play. `whose` are the words that fit whose turn or play it is."""
    if may_trigger(rules, t, event, one):
        by, havings = t.pieces[one].controller, abilities(rules, t, one)
        generate(rules, t, (event,), havings, obj(t, one), by, group, whose, **about)


def generate(
    rules: Rules,
    t: Live,
    events: Words,
    havings: Collection[Having],
    source: Obj,
    by: Seat,
    group: int,
    whose: Words = EVERY_TURN,
    **about: Unpack[About],
) -> None:
    """What events trigger of the abilities that an object has, or had before it left."""
    if noting(t):
        _note_lost(rules, t, events, havings, source)
    for having in havings:
        ability = having.ability
        if isinstance(ability, Triggered) and ability.event in events and ability.whose in whose:
            new = effect(t, ability.event, having, source, by, group, **about)
            _line_up(rules, t, having, ability, new)


@carries(C.ABILITIES_LOST)
def _note_lost(rules: Rules, t: Live, events: Words, havings: Collection[Having], source: Obj) -> None:
    """What is printed for an event does not trigger where it was lost. What triggers once a turn may only be spent."""
    kept = [having.ability for having in havings]
    for ability in card(rules.cards, t.pieces[source.card].face).abilities:
        if isinstance(ability, Triggered) and ability.event in events and not ability.once and ability not in kept:
            note(t, C.ABILITIES_LOST, source)


def those_that_may_trigger(rules: Rules, t: Table, event: str) -> tuple[CardId, ...]:
    """The objects in play on which this event could trigger anything. Without effects what is printed tells."""
    there, pieces, events = objects(t), t.pieces, _EVENTS[rules.cards]
    return there if t.effects else tuple([one for one in there if event in events[pieces[one].face]])


def may_trigger(rules: Rules, t: Table, event: str, one: CardId) -> bool:
    """Could this event trigger anything on an object? Without effects what is printed tells."""
    return bool(t.effects) or event in _EVENTS[rules.cards][t.pieces[one].face]


def is_printed(rules: Rules, t: Table, event: str, one: CardId) -> bool:
    """Would this event trigger anything that is printed on a card?"""
    return event in _EVENTS[rules.cards][t.pieces[one].face]


def _events(words: Card) -> frozenset[str]:
    return frozenset(ability.event for ability in words.abilities if isinstance(ability, Triggered))


_EVENTS: Final = work_out(_events)


@carries(C.CONDITION_TESTED)
def _line_up(rules: Rules, t: Live, having: Having, ability: Triggered, new: Frame) -> None:
    """A triggered ability's effect stands in line, if its condition holds now and it may trigger again."""
    source = source_of(new)
    if _spent(t, source.card, having):
        note(t, C.ONCE_PER_TURN, source)
        return
    if ability.cond is not None and not holds(rules, t, ability.cond, new):
        note(t, C.CONDITION_TESTED, source)
        return
    if ability.once and is_same_in_play(t, source):
        t.tell(C.ONCE_PER_TURN, Marked((source.card,), f"used.{having.number}", 1))
    t.tell(WHY[event_of(new)], Pushed(replace(new, id=next_frame(t))))


def unspent(rules: Rules, t: Table, one: CardId, events: Words) -> tuple[Having, ...]:
    """The abilities that can still trigger this turn. To be asked before an object leaves the field by such events."""
    if not any(may_trigger(rules, t, event, one) for event in events):
        return ()
    return tuple(having for having in abilities(rules, t, one) if not _spent(t, one, having))


def _spent(t: Table, one: CardId, having: Having) -> bool:
    """Has an object's ability triggered this turn as often as it may?"""
    ability = having.ability
    return isinstance(ability, Triggered) and ability.once and bool(t.pieces[one].marks.get(f"used.{having.number}"))


def effect(t: Table, event: str, having: Having, source: Obj, by: Seat, group: int, **about: Unpack[About]) -> Frame:
    """An effect as it stands in line."""
    target, that = about.get("target", NO_OBJ), about.get("that", NO_OBJ)
    return Frame(
        id=FrameId(next_frame(t)),
        lane="waiting",
        kind="effect",
        by=by,
        step="gathered",
        face=having.face,
        objs=(source, about.get("own", source), target, that, *about.get("chosen", ())),
        numbers=(group, 0, having.number),
        words=(event,),
        todo=(Todo((*having.path, about.get("begin", 0)), by),),
    )
