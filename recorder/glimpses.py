"""Who has seen which faces in what a rewind undoes."""

from domain.law.entries import tables, told
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.facts import FlowFact, Shown
from domain.table.redact import SPECTATOR
from domain.table.table import EVERYONE, CardId, Seat
from recorder.answers import Glimpse
from recorder.loading import Match


def glimpses(match: Match, undone: frozenset[int]) -> tuple[Glimpse, ...]:
    """Faces first seen in an undone entry, even if for a moment only; a line left before counts as seen."""
    eyes = {viewer: match.eyes(viewer) for viewer in (*match.opened.seats, SPECTATOR)}
    known: dict[Seat, set[CardId]] = {viewer: set() for viewer in eyes}
    seen: list[Glimpse] = []
    for number, entry, before, _after in tables(match.entries):
        new: dict[Seat, set[CardId]] = {viewer: set() for viewer in eyes}
        draft = Draft(before)
        for _, fact in told(entry):
            apply(draft, fact)
            if isinstance(fact, FlowFact):
                continue
            for viewer, looking in eyes.items():
                if isinstance(fact, Shown) and (viewer in fact.to or EVERYONE in fact.to):
                    new[viewer].update(fact.cards)
                unseen = draft.pieces.keys() - known[viewer] - new[viewer]
                new[viewer] |= {card for card in unseen if looking.knows(draft, card)}
        for viewer in eyes:
            if number in undone:
                seen += [Glimpse(viewer, card, number) for card in sorted(new[viewer] - known[viewer])]
            known[viewer] |= new[viewer]
    return tuple(seen)
