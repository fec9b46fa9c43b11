"""Views of a match: its table, its timeline and its stack."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Annotated

from cli.answer import Answer
from cli.context import CommandContext
from cli.readers import LocalQueries, open_reader
from cli.values import At, Match, Viewer
from domain.law.entries import last_described
from domain.law.occasion import Occasion
from projections.board import MatchBoard, board, hands, render_board
from projections.phrases import occasion_words
from projections.seen_entries import SeenEntry, line_seen, seen_entries
from projections.stack import StackAnswer, stack_history
from projections.stack_rows import render_stack
from projections.timeline import MatchEntries, entry_words, render_timeline


class LocalTables(LocalQueries):
    def moment(self, number: int) -> MatchBoard:
        drawn, description = board(self.record, self.eyes, number), last_described(self.record.entries)
        return MatchBoard(
            self.id, drawn, hands(drawn, self.record.opening.schema), description.occasion, description.announced
        )

    def entries(self, *, flow: bool = False) -> Iterator[SeenEntry]:
        return seen_entries(self.record, self.eyes, flow=flow)

    def stack(self, number: int) -> StackAnswer:
        return StackAnswer(self.id, stack_history(self.record, self.eyes, number))


def show(ctx: CommandContext, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[MatchBoard]:
    reader = open_reader(ctx, LocalTables, match, viewer, at)
    shown, opening = reader.match.moment(reader.entry(at)), reader.opening_entry

    def draw() -> None:
        _head(ctx, shown.occasion, shown.announced)
        if opening.parent:
            ctx.hint("branch.of", parent=opening.parent, at=opening.parent_at or "?")
        ctx.screen.rows(render_board(shown.board, reader.law, reader.schema, ctx.lang))

    return Answer(lambda: shown, draw)


def _head(ctx: CommandContext, occasion: Occasion, announced: str) -> None:
    if text := occasion_words(occasion, announced, ctx.lang):
        ctx.screen.line(text, "heading")


def log(
    ctx: CommandContext,
    match: Match,
    start: Annotated[int | None, "--from N"] = None,
    end: Annotated[int | None, "--to N"] = None,
    viewer: Viewer = "spectator",
    flow: Annotated[bool, "--flow"] = False,
) -> Answer[MatchEntries]:
    reader = open_reader(ctx, LocalTables, match, viewer, end)
    first, last = reader.entry(1 if start is None else start), reader.entry(end)
    if first > last:
        raise ctx.problem("cli.backwards", first=first, last=last)
    entries = tuple(takewhile(lambda entry: entry.number <= last, reader.match.entries(flow=flow)))

    def draw() -> None:
        on_line, game = line_seen(entries), reader.law.game
        _head(ctx, *reader.occasion)
        lines = (
            entry_words(game, entry, ctx.lang, reader.names, left=entry.number not in on_line)
            for entry in entries[first - 1 :]
        )
        ctx.screen.rows(render_timeline(lines, ctx.lang, reader.when))

    return Answer(lambda: MatchEntries(reader.match.id, reader.viewer, entries[first - 1 :]), draw)


def stack(ctx: CommandContext, match: Match, at: At = None, viewer: Viewer = "spectator") -> Answer[StackAnswer]:
    reader = open_reader(ctx, LocalTables, match, viewer, at)
    stacked = reader.match.stack(reader.entry(at))

    def draw() -> None:
        ctx.screen.rows(render_stack(stacked.history, reader.law.game, ctx.lang, reader.names, reader.when))

    return Answer(lambda: stacked, draw)
