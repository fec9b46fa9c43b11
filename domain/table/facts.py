"""What happened, past tense: the closed union of facts. Each takes several cards where several move at once.

Tags are the names on disk and never change; a new field is appended with a default.
"""

from msgspec import Struct

from domain.table.table import CardId, Clock, Columns, Effect, EffectId, Frame, FrameId, Lane, Place, Result, Seat, Todo


class Fact(Struct, frozen=True, array_like=True, gc=False):
    """What every fact is made of; law and projections use the closed unions below."""


class Created(Fact, frozen=True, array_like=True, tag="new"):
    """Cards or tokens came into being in a place."""

    place: Place
    cards: tuple[CardId, ...]
    faces: tuple[str | None, ...]
    owner: Seat


class Removed(Fact, frozen=True, array_like=True, tag="gone"):
    """Tokens ceased to exist, or cards left the match."""

    cards: tuple[CardId, ...]


class Moved(Fact, frozen=True, array_like=True, tag="move"):
    """Cards went together to one place, in the order named; `at` counts from its first card, -1 is behind the last.

    In another area a card is a new thing: its stance, marks, host and knowledge are gone.
    """

    cards: tuple[CardId, ...]
    to: Place
    at: int = -1
    up: bool = False


class Arranged(Fact, frozen=True, array_like=True, tag="order"):
    """A place's cards lie in this order now; after a shuffle nobody knows any of them."""

    place: Place
    cards: tuple[CardId, ...]
    shuffled: bool = True


class Turned(Fact, frozen=True, array_like=True, tag="turn"):
    """Cards were turned face up or face down where they lie."""

    cards: tuple[CardId, ...]
    up: bool


class Stanced(Fact, frozen=True, array_like=True, tag="stance"):
    """Cards took a stance: an index into the schema's stances."""

    cards: tuple[CardId, ...]
    to: int


class Controlled(Fact, frozen=True, array_like=True, tag="ctrl"):
    """A seat took control of cards."""

    cards: tuple[CardId, ...]
    by: Seat


class Tied(Fact, frozen=True, array_like=True, tag="tie"):
    """Cards were attached to another card, or set free (0)."""

    cards: tuple[CardId, ...]
    to: CardId = CardId(0)


class Marked(Fact, frozen=True, array_like=True, tag="mark"):
    """A counter or flag on cards, on a seat or on the table (None) stands at a number now; 0 is not kept."""

    on: tuple[CardId, ...] | Seat | None
    name: str
    to: int


class Learned(Fact, frozen=True, array_like=True, tag="learn"):
    """The log learned the printed face of a card."""

    card: CardId
    face: str


class Identified(Fact, frozen=True, array_like=True, tag="learn/2"):
    """The log was told which faces cards have, or (None) that nobody can tell any more which of them is which.

    At the front of what an action led to it is no consequence: it is what was seen, and the law is asked after it.
    """

    cards: tuple[CardId, ...]
    faces: tuple[str | None, ...]


class Shown(Fact, frozen=True, array_like=True, tag="show"):
    """Seats saw faces. If lasting, exactly these seats may look from now on until the cards leave or are shuffled."""

    cards: tuple[CardId, ...]
    to: tuple[Seat, ...]
    lasting: bool = False


class Rolled(Fact, frozen=True, array_like=True, tag="roll"):
    """Chance decided something that no other fact tells: a number, a seat or a card."""

    what: str
    number: int = 0
    seat: Seat = Seat("")
    card: CardId = CardId(0)


class Began(Fact, frozen=True, array_like=True, tag="began"):
    """An ongoing effect began."""

    effect: Effect


class Adjusted(Fact, frozen=True, array_like=True, tag="adj"):
    """The bound numbers of an effect changed; it keeps its age."""

    effect: EffectId
    numbers: tuple[int, ...]


class Ended(Fact, frozen=True, array_like=True, tag="ended"):
    """Ongoing effects ended."""

    effects: tuple[EffectId, ...]


class Finished(Fact, frozen=True, array_like=True, tag="end"):
    """The match has a result."""

    result: Result


class Pushed(Fact, frozen=True, array_like=True, tag="push"):
    """Something to be resolved or chosen was put on top of its lane."""

    frame: Frame


class Altered(Fact, frozen=True, array_like=True, tag="alter"):
    """A frame goes on at another step, in another lane or with other columns; None leaves a part as it is."""

    id: FrameId
    step: str | None = None
    lane: Lane | None = None
    columns: Columns | None = None
    todo: tuple[Todo, ...] | None = None


class Popped(Fact, frozen=True, array_like=True, tag="pop"):
    """A frame is done with; `how` says in which way (resolved, nullified, answered, skipped ...)."""

    id: FrameId
    how: str


class Clocked(Fact, frozen=True, array_like=True, tag="clock"):
    """Turn, phase, step, seats awaited and seats that passed are these now."""

    clock: Clock


TableFact = (
    Created
    | Removed
    | Moved
    | Arranged
    | Turned
    | Stanced
    | Controlled
    | Tied
    | Marked
    | Learned
    | Identified
    | Shown
    | Rolled
    | Began
    | Adjusted
    | Ended
    | Finished
)
"""Facts about the table: compared by an audit, cited, shown."""

FlowFact = Pushed | Altered | Popped | Clocked
"""Bookkeeping of what comes next: kept for rewinding."""

AnyFact = TableFact | FlowFact

FACTS: tuple[type[Fact], ...] = AnyFact.__args__
"""Every type of fact, to close the union where a dict by type stands for a match statement."""
