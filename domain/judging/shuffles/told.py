"""Every shuffle that a record tells: how the cards lay before it, and how after it."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.law.entries import Entry, Played, Undealt, is_inherited, opened_of, tables, told
from domain.law.game import Game
from domain.law.slots import Action
from domain.law.unseen import shuffles_unseen
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.table import CHANCE, CardId, Place, Table

OPENING: Final = 0
"""The turn of the shuffles that a match begins with: the first of each pile, before a seat acts behind them."""
LATER: Final = 4
"""How many shuffles after those are tested. Whether there is one more depends on how the earlier ones came out, so each
number is tested by itself: whatever led to it, that shuffle is then as open as ever."""
LEAST: Final = 2
"""A pile of fewer cards has one order only."""
MOST: Final = 256
"""Shuffles of piles of more cards are not tested: no deck has so many, and their counts would fill the memory."""


class Shuffle(Struct, frozen=True):
    """One shuffle. `turn` is 0 for those a match begins with, else its number in the match after them, undone or not.

    `to` says of each card, in the order in which they lay before, where it lies after, from 0; in a first shuffle they
    lay in the order of the deck's list.
    """

    turn: int
    pile: str
    to: tuple[int, ...]


class Told(Struct, frozen=True):
    """The shuffles of one record; and how many it holds of which nobody knows how the cards lie after them."""

    shuffles: tuple[Shuffle, ...]
    unseen: int = 0


def shuffles(game: Game, entries: Sequence[Entry]) -> Told:
    """What a record tells of its own shuffles. Those of the match a branch begins in belong to that one."""
    opened, decoder = opened_of(entries), game.decoder()
    seen: list[Shuffle] = []
    shuffled: set[Place] = set()
    opening, later, unseen = True, 0, 0
    for number, entry, before, _ in tables(entries):
        if isinstance(entry, Played) and entry.actor != CHANCE and shuffled:
            opening = False
        own = [both for both in _shuffles(before, entry) if len(both[1].cards) >= LEAST]
        hidden = isinstance(opened, Undealt) or (bool(own) and _hidden(decoder, before, entry))
        for row, fact in own:
            turn = OPENING if opening and fact.place not in shuffled else (later := later + 1)
            shuffled.add(fact.place)
            if is_inherited(opened, number):
                continue
            if hidden:
                unseen += 1
                continue
            where = {card: at for at, card in enumerate(fact.cards)}
            seen.append(Shuffle(turn, fact.place, tuple([where[card] for card in row])))
    return Told(tuple(seen), unseen)


def _shuffles(before: Table, entry: Entry) -> Iterator[tuple[tuple[CardId, ...], F.Arranged]]:
    """The shuffles of an entry, each with the row as it lay."""
    facts = told(entry)
    if not any(type(fact) is F.Arranged and fact.shuffled for _, fact in facts):
        return
    draft = Draft(before)
    for _, fact in facts:
        if type(fact) is F.Arranged and fact.shuffled:
            row = draft.places.get(fact.place, ())
            if sorted(row) == sorted(fact.cards):
                yield row, fact
        apply(draft, fact)


def _hidden(decoder: "msgspec.msgpack.Decoder[Action]", before: Table, entry: Entry) -> bool:
    """Did somebody shuffle, and nobody saw how the cards lie?"""
    if not isinstance(entry, Played):
        return False
    try:
        return shuffles_unseen(before, entry.actor, decoder.decode(entry.action))
    except msgspec.DecodeError:
        return False
