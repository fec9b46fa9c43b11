"""Casebook authoring: updated expectations, and runs on every file change."""

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

Stamps = dict[Path, tuple[int, int]]
Execute = Callable[[str], Sequence[tuple[Case, Report]]]
"""Function that runs the cases of a text."""


class Edit(Struct, frozen=True):
    """A casebook to rewrite with new expectations."""

    file: Path
    text: str
    difference: str


def update_expectations(file: Path, text: str, execute: Execute) -> Edit | None:
    """Return the casebook with actual values as expectations where one value can express them; None if all pass.

    An updated step may reach a later failure, so the cases run until the text no longer changes.
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
    ctx.screen.line()
    ctx.print_message("case.updated", "heading", file=edit.file)
    for line in edit.difference.split("\n"):
        role = "good" if line.startswith("+") else "bad" if line.startswith("-") else ""
        ctx.screen.line(line, role)


def run_again(
    ctx: CommandContext, once: Callable[[], Answer[Struct]], list_inputs: Callable[[], Iterable[Path]], before: Stamps
) -> None:
    """Run and draw again whenever a file changes, until interrupted."""
    ctx.hint("case.watching")
    while True:
        ctx.screen.out.flush()
        ctx.screen.err.flush()
        pause(PAUSE_SECONDS)
        current = stamps(list_inputs)  # before the run, so that changes during it count as new
        if current == before:
            continue
        before = current
        ctx.screen.line()
        try:
            answer = once()
            answer.draw()
            answer.beside()
        except CommandError as problem:
            ctx.warn(problem.message)


def stamps(list_inputs: Callable[[], Iterable[Path]]) -> Stamps:
    """Return modification time and size by file. Missing files are left out."""
    stamps: Stamps = {}
    with suppress(CommandError):
        for path in list_inputs():
            with suppress(OSError):
                stat = path.stat()
                stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps
