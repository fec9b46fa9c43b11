"""The void: cards are sent there and come back."""

from domain.games.grimoire import clauses as C
from domain.games.grimoire import reading as R
from domain.games.grimoire.effects.leaving import depart
from domain.games.grimoire.effects.moves import base_mark, expel, lasting
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import BASE, VOID
from domain.games.grimoire.values import still
from domain.law.clause import carries
from domain.law.live import Live
from domain.table import facts as F
from domain.table.table import CardId, Effect, Frame


@carries(C.SOURCE_GONE_NO_START)
def banish(rules: Rules, t: Live, effect: Frame, cards: tuple[CardId, ...], until: str) -> None:
    """Spells go to the void, and their sender remembers them."""
    if until == "source_leaves" and not still(t, R.source_of(effect)):
        return
    going = tuple(R.by_turn(t, tuple(card for card in cards if R.on_field(t, card))))
    held = {card: R.controller(t, card) for card in going}
    depart(rules, t, going, VOID, C.VOID)
    for card in going:
        if t.pieces[card].place == R.VOID_PLACE:
            lasting(t, C.VOID_MEMORY, effect, VOID, (card,), until, seats=(held[card],))


@carries(C.MEMORY_OUTLIVES)
def come_back(rules: Rules, t: Live, effect: Frame) -> None:
    """What the sender remembered comes back, if it still lies in the void."""
    for void in t.effects:
        if void.kind == VOID and void.id == R.remembered_by(effect):
            bring_back(rules, t, void)
            return


@carries(C.OTHER_ENTRY_NO_CAST)
def bring_back(rules: Rules, t: Live, void: Effect) -> None:
    """A card comes back from the void: a new spell, extended, of whoever controlled it when it left."""
    t.tell(C.TEMPORARY_VOID, F.Ended((void.id,)))
    (was,) = void.on
    piece = t.pieces.get(was.card)
    if piece is None or piece.thing != was.thing:
        return
    seat = piece.owner if R.is_out(t, R.seat_of(void)) else R.seat_of(void)
    if R.is_out(t, seat) or R.is_out(t, piece.owner):
        expel(rules, t, (was.card,))
        return
    t.tell(C.VOID_RETURN, F.Moved((was.card,), R.FIELD_PLACE, up=True))
    if seat != piece.owner:
        t.tell(C.VOID_RETURN, F.Controlled((was.card,), seat))
        t.tell(C.VOID_RETURN, F.Marked((was.card,), BASE, base_mark(t, was.card, seat)))
