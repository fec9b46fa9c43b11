"""Effects that last for a while, started by an instruction."""

from collections.abc import Iterable
from typing import Final

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts.frames import obj_at
from domain.parts.places import obj
from domain.table.facts import Began
from domain.table.table import CardId, Effect, EffectId, Frame, Seat

_source_of: Final = obj_at(0)


def begin(
    t: LiveTable,
    because: Clause,
    of: Frame,
    kind: str,
    on: Iterable[CardId],
    until: str,
    since: int,
    *,
    numbers: tuple[int, ...] = (),
    words: tuple[str, ...] = (),
    seats: tuple[Seat, ...] = (),
) -> None:
    """Start an effect from the text that a frame is executing. The frame's first object is its source."""
    effect = Effect(
        id=EffectId(t.begun + 1),
        kind=kind,
        by=of.by,
        source=_source_of(of),
        on=tuple(obj(t, card) for card in on),
        until=until,
        since=since,
        face=of.face,
        path=of.todo[0].path if of.todo else (),
        numbers=numbers,
        words=words,
        seats=seats,
    )
    t.emit(because, Began(effect))
