"""Applying a game's law to a table: deciding actions, explaining refusals, carrying out actions as played."""

from collections.abc import Mapping

from domain.law.asking import StrictLiveTable
from domain.law.clause import CitedFacts, Clause, ClauseCheck, Refusal
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.law.outcome import Accepted, Outcome, UnknownFaceError
from domain.law.slots import Action, misplaced_cards
from domain.table.facts import Popped
from domain.table.table import CardId, Seat, Table, blank

Asking = bool | Mapping[CardId, str]
"""True if reading an unknown face raises UnknownFaceError, as it does with the areas that unseen cards went to."""


def decide(law: Law, table: Table, actor: Seat, action: Action, *, asking: Asking = False) -> Outcome:
    """Return the refusal of an action, or its facts and the table after them. With `asking`, reading an unknown face
    raises UnknownFaceError. Without it, an unknown face reads as no face."""
    for check in law.checks(StrictLiveTable(table) if asking is not False else table, actor, action):
        if not check[1]:
            return _refuse(law, table, actor, action, check[0])
    live = _make_live(table, asking)
    carry_out(law, live, actor, action)
    return Accepted(live.facts, live.freeze())


def _make_live(table: Table, asking: Asking) -> LiveTable:
    if asking is False:
        return LiveTable(table)
    return StrictLiveTable(table, None if asking is True else asking)


def carry_out(law: Law, live: LiveTable, actor: Seat, action: Action) -> None:
    """Carry out an action that is known to be allowed."""
    game, rules = law.game, law.rules
    game.carry_out(rules, live, actor, action)
    game.settle(rules, live)


def decide_as_played(
    law: Law, table: Table, actor: Seat, action: Action, *, asking: Asking = False, skips: bool = False
) -> Outcome:
    """Carry out an action that was played, allowed or not, and name every clause that it broke.

    Open questions stay open, and so does another seat's window. The action is refused only if something it names is
    not in its place, or if the actor is not a seat. Then facts are entered by hand. `skips` selects the meaning of
    older records, which skips open questions (ADR 54).
    """
    broken = [
        step
        for step in consult_clauses(law, StrictLiveTable(table) if asking is not False else table, actor, action)
        if not step.holds
    ]
    kinds = {step.clause: law.game.rulebook.clauses[step.clause].kind for step in broken}
    if not broken:
        return decide(law, table, actor, action, asking=asking)
    if actor not in table.seats or misplaced_cards(table, actor, action) or "physical" in kinds.values():
        first = next((step.clause for step in broken if kinds[step.clause] == "physical"), broken[0].clause)
        return _refuse(law, table, actor, action, first, by_hand=True)
    live = _make_live(table, asking)
    carry_out_as_played(law, live, actor, action, skips=skips)
    return Accepted(live.facts, live.freeze(), tuple(dict.fromkeys(step.clause for step in broken)))


def carry_out_as_played(law: Law, live: LiveTable, actor: Seat, action: Action, *, skips: bool = False) -> None:
    """Carry out an action that breaks a clause, in the present or the older meaning."""
    interrupt = law.game.interrupt
    if skips or interrupt is None:
        law.resume(live, actor, action)
        carry_out(law, live, actor, action)
    else:
        interrupt(law.rules, live, actor, action)
        law.settle(live)


def skips_questions(law: Law, table: Table, actor: Seat, action: Action, told: CitedFacts) -> bool:
    """True if recorded facts have the older meaning of an action as played, which skipped open questions. If the facts
    do not show it, the law decides, unless it needs an unknown face."""
    try:
        present = decide_as_played(law, table, actor, action, asking=True)
        if isinstance(present, Refusal) or present.told == told:
            return False
        if skips_a_question(told):
            return True
        older = decide_as_played(law, table, actor, action, asking=True, skips=True)
    except UnknownFaceError:
        return skips_a_question(told)
    return isinstance(older, Accepted) and older.told == told


def skips_a_question(told: CitedFacts) -> bool:
    return any(isinstance(fact, Popped) and fact.how == "skipped" for _, fact in told)


def consult_clauses(law: Law, table: Table, actor: Seat, action: Action) -> tuple[ClauseCheck, ...]:
    """Return every clause checked for an action, including failures and the checks after them."""
    return tuple(ClauseCheck(clause, holds, tuple(about)) for clause, holds, *about in law.checks(table, actor, action))


def set_up(
    law: Law, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]
) -> tuple[Accepted, None] | tuple[None, tuple[Seat, Refusal]]:
    """Return the facts of the set-up, or the seat whose deck is illegal and its refusal."""
    for seat, deck in decks.items():
        consulted: list[ClauseCheck] = []
        for clause, holds, *about in law.deck_checks(seat, deck):
            consulted.append(ClauseCheck(clause, holds, tuple(about)))
            if not holds:
                return None, (seat, Refusal(clause, tuple(consulted)))
    live = LiveTable(blank(tuple(decks)))
    law.set_up(live, decks, cards)
    law.settle(live)
    return Accepted(live.facts, live.freeze()), None


def _refuse(law: Law, table: Table, actor: Seat, action: Action, clause: Clause, by_hand: bool = False) -> Refusal:
    steps = consult_clauses(law, table, actor, action)
    upto = next(at for at, step in enumerate(steps) if step.clause == clause and not step.holds)
    return Refusal(clause, steps[: upto + 1], by_hand)


def accepts(law: Law, table: Table, actor: Seat, action: Action) -> bool:
    for check in law.game.checks(law.rules, table, actor, action):  # noqa: SIM110 (a generator around them is a quarter slower)
        if not check[1]:
            return False
    return True
