"""What a correction by hand leaves behind: an effect that goes on with the numbers of a card that was another."""

from domain.law.clause import Told
from domain.table.facts import Moved
from domain.table.table import CardId, Effect, Table, same
from domain.words import Text


def left_at_odds(before: Table, told: Told, after: Table) -> Text | None:
    """Which effect speaks of another card now than the one that lies there; None if none does.

    An effect that the same correction adjusted or ended has been set right.
    """
    kept = {effect.id: effect.numbers for effect in after.effects}
    for effect in before.effects:
        if effect.numbers and kept.get(effect.id) == effect.numbers and same(before, effect.source):
            now = _instead(before, told, after, effect)
            if now is not None:
                was = before.pieces[effect.source.card].face
                there = after.pieces[now].face
                numbers = ", ".join(f"{number:+d}" for number in effect.numbers)
                return Text("audit.at_odds", {"numbers": numbers, "was": was or "?", "now": there or "?"})
    return None


def _instead(before: Table, told: Told, after: Table, effect: Effect) -> CardId | None:
    """The card that is there by this correction in place of the one an effect comes from."""
    card = effect.source.card
    place, face = before.pieces[card].place, before.pieces[card].face
    if same(after, effect.source):
        return card if face is not None and after.pieces[card].face != face else None
    moved = (other for _, fact in told if isinstance(fact, Moved) and fact.to == place for other in fact.cards)
    return next((other for other in moved if other != card and other in after.pieces), None)
