"""Queue of triggers. Each trigger stores its card and the subject of its event."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.games.skillbook import (
    board as B,
    clauses as C,
    meaning as M,
    progress as P,
    schema as S,
    table_queries as R,
    text as T,
)
from domain.games.skillbook.cards import CARDS, work_out
from domain.games.skillbook.rules import Rules
from domain.law.asking import area_of
from domain.law.clause import implements
from domain.law.face_request import FaceSplit
from domain.law.live import LiveTable
from domain.parts.asking import push
from domain.parts.grid import taxicab_distance
from domain.parts.places import obj
from domain.parts.squares import Square
from domain.table.table import CardId, Seat, Table, Todo

UNLINED: Final = "unlined"
LINED: Final = "lined"


class TriggerEvent(Struct, frozen=True):
    """An event that can trigger abilities. `last` is the last square of its subject, `hit` the player of a hero hit."""

    name: T.Event
    subject: CardId | None = None
    last: Square | None = None
    hit: Seat | None = None


def _by_event(card: T.Card) -> dict[T.Event, tuple[tuple[int, T.Triggered], ...]]:
    events: dict[T.Event, tuple[tuple[int, T.Triggered], ...]] = {}
    for number, ability in enumerate(card.abilities):
        if isinstance(ability, T.Triggered):
            events[ability.event] = (*events.get(ability.event, ()), (number, ability))
    return events


TRIGGERED: Final = work_out(_by_event)
MILLED: Final = FaceSplit(
    "milled", frozenset(face for face, card in CARDS.items() if "milled" in _by_event(card)), "", S.GRAVEYARD
)

# -- sources of triggers ----------------------------------------------------------------------------------------------


def in_force(rules: Rules, t: Table) -> Iterable[CardId]:
    """Yield the cards whose triggers are active: units, face-up terrains, auras and curses in force, binds."""
    yield from R.units(rules, t)
    for terrain in R.terrains(rules, t):
        if t.pieces[terrain].up:
            yield terrain
    for seat in R.SEATS:
        for card in R.table(t, seat):
            if R.is_in_force(t, card):
                yield card
    yield from R.binds(t)


def queue_everywhere(rules: Rules, t: LiveTable, name: T.Event) -> None:
    event, triggered = TriggerEvent(name), TRIGGERED[rules.cards]
    for source in [card for card in in_force(rules, t) if name in triggered[t.pieces[card].face]]:
        queue(rules, t, source, event)


@implements(C.CONTINUOUS, C.TRIGGERS_AT_ONCE)
def queue(rules: Rules, t: LiveTable, source: CardId, event: TriggerEvent) -> None:
    """Queue the triggers of an event on one card. Conditions are tested now."""
    for number, ability in TRIGGERED[rules.cards][t.pieces[source].face].get(event.name, ()):
        if all(_holds(rules, t, condition, source, event) for condition in ability.only_if):
            _push(t, source, _owner(t, source, event.subject), number, event)


def _push(t: LiveTable, source: CardId, by: Seat, number: int, event: TriggerEvent) -> None:
    subject = R.NO_OBJ if event.subject is None or event.subject not in t.pieces else obj(t, event.subject)
    push(
        t,
        C.TRIGGERS_AT_ONCE,
        "waiting",
        "trigger",
        by,
        step=UNLINED,
        face=t.pieces[source].face or "",
        todo=(Todo((number, 0), by),),
        objs=(obj(t, source), subject),
        places=() if event.last is None else (B.ground_place(event.last),),
        seats=() if event.hit is None else (event.hit,),
        numbers=(0, number),
        words=(event.name,),
    )


def _owner(t: Table, source: CardId, subject: CardId | None) -> Seat:
    """Return the player of a trigger: the owner of its card, or for a neutral card the owner of the event's subject.
    Without a subject it is the turn player."""
    owner = t.pieces[source].owner
    if owner in R.SEATS:
        return owner
    if subject is not None and subject in t.pieces:
        return t.pieces[subject].owner
    return t.clock.active or R.SEATS[0]


def _holds(rules: Rules, t: Table, condition: M.Condition, source: CardId, event: TriggerEvent) -> bool:
    battle, subject = P.process(t, "battle"), event.subject
    match condition:
        case "was_target_and_attacker_adjacent":
            attacker = None if battle is None else R.resolve_unit(t, R.attacker_of(battle))
            was_target = battle is not None and R.resolve_unit(t, R.target_of(battle)) == source
            return (
                was_target
                and attacker is not None
                and taxicab_distance(R.square(t, attacker), R.square(t, source)) == 1
            )
        case "is_attacker":
            return battle is not None and R.resolve_unit(t, R.attacker_of(battle)) == source
        case "attacked_and_target_destroyed":
            return (
                battle is not None
                and R.resolve_unit(t, R.attacker_of(battle)) == source
                and bool(R.target_fell(battle))
            )
        case "by_this":
            return subject == source
        case "to_hero":
            return event.hit is not None
        case "during_move":
            return P.mover(t) is not None and P.mover(t) == subject
        case "unit_is_enemy_of_owner":
            owner = t.pieces[source].owner
            return subject is not None and owner in R.SEATS and t.pieces[subject].owner != owner
        case "occupant_is_turn_players_hero":
            unit = R.unit_at(t, R.square(t, source)) if R.is_terrain(t, source) else None
            return unit is not None and R.is_hero(rules, t, unit) and t.pieces[unit].owner == t.clock.active
        case "turn_of_you":
            return t.clock.active == t.pieces[source].owner
        case "turn_of_cursed":
            return t.clock.active == R.opponent(t.pieces[source].owner)
        case _:
            return False


# -- events -----------------------------------------------------------------------------------------------------------


def queue_explored(rules: Rules, t: LiveTable, terrain: CardId, unit: CardId | None) -> None:
    event = TriggerEvent("explored", unit)
    queue(rules, t, terrain, event)
    if unit is not None and R.is_unit(t, unit):
        queue(rules, t, unit, event)


@implements(C.REVEALED_FOR_EFFECT)
def queue_milled(rules: Rules, t: LiveTable, cards: Iterable[CardId]) -> None:
    """Queue the triggers of milled cards, in the order of milling. A card that was not shown has none."""
    for card in cards:
        is_shown = t.pieces[card].face is not None or area_of(t, card, MILLED) != S.GRAVEYARD
        if is_shown and TRIGGERED[rules.cards][t.pieces[card].face].get("milled"):
            queue(rules, t, card, TriggerEvent("milled"))


@implements(C.REVEALED_FOR_EFFECT)
def queue_removed(rules: Rules, t: LiveTable, cards: Iterable[CardId]) -> None:
    for card in cards:
        if TRIGGERED[rules.cards][t.pieces[card].face].get("removed"):
            queue(rules, t, card, TriggerEvent("removed"))
