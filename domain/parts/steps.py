"""Processes with named steps that continue by themselves, with a bound on the number of steps."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.law.outcome import EndlessError
from domain.table.facts import Altered
from domain.table.table import Frame

R = TypeVar("R")

Step = Callable[[R, LiveTable, Frame], bool | None]
"""A step of a process under a ruleset; True means that it must be repeated."""
Steps = Mapping[str, Mapping[str, Step[R]]]
"""Steps by kind of process and name, in order."""


def first_step(steps: Steps[R], kind: str) -> str:
    return next(iter(steps[kind]))


def take_step(rules: R, t: LiveTable, process: Frame, steps: Steps[R]) -> bool | None:
    """Take the step that a process names; the step itself names the next. If the kind has a single step, the name is
    ignored, because facts by hand may start such a process under another name."""
    named = steps[process.kind]
    step = named[process.step] if len(named) > 1 else next(iter(named.values()))
    return step(rules, t, process)


def advance(rules: R, t: LiveTable, process: Frame, steps: Steps[R], stays: Clause) -> None:
    """Take the steps of a process until the match ends, the process is complete, or a step asks a question. Then the
    process names its next step, by the clause `stays`."""
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
                t.emit(stays, Altered(process.id, step=names[at]))
            return


def repeat_until_done(step: Callable[[R, LiveTable], bool], rules: R, t: LiveTable, most: int) -> None:
    """Repeat a step until it has nothing to do. Raises EndlessError after `most` repetitions."""
    for _ in range(most):
        if not step(rules, t):
            return
    raise EndlessError(f"no end after {most} automatic steps")
