"""Facts as one viewer sees them happen. Unknown parts are omitted, not masked.

A face is shown if the viewer can point at the card and knows it, before or after the fact. Knowing that a card is in a
hand is not enough, because its move would then disclose which card moved.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from domain.law.clause import BY_HAND, Clause
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.redact import LateFace, SeenEffect, SeenFrame, TableViewer
from domain.table.table import JUDGE, CardId, Clock, Place, Result, Seat, Table, frame


class CardView(Struct, frozen=True, gc=False):
    """A view of a card at one moment. `thing` is 0 if the viewer cannot point at it. `later` is the face that the log
    learned later, if the viewer may know it."""

    thing: int = 0
    known: bool = False
    face: str | None = None
    later: LateFace | None = None


UNSEEN = CardView()


class CardReference(Struct, frozen=True, omit_defaults=True):
    """A reference to a card: its thing number, the former one (`was`), and its face. `card` and `later` are for
    judges."""

    thing: int = 0
    was: int = 0
    face: str | None = None
    card: CardId | None = None
    later: LateFace | None = None


class Origin(Struct, frozen=True):
    """The number of cards that moved from a place."""

    place: Place
    number: int


class SeenFact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One fact for one viewer. `number` is the number of cards, if the viewer may know it."""

    fact: str
    clause: Clause = BY_HAND
    flow: bool = False
    number: int | None = None
    cards: tuple[CardReference, ...] = ()
    order: tuple[CardId, ...] = ()
    origin: tuple[Origin, ...] = ()
    place: Place | None = None
    at: int | None = None
    up: bool | None = None
    stance: str = ""
    seat: Seat | None = None
    seats: tuple[Seat, ...] = ()
    host: CardReference | None = None
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


FORGOTTEN = "forgotten"
"""The `how` of a fact that made cards indistinguishable in the log."""


def look(eyes: TableViewer, table: Table, card: CardId) -> CardView:
    """Return the viewer's current view of a card."""
    piece = table.pieces.get(card)
    if piece is None:
        return UNSEEN
    if not eyes.follows(table, card):
        return CardView(0, True, piece.face) if eyes.is_visible_top(table, card) else UNSEEN
    known = eyes.knows(table, card)
    return CardView(piece.thing, known, piece.face if known else None, eyes.late_face(table, card))


def look_by_face(eyes: TableViewer, table: Table, card: CardId) -> CardView:
    """Return the view of a card in an offer, whose notation names every card whose face the viewer knows."""
    view = look(eyes, table, card)
    if view.known or card not in table.pieces or not eyes.knows(table, card):
        return view
    return CardView(known=True, face=table.pieces[card].face)


def make_card_reference(
    eyes: TableViewer, card: CardId, before: CardView, after: CardView, face: str | None = None
) -> CardReference | None:
    """Return the visible reference to an affected card, or None. `face` is a face that the fact shows."""
    shown_face = face or before.face or after.face
    if not before.thing and not after.thing and shown_face is None:
        return None
    thing = after.thing or before.thing
    was = before.thing if before.thing != thing else 0
    later = after.later or before.later if shown_face is None else None
    return CardReference(thing, was, shown_face, card if eyes.viewer == JUDGE else None, later)


def subjects(fact: F.AnyFact) -> tuple[CardId, ...]:
    """Return the cards that a fact names."""
    match fact:
        case (
            F.Moved()
            | F.Created()
            | F.Removed()
            | F.Arranged()
            | F.Turned()
            | F.Stanced()
            | F.Controlled()
            | F.Identified()
            | F.Shown()
        ):
            return fact.cards
        case F.Tied(cards, to):
            return (*cards, to) if to else cards
        case F.Marked(on):
            return on if isinstance(on, tuple) else ()
        case F.Learned(card) | F.Rolled(card=card):
            return (card,) if card else ()
        case _:
            return ()


def see_facts(
    eyes: TableViewer, draft: Draft, told: Iterable[tuple[Clause, F.AnyFact]], *, flow: bool = False
) -> tuple[SeenFact, ...]:
    """Apply facts to a live table and return what the viewer sees of them; flow facts only with `flow`."""
    seen = [see_fact(eyes, draft, clause, fact) for clause, fact in told]
    return tuple(fact for fact in seen if fact is not None and (flow or not fact.flow))


