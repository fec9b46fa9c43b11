"""Building blocks of rules and cards: pages, life, ending points, draws and discards."""

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.rules import Rules
from domain.law.clause import Clause, Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CardId, Place, Seat


def set_mark(t: LiveTable, seat: Seat, mark: str, value: int, clause: Clause) -> None:
    if R.seat_mark(t, seat, mark) != value:
        t.emit(clause, F.Marked(seat, mark, value))


@implements(C.PAGES, C.PAGE_CAP)
def gain_pages(rules: Rules, t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    """Gain pages up to the cap."""
    pages, most = R.seat_mark(t, seat, S.PAGES) + n, rules.page_cap
    if pages > most:
        note(t, C.PAGE_CAP, seat, Count(pages), Count(most))
    set_mark(t, seat, S.PAGES, min(pages, most), clause)


@implements(C.PAGE_FLOOR)
def lose_pages(rules: Rules, t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    """Lose or pay pages, at most all of them."""
    pages, least = R.seat_mark(t, seat, S.PAGES) - n, rules.page_floor
    if pages < least:
        note(t, C.PAGE_FLOOR, seat, Count(-pages))
    set_mark(t, seat, S.PAGES, max(pages, least), clause)


@implements(C.LIFE_CEILING)
def gain_life(t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    """Gain life up to the maximum."""
    life, most = R.seat_mark(t, seat, S.LIFE) + n, R.seat_mark(t, seat, S.MAX_LIFE)
    if life > most:
        note(t, C.LIFE_CEILING, seat, Count(life), Count(most))
    set_mark(t, seat, S.LIFE, min(life, most), clause)


@implements(C.LIFE_BELOW_ZERO, C.LIFE_LOSS_NO_DAMAGE)
def lose_life(t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    """Lose or pay life, which may fall below 0."""
    life = R.seat_mark(t, seat, S.LIFE) - n
    if life < 0:
        note(t, C.LIFE_BELOW_ZERO, seat, Count(-life))
    set_mark(t, seat, S.LIFE, max(life, S.LIFE_LEAST), clause)


@implements(C.EP_SOURCES)
def gain_ep(t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    set_mark(t, seat, S.EP, R.seat_mark(t, seat, S.EP) + n, clause)


@implements(C.EP_BOUNDS)
def lose_ep(t: LiveTable, seat: Seat, n: int, clause: Clause) -> None:
    """Lose ending points, at most all of them."""
    points = R.seat_mark(t, seat, S.EP) - n
    if points < 0:
        note(t, C.EP_BOUNDS, seat)
    set_mark(t, seat, S.EP, max(0, points), clause)


@implements(C.EMPTY_DECK)
def draw(rules: Rules, t: LiveTable, seat: Seat, n: int, clause: Clause) -> int:
    """Draw from the top of a deck. Return the number of missing cards."""
    top = R.deck(t, seat)[:n]
    if top:
        t.emit(clause, F.Moved(top, place_in(seat, S.HAND)))
    if len(top) < n:
        note(t, C.EMPTY_DECK, seat)
    return n - len(top)


def move_to_sleeve(t: LiveTable, cards: tuple[CardId, ...], clause: Clause) -> None:
    """Move cards face up to their owners' sleeves, one by one."""
    for card in cards:
        t.emit(clause, F.Moved((card,), place_in(t.pieces[card].owner, S.SLEEVE), up=True))


def move_character(t: LiveTable, character: CardId, cell: Place, clause: Clause) -> None:
    t.emit(clause, F.Moved((character,), cell, up=True))


@implements(C.TOKEN_REMOVED)
def remove(t: LiveTable, character: CardId, clause: Clause) -> None:
    """Remove a character from the match, end its effects, and discard its equipment."""
    discard_equipment(t, character, clause)
    thing = t.pieces[character].thing
    effects = tuple(
        effect.id
        for effect in t.effects
        if effect.on and all(on.card == character and on.thing == thing for on in effect.on)
    )
    if effects:
        t.emit(clause, F.Ended(effects))
    t.emit(clause, F.Removed((character,)))


@implements(C.TO_OWNERS_ZONE)
def discard_equipment(t: LiveTable, character: CardId, clause: Clause) -> None:
    worn = R.equipment(t, character)
    if worn is not None:
        move_to_sleeve(t, (worn,), clause)
