"""What lies on a card table, whatever the game: pieces in places, frames still to be resolved, effects, a clock.

Three identities are never mixed. A `CardId` is the physical card: random, stable for a match, in the record, shown to
no seat. A `thing` is the public number of an object, minted anew whenever its card changes area. A face is what is
printed, or None where the log does not know it.

What lies on it is `gc=False`: nothing there ever refers back to what holds it, so there is no cycle to look for.
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
"""Who is asked when an outcome is not a choice."""
JUDGE: Final = Seat("judge")
NOBODY: Final = Seat("-")
"""Who owns what belongs to no seat, such as a neutral strip of terrain."""
EVERYONE: Final = Seat("*")
"""In `seen`: every viewer may know the face."""


class Obj(Struct, frozen=True, array_like=True, gc=False):
    """A reference that knows whether it is still the same object: after a change of area the thing differs."""

    card: CardId
    thing: int


NO_OBJ: Final = Obj(CardId(0), 0)
"""Stands in a frame where nothing is meant."""


class Piece(Struct, frozen=True, array_like=True, gc=False):
    """One card or token on the table."""

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
    """References and values by type, so that redaction walks them blindly; a schema names the positions per kind."""

    objs: tuple[Obj, ...] = ()
    pairs: tuple[tuple[Obj, Obj], ...] = ()
    cards: tuple[CardId, ...] = ()
    frames: tuple[FrameId, ...] = ()
    seats: tuple[Seat, ...] = ()
    places: tuple[Place, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()


class Todo(Struct, frozen=True, array_like=True, gc=False):
    """One instruction of printed text still to be carried out: the path to it in the card's data, and for whom."""

    path: tuple[int, ...]
    seat: Seat


class Frame(ValueColumns, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something still to be resolved or chosen.

    `step` names what comes next; the first of a question's `frames` is the one it serves.
    """

    id: FrameId
    lane: Lane
    kind: str
    by: Seat
    step: str = ""
    face: str = ""
    todo: tuple[Todo, ...] = ()


class Effect(ValueColumns, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An ongoing effect; ids are timestamps.

    `face` and `path` say which printed words it comes from; `numbers` are bound when it begins.
    """

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
    """Whose turn, which phase and step, who is awaited and who has passed in a row."""

    turn: Annotated[int, Form("number", named=True, always=True)] = 0
    active: Annotated[Seat, Form("word", named=True)] | None = None
    first: Annotated[Seat, Form("word", named=True)] | None = None
    phase: Annotated[str, Form("word", named=True)] = ""
    step: Annotated[str, Form("word", named=True)] = ""
    awaited: Annotated[tuple[Seat, ...], Form("words", named=True)] = ()
    passed: Annotated[tuple[Seat, ...], Form("words", named=True)] = ()


NO_CLOCK: Final = Clock()


class Result(Struct, frozen=True, array_like=True, gc=False):
    """How a match ended: nobody among the winners is a draw."""

    winners: Annotated[tuple[Seat, ...], Form("words")]
    reason: Annotated[str, Form("word")]
