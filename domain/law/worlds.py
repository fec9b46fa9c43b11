"""Deciding an action whose cards nobody saw, in every world that what is known leaves open.

A world names a face for each card that the law asks for, and no others; all of its faces can be there by the lists of
their owners. Nothing that is assumed is told: a world's outcome holds what happens, without the faces it was asked by.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.law.entries import Opened
from domain.law.face_request import FaceRequest
from domain.law.law import Law
from domain.law.outcome import Outcome
from domain.law.slots import Action
from domain.law.unseen import (
    NOTHING,
    Faces,
    cards_mixed_up,
    decide_seen,
    faces_left,
    unknown_lies_open,
    with_faces,
)
from domain.table.physics import Physics
from domain.table.table import CardId, Seat, Table

WORLDS_MAX: Final = 400
"""Bound on the worlds in which one action is decided: one unknown card of any list, two of a short one."""


class World(Struct, frozen=True):
    """The faces the law asked for, one way they can be, and what the action leads to then."""

    faces: Mapping[CardId, str]
    outcome: Outcome


class Worlds(Struct, frozen=True):
    """The worlds in which an action was decided; `complete` says that there are no others.

    None is tried where a law that does not ask for what lies open would take an unknown face for none.
    """

    worlds: tuple[World, ...]
    complete: bool

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The cards whose faces make the worlds differ, in the order in which they were asked for."""
        return tuple(dict.fromkeys(card for world in self.worlds for card in world.faces))


class Unseen(Struct, frozen=True):
    """An action on real cards: under which law, in which match, on which table, with which faces seen."""

    law: Law
    physics: Physics
    opened: Opened
    table: Table
    actor: Seat
    action: Action
    faces: Faces
    as_played: bool = False
    skips: bool = False

    def decide(self, assumed: Mapping[CardId, str], unnamed: Callable[[CardId], bool]) -> Outcome | FaceRequest:
        """What it leads to where these faces are assumed; the face of an unnamed card is wanted by the law alone."""
        return decide_seen(
            self.law,
            self.physics,
            self.table,
            self.actor,
            self.action,
            self.faces,
            self.as_played,
            assumed,
            unnamed if self.law.game.asks_open else lambda card: False,
            self.skips,
        )


def decide_worlds(
    unseen: Unseen, unnamed: Callable[[CardId], bool], known: Mapping[CardId, str] = NOTHING
) -> Worlds | FaceRequest:
    """Decide it in every world, or say which card must be named that is none of the unnamed.

    Faces may be `known` from elsewhere: in no world is such a card another one, and nothing is told of it.
    """
    if not unseen.law.game.asks_open and unknown_lies_open(unseen.physics, unseen.table):
        return Worlds((), complete=False)
    worlds: list[World] = []
    left: list[Iterator[Mapping[CardId, str]]] = [iter((known,))]
    while left:
        assumed = next(left[-1], None)
        if assumed is None:
            left.pop()
            continue
        if len(worlds) == WORLDS_MAX:
            return Worlds(tuple(worlds), complete=False)
        outcome = unseen.decide(assumed, unnamed)
        if not isinstance(outcome, FaceRequest):
            worlds.append(World(assumed, outcome))
        elif unnamed(outcome.card):
            assert outcome.card not in assumed, "a face that is known is wanted again"
            left.append(_with_each_face(unseen, assumed, outcome.card))
        else:
            return outcome
    return Worlds(tuple(worlds), complete=True)


def _with_each_face(unseen: Unseen, assumed: Mapping[CardId, str], card: CardId) -> Iterator[Mapping[CardId, str]]:
    """Every face that the card can have beside those assumed; what nobody can tell any more has any that is left."""
    lost = cards_mixed_up(unseen.physics, unseen.table, unseen.action, unseen.faces)
    known = {name: face for name, face in unseen.faces.items() if face is not None}
    table = with_faces(unseen.table, {**dict.fromkeys(lost), **known, **assumed})
    for face in faces_left(unseen.law.game, unseen.opened, table, card):
        yield {**assumed, card: face}
