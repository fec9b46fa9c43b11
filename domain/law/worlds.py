"""Deciding an action on unknown cards in every possible world.

A world assigns a face to each card that the law asks for, and to no other. All its faces are possible by their owners'
lists. Assumed faces are not recorded: the outcome of a world leaves them out.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.law.face_request import FaceRequest
from domain.law.outcome import Accepted, Outcome
from domain.law.unseen import (
    NO_FACES,
    RealCardAction,
    cards_mixed_up,
    faces_left,
    unknown_lies_open,
    with_faces,
)
from domain.table.table import CardId

WORLDS_MAX: Final = 400
"""Maximum number of worlds to decide for one action: enough for one unknown card of any list, or two of a short one."""

REQUESTS_MAX: Final = 60
"""Maximum number of worlds that lack a face before that face is requested: enough for one unknown card."""


class World(Struct, frozen=True):
    """One assignment of the requested faces, and the outcome under it."""

    faces: Mapping[CardId, str]
    outcome: Outcome


class Worlds(Struct, frozen=True):
    """The worlds in which an action was decided; `complete`: there are no others. `worlds` is empty if a card with an
    unknown face lies open and the law does not request such faces."""

    worlds: tuple[World, ...]
    complete: bool

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The cards whose faces make the worlds differ, in the order of request."""
        return tuple(dict.fromkeys(card for world in self.worlds for card in world.faces))


def decide_worlds(
    unseen: RealCardAction, unnamed: Callable[[CardId], bool], known: Mapping[CardId, str] = NO_FACES
) -> Worlds | FaceRequest:
    """Decide the action in every world, or request the face of a card that is not `unnamed`. `known` faces come from
    another source. They hold in every world and are not recorded.

    A card that an action touches in some worlds only is not requested: the unnamed cards already make a difference.
    """
    if not unseen.law.game.asks_open and unknown_lies_open(unseen.physics, unseen.table):
        return Worlds((), complete=False)
    worlds: list[World] = []
    first: tuple[FaceRequest, Mapping[CardId, str]] | None = None
    requests = 0
    stack: list[Iterator[Mapping[CardId, str]]] = [iter((known,))]
    while stack:
        assumed = next(stack[-1], None)
        if assumed is None:
            stack.pop()
            continue
        if first is not None and (requests == REQUESTS_MAX or len(worlds) == WORLDS_MAX):
            return first[0]
        if len(worlds) == WORLDS_MAX:
            return Worlds(tuple(worlds), complete=False)
        outcome = unseen.decide(assumed, unnamed)
        if not isinstance(outcome, FaceRequest):
            worlds.append(World(assumed, outcome))
        elif unnamed(outcome.card):
            assert outcome.card not in assumed, "a face that is known is wanted again"
            stack.append(_with_each_face(unseen, assumed, outcome.card))
        else:
            first = first or (outcome, assumed)
            requests += 1
    if first is None:
        return Worlds(tuple(worlds), complete=True)
    request, assumed = first
    allowed = [
        world.outcome for world in worlds if isinstance(world.outcome, Accepted) and not world.outcome.violations
    ]
    if all(_touches(outcome, request.card) for outcome in allowed):
        return request
    example = _decide_example(unseen, unnamed, assumed)
    if isinstance(example, Accepted) and _touches(example, request.card):
        return Worlds((*worlds, World(assumed, example)), complete=False)
    return request


def _touches(outcome: Accepted, card: CardId) -> bool:
    return any(card in getattr(fact, "cards", ()) for _, fact in outcome.told)


def _decide_example(
    unseen: RealCardAction, unnamed: Callable[[CardId], bool], assumed: Mapping[CardId, str]
) -> Outcome | FaceRequest:
    """Decide one world in which each requested card has its first possible face."""
    outcome = unseen.decide(assumed, unnamed)
    while isinstance(outcome, FaceRequest):
        assumed = next(_with_each_face(unseen, assumed, outcome.card), {})
        if not assumed:
            return outcome
        outcome = unseen.decide(assumed, unnamed)
    return outcome


def _with_each_face(
    unseen: RealCardAction, assumed: Mapping[CardId, str], card: CardId
) -> Iterator[Mapping[CardId, str]]:
    """Yield the assignment extended by each possible face of the card. Cards that can no longer be told apart may have
    any face that is left."""
    mixed_up = cards_mixed_up(unseen.physics, unseen.table, unseen.action, unseen.faces)
    known = {name: face for name, face in unseen.faces.items() if face is not None}
    table = with_faces(unseen.table, {**dict.fromkeys(mixed_up), **known, **assumed})
    for face in faces_left(unseen.law.game, unseen.opened, table, card):
        yield {**assumed, card: face}
