"""What was unknown then: a judge's eyes on a moment of a record of which something was learned later.

A face that a later entry told stands beside the card as it lay before, as far back as anybody can tell that it was this
one; the card itself stays unknown there. For every other viewer an earlier moment is what it was.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.law.entries import Entry, Rewound, entry_facts
from domain.table import facts as F
from domain.table.redact import TableViewer
from domain.table.table import CardId, Place
from projections.seen_facts import subjects


def after(eyes: TableViewer, number: int) -> TableViewer:
    """These eyes on the table after an entry. Those that were turned to a moment already stay with it."""
    if eyes.look_back is None:
        return eyes
    return replace(eyes, look_back=None, later=eyes.look_back(number))


def within(eyes: TableViewer, number: int, entry: Entry) -> TableViewer:
    """These eyes while the facts of an entry happen: on cards that are the same ones all the while."""
    if eyes.look_back is None:
        return eyes
    before, later = eyes.look_back(number - 1), eyes.look_back(number)
    until_here = {card: late for card, late in before.items() if late.entry == number}
    sure = {card: late for card, late in later.items() if before.get(card) == late or _stays_itself(eyes, entry, card)}
    return replace(eyes, look_back=None, later={**until_here, **sure})


def read_since(eyes: TableViewer, entries: Sequence[Entry]) -> int:
    """The last entry since which earlier ones read otherwise with these eyes; 0 where they always read the same."""
    if eyes.look_back is None:
        return 0
    numbers = range(len(entries), 0, -1)
    return next((number for number in numbers if tells(entries[number - 1])), 0)


def tells(entry: Entry) -> bool:
    """Does this entry tell what a card is that was unknown before, or take back that one did?"""
    return isinstance(entry, Rewound) or any(
        isinstance(fact, F.Learned | F.Identified) for _, fact in entry_facts(entry)
    )


def _stays_itself(eyes: TableViewer, entry: Entry, card: CardId) -> bool:
    """Is it the same card from where this entry first speaks of it to the end?

    Not if it is shuffled away afterwards, nor if others come to it where nobody can tell them apart, nor if it moves
    again: then it may have been taken from among others.
    """
    spoken_of, lies = False, ""
    for _, fact in entry_facts(entry):
        match fact:
            case F.Arranged(cards=cards, shuffled=True):
                if spoken_of and card in cards:
                    return False
                continue
            case F.Identified(faces=faces) if None in faces and spoken_of:
                return False
            case F.Moved(cards, to):
                if lies and (card in cards or (to == lies and _is_bag(eyes, to))):
                    return False
                lies = to if card in cards else lies
            case _:
                pass
        spoken_of = spoken_of or card in subjects(fact)
    return True


def _is_bag(eyes: TableViewer, place: Place) -> bool:
    area = eyes.physics.area(place)
    return area is not None and area.order == "bag"
