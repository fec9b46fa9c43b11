"""Programs of card text: a pointer into what is printed, and how it moves on.

A path is all that a frame remembers of a program: the place of an ability, a place among its instructions, and on
into what stands inside. What is left to do is a row of such paths, so that a program goes on in any later entry.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.live import Live
from domain.parts.grammar import Grammar
from domain.table.facts import Altered, Popped
from domain.table.table import Frame, Seat, Todo, frame, over

Path = tuple[int, ...]
"""Where an instruction stands: an ability, the place in its program, and on into what stands inside."""
Program = tuple[Any, ...]
"""Instructions, each a struct of the game's own union."""
Blocks = Callable[[Path], Program]
"""The instructions inside what stands at a path of one text; none where there are none."""
Inner = tuple[Todo, ...] | None
"""The programs inside an instruction that come next; None if it waits for an answer."""


def find(grammar: Grammar, abilities: Program, path: Path) -> tuple[Any, Program]:
    """What stands at a path, and the program among which it stands. Raises LookupError where nothing does."""
    here: Any = nth(abilities, path, 0)
    among: Program = ()
    step = 1
    while step < len(path):
        if type(here) in grammar.gives:
            here, among = grammar.gives[type(here)](here, path[step]), ()
        else:
            held = [getattr(here, name) for name in grammar.programs.get(type(here), ())]
            if len(held) > 1:
                held, step = [nth(tuple(held), path, step)], step + 1
            among = nth(tuple(held), (0,), 0)
            here = nth(among, path, step)
        step += 1
    return here, among


def nth(things: tuple[Any, ...], path: Path, step: int) -> Any:
    """The thing that a step of a path leads to. Raises LookupError where there is none."""
    if step >= len(path) or not 0 <= path[step] < len(things):
        raise LookupError(path)
    return things[path[step]]


def inside(blocks: Blocks, todo: Todo, *steps: int, seat: Seat | None = None) -> tuple[Todo, ...]:
    """The program inside an instruction, from its beginning; for a seat, if it is that one's part."""
    path = (*todo.path, *steps)
    return (Todo((*path, 0), seat or todo.seat),) if blocks(path) else ()


def following(blocks: Blocks, todo: Todo) -> tuple[Todo, ...]:
    """What comes after an instruction in its own program."""
    path = (*todo.path[:-1], todo.path[-1] + 1)
    return (Todo(path, todo.seat),) if path[-1] < len(blocks(path[:-1])) else ()


def remaining_steps(blocks: Blocks, todo: tuple[Todo, ...], inner: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """What is left when the first of it is done: what is inside that, what follows it in its program, the rest."""
    return (*inner, *following(blocks, todo[0]), *todo[1:])


def perform(
    t: Live, process: Frame, blocks: Blocks, carry_out: Callable[[Frame, Todo], Inner], stops: Clause, ends: Clause
) -> None:
    """Carry a process's program out, an instruction at a time, until it asks something, is gone or is through."""
    todo, current = process.todo, frame(t, process.id)
    while todo:
        if current is None or over(t):
            return
        inner = carry_out(replace(current, todo=todo), todo[0])
        current = frame(t, process.id)
        if over(t) or current is None:
            return
        if inner is not None:
            todo = remaining_steps(blocks, todo, inner)
        if inner is None or t.asked:
            t.tell(stops, Altered(process.id, todo=todo))
            return
    t.tell(ends, Popped(process.id, "done"))


def move_on(t: Live, process: Frame, blocks: Blocks, because: Clause, inner: tuple[Todo, ...] = ()) -> None:
    """A process goes on behind the instruction that asked, first with what is inside it."""
    t.tell(because, Altered(process.id, todo=remaining_steps(blocks, process.todo, inner)))
