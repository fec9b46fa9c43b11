"""What a viewer may see of a table, from the schema alone. Hidden is the default; card ids leave to a judge only."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.table import table as T
from domain.table.facts import AnyFact, Shown
from domain.table.physics import Physics
from domain.table.schema import Area, See

SPECTATOR: Final = T.Seat("spectator")

_FOLLOWED: Final[frozenset[See]] = frozenset(("each", "all"))
_PLAIN: Final = ("step", "face", "frames", "seats", "places", "numbers", "words")
"""Columns of a frame that name no card."""
_PLAIN_OF_EFFECTS: Final = (
    "id", "kind", "by", "numbers", "words", "until", "since", "face", "seats", "places", "path",
)  # fmt: skip
"""Fields of an effect that name no card."""


class LateFace(Struct, frozen=True):
    """What the log learned of a card afterwards: its face, and by which entry. It was unknown then."""

    face: str
    entry: int


LookBack = Callable[[int], Mapping[T.CardId, LateFace]]
"""By the number of an entry: the cards that were unknown after it, and of which the log learned later what they are."""


class SeenCard(Struct, frozen=True, omit_defaults=True):
    """A card as one viewer sees it: a thing number where it can be followed, a face where it is known.

    On a board `stance` is left out where it is the schema's first, `owner` where it is the place's seat; `readings` are
    what the card amounts to, `tied` the cards that lie with it and are tied to it, and `host` the thing it is tied to
    that lies in another place. `card` is the physical id, for a judge only, and so is `later`, of a card that was
    unknown then.
    """

    thing: int = 0
    face: str | None = None
    up: bool = False
    stance: str = ""
    owner: T.Seat | None = None
    controller: T.Seat | None = None
    host: int = 0
    marks: dict[str, int] = {}
    readings: dict[str, int | str] = {}
    tied: tuple["SeenCard", ...] = ()
    card: T.CardId | None = None
    later: LateFace | None = None


class SeenPlace(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A place: how many cards, or at least how many, and those seen one by one in its order; neither may be known.

    On a board `called` is what its game calls it, where that is another name than its own.
    """

    place: T.Place
    area: str
    count: int | None = None
    least: int | None = None
    cards: tuple[SeenCard, ...] = ()
    called: str = ""


