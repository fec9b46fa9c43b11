"""How far a long run has come, with an estimate of what is left: on a terminal only, beside the answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, TextIO

from rich import progress as P
from rich.console import Console

from cli.context import NAMED_MAX, Desk
from cli.drawing import is_terminal

JOBS_MAX = 256

Jobs = Annotated[int | None, "--jobs N", {"min": 1, "max": JOBS_MAX}]

Step = Callable[[], None]


def warn_of_lost(desk: Desk) -> Callable[[tuple[str, ...]], None]:
    """What says that a process has died, and which matches are done again for that."""

    def said(matches: tuple[str, ...]) -> None:
        named = ", ".join(matches[:NAMED_MAX]) + (", ..." if len(matches) > NAMED_MAX else "")
        desk.warn(desk.say("regress.lost", n=len(matches), matches=named))

    return said


@contextmanager
def progress(stream: TextIO, title: str, total: int) -> Iterator[Step]:
    """A bar that one call moves on by one; nothing at all where nobody looks."""
    if not is_terminal(stream):
        yield lambda: None
        return

    columns = (P.BarColumn(), P.MofNCompleteColumn(), P.TimeElapsedColumn(), P.TimeRemainingColumn())
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    with P.Progress(P.TextColumn("{task.description}"), *columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda: bar.advance(task)
