"""Comparison of two score sheets of a match, and their merge by answers."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct

from cli import files, outputs
from cli.answer import Answer
from cli.context import CommandContext
from cli.drawing import is_terminal
from cli.problems import FINDINGS, FINE, CommandError
from cli.values import Viewer
from domain.formats.errors import decode_text
from domain.formats.sheets import (
    Reconciliation,
    Sheet,
    read_sheet,
    reconcile,
    sheet_of,
    unfit_answer,
)
from domain.formats.sheets.reconciling import Side
from domain.games import GAMES
from domain.table.table import Place
from domain.words import Text
from projections.sheets import SheetComparison, compare_sheets, merge_sheets, render_compared, render_difference
from recorder.files import SUFFIXES

SHEET_MAX = 4 * 1024 * 1024
"""Limit of a sheet in bytes. The sheet of a long match has some kilobytes."""

First = Annotated[str, "SHEET|MATCH|FILE"]
Second = Annotated[str, "SHEET|MATCH|FILE"]


UNDONE_SHOWN: Final = 12


class SheetMergeResult(Struct, frozen=True):
    """A merged sheet: its file, its number of lines, the answers, and the open questions.

    `joined` are differences in which one sheet only had more information.
    """

    sheet: str
    lines: int
    answered: dict[int, str]
    open: tuple[int, ...]
    joined: tuple[int, ...]


def read_text_of(ctx: CommandContext, name: str) -> tuple[str, Sheet]:
    """Return the text and the parsed sheet of a file or of standard input. Raises CommandError."""
    data = files.read(ctx, name)
    if len(data) > SHEET_MAX:
        raise ctx.problem("paper.too_long", file=name, most=SHEET_MAX // 1024 // 1024)
    with ctx.convert_errors():
        text = decode_text(data, name)
        return text, read_sheet(text, GAMES, name)


def compare(ctx: CommandContext, first: First, second: Second, viewer: Viewer = "spectator") -> Answer[SheetComparison]:
    """Compare two sheets of a match. Every difference is a question. The exit code is 1 if there are any."""
    value = compare_sheets(_reconcile(ctx, first, second, viewer))

    def draw() -> None:
        ctx.screen.rows(render_compared(value, ctx.lang))

    return Answer(lambda: value, draw, FINDINGS if value.questions else FINE)


def settle(
    ctx: CommandContext,
    first: First,
    second: Second,
    answers: Annotated[list[str] | None, "--answer N=a|b"] = None,
    out: Annotated[str | None, "--out FILE.sheet"] = None,
    viewer: Viewer = "spectator",
) -> Answer[SheetMergeResult]:
    """Merge two sheets by answers, with a note for each. Questions without an answer stay open."""
    outputs.writable(ctx, (out,))
    outputs.distinct(ctx, {"--out": out}, (), (name for name in (first, second) if files.path_satisfies(name)))
    reconciliation = _reconcile(ctx, first, second, viewer)
    value = compare_sheets(reconciliation)
    chosen = _read_answers(ctx, reconciliation, answers or ())
    if out is not None and is_terminal(sys.stdin):
        _ask(ctx, value, chosen)
    made = merge_sheets(reconciliation, value, chosen, ctx.lang)
    data = made.text.encode()
    if out is not None:
        outputs.write_whole(ctx, Path(out), data)
    open_still = tuple(asked.number for asked in made.left)
    settled = SheetMergeResult(out or "", made.lines, dict(chosen), open_still, made.joined)

    def draw() -> None:
        if out is None:
            ctx.screen.raw(data)
        else:
            ctx.screen.line(out)

    def draw_hints() -> None:
        ctx.hint("paper.settled", answered=len(chosen), joined=len(made.joined), file=out or "-")
        for asked in made.left:
            ctx.screen.aside_rows(render_difference(asked, ctx.lang))
        if made.left:
            ctx.hint("paper.left", numbers=ctx.say("list.comma").join(map(str, open_still)))

    return Answer(lambda: settled, draw, FINDINGS if made.left else FINE, draw_hints)


def _reconcile(ctx: CommandContext, first: str, second: str, viewer: str) -> Reconciliation:
    a, b = _open(ctx, first, viewer), _open(ctx, second, viewer)
    reconciliation = reconcile(a, b)
    if isinstance(reconciliation, Text):
        raise ctx.refuse(reconciliation)
    return reconciliation


def ask_face(ctx: CommandContext, where: str, place: Place) -> str | None:
    """Ask for the face of a card that a line shows. None without a terminal or an answer."""
    if not is_terminal(sys.stdin):
        return None
    ctx.hint("paper.which_face", where=where, place=place)
    typed = sys.stdin.readline().strip()
    return typed or None


def contradiction_error(ctx: CommandContext, where: str, match: str, to: int, entries: Sequence[int]) -> CommandError:
    """Return the error for a sheet that contradicts its match, with the entries to undo."""
    listed = ctx.say("list.comma").join(map(str, entries[:UNDONE_SHOWN]))
    more = " ..." if len(entries) > UNDONE_SHOWN else ""
    return ctx.problem("paper.behind", where=where, match=match, to=to, entries=listed + more)


def _open(ctx: CommandContext, name: str, viewer: str) -> Sheet:
    if name == files.STDIN or (files.path_satisfies(name, Path.is_file) and not name.endswith(SUFFIXES)):
        return read_text_of(ctx, name)[1]
    with ExitStack() as stack:
        record = stack.enter_context(files.open_record(ctx, name))
        ctx.require_judge(record, ctx.find_viewer(record, viewer), "paper.only_judge")
        with ctx.convert_errors():
            return sheet_of(record, record.id)


def _read_answers(ctx: CommandContext, reconciliation: Reconciliation, answers: Sequence[str]) -> dict[int, Side]:
    chosen: dict[int, Side] = {}
    for text in answers:
        number, equals, side = text.partition("=")
        if not equals or not number.isdecimal() or len(number) > 6:
            raise ctx.problem("paper.answer_form", text=repr(text[:60]))
        if (why := unfit_answer(reconciliation, int(number), side)) is not None:
            raise ctx.refuse(why)
        if int(number) in chosen:
            raise ctx.problem("paper.answered_twice", n=int(number))
        chosen[int(number)] = "a" if side == "a" else "b"
    return chosen


def _ask(ctx: CommandContext, value: SheetComparison, chosen: dict[int, Side]) -> None:
    for asked in value.questions:
        while asked.number not in chosen:
            ctx.screen.aside_rows(render_difference(asked, ctx.lang))
            ctx.hint("paper.which")
            typed = sys.stdin.readline()
            if not typed.strip():
                break
            if typed.strip() in ("a", "b"):
                chosen[asked.number] = "a" if typed.strip() == "a" else "b"
