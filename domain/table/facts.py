"""Facts: what physically happened, in the past tense, as a closed union. A fact names several cards where several move
at once. Tags are the names on disk and never change. New fields are appended with a default."""

from typing import Annotated, Final

from msgspec import Struct

from domain.table.forms import Form
from domain.table.table import (
    CardId,
    Clock,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Lane,
    Place,
    Result,
    Seat,
    Todo,
    ValueColumns,
)

APlace = Annotated[Place, Form("place", "place")]
ASeat = Annotated[Seat, Form("word", "seat")]
Seats = Annotated[tuple[Seat, ...], Form("words", "seats")]
ACard = Annotated[CardId, Form("card")]
Cards = Annotated[tuple[CardId, ...], Form("cards")]
Ids = Annotated[tuple[CardId, ...], Form("ids")]
Faces = Annotated[tuple[str | None, ...], Form("faces")]
AFrame = Annotated[FrameId, Form("number", "frame_number")]
Flag = Annotated[bool, Form("flag")]
Word = Annotated[str, Form("word")]


class Fact(Struct, frozen=True, array_like=True, gc=False):
    """Base of all facts; law and projections use the unions at the end of this module."""


class Created(Fact, frozen=True, array_like=True, tag="new"):
    place: APlace
    cards: Ids
    faces: Faces
    owner: Annotated[Seat, Form("word")]


class Removed(Fact, frozen=True, array_like=True, tag="gone"):
    cards: Cards


class Moved(Fact, frozen=True, array_like=True, tag="move"):
    """Cards were moved together to one place, in this order.

    `at` is the index of the first card in the place; -1 appends them at the end. In another area a card becomes a new
    thing, and loses its stance, marks, host and the record of who saw it.
    """

    cards: Cards
    to: APlace
    at: Annotated[int, Form("at")] = -1
    up: Flag = False


class Arranged(Fact, frozen=True, array_like=True, tag="order"):
    """The cards of a place have this order. After a shuffle no viewer knows any of them."""

    place: APlace
    cards: Ids
    shuffled: Flag = True


class Turned(Fact, frozen=True, array_like=True, tag="turn"):
    cards: Cards
    up: Annotated[bool, Form("side", "side")]


class Stanced(Fact, frozen=True, array_like=True, tag="stance"):
    """Cards took a stance, an index into the schema's stances."""

    cards: Cards
    to: Annotated[int, Form("stance", "stance")]


class Controlled(Fact, frozen=True, array_like=True, tag="ctrl"):
    cards: Cards
    by: ASeat


class Tied(Fact, frozen=True, array_like=True, tag="tie"):
    """Cards were attached to another card, or detached (0)."""

    cards: Cards
    to: Annotated[CardId, Form("host", "host")] = CardId(0)


class Marked(Fact, frozen=True, array_like=True, tag="mark"):
    """A mark of cards, of a seat or of the table (None) has this number; 0 removes it."""

    on: Annotated[tuple[CardId, ...] | Seat | None, Form("marked", "marked")]
    name: Annotated[str, Form("word", "mark")]
    to: Annotated[int, Form("number", "number")]


class Learned(Fact, frozen=True, array_like=True, tag="learn"):
    card: ACard
    face: Word


class Identified(Fact, frozen=True, array_like=True, tag="learn/2"):
    """The log was given the faces of cards. None: cards that can no longer be told apart. At the start of an entry such
    facts are no consequences: they say what was seen, and the law decides after them."""

    cards: Ids
    faces: Faces


class Shown(Fact, frozen=True, array_like=True, tag="show"):
    """Seats saw faces. If lasting, exactly these seats may look until the cards leave or are shuffled."""

    cards: Cards
    to: Seats
    lasting: Flag = False


class Rolled(Fact, frozen=True, array_like=True, tag="roll"):
    """Chance decided a number, a seat or a card that no other fact holds."""

    what: Annotated[str, Form("word", "rolled")]
    number: Annotated[int, Form("number", named=True)] = 0
    seat: Annotated[Seat, Form("word", named=True)] = Seat("")
    card: Annotated[CardId, Form("number", named=True)] = CardId(0)


class Began(Fact, frozen=True, array_like=True, tag="began"):
    effect: Annotated[Effect, Form("json")]


class Adjusted(Fact, frozen=True, array_like=True, tag="adj"):
    """The bound numbers of an effect changed. It keeps its id, and so its age."""

    effect: Annotated[EffectId, Form("number", "effect_number")]
    numbers: Annotated[tuple[int, ...], Form("numbers")]


class Ended(Fact, frozen=True, array_like=True, tag="ended"):
    effects: Annotated[tuple[EffectId, ...], Form("numbers", "effect_numbers")]


class Finished(Fact, frozen=True, array_like=True, tag="end"):
    result: Annotated[Result, Form("struct")]


class Pushed(Fact, frozen=True, array_like=True, tag="push"):
    """A frame was put on top of its lane."""

    frame: Annotated[Frame, Form("json")]


class Altered(Fact, frozen=True, array_like=True, tag="alter"):
    """The step, lane, columns or todo of a frame changed; None leaves a part as it is."""

    id: AFrame
    step: Annotated[str, Form("word", named=True)] | None = None
    lane: Annotated[Lane, Form("lane", named=True)] | None = None
    columns: Annotated[ValueColumns, Form("json", named=True)] | None = None
    todo: Annotated[tuple[Todo, ...], Form("json", named=True)] | None = None


class Popped(Fact, frozen=True, array_like=True, tag="pop"):
    """A frame was removed; `how` says why (resolved, nullified, answered, skipped ...)."""

    id: AFrame
    how: Word


class Clocked(Fact, frozen=True, array_like=True, tag="clock"):
    clock: Annotated[Clock, Form("struct")]


TableFact = (
    Created | Removed | Moved | Arranged | Turned | Stanced | Controlled | Tied | Marked | Learned | Identified | Shown
    | Rolled | Began | Adjusted | Ended | Finished
)  # fmt: skip
"""Facts about the table. Audits compare them, and views cite and show them."""

FlowFact = Pushed | Altered | Popped | Clocked
"""Facts about what comes next, kept for rewinding."""

AnyFact = TableFact | FlowFact

FACTS: Final[tuple[type[Fact], ...]] = AnyFact.__args__
"""Every type of fact, for dispatch tables that must be complete."""
