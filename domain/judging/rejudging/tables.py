"""Compare two tables by meaning, regardless of the numbers of their pieces and frames."""

from collections.abc import Callable, Mapping

from domain.law.clause import CitedFacts
from domain.law.slots import Action, slots
from domain.table import facts as F
from domain.table.table import Clock, Frame, FrameId, Piece, Table

Part = tuple[str, str]
"""A part of a table that differs: its kind and its name."""
IsCounter = Callable[[str], bool]
"""Predicate: True if the law keeps the mark of this name as a counter for itself."""


def _no_counters(mark: str) -> bool:
    return False


def apart(one: Table, other: Table, is_counter: IsCounter = _no_counters) -> frozenset[Part]:
    """Return the parts in which two tables differ, without the law's own counters."""
    if one is other:
        return frozenset()
    parts: set[Part] = {
        ("place", place)
        for place in {*one.places, *other.places}
        if one.places.get(place, ()) != other.places.get(place, ())
    }
    for card in {*one.pieces, *other.pieces}:
        mine, theirs = one.pieces.get(card), other.pieces.get(card)
        if mine is not theirs and _piece_state(mine, is_counter) != _piece_state(theirs, is_counter):
            parts.add(("card", str(card)))
    for seat in {*one.seats, *other.seats}:
        if _drop_counters(one.seats.get(seat, {}), is_counter) != _drop_counters(other.seats.get(seat, {}), is_counter):
            parts.add(("seat", seat))
    others = {
        "marks": (_drop_counters(one.marks, is_counter), _drop_counters(other.marks, is_counter)),
        "result": (one.result, other.result),
        "open": (stack_by_meaning(one), stack_by_meaning(other)),
    }
    return frozenset(parts | {(kind, "") for kind, (mine, theirs) in others.items() if mine != theirs})


def _piece_state(piece: Piece | None, is_counter: IsCounter) -> object:
    if piece is None:
        return None
    return piece.face, piece.controller, piece.up, piece.stance, piece.host, _drop_counters(piece.marks, is_counter)


def _drop_counters(marks: Mapping[str, int], is_counter: IsCounter) -> dict[str, int]:
    return {name: n for name, n in marks.items() if not is_counter(name)}


def stack_by_meaning(table: Table) -> object:
    """Return the stack by meaning."""
    return tuple((frame.kind, frame.by, tuple(obj.card for obj in frame.objs), frame.cards) for frame in table.stack)


def only_flow(told: CitedFacts, is_counter: IsCounter) -> bool:
    return all(isinstance(fact, F.FlowFact) or is_counted(fact, is_counter) for _, fact in told)


def is_counted(fact: F.AnyFact, is_counter: IsCounter) -> bool:
    """True if the fact is a step of a counter that the law keeps for itself."""
    return isinstance(fact, F.Marked) and is_counter(fact.name)


def idle(before: Table, told: CitedFacts, is_counter: IsCounter = _no_counters) -> bool:
    """True if the facts change nothing but the awaited seats."""
    clock_before = _clock_state(before.clock)
    return all(
        _clock_state(fact.clock) == clock_before if isinstance(fact, F.Clocked) else is_counted(fact, is_counter)
        for _, fact in told
    )


def _clock_state(clock: Clock) -> object:
    return clock.turn, clock.active, clock.first, clock.phase, clock.step


Frames = dict[FrameId, FrameId]
"""The rejudged frame for each recorded frame."""


def pair_frames(known: Frames, recorded: CitedFacts, rejudged: CitedFacts) -> Frames:
    """Pair the frames that both sides opened, in order and by content."""
    ours = [fact.frame for _, fact in recorded if isinstance(fact, F.Pushed)]
    theirs = [fact.frame for _, fact in rejudged if isinstance(fact, F.Pushed)]
    if [frame.id for frame in ours] == [frame.id for frame in theirs] and not known:
        return known
    pairs = dict(known)
    for frame in ours:
        like = next((other for other in theirs if _is_alike(frame, other)), None)
        if like is not None:
            theirs.remove(like)
            pairs[frame.id] = like.id
    return pairs


def _is_alike(one: Frame, other: Frame) -> bool:
    return (one.kind, one.by, one.face, one.cards) == (other.kind, other.by, other.face, other.cards)


def carry_over(action: Action, frames: Frames) -> Action:
    """Return a recorded action for the rejudged table: the same cards, with frames replaced by their pairs."""
    if not frames:
        return action
    values = {part.name: getattr(action, part.name) for part in slots(type(action))}
    for part in slots(type(action)):
        match part.slot.kind:
            case "frame":
                values[part.name] = frames.get(values[part.name], values[part.name])
            case "frames":
                values[part.name] = tuple(frames.get(frame, frame) for frame in values[part.name])
            case _:
                pass
    return type(action)(**values)
