"""What goes on by itself: processes with named steps, and the bound on all of it."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from domain.law.clause import Clause
from domain.law.live import Live
from domain.law.outcome import Endless
from domain.table.facts import Altered
from domain.table.table import Frame

R = TypeVar("R")

Step = Callable[[R, Live, Frame], bool | None]
"""One named step of a process under a ruleset; True means it is to be taken once more."""
Steps = Mapping[str, Mapping[str, Step[R]]]
"""Of each kind of process its steps by name, in their order."""


def first(steps: Steps[R], kind: str) -> str:
    """The step with which such a process begins."""
    return next(iter(steps[kind]))


def take(rules: R, t: Live, process: Frame, steps: Steps[R]) -> bool | None:
    """Take the step that a process names, which itself names the next; of a kind with but one step that one.

    Facts by hand may have set a process going under the name by which it waited.
    """
    named = steps[process.kind]
    step = named[process.step] if len(named) > 1 else next(iter(named.values()))
    return step(rules, t, process)


def advance(rules: R, t: Live, process: Frame, steps: Steps[R], stays: Clause) -> None:
    """Take a process's steps from the one it names, until the match ends, it is through, or a step asks something: then
    the process names the step with which it goes on, because of the clause."""
    named = steps[process.kind]
    names = tuple(named)
    at = names.index(process.step)
    while at < len(names):
        again = named[names[at]](rules, t, process)
        if t.result is not None:
            return
        at += 0 if again else 1
        if t.asked:
            if at < len(names):
                t.tell(stays, Altered(process.id, step=names[at]))
            return


def go_on(step: Callable[[R, Live], bool], rules: R, t: Live, most: int) -> None:
    """Go on as long as there is something to do. Raises Endless beyond the bound."""
    for _ in range(most):
        if not step(rules, t):
            return
    raise Endless(f"not quiet after {most} steps")
