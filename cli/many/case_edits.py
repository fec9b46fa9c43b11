"""While casebooks are written: expectations written anew, and cases executed again whenever a file changes."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from cli.answer import Answer
from cli.context import CommandContext
from cli.problems import CommandError
from domain.formats.casebook import Case, Report
from domain.formats.casebook.amend import Reached, amend, changes
from recorder.clock import pause

PAUSE_SECONDS = 0.3
"""How long a watch waits before it looks again."""

Stamps = dict[Path, tuple[int, int]]
Execute = Callable[[str], Sequence[tuple[Case, Report]]]
"""The cases of a casebook's text and how they go."""


class Edit(Struct, frozen=True):
    """A casebook whose expectations are to be written anew."""

    file: Path
    text: str
    difference: str


def amended(file: Path, text: str, execute: Execute) -> Edit | None:
    """The casebook with what was found in place of what was expected, as far as one value says it; None if all holds.

    A step that is passed now leads on to the next, so it is executed until nothing changes any more.
    """
    new, seen = text, set[str]()
    while new not in seen:
        seen.add(new)
        wanted: dict[Reached, object] = {}
        for number, (case, report) in enumerate(execute(new)):
            wanted |= changes(number, case, report.failures)
        new = amend(new, wanted)
    if new == text:
        return None
    return Edit(file, new, _difference(file, text, new))


def _difference(file: Path, old: str, new: str) -> str:
    lines = unified_diff(old.splitlines(), new.splitlines(), str(file), str(file), lineterm="")
    return "\n".join(lines)


def show(ctx: CommandContext, edit: Edit) -> None:
    """What is written anew, before it is."""
    ctx.screen.line()
    ctx.print_message("case.updated", "heading", file=edit.file)
    for line in edit.difference.split("\n"):
        role = "good" if line.startswith("+") else "bad" if line.startswith("-") else ""
        ctx.screen.line(line, role)


def run_again(
    ctx: CommandContext, once: Callable[[], Answer[Struct]], read_by: Callable[[], Iterable[Path]], before: Stamps
) -> None:
    """Execute and draw whenever one of the files is another one than before, until somebody interrupts it."""
    ctx.hint("case.watching")
    while True:
        ctx.screen.out.flush()
        ctx.screen.err.flush()
        pause(PAUSE_SECONDS)
        now = stamps(read_by)  # before they are read: what is written meanwhile is seen the next time
        if now == before:
            continue
        before = now
        ctx.screen.line()
        try:
            answer = once()
            answer.draw()
            answer.beside()
        except CommandError as problem:
            ctx.warn(problem.message)


def stamps(read_by: Callable[[], Iterable[Path]]) -> Stamps:
    """When each file was last written, and how long it is; those that are just not there are left out."""
    stamps: Stamps = {}
    with suppress(CommandError):
        for path in read_by():
            with suppress(OSError):
                stat = path.stat()
                stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps
