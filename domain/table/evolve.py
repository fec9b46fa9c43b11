"""Changes of a table by facts, without rules or choices. Lookups on a valid record never fail."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import asdict, replace

from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.table import LANES, CardId, Frame, Piece, Seat, Table, area


def _created(draft: Draft, fact: F.Created) -> None:
    pieces, places = draft.writable_pieces(), draft.writable_places()
    thing = draft.minted
    for card, face in zip(fact.cards, fact.faces, strict=True):
        thing += 1
        pieces[card] = Piece(face, fact.owner, fact.owner, fact.place, thing)
    draft.minted = thing
    places[fact.place] = places.get(fact.place, ()) + fact.cards


def _removed(draft: Draft, fact: F.Removed) -> None:
    pieces, places = draft.writable_pieces(), draft.writable_places()
    for card in fact.cards:
        place = pieces.pop(card).place
        places[place] = _without(places[place], card)


def _without(row: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    at = row.index(card)
    return row[:at] + row[at + 1 :]


def _moved(draft: Draft, fact: F.Moved) -> None:
    pieces, places = draft.writable_pieces(), draft.writable_places()
    cards, to, up = fact.cards, fact.to, fact.up
    thing = draft.minted
    for card in cards:
        old = pieces[card]
        origin = old.place
        places[origin] = _without(places[origin], card)
        if origin == to or (":" in to and area(origin) == area(to)):
            pieces[card] = Piece(
                old.face, old.owner, old.controller, to, old.thing, up, old.stance, old.host, old.seen, old.marks
            )
        else:
            thing += 1
            pieces[card] = Piece(old.face, old.owner, old.owner, to, thing, up)
    draft.minted = thing
    row = places.get(to, ())
    places[to] = row + cards if fact.at < 0 else row[: fact.at] + cards + row[fact.at :]


def _arranged(draft: Draft, fact: F.Arranged) -> None:
    draft.writable_places()[fact.place] = fact.cards
    if fact.shuffled:
        _set_viewers(draft, fact.cards, ())


def _set_viewers(draft: Draft, cards: tuple[CardId, ...], seats: tuple[Seat, ...]) -> None:
    pieces = draft.writable_pieces()
    for card in cards:
        piece = pieces[card]
        if piece.seen != seats:
            pieces[card] = replace(piece, seen=seats)


def _turned(draft: Draft, fact: F.Turned) -> None:
    pieces = draft.writable_pieces()
    for card in fact.cards:
        pieces[card] = replace(pieces[card], up=fact.up)


def _stanced(draft: Draft, fact: F.Stanced) -> None:
    pieces = draft.writable_pieces()
    for card in fact.cards:
        pieces[card] = replace(pieces[card], stance=fact.to)


def _controlled(draft: Draft, fact: F.Controlled) -> None:
    pieces = draft.writable_pieces()
    for card in fact.cards:
        pieces[card] = replace(pieces[card], controller=fact.by)


def _tied(draft: Draft, fact: F.Tied) -> None:
    pieces = draft.writable_pieces()
    for card in fact.cards:
        pieces[card] = replace(pieces[card], host=fact.to)


def _with_mark(marks: Mapping[str, int], name: str, to: int) -> dict[str, int]:
    changed = dict(marks)
    if to:
        changed[name] = to
    else:
        changed.pop(name, None)
    return changed


def _marked(draft: Draft, fact: F.Marked) -> None:
    on = fact.on
    if on is None:
        draft.marks = _with_mark(draft.marks, fact.name, fact.to)
    elif isinstance(on, tuple):
        pieces = draft.writable_pieces()
        for card in on:
            piece = pieces[card]
            pieces[card] = replace(piece, marks=_with_mark(piece.marks, fact.name, fact.to))
    else:
        seats = draft.writable_seats()
        seats[on] = _with_mark(seats[on], fact.name, fact.to)


def _learned(draft: Draft, fact: F.Learned) -> None:
    pieces = draft.writable_pieces()
    pieces[fact.card] = replace(pieces[fact.card], face=fact.face)


def _identified(draft: Draft, fact: F.Identified) -> None:
    pieces = draft.writable_pieces()
    for card, face in zip(fact.cards, fact.faces, strict=True):
        pieces[card] = replace(pieces[card], face=face)


def _show_faces(draft: Draft, fact: F.Shown) -> None:
    if fact.lasting:
        _set_viewers(draft, fact.cards, fact.to)


def _rolled(draft: Draft, fact: F.Rolled) -> None:
    """A roll changes nothing by itself; other facts carry its consequences."""


def _began(draft: Draft, fact: F.Began) -> None:
    draft.effects = (*draft.effects, fact.effect)
    draft.begun = max(draft.begun, fact.effect.id)


def _adjusted(draft: Draft, fact: F.Adjusted) -> None:
    draft.effects = tuple(replace(e, numbers=fact.numbers) if e.id == fact.effect else e for e in draft.effects)


def _ended(draft: Draft, fact: F.Ended) -> None:
    draft.effects = tuple(e for e in draft.effects if e.id not in fact.effects)


def _finished(draft: Draft, fact: F.Finished) -> None:
    draft.result = fact.result


def _pushed(draft: Draft, fact: F.Pushed) -> None:
    frame = fact.frame
    setattr(draft, frame.lane, (*getattr(draft, frame.lane), frame))
    if frame.id > draft.framed:
        draft.framed = frame.id


def _altered(draft: Draft, fact: F.Altered) -> None:
    frame_id = fact.id
    for name in LANES:
        frames = getattr(draft, name)
        if not frames:
            continue
        for at, old in enumerate(frames):
            if old.id == frame_id:
                new = change_frame(old, fact)
                if new.lane == name:
                    setattr(draft, name, (*frames[:at], new, *frames[at + 1 :]))
                else:
                    setattr(draft, name, frames[:at] + frames[at + 1 :])
                    setattr(draft, new.lane, (*getattr(draft, new.lane), new))
                return


def change_frame(frame: Frame, fact: F.Altered) -> Frame:
    """Return a frame with the changes of a fact. Most facts change one part, so each is replaced on its own."""
    if fact.step is not None:
        frame = replace(frame, step=fact.step)
    if fact.lane is not None:
        frame = replace(frame, lane=fact.lane)
    if fact.todo is not None:
        frame = replace(frame, todo=fact.todo)
    if fact.columns is not None:
        frame = replace(frame, **asdict(fact.columns))
    return frame


def _popped(draft: Draft, fact: F.Popped) -> None:
    frame_id = fact.id
    for name in LANES:
        frames = getattr(draft, name)
        if not frames:
            continue
        for at, old in enumerate(frames):
            if old.id == frame_id:
                setattr(draft, name, frames[:at] + frames[at + 1 :])
                return


def _clocked(draft: Draft, fact: F.Clocked) -> None:
    draft.clock = fact.clock


EVOLVE: Final[dict[type, Callable[[Draft, Any], None]]] = {
    F.Created: _created,
    F.Removed: _removed,
    F.Moved: _moved,
    F.Arranged: _arranged,
    F.Turned: _turned,
    F.Stanced: _stanced,
    F.Controlled: _controlled,
    F.Tied: _tied,
    F.Marked: _marked,
    F.Learned: _learned,
    F.Identified: _identified,
    F.Shown: _show_faces,
    F.Rolled: _rolled,
    F.Began: _began,
    F.Adjusted: _adjusted,
    F.Ended: _ended,
    F.Finished: _finished,
    F.Pushed: _pushed,
    F.Altered: _altered,
    F.Popped: _popped,
    F.Clocked: _clocked,
}


def apply(draft: Draft, fact: F.AnyFact) -> None:
    EVOLVE[type(fact)](draft, fact)


def evolve(table: Table, fact: F.AnyFact) -> Table:
    draft = Draft(table)
    apply(draft, fact)
    return draft.freeze()


def fold(table: Table, facts: Iterable[F.AnyFact]) -> Table:
    """Return the table after several facts, copying it once."""
    draft = Draft(table)
    for fact in facts:
        EVOLVE[type(fact)](draft, fact)
    return draft.freeze()
