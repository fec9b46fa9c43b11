"""What a record learned late: faces that nobody knew when an entry was entered, and that a later one told.

A face that is learned belongs to the same card as far back as anybody could tell that it was the same one. Nobody can
from before a shuffle whose order was not seen, from before it was told that nobody can tell any more, and of a card
that lay among others in a closed hand from before the last of these came there, or from before a gap in the record.
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
    """By the number of an entry: the cards unknown on the table after it of which a later entry told the face.

    Only of the line that counts: what a rewind has undone tells nothing, and nothing is told of it. Empty for a match
    that was dealt. A card that stays unknown, and one that was known already, are not named.
    """
    numbers = line(entries)
    if not any(_unknown(fact) for number in numbers for _, fact in entry_facts(entries[number - 1])):
        return {}
    traced = _Traced(physics_of(opened_of(entries).schema), blank(opened_of(entries).seats))
    for at, number in enumerate(numbers):
        if isinstance(entries[number - 1], Gap):
            traced.lose(at)
        facts = [fact for _, fact in entry_facts(entries[number - 1])]
        traced.to_shuffle = {fact.place for fact in facts if isinstance(fact, F.Arranged) and fact.shuffled}
        for fact in facts:
            traced.follow(at, fact)
    later: dict[int, dict[CardId, LateFace]] = {}
    for card, face, first, last in traced.learned:
        for at in range(first, last):
            later.setdefault(numbers[at], {})[card] = LateFace(face, numbers[last])
    return later


def list_later_faces(entries: Sequence[Entry]) -> Mapping[int, Mapping[CardId, LateFace]]:
    """By the number of an entry: the cards unknown before it of which a later one told what they are."""
    later = collect_late_faces(entries)
    before = {number: predecessor(entries, number) for number in range(2, len(entries) + 1)} if later else {}
    return {number: later[earlier] for number, earlier in before.items() if earlier in later}


def _unknown(fact: F.AnyFact) -> bool:
    return isinstance(fact, F.Created | F.Identified) and None in fact.faces


class _Traced:
    """The table along a line, and of each card since which entry of it anybody can tell that it is the same one."""

    def __init__(self, physics: Physics, start: Table) -> None:
        self._physics, self._eyes = physics, TableViewer(physics)
        self._draft = Draft(start)
        self._since: dict[CardId, int] = {}
        self.to_shuffle: set[Place] = set()
        """The piles that this entry still shuffles: what was seen stands before it, and was seen behind it."""
        self.learned: list[tuple[CardId, str, int, int]] = []
        """Card, face, since which entry it is the same card, and which entry told the face, as places on the line."""

    def follow(self, at: int, fact: F.AnyFact) -> None:
        """One fact of the entry at this place of the line."""
        match fact:
            case F.Learned(card, face):
                self._learn(at, card, face)
            case F.Identified(cards, faces):
                for card, told_now in zip(cards, faces, strict=True):
                    if told_now is None:
                        self._mix(at, self._draft.pieces[card].place)
                    else:
                        self._learn(at, card, told_now)
            case F.Arranged(place, cards, shuffled) if shuffled:
                self.to_shuffle.discard(place)
                if cards == self._draft.places.get(place, ()):
                    self._mix(at, place)
            case F.Moved(cards):
                self._taken_out(at, cards)
            case F.Removed(cards):
                self._taken_out(at, cards)
            case _:
                pass
        apply(self._draft, fact)
        match fact:
            case F.Created(place, cards):
                self._since |= dict.fromkeys(cards, at)
                self._come_to(at, place)
            case F.Moved(_, place):
                self._come_to(at, place)
            case _:
                pass

    def lose(self, at: int) -> None:
        """Something happened that nobody recorded: what cannot be followed may be another card since then."""
        for place in self._draft.places:
            self._mix(at, place)

    def _learn(self, at: int, card: CardId, face: str) -> None:
        piece = self._draft.pieces[card]
        if piece.face is None and piece.place not in self.to_shuffle:
            self.learned.append((card, face, self._since[card], at))

    def _taken_out(self, at: int, cards: tuple[CardId, ...]) -> None:
        """Cards leave a pile: from its ends everybody sees which ones they are, out of its middle nobody does."""
        for place in dict.fromkeys(self._draft.pieces[card].place for card in cards):
            row = self._draft.places[place]
            taken = {card for card in cards if card in row}
            ends = (row[: len(taken)], row[-len(taken) :])
            if not any(taken == set(end) for end in ends):
                self._mix(at, place)

    def _come_to(self, at: int, place: Place) -> None:
        """Cards have come to a place: in a closed hand nobody can tell from now on which of them came when."""
        area = self._physics.area(place)
        if area is not None and area.order == "bag" and len(self._unfollowed(place)) > 1:
            self._mix(at, place)

    def _mix(self, at: int, place: Place) -> None:
        self._since |= dict.fromkeys(self._unfollowed(place), at)

    def _unfollowed(self, place: Place) -> tuple[CardId, ...]:
        draft = self._draft
        return tuple(card for card in draft.places.get(place, ()) if not self._eyes.follows(draft, card))
