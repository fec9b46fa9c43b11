"""Building blocks of rules and cards: pages, life, ending points, draws and discards."""

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.rules import Rules
from domain.law.clause import Clause, Count, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts.places import at
from domain.table import facts as F
from domain.table.table import CardId, Place, Seat


def set_to(t: Live, seat: Seat, mark: str, to: int, because: Clause) -> None:
    if R.seat_mark(t, seat, mark) != to:
        t.tell(because, F.Marked(seat, mark, to))


@carries(C.PAGES, C.PAGE_CAP)
def gain_pages(rules: Rules, t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Gain pages up to the cap."""
    pages, most = R.seat_mark(t, seat, S.PAGES) + n, rules.page_cap
    if pages > most:
        note(t, C.PAGE_CAP, seat, Count(pages), Count(most))
    set_to(t, seat, S.PAGES, min(pages, most), because)


@carries(C.PAGE_FLOOR)
def lose_pages(rules: Rules, t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Lose or pay pages, at most all of them."""
    pages, least = R.seat_mark(t, seat, S.PAGES) - n, rules.page_floor
    if pages < least:
        note(t, C.PAGE_FLOOR, seat, Count(-pages))
    set_to(t, seat, S.PAGES, max(pages, least), because)


@carries(C.LIFE_CEILING)
def gain_life(t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Gain life up to the maximum."""
    life, most = R.seat_mark(t, seat, S.LIFE) + n, R.seat_mark(t, seat, S.MAX_LIFE)
    if life > most:
        note(t, C.LIFE_CEILING, seat, Count(life), Count(most))
    set_to(t, seat, S.LIFE, min(life, most), because)


@carries(C.LIFE_BELOW_ZERO, C.LIFE_LOSS_NO_DAMAGE)
def lose_life(t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Lose or pay life, which may fall below 0."""
    life = R.seat_mark(t, seat, S.LIFE) - n
    if life < 0:
        note(t, C.LIFE_BELOW_ZERO, seat, Count(-life))
    set_to(t, seat, S.LIFE, max(life, S.LIFE_LEAST), because)


@carries(C.EP_SOURCES)
def gain_ep(t: Live, seat: Seat, n: int, because: Clause) -> None:
    set_to(t, seat, S.EP, R.seat_mark(t, seat, S.EP) + n, because)


@carries(C.EP_BOUNDS)
def lose_ep(t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Lose ending points, at most all of them."""
    points = R.seat_mark(t, seat, S.EP) - n
    if points < 0:
        note(t, C.EP_BOUNDS, seat)
    set_to(t, seat, S.EP, max(0, points), because)


@carries(C.EMPTY_DECK)
def draw(rules: Rules, t: Live, seat: Seat, n: int, because: Clause) -> int:
    """Draw from the top of a deck. Return the number of missing cards."""
    top = R.deck(t, seat)[:n]
    if top:
        t.tell(because, F.Moved(top, at(seat, S.HAND)))
    if len(top) < n:
        note(t, C.EMPTY_DECK, seat)
    return n - len(top)


def to_sleeve(t: Live, cards: tuple[CardId, ...], because: Clause) -> None:
    """Move cards face up to their owners' sleeves, one by one."""
    for card in cards:
        t.tell(because, F.Moved((card,), at(t.pieces[card].owner, S.SLEEVE), up=True))


def go(t: Live, one: CardId, cell: Place, because: Clause) -> None:
    t.tell(because, F.Moved((one,), cell, up=True))


@carries(C.TOKEN_REMOVED)
def remove(t: Live, one: CardId, because: Clause) -> None:
    """Remove a character from the match, end its effects, and discard its equipment."""
    undress(t, one, because)
    thing = t.pieces[one].thing
    ending = tuple(
        effect.id for effect in t.effects if effect.on and all(on.card == one and on.thing == thing for on in effect.on)
    )
    if ending:
        t.tell(because, F.Ended(ending))
    t.tell(because, F.Removed((one,)))


@carries(C.TO_OWNERS_ZONE)
def undress(t: Live, one: CardId, because: Clause) -> None:
    worn = R.equipment(t, one)
    if worn is not None:
        to_sleeve(t, (worn,), because)
