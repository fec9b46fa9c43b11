"""What every action keeps: what it takes, and where it leads."""

from typing import Final

from domain.games.dea import reading as R, schema as S
from domain.games.dea.actions import Attack, Declared, GiveTitle, Move
from domain.games.dea.cards import card
from domain.games.dea.invariants.printed import moves, reach, readable
from domain.games.dea.rules import Rules
from domain.law.invariants import Deed, is_left_to_chance
from domain.table import facts as F
from domain.table.table import Frame

BY_CHANCE: Final[dict[str, type[F.Fact]]] = {
    "first_player": F.Rolled,
    "shuffle": F.Arranged,
    "random_discard": F.Moved,
    "tie_break": F.Rolled,
}
"""The fact by which an outcome of chance is told."""


def a_move_was_left(rules: Rules, deed: Deed[Move | Attack]) -> bool:
    """An attack takes the move of the turn too, unless the rules keep them apart; each character attacks so often."""
    one, t = deed.action.character, deed.before
    attacks = isinstance(deed.action, Attack)
    if attacks and R.mark(t, one, S.ATTACKS_USED) >= rules.attacks_per_character:
        return False
    if not readable(rules.cards) or (attacks and rules.attack_uses_move != "yes"):
        return True
    return R.mark(t, one, S.MOVES_USED) < moves(rules, t, one)


def a_move_follows_its_type(rules: Rules, deed: Deed[Move | Attack]) -> bool:
    """By one of its steps, into an empty cell or onto an enemy."""
    t, one = deed.before, deed.action.character
    here, to = R.at(t.pieces[one].place), R.at(deed.action.cell)
    if here is None or to is None or deed.action.cell not in R.cells(rules.size):
        return False
    there = [t.pieces[other].owner for other in t.places.get(deed.action.cell, ())]
    fits = bool(there) == isinstance(deed.action, Attack) and deed.actor not in there
    if not fits or not readable(rules.cards):
        return fits
    return (to.column - here.column, to.row - here.row) in reach(rules, t, one)


def what_is_paid_is_gone(rules: Rules, deed: Deed[Declared | Attack]) -> bool:
    """As many pages as a declaration takes, and of life what its text says; for a gimmick what is printed on it."""
    t = deed.before
    left = {S.PAGES: R.has(t, deed.actor, S.PAGES), S.LIFE: R.has(t, deed.actor, S.LIFE)}
    had = dict(left)
    for _, fact in deed.told:
        if isinstance(fact, F.Marked) and fact.on == deed.actor and fact.name in left:
            left[fact.name] = fact.to
        if isinstance(fact, F.Pushed) and fact.frame.lane == "stack":
            paid = {S.PAGES: R.pages_paid(fact.frame), S.LIFE: R.life_paid(fact.frame)}
            gone = {mark: had[mark] - left[mark] for mark in left}
            return gone == paid and _is_printed(rules, fact.frame, paid[S.PAGES])
    return True


def _is_printed(rules: Rules, item: Frame, pages: int) -> bool:
    return item.kind not in ("event", "equipment") or pages == card(rules.cards, item.face).pages


def chance_is_asked_for_what_it_decides(rules: Rules, deed: Deed) -> bool:
    """Nothing is shuffled or drawn by lot but by chance, and its outcome is what was told."""
    return is_left_to_chance(deed, BY_CHANCE)


def a_match_ends_with_a_title_at_most(rules: Rules, deed: Deed) -> bool:
    """By its winner, once; a draw has none."""
    result = deed.before.result
    if result is None:
        return not isinstance(deed.action, GiveTitle)
    return isinstance(deed.action, GiveTitle) and deed.actor in result.winners and not deed.before.marks.get(S.TITLED)


def a_failed_item_changed_nothing(rules: Rules, deed: Deed) -> bool:
    """From being taken up to failing: questions apart only the point for an opened foreshadow, where it comes late."""
    facts = [fact for _, fact in deed.told]
    taken: dict[int, int] = {}
    for place, fact in enumerate(facts):
        if isinstance(fact, F.Altered) and fact.lane == "running":
            taken[fact.id] = place
        if not isinstance(fact, F.Popped) or fact.how not in ("failed", "condition"):
            continue
        if not all(_is_bookkeeping(rules, said) for said in facts[taken.get(fact.id, 0) : place]):
            return False
    return True


def _is_bookkeeping(rules: Rules, fact: F.AnyFact) -> bool:
    if isinstance(fact, F.Popped):
        return fact.how == "answered"
    point = rules.foreshadow_ep_timing == "resolve" and isinstance(fact, F.Marked) and fact.name == S.EP
    return point or isinstance(fact, F.Altered) or (isinstance(fact, F.Pushed) and fact.frame.lane == "asked")
