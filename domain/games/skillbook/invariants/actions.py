"""What every action keeps: what it takes, and where it leads."""

from typing import Final

from domain.games.skillbook import actions as A, reading as R, schema as S
from domain.games.skillbook.invariants.printed import did
from domain.games.skillbook.rules import Rules
from domain.law.invariants import Deed, is_left_to_chance
from domain.table import facts as F
from domain.table.table import zone

BY_CHANCE: Final[dict[str, type[F.Fact]]] = {"shuffle_book": F.Arranged, "toss": F.Rolled}
"""The fact by which an outcome of chance is told."""
Begins = A.DeclareMove | A.ExploreInPlace | A.StartBattle


def a_unit_moves_and_fights_once(rules: Rules, deed: Deed[Begins]) -> bool:
    """In a turn, and moves not after it fought."""
    one, t = deed.action.unit, deed.before
    again = did(t, one, S.FOUGHT) or (isinstance(deed.action, A.DeclareMove) and did(t, one, S.MOVED))
    return not again and t.pieces[one].owner == deed.actor == t.clock.active


def a_use_takes_its_card(rules: Rules, deed: Deed[A.UseSkill]) -> bool:
    """Out of the hand or the table of who uses it, and what is paid out of the book."""
    t, one = deed.before, deed.action.card
    facts = [fact for _, fact in deed.told]
    used = any(isinstance(fact, F.Moved) and fact.cards == (one,) and fact.to == S.STACK for fact in facts)
    pushed = next(fact.frame for fact in facts if isinstance(fact, F.Pushed) and fact.frame.lane == "stack")
    milled = next((fact.cards for fact in facts if isinstance(fact, F.Moved) and zone(fact.to) == S.GRAVEYARD), ())
    top = R.book(t, deed.actor)[: R.cost_paid(pushed)]
    paid = not top or set(milled) == set(top)
    return used and paid and len(top) == R.cost_paid(pushed) and zone(t.pieces[one].place) in (S.HAND, S.TABLE)


def chance_is_asked_for_what_it_decides(rules: Rules, deed: Deed) -> bool:
    """Nothing is shuffled or tossed but by chance, and its outcome is what was told."""
    return is_left_to_chance(deed, BY_CHANCE)


def showing_a_graveyard_changes_nothing(rules: Rules, deed: Deed[A.ShowGraveyard]) -> bool:
    """But what is known."""
    return all(isinstance(fact, F.Shown) for _, fact in deed.told)
