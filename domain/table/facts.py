"""What happened, past tense: the closed union of facts. Each takes several cards where several move at once.

Tags are the names on disk and never change; a new field is appended with a default.
"""

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
    """What every fact is made of; law and projections use the closed unions below."""


class Created(Fact, frozen=True, array_like=True, tag="new"):
    """Cards or tokens came into being in a place."""

    place: APlace
    cards: Ids
    faces: Faces
    owner: Annotated[Seat, Form("word")]


class Removed(Fact, frozen=True, array_like=True, tag="gone"):
    """Tokens ceased to exist, or cards left the match."""

    cards: Cards


class Moved(Fact, frozen=True, array_like=True, tag="move"):
    """Cards went together to one place, in the order named; `at` counts from its first card, -1 is behind the last.

    In another area a card is a new thing: its stance, marks, host and knowledge are gone.
    """

    cards: Cards
    to: APlace
    at: Annotated[int, Form("at")] = -1
    up: Flag = False


class Arranged(Fact, frozen=True, array_like=True, tag="order"):
    """A place's cards lie in this order now; after a shuffle nobody knows any of them."""

    place: APlace
    cards: Ids
    shuffled: Flag = True


class Turned(Fact, frozen=True, array_like=True, tag="turn"):
    """Cards were turned face up or face down where they lie."""

    cards: Cards
    up: Annotated[bool, Form("side", "side")]


class Stanced(Fact, frozen=True, array_like=True, tag="stance"):
    """Cards took a stance: an index into the schema's stances."""

    cards: Cards
    to: Annotated[int, Form("stance", "stance")]


class Controlled(Fact, frozen=True, array_like=True, tag="ctrl"):
    """A seat took control of cards."""

    cards: Cards
    by: ASeat


class Tied(Fact, frozen=True, array_like=True, tag="tie"):
    """Cards were attached to another card, or set free (0)."""

    cards: Cards
    to: Annotated[CardId, Form("host", "host")] = CardId(0)


class Marked(Fact, frozen=True, array_like=True, tag="mark"):
    """A counter or flag on cards, on a seat or on the table (None) stands at a number now; 0 is not kept."""

    on: Annotated[tuple[CardId, ...] | Seat | None, Form("marked", "marked")]
    name: Annotated[str, Form("word", "mark")]
    to: Annotated[int, Form("number", "number")]


class Learned(Fact, frozen=True, array_like=True, tag="learn"):
    """The log learned the printed face of a card."""

    card: ACard
    face: Word


class Identified(Fact, frozen=True, array_like=True, tag="learn/2"):
    """The log was told which faces cards have, or (None) that nobody can tell any more which of them is which.

    At the front of what an action led to it is no consequence: it is what was seen, and the law is asked after it.
    """

    cards: Ids
    faces: Faces


class Shown(Fact, frozen=True, array_like=True, tag="show"):
    """Seats saw faces. If lasting, exactly these seats may look from now on until the cards leave or are shuffled."""

    cards: Cards
    to: Seats
    lasting: Flag = False


class Rolled(Fact, frozen=True, array_like=True, tag="roll"):
    """Chance decided something that no other fact tells: a number, a seat or a card."""

    what: Annotated[str, Form("word", "rolled")]
    number: Annotated[int, Form("number", named=True)] = 0
    seat: Annotated[Seat, Form("word", named=True)] = Seat("")
    card: Annotated[CardId, Form("number", named=True)] = CardId(0)


class Began(Fact, frozen=True, array_like=True, tag="began"):
    """An ongoing effect began."""

    effect: Annotated[Effect, Form("json")]


class Adjusted(Fact, frozen=True, array_like=True, tag="adj"):
    """The bound numbers of an effect changed; it keeps its age."""

    effect: Annotated[EffectId, Form("number", "effect_number")]
    numbers: Annotated[tuple[int, ...], Form("numbers")]


class Ended(Fact, frozen=True, array_like=True, tag="ended"):
    """Ongoing effects ended."""

    effects: Annotated[tuple[EffectId, ...], Form("numbers", "effect_numbers")]


class Finished(Fact, frozen=True, array_like=True, tag="end"):
    """The match has a result."""

    result: Annotated[Result, Form("struct")]


class Pushed(Fact, frozen=True, array_like=True, tag="push"):
    """Something to be resolved or chosen was put on top of its lane."""

    frame: Annotated[Frame, Form("json")]


class Altered(Fact, frozen=True, array_like=True, tag="alter"):
    """A frame goes on at another step, in another lane or with other columns; None leaves a part as it is."""

    id: AFrame
    step: Annotated[str, Form("word", named=True)] | None = None
    lane: Annotated[Lane, Form("lane", named=True)] | None = None
    columns: Annotated[ValueColumns, Form("json", named=True)] | None = None
    todo: Annotated[tuple[Todo, ...], Form("json", named=True)] | None = None


class Popped(Fact, frozen=True, array_like=True, tag="pop"):
    """A frame is done with; `how` says in which way (resolved, nullified, answered, skipped ...)."""

    id: AFrame
    how: Word


class Clocked(Fact, frozen=True, array_like=True, tag="clock"):
    """Turn, phase, step, seats awaited and seats that passed are these now."""

    clock: Annotated[Clock, Form("struct")]


TableFact = (
    Created | Removed | Moved | Arranged | Turned | Stanced | Controlled | Tied | Marked | Learned | Identified | Shown
    | Rolled | Began | Adjusted | Ended | Finished
)  # fmt: skip
"""Facts about the table: compared by an audit, cited, shown."""

FlowFact = Pushed | Altered | Popped | Clocked
"""Bookkeeping of what comes next: kept for rewinding."""

AnyFact = TableFact | FlowFact

FACTS: Final[tuple[type[Fact], ...]] = AnyFact.__args__
"""Every type of fact, to close the union where a dict by type stands for a match statement."""