class SeenFrame(Struct, frozen=True, omit_defaults=True):
    """Something to be resolved or chosen, as far as a viewer may know."""

    id: int
    lane: str
    kind: str
    by: T.Seat
    step: str = ""
    face: str = ""
    objs: tuple[SeenCard, ...] = ()
    pairs: tuple[tuple[SeenCard, SeenCard], ...] = ()
    cards: tuple[SeenCard, ...] = ()
    frames: tuple[int, ...] = ()
    seats: tuple[T.Seat, ...] = ()
    places: tuple[T.Place, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    """Where in the text of its face it goes on."""


class SeenEffect(Struct, frozen=True, omit_defaults=True):
    """An ongoing effect, as far as a viewer may know."""

    id: int
    kind: str
    by: T.Seat
    source: SeenCard
    on: tuple[SeenCard, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    until: str = ""
    since: int = 0
    face: str = ""
    seats: tuple[T.Seat, ...] = ()
    places: tuple[T.Place, ...] = ()
    path: tuple[int, ...] = ()
    """Where in the text of its face it stands."""


class SeenSeat(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat with its name, its side if there are any, its marks and its places in the schema's order."""

    seat: T.Seat
    name: str = ""
    team: str = ""
    marks: dict[str, int] = {}
    places: tuple[SeenPlace, ...] = ()


class SeenClock(T.Clock, frozen=True, array_like=False, omit_defaults=True):
    """The clock with its parts named."""


class SeenResult(T.Result, frozen=True, array_like=False):
    """How the match ended; no winners is a draw."""


class View(Struct, frozen=True, kw_only=True):
    """A whole table for one viewer, arranged by seats; lanes are oldest first. Of a match it says after which entry.

    Encoded as it is; nothing is cut out of stored bytes.
    """

    viewer: T.Seat
    entry: int
    game: str
    seats: tuple[SeenSeat, ...]
    shared: tuple[SeenPlace, ...]
    marks: dict[str, int]
    stack: tuple[SeenFrame, ...]
    running: tuple[SeenFrame, ...]
    waiting: tuple[SeenFrame, ...]
    asked: tuple[SeenFrame, ...]
    effects: tuple[SeenEffect, ...]
    clock: SeenClock
    result: SeenResult | None

    @property
    def names(self) -> dict[T.Seat, str]:
        """Players by their seats, as far as the view has their names."""
        return {seat.seat: seat.name for seat in self.seats if seat.name}


class TableViewer(Struct, frozen=True):
    """Whose eyes look at a table: what they cannot see is not told, found, counted or mentioned.

    `later` is what a judge is told of cards that are unknown at this moment, from a `look_back` over the whole record;
    nobody else is, for whoever could not follow a card until it was known does not learn which one it was.
    """

    physics: Physics
    viewer: T.Seat = SPECTATOR
    look_back: LookBack | None = None
    later: Mapping[T.CardId, LateFace] = {}

    def learned(self, table: T.Table, card: T.CardId) -> LateFace | None:
        """What the log learned later of a card that is unknown on this table, for a judge."""
        piece = table.pieces.get(card)
        return self.later.get(card) if self.viewer == T.JUDGE and piece is not None and piece.face is None else None

    def seat(self, table: T.Table) -> T.Seat:
        """Whose view this viewer has: a seat that is out of the match has a spectator's."""
        out = self.physics.schema.out
        return SPECTATOR if out and table.seats.get(self.viewer, {}).get(out) else self.viewer

    def can_see_faces(self, table: T.Table, fact: AnyFact) -> bool:
        """Does this fact itself show faces to this viewer?"""
        whole = self.viewer == T.JUDGE
        return isinstance(fact, Shown) and (whole or T.EVERYONE in fact.to or self.seat(table) in fact.to)

    def knows(self, table: T.Table, card: T.CardId) -> bool:
        """May this viewer know the face of this card now?"""
        piece = table.pieces[card]
        viewer = self.seat(table)
        if viewer == T.JUDGE or T.EVERYONE in piece.seen or viewer in piece.seen:
            return True
        match _sight(self.physics, viewer, piece.place, piece.controller):
            case "all":
                return True
            case "each" | "up":
                return piece.up
            case "top":
                return piece.up and table.places[piece.place][-1] == card
            case _:
                return False

    def follows(self, table: T.Table, card: T.CardId) -> bool:
        """Can this viewer point at this very card, its face known or not?

        The top of a pile is seen, but its number would tell from where in its batch it came.
        """
        piece = table.pieces[card]
        viewer = self.seat(table)
        declared = self.physics.area(piece.place)
        see = _sight(self.physics, viewer, piece.place, piece.controller)
        if declared is not None and declared.order == "bag" and see != "each":
            return viewer == T.JUDGE or see == "all" or (see == "up" and piece.up)
        return see in _FOLLOWED or (see == "up" and self.knows(table, card))

    def on_top(self, table: T.Table, card: T.CardId) -> bool:
        """Is this the visible top of a pile? Then everybody sees which card it is, though not which thing."""
        piece = table.pieces[card]
        see = _sight(self.physics, self.seat(table), piece.place, piece.controller)
        return see == "top" and self.knows(table, card)

    def counts(self, table: T.Table, place: T.Place) -> bool:
        """May this viewer know exactly how many cards lie there?"""
        seen = self.place(table, place)
        return seen is not None and seen.count is not None

    def card(self, table: T.Table, card: T.CardId) -> SeenCard:
        """One card: what cannot be known is left out, not masked."""
        piece = table.pieces.get(card)
        if piece is None:
            return SeenCard()
        known = self.knows(table, card)
        face = piece.face if known else None
        if not self.follows(table, card):
            return SeenCard(face=face)
        host = table.pieces.get(piece.host)
        return SeenCard(
            thing=piece.thing,
            face=face,
            up=piece.up,
            stance=self.physics.schema.stances[piece.stance],
            owner=piece.owner,
            controller=piece.controller if piece.controller != piece.owner else None,
            host=host.thing if host is not None and self.follows(table, piece.host) else 0,
            marks={
                name: to
                for name, to in piece.marks.items()
                if known or ((mark := self.physics.mark("card", name)) is not None and mark.public)
            },
            card=card if self.viewer == T.JUDGE else None,
            later=self.learned(table, card),
        )

    def place(self, table: T.Table, place: T.Place) -> SeenPlace | None:
        """One place, None if even its count is nobody's business."""
        cards = table.places.get(place, ())
        declared = self.physics.area(place)
        assert declared is not None, place
        viewer, shared = self.seat(table), self.physics.seat(place) is None
        see = _sight(self.physics, viewer, place, T.Seat(""))

        def listed(card: T.CardId) -> bool:
            of_card = _sight(self.physics, viewer, place, table.pieces[card].controller) if shared else see
            return of_card in _FOLLOWED or self.knows(table, card)

        seen = [self.card(table, card) for card in cards if listed(card)]
        if (declared.order == "bag" and see != "each") or see in ("count", "below", "nothing"):
            seen.sort(key=lambda card: (card.face or "", card.thing))
        if see == "nothing" and not seen:
            return None
        count, least = _count(declared, see, len(cards))
        return SeenPlace(place=place, area=declared.name, count=count, least=least, cards=tuple(seen))

    def places(self, table: T.Table) -> tuple[SeenPlace, ...]:
        """Every place of which anything may be known, in the schema's order, seat by seat."""
        seen = (self.place(table, place) for place in places_of(self.physics, table))
        return tuple(place for place in seen if place is not None)

    def frame(self, table: T.Table, frame: T.Frame) -> SeenFrame:
        """One frame: columns masked card by card, the secret ones shown to its seat and the judge only."""
        kind = self.physics.kinds.get(frame.kind)
        own = self.seat(table) in (T.JUDGE, frame.by)
        hidden = kind.secret if kind is not None and not own else ()
        shown: dict[str, Any] = {name: getattr(frame, name) for name in _PLAIN if name not in hidden}
        if "objs" not in hidden:
            shown["objs"] = tuple(self._obj(table, obj) for obj in frame.objs)
        if "pairs" not in hidden:
            shown["pairs"] = tuple((self._obj(table, left), self._obj(table, right)) for left, right in frame.pairs)
        if "cards" not in hidden:
            shown["cards"] = self._cards(table, frame.cards, own)
        if frame.todo and not {"face", "todo"}.intersection(hidden):
            shown["path"] = frame.todo[0].path
        return SeenFrame(id=frame.id, lane=frame.lane, kind=frame.kind, by=frame.by, **shown)

    def lanes(self, table: T.Table) -> dict[str, tuple[SeenFrame, ...]]:
        """All frames, by their lanes."""
        return {name: tuple(self.frame(table, frame) for frame in T.lane(table, name)) for name in T.LANES}

    def effect(self, table: T.Table, effect: T.Effect) -> SeenEffect:
        """One ongoing effect."""
        plain = {name: getattr(effect, name) for name in _PLAIN_OF_EFFECTS}
        source, *on = (self._obj(table, obj) for obj in (effect.source, *effect.on))
        return SeenEffect(source=source, on=tuple(on), **plain)

    def effects(self, table: T.Table) -> tuple[SeenEffect, ...]:
        """All ongoing effects."""
        return tuple(self.effect(table, effect) for effect in table.effects)

    def view(self, table: T.Table, places: tuple[SeenPlace, ...] | None = None) -> View:
        """The whole table. Places come in the schema's order under their seats, or as shared ones.

        `places` are those of this table, from one who has them already.
        """
        places = self.places(table) if places is None else places
        return View(
            viewer=self.viewer,
            entry=0,
            game="",
            seats=tuple(
                SeenSeat(
                    seat=seat,
                    team=self.physics.schema.teams.get(seat, ""),
                    marks=dict(sorted(marks.items())),
                    places=tuple(place for place in places if self.physics.seat(place.place) == seat),
                )
                for seat, marks in table.seats.items()
            ),
            shared=tuple(place for place in places if self.physics.seat(place.place) is None),
            marks=dict(sorted(table.marks.items())),
            effects=self.effects(table),
            clock=SeenClock(**asdict(table.clock)),
            result=None if table.result is None else SeenResult(**asdict(table.result)),
            **self.lanes(table),
        )

    def hidden(self, table: T.Table) -> dict[T.CardId, T.Piece]:
        """The cards whose faces this viewer cannot know: what a leak law may re-deal."""
        return {card: piece for card, piece in table.pieces.items() if not self.knows(table, card)}

    def blind(self, table: T.Table) -> T.Table:
        """The table without the faces this viewer cannot know: to answer a question from what the asker knows."""
        if self.viewer == T.JUDGE:
            return table
        faceless = {card: replace(piece, face=None) for card, piece in self.hidden(table).items()}
        return table.but(pieces={**table.pieces, **faceless})

    def _obj(self, table: T.Table, obj: T.Obj) -> SeenCard:
        """A thing that was pointed at; its face only while it is still that object."""
        if T.same(table, obj):
            return self.card(table, obj.card)
        return SeenCard(thing=obj.thing, card=obj.card if self.viewer == T.JUDGE else None)

    def _cards(self, table: T.Table, cards: Iterable[T.CardId], own: bool) -> tuple[SeenCard, ...]:
        """The named cards this viewer can point at, in the order they are named.

        `own` adds those it merely knows to lie somewhere: that one of a hand or a pile is named here, only the seat
        concerned may see.
        """
        seen = (self.card(table, card) for card in cards)
        return tuple(card for card in seen if card.thing or (own and card != SeenCard()))


def _sight(physics: Physics, viewer: T.Seat, place: T.Place, controller: T.Seat) -> See:
    """What this place shows this viewer; in a shared place, of a card this seat controls."""
    declared = physics.area(place)
    if viewer == T.JUDGE:
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


def _count(declared: Area, see: See, number: int) -> tuple[int | None, int | None]:
    if see == "below":
        return (number, None) if number < declared.sight.below else (None, declared.sight.below)
    if see in ("up", "top") and not declared.counted:
        return None, None
    return number, None


def places_of(physics: Physics, table: T.Table) -> list[T.Place]:
    """Every place of the table in the schema's order, seat by seat; of grids and slots those that hold cards."""
    listed: list[T.Place] = []
    for declared in physics.schema.areas:
        names = [f"{seat}.{declared.name}" for seat in table.seats] if declared.per_seat else [declared.name]
        if declared.order in ("grid", "slots"):
            taken = [place for place, cards in table.places.items() if cards and _square(place)[0] in names]
            listed += sorted(taken, key=_square)
        else:
            listed += [T.Place(name) for name in names]
    return listed


@lru_cache(maxsize=4096)
def _square(place: T.Place) -> tuple[str, tuple[int, ...]]:
    return T.area(place), tuple(int(part) for part in T.square(place).split(",") if part.isdecimal())
