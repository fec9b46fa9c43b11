"""Plans for undo and redo without a judge: the entries affected, and obstacles that require a judge. A plan depends on
public information only: author and kind of entries, and whether a seat saw a card."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from domain.law import entries as E
from domain.law.disputes import Filed, Revealed
from domain.law.record import Record
from domain.law.slots import slots
from domain.law.timers import is_timer_note
from domain.law.unseen import seen_faces
from domain.table.table import CHANCE, JUDGE, Seat
from projections.knowledge import CardSighting, sights

Obstacle = Literal["", "nothing", "seat", "judged", "others", "chance", "learned"]
"""Reasons why a judge is required. `nothing`: there is nothing to undo. `seat`: the sender plays in the match.
`judged`: a judge has acted since. `others`: another person recorded an entry. `chance`: chance would be asked again.
`learned`: a seat saw a card since."""

JUDGE_ROLES: Final = ("floor", "head")
RECORDERS: Final = ("", "scorekeeper")
"""Roles whose actions count as the scorekeeper's own; "" is a command given at the store."""


class Undo(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An undo or a redo of a match with `head` entries. `to` is the entry to go back to. `undone` and `restored` are
    the entries that stop or start to count."""

    match: str
    head: int
    redo: bool = False
    to: int = 0
    undone: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()
    obstacle: Obstacle = ""

    @property
    def is_free(self) -> bool:
        return not self.obstacle


def has_undo(record: Record) -> bool:
    """True if an entry that counts was made by a person."""
    return any(_is_made_by_person(record, at) for at in E.line(record.entries)[1:])


def list_undoable_steps(record: Record) -> Iterator[tuple[int, int]]:
    """Yield the entries in force that people made, newest first, as (entry before, entry)."""
    acts = reversed([*pairwise(E.line(record.entries))])
    return ((before, at) for before, at in acts if _is_made_by_person(record, at))


def is_judge(by: str) -> bool:
    return by.partition(" ")[0] in (*JUDGE_ROLES, JUDGE)


def plan_undo(record: Record, match: str, by: str, roles: Mapping[int, str], entry: int = 0) -> Undo:
    """Plan to undo an entry and all later ones, or the last entry made by a person if `entry` is 0. `by` is the
    sender's name; `roles` gives the role that recorded each entry (`recorder.commands`)."""
    entries = record.entries
    to, at = next(((before, at) for before, at in list_undoable_steps(record) if entry in (0, at)), (0, 0))
    if not at:
        return Undo(match=match, head=len(entries), obstacle="nothing")
    undone = tuple(sorted({*E.line(entries)} - {*E.line(entries, to)}))
    none: Obstacle = ""
    obstacle = next(_obstacles(record, by, roles, undone, at), none)
    return Undo(match=match, head=len(entries), to=to, undone=undone, obstacle=obstacle)


def plan_redo(record: Record, match: str, by: str) -> Undo:
    """Plan to undo the last undo. Only entries besides play, such as notes, may have followed it."""
    entries, at = record.entries, len(record.entries)
    while isinstance(entries[at - 1], (E.Restored, *E.RECORD_ENTRIES)):
        at = E.predecessor(entries, at)
    undo = entries[at - 1]
    if not isinstance(undo, E.Rewound):
        return Undo(match=match, head=len(entries), redo=True, obstacle="nothing")
    to = at - 1
    restored = tuple(sorted({*E.line(entries, to)} - {*E.line(entries)}))
    judged = any(_is_judged(entry, by) for entry in entries[at - 1 :])
    obstacle: Obstacle = "judged" if judged else ""
    return Undo(match=match, head=len(entries), redo=True, to=to, restored=restored, obstacle=obstacle)


def _is_made_by_person(record: Record, number: int) -> bool:
    """True for a person's choice. In a dealt match the program answers for chance. With real cards the program records
    blind shuffles, and would do so again after an undo."""
    entry = record.entries[number - 1]
    if isinstance(entry, E.Played):
        by_program = not _is_real(record) or _is_blind_shuffle(record, entry)
        return entry.actor != CHANCE or entry.by_hand or not by_program
    return isinstance(entry, E.AnyByHand)


def _is_blind_shuffle(record: Record, entry: E.Played) -> bool:
    """True for a shuffle by chance that discloses neither the order nor a card."""
    if entry.actor != CHANCE or entry.by_hand:
        return False
    action = record.game.decoder().decode(entry.action)
    orders = [getattr(action, named.name) for named in slots(type(action)) if named.slot.kind == "order"]
    return bool(orders) and not any(orders) and not any(seen_faces(entry.told).values())


def _obstacles(
    record: Record, by: str, roles: Mapping[int, str], undone: tuple[int, ...], first: int
) -> Iterator[Obstacle]:
    entries = record.entries
    if any(_is_judged(entry, by) for entry in entries[first - 1 :]):
        yield "judged"
    for number in undone:
        entry, role = entries[number - 1], roles.get(number, "")
        if isinstance(entry, E.Played) and role in JUDGE_ROLES and not by.startswith(role):
            yield "judged"
        if isinstance(entry, E.Played) and role not in (*RECORDERS, *JUDGE_ROLES):
            yield "others"
    if not _is_real(record) and any(_is_drawn(entries[number - 1]) for number in undone):
        yield "chance"
    if sights(record, record.eyes(), undone) or any(_shows_unnamed(record, number) for number in undone):
        yield "learned"


def _is_drawn(entry: E.Entry) -> bool:
    return isinstance(entry, E.Played) and entry.actor == CHANCE and not entry.by_hand


def _shows_unnamed(record: Record, number: int) -> bool:
    """True if a real card whose face the log does not know came into a seat's view, such as a drawn card."""
    if not (_is_real(record) and isinstance(record.entries[number - 1], E.Played)):
        return False
    before, after = record.after(number - 1), record.after(number)
    unnamed = [card for card, piece in after.pieces.items() if piece.face is None and card in before.pieces]
    viewers = [record.eyes(seat) for seat in record.opening.seats]
    return any(eyes.knows(after, card) and not eyes.knows(before, card) for eyes in viewers for card in unnamed)


def _is_judged(entry: E.Entry, by: str) -> bool:
    match entry:
        case Revealed():
            return False
        case E.Corrected() | E.Gap() | E.Rewound():
            return entry.by != by
        case E.Noted():
            return not is_timer_note(entry.text) and entry.by != by and is_judge(entry.by)
        case _:
            return isinstance(entry, Filed)


def _is_real(record: Record) -> bool:
    """True for a match of real cards, in which people enter the outcomes of chance."""
    return isinstance(record.opening, E.Undealt)


class RewindPreview(Struct, frozen=True):
    """The entries that a rewind would undo and restore, and the cards seen in undone entries."""

    match: str
    viewer: Seat
    to: int
    undone: tuple[int, ...]
    restored: tuple[int, ...]
    learned: tuple[CardSighting, ...]


class PendingRewind(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The open request to go back; `entry` is 0 if there is none. `void` is True if the table has changed since."""

    match: str
    entry: int = 0
    to: int = 0
    by: str = ""
    at: int = 0
    reason: str = ""
    void: bool = False
