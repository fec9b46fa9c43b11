"""Pieces, places, frames, effects and the clock: what lies on the table of any game.

Three identities are kept apart. A `CardId` is the physical card: random, stable for a match, stored in the record,
hidden from all seats. A `thing` is the public number of an object, new whenever its card changes area. A face is what
is printed, or None if the log does not know it.

These structs are `gc=False`, because they never refer back to their container and so form no cycles.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, NewType

from msgspec import Struct

from domain.table.forms import Form

CardId = NewType("CardId", int)
FrameId = NewType("FrameId", int)
EffectId = NewType("EffectId", int)
Seat = NewType("Seat", str)
Place = NewType("Place", str)

Lane = Literal["stack", "running", "waiting", "asked"]
LANES: Final[tuple[Lane, ...]] = ("stack", "running", "waiting", "asked")

CHANCE: Final = Seat("chance")
"""Actor that is asked for an outcome that is not a choice."""
JUDGE: Final = Seat("judge")
NOBODY: Final = Seat("-")
"""Owner of things that belong to no seat, such as a neutral strip of terrain."""
EVERYONE: Final = Seat("*")
"""In `seen`: every viewer may know the face."""


class Obj(Struct, frozen=True, array_like=True, gc=False):
    """A reference to a card as one object. After a change of area the card's thing number differs."""

    card: CardId
    thing: int


NO_OBJ: Final = Obj(CardId(0), 0)
"""Placeholder in a frame for no object."""


class Piece(Struct, frozen=True, array_like=True, gc=False):
    face: str | None
    owner: Seat
    controller: Seat
    place: Place
    thing: int
    up: bool = False
    stance: int = 0
    host: CardId = CardId(0)
    seen: tuple[Seat, ...] = ()
    marks: Mapping[str, int] = {}


class ValueColumns(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Typed references and values, so that redaction can walk them without knowing the kind. A schema names the
    positions of each kind."""

    objs: tuple[Obj, ...] = ()
    pairs: tuple[tuple[Obj, Obj], ...] = ()
    cards: tuple[CardId, ...] = ()
    frames: tuple[FrameId, ...] = ()
    seats: tuple[Seat, ...] = ()
    places: tuple[Place, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()


class Todo(Struct, frozen=True, array_like=True, gc=False):
    """An instruction of printed text that is still to be carried out: its path in the card's data, and its seat."""

    path: tuple[int, ...]
    seat: Seat


class Frame(ValueColumns, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something still to be resolved or chosen. `step` names what comes next. The first of a question's `frames` is the
    frame that it serves."""

    id: FrameId
    lane: Lane
    kind: str
    by: Seat
    step: str = ""
    face: str = ""
    todo: tuple[Todo, ...] = ()


class Effect(ValueColumns, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An ongoing effect. Ids increase, so they order effects by age. `face` and `path` point to the printed words that
    it comes from. `numbers` are bound when it begins."""

    id: EffectId
    kind: str
    by: Seat
    source: Obj
    on: tuple[Obj, ...] = ()
    until: str = ""
    since: int = 0
    face: str = ""
    path: tuple[int, ...] = ()


class Clock(Struct, frozen=True, array_like=True, gc=False):
    """The turn and its seats, phase and step, the seats awaited, and the seats that have passed in a row."""

    turn: Annotated[int, Form("number", named=True, always=True)] = 0
    active: Annotated[Seat, Form("word", named=True)] | None = None
    first: Annotated[Seat, Form("word", named=True)] | None = None
    phase: Annotated[str, Form("word", named=True)] = ""
    step: Annotated[str, Form("word", named=True)] = ""
    awaited: Annotated[tuple[Seat, ...], Form("words", named=True)] = ()
    passed: Annotated[tuple[Seat, ...], Form("words", named=True)] = ()


NO_CLOCK: Final = Clock()


class Result(Struct, frozen=True, array_like=True, gc=False):
    """The result of a match; a draw has no winners."""

    winners: Annotated[tuple[Seat, ...], Form("words")]
    reason: Annotated[str, Form("word")]
