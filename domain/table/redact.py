"""Redaction of a table for a viewer, from the schema alone. The default is hidden; only judges see card ids."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from domain.table import table as T
from domain.table.facts import AnyFact, Shown
from domain.table.physics import Physics
from domain.table.schema import Area, VisibilityLevel

SPECTATOR: Final = T.Seat("spectator")

_FOLLOWED: Final[frozenset[VisibilityLevel]] = frozenset(("each", "all"))
_PLAIN_COLUMNS: Final = ("step", "face", "frames", "seats", "places", "numbers", "words")
"""Columns of a frame that name no card."""
_PLAIN_EFFECT_FIELDS: Final = (
    "id", "kind", "by", "numbers", "words", "until", "since", "face", "seats", "places", "path",
)  # fmt: skip
"""Fields of an effect that name no card."""


class LateFace(Struct, frozen=True):
    """A face that the log learned after this table, and the entry that named it."""

    face: str
    entry: int


LookBack = Callable[[int], Mapping[T.CardId, LateFace]]
"""Lookup by entry number of the faces that were unknown after the entry and named by later ones."""


class SeenCard(Struct, frozen=True, omit_defaults=True):
    """A card as one viewer sees it: with a thing number if it can be followed, and a face if it is known.

    On a board, `stance` is omitted if it is the schema's first, and `owner` if it is the place's seat. `readings` are
    derived values of the card. `tied` are the cards in the same place that are tied to it. `host` is the thing in
    another place that it is tied to. Only a judge sees `card`, the physical id, and `later`, of a card that was unknown
    at the time.
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
    """A place: its number of cards, or a lower bound, and the visible cards in its order. Both may be unknown. On a
    board, `called` is the game's name of the place, if it differs from the place's own."""

    place: T.Place
    area: str
    count: int | None = None
    least: int | None = None
    cards: tuple[SeenCard, ...] = ()
    called: str = ""


class SeenFrame(Struct, frozen=True, omit_defaults=True):
    """A frame, as far as a viewer may know it."""

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
    """Path to the next instruction in the text of the face."""


class SeenEffect(Struct, frozen=True, omit_defaults=True):
    """An ongoing effect, as far as a viewer may know it."""

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
    """Path to the effect in the text of the face."""


class SeenSeat(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat: name, team if there are any, marks, and places in the schema's order."""

    seat: T.Seat
    name: str = ""
    team: str = ""
    marks: dict[str, int] = {}
    places: tuple[SeenPlace, ...] = ()


class SeenClock(T.Clock, frozen=True, array_like=False, omit_defaults=True):
    """The clock, encoded with the names of its fields."""


class SeenResult(T.Result, frozen=True, array_like=False):
    """The result of a match; a draw has no winners."""


class View(Struct, frozen=True, kw_only=True):
    """A whole table for one viewer. Lanes are oldest first. In a match, `entry` is the entry before this view. It is
    encoded whole; no view is made by cutting fields out of stored bytes."""

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
        return {seat.seat: seat.name for seat in self.seats if seat.name}


def has_same_places(before: T.Table, table: T.Table) -> bool:
    """True if no piece and no place changed between two tables."""
    return before.pieces is table.pieces and before.places is table.places


_NO_TABLE: Final = T.blank(())


class BlindCache:
    """The last table of a viewer, the seat whose view applied, and that table without hidden faces. It never makes two
    viewers unequal."""

    def __init__(self) -> None:
        self.last: tuple[T.Table, T.Seat, T.Table] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BlindCache)

    def __hash__(self) -> int:
        return hash(BlindCache)


