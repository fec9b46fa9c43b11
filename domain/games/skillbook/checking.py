"""Shared checks: the subjects that an action names, and the clauses that they must exist."""

from collections.abc import Iterator

from domain.games.skillbook import board as B, clauses as C, progress as P, table_queries as R
from domain.games.skillbook.rules import Rules
from domain.law.clause import Check, FrameRef, Subject, Word, subject_or_missing
from domain.parts.squares import Square
from domain.table.table import CardId, Place, Seat, Table

Checks = Iterator[Check]


def square_subject(place: Place) -> Subject:
    return subject_or_missing(Word(place), "square")


def check_squares(rules: Rules, *places: Place) -> Checks:
    for place in places:
        if place:
            yield C.EXISTING_AND_USABLE, place in B.ground_places(rules.size), square_subject(place)


def squares_of(path: tuple[Place, ...]) -> tuple[Square, ...]:
    """Return the squares of a path, without places that are not on the board."""
    return tuple(square for place in path if (square := B.square_at(place)) is not None)


def target_subjects(targets: tuple[CardId, ...], square: Place, item: int) -> tuple[Subject, ...]:
    """Return the targets of an action as subjects of a check."""
    about: list[Subject] = [*targets]
    if square:
        about.append(Word(square))
    if item:
        about.append(FrameRef(R.frame_id(item)))
    return tuple(about)


def check_idle(t: Table, actor: Seat) -> Checks:
    """Yield the clause that the actor must be in their main phase with nothing in progress."""
    yield C.OWN_MAIN_PHASE, P.is_idle(t) and t.clock.active == actor, actor
