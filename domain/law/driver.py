"""Applies a game's law to a table: decides an action, explains a refusal, carries out what was played all the same."""

from collections.abc import Mapping

from domain.law.asking import Asking
from domain.law.clause import Clause, Consulted, Refusal, Told
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.live import Live
from domain.law.outcome import Accepted, Outcome, UnknownFaceError
from domain.law.slots import Action, misplaced
from domain.table.facts import Popped
from domain.table.table import CardId, Seat, Table, blank


def decide(law: Law, table: Table, actor: Seat, action: Action, *, asking: bool = False) -> Outcome:
    """Is the action allowed, and what follows from it?

    With `asking` an unknown face that the law reads raises FaceAsked; without, it is as good as none.
    """
    for check in law.checks(Asking(table) if asking else table, actor, action):
        if not check[1]:
            return _refuse(law, table, actor, action, check[0])
    live = Asking(table) if asking else Live(table)
    carry_out(law, live, actor, action)
    return Accepted(live.facts, live.freeze())


def carry_out(law: Law, live: Live, actor: Seat, action: Action) -> None:
    """Let happen what follows from an action that is known to be allowed."""
    game, rules = law.game, law.rules
    game.carry_out(rules, live, actor, action)
    game.settle(rules, live)


def decide_as_played(
    law: Law, table: Table, actor: Seat, action: Action, *, asking: bool = False, skips: bool = False
) -> Outcome:
    """Carry out what was done at the table whether or not it was allowed, and name every clause it broke.

    What is asked stays asked, and a window of somebody else stays open. Refused only if what the action names is not
    there: then facts are entered by hand. `skips` is the earlier meaning, which records may hold (ADR 54).
    """
    broken = [step for step in trail(law, Asking(table) if asking else table, actor, action) if not step.holds]
    kinds = {step.clause: law.game.rulebook.clauses[step.clause].kind for step in broken}
    if not broken:
        return decide(law, table, actor, action, asking=asking)
    if actor not in table.seats or misplaced(table, actor, action) or "physical" in kinds.values():
        first = next((step.clause for step in broken if kinds[step.clause] == "physical"), broken[0].clause)
        return _refuse(law, table, actor, action, first, by_hand=True)
    live = Asking(table) if asking else Live(table)
    carry_out_as_played(law, live, actor, action, skips=skips)
    return Accepted(live.facts, live.freeze(), tuple(dict.fromkeys(step.clause for step in broken)))


def carry_out_as_played(law: Law, live: Live, actor: Seat, action: Action, *, skips: bool = False) -> None:
    """Let happen what follows from an action that breaks a clause, in the present or in the earlier meaning."""
    interrupt = law.game.interrupt
    if skips or interrupt is None:
        law.resume(live, actor, action)
        carry_out(law, live, actor, action)
    else:
        interrupt(law.rules, live, actor, action)
        law.settle(live)


def skips_questions(law: Law, table: Table, actor: Seat, action: Action, told: Told) -> bool:
    """True if recorded facts have the earlier meaning of an action as played, in which it skipped what was open.

    The facts say so themselves where they skip a question. Where they close a window, the law says it, unless that
    hangs on a face that nobody saw.
    """
    try:
        now = decide_as_played(law, table, actor, action, asking=True)
        if isinstance(now, Refusal) or now.told == told:
            return False
        if skips_a_question(told):
            return True
        then = decide_as_played(law, table, actor, action, asking=True, skips=True)
    except UnknownFaceError:
        return skips_a_question(told)
    return isinstance(then, Accepted) and then.told == told


def skips_a_question(told: Told) -> bool:
    """True if these facts skip a question."""
    return any(isinstance(fact, Popped) and fact.how == "skipped" for _, fact in told)


def trail(law: Law, table: Table, actor: Seat, action: Action) -> tuple[Consulted, ...]:
    """Every clause looked at for this action, the failing ones and those after them too."""
    return tuple(Consulted(clause, holds, tuple(about)) for clause, holds, *about in law.checks(table, actor, action))


def set_up(
    law: Law, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]
) -> tuple[Accepted, None] | tuple[None, tuple[Seat, Refusal]]:
    """The facts before the first action, or the seat whose deck does not fit and why."""
    for seat, deck in decks.items():
        consulted: list[Consulted] = []
        for clause, holds, *about in law.deck_checks(seat, deck):
            consulted.append(Consulted(clause, holds, tuple(about)))
            if not holds:
                return None, (seat, Refusal(clause, tuple(consulted)))
    live = Live(blank(tuple(decks)))
    law.set_up(live, decks, cards)
    law.settle(live)
    return Accepted(live.facts, live.freeze()), None


def _refuse(law: Law, table: Table, actor: Seat, action: Action, clause: Clause, by_hand: bool = False) -> Refusal:
    steps = trail(law, table, actor, action)
    upto = next(at for at, step in enumerate(steps) if step.clause == clause and not step.holds)
    return Refusal(clause, steps[: upto + 1], by_hand)


def accepts(law: Law, table: Table, actor: Seat, action: Action) -> bool:
    """Would this action be accepted?"""
    for check in law.game.checks(law.rules, table, actor, action):  # noqa: SIM110 (a generator around them is a quarter slower)
        if not check[1]:
            return False
    return True
