"""A judge's view of an earlier moment, with faces that were disclosed later.

A later face is shown next to the card, as far back as the card is certainly the same. The card itself stays unknown
there. Other viewers see the moment unchanged.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.law.entries import Entry, Rewound, entry_facts
from domain.table import facts as F
from domain.table.redact import TableViewer
from domain.table.table import CardId, Place
from projections.seen_facts import subjects


def after(eyes: TableViewer, number: int) -> TableViewer:
    """Return the viewer for the table after an entry. A viewer already set to a moment is unchanged."""
    if eyes.look_back is None:
        return eyes
    return replace(eyes, look_back=None, later=eyes.look_back(number))


def within(eyes: TableViewer, number: int, entry: Entry) -> TableViewer:
    """Return the viewer for the facts of an entry. It knows only cards that stay the same throughout."""
    if eyes.look_back is None:
        return eyes
    before, later = eyes.look_back(number - 1), eyes.look_back(number)
    until_here = {card: late for card, late in before.items() if late.entry == number}
    sure = {card: late for card, late in later.items() if before.get(card) == late or _stays_itself(eyes, entry, card)}
    return replace(eyes, look_back=None, later={**until_here, **sure})


def find_last_disclosure(eyes: TableViewer, entries: Sequence[Entry]) -> int:
    """Return the last entry that changed this viewer's view of earlier ones; 0 if none did."""
    if eyes.look_back is None:
        return 0
    numbers = range(len(entries), 0, -1)
    return next((number for number in numbers if discloses_face(entries[number - 1])), 0)


def discloses_face(entry: Entry) -> bool:
    """True if an entry discloses the face of an unknown card, or undoes that."""
    return isinstance(entry, Rewound) or any(
        isinstance(fact, F.Learned | F.Identified) for _, fact in entry_facts(entry)
    )


def _stays_itself(eyes: TableViewer, entry: Entry, card: CardId) -> bool:
    """True if a card is certainly the same from its first mention in an entry to the end. It is not if it is shuffled
    away later, joined by others in a bag, or moved again."""
    is_mentioned, place = False, ""
    for _, fact in entry_facts(entry):
        match fact:
            case F.Arranged(cards=cards, shuffled=True):
                if is_mentioned and card in cards:
                    return False
                continue
            case F.Identified(faces=faces) if None in faces and is_mentioned:
                return False
            case F.Moved(cards, to):
                if place and (card in cards or (to == place and _is_bag(eyes, to))):
                    return False
                place = to if card in cards else place
            case _:
                pass
        is_mentioned = is_mentioned or card in subjects(fact)
    return True


def _is_bag(eyes: TableViewer, place: Place) -> bool:
    area = eyes.physics.area(place)
    return area is not None and area.order == "bag"
