"""A match looked at: its table, its timeline, what was requested in it."""

from collections.abc import Sequence
from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.values import At, Match, Viewer
from domain.law.entries import Opened, last_described
from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion
from projections.board import Shown, board, hands, render_board
from projections.moments import Moments, moments
from projections.phrases import occasion_words
from projections.seen_entries import SeenEntry, seen_entries
from projections.stack import Stacked, stack_history
from projections.stack_rows import render_stack
from projections.timeline import Line, Logged, render_timeline, timeline


def show(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[Shown]:
    """The table after an entry; a seat sees its own hand among its places."""
    record, eyes, number = desk.look(match, viewer, at)
    drawn, opened = board(record, eyes, number), record.opened
    said = last_described(record.entries)
    shown = Shown(record.id, drawn, hands(drawn, opened.schema), said.occasion, said.announced)
    return Answer(lambda: shown, lambda: draw_shown(desk, shown, record.law, opened))


def draw_shown(desk: Desk, shown: Shown, law: Law, opened: Opened | SeenEntry) -> None:
    """The table, under the occasion on which the match is played."""
    _head(desk, shown.occasion, shown.announced)
    if opened.parent:
        desk.hint("branch.of", parent=opened.parent, at=opened.parent_at or "?")
    schema = opened.schema if isinstance(opened, Opened) else law.schema()
    desk.screen.rows(render_board(shown.board, law, schema, desk.lang))


def _head(desk: Desk, occasion: Occasion, announced: str) -> None:
    """On what occasion the match is played, where that was said, as a heading."""
    if text := occasion_words(occasion, announced, desk.lang):
        desk.screen.line(text, "heading")


def log(
    desk: Desk,
    match: Match,
    start: Annotated[int | None, "--from N"] = None,
    end: Annotated[int | None, "--to N"] = None,
    viewer: Viewer = "spectator",
    flow: Annotated[bool, "--flow"] = False,
) -> Answer[Logged]:
    """The timeline of a match, entry by entry, with the clause of each fact."""
    record = desk.load(match, end)
    eyes, first, last = (
        desk.eyes(record, viewer),
        desk.entry(record, 1 if start is None else start),
        desk.entry(record, end),
    )
    check_forwards(desk, first, last)

    def value() -> Logged:
        seen = seen_entries(record, eyes, last, flow=flow)
        return Logged(record.id, eyes.viewer, tuple(entry for entry in seen if entry.number >= first))

    def draw() -> None:
        lines = timeline(record, eyes, desk.lang, last, flow=flow)
        said = last_described(record.entries)
        draw_log(desk, lines[first - 1 :], said.occasion, said.announced, moments(record, desk.zone))

    return Answer(value, draw)


def check_forwards(desk: Desk, first: int, last: int) -> None:
    """Raises Problem for a stretch that ends before it begins."""
    if first > last:
        raise desk.problem("cli.backwards", first=first, last=last)


def draw_log(desk: Desk, lines: Sequence[Line], occasion: Occasion, announced: str, when: Moments) -> None:
    """Lines of a timeline, under the occasion on which the match is played."""
    _head(desk, occasion, announced)
    desk.screen.rows(render_timeline(lines, desk.lang, when))


def stack(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[Stacked]:
    """What was requested, how it was answered, and what became of it."""
    record, eyes, number = desk.look(match, viewer, at)
    stacked = Stacked(record.id, stack_history(record, eyes, number))
    return Answer(lambda: stacked, lambda: draw_stack(desk, stacked, record.game, moments(record, desk.zone)))


def draw_stack(desk: Desk, stacked: Stacked, game: Game, when: Moments) -> None:
    """Requests with their answers, under turns."""
    desk.screen.rows(render_stack(stacked.history, game, desk.lang, when.names, when))
