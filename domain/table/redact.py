"""What a viewer may see of a table, from the schema alone. Hidden is the default; card ids leave to a judge only."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.table.physics import Physics
from domain.table.schema import Area, See
from domain.table.table import (
    EVERYONE,
    JUDGE,
    LANES,
    CardId,
    Clock,
    Effect,
    Frame,
    Obj,
    Piece,
    Place,
    Result,
    Seat,
    Table,
    area,
    lane,
    same,
    square,
)

SPECTATOR: Final = Seat("spectator")
"""The default viewer of everything: what all may know."""

_FOLLOWED: Final[frozenset[See]] = frozenset(("each", "all"))


class SeenCard(Struct, frozen=True, omit_defaults=True):
    """A card as one viewer sees it: a thing number where it can be followed, a face where it is known."""

    thing: int = 0
    face: str | None = None
    owner: Seat | None = None
    controller: Seat | None = None
    up: bool = False
    stance: str = ""
    host: int = 0
    marks: dict[str, int] = {}
    card: CardId | None = None


class SeenPlace(Struct, frozen=True, omit_defaults=True):
    """A place: how many cards (or at least how many), and those that can be seen one by one."""

    place: Place
    count: int | None = None
    least: int | None = None
    cards: tuple[SeenCard, ...] = ()


class SeenFrame(Struct, frozen=True, omit_defaults=True):
    """Something to be resolved or chosen, as far as a viewer may know."""

    id: int
    lane: str
    kind: str
    by: Seat
    step: str = ""
    face: str = ""
    objs: tuple[SeenCard, ...] = ()
    pairs: tuple[tuple[SeenCard, SeenCard], ...] = ()
    cards: tuple[SeenCard, ...] = ()
    frames: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()
    places: tuple[Place, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    """Where in the text of its face it goes on."""


class SeenEffect(Struct, frozen=True, omit_defaults=True):
    """An ongoing effect, as far as a viewer may know."""

    id: int
    kind: str
    by: Seat
    source: SeenCard
    on: tuple[SeenCard, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    until: str = ""
    since: int = 0
    face: str = ""
    seats: tuple[Seat, ...] = ()
    places: tuple[Place, ...] = ()
    path: tuple[int, ...] = ()
    """Where in the text of its face it stands."""


class View(Struct, frozen=True):
    """A whole table for one viewer. Encoded as it is; nothing is cut out of stored bytes."""

    viewer: Seat
    places: tuple[SeenPlace, ...]
    seats: dict[Seat, dict[str, int]]
    marks: dict[str, int]
    stack: tuple[SeenFrame, ...]
    running: tuple[SeenFrame, ...]
    waiting: tuple[SeenFrame, ...]
    asked: tuple[SeenFrame, ...]
    effects: tuple[SeenEffect, ...]
    clock: Clock
    result: Result | None


def eyes(physics: Physics, table: Table, viewer: Seat) -> Seat:
    """Whose view this viewer has: a seat that is out of the match has a spectator's."""
    out = physics.schema.out
    return SPECTATOR if out and table.seats.get(viewer, {}).get(out) else viewer


def sight(physics: Physics, viewer: Seat, place: Place, controller: Seat) -> See:
    """What this place shows this viewer; in a shared place, of a card this seat controls."""
    declared = physics.area(place)
    if viewer == JUDGE:
        return "all"
    if declared is None:
        return "nothing"
    owner = physics.seat(place) or controller
    if viewer == owner:
        return declared.sight.owner
    teams = physics.schema.teams
    if viewer in teams and teams.get(viewer) == teams.get(owner):
        return declared.sight.team
    return declared.sight.others


def knows(physics: Physics, table: Table, viewer: Seat, card: CardId) -> bool:
    """May this viewer know the face of this card now?"""
    piece = table.pieces[card]
    viewer = eyes(physics, table, viewer)
    if viewer == JUDGE or EVERYONE in piece.seen or viewer in piece.seen:
        return True
    match sight(physics, viewer, piece.place, piece.controller):
        case "all":
            return True
        case "each" | "up":
            return piece.up
        case "top":
            return piece.up and table.places[piece.place][-1] == card
        case _:
            return False


