"""Actions on real cards under other rules: decided whatever the cards were that nobody saw, as far as the record holds.

A world is left if the record's own rules lead to what was recorded in it; where there is none, all of them are. What
the other rules say is an answer only if they say the same in every world that is left.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.judging.rejudging.path import LineStep, Path
from domain.law.asking import Asking
from domain.law.clause import Refusal, Told
from domain.law.entries import Entry, Opened, Played, Undealt, seen_before
from domain.law.late_faces import list_later_faces
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.rulesets import RulesetError, load
from domain.law.slots import Action
from domain.law.unseen import faces_named, skips_seen, unseen
from domain.law.worlds import WORLDS_MAX, Unseen, Worlds, decide_worlds
from domain.table.evolve import fold
from domain.table.physics import physics_of
from domain.table.redact import LateFace
from domain.table.table import CardId, Table

Faces = Mapping[CardId, str]
LateFaces = Mapping[int, Mapping[CardId, LateFace]]


class CardKnowledge:
    """What is known of the cards of one match that is rejudged under a law. It remembers whether some were not seen."""

    def __init__(self, law: Law, opened: Opened, entries: Sequence[Entry]) -> None:
        self._law, self._opened, self._entries = law, opened, entries
        self._physics = physics_of(law.schema())
        self._of_real_cards = isinstance(opened, Undealt)
        self._read: tuple[Law | None, LateFaces] | None = None

    def look(self, first: Told) -> None:
        """An entry begins with what was seen of real cards."""
        self._of_real_cards = self._of_real_cards or bool(first)

    def fails(self, table: Table) -> bool:
        """Does a card lie on this table of which nobody knows what it is?"""
        return self._of_real_cards and unseen(table)

    def asking(self, table: Table) -> Table:
        """The table as the law is to read it: what nobody knows it asks for, and takes it for nothing else."""
        return Asking(table) if self.fails(table) else table

    def decide(self, path: Path, step: LineStep, action: Action) -> Outcome | None:
        """What the law says to an entry, behind what was seen first; None where it hangs on a card nobody saw."""
        entry = step.entry
        assert isinstance(entry, Played) and step.action is not None
        _, told = self._load_recorded_law()
        known = {card: late.face for card, late in told.get(step.number, {}).items()}
        left = [*self._list_possible_faces(path.recorded, entry, step.action, known)] or [known]
        asked = self._build_unseen(self._law, path.table, entry, action)
        outcome = _agreed(asked, left)
        if isinstance(outcome, Refusal) and entry.violations:
            return _agreed(replace(asked, as_played=False), left)
        if not isinstance(outcome, Accepted):
            return outcome
        seen, decided = (fact for _, fact in seen_before(entry.told)), _behind_seen(outcome.told)
        return replace(outcome, told=decided, table=fold(fold(path.table, seen), (fact for _, fact in decided)))

    def _list_possible_faces(self, table: Table, entry: Played, action: Action, known: Faces) -> Iterator[Faces]:
        """The worlds in which the record is right by its own rules."""
        own, _ = self._load_recorded_law()
        if own is None:
            return
        worlds = _decide(self._build_unseen(own, table, entry, action), known)
        for world in worlds.worlds if worlds.complete else ():
            outcome = world.outcome
            right = isinstance(outcome, Accepted) and _behind_seen(outcome.told) == _behind_seen(entry.told)
            if right and set(entry.violations) <= set(getattr(outcome, "violations", ())):
                yield {**known, **world.faces}

    def _build_unseen(self, law: Law, table: Table, entry: Played, action: Action) -> Unseen:
        faces, as_played = faces_named(entry.told), bool(entry.violations)
        skips = as_played and skips_seen(law, table, entry, action)
        return Unseen(law, self._physics, self._opened, table, entry.actor, action, faces, as_played, skips)

    def _load_recorded_law(self) -> tuple[Law | None, LateFaces]:
        """The law that was recorded under, if it is one that can be read; and by the number of an entry the cards that
        nobody knew before it, and of which a later one told what they are."""
        if self._read is None:
            try:
                own: Law | None = Law(self._law.game, load(self._law.game, self._opened.rules))
            except RulesetError:
                own = None
            self._read = (own, list_later_faces(self._entries))
        return self._read


def _agreed(asked: Unseen, left: Sequence[Faces]) -> Outcome | None:
    """What the law says in all these worlds; None if it says different things, or there are too many to ask."""
    said: list[Outcome] = []
    for known in left:
        worlds = _decide(asked, known)
        said += (world.outcome for world in worlds.worlds)
        if not worlds.complete or len(said) > WORLDS_MAX:
            return None
    return said[0] if said and len(set(map(_gist, said))) == 1 else None


def _decide(asked: Unseen, known: Faces) -> Worlds:
    pieces, named = asked.table.pieces, asked.faces
    unknown = {
        card: face
        for card, face in known.items()
        if card in pieces and pieces[card].face is None and not named.get(card)
    }
    worlds = decide_worlds(asked, lambda card: True, unknown)
    assert isinstance(worlds, Worlds), "no card has to be named"
    return worlds


def _behind_seen(told: Told) -> Told:
    return told[len(seen_before(told)) :]


def _gist(outcome: Outcome) -> object:
    """What makes two worlds differ: what happens, or the clause that does not allow it."""
    return _behind_seen(outcome.told) if isinstance(outcome, Accepted) else outcome.clause
