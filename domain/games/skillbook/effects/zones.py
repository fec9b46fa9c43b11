"""Cards between zones: paid for, drawn, buried together, recalled, put away."""

from collections.abc import Iterable

from domain.games.skillbook import clauses as C, reading as R, schema as S
from domain.games.skillbook.effects.queueing import queue_milled
from domain.games.skillbook.rules import Rules
from domain.law.clause import Clause, carries
from domain.law.live import Live
from domain.parts.asking import ask
from domain.parts.places import at
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Clock, Seat, Table


def clock_at(t: Table, phase: str, step: str, *awaited: Seat, passed: tuple[Seat, ...] = ()) -> F.Clocked:
    """The clock of the running turn at another step."""
    clock = t.clock
    return F.Clocked(Clock(clock.turn, clock.active, clock.first, phase, step, awaited, passed))


@carries(C.COST_COUNTED_FACE_DOWN, C.GRAVEYARD_ORDER)
def mill(rules: Rules, t: Live, seat: Seat, n: int, because: Clause) -> None:
    """Cards from the top of a book to the graveyard, as many as there are; the last one milled lies on top."""
    milled = R.book(t, seat)[:n]
    if not milled:
        return
    order = milled[::-1] if rules.first_milled_on_top else milled
    t.tell(because, F.Moved(order, at(seat, S.GRAVEYARD), up=True))
    queue_milled(rules, t, milled)


def draw(rules: Rules, t: Live, seat: Seat, n: int, because: Clause) -> int:
    """Cards from the top of a book wait to be placed; returns how many could not be drawn."""
    drawn = R.book(t, seat)[:n]
    if drawn:
        t.tell(because, F.Moved(drawn, at(seat, S.DRAWN)))
    return n - len(drawn)


def bury(t: Live, cards: Iterable[CardId], because: Clause) -> None:
    """Cards reach the graveyards of their owners together; where several do, the owner puts them in order."""
    by_owner: dict[Seat, tuple[CardId, ...]] = {}
    for card in cards:
        seat = t.pieces[card].owner
        by_owner[seat] = (*by_owner.get(seat, ()), card)
    for seat in R.from_turn_player(t):
        buried = by_owner.get(seat, ())
        if buried:
            t.tell(because, F.Moved(buried, at(seat, S.GRAVEYARD), up=True))
    for seat in R.from_turn_player(t):
        buried = by_owner.get(seat, ())
        if len(buried) > 1:
            ask(t, C.GRAVEYARD_ORDER, "order_graveyard", seat, cards=buried)


@carries(C.TOKENS_REMOVED, C.RECALL, C.HEROES_NOT_RECALLED)
def recall(rules: Rules, t: Live, units: Iterable[CardId], because: Clause) -> None:
    """Units go back to their owners, who place them; tokens leave the match, heroes stay."""
    cards = [one for one in units if R.is_unit(t, one) and not R.is_hero(rules, t, one)]
    tokens = tuple(one for one in cards if R.is_token(rules, t, one))
    leave_effects(t, cards, because)
    if tokens:
        t.tell(C.TOKENS_REMOVED, F.Removed(tokens))
    for seat in R.from_turn_player(t):
        mine = tuple(one for one in cards if one not in tokens and R.owner(t, one) == seat)
        if mine:
            t.tell(because, F.Moved(mine, at(seat, S.DRAWN), up=True))
            t.tell(because, F.Shown(mine, (EVERYONE,), lasting=True))
            t.tell(because, F.Marked(mine, S.RECALLED, 1))


def leave_effects(t: Live, cards: Iterable[CardId], because: Clause) -> None:
    """What lasts on units that leave the board ends with them."""
    gone = frozenset(cards)
    ending = tuple(effect.id for effect in t.effects if effect.on and all(on.card in gone for on in effect.on))
    if ending:
        t.tell(because, F.Ended(ending))


def remove(t: Live, cards: tuple[CardId, ...], because: Clause, *, up: bool) -> None:
    """Cards are removed from the game: face up by a card's text, face down by charging."""
    for card in cards:
        t.tell(because, F.Moved((card,), at(t.pieces[card].owner, S.REMOVED), up=up))
