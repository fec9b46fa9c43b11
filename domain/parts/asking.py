"""What is open: frames put into a lane, questions asked and answered, and the shapes that questions have."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TypedDict, Unpack

from domain.law.clause import Check, Clause
from domain.law.live import Live
from domain.law.offers import SlotChoice, Template
from domain.law.outcome import UnknownFaceError
from domain.law.slots import Action, verb
from domain.table.facts import Popped, Pushed
from domain.table.table import CHANCE, CardId, Frame, FrameId, Lane, Obj, Place, Seat, Table, Todo, frame


class Columns(TypedDict, total=False):
    """The optional columns of a frame."""

    step: str
    face: str
    todo: tuple[Todo, ...]
    objs: tuple[Obj, ...]
    places: tuple[Place, ...]
    cards: tuple[CardId, ...]
    seats: tuple[Seat, ...]
    numbers: tuple[int, ...]
    words: tuple[str, ...]


SKIPS_MAX: Final = 20
"""Bound on the questions that are skipped to repair the flow before an action as played."""


def next_frame(t: Table) -> FrameId:
    """The id the next frame gets: higher than that of any before it."""
    return FrameId(t.framed + 1)


def push(
    t: Live,
    clause: Clause,
    lane: Lane,
    kind: str,
    by: Seat,
    frames: tuple[FrameId, ...] = (),
    **columns: Unpack[Columns],
) -> FrameId:
    """Put something into a lane; returns its id."""
    new = next_frame(t)
    t.tell(clause, Pushed(Frame(id=new, lane=lane, kind=kind, by=by, frames=frames, **columns)))
    return new


def ask(t: Live, clause: Clause, kind: str, by: Seat, *frames: FrameId, **columns: Unpack[Columns]) -> None:
    """Put a question to a seat or to chance; the first of its frames is the one it serves."""
    push(t, clause, "asked", kind, by, frames, **columns)


def question(t: Table) -> Frame | None:
    """The choice or chance outcome that is awaited now."""
    return t.asked[0] if t.asked else None


def awaited(t: Table) -> tuple[Seat, ...]:
    """Who must act now: whoever is asked, else who the clock waits for; nobody once the match is over."""
    if t.result is not None:
        return ()
    asked = question(t)
    return (asked.by,) if asked is not None else t.clock.awaited


def asked_of_chance(t: Table) -> Frame | None:
    """What chance is asked now."""
    asked = question(t)
    return asked if asked is not None and asked.by == CHANCE else None


def serves(asked: Frame) -> FrameId | None:
    """The frame that a question serves, if it serves one: the first it names."""
    return asked.frames[0] if asked.frames else None


def served(t: Table, asked: Frame) -> Frame | None:
    """The frame a question serves, if it serves one that is still there."""
    serving = serves(asked)
    return frame(t, serving) if serving is not None else None


def answers(asked: Frame, action: Action, verbs: Mapping[str, str] = {}) -> bool:
    """Is this the action that answers such a question? `verbs` of kinds of question not called as their answer is."""
    return verbs.get(asked.kind, asked.kind) == verb(action)


def skip(t: Live, clause: Clause, answered: Callable[[Frame], bool], skipped: Callable[[Frame], None]) -> None:
    """Skip what is asked until it is what an action answers. `skipped` goes on behind a question without its answer."""
    for _ in range(SKIPS_MAX):
        asked = question(t)
        if asked is None or answered(asked):
            return
        t.tell(clause, Popped(asked.id, "skipped"))
        skipped(asked)


ANSWERS_MAX: Final = 1_500
"""Bound on the answers of one template that are tried to see whether a question can be answered."""


def skip_moot(
    t: Live,
    clause: Clause,
    kinds: Collection[type[Action]],
    offered: Callable[[Seat], Iterator[Template]],
    checked: Callable[[Seat, Action], Iterable[Check]],
    skipped: Callable[[Frame], None],
) -> None:
    """Skip what an action out of turn has left without any answer: nobody would be asked it now."""

    def stands(asked: Frame) -> bool:
        if asked.by == CHANCE:
            return True
        with suppress(UnknownFaceError):  # what hangs on a face that nobody saw may be answered
            return any(
                all(check[1] for check in checked(asked.by, action))
                for template in offered(asked.by)
                if template.action in kinds
                for action in islice(template.expansions(), ANSWERS_MAX)
            )
        return True

    if t.result is None:
        skip(t, clause, stands, skipped)


# -- shapes of question -----------------------------------------------------------------------------------------------


def picks(named: Sequence[CardId], offered: Collection[CardId], least: int, most: int) -> bool:
    """Are these from so many to so many of what is offered, each once?"""
    return least <= len(named) <= most and len(set(named)) == len(named) and set(offered).issuperset(named)


def reorders(named: Sequence[int], row: Sequence[int]) -> bool:
    """Are these the same things, each as often, in whatever order?"""
    return sorted(named) == sorted(row)


def yes_or_no(slot: str) -> SlotChoice:
    """What can be answered to a question for a yes."""
    return SlotChoice(slot, (False, True))
