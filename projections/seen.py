"""Facts as one viewer sees them happen. What cannot be known is left out, not masked.

A face is told if the viewer can point at the card and knows it, before the fact or after it. Knowing that a card is
among those of a hand is not enough: then its going would tell which one went.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from domain.law.clause import Clause
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import (
    Adjusted,
    Altered,
    AnyFact,
    Arranged,
    Began,
    Clocked,
    Controlled,
    Created,
    Ended,
    Finished,
    FlowFact,
    Learned,
    Marked,
    Moved,
    Popped,
    Pushed,
    Removed,
    Rolled,
    Shown,
    Stanced,
    Tied,
    Turned,
)
from domain.table.physics import Physics
from domain.table.redact import SeenEffect, SeenFrame, counts, eyes, follows, knows, see_effect, see_frame
from domain.table.table import EVERYONE, JUDGE, AnyTable, CardId, Clock, Place, Result, Seat, frame


class Look(Struct, frozen=True, gc=False):
    """A card at one moment: its thing number if the viewer can point at it (else 0), its face if it is known so."""

    thing: int = 0
    known: bool = False
    face: str | None = None


UNSEEN = Look()


class Sighted(Struct, frozen=True, omit_defaults=True):
    """A card in a fact or an action: the thing it is, the thing it was before, its face; its id for a judge only."""

    thing: int = 0
    was: int = 0
    face: str | None = None
    card: CardId | None = None


class Origin(Struct, frozen=True):
    """How many of the cards of a move came from which place."""

    place: Place
    number: int


class SeenFact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One fact for one viewer. `number` is how many cards it was about, where that may be known."""

    fact: str
    clause: Clause = Clause("")
    flow: bool = False
    number: int | None = None
    cards: tuple[Sighted, ...] = ()
    order: tuple[CardId, ...] = ()
    origin: tuple[Origin, ...] = ()
    place: Place | None = None
    at: int | None = None
    up: bool | None = None
    stance: str = ""
    seat: Seat | None = None
    seats: tuple[Seat, ...] = ()
    host: Sighted | None = None
    name: str = ""
    to: int | None = None
    lasting: bool = False
    shuffled: bool = False
    effects: tuple[SeenEffect, ...] = ()
    frame: SeenFrame | None = None
    changed: tuple[str, ...] = ()
    how: str = ""
    clock: Clock | None = None
    result: Result | None = None


def look(physics: Physics, table: AnyTable, viewer: Seat, card: CardId) -> Look:
    """A card as the viewer can point at it now."""
    piece = table.pieces.get(card)
    if piece is None or not follows(physics, table, viewer, card):
        return UNSEEN
    known = knows(physics, table, viewer, card)
    return Look(piece.thing, known, piece.face if known else None)


def sighted(viewer: Seat, card: CardId, before: Look, after: Look, face: str | None = None) -> Sighted | None:
    """What may be told of a card that something happened to; None if nothing. `face` is one that was shown."""
    told = face or before.face or after.face
    if not before.thing and not after.thing and told is None:
        return None
    thing = after.thing or before.thing
    was = before.thing if before.thing != thing else 0
    return Sighted(thing, was, told, card if viewer == JUDGE else None)


def subjects(fact: AnyFact) -> tuple[CardId, ...]:
    """The cards a fact is about, by name."""
    match fact:
        case Moved() | Created() | Removed() | Arranged() | Turned() | Stanced() | Controlled() | Shown():
            return fact.cards
        case Tied(cards, to):
            return (*cards, to) if to else cards
        case Marked(on):
            return on if isinstance(on, tuple) else ()
        case Learned(card) | Rolled(card=card):
            return (card,) if card else ()
        case _:
            return ()


def see_facts(
    physics: Physics, viewer: Seat, draft: Draft, told: Iterable[tuple[Clause, AnyFact]], *, flow: bool = False
) -> tuple[SeenFact, ...]:
    """Let recorded facts happen on a live table, and say what the viewer sees of each; flow only if asked for."""
    seen = [see_fact(physics, viewer, draft, clause, fact) for clause, fact in told]
    return tuple(one for one in seen if one is not None and (flow or not one.flow))