def follows(physics: Physics, table: Table, viewer: Seat, card: CardId) -> bool:
    """Can this viewer point at this very card, its face known or not?

    The top of a pile is seen, but its number would tell from where in its batch it came.
    """
    piece = table.pieces[card]
    viewer = eyes(physics, table, viewer)
    declared = physics.area(piece.place)
    see = sight(physics, viewer, piece.place, piece.controller)
    if declared is not None and declared.order == "bag" and see != "each":
        return viewer == JUDGE or see == "all" or (see == "up" and piece.up)
    return see in _FOLLOWED or (see == "up" and knows(physics, table, viewer, card))


def on_top(physics: Physics, table: Table, viewer: Seat, card: CardId) -> bool:
    """Is this the visible top of a pile? Then everybody sees which card it is, though not which thing."""
    see = sight(physics, eyes(physics, table, viewer), table.pieces[card].place, table.pieces[card].controller)
    return see == "top" and knows(physics, table, viewer, card)


def see_card(physics: Physics, table: Table, viewer: Seat, card: CardId) -> SeenCard:
    """One card for one viewer: what cannot be known is left out, not masked."""
    piece = table.pieces.get(card)
    if piece is None:
        return SeenCard()
    known = knows(physics, table, viewer, card)
    if not follows(physics, table, viewer, card):
        return SeenCard(face=piece.face if known else None)
    marks = {
        name: to
        for name, to in piece.marks.items()
        if known or ((mark := physics.mark("card", name)) is not None and mark.public)
    }
    host = table.pieces.get(piece.host)
    pointed = host is not None and follows(physics, table, viewer, piece.host)
    return SeenCard(
        thing=piece.thing,
        face=piece.face if known else None,
        owner=piece.owner,
        controller=piece.controller if piece.controller != piece.owner else None,
        up=piece.up,
        stance=physics.schema.stances[piece.stance],
        host=host.thing if host is not None and pointed else 0,
        marks=marks,
        card=card if viewer == JUDGE else None,
    )


def see_place(physics: Physics, table: Table, viewer: Seat, place: Place) -> SeenPlace | None:
    """One place for one viewer, None if even its count is nobody's business."""
    cards = table.places.get(place, ())
    declared = physics.area(place)
    assert declared is not None, place
    viewer = eyes(physics, table, viewer)
    see = sight(physics, viewer, place, Seat(""))
    pieces = [(card, table.pieces[card]) for card in cards]
    shared = physics.seat(place) is None
    listed = [
        see_card(physics, table, viewer, card)
        for card, piece in pieces
        if (see if not shared else sight(physics, viewer, place, piece.controller)) in _FOLLOWED
        or knows(physics, table, viewer, card)
    ]
    if (declared.order == "bag" and see != "each") or see in ("count", "below", "nothing"):
        listed.sort(key=_by_face)
    if see == "nothing":
        return SeenPlace(place, cards=tuple(listed)) if listed else None
    count, least = _count(declared, see, len(cards))
    return SeenPlace(place, count, least, tuple(listed))


def _by_face(card: SeenCard) -> tuple[str, int]:
    return (card.face or "", card.thing)


def _count(declared: Area, see: See, number: int) -> tuple[int | None, int | None]:
    if see == "below":
        return (number, None) if number < declared.sight.below else (None, declared.sight.below)
    if see in ("up", "top") and not declared.counted:
        return None, None
    return number, None


def counts(physics: Physics, table: Table, viewer: Seat, place: Place) -> bool:
    """May this viewer know exactly how many cards lie there?"""
    seen = see_place(physics, table, viewer, place)
    return seen is not None and seen.count is not None


def see_obj(physics: Physics, table: Table, viewer: Seat, obj: Obj) -> SeenCard:
    """A thing that was pointed at; its face only while it is still that object."""
    if same(table, obj):
        return see_card(physics, table, viewer, obj.card)
    return SeenCard(thing=obj.thing, card=obj.card if viewer == JUDGE else None)


def see_cards(physics: Physics, table: Table, viewer: Seat, cards: Iterable[CardId], own: bool) -> tuple[SeenCard, ...]:
    """The named cards this viewer can point at, in the order they are named.

    `own` adds those it merely knows to lie somewhere: that one of a hand or a pile is named here, only the seat
    concerned may see.
    """
    seen = (see_card(physics, table, viewer, card) for card in cards)
    return tuple(card for card in seen if card.thing or (own and card != SeenCard()))


