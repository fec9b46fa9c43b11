"""Faces named by a later entry, and the earlier tables on which the same card was unknown.

A face applies as far back as its card could be followed. A card cannot be followed back through:

- a shuffle whose order was not seen
- a fact that makes cards indistinguishable
- the arrival of another card in the closed hand that holds it
- a gap in the record
"""

from collections.abc import Mapping, Sequence

from domain.law.entries import Entry, Gap, entry_facts, line, opened_of, predecessor
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import Physics, physics_of
from domain.table.redact import LateFace, TableViewer
from domain.table.table import CardId, Place, Table, blank


def collect_late_faces(entries: Sequence[Entry]) -> Mapping[int, Mapping[CardId, LateFace]]:
    """Return the cards that were unknown after an entry and named by a later one, by entry number. Only the line that
    counts is used, without undone entries. The result is empty for a match dealt by the croupier."""
    numbers = line(entries)
    if not any(_has_unknown_faces(fact) for number in numbers for _, fact in entry_facts(entries[number - 1])):
        return {}
    tracer = _CardTracer(physics_of(opened_of(entries).schema), blank(opened_of(entries).seats))
    for at, number in enumerate(numbers):
        if isinstance(entries[number - 1], Gap):
            tracer.handle_gap(at)
        facts = [fact for _, fact in entry_facts(entries[number - 1])]
        tracer.unshuffled = {fact.place for fact in facts if isinstance(fact, F.Arranged) and fact.shuffled}
        for fact in facts:
            tracer.follow(at, fact)
    later: dict[int, dict[CardId, LateFace]] = {}
    for card, face, first, last in tracer.learned:
        for at in range(first, last):
            later.setdefault(numbers[at], {})[card] = LateFace(face, numbers[last])
    return later


def collect_faces_named_later(entries: Sequence[Entry]) -> Mapping[int, Mapping[CardId, LateFace]]:
    """Return the cards that were unknown before an entry and named by it or a later one, by entry number."""
    later = collect_late_faces(entries)
    before = {number: predecessor(entries, number) for number in range(2, len(entries) + 1)} if later else {}
    return {number: later[earlier] for number, earlier in before.items() if earlier in later}


def _has_unknown_faces(fact: F.AnyFact) -> bool:
    return isinstance(fact, F.Created | F.Identified) and None in fact.faces


class _CardTracer:
    """The table along a line, and the entry since which each card can be followed."""

    def __init__(self, physics: Physics, start: Table) -> None:
        self._physics, self._viewer = physics, TableViewer(physics)
        self._draft = Draft(start)
        self._since: dict[CardId, int] = {}
        self.unshuffled: set[Place] = set()
        """Piles that the current entry still has to shuffle. Faces seen in them are from before the shuffle."""
        self.learned: list[tuple[CardId, str, int, int]] = []
        """Card, face, the entry since which it is followed, and the entry that named the face, as indexes on the line.
        """

    def follow(self, at: int, fact: F.AnyFact) -> None:
        """Apply one fact of the entry at index `at` of the line."""
        match fact:
            case F.Learned(card, face):
                self._learn(at, card, face)
            case F.Identified(cards, faces):
                for card, named_face in zip(cards, faces, strict=True):
                    if named_face is None:
                        self._restart_tracking(at, self._draft.pieces[card].place)
                    else:
                        self._learn(at, card, named_face)
            case F.Arranged(place, cards, shuffled) if shuffled:
                self.unshuffled.discard(place)
                if cards == self._draft.places.get(place, ()):
                    self._restart_tracking(at, place)
            case F.Moved(cards):
                self._leave(at, cards)
            case F.Removed(cards):
                self._leave(at, cards)
            case _:
                pass
        apply(self._draft, fact)
        match fact:
            case F.Created(place, cards):
                self._since |= dict.fromkeys(cards, at)
                self._arrive(at, place)
            case F.Moved(_, place):
                self._arrive(at, place)
            case _:
                pass

    def handle_gap(self, at: int) -> None:
        """Account for unrecorded actions, after which hidden cards may be different ones."""
        for place in self._draft.places:
            self._restart_tracking(at, place)

    def _learn(self, at: int, card: CardId, face: str) -> None:
        piece = self._draft.pieces[card]
        if piece.face is None and piece.place not in self.unshuffled:
            self.learned.append((card, face, self._since[card], at))

    def _leave(self, at: int, cards: tuple[CardId, ...]) -> None:
        """Account for cards that leave a pile. From its ends they can be followed, from its middle they cannot."""
        for place in dict.fromkeys(self._draft.pieces[card].place for card in cards):
            row = self._draft.places[place]
            leaving = {card for card in cards if card in row}
            ends = (row[: len(leaving)], row[-len(leaving) :])
            if not any(leaving == set(end) for end in ends):
                self._restart_tracking(at, place)

    def _arrive(self, at: int, place: Place) -> None:
        """Account for cards that arrive. In a closed hand they can no longer be told apart."""
        area = self._physics.area(place)
        if area is not None and area.order == "bag" and len(self._unfollowed(place)) > 1:
            self._restart_tracking(at, place)

    def _restart_tracking(self, at: int, place: Place) -> None:
        self._since |= dict.fromkeys(self._unfollowed(place), at)

    def _unfollowed(self, place: Place) -> tuple[CardId, ...]:
        draft = self._draft
        return tuple(card for card in draft.places.get(place, ()) if not self._viewer.follows(draft, card))