class TableViewer(Struct, frozen=True):
    """The view of one viewer. Hidden things are never named, found or counted for it.

    `later` holds the faces of cards that are unknown at this moment, from a `look_back` over the whole record. Only a
    judge gets them: a player who could not follow a card must not learn later which one it was.
    """

    physics: Physics
    viewer: T.Seat = SPECTATOR
    look_back: LookBack | None = None
    later: Mapping[T.CardId, LateFace] = {}
    blind_cache: BlindCache = field(default_factory=BlindCache)

    def late_face(self, table: T.Table, card: T.CardId) -> LateFace | None:
        """Return what the log learned later of a card unknown on this table. None unless the viewer is a judge."""
        piece = table.pieces.get(card)
        return self.later.get(card) if self.viewer == T.JUDGE and piece is not None and piece.face is None else None

    def seat(self, table: T.Table) -> T.Seat:
        """Return the seat whose view applies. A seat that is out of the match has a spectator's view."""
        out = self.physics.schema.out
        return SPECTATOR if out and table.seats.get(self.viewer, {}).get(out) else self.viewer

    def can_see_faces(self, table: T.Table, fact: AnyFact) -> bool:
        """True if the fact itself shows faces to this viewer."""
        whole = self.viewer == T.JUDGE
        return isinstance(fact, Shown) and (whole or T.EVERYONE in fact.to or self.seat(table) in fact.to)

    def knows(self, table: T.Table, card: T.CardId) -> bool:
        """True if this viewer may know the face of the card at this moment."""
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
        """True if this viewer can refer to this very card, its face known or not. The top of a pile is visible, but its
        thing number would reveal its position in its batch."""
        piece = table.pieces[card]
        viewer = self.seat(table)
        declared = self.physics.area(piece.place)
        see = _sight(self.physics, viewer, piece.place, piece.controller)
        if declared is not None and declared.order == "bag" and see != "each":
            return viewer == T.JUDGE or see == "all" or (see == "up" and piece.up)
        return see in _FOLLOWED or (see == "up" and self.knows(table, card))

    def is_visible_top(self, table: T.Table, card: T.CardId) -> bool:
        """True if the card is the visible top of a pile: its face is public, but its thing number is not."""
        piece = table.pieces[card]
        see = _sight(self.physics, self.seat(table), piece.place, piece.controller)
        return see == "top" and self.knows(table, card)

    def knows_count(self, table: T.Table, place: T.Place) -> bool:
        """True if this viewer may know the exact number of cards in a place."""
        visible = self.place(table, place)
        return visible is not None and visible.count is not None

    def card(self, table: T.Table, card: T.CardId) -> SeenCard:
        """Return a card with only what this viewer may know; the rest is omitted, not masked."""
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
            later=self.late_face(table, card),
        )

    def place(self, table: T.Table, place: T.Place) -> SeenPlace | None:
        """Return a place, None if the viewer may not even know its count."""
        cards = table.places.get(place, ())
        declared = self.physics.area(place)
        assert declared is not None, place
        viewer, shared = self.seat(table), self.physics.seat(place) is None
        see = _sight(self.physics, viewer, place, T.Seat(""))

        def is_listed(card: T.CardId) -> bool:
            card_sight = _sight(self.physics, viewer, place, table.pieces[card].controller) if shared else see
            return card_sight in _FOLLOWED or self.knows(table, card)

        visible = [self.card(table, card) for card in cards if is_listed(card)]
        if (declared.order == "bag" and see != "each") or see in ("count", "below", "nothing"):
            visible.sort(key=lambda card: (card.face or "", card.thing))
        if see == "nothing" and not visible:
            return None
        count, least = _count(declared, see, len(cards))
        return SeenPlace(place=place, area=declared.name, count=count, least=least, cards=tuple(visible))

    def places(self, table: T.Table) -> tuple[SeenPlace, ...]:
        """Return the places with anything visible, in the schema's order, seat by seat."""
        visible = (self.place(table, place) for place in places_of(self.physics, table))
        return tuple(place for place in visible if place is not None)

    def frame(self, table: T.Table, frame: T.Frame) -> SeenFrame:
        """Return a frame with its columns masked card by card. Only its seat and the judge see the secret ones."""
        kind = self.physics.kinds.get(frame.kind)
        own = self.seat(table) in (T.JUDGE, frame.by)
        hidden = kind.secret if kind is not None and not own else ()
        columns: dict[str, Any] = {name: getattr(frame, name) for name in _PLAIN_COLUMNS if name not in hidden}
        if "objs" not in hidden:
            columns["objs"] = tuple(self._obj(table, obj) for obj in frame.objs)
        if "pairs" not in hidden:
            columns["pairs"] = tuple((self._obj(table, left), self._obj(table, right)) for left, right in frame.pairs)
        if "cards" not in hidden:
            columns["cards"] = self._cards(table, frame.cards, own)
        if frame.todo and not {"face", "todo"}.intersection(hidden):
            columns["path"] = frame.todo[0].path
        return SeenFrame(id=frame.id, lane=frame.lane, kind=frame.kind, by=frame.by, **columns)

    def lanes(self, table: T.Table) -> dict[str, tuple[SeenFrame, ...]]:
        return {name: tuple(self.frame(table, frame) for frame in T.lane(table, name)) for name in T.LANES}

    def effect(self, table: T.Table, effect: T.Effect) -> SeenEffect:
        plain = {name: getattr(effect, name) for name in _PLAIN_EFFECT_FIELDS}
        source, *on = (self._obj(table, obj) for obj in (effect.source, *effect.on))
        return SeenEffect(source=source, on=tuple(on), **plain)

    def effects(self, table: T.Table) -> tuple[SeenEffect, ...]:
        return tuple(self.effect(table, effect) for effect in table.effects)

    def view(self, table: T.Table, places: tuple[SeenPlace, ...] | None = None) -> View:
        """Return the view of the whole table. Places are grouped by seat, and shared ones come separately. `places` may
        be passed by a caller that has computed them for this table."""
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

    def without_hidden_faces(self, table: T.Table) -> T.Table:
        """Return the table without the faces that this viewer cannot know, to answer questions without leaking."""
        if self.viewer == T.JUDGE:
            return table
        last, seat = self.blind_cache.last, self.seat(table)
        last = last if last is not None and last[1] == seat else (_NO_TABLE, seat, _NO_TABLE)
        if has_same_places(last[0], table):
            return last[2] if last[0] is table else table.with_changes(pieces=last[2].pieces)
        blind = table.with_changes(pieces=self._hide_faces(table, last[0], last[2]))
        self.blind_cache.last = table, seat, blind
        return blind

    def _hide_faces(self, table: T.Table, last: T.Table, blind: T.Table) -> dict[T.CardId, T.Piece]:
        """Return the pieces without the faces that this viewer cannot know. Those that stand as on the `last` table
        are taken from its `blind` form."""
        same, pieces = {place for place, cards in table.places.items() if last.places.get(place) is cards}, {}
        for card, piece in table.pieces.items():
            if last.pieces.get(card) is piece and piece.place in same:
                pieces[card] = blind.pieces[card]
            else:
                pieces[card] = piece if piece.face is None or self.knows(table, card) else replace(piece, face=None)
        return pieces

    def _obj(self, table: T.Table, obj: T.Obj) -> SeenCard:
        """Return a referenced object, with its face only while it is still the same object."""
        if T.is_same_object(table, obj):
            return self.card(table, obj.card)
        return SeenCard(thing=obj.thing, card=obj.card if self.viewer == T.JUDGE else None)

    def _cards(self, table: T.Table, cards: Iterable[T.CardId], own: bool) -> tuple[SeenCard, ...]:
        """Return the named cards that this viewer can refer to, in the order of their names. `own` adds cards of a
        hidden hand or pile whose face the viewer knows. Only the seat itself may see that such a card is named."""
        visible = (self.card(table, card) for card in cards)
        return tuple(card for card in visible if card.thing or (own and card != SeenCard()))


