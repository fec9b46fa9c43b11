"""A match looked at: its table, its timeline, what was requested in it."""

from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.values import At, Match, Viewer
from domain.law.entries import Described, last_described
from projections.answers import Logged, Shown, Stacked
from projections.board import board, hands, render_board
from projections.moments import moments
from projections.phrases import occasion_words
from projections.seen_entries import seen_entries
from projections.stack import stack_history
from projections.stack_rows import render_stack
from projections.timeline import render_timeline, timeline


def show(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[Shown]:
    """The table after an entry; a seat sees its own hand among its places."""
    record, eyes, number = desk.look(match, viewer, at)
    drawn = board(record, eyes, number)
    said = last_described(record.entries)

    def draw() -> None:
        _head(desk, said)
        if record.opened.parent:
            desk.hint("branch.of", parent=record.opened.parent, at=record.opened.parent_at or "?")
        desk.screen.rows(render_board(drawn, record.law, eyes.physics.schema, desk.lang))

    held = hands(drawn, record.opened.schema)
    return Answer(lambda: Shown(record.id, drawn, held, said.occasion, said.announced), draw)


def _head(desk: Desk, said: Described) -> None:
    """On what occasion the match is played, where that was said, as a heading."""
    if text := occasion_words(said.occasion, said.announced, desk.lang):
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
    record, eyes, first = desk.look(match, viewer, 1 if start is None else start)
    last = desk.entry(record, end)
    if first > last:
        raise desk.problem("cli.backwards", first=first, last=last)

    def value() -> Logged:
        seen = seen_entries(record, eyes, last, flow=flow)
        return Logged(record.id, eyes.viewer, tuple(entry for entry in seen if entry.number >= first))

    def draw() -> None:
        lines = timeline(record, eyes, desk.lang, last, flow=flow)
        _head(desk, last_described(record.entries))
        desk.screen.rows(render_timeline(lines[first - 1 :], desk.lang, moments(record)))

    return Answer(value, draw)


def stack(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[Stacked]:
    """What was requested, how it was answered, and what became of it."""
    record, eyes, number = desk.look(match, viewer, at)
    history = stack_history(record, eyes, number)
    return Answer(
        lambda: Stacked(record.id, history),
        lambda: desk.screen.rows(render_stack(history, record.game, desk.lang, moments(record))),
    )
