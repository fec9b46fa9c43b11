"""Open frames: pushing frames, asking and answering questions, and checking answers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TypedDict, Unpack

from domain.law.clause import Check, Clause
from domain.law.live import LiveTable
from domain.law.offers import SlotChoice, Template
from domain.law.outcome import UnknownFaceError
from domain.law.slots import Action, verb
from domain.table.facts import Popped, Pushed
from domain.table.table import CHANCE, CardId, Frame, FrameId, Lane, Obj, Place, Seat, Table, Todo, frame


class Columns(TypedDict, total=False):
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
"""Questions skipped at most to reach an action as played."""


def next_frame(t: Table) -> FrameId:
    """Return the id of the next frame, which is higher than any before."""
    return FrameId(t.framed + 1)


def push(
    t: LiveTable,
    clause: Clause,
    lane: Lane,
    kind: str,
    by: Seat,
    frames: tuple[FrameId, ...] = (),
    **columns: Unpack[Columns],
) -> FrameId:
    """Put a frame into a lane, and return its id."""
    new = next_frame(t)
    t.emit(clause, Pushed(Frame(id=new, lane=lane, kind=kind, by=by, frames=frames, **columns)))
    return new


def ask(t: LiveTable, clause: Clause, kind: str, by: Seat, *frames: FrameId, **columns: Unpack[Columns]) -> None:
    """Ask a seat or chance; the first of `frames` is the one that the question serves."""
    push(t, clause, "asked", kind, by, frames, **columns)


def open_question(t: Table) -> Frame | None:
    """Return the open question, to a seat or to chance."""
    return t.asked[0] if t.asked else None


def awaited(t: Table) -> tuple[Seat, ...]:
    """Return the seats that must act: the one asked, else those of the clock; none after the end of the match."""
    if t.result is not None:
        return ()
    asked = open_question(t)
    return (asked.by,) if asked is not None else t.clock.awaited


def asked_of_chance(t: Table) -> Frame | None:
    """Return the open question if it is to chance."""
    asked = open_question(t)
    return asked if asked is not None and asked.by == CHANCE else None


def serves(asked: Frame) -> FrameId | None:
    """Return the id of the frame that a question serves, its first; None if it serves none."""
    return asked.frames[0] if asked.frames else None


def served(t: Table, asked: Frame) -> Frame | None:
    """Return the frame that a question serves; None if it serves none or the frame is gone."""
    frame_id = serves(asked)
    return frame(t, frame_id) if frame_id is not None else None


def answers(asked: Frame, action: Action, verbs: Mapping[str, str] = {}) -> bool:
    """True if the action answers the question. `verbs` has the verb by kind of question, where they differ."""
    return verbs.get(asked.kind, asked.kind) == verb(action)


def skip_questions(
    t: LiveTable, clause: Clause, answered: Callable[[Frame], bool], skipped: Callable[[Frame], None]
) -> None:
    """Skip open questions until `answered` is true of one. `skipped` continues after a skipped question."""
    for _ in range(SKIPS_MAX):
        asked = open_question(t)
        if asked is None or answered(asked):
            return
        t.emit(clause, Popped(asked.id, "skipped"))
        skipped(asked)


ANSWERS_MAX: Final = 1_500
"""Answers tried at most per template, to see whether a question can be answered."""


def skip_unanswerable(
    t: LiveTable,
    clause: Clause,
    kinds: Collection[type[Action]],
    offered: Callable[[Seat], Iterator[Template]],
    checked: Callable[[Seat, Action], Iterable[Check]],
    skipped: Callable[[Frame], None],
) -> None:
    """Skip questions that have no legal answer left after an action out of turn."""

    def is_answerable(asked: Frame) -> bool:
        if asked.by == CHANCE:
            return True
        with suppress(UnknownFaceError):  # assume that an answer exists if it depends on an unknown face
            return any(
                all(check[1] for check in checked(asked.by, action))
                for template in offered(asked.by)
                if template.action in kinds
                for action in islice(template.expansions(), ANSWERS_MAX)
            )
        return True

    if t.result is None:
        skip_questions(t, clause, is_answerable, skipped)


# -- forms of answer --------------------------------------------------------------------------------------------------


def is_valid_choice(named: Sequence[CardId], offered: Collection[CardId], least: int, most: int) -> bool:
    """True if the cards are between `least` and `most` different cards on offer."""
    return least <= len(named) <= most and len(set(named)) == len(named) and set(offered).issuperset(named)


def is_reordering(named: Sequence[int], row: Sequence[int]) -> bool:
    """True if `named` is `row` in any order."""
    return sorted(named) == sorted(row)


def yes_or_no(slot: str) -> SlotChoice:
    return SlotChoice(slot, (False, True))
