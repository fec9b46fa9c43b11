"""Decide recorded actions on real cards from what was seen at the table."""

from collections.abc import Mapping

from domain.law.driver import decide, decide_as_played, skips_questions
from domain.law.entries import Opened, Played, Undealt, begins_with_faces, leading_faces
from domain.law.face_request import FaceRequest
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.slots import Action
from domain.law.unseen import (
    RealCardAction,
    explain_impossible_face,
    hide_faces,
    seen_areas,
    seen_faces,
    shuffles_unseen,
    skips_questions_after_faces,
    unknown_lies_open,
    with_faces,
)
from domain.law.worlds import Worlds, decide_worlds
from domain.table.evolve import fold
from domain.table.physics import Physics
from domain.table.table import CHANCE, CardId, Table, blank
from domain.words import Text


class EntryDecider:
    """Decider of recorded actions that uses the faces seen so far if not all are known."""

    def __init__(self, law: Law, opened: Opened, physics: Physics) -> None:
        self._law, self._opened, self._physics = law, opened, physics
        self.real = isinstance(opened, Undealt)

    def impossible(self, table: Table, entry: Played) -> Text | None:
        """Explain why one of the faces seen in the entry is impossible; None if all are possible."""
        if not leading_faces(entry.told):
            return None
        for card, face in seen_faces(entry.told).items():
            if face is None:
                continue
            why = explain_impossible_face(self._law.game, self._opened, table, card, face)
            if why is not None:
                return why
            table = with_faces(table, {card: face})
        return None

    def of_real_cards(self, table: Table, entry: Played, action: Action) -> bool:
        """True if the record uses real cards, here or in an earlier entry. The answer is remembered."""
        if not self.real and (entry.actor == CHANCE or begins_with_faces(entry.told)):
            self.real = bool(leading_faces(entry.told)) or shuffles_unseen(table, entry.actor, action)
        return self.real

    def decide(self, table: Table, entry: Played, action: Action, as_played: bool = False) -> Outcome | None:
        """Return the law's outcome for an entry; None if it depends on unknown cards."""
        if not self.of_real_cards(table, entry, action):
            if not as_played:
                return decide(self._law, table, entry.actor, action)
            skips = skips_questions(self._law, table, entry.actor, action, entry.told)
            return decide_as_played(self._law, table, entry.actor, action, skips=skips)
        faces = seen_faces(entry.told)
        if not self._law.game.asks_open and unknown_lies_open(self._physics, table):
            return None
        skips = as_played and skips_questions_after_faces(self._law, table, entry, action)
        about = (self._law, self._physics, self._opened, table, entry.actor, action, faces)
        unseen = RealCardAction(*about, as_played, skips, seen_areas(entry.told) if as_played else {})
        outcome = unseen.decide()
        return None if isinstance(outcome, FaceRequest) else outcome

    def in_worlds(
        self, table: Table, entry: Played, action: Action, known: Mapping[CardId, str], by_area: bool = True
    ) -> Worlds:
        """Decide an entry in every world compatible with the faces seen and with those in `known`. `by_area`: also
        with the areas that cards went to."""
        faces = seen_faces(entry.told)
        about = (self._law, self._physics, self._opened, table, entry.actor, action, faces)
        unseen = RealCardAction(*about, areas=seen_areas(entry.told) if by_area else {})
        worlds = decide_worlds(unseen, lambda card: True, known)
        assert isinstance(worlds, Worlds)
        return worlds


def apply_seen_facts(table: Table, entry: Played) -> Table:
    """Return the table on which the law is asked: with the faces seen before the action."""
    seen = leading_faces(entry.told)
    return fold(table, (fact for _, fact in seen)) if seen else table


def hide_set_up(physics: Physics, opened: Opened, accepted: Accepted) -> Accepted:
    """Return the set-up as recorded: with real cards, hidden faces are unknown."""
    if not isinstance(opened, Undealt):
        return accepted
    told = hide_faces(physics, accepted.told, opened.seats)
    return Accepted(told, fold(blank(opened.seats), (fact for _, fact in told)))