def see_frame(physics: Physics, table: Table, viewer: Seat, frame: Frame) -> SeenFrame:
    """One frame: columns masked card by card, the secret ones shown to its seat and the judge only."""
    kind = physics.kinds.get(frame.kind)
    viewer = eyes(physics, table, viewer)
    hidden = kind.secret if kind is not None and viewer not in (JUDGE, frame.by) else ()

    def shown(column: str) -> bool:
        return column not in hidden

    return SeenFrame(
        id=frame.id,
        lane=frame.lane,
        kind=frame.kind,
        by=frame.by,
        step=frame.step if shown("step") else "",
        face=frame.face if shown("face") else "",
        objs=tuple(see_obj(physics, table, viewer, obj) for obj in frame.objs) if shown("objs") else (),
        pairs=tuple(
            (see_obj(physics, table, viewer, left), see_obj(physics, table, viewer, right))
            for left, right in frame.pairs
        )
        if shown("pairs")
        else (),
        cards=see_cards(physics, table, viewer, frame.cards, viewer in (JUDGE, frame.by)) if shown("cards") else (),
        frames=frame.frames if shown("frames") else (),
        seats=frame.seats if shown("seats") else (),
        places=frame.places if shown("places") else (),
        numbers=frame.numbers if shown("numbers") else (),
        words=frame.words if shown("words") else (),
        path=frame.todo[0].path if frame.todo and shown("face") and shown("todo") else (),
    )


def see_effect(physics: Physics, table: Table, viewer: Seat, effect: Effect) -> SeenEffect:
    """One ongoing effect."""
    return SeenEffect(
        id=effect.id,
        kind=effect.kind,
        by=effect.by,
        source=see_obj(physics, table, viewer, effect.source),
        on=tuple(see_obj(physics, table, viewer, obj) for obj in effect.on),
        numbers=effect.numbers,
        words=effect.words,
        until=effect.until,
        since=effect.since,
        face=effect.face,
        seats=effect.seats,
        places=effect.places,
        path=effect.path,
    )


def view(physics: Physics, table: Table, viewer: Seat) -> View:
    """The whole table for one viewer. Places come in the schema's order, seat by seat."""
    frames = {name: tuple(see_frame(physics, table, viewer, frame) for frame in lane(table, name)) for name in LANES}
    return View(
        viewer=viewer,
        places=tuple(
            seen for place in places(physics, table) if (seen := see_place(physics, table, viewer, place)) is not None
        ),
        seats={seat: dict(sorted(marks.items())) for seat, marks in table.seats.items()},
        marks=dict(sorted(table.marks.items())),
        effects=tuple(see_effect(physics, table, viewer, effect) for effect in table.effects),
        clock=table.clock,
        result=table.result,
        **frames,
    )


def places(physics: Physics, table: Table) -> list[Place]:
    """Every place of the table in the schema's order, seat by seat; of grids and slots those that hold cards."""
    listed: list[Place] = []
    for declared in physics.schema.areas:
        names = [f"{seat}.{declared.name}" for seat in table.seats] if declared.per_seat else [declared.name]
        if declared.order in ("grid", "slots"):
            taken = [place for place, cards in table.places.items() if cards and area(place) in names]
            listed += sorted(taken, key=_square)
        else:
            listed += [Place(name) for name in names]
    return listed


def _square(place: Place) -> tuple[str, tuple[int, ...]]:
    return area(place), tuple(int(part) for part in square(place).split(",") if part.isdecimal())


def hidden_faces(physics: Physics, table: Table, viewer: Seat) -> dict[CardId, Piece]:
    """The cards whose faces this viewer cannot know: what a leak law may re-deal."""
    return {card: piece for card, piece in table.pieces.items() if not knows(physics, table, viewer, card)}


def blind(physics: Physics, table: Table, viewer: Seat) -> Table:
    """The table without the faces this viewer cannot know: to answer a question from what the asker knows."""
    if viewer == JUDGE:
        return table
    hidden = hidden_faces(physics, table, viewer)
    pieces = {card: replace(piece, face=None) if card in hidden else piece for card, piece in table.pieces.items()}
    return table.but(pieces=pieces)