def _sight(physics: Physics, viewer: T.Seat, place: T.Place, controller: T.Seat) -> VisibilityLevel:
    """Return what a place shows to a viewer. In a shared place, `controller` counts as the owner of the card."""
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


def _count(declared: Area, see: VisibilityLevel, number: int) -> tuple[int | None, int | None]:
    if see == "below":
        return (number, None) if number < declared.sight.below else (None, declared.sight.below)
    if see in ("up", "top") and not declared.counted:
        return None, None
    return number, None


def places_of(physics: Physics, table: T.Table) -> list[T.Place]:
    """Return every place in the schema's order, seat by seat. Squares and slots are listed only if they hold cards."""
    listed: list[T.Place] = []
    for declared in physics.schema.areas:
        names = [f"{seat}.{declared.name}" for seat in table.seats] if declared.per_seat else [declared.name]
        if declared.order in ("grid", "slots"):
            occupied = [place for place, cards in table.places.items() if cards and _square(place)[0] in names]
            listed += sorted(occupied, key=_square)
        else:
            listed += [T.Place(name) for name in names]
    return listed


@lru_cache(maxsize=4096)
def _square(place: T.Place) -> tuple[str, tuple[int, ...]]:
    return T.area(place), tuple(int(part) for part in T.square(place).split(",") if part.isdecimal())