class _Moment(Struct, frozen=True):
    eyes: TableViewer
    draft: Draft
    tag: str
    clause: Clause
    before: dict[CardId, CardView]
    after: dict[CardId, CardView]
    faces: dict[CardId, str | None]
    """Faces that this fact shows to the viewer."""

    def list_references(self, cards: Iterable[CardId]) -> tuple[CardReference, ...]:
        """Return references to all cards that the viewer may know anything about."""
        looks = ((card, self.before[card], self.after[card], self.faces.get(card)) for card in cards)
        sightings = (make_card_reference(self.eyes, card, before, after, face) for card, before, after, face in looks)
        return tuple(card for card in sightings if card is not None)

    def knows(self, card: CardId) -> bool:
        """True if the viewer knows this card's face before or after the fact."""
        return self.eyes.viewer == JUDGE or self.before[card].known or self.after[card].known or card in self.faces

    def counted(self, number: int, places: Iterable[Place]) -> int | None:
        """Return the number of cards, if the viewer can count these places."""
        return number if all(self.eyes.knows_count(self.draft, place) for place in places) else None

    def make_seen_fact(self, **parts: Any) -> SeenFact:
        """Return the fact for the viewer. A clause that would disclose a hidden card is omitted."""
        telling = self.clause in self.eyes.physics.schema.telling
        known = self.eyes.viewer == JUDGE or (bool(self.before) and all(map(self.knows, self.before)))
        return SeenFact(fact=self.tag, clause=BY_HAND if telling and not known else self.clause, **parts)


def see_fact(eyes: TableViewer, draft: Draft, clause: Clause, fact: F.AnyFact) -> SeenFact | None:
    """Apply one fact to a live table and return what the viewer sees of it, or None."""
    if isinstance(fact, F.FlowFact):
        return _see_flow(eyes, draft, clause, fact)
    cards = subjects(fact)
    before = {card: look(eyes, draft, card) for card in cards}
    faces = {card: draft.pieces[card].face for card in cards} if eyes.can_see_faces(draft, fact) else {}
    gone = _origin(draft, fact) if isinstance(fact, F.Moved | F.Removed) else ()
    ended = tuple(
        eyes.effect(draft, effect)
        for effect in draft.effects
        if isinstance(fact, F.Ended) and effect.id in fact.effects
    )
    EVOLVE[type(fact)](draft, fact)
    after = {card: look(eyes, draft, card) for card in cards}
    moment = _Moment(eyes, draft, str(fact.__struct_config__.tag), clause, before, after, faces)
    match fact:
        case F.Shown(to=()) if not moment.list_references(cards):
            return None  # cards forgotten in a hand: any remaining one would disclose which card left
        case F.Moved() | F.Removed() | F.Created() | F.Arranged() | F.Shown():
            return _see_placement(moment, fact, gone)
        case F.Ended():
            return moment.make_seen_fact(effects=ended)
        case F.Began() | F.Adjusted() | F.Finished() | F.Rolled():
            return _see_general(moment, fact)
        case F.Identified():
            return _see_identification(moment, fact)
        case _:
            return _see_card_change(moment, fact)


def _see_placement(
    m: _Moment, fact: F.Moved | F.Removed | F.Created | F.Arranged | F.Shown, gone: tuple[Origin, ...]
) -> SeenFact:
    cards = fact.cards
    match fact:
        case F.Moved(to=place, at=at, up=up):
            can_point = m.eyes.viewer == JUDGE or any(look.thing for look in m.after.values())
            slot = at if at >= 0 and can_point else None
            return m.make_seen_fact(
                number=len(cards), cards=m.list_references(cards), origin=gone, place=place, at=slot, up=up or None
            )
        case F.Removed():
            return m.make_seen_fact(number=len(cards), cards=m.list_references(cards), origin=gone)
        case F.Created(place, owner=owner):
            number = m.counted(len(cards), (place,))
            return m.make_seen_fact(number=number, cards=m.list_references(cards), place=place, seat=owner)
        case F.Arranged(place, shuffled=shuffled):
            number = m.counted(len(cards), (place,))
            return m.make_seen_fact(
                number=number, place=place, order=cards if m.eyes.viewer == JUDGE else (), shuffled=shuffled
            )
        case F.Shown(to=seats, lasting=lasting):
            places = tuple(dict.fromkeys(m.draft.pieces[card].place for card in cards))
            where = places[0] if len(places) == 1 else None
            number = m.counted(len(cards), places)
            return m.make_seen_fact(
                number=number, cards=m.list_references(cards), place=where, seats=seats, lasting=lasting
            )


