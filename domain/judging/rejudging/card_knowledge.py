"""Decide actions on real cards under other rules, for all values of the unseen cards.

A world is possible if the record's own rules lead to the recorded facts in it. If none is possible, all count. The
other rules give an answer only if it is the same in every possible world.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.judging.rejudging.path import LineStep, Path
from domain.law.asking import StrictLiveTable
from domain.law.clause import CitedFacts, Refusal
from domain.law.entries import Entry, Opened, Played, Undealt, leading_faces
from domain.law.late_faces import collect_faces_named_later
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.rulesets import RulesetError, load
from domain.law.slots import Action
from domain.law.unseen import RealCardAction, has_unknown_faces, seen_areas, seen_faces, skips_questions_after_faces
from domain.law.worlds import WORLDS_MAX, Worlds, decide_worlds
from domain.table.evolve import fold
from domain.table.physics import physics_of
from domain.table.redact import LateFace
from domain.table.table import CardId, Table

Faces = Mapping[CardId, str]
LateFaces = Mapping[int, Mapping[CardId, LateFace]]


class CardKnowledge:
    """Knowledge about the cards of one rejudged match, under one law."""

    def __init__(self, law: Law, opened: Opened, entries: Sequence[Entry]) -> None:
        self._law, self._opened, self._entries = law, opened, entries
        self._physics = physics_of(law.schema())
        self._has_real_cards = isinstance(opened, Undealt)
        self._recorded: tuple[Law | None, LateFaces] | None = None

    def look(self, first: CitedFacts) -> None:
        """Note that an entry begins with faces seen on real cards."""
        self._has_real_cards = self._has_real_cards or bool(first)

    def has_unknown_faces(self, table: Table) -> bool:
        """True if the table has a card of unknown face."""
        return self._has_real_cards and has_unknown_faces(table)

    def asking(self, table: Table) -> Table:
        """Return the table for the law to read. Reading an unknown face raises `UnknownFaceError`."""
        return StrictLiveTable(table) if self.has_unknown_faces(table) else table

    def decide(self, path: Path, step: LineStep, action: Action) -> Outcome | None:
        """Return the law's outcome after the faces seen first; None if it depends on an unseen card."""
        entry = step.entry
        assert isinstance(entry, Played) and step.action is not None
        _, late_faces = self._load_recorded_law()
        known = {card: late.face for card, late in late_faces.get(step.number, {}).items()}
        possible_faces = [*self._list_possible_faces(path.recorded, entry, step.action, known)]
        unseen = self._build_unseen(self._law, path.table, entry, action)
        if not possible_faces:  # then the record does not say which face led to which area either
            possible_faces, unseen = [known], replace(unseen, areas={})
        outcome = _find_common_outcome(unseen, possible_faces)
        if isinstance(outcome, Refusal) and entry.violations:
            return _find_common_outcome(replace(unseen, as_played=False), possible_faces)
        if not isinstance(outcome, Accepted):
            return outcome
        seen, decided = (fact for _, fact in leading_faces(entry.told)), _drop_seen_facts(outcome.told)
        return replace(outcome, told=decided, table=fold(fold(path.table, seen), (fact for _, fact in decided)))

    def _list_possible_faces(self, table: Table, entry: Played, action: Action, known: Faces) -> Iterator[Faces]:
        """Yield the worlds in which the record follows its own rules."""
        own, _ = self._load_recorded_law()
        if own is None:
            return
        worlds = _decide(self._build_unseen(own, table, entry, action), known)
        for world in worlds.worlds if worlds.complete else ():
            outcome = world.outcome
            right = isinstance(outcome, Accepted) and _drop_seen_facts(outcome.told) == _drop_seen_facts(entry.told)
            if right and set(entry.violations) <= set(getattr(outcome, "violations", ())):
                yield {**known, **world.faces}

    def _build_unseen(self, law: Law, table: Table, entry: Played, action: Action) -> RealCardAction:
        faces, as_played = seen_faces(entry.told), bool(entry.violations)
        skips = as_played and skips_questions_after_faces(law, table, entry, action)
        areas = seen_areas(entry.told)
        return RealCardAction(
            law, self._physics, self._opened, table, entry.actor, action, faces, as_played, skips, areas
        )

    def _load_recorded_law(self) -> tuple[Law | None, LateFaces]:
        """Return the law of the record, or None if its rules are unreadable, and the faces disclosed later, by
        entry."""
        if self._recorded is None:
            try:
                own: Law | None = Law(self._law.game, load(self._law.game, self._opened.rules))
            except RulesetError:
                own = None
            self._recorded = (own, collect_faces_named_later(self._entries))
        return self._recorded


def _find_common_outcome(unseen: RealCardAction, possible_faces: Sequence[Faces]) -> Outcome | None:
    """Return the outcome common to all worlds; None if outcomes differ or there are too many worlds."""
    outcomes: list[Outcome] = []
    for known in possible_faces:
        worlds = _decide(unseen, known)
        outcomes += (world.outcome for world in worlds.worlds)
        if not worlds.complete or len(outcomes) > WORLDS_MAX:
            return None
    return outcomes[0] if outcomes and len(set(map(_summarize, outcomes))) == 1 else None


def _decide(unseen: RealCardAction, known: Faces) -> Worlds:
    pieces, named = unseen.table.pieces, unseen.faces
    unknown = {
        card: face
        for card, face in known.items()
        if card in pieces and pieces[card].face is None and not named.get(card)
    }
    worlds = decide_worlds(unseen, lambda card: True, unknown)
    assert isinstance(worlds, Worlds), "no card has to be named"
    return worlds


def _drop_seen_facts(told: CitedFacts) -> CitedFacts:
    return told[len(leading_faces(told)) :]


def _summarize(outcome: Outcome) -> object:
    """Return what two worlds must share: the facts, or the clause that refuses the action."""
    return _drop_seen_facts(outcome.told) if isinstance(outcome, Accepted) else outcome.clause