def see_fact(physics: Physics, viewer: Seat, draft: Draft, clause: Clause, fact: AnyFact) -> SeenFact | None:
    """Let one fact happen on a live table; what the viewer sees of it, None if nothing at all."""
    tag = str(fact.__struct_config__.tag)
    if isinstance(fact, FlowFact):
        return _flow(physics, viewer, draft, clause, fact, tag)
    cards = subjects(fact)
    before = {card: look(physics, draft, viewer, card) for card in cards}
    origin = _origin(draft, fact) if isinstance(fact, Moved | Removed) else ()
    ended = tuple(e for e in draft.effects if isinstance(fact, Ended) and e.id in fact.effects)
    effects = [see_effect(physics, draft, viewer, e) for e in ended]
    faces = {card: draft.pieces[card].face for card in cards} if _shown_to(physics, draft, viewer, fact) else {}
    EVOLVE[type(fact)](draft, fact)
    after = {card: look(physics, draft, viewer, card) for card in cards}
    known = viewer == JUDGE or (
        bool(cards) and all(before[card].known or after[card].known or card in faces for card in cards)
    )
    because = clause if known or clause not in physics.schema.telling else Clause("")

    def told(some: Iterable[CardId]) -> tuple[Sighted, ...]:
        found = (sighted(viewer, card, before[card], after[card], faces.get(card)) for card in some)
        return tuple(one for one in found if one is not None)

    one = told(cards)
    match fact:
        case Moved(to=place, at=at, up=up):
            at_seen = at if at >= 0 and (viewer == JUDGE or any(after[card].thing for card in cards)) else None
            return SeenFact(
                fact=tag,
                clause=because,
                number=len(cards),
                cards=one,
                origin=origin,
                place=place,
                at=at_seen,
                up=up or None,
            )
        case Removed():
            return SeenFact(fact=tag, clause=because, number=len(cards), cards=one, origin=origin)
        case Created(place, owner=owner):
            number = len(cards) if counts(physics, draft, viewer, place) else None
            return SeenFact(fact=tag, clause=because, number=number, cards=one, place=place, seat=owner)
        case Arranged(place, shuffled=shuffled):
            number = len(cards) if counts(physics, draft, viewer, place) else None
            order = cards if viewer == JUDGE else ()
            return SeenFact(fact=tag, clause=because, number=number, place=place, order=order, shuffled=shuffled)
        case Shown(to=seats, lasting=lasting):
            lie = dict.fromkeys(draft.pieces[card].place for card in cards)
            number = len(cards) if all(counts(physics, draft, viewer, place) for place in lie) else None
            place = next(iter(lie)) if len(lie) == 1 else None
            return SeenFact(
                fact=tag, clause=because, number=number, cards=one, place=place, seats=seats, lasting=lasting
            )
        case Marked():
            return _marked(physics, viewer, because, fact, tag, one, told, before, after)
        case Rolled(what, number, seat, card):
            return SeenFact(fact=tag, clause=because, cards=one, name=what, to=number or None, seat=seat or None)
        case Began(effect):
            begun = (see_effect(physics, draft, viewer, effect),)
            return SeenFact(fact=tag, clause=because, effects=begun)
        case Adjusted(wanted):
            adjusted = tuple(see_effect(physics, draft, viewer, e) for e in draft.effects if e.id == wanted)
            return SeenFact(fact=tag, clause=because, effects=adjusted)
        case Ended():
            return SeenFact(fact=tag, clause=because, effects=tuple(effects))
        case Finished(result):
            return SeenFact(fact=tag, clause=because, result=result)
        case Learned():
            return SeenFact(fact=tag, clause=because, cards=one) if known else None
        case Turned(up=up):
            return SeenFact(fact=tag, clause=because, cards=one, up=up) if one else None
        case Stanced(to=to):
            stance = physics.schema.stances[to]
            return SeenFact(fact=tag, clause=because, cards=one, stance=stance) if one else None
        case Controlled(by=seat):
            return SeenFact(fact=tag, clause=because, cards=one, seat=seat) if one else None
        case Tied(moved, to):
            tied = told(moved)
            host = next(iter(told((to,))), None) if to else None
            return SeenFact(fact=tag, clause=because, cards=tied, host=host, up=bool(to)) if tied else None
        case _:
            assert_never(fact)


def _shown_to(physics: Physics, table: AnyTable, viewer: Seat, fact: AnyFact) -> bool:
    """Does this fact itself show faces to this viewer?"""
    return isinstance(fact, Shown) and (
        viewer == JUDGE or EVERYONE in fact.to or eyes(physics, table, viewer) in fact.to
    )


def _origin(table: AnyTable, fact: Moved | Removed) -> tuple[Origin, ...]:
    numbers: dict[Place, int] = {}
    for card in fact.cards:
        place = table.pieces[card].place
        numbers[place] = numbers.get(place, 0) + 1
    return tuple(Origin(place, number) for place, number in numbers.items())


def _flow(
    physics: Physics, viewer: Seat, draft: Draft, clause: Clause, fact: FlowFact, tag: str
) -> SeenFact | None:
    """Bookkeeping: what came into a lane, went on or left it; the clock."""
    gone = frame(draft, fact.id) if isinstance(fact, Popped) else None
    left = see_frame(physics, draft, viewer, gone) if gone is not None else None
    EVOLVE[type(fact)](draft, fact)
    if isinstance(fact, Clocked):
        return SeenFact(fact=tag, clause=_flow_clause(physics, viewer, clause), flow=True, clock=fact.clock)
    wanted = fact.frame.id if isinstance(fact, Pushed) else fact.id
    found = frame(draft, wanted)
    seen = left if found is None else see_frame(physics, draft, viewer, found)
    if seen is None:
        return None
    changed = _changed(fact) if isinstance(fact, Altered) else ()
    how = fact.how if isinstance(fact, Popped) else ""
    because = _flow_clause(physics, viewer, clause, seen.by)
    return SeenFact(fact=tag, clause=because, flow=True, frame=seen, changed=changed, how=how)


def _flow_clause(physics: Physics, viewer: Seat, clause: Clause, by: Seat | None = None) -> Clause:
    return clause if viewer in (JUDGE, by) or clause not in physics.schema.telling else Clause("")


def _changed(fact: Altered) -> tuple[str, ...]:
    parts = (("step", fact.step), ("lane", fact.lane), ("columns", fact.columns))
    return tuple(name for name, value in parts if value is not None)
