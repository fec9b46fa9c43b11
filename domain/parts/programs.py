"""Execution of the programs in card text.

The todo of a frame is a tuple of paths, so that a program can continue in any later entry.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts.grammar import Grammar
from domain.table.facts import Altered, Popped
from domain.table.table import Frame, Seat, Todo, frame, is_over

Path = tuple[int, ...]
"""Position of an instruction: the index of an ability, of an instruction in its program, and so on inwards."""
Program = tuple[Any, ...]
"""Instructions, each a struct of the game's own union."""
Blocks = Callable[[Path], Program]
"""Lookup of the program inside the text at a path; () if there is none."""
Inner = tuple[Todo, ...] | None
"""The inner programs of an instruction that come next; None if it waits for an answer."""


def find(grammar: Grammar, abilities: Program, path: Path) -> tuple[Any, Program]:
    """Return the text at a path, and the program that contains it. Raises LookupError if there is none."""
    text: Any = nth(abilities, path, 0)
    program: Program = ()
    step = 1
    while step < len(path):
        if type(text) in grammar.gives:
            text, program = grammar.gives[type(text)](text, path[step]), ()
        else:
            programs = [getattr(text, name) for name in grammar.programs.get(type(text), ())]
            if len(programs) > 1:
                programs, step = [nth(tuple(programs), path, step)], step + 1
            program = nth(tuple(programs), (0,), 0)
            text = nth(program, path, step)
        step += 1
    return text, program


def nth(things: tuple[Any, ...], path: Path, step: int) -> Any:
    """Return the item that a step of a path selects. Raises LookupError if there is none."""
    if step >= len(path) or not 0 <= path[step] < len(things):
        raise LookupError(path)
    return things[path[step]]


def inner_program(blocks: Blocks, todo: Todo, *steps: int, seat: Seat | None = None) -> tuple[Todo, ...]:
    """Return the start of the program inside an instruction, for another seat if `seat` is given."""
    path = (*todo.path, *steps)
    return (Todo((*path, 0), seat or todo.seat),) if blocks(path) else ()


def next_instruction(blocks: Blocks, todo: Todo) -> tuple[Todo, ...]:
    """Return the next instruction of the same program."""
    path = (*todo.path[:-1], todo.path[-1] + 1)
    return (Todo(path, todo.seat),) if path[-1] < len(blocks(path[:-1])) else ()


def remaining_steps(blocks: Blocks, todo: tuple[Todo, ...], inner: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """Return what remains after the first instruction: inner programs, the rest of its program, the rest of `todo`."""
    return (*inner, *next_instruction(blocks, todo[0]), *todo[1:])


def perform(
    t: LiveTable, process: Frame, blocks: Blocks, carry_out: Callable[[Frame, Todo], Inner], stops: Clause, ends: Clause
) -> None:
    """Carry out the program of a process until it asks a question, is removed or is complete."""
    todo, current = process.todo, frame(t, process.id)
    while todo:
        if current is None or is_over(t):
            return
        inner = carry_out(replace(current, todo=todo), todo[0])
        current = frame(t, process.id)
        if is_over(t) or current is None:
            return
        if inner is not None:
            todo = remaining_steps(blocks, todo, inner)
        if inner is None or t.asked:
            t.emit(stops, Altered(process.id, todo=todo))
            return
    t.emit(ends, Popped(process.id, "done"))


def continue_process(
    t: LiveTable, process: Frame, blocks: Blocks, because: Clause, inner: tuple[Todo, ...] = ()
) -> None:
    """Continue a process after the instruction that asked, with its inner programs first."""
    t.emit(because, Altered(process.id, todo=remaining_steps(blocks, process.todo, inner)))
