"""Invariants of single facts. `t` is the table before the fact."""

from typing import Final

from domain.games.blackpoker import clauses as C
from domain.games.blackpoker.invariants.tables import row
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import LIFE
from domain.games.blackpoker.table_queries import SEATS, opponent
from domain.law.clause import Clause
from domain.table import facts as F
from domain.table.table import Table

SPENDS_LIFE: Final = frozenset((
    C.OPENING_HAND, C.PRESET_BULWARK, C.PRESET_SOLDIER, C.PRESET_RETRIED, C.TURNED_UP_TO_GRAVE, C.FIRST_PLAYER_DRAWS,
    C.COST_LIFE, C.DRAW_FIRST, C.DRAW_SECOND, C.UNBLOCKED_DAMAGE, C.GENERATION_FOUND, C.GENERATION_NOT_FOUND,
    C.SEARCH_FINDS, C.THROWING_DAMAGE,
))  # fmt: skip
"""Clauses that spend life: set-up, costs, draw, damage, mill, Search."""
IN_COMBAT: Final = frozenset((C.SMALLER_DIES, C.EQUAL_DIE, C.BLOCKERS_ADD_UP, C.STEPS_TOGETHER))
"""Clauses of combat. They deal damage too if the rules let the larger side fall."""


def life_only_shrinks(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """True if the fact moves no card into a life."""
    return not fact.to.endswith("." + LIFE)


def life_is_spent_by_known_events(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """True if a card that leaves a life does so under a clause of `SPENDS_LIFE`."""
    if not any(t.pieces[card].place.endswith("." + LIFE) for card in fact.cards):
        return True
    return clause in SPENDS_LIFE or (not rules.judge_smaller_dies and clause in IN_COMBAT)


def turns_alternate(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """True if the turn passes to the other player."""
    if fact.clock.turn == t.clock.turn or not t.clock.turn:
        return True
    return fact.clock.turn == t.clock.turn + 1 and fact.clock.active == opponent(t.clock.active or SEATS[0])


def the_loser_has_no_life(rules: Rules, t: Table, clause: Clause, fact: F.Finished) -> bool:
    """True if there is one winner, and a loser by life has no life left.

    The turn player never wins with an empty life. In a draw both lives are empty.
    """
    if not fact.result.winners:
        return rules.winner_both_zero == "draw" and not any(row(t, seat, LIFE) for seat in SEATS)
    winner = fact.result.winners[0]
    if len(fact.result.winners) > 1 or fact.result.reason != "life":
        return len(fact.result.winners) == 1
    return not row(t, opponent(winner), LIFE) and bool(row(t, winner, LIFE) or winner != t.clock.active)


def nothing_is_begun_after_the_end(rules: Rules, t: Table, clause: Clause, fact: F.Pushed) -> bool:
    """True if no request is pushed after the result."""
    return t.result is None


def what_is_out_of_reach_never_happens(rules: Rules, t: Table, clause: Clause, fact: F.Pushed | F.Popped) -> bool:
    """True if no player orders triggers and no request is discarded. Both happen only in other formats."""
    return fact.frame.kind != "order_triggers" if isinstance(fact, F.Pushed) else fact.how != "discarded"