def _see_general(m: _Moment, fact: F.Began | F.Adjusted | F.Finished | F.Rolled) -> SeenFact:
    match fact:
        case F.Began(effect):
            return m.make_seen_fact(effects=(m.eyes.effect(m.draft, effect),))
        case F.Adjusted(wanted):
            adjusted = (effect for effect in m.draft.effects if effect.id == wanted)
            return m.make_seen_fact(effects=tuple(m.eyes.effect(m.draft, effect) for effect in adjusted))
        case F.Finished(result):
            return m.make_seen_fact(result=result)
        case F.Rolled(what, number, seat, card):
            return m.make_seen_fact(
                cards=m.list_references((card,) if card else ()), name=what, to=number or None, seat=seat or None
            )


def _see_card_change(
    m: _Moment, fact: F.Turned | F.Stanced | F.Controlled | F.Tied | F.Marked | F.Learned
) -> SeenFact | None:
    """Return a fact about cards in place, or None if the viewer can point at none of them."""
    match fact:
        case F.Marked(on, name, to):
            if not isinstance(on, tuple):
                return m.make_seen_fact(name=name, to=to, seat=on)
            mark = m.eyes.physics.mark("card", name)
            public = mark is not None and mark.public
            marked = m.list_references(card for card in on if public or m.knows(card))
            return m.make_seen_fact(cards=marked, name=name, to=to) if marked else None
        case F.Learned(card):
            return m.make_seen_fact(cards=m.list_references((card,))) if m.knows(card) else None
        case F.Turned(cards, up):
            return m.make_seen_fact(cards=m.list_references(cards), up=up) if m.list_references(cards) else None
        case F.Stanced(cards, to):
            return (
                m.make_seen_fact(cards=m.list_references(cards), stance=m.eyes.physics.schema.stances[to])
                if m.list_references(cards)
                else None
            )
        case F.Controlled(cards, by):
            return m.make_seen_fact(cards=m.list_references(cards), seat=by) if m.list_references(cards) else None
        case F.Tied(cards, to):
            host = next(iter(m.list_references((to,))), None) if to else None
            return (
                m.make_seen_fact(cards=m.list_references(cards), host=host, up=bool(to))
                if m.list_references(cards)
                else None
            )


def _see_identification(m: _Moment, fact: F.Identified) -> SeenFact | None:
    """Return the fact without cards whose face this viewer does not know; None without any left. Judges see all."""
    cards = tuple(
        card
        for card, face in zip(fact.cards, fact.faces, strict=True)
        if m.eyes.viewer == JUDGE or (face is not None and m.knows(card))
    )
    return m.make_seen_fact(cards=m.list_references(cards), how="" if all(fact.faces) else FORGOTTEN) if cards else None


def _origin(table: Table, fact: F.Moved | F.Removed) -> tuple[Origin, ...]:
    numbers: dict[Place, int] = {}
    for card in fact.cards:
        place = table.pieces[card].place
        numbers[place] = numbers.get(place, 0) + 1
    return tuple(Origin(place, number) for place, number in numbers.items())


def _see_flow(eyes: TableViewer, draft: Draft, clause: Clause, fact: F.FlowFact) -> SeenFact | None:
    gone = frame(draft, fact.id) if isinstance(fact, F.Popped) else None
    seen = eyes.frame(draft, gone) if gone is not None else None
    EVOLVE[type(fact)](draft, fact)
    tag, telling = str(fact.__struct_config__.tag), clause in eyes.physics.schema.telling and eyes.viewer != JUDGE
    if isinstance(fact, F.Clocked):
        return SeenFact(fact=tag, clause=BY_HAND if telling else clause, flow=True, clock=fact.clock)
    if not isinstance(fact, F.Popped):
        current = frame(draft, fact.frame.id if isinstance(fact, F.Pushed) else fact.id)
        seen = eyes.frame(draft, current) if current is not None else None
    if seen is None:
        return None
    return SeenFact(
        fact=tag,
        clause=BY_HAND if telling and eyes.viewer != seen.by else clause,
        flow=True,
        frame=seen,
        changed=_list_changed(fact) if isinstance(fact, F.Altered) else (),
        how=fact.how if isinstance(fact, F.Popped) else "",
    )


def _list_changed(fact: F.Altered) -> tuple[str, ...]:
    parts = (("step", fact.step), ("lane", fact.lane), ("columns", fact.columns))
    return tuple(name for name, value in parts if value is not None)
