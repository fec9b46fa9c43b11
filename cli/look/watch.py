"""Step viewer for a terminal: by entry, turn or finding."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from os import environ
from shutil import get_terminal_size
from typing import TextIO

from cli.context import CommandContext
from cli.drawing import columns_of, is_terminal
from cli.look.show import LocalTables
from cli.play.keys import ENTER, ESCAPE, source
from cli.problems import FINE, INTERRUPTED
from cli.readers import open_reader
from cli.values import At, Match, Viewer
from domain.judging.audit import audit
from domain.table.redact import View
from domain.words import Lang
from projections.board import render_board
from projections.findings import SeenFinding, render_findings, seen_findings
from projections.moments import Moments
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry
from projections.timeline import TimelineEntry, entry_words, render_timeline

ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
"""Arrow keys by the last byte of their escape sequence."""
OTHER_SCREEN, OWN_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
"""Escape sequences that enter and leave the alternate screen."""
CLEAR = "\x1b[H\x1b[2J"
PLAIN_TERMINALS = ("", "dumb")
"""Values of TERM without cursor control. There each step is printed below the last one."""
CURSOR = 1
"""Lines below the drawing for the cursor."""
LEAVING = ("q", "Q", ESCAPE)


class LocalFindings(LocalTables):
    def findings(self) -> tuple[SeenFinding, ...]:
        found = audit(self.record.game, self.record.entries, secret=self.ctx.read_seed(self.record)).findings
        return seen_findings(self.record, self.eyes, self.record.law, found)


class WatchedMatch:
    """A snapshot of a match. `untold` is the reason why findings are withheld, or ''."""

    def __init__(self, ctx: CommandContext, match: str, viewer: str, at: int | None = None) -> None:
        self._ctx, self._viewer = ctx, viewer
        reader = open_reader(ctx, LocalFindings, match, viewer, at)
        self._reader, self.id, self.law, self.version = reader, reader.match.id, reader.law, reader.entry(None)
        self.schema = reader.schema
        self.untold = ""

    @cached_property
    def findings(self) -> tuple[SeenFinding, ...]:
        nothing: tuple[SeenFinding, ...] = ()
        found, self.untold = self._reader.ask(self._reader.match.findings, nothing)
        return found

    @property
    def when(self) -> Moments:
        return self._reader.when

    @cached_property
    def _entries(self) -> tuple[SeenEntry, ...]:
        return tuple(self._reader.match.entries())

    def line(self, number: int, lang: Lang) -> TimelineEntry:
        """Return an entry in words, as if it were the last one."""
        return entry_words(self.law.game, self._entries[number - 1], lang, self._reader.names)

    def board(self, number: int) -> View:
        return self._reader.match.moment(number).board

    def entry(self, number: int | None) -> int:
        return self._reader.entry(number)

    def look_again(self) -> "WatchedMatch":
        return WatchedMatch(self._ctx, self.id, self._viewer)


def watch(ctx: CommandContext, match: Match, at: At = None, viewer: Viewer = "spectator") -> int:
    """Step through a match by keys; nothing is recorded. Without a terminal, each step is printed below the last
    one."""
    watched = WatchedMatch(ctx, match, viewer, at)
    out, watching = ctx.screen.out, WatchScreen(ctx, watched, watched.entry(at))
    try:
        with source(sys.stdin, out, ARROWS) as keys, _screen(out) as clear:
            while True:
                out.write(clear)
                watching.draw()
                out.flush()
                if (key := keys.key(pending=False)) in LEAVING:
                    return FINE
                watching.press(key)
    except EOFError:
        return FINE
    except KeyboardInterrupt:
        return INTERRUPTED


@contextmanager
def _screen(out: TextIO) -> Iterator[str]:
    if not is_terminal(out) or environ.get("TERM", "") in PLAIN_TERMINALS:
        yield ""
        return
    out.write(OTHER_SCREEN)
    try:
        yield CLEAR
    finally:
        out.write(OWN_SCREEN)
        out.flush()


class WatchScreen:
    """State of the viewer: the match, the entry and the scroll position."""

    def __init__(self, ctx: CommandContext, match: WatchedMatch, number: int) -> None:
        self._ctx = ctx
        self.match, self.number = match, number
        self._scrolled = 0
        self._message = ""
        self._presses: dict[str, Callable[[], None]] = {
            **dict.fromkeys(("right", "l", " ", ENTER), self._forward),
            **dict.fromkeys(("left", "h"), self._back),
            "]": self._next_turn,
            "[": self._turn_before,
            "f": self._next_finding,
            "up": lambda: self._scroll(-1),
            "down": lambda: self._scroll(1),
            "g": lambda: self._go(1),
            "G": lambda: self._go(self.match.version),
        }

    @property
    def _turns(self) -> tuple[object, ...]:
        return self.match.when.turns

    def press(self, key: str) -> None:
        """Handle a key. Unknown keys do nothing."""
        self._message = ""
        if key in self._presses:
            self._presses[key]()

    def draw(self) -> None:
        """Draw the entry, its findings and the table, cut to the terminal's height, with the keys below."""
        screen = self._ctx.screen
        rows = [*self._rows()]
        screen.columns = columns_of(screen.out)
        if screen.columns is None:
            screen.rows([*rows, *self._foot()])
            return
        foot = [*self._foot(), Row("watch", (Cell(self._ctx.say("watch.keys"), "hidden"),))]
        room = max(1, get_terminal_size().lines - screen.part(foot, 0, 0) - CURSOR)
        self._scrolled = min(self._scrolled, max(0, screen.part(rows, 0, 0) - room))
        screen.part(rows, self._scrolled, room)
        screen.rows(foot)

    def _foot(self) -> list[Row]:
        return [Row("watch", (Cell(self._message, "hidden"),))] if self._message else []

    def _rows(self) -> Iterator[Row]:
        match, lang, number = self.match, self._ctx.lang, self.number
        title = self._ctx.say("watch.title", at=number, last=match.version)
        yield Row("watch", (Cell(match.id, "title"), Cell(title, "number")))
        yield from render_timeline([match.line(number, lang)], lang, match.when)
        here = [finding for finding in match.findings if finding.entry == number]
        if here:
            yield from render_findings(here, match.law, lang, match.when.names)
        yield from render_board(match.board(number), match.law, match.schema, lang)

    def _go(self, number: int) -> None:
        self.number, self._scrolled = number, 0

    def _scroll(self, by: int) -> None:
        self._scrolled = max(0, self._scrolled + by)

    def _back(self) -> None:
        self._go(max(1, self.number - 1))

    def _forward(self) -> None:
        """Go to the next entry; after the last one, reload the match."""
        if self.number == self.match.version:
            self.match = self.match.look_again()
        if self.number < self.match.version:
            self._go(self.number + 1)
        else:
            self._message = self._ctx.say("watch.end")

    def _next_turn(self) -> None:
        last = self.match.version
        later = range(self.number + 1, last + 1)
        self._go(next((at for at in later if self._turns[at] != self._turns[self.number]), last))

    def _turn_before(self) -> None:
        turn = self._turns[max(1, self.number - 1)]
        self._go(next((at + 1 for at in range(self.number - 2, 0, -1) if self._turns[at] != turn), 1))

    def _next_finding(self) -> None:
        at = next((finding.entry for finding in self.match.findings if finding.entry > self.number), None)
        if at is None:
            self._message = self.match.untold or self._ctx.say("watch.no_finding")
        else:
            self._go(at)
